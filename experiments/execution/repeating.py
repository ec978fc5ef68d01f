"""Play strangers' games again and ask their decisions again, since all results rest on both.

A game has to come out the same when it is played again: a strategy may not keep anything between
games, nor read uninitialized memory or a clock. And its decisions may not depend on hidden cards
(`leaking`).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ethnos_sim.experiments.execution.leaking import AskedAgain
from ethnos_sim.simulator.game.records import DECISIONS, MAX_PLAYERS
from ethnos_sim.simulator.tables.table import GameTable
from ethnos_sim.simulator.tables.work_list import PreparedTables
from ethnos_sim.simulator.utilities.errors import PowerError, StrategyError

#: How many of each stranger's decisions are asked again before its games count.
FIRST_DECISIONS = 200
#: The fewest and most seconds that this takes, and the most deals.
LEAST_SECONDS, FIRST_SECONDS, FIRST_DEALS = 0.2, 2.0, 32


class Repeated(NamedTuple):
    """Games to play again.

    tables     the tables
    works      a work list of single deals before games count, then of single games (WORK_DTYPE)
    rows       the rows of the games that count, by game (GAME_DTYPE) and by side (SEAT_DTYPE);
               None before games count: they are then played here first
    decisions  how many decisions of each stranger to ask again; all, if there are fewer
    """

    tables: tuple[GameTable, ...]
    works: np.ndarray
    rows: tuple[np.ndarray, np.ndarray] | None
    decisions: int


def first_games(table: GameTable, seed: int) -> Repeated:
    """Some deals of a table, before its games count."""
    works = PreparedTables((table,)).deal_rows(0, np.arange(FIRST_DEALS), 1, seed)
    return Repeated((table,), works, None, FIRST_DECISIONS)


class Asking:
    """Strangers that are asked again; another thread can see which of them is still deciding."""

    def __init__(self, luck: np.random.Generator) -> None:
        """Begin with nobody asked; `luck` shuffles hidden cards and draws decisions."""
        self._luck = luck
        self._stand_ins: list[AskedAgain] = []

    def called_since(self) -> tuple[str, float] | None:
        """The stranger that is deciding now, and since when (seconds of `time.monotonic`)."""
        for asked in self._stand_ins:
            since = asked.called_at
            if since is not None:
                return asked.name, since
        return None

    def prepared(
        self, tables: Sequence[GameTable], chance: float
    ) -> tuple[PreparedTables, list[AskedAgain]]:
        """Tables prepared for the kernel, with stand-ins for strangers' code; and the stand-ins."""
        prepared = PreparedTables(tables)
        stand_ins: dict[tuple[str, int], AskedAgain] = {}
        for table, line_up in zip(tables, prepared.line_up_indices.tolist(), strict=True):
            entries = prepared.entries[line_up * MAX_PLAYERS :]
            for seat, entry in zip(table.seats, entries, strict=False):
                for decision in range(len(DECISIONS)) if seat.strangers else ():
                    key = seat.name, seat.address_for(decision)
                    if key not in stand_ins:
                        stand_ins[key] = AskedAgain(*key, self._luck)
                        stand_ins[key].chance = chance
                    entry["own"]["addresses"][decision] = stand_ins[key].address
        self._stand_ins += stand_ins.values()
        return prepared, [*stand_ins.values()]


def check(work: Repeated, asking: Asking) -> None:
    """Play games twice, and ask the strangers' decisions again the second time.

    Raises:
        StrategyError: the games differ, or a strategy decides by hidden cards.
        PowerError: games without strangers differ by a power.
        IllegalMove, NoAnswer: as for `PreparedTables.run`.
    """
    again, strangers = asking.prepared(work.tables, chance=1.0)
    if work.rows is not None:
        _draw_decisions(work, again.sides[work.works["table"]], strangers)
        _compare(work.rows, again, work.works, strangers)
        return
    once, _ = asking.prepared(work.tables, chance=0.0)
    started = time.monotonic()
    for asked in strangers:
        asked.most, asked.until = work.decisions, started + FIRST_SECONDS
    for deal in work.works[:, None]:
        _compare(once.play(deal), again, deal, strangers)
        seconds = time.monotonic() - started
        is_enough = all(asked.asked >= work.decisions for asked in strangers)
        if seconds > FIRST_SECONDS or (is_enough and seconds > LEAST_SECONDS):
            return


def _draw_decisions(work: Repeated, sides: np.ndarray, strangers: Sequence[AskedAgain]) -> None:
    """Set the chance by which each stranger's decisions of games that count are asked again."""
    assert work.rows is not None, "the games were played"
    by_side = work.rows[0]["decisions"] / sides
    for asked in strangers:
        seats = [[seat.name for seat in table.seats].count(asked.name) for table in work.tables]
        made = (by_side * np.array(seats)[work.works["table"]]).sum()
        asked.chance = min(1.0, work.decisions / max(float(made), 1.0))


def _compare(
    rows: Sequence[np.ndarray],
    again: PreparedTables,
    works: np.ndarray,
    strangers: Sequence[AskedAgain],
) -> None:
    """Play the games of `works` again; raise an error if decisions or result rows differ."""
    others = again.play(works)
    for asked in strangers:
        if asked.error is not None:
            raise asked.error
        if asked.varies:
            raise _not_repeated([asked.name], [])
        if asked.leak is not None:
            raise StrategyError(f"strategy '{asked.name}' cheats: {asked.leak}")
    if not all(np.array_equal(one, other) for one, other in zip(rows, others, strict=True)):
        powers = {power for table in again.tables for power in table.custom_powers}
        raise _not_repeated([asked.name for asked in strangers], powers)


def _not_repeated(strategies: Iterable[str], powers: Iterable[str]) -> StrategyError | PowerError:
    """The error that names the strategies and powers that may have made games differ."""
    named = [f"strategy '{name}'" for name in sorted({*strategies})]
    kind = StrategyError if named else PowerError
    named += [f"power '{name}'" for name in sorted({power.partition("@")[0] for power in powers})]
    return kind(
        f"{' or '.join(named)} did not play the same games twice; it has to decide by what it is "
        "shown, its parameters and memory, and random numbers of the game alone"
    )
