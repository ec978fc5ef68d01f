"""Batches: arrays of games in, arrays of results out, at compiled speed.

A loop over games is compiled once; it plays each game from its deal to its winners. Several
threads play chunks of games side by side (the kernel holds no interpreter lock), and every game is
a function of (rules, line-up, clans, players, mode, seed, game number) alone.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from ethnos_sim.simulator import failures, records
from ethnos_sim.simulator.errors import IllegalMove, InvalidGame, NoAnswer
from ethnos_sim.simulator.failures import Failure, Misdeed
from ethnos_sim.simulator.kernel.faults import NO_FAULT, POWER_FAILED, SENTENCES
from ethnos_sim.simulator.preparing.stated import CLAN_DTYPE, VALUES_DTYPE
from ethnos_sim.simulator.table import GameTable

#: Games a thread plays between two looks at the interpreter.
CHUNK = 2000

_NO_LOG = np.zeros(1, records.LOG_DTYPE)
_SHUFFLED = np.zeros(0, records.DEAL_DTYPE)


@dataclass(frozen=True)
class PlayedTable:
    """The results of games at one table.

    `games` has shape (games,) and GAME_DTYPE; `seats` shape (games, sides) and SEAT_DTYPE;
    the sides are the players, and in solo the player and Bruno.
    """

    table: GameTable
    games: np.ndarray
    seats: np.ndarray


def stopped(
    table: GameTable, view: np.ndarray, hidden: np.ndarray, reason: int, failure: Failure | None
) -> BaseException:
    """The error for a game that an illegal answer stopped, or an exception in users' code.

    Args:
        table: where it was played.
        view: the open record as it stands (shape (), VIEW_DTYPE).
        hidden: the hidden one (shape (), HIDDEN_DTYPE).
        reason: why it stopped (`kernel.faults`).
        failure: what was raised, if anything.
    """
    if failure is not None and not isinstance(failure.error, Exception):  # an interruption
        return failure.error
    question = records.DECISIONS[view["decision"]]
    if reason == POWER_FAILED:  # at a party of Bruno's too, whose seat has no strategy
        what, place, when = _called_power(table, hidden)
    else:
        seat = table.seats[int(hidden["seats"][int(hidden["fault_seat"])]["entry"])]
        what, place = f"strategy '{seat.name}'", seat.place(question)
        when = f"question '{question}'"
    place = (failure and failure.place) or place
    where = f"{place}: " if place else ""
    when = (
        f"game {hidden['result']['game']}, seat {hidden['fault_seat']}, age {view['age']}, "
        f"turn {view['turns']}, {when}"
    )
    if failure is None:
        move = hidden["move"]
        return IllegalMove(
            f"{where}{what} {SENTENCES[reason]}: {when}, answer kind {move['kind']}, choice "
            f"{move['choice']}, leader {move['leader']}, "
            f"cards [{', '.join(table.card_names(move['once'], move['twice']))}]"
        )
    said = " ".join(str(failure.error).split())
    if not isinstance(failure.error, Misdeed):
        said = f"{type(failure.error).__name__}: {said}".rstrip(": ")
    return NoAnswer(f"{where}in {what}, {said}: {when}")


def _called_power(table: GameTable, hidden: np.ndarray) -> tuple[str, str, str]:
    """The custom power that was called last: its name, `FILE:LINE` of its code, and the moment."""
    from ethnos_sim.simulator.custom_powers.declaring import MOMENTS
    from ethnos_sim.simulator.user_code.checking import place_of

    power = table.custom_power(int(hidden["call"]["slot"]))
    assert power is not None, "a power that was called is one's own"
    moment = tuple(MOMENTS)[hidden["call"]["moment"]]
    return f"power '{power.name}'", place_of(power.functions[moment]), f"moment '{moment}'"


def run_chunk(
    table: GameTable,
    seed: int,
    first_game: int,
    games: np.ndarray,
    seats: np.ndarray,
    deals: np.ndarray = _SHUFFLED,
    logs: np.ndarray = _NO_LOG,
    positions: np.ndarray | None = None,
) -> np.ndarray:
    """Play `games.size` games from `first_game` on into `games` and `seats`; IllegalMove stops it.

    `deals` holds at most one given deal (DEAL_DTYPE), `logs` one event buffer of a trace
    (LOG_DTYPE), `positions` one buffer of positions (POSITION_LOG_DTYPE). Returns the last game's
    open record (shape (), VIEW_DTYPE).
    """
    # The engine loads (or compiles) on first use, which a program that only plans never needs.
    from ethnos_sim.simulator.kernel.engine import run_games

    views, hiddens, entries = table.records()
    if positions is not None:
        hiddens["positions"] = positions.ctypes.data
    failures.begin()
    reason = run_games(
        views,
        hiddens,
        entries,
        deals,
        np.uint64(seed),
        np.int64(first_game),
        np.int64(table.rotations),
        games,
        seats,
        logs,
    )
    failure = failures.end()
    if failure is not None or reason != NO_FAULT:
        error = None if failure is None else failure.error
        raise stopped(table, views[1], hiddens[1], reason, failure) from error
    last: np.ndarray = views[1]
    return last


@functools.cache
def load_engine() -> None:
    """Load the engine, or compile it where no run has kept it, once a process."""
    from numba import int64, typeof, uint64

    from ethnos_sim.simulator.kernel.engine import run_games
    from ethnos_sim.simulator.preparing.tables import prepare_tables

    def array_of(kind: np.dtype, dimensions: int = 1) -> Any:
        return typeof(np.zeros((1,) * dimensions, kind))

    views, hiddens = array_of(records.VIEW_DTYPE), array_of(records.HIDDEN_DTYPE)
    asked = (array_of(kind) for kind in (VALUES_DTYPE, CLAN_DTYPE, records.TABLE_DTYPE))
    prepare_tables.compile((*asked, views, hiddens))
    entries, deals = array_of(records.ENTRY_DTYPE), array_of(records.DEAL_DTYPE)
    games, seats = array_of(records.GAME_DTYPE), array_of(records.SEAT_DTYPE, 2)
    logs = array_of(records.LOG_DTYPE)
    numbers = uint64, int64, int64
    run_games.compile((views, hiddens, entries, deals, *numbers, games, seats, logs))


def check_seed(seed: int) -> int:
    """The seed; InvalidGame outside 0 ... 2**63 - 1."""
    if not 0 <= seed < 2**63:
        raise InvalidGame(f"seed {seed} is outside 0 to {2**63 - 1}")
    return seed


def play_table(
    table: GameTable,
    *,
    seed: int,
    deals: int,
    first_deal: int = 0,
    threads: int = 1,
    chunk: int = CHUNK,
) -> PlayedTable:
    """Play every rotation of the deals `first_deal` ... at a prepared table.

    Args:
        table: the table; in rotation r, seat s is filled by entry (s + r) mod players.
        seed: master seed, 0 ... 2**63 - 1.
        deals: how many deals; each is played once for every different seating of the line-up.
        first_deal: number of the first deal.
        threads: threads to play with; the result does not depend on it.
        chunk: games a thread plays at a time; the result does not depend on it.

    Returns:
        The games; game number = deal * rotations + rotation.

    Raises:
        InvalidGame: seed or deals do not make a game.
        IllegalMove: a strategy answered with a move that the rules forbid.
        NoAnswer: a strategy's code raised an exception or did not end.
    """
    if deals < 1:
        raise InvalidGame(f"{deals} deals make no game; play at least 1")
    check_seed(seed)
    total = deals * table.rotations
    first = first_deal * table.rotations
    games = np.zeros(total, records.GAME_DTYPE)
    seats = np.zeros((total, table.sides), records.SEAT_DTYPE)
    starts = range(0, total, chunk)

    def play(start: int) -> None:
        part = slice(start, start + chunk)
        run_chunk(table, seed, first + start, games[part], seats[part])

    if threads == 1 or len(starts) == 1:
        for start in starts:
            play(start)
    else:
        from joblib import Parallel, delayed

        Parallel(n_jobs=threads, backend="threading")(map(delayed(play), starts))
    return PlayedTable(table, games, seats)
