"""Whether games come out the same when they are played again, as all results rest on that.

What can be seen in a strategy's code is refused before (`user_code.checking`); memory that was
never written, or a library that keeps a state of its own, can only be noticed.
"""

from __future__ import annotations

import dataclasses
import time

import numpy as np

from ethnos_sim.simulator.batch import PlayedTable, play_table
from ethnos_sim.simulator.custom_powers.declaring import PowerError
from ethnos_sim.simulator.table import GameTable, Seat
from ethnos_sim.strategies import LineUp, StrategyError
from ethnos_sim.strategies.compiling import is_from_outside

#: How long the first of both plays may take, and how many deals it has at most.
SECONDS = 0.2
MOST_DEALS = 32


def check_repeatable(line_up: LineUp, table: GameTable, seed: int) -> None:
    """Play some deals twice where a strategy, or the power of a clan, is not this package's own.

    Raises:
        StrategyError: the games came out differently; the strategies to blame are named.
        PowerError: the same of a power.
    """
    outsiders = {
        entry.name: seat
        for entry, seat in zip(line_up.entries, table.seats, strict=True)
        if is_from_outside(entry.strategy)
    }
    if not (outsiders or table.has_custom_powers) or _repeats(table, seed):
        return
    if table.has_custom_powers:
        _check_powers(table, seed)
    alone = [name for name, seat in outsiders.items() if not _repeats(_full_of(seat, table), seed)]
    names = ", ".join(f"'{name}'" for name in alone or outsiders)
    raise StrategyError(
        f"strategy {names} did not play the same games twice; it has to decide by its view, "
        "parameters, weights, memory and rng alone"
    )


def _check_powers(table: GameTable, seed: int) -> None:
    """PowerError where custom powers do not play the same twice among this package's strategies."""
    seats = LineUp.parse("random", len(table.seats), table.rules).seats()
    if not _repeats(dataclasses.replace(table, seats=seats), seed):
        named = ", ".join(f"'{reference.partition('@')[0]}'" for _, reference in _own(table))
        raise PowerError(
            f"power {named} did not play the same games twice; it has to decide by the game, what "
            "it remembers and random_below alone"
        )


def _own(table: GameTable) -> list[tuple[str, str]]:
    """The clans in play whose power is one's own, each with its reference."""
    return [each for each in table.rules.custom_powers if each[0] in table.clans]


def _full_of(seat: Seat, table: GameTable) -> GameTable:
    """The same table with one player in all seats."""
    seats = [seat] * len(table.seats)
    return GameTable.prepare(table.rules, table.players, table.mode, table.clans, seats)


def _repeats(table: GameTable, seed: int) -> bool:
    """Whether as many deals as there is time for come out the same twice."""
    played: list[PlayedTable] = []
    started = time.perf_counter()
    while len(played) < MOST_DEALS and (not played or time.perf_counter() - started < SECONDS):
        played.append(play_table(table, seed=seed, first_deal=len(played), deals=1))
    return all(
        same_games(batch, play_table(table, seed=seed, first_deal=deal, deals=1))
        for deal, batch in enumerate(played)
    )


def same_games(first: PlayedTable, second: PlayedTable) -> bool:
    """Whether two batches have equal results."""
    return np.array_equal(first.games, second.games) and np.array_equal(first.seats, second.seats)
