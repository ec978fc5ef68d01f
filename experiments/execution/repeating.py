"""Check that games come out the same when they are played again, since all results rest on that.

Causes that can be seen in a strategy's code are refused earlier (`simulator.user_code`). Reading
uninitialized memory, or calling a library that keeps state, can only be noticed by playing.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from ethnos_sim.experiments.execution.leaking import leak_of
from ethnos_sim.simulator.custom_powers.declaring import PowerError
from ethnos_sim.simulator.tables.batch import PlayedTable, play_table
from ethnos_sim.simulator.tables.table import GameTable
from ethnos_sim.strategies import LineUp, StrategyError
from ethnos_sim.strategies.compiling import is_from_outside

#: After this many seconds no further deal is played for the first time.
SECONDS = 0.2
#: The most deals that are played twice.
MOST_DEALS = 32


def check_repeatable(line_up: LineUp, table: GameTable, seed: int) -> None:
    """Play some deals twice where a strategy, or a clan's power, comes from outside this package.

    Decisions of a strategy from outside are also asked again with other hidden cards (`leaking`).

    Raises:
        StrategyError: a strategy makes the games differ, or decides by hidden cards; the message
            names the strategies to blame.
        PowerError: a power makes the games differ.
    """
    strategies = {entry.strategy for entry in line_up.entries}
    outside = set(filter(is_from_outside, strategies))
    outsiders = {
        entry.name: seat
        for entry, seat in zip(line_up.entries, table.seats, strict=True)
        if entry.strategy in outside
    }
    if not (outsiders or table.has_custom_powers):
        return
    if _repeats(table, seed):
        for name, seat in outsiders.items():
            leak = leak_of(table, seat, seed)
            if leak is not None:
                raise StrategyError(f"strategy '{name}' cheats: {leak}")
        return
    if table.has_custom_powers:
        usual = LineUp.parse("random", len(table.seats), table.rules).seats()
        if not _repeats(replace(table, seats=usual), seed):
            powers = [power for clan, power in table.rules.custom_powers if clan in table.clans]
            named = ", ".join(f"'{reference.partition('@')[0]}'" for reference in powers)
            raise PowerError(
                f"power {named} did not play the same games twice; it has to decide by the game, "
                "what it remembers and random_below alone"
            )
    alone = [
        name
        for name, seat in outsiders.items()
        if not _repeats(replace(table, seats=(seat,) * len(table.seats)), seed)
    ]
    names = ", ".join(f"'{name}'" for name in alone or outsiders)
    raise StrategyError(
        f"strategy {names} did not play the same games twice; it has to decide by its view, "
        "parameters, weights, memory and rng alone"
    )


def _repeats(table: GameTable, seed: int) -> bool:
    """Whether deals come out the same when they are played twice; plays deals for SECONDS."""
    played: list[PlayedTable] = []
    started = time.perf_counter()
    while len(played) < MOST_DEALS and (not played or time.perf_counter() - started < SECONDS):
        played.append(play_table(table, seed=seed, first_deal=len(played), deals=1))
    again = [play_table(table, seed=seed, first_deal=n, deals=1) for n in range(len(played))]
    return all(
        np.array_equal(first.games, second.games) and np.array_equal(first.seats, second.seats)
        for first, second in zip(played, again, strict=True)
    )
