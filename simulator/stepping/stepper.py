"""Arrays of games played from answer to answer (see the package's docstring)."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
from numba import from_dtype

from ethnos_sim.simulator.compiler import compile_callback, compile_entry, failures, kernel
from ethnos_sim.simulator.game import records
from ethnos_sim.simulator.kernel.asking import put_question
from ethnos_sim.simulator.kernel.deal import shuffle_deal
from ethnos_sim.simulator.kernel.engine import ANY_CLAN, lay_table
from ethnos_sim.simulator.kernel.faults import NO_ANSWER, NO_FAULT
from ethnos_sim.simulator.kernel.imagination import copy_course
from ethnos_sim.simulator.kernel.memory import copy_record, record_at
from ethnos_sim.simulator.kernel.scoring import end_age, end_game
from ethnos_sim.simulator.kernel.turn import only_wild_cards, open_age, take_turn
from ethnos_sim.simulator.stepping.actions import (
    ACTIONS,
    BUILDING_DTYPE,
    clear,
    describe,
    list_legal,
    take_action,
)
from ethnos_sim.simulator.stepping.observations import OBSERVATIONS, observe
from ethnos_sim.simulator.tables.batch import check_seed
from ethnos_sim.simulator.tables.table import GameTable, Seat
from ethnos_sim.simulator.tables.work_list import PreparedTables, stopped
from ethnos_sim.simulator.utilities.errors import InvalidGame, WrongInput

#: How many answers the buffer holds. A hand of ten cards cannot play enough parties in a turn to
#: fill it, even if each party asks for a region and eight sea regions. Custom powers may ask more.
ANSWERS = 64

BUFFER_DTYPE = np.dtype(
    [("given", "i8"), ("ready", "i8"), ("answers", records.MOVE_DTYPE, (ANSWERS,))], align=True
)
"""Answers: how many were given in this run of a turn, how many are ready, and the answers."""

_buffer_at = record_at(from_dtype(BUFFER_DTYPE))


def _answer(view, move, own):
    """Give the next answer of the buffer whose address is in the player's memory."""
    buffer = _buffer_at(own.memory[0])
    if buffer.given < buffer.ready:
        copy_record(move, buffer.answers[buffer.given])
        buffer.given += 1


@functools.cache
def _compiled() -> Any:
    """The compiled `_answer` function, compiled once per process."""
    return compile_callback("outside", records.STRATEGY, _answer)


def outside(name: str = "outside", never_leads: str | None = None) -> Seat:
    """A seat that is played from outside.

    Args:
        name: the seat's name.
        never_leads: a clan that the seat may not lead (restricted play).
    """
    address = _compiled().address
    return Seat(name, address, address, (1 << len(records.DECISIONS)) - 1, never_leads=never_leads)


#: The stages of a game. BETWEEN waits for nothing. AT_TURN waits for the answer to `turn`, which
#: starts a turn. IN_TURN and IN_AGE_END wait for one more answer; then the turn or the age's end
#: runs again with it. OVER waits for a new game.
BETWEEN, AT_TURN, IN_TURN, IN_AGE_END, OVER = range(5)

SLOT_DTYPE = np.dtype(
    [
        ("stage", "i8"),
        ("game", "i8"),
        ("building", BUILDING_DTYPE),
        ("move", records.MOVE_DTYPE),
        ("public", records.VIEW_DTYPE),
        ("hidden", records.HIDDEN_DTYPE),
        ("saved_public", records.VIEW_DTYPE),
        ("saved_hidden", records.HIDDEN_DTYPE),
        ("buffer", BUFFER_DTYPE),
        ("address", "i8"),
    ],
    align=True,
)
"""One game in progress: its current records, and saved records for running a turn again."""


BUFFER_AT = SLOT_DTYPE.fields["buffer"][1]  # type: ignore[index]


@kernel
def players_to_save(view):
    """How many players have private records that may change in a turn, or at an age's end.

    A turn changes only the acting player's record, and a seat from outside does not use its record.
    At an age's end, and with custom powers, other players may be asked as well.
    """
    return np.int64(view.hands) if view.age_over or view.moments else np.int64(0)


@kernel
def save(slot):
    """Save the game before a turn or an age's end that may have to be run again."""
    copy_record(slot.saved_public, slot.public)
    copy_course(slot.saved_hidden, slot.hidden, players_to_save(slot.public))


@kernel
def restore(slot):
    """Restore the saved game."""
    copy_record(slot.public, slot.saved_public)
    copy_course(slot.hidden, slot.saved_hidden, players_to_save(slot.public))


