"""A person at the table: a seat with a list of answers, and the legal actions that come next.

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
from ethnos_sim.simulator.kernel.asking import call_strategy
from ethnos_sim.simulator.kernel.memory import copy_record, record_at
from ethnos_sim.simulator.stepping.actions import BUILDING_DTYPE, clear, list_legal, take_action
from ethnos_sim.simulator.tables.table import Seat

PERSON = "person"
"""The name of a person's seat."""

BY_ANSWERS = f"{PERSON}:answers="
"""The beginning of a person's name in a trace. The answers follow (`named`), for a replay."""

_MOVE_SIZE = MOVE_DTYPE.itemsize
_move_at = record_at(from_dtype(MOVE_DTYPE))


def _answer(view, move, own):
    """Give the next answer; when all are given, let the seat's policy answer, if it has one.

    The memory holds the address of the answers, their number, and how many were given already.
    """
    given = own.memory[2]
    if given < own.memory[1]:
        copy_record(move, _move_at(own.memory[0] + given * _MOVE_SIZE))
        own.memory[2] = given + 1
    elif own.policy_addresses[view.decision] != 0:
        call_strategy(own.policy_addresses[view.decision], view, move, own)


@functools.cache
def compiled_person() -> Any:
    """The code of a person's seat (numba's CFunc), compiled once per process."""
    return compile_callback(PERSON, STRATEGY, _answer)


def person(answers: np.ndarray) -> Seat:
    """A seat with a list of answers (MOVE_DTYPE); the game stops when they are used up."""
    address = compiled_person().address
    return Seat(named(answers), address, address, (1 << len(DECISIONS)) - 1, answers=answers)


def named(answers: np.ndarray) -> str:
    """A person's name, which has all answers in hexadecimal digits: "2.0.1f_1_3.4.0.11"."""
    written = (".".join(f"{field:x}" for field in map(int, answer)) for answer in answers)
    return BY_ANSWERS + "_".join(re.sub(r"(\.0)+$", "", answer) for answer in written)


def answers_of(name: str) -> np.ndarray | None:
    """The answers (MOVE_DTYPE) in a person's name; None for the name of a strategy.

    Raises:
        ValueError, OverflowError: the name holds no valid answers.
    """
    if not name.startswith(BY_ANSWERS):
        return None
    answers = np.zeros(0, MOVE_DTYPE)
    if written := name.removeprefix(BY_ANSWERS):
        rows = [[int(field, 16) for field in answer.split(".")] for answer in written.split("_")]
        answers = np.array([(*row, *[0] * (5 - len(row))) for row in rows], MOVE_DTYPE)
    return answers


def _offer(views, buildings, moves, legal, action):
    """Carry out an action at the open question, and list the next legal actions.

    Args:
        views: the open record, at a question (VIEW_DTYPE, shape (1,)).
        buildings: the party or kept cards in the making (BUILDING_DTYPE, shape (1,)); zeros at a
            new question.
        moves: filled with the answer once it is complete (MOVE_DTYPE, shape (1,)).
        legal: filled with the legal actions (int16, shape (ACTIONS,)).
        action: a legal action, or NONE at a new question.

    Returns the number of legal actions; 0 if the answer is complete.
    """
    view = views[0]
    building = buildings[0]
    if action != NONE and take_action(view, building, moves[0], action):
        clear(building)
        return np.int64(0)
    return np.int64(list_legal(view, building, legal))


offer = compile_entry(_offer, "compiling what a person is offered")

#: The types of arguments for which `offer` is compiled before its first call.
OFFER_TYPES = (
    *(typeof(np.zeros(1, kind)) for kind in (VIEW_DTYPE, BUILDING_DTYPE, MOVE_DTYPE)),
    typeof(np.zeros(1, np.int16)),
    typeof(np.int64(0)),
)
