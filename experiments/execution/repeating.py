"""Play strangers' games again and ask their decisions again, since all results rest on both.

A game has to come out the same when it is played again: a strategy may not keep anything between
games, nor read uninitialized memory or a clock. And its decisions may not depend on hidden cards
(`leaking`).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ethnos_sim.experiments.execution.leaking import AskedAgain
from ethnos_sim.simulator.game.records import DECISIONS, MAX_PLAYERS
from ethnos_sim.simulator.tables.table import GameTable
from ethnos_sim.simulator.tables.work_list import PreparedTables
from ethnos_sim.simulator.utilities.errors import PowerError, StrategyError
from ethnos_sim.strategies import LineUp

#: How many of each stranger's decisions are asked again before its games count.
FIRST_DECISIONS = 200
#: The fewest and most seconds that this takes, and the most deals.
LEAST_SECONDS, FIRST_SECONDS, FIRST_DEALS = 0.2, 2.0, 32


class PlayedGames(NamedTuple):
    """Games that count: where they were played, and their rows.

    tables     the tables
    works      a row of a work list for each game (WORK_DTYPE)
    games      the games' rows (GAME_DTYPE)
    seats      the rows of their sides, in order (SEAT_DTYPE)
    decisions  how many decisions of each stranger to ask again; all, if there are fewer
    """

    tables: tuple[GameTable, ...]
    works: np.ndarray
    games: np.ndarray
    seats: np.ndarray
    decisions: int


class Asking:
    """Strangers that are being asked again; another thread may see whether they come back."""

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
        for table, line_up in zip(tables, prepared.line_up_of.tolist(), strict=True):
            entries = prepared.entries[line_up * MAX_PLAYERS :]
            for seat, entry in zip(table.seats, entries, strict=False):
                for decision in range(len(DECISIONS)) if seat.strangers else ():
                    key = seat.name, seat.answering(decision)
                    if key not in stand_ins:
                        stand_ins[key] = AskedAgain(*key, self._luck)
                        stand_ins[key].chance = chance
                    entry["own"]["addresses"][decision] = stand_ins[key].address
        self._stand_ins += stand_ins.values()
        return prepared, [*stand_ins.values()]


def check_first(table: GameTable, seed: int, asking: Asking) -> None:
    """Play some deals twice, and ask the strangers' decisions again the second time.

    Raises:
        StrategyError: a strategy makes the games differ, or decides by hidden cards; the message
            names the strategies to blame.
        PowerError: a power makes the games differ.
        IllegalMove, NoAnswer: as for `PreparedTables.run`.
    """
    started = time.monotonic()
    once, _ = asking.prepared((table,), chance=0.0)
    again, strangers = asking.prepared((table,), chance=1.0)
    for asked in strangers:
        asked.most, asked.until = FIRST_DECISIONS, started + FIRST_SECONDS
    for deal in range(FIRST_DEALS):
        works = once.rows(0, deal, 1, seed)
        rows = once.play(works), again.play(works)
        _judge(strangers)
        if not _are_same(*rows):
            raise _not_repeated(table, seed, asking)
        seconds = time.monotonic() - started
        is_enough = all(asked.asked >= FIRST_DECISIONS for asked in strangers)
        if seconds > FIRST_SECONDS or (is_enough and seconds > LEAST_SECONDS):
            return


def check_again(played: PlayedGames, asking: Asking) -> None:
    """Play games that count again, compare their rows, and ask decisions drawn at random again.

    Raises:
        StrategyError: the games differ, or a strategy decides by hidden cards.
    """
    prepared, strangers = asking.prepared(played.tables, chance=1.0)
    table = played.works["table"]
    by_side = played.games["decisions"] / prepared.sides[table]
    for asked in strangers:
        seats = [[seat.name for seat in table.seats].count(asked.name) for table in played.tables]
        made = (by_side * np.array(seats)[table]).sum()
        asked.chance = min(1.0, played.decisions / max(float(made), 1.0))
    rows = prepared.play(played.works)
    _judge(strangers)
    if not _are_same(rows, (played.games, played.seats)):
        raise StrategyError(_DIFFERS.format(_named({asked.name for asked in strangers})))


def check(work: GameTable | PlayedGames, seed: int, asking: Asking) -> None:
    """`check_first` at a table, or `check_again` of played games."""
    if isinstance(work, PlayedGames):
        check_again(work, asking)
    else:
        check_first(work, seed, asking)


_DIFFERS = (
    "strategy {} did not play the same games twice; it has to decide by its view, parameters, "
    "weights, memory and rng alone"
)


def _named(names: Iterable[str]) -> str:
    return ", ".join(f"'{name}'" for name in sorted(names))


def _judge(strangers: Sequence[AskedAgain]) -> None:
    """Raise what asking found out."""
    for asked in strangers:
        if asked.error is not None:
            raise asked.error
        if asked.varies:
            raise StrategyError(_DIFFERS.format(f"'{asked.name}'"))
        if asked.leak is not None:
            raise StrategyError(f"strategy '{asked.name}' cheats: {asked.leak}")


def _are_same(rows: Sequence[np.ndarray], others: Sequence[np.ndarray]) -> bool:
    return all(np.array_equal(one, other) for one, other in zip(rows, others, strict=True))


def _not_repeated(table: GameTable, seed: int, asking: Asking) -> StrategyError | PowerError:
    """The error that names the power or the strategies that make games differ."""
    if table.has_custom_powers:
        usual = LineUp.parse("random", len(table.seats), table.rules).seats()
        if not _repeats(replace(table, seats=usual), seed, asking):
            named = _named(power.partition("@")[0] for power in table.custom_powers)
            return PowerError(
                f"power {named} did not play the same games twice; it has to decide by the game, "
                "what it remembers and random_below alone"
            )
    strangers = {seat.name: seat for seat in table.seats if seat.strangers}
    alone = [
        name
        for name, seat in strangers.items()
        if not _repeats(replace(table, seats=(seat,) * len(table.seats)), seed, asking)
    ]
    return StrategyError(_DIFFERS.format(_named(alone or strangers)))


def _repeats(table: GameTable, seed: int, asking: Asking) -> bool:
    """Whether some deals come out the same when they are played twice."""
    prepared, _ = asking.prepared((table,), chance=0.0)
    started = time.monotonic()
    for deal in range(FIRST_DEALS):
        works = prepared.rows(0, deal, 1, seed)
        if not _are_same(prepared.play(works), prepared.play(works)):
            return False
        if time.monotonic() - started > FIRST_SECONDS:
            break
    return True
