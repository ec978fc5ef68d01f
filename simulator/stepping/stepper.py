"""Arrays of games played from answer to answer (see the package's docstring)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

import numpy as np

from ethnos_sim.simulator.compiler import compile_entry, failures, kernel
from ethnos_sim.simulator.game import records
from ethnos_sim.simulator.kernel.deal import shuffle_deal
from ethnos_sim.simulator.kernel.engine import ANY_CLAN, lay_table
from ethnos_sim.simulator.kernel.faults import NO_ANSWER, NO_FAULT
from ethnos_sim.simulator.kernel.imagination import copy_course
from ethnos_sim.simulator.kernel.memory import copy_record
from ethnos_sim.simulator.kernel.scoring import end_age, end_game
from ethnos_sim.simulator.kernel.turn import open_age, take_turn
from ethnos_sim.simulator.stepping.actions import (
    ACTIONS,
    BUILDING_DTYPE,
    clear,
    list_legal,
    take_action,
)
from ethnos_sim.simulator.stepping.observations import OBSERVATION_DTYPE, OBSERVATIONS, observe
from ethnos_sim.simulator.stepping.person import compiled_person, person
from ethnos_sim.simulator.tables.batch import check_seed
from ethnos_sim.simulator.tables.table import GameTable, Seat
from ethnos_sim.simulator.tables.work_list import PreparedTables, stop_error
from ethnos_sim.simulator.utilities.errors import InvalidGame, WrongInput

#: The most answers of a player in a turn. A hand of ten cards cannot play enough parties to need
#: more, even if each party asks for a region and eight sea regions. Custom powers may ask more.
ANSWERS = 64

SLOT_DTYPE = np.dtype(
    [
        ("over", "i8"),
        ("game", "i8"),
        ("building", BUILDING_DTYPE),
        ("move", records.MOVE_DTYPE),
        ("public", records.VIEW_DTYPE),
        ("hidden", records.HIDDEN_DTYPE),
        ("saved_public", records.VIEW_DTYPE),
        ("saved_hidden", records.HIDDEN_DTYPE),
        ("ready", "i8", (records.MAX_PLAYERS,)),
        ("answers", records.MOVE_DTYPE, (records.MAX_PLAYERS, ANSWERS)),
        ("address", "i8"),
    ],
    align=True,
)
"""One game in progress.

It holds the current records, the records before the turn that waits for an answer, and the answers
to this turn's questions: how many are `ready`, and the answers themselves, by player.
"""

_ANSWERS_AT = SLOT_DTYPE.fields["answers"][1]  # type: ignore[index]
_ANSWERS_SIZE = ANSWERS * records.MOVE_DTYPE.itemsize


def outside(name: str = "outside") -> Seat:
    """A seat that is played from outside: a person's, whose answers come one by one."""
    return replace(person(np.zeros(0, records.MOVE_DTYPE)), name=name)


@kernel
def records_to_save(view):
    """How many players' private records may change before the game is restored: all or none.

    A turn changes only the acting player's record, and a seat from outside writes nothing in it. At
    an age's end, and with custom powers, other players may be asked as well.
    """
    return np.int64(view.hands) if view.age_over or view.moments else np.int64(0)


@kernel
def is_outside(slot, player, outsider):
    """Whether a player is played from outside; `outsider` is the address of its code."""
    return slot.hidden.own[player].addresses[records.TURN] == outsider


@kernel
def rewind(slot, outsider):
    """Let seats from outside give the answers that are ready, from the first one on."""
    for player in range(slot.public.hands):
        if is_outside(slot, player, outsider):
            memory = slot.hidden.own[player].memory
            memory[1] = slot.ready[player]
            memory[2] = 0


@kernel
def save(slot, outsider):
    """Save the game before a turn or an age's end in which a seat from outside may be asked."""
    slot.ready[:] = 0
    view = slot.public
    if view.age_over or view.moments or is_outside(slot, np.int64(view.player), outsider):
        copy_record(slot.saved_public, view)
        copy_course(slot.saved_hidden, slot.hidden, records_to_save(view))


@kernel
def restore(slot):
    """Return to the saved game."""
    copy_record(slot.public, slot.saved_public)
    copy_course(slot.hidden, slot.saved_hidden, records_to_save(slot.public))


@kernel
def is_over(slot, ended_age):
    """Whether the game is over after a turn or an age's end."""
    last = ended_age and slot.public.age == slot.public.ages
    return last or slot.hidden.ten_wild_winner != records.NONE


