"""Strategies run by Python for debugging: bounds are checked, and breakpoints work.

Write `mine:uncompiled=yes` in a line-up (`simulator.user_code.uncompiled`). Only the imagined games
of players who look ahead and the net of `learned` stay compiled.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ethnos_sim.simulator.game.records import MOVE_DTYPE, OWN_DTYPE, UNANSWERED, VIEW_DTYPE
from ethnos_sim.simulator.user_code.uncompiled import (
    CheckedArray,
    CheckedRecord,
    Namespaces,
    Uncompiled,
    array_at,
)
from ethnos_sim.strategies.afterstates.vectors import (
    floats_on_stack,
    numbers_on_stack,
    shorts_on_stack,
)
from ethnos_sim.strategies.api import Strategy
from ethnos_sim.strategies.compiling import generated
from ethnos_sim.strategies.weights import weights_at, whole_weights_at

#: Modules that would take minutes for each turn in Python.
STAY_COMPILED = (
    "ethnos_sim.simulator.kernel.imagination",
    "ethnos_sim.simulator.kernel.scoring",
    "ethnos_sim.strategies.afterstates.",
)


def _zeros(kind: type) -> Any:
    """A function that makes a checked array of a given size."""
    return lambda size: np.zeros(size, kind).view(CheckedArray)


def _leave_unanswered(view: CheckedRecord, move: CheckedRecord, own: CheckedRecord) -> None:
    """Mark a move as unanswered after an exception."""
    move.kind = UNANSWERED


@functools.cache
def uncompiled(strategy: Strategy) -> Uncompiled:
    """The strategy for the engine, uncompiled; made once per process.

    Raises:
        StrategyError: its code is refused before it is compiled.
    """
    stand_ins = {
        weights_at: lambda address, size: array_at(address, np.dtype(np.float32), size),
        whole_weights_at: lambda address, size: array_at(address, np.dtype(np.int16), size),
        floats_on_stack: _zeros(np.float32),
        shorts_on_stack: _zeros(np.int16),
        numbers_on_stack: _zeros(np.int64),
    }
    shown = {VIEW_DTYPE: False, MOVE_DTYPE: True, OWN_DTYPE: True}
    namespaces = Namespaces(stand_ins, STAY_COMPILED)
    return Uncompiled(generated(strategy), namespaces, shown, _leave_unanswered)
