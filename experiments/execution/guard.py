"""The guard against strategies that cheat: it judges what they do, not how they are written.

A stranger is a strategy that was loaded from a file or declared by the running program. Before its
games count, some deals are played twice and decisions are asked again with other hidden cards
(`repeats`). The same check is made for a random sample of the games that count, so it also finds
a strategy that is honest only while it is tested. Both checks run in a second process
(`second_process`), except for strategies that only this process knows.
"""

from __future__ import annotations

import atexit
import math
import threading
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ethnos_sim.experiments.execution.repeats import GameSample, StandIns, check_sample, first_games
from ethnos_sim.experiments.execution.second_process import SecondProcess
from ethnos_sim.simulator.custom_powers.registry import loaded_power
from ethnos_sim.simulator.tables.table import GameTable
from ethnos_sim.simulator.tables.work_list import PreparedTables
from ethnos_sim.simulator.user_code.loading import loaded_content

#: How many games and how many decisions of each stranger are checked among games that count.
SAMPLED_GAMES, SAMPLED_DECISIONS = 1_000, 4_000

#: Seconds of each wait for a check; Ctrl-C takes effect between two waits.
SECONDS_PER_WAIT = 0.5

_second_process = SecondProcess()
atexit.register(_second_process.end)

#: The checked combinations of strangers, custom powers, rules, number of players and mode.
_checked: set[tuple[Any, ...]] = set()


def check_strangers(tables: Iterable[GameTable], seed: int) -> None:
    """Check each stranger, and the custom powers, once before games of these tables count.

    Raises:
        StrategyError: a strategy makes games differ, decides by hidden cards or does not return.
        PowerError: a power makes games differ.
        IllegalMove, NoAnswer: a strategy or a power fails.
    """
    for table in tables:
        players = {seat.strangers for seat in table.seats if seat.strangers}
        powers = frozenset(table.custom_powers)
        at = powers, table.rules.rules_id, table.players, table.mode
        subjects = {(strangers, *at) for strangers in players or (powers and {()})}
        if not subjects <= _checked:
            _check_sample(first_games(table, seed))
            _checked.update(subjects)


def check_played_games(
    prepared: PreparedTables,
    works: np.ndarray,
    games: np.ndarray,
    seats: np.ndarray,
    total_games: Mapping[str, int] | int,
) -> None:
    """Check a random sample of the games that count: play them and ask decisions again.

    Args:
        prepared: the tables.
        works: the work list that was played (WORK_DTYPE).
        games: the rows of the games (GAME_DTYPE).
        seats: the rows of the games' sides, in order (SEAT_DTYPE).
        total_games: the number of games of all calls that share one sample; or this number for
            each stranger, by the stranger's name.

    Raises:
        StrategyError: as for `check_strangers`.
    """
    names = [{stranger.name for stranger in table.strangers} for table in prepared.tables]
    if not any(names):
        return
    table = np.repeat(works["table"], works["games"])
    for name in sorted(set().union(*names)):
        has_it = np.array([name in at_table for at_table in names])
        played = np.flatnonzero(has_it[table])
        total = total_games if isinstance(total_games, int) else total_games[name]
        part = played.size / max(total, played.size, 1)
        wanted = min(played.size, math.ceil(SAMPLED_GAMES * part))
        if wanted:
            indices = np.sort(np.random.default_rng().choice(played, wanted, replace=False))
            decisions = math.ceil(SAMPLED_DECISIONS * wanted / min(SAMPLED_GAMES, total))
            _check_sample(_sampled_games(prepared, works, games, seats, indices, decisions))


def _sampled_games(
    prepared: PreparedTables,
    works: np.ndarray,
    games: np.ndarray,
    seats: np.ndarray,
    indices: np.ndarray,
    decisions: int,
) -> GameSample:
    """The games at `indices` of a work list, with their rows, to play them again."""
    row = np.repeat(np.arange(works.size), works["games"])
    before = np.cumsum(works["games"]) - works["games"]
    sides = prepared.sides[works["table"][row]]
    last = np.cumsum(sides)
    single = works[row[indices]]
    single["first_game"] += indices - before[row[indices]]
    single["games"] = 1
    used, single["table"] = np.unique(single["table"], return_inverse=True)
    return GameSample(
        tables=tuple(
            replace(prepared.tables[number], seatings=int(prepared.rotations[number]))
            for number in used.tolist()
        ),
        works=single,
        rows=(
            games[indices],
            np.concatenate([seats[last[game] - sides[game] : last[game]] for game in indices]),
        ),
        decisions=decisions,
    )


def _check_sample(sample: GameSample) -> None:
    """Check a sample in the second process, or in this one if only it knows the strategies."""
    files = {stranger.file for table in sample.tables for stranger in table.strangers}
    if None in files or not files:
        _check_in_thread(sample)
        return
    powers = {power for table in sample.tables for power in table.rules.all_custom_powers}
    paths = sorted({*map(str, files), *(str(loaded_power(power).file) for power in powers)})
    _second_process.check(sample, tuple((path, loaded_content(path)) for path in paths))


def _check_in_thread(sample: GameSample) -> None:
    """Check a sample in another thread, so that Ctrl-C works even if a strategy never returns."""
    errors: list[BaseException] = []

    def run() -> None:
        try:
            check_sample(sample, StandIns(np.random.default_rng()))
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(SECONDS_PER_WAIT)
    for error in errors:
        raise error
