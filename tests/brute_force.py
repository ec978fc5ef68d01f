"""The estimands computed the slow way: plain loops over rows and exact fractions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

Row = dict[str, Any]


def joined(games: Iterable[Row], seats: Iterable[Row]) -> list[Row]:
    """Seat rows with what they need of their game."""
    by_game = {(game["cell"], game["game"]): game for game in games}
    return [
        row | {"first_player": by_game[row["cell"], row["game"]]["first_player"]} for row in seats
    ]


def weighted_share(
    rows: Iterable[Row], weight: Callable[[Row], Fraction], above: str, below: str
) -> Fraction:
    """Sum of weight x above / sum of weight x below."""
    rows = list(rows)
    return sum((weight(r) * r[above] for r in rows), Fraction(0)) / sum(
        (weight(r) * r[below] for r in rows), Fraction(0)
    )


def won(row: Row) -> Fraction:
    """The part of the win."""
    return Fraction(row["won"], 60)


def lost(row: Row) -> Fraction:
    """The part of not winning."""
    return 1 - won(row)


def one(_: Row) -> Fraction:
    """No weight."""
    return Fraction(1)


def win_lift(rows: Iterable[Row], clan: str, players: int) -> Fraction:
    """Win lift a party at a time: n x P(win | led by the clan) - n x P(win | any party)."""
    led, anything = [], []
    for row in rows:
        led += [won(row)] * row[f"led_{clan}"]
        anything += [won(row)] * row["parties"]
    return players * (Fraction(sum(led), len(led)) - Fraction(sum(anything), len(anything)))
