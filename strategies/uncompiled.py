"""Strategies run by Python itself, to find a fault: bounds are checked, and a debugger can stop.

`mine:uncompiled=yes` in a line-up (`simulator.user_code.uncompiled`). Only the imagined games of
players who look ahead stay compiled.
"""

from __future__ import annotations

import ctypes
import functools
from collections import namedtuple
from typing import Any

import numpy as np

from ethnos_sim.simulator.cards import lowest
from ethnos_sim.simulator.records import MOVE_DTYPE, OWN_DTYPE, UNANSWERED, VIEW_DTYPE
from ethnos_sim.simulator.user_code.checking import plain
from ethnos_sim.simulator.user_code.uncompiled import (
    CheckedArray,
    CheckedRecord,
    Namespaces,
    Uncompiled,
    on_checked,
)
from ethnos_sim.strategies.afterstates.vectors import IN_PYTHON
from ethnos_sim.strategies.api import Strategy
from ethnos_sim.strategies.checking import check
from ethnos_sim.strategies.compiling import generated_source
from ethnos_sim.strategies.weights import weights_at

#: Imagined games would take minutes a turn in Python.
STAYS_COMPILED = "ethnos_sim.simulator.kernel.imagination"


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
        StrategyError: what `checking.check` finds.
    """
    check(strategy)
    written = {make: on_checked(function) for make, function in IN_PYTHON.items()}
    written[weights_at] = _weights_at
    namespaces = Namespaces(written, (STAYS_COMPILED,))
    names: dict[str, Any] = {
        "as_shown": lambda record: record,
        "lowest": namespaces.function(plain(lowest)),
        "weights_at": _weights_at,
    }
    if strategy.parameters:
        fields = [parameter.name for parameter in strategy.parameters]
        names["Parameters"] = namedtuple("Parameters", fields)
    for question, function in strategy.functions.items():
        names[question] = namespaces.function(plain(function))
    exec(generated_source(strategy), names)
    authors = (*strategy.functions.values(), *strategy.valuations.values())
    shown = {VIEW_DTYPE: False, MOVE_DTYPE: True, OWN_DTYPE: True}
    return Uncompiled(names["decide"], authors, shown, _leave_unanswered)