@kernel
def is_outside(slot, player, outsider):
    """Whether a player is played from outside; `outsider` is the address of its code."""
    return slot.hidden.own[player].addresses[records.TURN] == outsider


@kernel
def finish(slot, log):
    """Find the winners; the slot waits for a new game."""
    end_game(slot.public, slot.hidden, log)
    slot.stage = OVER
    return NO_FAULT


@kernel
def begin_unit(slot, outsider):
    """Begin a turn or an age's end; return False if the turn must wait for the answer to `turn`."""
    view = slot.public
    player = np.int64(view.player)
    waits = not view.age_over and is_outside(slot, player, outsider)
    if waits and not only_wild_cards(view, slot.hidden, player):
        put_question(view, slot.hidden, player, records.TURN, 0, 0, 0)
        slot.stage = AT_TURN
        return False
    if waits or view.age_over or view.moments:
        save(slot)
    slot.stage = IN_AGE_END if view.age_over else IN_TURN
    return True


@kernel
def play_on(slot, outsider, log):
    """Play until a seat from outside must answer or the game ends; return a fault or NO_FAULT."""
    view = slot.public
    hidden = slot.hidden
    while True:
        if slot.stage == BETWEEN:
            if hidden.ten_wild_winner != records.NONE:
                return finish(slot, log)
            if not begin_unit(slot, outsider):
                return NO_FAULT
        slot.buffer.given = 0
        if slot.stage == IN_TURN:
            reason = take_turn(view, hidden, log)
        else:
            reason = end_age(view, hidden, log)
        if reason == NO_ANSWER and is_outside(slot, np.int64(hidden.fault_seat), outsider):
            return NO_FAULT
        if reason != NO_FAULT:
            return reason
        slot.buffer.ready = 0
        if slot.stage == IN_AGE_END:
            if view.age == view.ages:
                return finish(slot, log)
            open_age(view, hidden, log)
        slot.stage = BETWEEN


@kernel
def keep_answer(slot):
    """Append the complete answer in `move` to the buffer; return False if it is full."""
    buffer = slot.buffer
    if buffer.ready >= ANSWERS:
        return False
    copy_record(buffer.answers[buffer.ready], slot.move)
    buffer.ready += 1
    return True


@kernel
def act(slot, action, outsider, log):
    """Carry out a legal action for the player who is asked; return a fault or NO_FAULT."""
    if not take_action(slot.public, slot.building, slot.move, action):
        return NO_FAULT
    clear(slot.building)
    if not keep_answer(slot):
        return NO_ANSWER
    kind = slot.move.kind
    if slot.stage != AT_TURN:
        restore(slot)
    else:
        slot.stage = IN_TURN
        # Recruiting asks no more questions, except in solo and with custom powers.
        asks = slot.public.solo or slot.public.moments
        if asks or not (kind == records.FROM_DECK or kind == records.FROM_POOL):
            save(slot)
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
            slot.hidden.own[player].memory[0] = slot.address + BUFFER_AT
    slot.buffer.ready = 0
    clear(slot.building)
    open_age(slot.public, slot.hidden, log)
    slot.stage = BETWEEN
    return play_on(slot, outsider, log)


@kernel
def look_at_end(slot, outsider, row):
    """Write to `row` what the first seat from outside would observe if its turn came now."""
    for player in range(slot.public.hands):
        if is_outside(slot, player, outsider):
            put_question(slot.public, slot.hidden, player, records.TURN, 0, 0, 0)
            observe(slot.public, slot.building, row)
            break


