"""The one guard against strategies that cheat: what they do, not what they look like.

A stranger is a strategy that was loaded from a file or declared by the running program. Before its
games count, some deals are played twice and decisions are asked again with other hidden cards
(`repeating`). Games that count are drawn at random, and the same is done with them, so a strategy
that is honest only while it is tested is found too. Both happen in a process of its own
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

from ethnos_sim.experiments.execution.repeating import Asking, Repeated, check, first_games
from ethnos_sim.experiments.execution.second_process import SecondProcess
from ethnos_sim.simulator.custom_powers.registry import loaded_power
from ethnos_sim.simulator.tables.table import GameTable
from ethnos_sim.simulator.tables.work_list import PreparedTables
from ethnos_sim.simulator.user_code.loading import loaded_content

#: The numbers of games and decisions of each stranger that are drawn from all games that count.
GAMES, DECISIONS = 1_000, 4_000

#: Seconds between two looks at whether the user interrupts.
SECONDS_BETWEEN_LOOKS = 0.5

_second_process = SecondProcess()
atexit.register(_second_process.end)

#: What was checked before its games count: strangers or a custom power, rules, players and mode.
_checked: set[tuple[Any, ...]] = set()


def check_strangers(tables: Iterable[GameTable], seed: int) -> None:
    """Check each stranger, and the custom powers, once before games of these tables count.

    Raises:
        StrategyError: a strategy makes games differ, decides by hidden cards or does not come back.
        PowerError: a power makes games differ.
        IllegalMove, NoAnswer: a strategy or a power fails.
    """
    for table in tables:
        players = {seat.strangers for seat in table.seats if seat.strangers}
        powers = frozenset(table.custom_powers)
        at = powers, table.rules.rules_id, table.players, table.mode
        subjects = {(strangers, *at) for strangers in players or (powers and {()})}
        if not subjects <= _checked:
            _check(first_games(table, seed))
            _checked.update(subjects)


def check_played(
    prepared: PreparedTables,
    works: np.ndarray,
    games: np.ndarray,
    seats: np.ndarray,
    among: Mapping[str, int] | int,
) -> None:
    """Check games that count, drawn at random: play them again, and ask decisions again.

    Args:
        prepared: the tables.
        works: the work list that was played (WORK_DTYPE).
        games: its games (GAME_DTYPE).
        seats: the rows of its sides, in order (SEAT_DTYPE).
        among: how many games count in all, of which these are a part; or how many with each
            stranger, by the name of its strategy.

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
        total = among if isinstance(among, int) else among[name]
        part = played.size / max(total, played.size, 1)
        wanted = min(played.size, math.ceil(GAMES * part))
        if wanted:
            drawn = np.sort(np.random.default_rng().choice(played, wanted, replace=False))
            decisions = math.ceil(DECISIONS * wanted / min(GAMES, total))
            _check(_drawn(prepared, works, games, seats, drawn, decisions))


def _drawn(
    prepared: PreparedTables,
    works: np.ndarray,
    games: np.ndarray,
    seats: np.ndarray,
    drawn: np.ndarray,
    decisions: int,
) -> Repeated:
    """Games of a work list; `drawn` has their indices in it."""
    row = np.repeat(np.arange(works.size), works["games"])
    before = np.cumsum(works["games"]) - works["games"]
    sides = prepared.sides[works["table"][row]]
    last = np.cumsum(sides)
    single = works[row[drawn]]
    single["first_game"] += drawn - before[row[drawn]]
    single["games"] = 1
    used, single["table"] = np.unique(single["table"], return_inverse=True)
    return Repeated(
        tables=tuple(
            replace(prepared.tables[number], seatings=int(prepared.rotations[number]))
            for number in used.tolist()
        ),
        works=single,
        rows=(
            games[drawn],
            np.concatenate([seats[last[game] - sides[game] : last[game]] for game in drawn]),
        ),
        decisions=decisions,
    )


def _check(work: Repeated) -> None:
    """Check in the second process, or here if only this process knows the strategies."""
    files = {stranger.file for table in work.tables for stranger in table.strangers}
    if None in files or not files:
        _check_here(work)
        return
    powers = {power for table in work.tables for power in table.rules.all_custom_powers}
    paths = sorted({*map(str, files), *(str(loaded_power(power).file) for power in powers)})
    _second_process.check(work, tuple((path, loaded_content(path)) for path in paths))


def _check_here(work: Repeated) -> None:
    """Check in another thread, so that Ctrl-C ends this one although a strategy may never end."""
    errors: list[BaseException] = []

    def run() -> None:
        try:
            check(work, Asking(np.random.default_rng()))
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(SECONDS_BETWEEN_LOOKS)
    for error in errors:
        raise error
