"""The numbers that a finished game adds to the sums, and the expected length of an age.

Numbers that compare the seats of one game are computed on arrays of shape (players, games). The
rows of a game are adjacent in `seats`.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import polars as pl

from ethnos_sim.experiments.designs.clan_sets import ClanSet
from ethnos_sim.experiments.statistics.estimates import IntArray
from ethnos_sim.experiments.storage.tables import led_column
from ethnos_sim.simulator.game.limits import MAX_AGES
from ethnos_sim.simulator.game.records import SIXTIETHS
from ethnos_sim.simulator.rules import Rules

SOURCES = ("regions", "sea", "largest", "settlement", "coins", "party_points", "powers")
"""The columns that sum to a seat's prestige."""

AGES = tuple(range(1, MAX_AGES + 1))

FAR_BEHIND = 6
"""A comeback starts at least this many points behind the leader."""

EARLY_AGES = MAX_AGES - 1
"""The number of ages that are never the last one, so that a deficit after them can be made up."""

BIN = 10
BINS = 60
"""The width of a bin of turns, and the number of bins; the last one also counts longer games."""


def by_game(games: pl.DataFrame, seats: pl.DataFrame, *columns: str) -> IntArray:
    """Columns of `seats` as an array of shape (columns, players, games), int64.

    Raises ValueError unless the rows of each game stand together, in the order of `games`.
    """
    players = len(seats) // max(len(games), 1)
    whole = players * len(games) == len(seats)
    if not whole or not all(
        np.array_equal(seats[key].to_numpy()[::players], games[key].to_numpy())
        for key in ("game", "cell")
    ):
        raise ValueError("the seats are not in the order of the games")
    rows = seats.select(pl.col(columns).cast(pl.Int64)).to_numpy()
    of_games = rows.T.reshape(len(columns), len(games), players)
    return np.ascontiguousarray(of_games.transpose(0, 2, 1))


def game_numbers(
    games: pl.DataFrame, seats: pl.DataFrame, clans: tuple[str, ...]
) -> dict[str, IntArray]:
    """The numbers of each game that are summed, int64; the first axis is the game.

    Numbers whose names end in `won` are weighted by the column `won`, so they are in sixtieths.

    Args:
        games: one row for each game: cell, game, deal, first_player, winners, turns,
            drawn_1 … drawn_3.
        seats: the rows of these games in the same order, one for each player: cell, game, seat,
            entry, won, prestige, prestige_1 … prestige_3, the sources, parties, cards, led_<clan>.
        clans: the clans of the edition.

    Returns:
        Numbers of each game: `games`, which is 1; `shared`, whether the win was shared; `turns`;
        the totals over all seats of `cards` in parties, `parties` and `parties_won`; and the
        numbers of `_scores`, `_drawn` and `_leads`. By clan: `led` and `led_won`. By SOURCES:
        `source` and `source_won`. By age: `drawn`, and numbers of `_leads`. By place, the wins of
        seats: in the first age's order of play (`turn_won`) and in the line-up (`entry_won`).
    """
    won, seat, entry, prestige = by_game(games, seats, "won", "seat", "entry", "prestige")
    first = games["first_player"].to_numpy().astype(np.int64)
    parties, cards = by_game(games, seats, "parties", "cards")
    of_seats = {
        "parties": parties,
        "source": by_game(games, seats, *SOURCES),
        "led": by_game(games, seats, *map(led_column, clans)),
    }
    places = {"turn_won": (seat - first) % len(seat), "entry_won": entry}
    numbers = {
        "games": np.ones(len(games), np.int64),
        "shared": (games["winners"].to_numpy() > 1).astype(np.int64),
        "turns": games["turns"].to_numpy().astype(np.int64),
        "cards": cards.sum(axis=0),
        **{name: values.sum(axis=-2).T for name, values in of_seats.items()},
        **{f"{name}_won": (values * won).sum(axis=-2).T for name, values in of_seats.items()},
        **{name: _by_place(won, place).T for name, place in places.items()},
    }
    numbers |= _scores(prestige)
    return numbers | _drawn(games, numbers) | _leads(games, seats, won, prestige)


def _by_age(games: pl.DataFrame, column: str) -> IntArray:
    """The columns that `games` has by age, (games, ages)."""
    return games.select(pl.col(f"{column}_{age}").cast(pl.Int64) for age in AGES).to_numpy()


def _by_place(won: IntArray, place: IntArray) -> IntArray:
    """The wins of each game, (players, games), in the order of `place` instead of the seats.

    The seats of a game have different places.
    """
    placed = np.empty_like(won)
    np.put_along_axis(placed, place, won, axis=0)
    return placed


def _scores(total: IntArray) -> dict[str, IntArray]:
    """Numbers of each game from the prestige of its seats, (players, games).

    prestige, prestige_squared: sums over the seats; totals_squared: the square of the sum;
    margin: the highest prestige less the second highest.
    """
    summed = total.sum(axis=0)
    second, best = np.partition(total, len(total) - 2, axis=0)[-2:]
    return {
        "prestige": summed,
        "prestige_squared": (total**2).sum(axis=0),
        "totals_squared": summed**2,
        "margin": best - second,
    }


