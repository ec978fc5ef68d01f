"""Work lists: games at many tables, given to the kernel as rows of (table, first game, games).

One compiled loop plays the rows of a list; threads take parts of it. Each game
depends only on (rules, line-up, clans, players, mode, seed, game number), so a list may be cut and
joined anywhere.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from ethnos_sim.simulator.compiler import failures
from ethnos_sim.simulator.compiler.failures import Failure, ForbiddenAction
from ethnos_sim.simulator.game import records
from ethnos_sim.simulator.kernel.faults import NO_FAULT, POWER_FAILED, SENTENCES
from ethnos_sim.simulator.tables.table import (
    GameTable,
    entry_records,
    hidden_record,
    home_slots,
    seating_count,
    view_records,
)
from ethnos_sim.simulator.utilities.errors import IllegalMove, NoAnswer

_NO_LOG = np.zeros(1, records.LOG_DTYPE)
_SHUFFLED = np.zeros(0, records.DEAL_DTYPE)


class PreparedTables:
    """Tables and line-ups as the kernel's records; equal records are prepared once.

    Attributes:
        tables: the tables; the rows of a work list name them by index.
        views: the different views (VIEW_DTYPE); `view_indices` has the index of each table's
            view.
        entries: the different line-ups, one after another (ENTRY_DTYPE, MAX_PLAYERS each);
            `line_up_indices` has the index of each table's line-up.
        hidden: the hidden record that all games begin with (shape (1,), HIDDEN_DTYPE).
        rotations: the number of seatings of a deal at each table (int64).
        kinds: the kind of games of each table, an index of KINDS (int64).
        sides: the number of sides of each table (int64).
    """

    def __init__(self, tables: Iterable[GameTable]) -> None:
        """Prepare tables; tables with the same tuple of seats share one prepared line-up.

        Raises:
            PowerError: the file of a custom power was not loaded, or the power has changed.
        """
        self.tables = tuple(tables)
        self.hidden = hidden_record()
        self.views, self.view_indices = _prepared_views(self.tables)
        self.entries, self.line_up_indices = _prepared_entries(self.tables)
        periods = {id(table.seats): table.seats for table in self.tables}
        period = {key: seating_count(seats) for key, seats in periods.items()}
        seatings = [table.seatings or period[id(table.seats)] for table in self.tables]
        self.rotations = np.array(seatings, np.int64)
        self.kinds = np.array([records.KINDS.index(table.kind) for table in self.tables], np.int64)
        self.sides = np.array([table.sides for table in self.tables], np.int64)

    @functools.cached_property
    def home_slots(self) -> np.ndarray:
        """The home slot of each clan at each table, NONE if the clan is not in play.

        Shape (tables, clans of the rules), int64; all tables have the same rules.
        """
        return np.array([home_slots(table) for table in self.tables])

    def deal_rows(
        self, tables: ArrayLike, first_deals: ArrayLike, deals: ArrayLike, seed: int
    ) -> np.ndarray:
        """Rows of a work list (WORK_DTYPE): all seatings of consecutive deals at some tables.

        Args:
            tables: the index of each row's table, or one index for all rows.
            first_deals: the number of each row's first deal, or one number for all rows.
            deals: how many deals each row has, or one number for all rows.
            seed: master seed.
        """
        tables, first, deals = np.broadcast_arrays(np.atleast_1d(tables), first_deals, deals)
        rows = np.zeros(tables.size, records.WORK_DTYPE)
        rotations = self.rotations[tables]
        rows["table"], rows["seed"] = tables, seed
        rows["first_game"], rows["games"] = first * rotations, deals * rotations
        return rows

    def game_row(self, first_game: int, seed: int, games: int = 1) -> np.ndarray:
        """A work list (WORK_DTYPE, shape (1,)) of `games` games at the first table."""
        rows = np.zeros(1, records.WORK_DTYPE)
        rows["seed"] = seed
        rows["first_game"], rows["games"] = first_game, games
        return rows

    def play(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Play the rows of a work list.

        Returns:
            A row for each game (GAME_DTYPE), and for each side of each game (SEAT_DTYPE), in order.

        Raises:
            IllegalMove, NoAnswer: as for `play_into`.
        """
        games = np.zeros(int(rows["games"].sum()), records.GAME_DTYPE)
        sides = int((rows["games"] * self.sides[rows["table"]]).sum())
        seats = np.zeros(sides, records.SEAT_DTYPE)
        self.play_into(rows, games, seats)
        return games, seats

    def play_into(
        self,
        rows: np.ndarray,
        games: np.ndarray,
        seats: np.ndarray,
        *,
        deals: np.ndarray = _SHUFFLED,
        logs: np.ndarray = _NO_LOG,
        positions: np.ndarray | None = None,
    ) -> np.ndarray:
        """Play the rows of a work list into given arrays, of the sizes that `play` returns.

        `deals` holds at most one given deal (DEAL_DTYPE), `logs` one event buffer of a trace
        (LOG_DTYPE), `positions` one buffer of positions (POSITION_LOG_DTYPE).

        Returns:
            The last game's view (shape (), VIEW_DTYPE).

        Raises:
            IllegalMove: a strategy answered with a move that the rules forbid.
            NoAnswer: a strategy's or a power's code raised an exception or did not end.
        """
        # Import late: this loads or compiles the engine, which planning does not need.
        from ethnos_sim.simulator.kernel.engine import run_games

        prepared = rows.copy()
        prepared["table"] = self.view_indices[rows["table"]]
        prepared["line_up"] = self.line_up_indices[rows["table"]]
        prepared["rotations"] = self.rotations[rows["table"]]
        prepared["kind"] = self.kinds[rows["table"]]
        views, hiddens = np.zeros(1, records.VIEW_DTYPE), _copies(self.hidden, 2)
        if positions is not None:
            hiddens["positions"] = positions.ctypes.data
        failures.start_listening()
        code = run_games(
            prepared, self.views, self.entries, views, hiddens, deals, games, seats, logs
        )
        failure = failures.stop_listening()
        if failure is not None or code != NO_FAULT:
            row, reason = (-1, code) if code == NO_FAULT else divmod(code, 256)
            error = None if failure is None else failure.error
            table = self.tables[rows["table"][row]]
            raise stop_error(table, views[0], hiddens[1], reason, failure) from error
        last: np.ndarray = views[0]
        return last


