"""A person at the table: a seat with a list of answers, and the next legal actions.

A game depends only on its table, line-up, seed and number, and on the person's answers. So no game
has to wait for a person: it is played from the beginning with the answers so far, and stops where
it needs another answer. To take a move back, play with one answer less.
"""

from __future__ import annotations

import functools
import re
from typing import Any

import numpy as np
from numba import from_dtype, typeof

from ethnos_sim.simulator.compiler import compile_callback, compile_entry
from ethnos_sim.simulator.game.records import DECISIONS, MOVE_DTYPE, NONE, STRATEGY, VIEW_DTYPE
from ethnos_sim.simulator.kernel.asking import call_by_address
from ethnos_sim.simulator.kernel.memory import copy_record, record_loader
from ethnos_sim.simulator.stepping import actions
from ethnos_sim.simulator.tables.table import Seat

PERSON = "person"
"""The name of the compiled code that answers for a person."""

PERSON_PREFIX = f"{PERSON}:answers="
"""The beginning of a person's name in a trace; the answers follow (`person_name`)."""

_MOVE_SIZE = MOVE_DTYPE.itemsize
_move_at = record_loader(from_dtype(MOVE_DTYPE))


def _give_answer(view, move, private):
    """Give the person's next answer; after the last one, let the seat's policy answer, if any.

    `private.memory` has the address of the answers, their number, and the index of the next answer.
    """
    given = private.memory[2]
    if given < private.memory[1]:
        copy_record(move, _move_at(private.memory[0] + given * _MOVE_SIZE))
        private.memory[2] = given + 1
    elif private.policy_addresses[view.decision] != 0:
        call_by_address(private.policy_addresses[view.decision], view, move, private)


@functools.cache
def compiled_person() -> Any:
    """The code that answers for every person (numba's CFunc), compiled once per process."""
    return compile_callback(PERSON, STRATEGY, _give_answer)


def person_seat(answers: np.ndarray) -> Seat:
    """A seat with a list of answers (MOVE_DTYPE); the game stops when they are used up."""
    address = compiled_person().address
    return Seat(person_name(answers), address, address, (1 << len(DECISIONS)) - 1, answers=answers)


def person_name(answers: np.ndarray) -> str:
    """A person's name: PERSON_PREFIX and all answers in hexadecimal, as in 2.0.1f_1_3.4.0.11."""
    written = (".".join(f"{field:x}" for field in map(int, answer)) for answer in answers)
    return PERSON_PREFIX + "_".join(re.sub(r"(\.0)+$", "", answer) for answer in written)


def answers_in_name(name: str) -> np.ndarray | None:
    """The answers (MOVE_DTYPE) in a person's name; None for the name of a strategy.

    Raises:
        ValueError, OverflowError: the name holds no valid answers.
    """
    if not name.startswith(PERSON_PREFIX):
        return None
    answers = np.zeros(0, MOVE_DTYPE)
    if written := name.removeprefix(PERSON_PREFIX):
        rows = [[int(field, 16) for field in answer.split(".")] for answer in written.split("_")]
        answers = np.array([(*row, *[0] * (5 - len(row))) for row in rows], MOVE_DTYPE)
    return answers


def _continue_answer(views, selections, moves, legal_actions, action):
    """Continue the answer to the open question by one action, and list the next legal actions.

    Args:
        views: the open record, at a question (VIEW_DTYPE, shape (1,)).
        selections: the cards selected so far (SELECTION_DTYPE, shape (1,)); at first zeros.
        moves: filled with the answer once it is complete (MOVE_DTYPE, shape (1,)).
        legal_actions: filled with the legal actions (int16, shape (ACTIONS,)).
        action: a legal action, or NONE at a new question.

    Returns the number of legal actions; 0 if the answer is complete.
    """
    view = views[0]
    selection = selections[0]
    if action != NONE and actions.take_action(view, selection, moves[0], action):
        actions.clear_selection(selection)
        return np.int64(0)
    return np.int64(actions.list_actions(view, selection, legal_actions))


continue_answer = compile_entry(_continue_answer, "compiling the legal actions of a person")

#: The types of arguments for which `continue_answer` is compiled before its first call.
ANSWER_TYPES = (
    *(typeof(np.zeros(1, kind)) for kind in (VIEW_DTYPE, actions.SELECTION_DTYPE, MOVE_DTYPE)),
    typeof(np.zeros(1, np.int16)),
    typeof(np.int64(0)),
)