def _step_games(slots, tables, entries, seed, rotations, outsider, log, actions, shown):
    """Carry out an action in every slot, unless `actions` is empty, and show the next questions.

    When a game ends, its results go to `games` and `seats`, and the slot's next game begins.
    Returns NO_FAULT, or the slot and the reason of a fault as `slot * 256 + reason`.
    """
    views, hiddens = tables
    rows, legal, counts, masks, players, over, games, seats, finals = shown
    for i in range(slots.size):
        slot = slots[i]
        reason = np.int64(NO_FAULT)
        over[i] = False
        if actions.size:
            reason = act(slot, actions[i], outsider, log[0])
        if reason == NO_FAULT and slot.stage == OVER:
            if actions.size:
                over[i] = True
                copy_record(games[i], slot.hidden.result)
                for seat in range(slot.public.players):
                    copy_record(seats[i, seat], slot.hidden.seats[seat])
                look_at_end(slot, outsider, finals[i])
                slot.game += slots.size
            which = (slot.game // rotations) % views.size
            reason = new_game(
                slot, views[which], hiddens[0], entries, seed, rotations, outsider, log[0]
            )
        if reason != NO_FAULT:
            return i * 256 + reason
        for k in range(counts[i]):
            masks[i, legal[i, k]] = 0
        counts[i] = list_legal(slot.public, slot.building, legal[i])
        for k in range(counts[i]):
            masks[i, legal[i, k]] = 1
        players[i] = slot.public.player
        observe(slot.public, slot.building, rows[i])
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
        masks: int8, shape (games, ACTIONS): 1 for each legal action.
        legal, legal_counts: the legal actions as lists: int16 (games, ACTIONS), of which the first
            `legal_counts[i]` numbers of row i are valid.
        players: int8, shape (games,): the seat that is asked.
        over: bool, shape (games,): whether the action ended a game; the other arrays then show the
            slot's next game.
        games, seats: results of the games that ended, GAME_DTYPE and SEAT_DTYPE by side.
        finals: observations of these games at their ends, by the first seat from outside.
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
        self._outsider = outside().address
        if all(seat.address != self._outsider for seat in self.table.seats):
            raise InvalidGame("no seat of the line-up is played from outside")
        prepared = PreparedTables(tables)
        self._views = prepared.views[prepared.view_of]
        self._hiddens, self._entries = prepared.hidden, prepared.entries
        self._log = np.zeros(1, records.LOG_DTYPE)
        self.slots = np.zeros(games, SLOT_DTYPE)
        first = self.slots.ctypes.data
        self.slots["address"] = first + np.arange(games) * SLOT_DTYPE.itemsize
        self._seed = 0
        self.observations = np.zeros((games, OBSERVATIONS), np.int16)
        self.masks = np.zeros((games, ACTIONS), np.int8)
        self.legal = np.zeros((games, ACTIONS), np.int16)
        self.legal_counts = np.zeros(games, np.int64)
        self.players = np.zeros(games, np.int8)
        self.over = np.zeros(games, np.bool_)
        self.games = np.zeros(games, records.GAME_DTYPE)
        self.seats = np.zeros((games, self.table.sides), records.SEAT_DTYPE)
        self.finals = np.zeros((games, OBSERVATIONS), np.int16)
        self._shown: tuple[np.ndarray, ...] = (
            *(self.observations, self.legal, self.legal_counts, self.masks, self.players),
            *(self.over, self.games, self.seats, self.finals),
        )

    def __deepcopy__(self, copies: dict[int, Any]) -> Stepper:
        """A stepper with the same games, which go on apart from these."""
        other = Stepper(self.tables, self.slots.size)
        other._seed = self._seed
        moved = other.slots.ctypes.data - self.slots.ctypes.data
        other.slots[:] = self.slots
        other.slots["address"] += moved
        for record in ("hidden", "saved_hidden"):
            private = other.slots[record]["own"]
            answers = private["addresses"][..., records.TURN] == self._outsider
            private["memory"][..., 0] += moved * answers
        for shown, copied in zip(self._shown, other._shown, strict=True):
            copied[:] = shown
        return other

    def __copy__(self) -> Stepper:
        """As `__deepcopy__`: two steppers of the same games would play in each other's way."""
        return self.__deepcopy__({})

    def __reduce__(self) -> NoReturn:
        """Refuse to be pickled: the games hold addresses of this process."""
        raise TypeError(
            "games that are stepped cannot be pickled, because they hold addresses of this "
            "process: call make_env in the other process"
        )

    def start(self, seed: int, first_game: int = 0) -> None:
        """Begin new games: slot i plays game `first_game + i`, then every `games`-th game after it.

        Games are numbered as in `play_batch`: deal * rotations + rotation.
        """
        self._seed = check_seed(seed)
        self.slots["stage"] = OVER
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
            action = int(actions[wrong])
            meaning = f" ({describe(action)})" if 0 <= action < ACTIONS else ""
            raise WrongInput(f"action {action}{meaning} is not legal in game slot {wrong}")
        self._run(np.ascontiguousarray(actions, np.int64))

    def are_legal(self, actions: np.ndarray) -> np.ndarray:
        """Which of the actions, one for every slot, are legal (bool, shape (games,))."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.slots.size,):
            raise WrongInput(f"{self.slots.size} games need as many actions, not {chosen.shape}")
        inside = (chosen >= 0) & (chosen < ACTIONS)
        allowed = self.masks[np.arange(chosen.size), np.where(inside, chosen, 0)] == 1
        legal: np.ndarray = inside & allowed
        return legal

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
        raise stopped(self.table, slot["public"], slot["hidden"], reason, failure) from error