@kernel
def play_on(slot, outsider, log):
    """Play until a seat from outside must answer or the game ends; return a fault or NO_FAULT."""
    view = slot.public
    hidden = slot.hidden
    while True:
        rewind(slot, outsider)
        ends_age = view.age_over
        reason = end_age(view, hidden, log) if ends_age else take_turn(view, hidden, log)
        if reason == NO_ANSWER and is_outside(slot, np.int64(hidden.fault_seat), outsider):
            return NO_FAULT
        if reason != NO_FAULT:
            return reason
        if is_over(slot, ends_age):
            end_game(view, hidden, log)
            slot.over = 1
            return NO_FAULT
        if ends_age:
            open_age(view, hidden, log)
        save(slot, outsider)


@kernel
def act(slot, action, outsider, log):
    """Carry out a legal action for the player who is asked; return a fault or NO_FAULT."""
    if not take_action(slot.public, slot.building, slot.move, action):
        return NO_FAULT
    clear(slot.building)
    player = np.int64(slot.hidden.fault_seat)
    if slot.ready[player] >= ANSWERS:
        return NO_ANSWER
    copy_record(slot.answers[player, slot.ready[player]], slot.move)
    slot.ready[player] += 1
    restore(slot)
    return play_on(slot, outsider, log)


@kernel
def new_game(slot, view, hidden, entries, seed, rotations, outsider, log):
    """Deal the slot's next game and play to its first question; return a fault or NO_FAULT."""
    copy_record(slot.public, view)
    copy_record(slot.hidden, hidden)
    shuffle_deal(slot.public, slot.hidden.deal, seed, slot.game // rotations)
    lay_table(slot.public, slot.hidden, entries, 0, seed, slot.game, rotations, ANY_CLAN)
    for player in range(view.hands):
        if is_outside(slot, player, outsider):
            answers = slot.address + _ANSWERS_AT + player * _ANSWERS_SIZE
            slot.hidden.own[player].memory[0] = answers
    slot.over = 0
    clear(slot.building)
    open_age(slot.public, slot.hidden, log)
    save(slot, outsider)
    return play_on(slot, outsider, log)


def _step_games(slots, tables, entries, seed, rotations, outsider, log, actions, shown):
    """Carry out an action in every slot, unless `actions` is empty, and show the next questions.

    When a game ends, its results go to `games` and `seats`, and the slot's next game begins.
    Returns NO_FAULT, or the slot and the reason of a fault as `slot * 256 + reason`.
    """
    views, hiddens = tables
    rows, legal, counts, players, over, games, seats = shown
    for i in range(slots.size):
        slot = slots[i]
        reason = np.int64(NO_FAULT)
        over[i] = False
        if actions.size:
            reason = act(slot, actions[i], outsider, log[0])
        if reason == NO_FAULT and slot.over:
            if actions.size:
                over[i] = True
                copy_record(games[i], slot.hidden.result)
                for seat in range(slot.public.players):
                    copy_record(seats[i, seat], slot.hidden.seats[seat])
                slot.game += slots.size
            which = (slot.game // rotations) % views.size
            reason = new_game(
                slot, views[which], hiddens[0], entries, seed, rotations, outsider, log[0]
            )
        if reason != NO_FAULT:
            return i * 256 + reason
        counts[i] = list_legal(slot.public, slot.building, legal[i])
        players[i] = slot.public.player
        observe(slot.public, slot.building, rows[i : i + 1])
    return NO_FAULT


step_games = compile_entry(
    _step_games, "compiling the engine for games that are stepped (about 30 seconds)"
)


class Stepper:
    """Many games at once, each waiting for an action of a seat that is played from outside.

    After `start` and after every `step`, these arrays describe the open questions. They are written
    in place, so copy them to keep them:

    Attributes:
        observations: int16, shape (games, OBSERVATIONS), see `observations.BLOCKS`.
        legal, legal_counts: the legal actions: int16 (games, ACTIONS), of which the first
            `legal_counts[i]` numbers of row i are valid.
        players: int8, shape (games,): the seat that is asked.
        over: bool, shape (games,): whether the action ended a game; the other arrays then show the
            slot's next game.
        games, seats: results of the games that ended, GAME_DTYPE and SEAT_DTYPE by side.
    """

    def __init__(self, tables: Sequence[GameTable], games: int) -> None:
        """Prepare slots for games at tables that differ only in their clans.

        Args:
            tables: the tables; consecutive deals take them in turn.
            games: the number of games in progress at once.

        Raises:
            InvalidGame: there is no table, no seat that is played from outside, or no game.
        """
        if games < 1 or not tables:
            raise InvalidGame(f"{games} games at {len(tables)} tables are nothing to step")
        self.tables = tuple(tables)
        self.table = self.tables[0]
        self._outsider = compiled_person().address
        if all(seat.address != self._outsider for seat in self.table.seats):
            raise InvalidGame("no seat of the line-up is played from outside")
        prepared = PreparedTables(tables)
        self._views = prepared.views[prepared.view_indices]
        self._hiddens, self._entries = prepared.hidden, prepared.entries
        self._log = np.zeros(1, records.LOG_DTYPE)
        self.slots = np.zeros(games, SLOT_DTYPE)
        first = self.slots.ctypes.data
        self.slots["address"] = first + np.arange(games) * SLOT_DTYPE.itemsize
        self._seed = 0
        records_shown = np.zeros(games, OBSERVATION_DTYPE)
        self.observations = records_shown.view(np.int16).reshape(games, OBSERVATIONS)
        self.legal = np.zeros((games, ACTIONS), np.int16)
        self.legal_counts = np.zeros(games, np.int64)
        self.players = np.zeros(games, np.int8)
        self.over = np.zeros(games, np.bool_)
        self.games = np.zeros(games, records.GAME_DTYPE)
        self.seats = np.zeros((games, self.table.sides), records.SEAT_DTYPE)
        self._shown: tuple[np.ndarray, ...] = (
            *(records_shown, self.legal, self.legal_counts, self.players),
            *(self.over, self.games, self.seats),
        )

    def __reduce__(self) -> NoReturn:
        """Refuse to be copied or pickled: the games hold addresses of their memory."""
        raise TypeError(
            "games that are stepped cannot be copied or pickled, because they hold addresses of "
            "their memory: call make_env again"
        )

    def start(self, seed: int, first_game: int = 0) -> None:
        """Begin new games: slot i plays game `first_game + i`, then every `games`-th game after it.

        Games are numbered as in `play_batch`: deal * rotations + rotation.
        """
        self._seed = check_seed(seed)
        self.slots["over"] = 1
        self.slots["game"] = first_game + np.arange(self.slots.size)
        self._run(np.zeros(0, np.int64))

    def step(self, actions: np.ndarray) -> None:
        """Carry out one action in every slot.

        Args:
            actions: whole numbers, shape (games,).

        Raises:
            WrongInput: an action is not legal; nothing was carried out.
            IllegalMove: a strategy at the table answered with a move that the rules forbid.
            NoAnswer: a strategy's or a power's code raised an exception or did not end.
        """
        legal = self.are_legal(actions)
        if not legal.all():
            wrong = int(np.argmin(legal))
            raise WrongInput(f"action {actions[wrong]} is not legal in game slot {wrong}")
        self._run(np.ascontiguousarray(actions, np.int64))

    def are_legal(self, actions: np.ndarray) -> np.ndarray:
        """Which of the actions, one for every slot, are legal (bool, shape (games,))."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.slots.size,):
            raise WrongInput(f"{self.slots.size} games need as many actions, not {chosen.shape}")
        valid = np.arange(ACTIONS) < self.legal_counts[:, None]
        legal: np.ndarray = ((self.legal == chosen[:, None]) & valid).any(axis=1)
        return legal

    def mask(self) -> np.ndarray:
        """1 for each legal action of the first slot (int8, shape (ACTIONS,))."""
        mask = np.zeros(ACTIONS, np.int8)
        mask[self.legal[0, : self.legal_counts[0]]] = 1
        return mask

    def _run(self, actions: np.ndarray) -> None:
        """Carry out an action in every slot; without actions, begin games."""
        failures.begin()
        code = step_games(
            self.slots,
            (self._views, self._hiddens),
            self._entries,
            np.uint64(self._seed),
            np.int64(self.table.rotations),
            np.int64(self._outsider),
            self._log,
            actions,
            self._shown,
        )
        failure = failures.end()
        if failure is None and code == NO_FAULT:
            return
        place, reason = divmod(code, 256)
        slot = self.slots[place]
        error = None if failure is None else failure.error
        raise stop_error(self.table, slot["public"], slot["hidden"], reason, failure) from error
