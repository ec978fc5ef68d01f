"""Check strangers: play their games again, and ask their decisions again.

A game that is played again must have the same result, so a strategy may not keep anything between
games, nor read uninitialized memory or a clock. And its decisions may not depend on hidden cards
(`leaks`).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ethnos_sim.experiments.execution.leaks import StrategyStandIn
from ethnos_sim.simulator.game.records import DECISIONS, MAX_PLAYERS
from ethnos_sim.simulator.tables.table import GameTable
from ethnos_sim.simulator.tables.work_list import PreparedTables
from ethnos_sim.simulator.utilities.errors import PowerError, StrategyError

#: How many of each stranger's decisions are asked again before its games count.
FIRST_DECISIONS = 200
#: The least and most seconds of this first check, and the most deals.
LEAST_SECONDS, MOST_SECONDS, FIRST_DEALS = 0.2, 2.0, 32


class GameSample(NamedTuple):
    """Games to play again, and how many decisions to ask again.

    tables     the tables
    works      a work list (WORK_DTYPE) of single deals, or of single games if the games count
    rows       the rows of games that count, by game (GAME_DTYPE) and by side (SEAT_DTYPE);
               None for games that do not count, which `check_sample` plays twice
    decisions  how many decisions of each stranger to ask again; all, if there are fewer
    """

    tables: tuple[GameTable, ...]
    works: np.ndarray
    rows: tuple[np.ndarray, np.ndarray] | None
    decisions: int


def first_games(table: GameTable, seed: int) -> GameSample:
    """The first deals of a table, to play them twice before its games count."""
    works = PreparedTables((table,)).deal_rows(0, np.arange(FIRST_DEALS), 1, seed)
    return GameSample((table,), works, None, FIRST_DECISIONS)


class StandIns:
    """Stand-ins for all strangers; another thread can ask which stranger is deciding."""

    def __init__(self, rng: np.random.Generator) -> None:
        """Begin without stand-ins; `rng` shuffles hidden cards and draws decisions."""
        self._rng = rng
        self._all: list[StrategyStandIn] = []

    def deciding_stranger(self) -> tuple[str, float] | None:
        """The stranger that is deciding now, and since when (seconds of `time.monotonic`)."""
        for asked in self._all:
            since = asked.called_at
            if since is not None:
                return asked.name, since
        return None

    def prepare(
        self, tables: Sequence[GameTable], chance: float
    ) -> tuple[PreparedTables, list[StrategyStandIn]]:
        """Tables prepared for the kernel, with stand-ins for strangers' code; and the stand-ins."""
        prepared = PreparedTables(tables)
        stand_ins: dict[tuple[str, int], StrategyStandIn] = {}
        for table, line_up in zip(tables, prepared.line_up_indices.tolist(), strict=True):
            entries = prepared.entries[line_up * MAX_PLAYERS :]
            for seat, entry in zip(table.seats, entries, strict=False):
                for decision in range(len(DECISIONS)) if seat.strangers else ():
                    key = seat.name, seat.address_for(decision)
                    if key not in stand_ins:
                        stand_ins[key] = StrategyStandIn(*key, self._rng)
                        stand_ins[key].chance = chance
                    entry["own"]["addresses"][decision] = stand_ins[key].address
        self._all += stand_ins.values()
        return prepared, [*stand_ins.values()]


def check_sample(sample: GameSample, stand_ins: StandIns) -> None:
    """Play games again and ask strangers' decisions again; raise an error for a difference.

    Raises:
        StrategyError: the games differ, or a strategy decides by hidden cards.
        PowerError: games without strangers differ, because of a custom power.
        IllegalMove, NoAnswer: as for `PreparedTables.run`.
    """
    again, strangers = stand_ins.prepare(sample.tables, chance=1.0)
    if sample.rows is not None:
        _set_chances(sample, again.sides[sample.works["table"]], strangers)
        _play_again(sample.rows, again, sample.works, strangers)
        return
    once, _ = stand_ins.prepare(sample.tables, chance=0.0)
    started = time.monotonic()
    for asked in strangers:
        asked.most_decisions, asked.deadline = sample.decisions, started + MOST_SECONDS
    for deal in sample.works[:, None]:
        _play_again(once.play(deal), again, deal, strangers)
        seconds = time.monotonic() - started
        is_enough = all(asked.decisions >= sample.decisions for asked in strangers)
        if seconds > MOST_SECONDS or (is_enough and seconds > LEAST_SECONDS):
            return


def _set_chances(sample: GameSample, sides: np.ndarray, stand_ins: list[StrategyStandIn]) -> None:
    """Set each stand-in's chance to ask again, so that it asks about `sample.decisions` times."""
    assert sample.rows is not None, "the games were played"
    by_side = sample.rows[0]["decisions"] / sides
    for asked in stand_ins:
        seats = [[seat.name for seat in table.seats].count(asked.name) for table in sample.tables]
        made = (by_side * np.array(seats)[sample.works["table"]]).sum()
        asked.chance = min(1.0, sample.decisions / max(float(made), 1.0))


def _play_again(
    rows: Sequence[np.ndarray],
    prepared: PreparedTables,
    works: np.ndarray,
    stand_ins: Sequence[StrategyStandIn],
) -> None:
    """Play the games of `works` again; raise an error if their decisions or rows differ."""
    others = prepared.play(works)
    for asked in stand_ins:
        if asked.error is not None:
            raise asked.error
        if asked.varies:
            raise _repeat_error([asked.name], [])
        if asked.leak is not None:
            raise StrategyError(f"strategy '{asked.name}' cheats: {asked.leak}")
    if not all(np.array_equal(first, second) for first, second in zip(rows, others, strict=True)):
        powers = {power for table in prepared.tables for power in table.custom_powers}
        raise _repeat_error([asked.name for asked in stand_ins], powers)


def _repeat_error(strategies: Iterable[str], powers: Iterable[str]) -> StrategyError | PowerError:
    """The error that names the strategies and powers that may have made games differ."""
    named = [f"strategy '{name}'" for name in sorted({*strategies})]
    kind = StrategyError if named else PowerError
    named += [f"power '{name}'" for name in sorted({power.partition("@")[0] for power in powers})]
    return kind(
        f"{' or '.join(named)} did not play the same games twice; it may decide only by what it "
        "is shown, its parameters, its memory and the random numbers of the game"
    )
