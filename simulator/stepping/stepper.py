"""Play many games from answer to answer (see the package's docstring)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

import numpy as np

from ethnos_sim.simulator.compiler import compile_entry, failures, kernel
from ethnos_sim.simulator.game import records
from ethnos_sim.simulator.kernel.deal import shuffle_deal
from ethnos_sim.simulator.kernel.engine import ORDINARY_KIND, set_up_game
from ethnos_sim.simulator.kernel.faults import NO_ANSWER, NO_FAULT
from ethnos_sim.simulator.kernel.imagination import copy_progress
from ethnos_sim.simulator.kernel.memory import copy_record
from ethnos_sim.simulator.kernel.scoring import end_age, end_game
from ethnos_sim.simulator.kernel.turn import open_age, take_turn
from ethnos_sim.simulator.stepping import actions as action_space
from ethnos_sim.simulator.stepping import observations
from ethnos_sim.simulator.stepping.person import compiled_person, person_seat
from ethnos_sim.simulator.tables.batch import check_seed
from ethnos_sim.simulator.tables.table import GameTable, Seat
from ethnos_sim.simulator.tables.work_list import PreparedTables, stop_error
from ethnos_sim.simulator.utilities.errors import InvalidGame, WrongInput

#: The most answers of a player in a turn. A hand of ten cards needs fewer, even if each party
#: asks for a region and eight sea regions. A turn in which custom powers ask more is a fault.
ANSWERS = 64

GAME_SLOT_DTYPE = np.dtype(
    [
        ("over", "i8"),
        ("number", "i8"),
        ("selection", action_space.SELECTION_DTYPE),
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

`public` and `hidden` are its records, and `saved_*` the same records at the start of the turn that
waits for an answer. `answers` are the answers in this turn, by player, and `ready` their number.
"""

_ANSWERS_AT = GAME_SLOT_DTYPE.fields["answers"][1]  # type: ignore[index]
_ANSWERS_SIZE = ANSWERS * records.MOVE_DTYPE.itemsize


def outside_seat(name: str = "outside") -> Seat:
    """A seat that is played from outside: a person's seat that begins without answers."""
    return replace(person_seat(np.zeros(0, records.MOVE_DTYPE)), name=name)


@kernel
def saved_record_count(view):
    """How many players' private records to save with a game: none, or those of all players.

    In most turns only a seat from outside is asked, which changes no private record: none is saved.
    At an age's end, or with custom powers, other players may be asked too, so all are saved.
    """
    return np.int64(view.hands) if view.age_over or view.moments else np.int64(0)


@kernel
def is_outside_seat(game, player, outside_code):
    """Whether a player is played from outside; `outside_code` is the address of a person's code."""
    return game.hidden.own[player].addresses[records.TURN] == outside_code


@kernel
def rewind_answers(game, outside_code):
    """Let seats from outside give this turn's answers again, from the first one on."""
    for player in range(game.public.hands):
        if is_outside_seat(game, player, outside_code):
            memory = game.hidden.own[player].memory
            memory[1] = game.ready[player]
            memory[2] = 0


@kernel
def save_game(game, outside_code):
    """Clear the answers, and save the game if a seat from outside may be asked next."""
    game.ready[:] = 0
    view = game.public
    if view.age_over or view.moments or is_outside_seat(game, np.int64(view.player), outside_code):
        copy_record(game.saved_public, view)
        copy_progress(game.saved_hidden, game.hidden, saved_record_count(view))


@kernel
def restore_game(game):
    """Return to the saved game."""
    copy_record(game.public, game.saved_public)
    copy_progress(game.hidden, game.saved_hidden, saved_record_count(game.public))


@kernel
def is_game_over(game, age_ended):
    """Whether the game is over; `age_ended` says whether an age has just been scored."""
    last = age_ended and game.public.age == game.public.ages
    return last or game.hidden.ten_wild_winner != records.NONE


