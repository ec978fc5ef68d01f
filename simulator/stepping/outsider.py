"""The player who is played from outside: gives the answers that stand ready, and then none.

An unanswered question stops the turn, which is how a game waits for somebody outside.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numba import from_dtype

from ethnos_sim.simulator.compilation import compile_callback
from ethnos_sim.simulator.kernel.memory import copy_record, record_at
from ethnos_sim.simulator.records import DECISIONS, MOVE_DTYPE, STRATEGY
from ethnos_sim.simulator.table import Seat

#: Answers that fit. A turn asks for at most ten parties, a region and eight sea regions each, less
#: what a hand of ten cards cannot pay for; the rest is for what custom powers ask.
ANSWERS = 64

BUFFER_DTYPE = np.dtype(
    [("given", "i8"), ("ready", "i8"), ("answers", MOVE_DTYPE, (ANSWERS,))], align=True
)
"""Answers: how many were given in this run of a turn, how many stand ready."""

_buffer_at = record_at(from_dtype(BUFFER_DTYPE))


def _answer(view, move, own):
    """Give the next answer of the buffer whose address stands in the player's memory."""
    buffer = _buffer_at(own.memory[0])
    if buffer.given < buffer.ready:
        copy_record(move, buffer.answers[buffer.given])
        buffer.given += 1


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