def _drawn(games: pl.DataFrame, numbers: dict[str, IntArray]) -> dict[str, IntArray]:
    """Ally cards drawn in each age, the square of their total, and its products with LENGTHENED."""
    drawn = _by_age(games, "drawn")
    cards = drawn.sum(axis=1)
    times = {f"drawn_{name}": cards * numbers[name] for name in LENGTHENED}
    return {"drawn": drawn, "drawn_squared": cards**2, **times}


LENGTHENED = ("turns", "parties", "prestige")
"""The numbers that depend most on how many cards a game draws."""


def _leads(
    games: pl.DataFrame, seats: pl.DataFrame, won: IntArray, total: IntArray
) -> dict[str, IntArray]:
    """The seats that lead and the seats that are behind after each age, and their wins.

    lead_changes: how often no leader after an age leads after the next age. leaders_shuffled: see
    `shuffled_wins`. By age: leaders, the seats with the most prestige after it, and leaders_won. By
    early age: behind, the seats that are FAR_BEHIND points behind after it, and behind_won. A
    game's last age has no seat behind.
    """
    points = by_game(games, seats, *(f"prestige_{age}" for age in AGES))
    deficit = points.max(axis=1, keepdims=True) - points
    leads = deficit == 0
    played = _by_age(games, "drawn").T > 0
    goes_on = played[1:, None]
    behind = (deficit[:EARLY_AGES] >= FAR_BEHIND) & goes_on
    before_last = np.zeros_like(total)
    for age in range(EARLY_AGES):
        before_last = np.where(goes_on[age], points[age], before_last)
    lost = played[1:] & ~(leads[1:] & leads[:-1]).any(axis=1)
    return {
        "lead_changes": lost.sum(axis=0),
        "leaders_shuffled": shuffled_wins(before_last, total),
        "leaders": leads.sum(axis=1).T,
        "leaders_won": (won * leads).sum(axis=1).T,
        "behind": behind.sum(axis=1).T,
        "behind_won": (won * behind).sum(axis=1).T,
    }


def shuffled_wins(before: IntArray, total: IntArray) -> IntArray:
    """The wins of leaders if the last age's gains were shuffled among the players of a game.

    Args:
        before: prestige before the last age, (players, games).
        total: prestige at the end.

    Returns:
        Shape (games,): the wins, in sixtieths, of the seats that lead before the last age, summed
        over all orders of the gains. Players with equal prestige at the end share the win.
    """
    players, games = before.shape
    start, gains = before.astype(np.int32), (total - before).astype(np.int32)
    leads = start == start.max(axis=0)
    parts = SIXTIETHS // np.maximum(np.arange(players + 1), 1)
    won = np.zeros(games, np.int64)
    for order in permutations(range(players)):
        ends = start + gains[list(order)]
        best = ends == ends.max(axis=0)
        won += (best & leads).sum(axis=0) * parts[best.sum(axis=0)]
    return won


def solo_numbers(games: pl.DataFrame, seats: pl.DataFrame) -> dict[str, IntArray]:
    """The numbers of each solo game, whose seats are the player's and Bruno's.

    Returns:
        `games`, and `won` by the player, in sixtieths.
    """
    (won,) = by_game(games, seats, "won")
    return {"games": np.ones(len(games), np.int64), "won": won[0]}


def counted_turns(games: pl.DataFrame, group: IntArray, groups: int) -> IntArray:
    """The number of games of each group by their turns, in bins of BIN turns.

    Args:
        games: a row a game.
        group: the group of each game, (games,).
        groups: the number of groups.

    Returns:
        Shape (groups, BINS), int64.
    """
    place = np.minimum(games["turns"].to_numpy().astype(np.int64) // BIN, BINS - 1)
    counts = np.bincount(group * BINS + place, minlength=groups * BINS)
    return counts.reshape(groups, BINS)


def expected_draws(deck: int, top: int, dragons: int, last: int) -> Fraction:
    """The mean number of ally cards drawn in an age from a deck of `deck` ally cards.

    The `top` uppermost cards have no dragon among them. The k-th of d dragons ends the age. Among
    the N other cards and dragons, its mean place is k (N + 1) / (d + 1) (the mean of the k-th of d
    places drawn from N). Among the cards down to this place, k are dragons.
    """
    places = deck - top + dragons
    return top + Fraction(last * (places + 1), dragons + 1) - last


def deck_of(clans: ClanSet, rules: Rules, players: int) -> int:
    """The number of ally cards in a deck with these clans at the start of an age."""
    return sum(map(rules.cards_of, clans)) - rules.cards_dealt(players)


def age_draws(deck: int, rules: Rules) -> Fraction | None:
    """`expected_draws` under `rules`; None where a hand of wild cards may end the game first."""
    if rules.number("ten_wild_wins"):
        return None
    top = rules.cards_above_dragons(deck)
    return expected_draws(deck, top, rules.number("dragons"), rules.ending_dragon)