@kernel
def play_to_question(game, outside_code, log):
    """Play until a seat from outside is asked or the game ends; return a fault or NO_FAULT."""
    view = game.public
    hidden = game.hidden
    while True:
        rewind_answers(game, outside_code)
        age_ended = view.age_over
        reason = end_age(view, hidden, log) if age_ended else take_turn(view, hidden, log)
        if reason == NO_ANSWER and is_outside_seat(game, np.int64(hidden.fault_seat), outside_code):
            return NO_FAULT
        if reason != NO_FAULT:
            return reason
        if is_game_over(game, age_ended):
            end_game(view, hidden, log)
            game.over = 1
            return NO_FAULT
        if age_ended:
            open_age(view, hidden, log)
        save_game(game, outside_code)


@kernel
def carry_out_action(game, action, outside_code, log):
    """Carry out a legal action; if it completes the answer, play on. Return a fault or NO_FAULT."""
    if not action_space.take_action(game.public, game.selection, game.move, action):
        return NO_FAULT
    action_space.clear_selection(game.selection)
    player = np.int64(game.hidden.fault_seat)
    if game.ready[player] >= ANSWERS:
        return NO_ANSWER
    copy_record(game.answers[player, game.ready[player]], game.move)
    game.ready[player] += 1
    restore_game(game)
    return play_to_question(game, outside_code, log)


