"""The player who is played from outside: gives the answers that stand ready, and then none.

An unanswered question stops the turn, which is how a game waits for somebody outside.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ethnos_sim.simulator.compilation import compile_callback
from ethnos_sim.simulator.kernel.memory import load_number, store_number
from ethnos_sim.simulator.records import DECISIONS, STRATEGY
from ethnos_sim.simulator.table import Seat

#: Numbers before the answers in a buffer: how many were given in this run, how many there are.
GIVEN = 0
READY = 1
FIRST_ANSWER = 2

#: Numbers that an answer takes.
ANSWER = 5

#: Answers that fit. A turn asks for at most ten parties, a region and eight sea regions each, less
#: what a hand of ten cards cannot pay for; the rest is for what custom powers ask.
ANSWERS = 64

BUFFER = FIRST_ANSWER + ANSWER * ANSWERS


def _answer(view, move, own):
    """Give the next answer of the buffer whose address stands in the player's memory."""
    buffer = own.memory[0]
    given = load_number(buffer, GIVEN)
    if given < load_number(buffer, READY):
        at = FIRST_ANSWER + ANSWER * given
        move.kind = load_number(buffer, at)
        move.leader = load_number(buffer, at + 1)
        move.choice = load_number(buffer, at + 2)
        move.once = np.uint64(load_number(buffer, at + 3))
        move.twice = np.uint64(load_number(buffer, at + 4))
        store_number(buffer, GIVEN, given + 1)


@functools.cache
def _compiled() -> Any:
    """The compiled answer, made once a process."""
    return compile_callback("outside", STRATEGY, _answer)


def outside(name: str = "outside", never_leads: str | None = None) -> Seat:
    """A seat that is played from outside.

    Args:
        name: what it is called.
        never_leads: a clan that it may not lead (restricted play).
    """
    address = _compiled().address
    return Seat(name, address, address, (1 << len(DECISIONS)) - 1, never_leads=never_leads)