def _prepared_views(tables: Sequence[GameTable]) -> tuple[np.ndarray, np.ndarray]:
    """The different views, and the index of each table's view."""
    groups: dict[tuple[object, ...], tuple[GameTable, dict[tuple[str, ...], int]]] = {}
    indices = []
    for table in tables:
        key = table.rules, table.players, table.mode
        _, sets = groups.setdefault(key, (table, {}))
        indices.append((sets, sets.setdefault(table.clans, len(sets))))
    views = np.zeros(sum(len(sets) for _, sets in groups.values()), records.VIEW_DTYPE)
    first: dict[int, int] = {}
    filled = 0
    for table, sets in groups.values():
        part = view_records(table.rules, table.players, table.mode, list(sets))
        _as_bytes(views[filled : filled + len(sets)])[:] = _as_bytes(part)
        first[id(sets)] = filled
        filled += len(sets)
    return views, np.array([first[id(sets)] + index for sets, index in indices], np.int64)


def _prepared_entries(tables: Sequence[GameTable]) -> tuple[np.ndarray, np.ndarray]:
    """The different line-ups, one after another, and the index of each table's line-up.

    Only the same tuple of seats counts as equal: seats that compare equal may differ in weights.
    """
    line_ups: dict[tuple[object, ...], int] = {}
    indices, parts = [], []
    for table in tables:
        key = id(table.seats), table.rules.clans
        if key not in line_ups:
            line_ups[key] = len(line_ups)
            parts.append(entry_records(table.seats, table.rules.clans))
        indices.append(line_ups[key])
    entries = np.concatenate([_as_bytes(part) for part in parts])
    return entries.view(records.ENTRY_DTYPE), np.array(indices, np.int64)


def _as_bytes(rows: np.ndarray) -> np.ndarray:
    """View the memory of rows as bytes (uint8): NumPy copies records field by field, slowly."""
    return rows.view(np.uint8)


def _copies(record: np.ndarray, count: int) -> np.ndarray:
    """`count` copies of a record, in an array of shape (count,)."""
    return np.tile(_as_bytes(record), count).view(record.dtype)


def stop_error(
    table: GameTable, view: np.ndarray, hidden: np.ndarray, reason: int, failure: Failure | None
) -> BaseException:
    """The error for a game that was stopped by an illegal answer or an exception in users' code.

    Args:
        table: the game's table.
        view: the current view (shape (), VIEW_DTYPE).
        hidden: the current hidden record (shape (), HIDDEN_DTYPE).
        reason: the reason for stopping (`kernel.faults`).
        failure: the exception, if any.
    """
    if failure is not None and not isinstance(failure.error, Exception):  # the user's interrupt
        return failure.error
    question = records.DECISIONS[view["decision"]]
    line: str | None
    if reason == POWER_FAILED:  # the power's party may be Bruno's, whose seat has no strategy
        culprit, line, when = _called_power(table, hidden)
    else:
        seat = table.seats[int(hidden["seats"][int(hidden["fault_seat"])]["entry"])]
        culprit, line = f"strategy '{seat.name}'", seat.source_line(question)
        when = f"question '{question}'"
    line = (failure and failure.source_line) or line
    prefix = f"{line}: " if line else ""
    when = (
        f"game {hidden['result']['game']}, seat {hidden['fault_seat']}, age {view['age']}, "
        f"turn {view['turns']}, {when}"
    )
    if failure is None:
        move = hidden["move"]
        return IllegalMove(
            f"{prefix}{culprit} {SENTENCES[reason]}: {when}, answer kind {move['kind']}, choice "
            f"{move['choice']}, leader {move['leader']}, "
            f"cards [{', '.join(table.card_names(move['once'], move['twice']))}]"
        )
    # Some of numba's errors name a line of numba, which users would take for a line of their code.
    message = " ".join(re.sub(r'File "[^"]*", line \d+,\s*', "", str(failure.error)).split())
    if not isinstance(failure.error, ForbiddenAction):
        message = f"{type(failure.error).__name__}: {message}".rstrip(": ")
    return NoAnswer(f"{prefix}in {culprit}, {message}: {when}")


def _called_power(table: GameTable, hidden: np.ndarray) -> tuple[str, str, str]:
    """The custom power that was called last: its name, `FILE:LINE` of its code, and the moment."""
    from ethnos_sim.simulator.custom_powers.declaring import MOMENTS
    from ethnos_sim.simulator.user_code.checking import source_line

    power = table.custom_power(int(hidden["call"]["slot"]))
    assert power is not None, "only custom powers are called"
    moment = tuple(MOMENTS)[hidden["call"]["moment"]]
    return f"power '{power.name}'", source_line(power.functions[moment]), f"moment '{moment}'"