@kernel
def begin_next_game(game, view, hidden, entries, seed, rotations, outside_code, log):
    """Deal game `game.number` and play to its first question; return a fault or NO_FAULT."""
    copy_record(game.public, view)
    copy_record(game.hidden, hidden)
    shuffle_deal(game.public, game.hidden.deal, seed, game.number // rotations)
    set_up_game(game.public, game.hidden, entries, 0, seed, game.number, rotations, ORDINARY_KIND)
    for player in range(view.hands):
        if is_outside_seat(game, player, outside_code):
            answers = game.address + _ANSWERS_AT + player * _ANSWERS_SIZE
            game.hidden.own[player].memory[0] = answers
    game.over = 0
    action_space.clear_selection(game.selection)
    open_age(game.public, game.hidden, log)
    save_game(game, outside_code)
    return play_to_question(game, outside_code, log)


def _step_games(slots, tables, entries, seed, rotations, outside_code, log, actions, questions):
    """Carry out an action in every game, and write the next questions to the arrays `questions`.

    When a game ends, its results are written too, and the next game begins in its slot. If
    `actions` is empty, all games begin. Returns NO_FAULT, or `slot * 256 + reason` for a fault.
    """
    views, hiddens = tables
    rows, legal, counts, players, over, results, seats = questions
    for i in range(slots.size):
        game = slots[i]
        reason = np.int64(NO_FAULT)
        over[i] = False
        if actions.size:
            reason = carry_out_action(game, actions[i], outside_code, log[0])
        if reason == NO_FAULT and game.over:
            if actions.size:
                over[i] = True
                copy_record(results[i], game.hidden.result)
                for seat in range(game.public.players):
                    copy_record(seats[i, seat], game.hidden.seats[seat])
                game.number += slots.size
            which = (game.number // rotations) % views.size
            reason = begin_next_game(
                game, views[which], hiddens[0], entries, seed, rotations, outside_code, log[0]
            )
        if reason != NO_FAULT:
            return i * 256 + reason
        counts[i] = action_space.list_actions(game.public, game.selection, legal[i])
        players[i] = game.public.player
        observations.write_observation(game.public, game.selection, rows[i : i + 1])
    return NO_FAULT


step_games = compile_entry(
    _step_games, "compiling the engine for games that are stepped (about 30 seconds)"
)


class Stepper:
    """Many games at once, which all wait for an action of a seat that is played from outside.

    After `start` and after every `step`, these arrays describe the open questions, until the next
    step overwrites them:

    Attributes:
        observations: int16, shape (games, OBSERVATIONS), see `observations.BLOCKS`.
        legal, legal_counts: row i of `legal` (int16, shape (games, ACTIONS)) begins with the
            `legal_counts[i]` legal actions of game i; the rest of the row means nothing.
        players: int8, shape (games,): the seat that is asked.
        over: bool, shape (games,): whether the action ended a game; the arrays above then have the
            first question of the next game.
        games, seats: results of the games that ended, GAME_DTYPE and SEAT_DTYPE by side.
    """

    def __init__(self, tables: Sequence[GameTable], games: int) -> None:
        """Prepare games at tables that differ only in their clans.

        Args:
            tables: the tables; deal d is played at table d modulo their number.
            games: the number of games in progress at once.

        Raises:
            InvalidGame: there is no table, no seat that is played from outside, or no game.
        """
        if games < 1 or not tables:
            raise InvalidGame(f"{games} games at {len(tables)} tables: give at least one of each")
        self.tables = tuple(tables)
        self.table = self.tables[0]
        self._outside_code = compiled_person().address
        if all(seat.address != self._outside_code for seat in self.table.seats):
            raise InvalidGame("no seat of the line-up is played from outside")
        prepared = PreparedTables(tables)
        self._views = prepared.views[prepared.view_indices]
        self._hiddens, self._entries = prepared.hidden, prepared.entries
        self._log = np.zeros(1, records.LOG_DTYPE)
        self.slots = np.zeros(games, GAME_SLOT_DTYPE)
        first = self.slots.ctypes.data
        self.slots["address"] = first + np.arange(games) * GAME_SLOT_DTYPE.itemsize
        self._seed = 0
        records_shown = np.zeros(games, observations.OBSERVATION_DTYPE)
        self.observations = records_shown.view(np.int16).reshape(games, observations.OBSERVATIONS)
        self.legal = np.zeros((games, action_space.ACTIONS), np.int16)
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
        """Forbid copying and pickling: the games hold addresses of their memory."""
        raise TypeError(
            "games that are stepped cannot be copied or pickled, because they hold addresses of "
            "their memory: call make_env again"
        )

    def start(self, seed: int, first_game: int = 0) -> None:
        """Begin new games: slot i plays game `first_game + i`, then every `games`-th game after it.

        A game's number is deal * rotations + rotation.
        """
        self._seed = check_seed(seed)
        self.slots["over"] = 1
        self.slots["number"] = first_game + np.arange(self.slots.size)
        self._run(np.zeros(0, np.int64))

    def step(self, actions: np.ndarray) -> None:
        """Carry out one action in every game.

        Args:
            actions: whole numbers, shape (games,).

        Raises:
            WrongInput: an action is not legal; no action was carried out.
            IllegalMove: a strategy at the table answered with a move that the rules forbid.
            NoAnswer: a strategy's or a power's code raised an exception or did not end.
        """
        legal = self.are_legal(actions)
        if not legal.all():
            wrong = int(np.argmin(legal))
            raise WrongInput(f"action {actions[wrong]} is not legal in game slot {wrong}")
        self._run(np.ascontiguousarray(actions, np.int64))

    def are_legal(self, actions: np.ndarray) -> np.ndarray:
        """Whether each action, one for every game, is legal (bool, shape (games,))."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.slots.size,):
            raise WrongInput(f"actions must have shape ({self.slots.size},), not {chosen.shape}")
        valid = np.arange(action_space.ACTIONS) < self.legal_counts[:, None]
        legal: np.ndarray = ((self.legal == chosen[:, None]) & valid).any(axis=1)
        return legal

    def legal_mask(self) -> np.ndarray:
        """The mask of the first game's legal actions: 1 for legal (int8, shape (ACTIONS,))."""
        mask = np.zeros(action_space.ACTIONS, np.int8)
        mask[self.legal[0, : self.legal_counts[0]]] = 1
        return mask

    def _run(self, actions: np.ndarray) -> None:
        """Carry out an action in every game; begin new games if `actions` is empty."""
        failures.start_listening()
        code = step_games(
            self.slots,
            (self._views, self._hiddens),
            self._entries,
            np.uint64(self._seed),
            np.int64(self.table.rotations),
            np.int64(self._outside_code),
            self._log,
            actions,
            self._shown,
        )
        failure = failures.stop_listening()
        if failure is None and code == NO_FAULT:
            return
        place, reason = divmod(code, 256)
        game = self.slots[place]
        error = None if failure is None else failure.error
        raise stop_error(self.table, game["public"], game["hidden"], reason, failure) from error
