"""Strategies run by Python itself, to find a fault: bounds are checked, and a debugger can stop.

`mine:uncompiled=yes` in a line-up (`simulator.user_code.uncompiled`). Only the imagined games of
players who look ahead stay compiled.
"""

from __future__ import annotations

import ctypes
import functools
from typing import Any

import numpy as np

from ethnos_sim.simulator.kernel import imagination
from ethnos_sim.simulator.records import MOVE_DTYPE, OWN_DTYPE, UNANSWERED, VIEW_DTYPE
from ethnos_sim.simulator.user_code.uncompiled import (
    CheckedArray,
    CheckedRecord,
    Namespaces,
    Uncompiled,
    on_checked,
)
from ethnos_sim.strategies.afterstates.vectors import IN_PYTHON
from ethnos_sim.strategies.api import Strategy
from ethnos_sim.strategies.compiling import check, generated_names, generated_source
from ethnos_sim.strategies.weights import weights_at


def _weights_at(address: int, size: int) -> Any:
    """A strategy's weights at an address (`strategies.weights.weights_at`), checked."""
    memory = (ctypes.c_float * size).from_address(address)
    array = np.frombuffer(memoryview(memory), np.float32)
    array.flags.writeable = False
    return array.view(CheckedArray)


def _leave_unanswered(view: CheckedRecord, move: CheckedRecord, own: CheckedRecord) -> None:
    """Let a move that an exception broke off be no answer."""
    move.kind = UNANSWERED


@functools.cache
def uncompiled(strategy: Strategy) -> Uncompiled:
    """The strategy for the engine, uncompiled, made once a process.

    Raises:
        StrategyError: what `compiling.check` finds.
    """
    check(strategy)
    written: dict[Any, Any] = {make: on_checked(each) for make, each in IN_PYTHON.items()}
    written[weights_at] = _weights_at
    # Imagined games would take minutes a turn in Python.
    names = Namespaces(written, (imagination.__name__,)).names(generated_names(strategy))
    exec(generated_source(strategy), names)
    authors = (*strategy.functions.values(), *strategy.valuations.values())
    shown = {VIEW_DTYPE: False, MOVE_DTYPE: True, OWN_DTYPE: True}
    return Uncompiled(names["decide"], authors, shown, _leave_unanswered)
