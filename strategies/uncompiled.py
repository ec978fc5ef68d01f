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

from ethnos_sim.simulator import failures
from ethnos_sim.simulator.cards import lowest
from ethnos_sim.simulator.records import MOVE_DTYPE, OWN_DTYPE, UNANSWERED, VIEW_DTYPE
from ethnos_sim.simulator.user_code.checking import plain, with_helpers
from ethnos_sim.simulator.user_code.uncompiled import (
    CALL,
    CheckedArray,
    Namespaces,
    line_of,
    on_checked,
    record_at,
)
from ethnos_sim.strategies.afterstates import rows, vectors
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


class UncompiledStrategy:
    """A strategy that the engine calls by address and Python runs."""

    def __init__(self, strategy: Strategy) -> None:
        """Make the strategy's functions callable; they must stay as long as the address is used."""
        written = {
            make: on_checked(function)
            for make, function in (rows.IN_PYTHON | vectors.IN_PYTHON).items()
        }
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
        self._decide = names["decide"]
        own = (*strategy.functions.values(), *strategy.valuations.values())
        self._files = {function.__code__.co_filename for function in with_helpers(own)}
        self._callback = CALL(self._answer)

    @property
    def address(self) -> int:
        """Where the engine finds the strategy."""
        return ctypes.cast(self._callback, ctypes.c_void_p).value or 0

    def _answer(self, view: int, move: int, own: int) -> None:
        """Answer a question; an exception leaves it unanswered, which stops the batch."""
        answer = record_at(move, MOVE_DTYPE, writable=True)
        try:
            with np.errstate(all="ignore"):
                self._decide(
                    record_at(view, VIEW_DTYPE, writable=False),
                    answer,
                    record_at(own, OWN_DTYPE, writable=True),
                )
        except BaseException as error:
            answer.kind = UNANSWERED
            failures.note(error, line_of(error, self._files))


@functools.cache
def uncompiled(strategy: Strategy) -> UncompiledStrategy:
    """The strategy for the engine, uncompiled, made once a process.

    Raises:
        StrategyError: what `checking.check` finds.
    """
    check(strategy)
    return UncompiledStrategy(strategy)
