"""Custom powers run by Python itself, to find a fault (`user_code.uncompiled`).

The toolkit stays compiled: what it does is this package's.
"""

from __future__ import annotations

import ctypes
import functools
from typing import Any

import numpy as np

from ethnos_sim.simulator import failures
from ethnos_sim.simulator.custom_powers import questions, toolkit
from ethnos_sim.simulator.custom_powers.checking import check
from ethnos_sim.simulator.custom_powers.compiling import generated_names, generated_source
from ethnos_sim.simulator.custom_powers.declaring import CustomPower
from ethnos_sim.simulator.custom_powers.game import GAME_DTYPE
from ethnos_sim.simulator.records import HIDDEN_DTYPE, LOG_DTYPE, VIEW_DTYPE
from ethnos_sim.simulator.user_code.checking import plain, with_helpers
from ethnos_sim.simulator.user_code.uncompiled import (
    CALL,
    CheckedRecord,
    Namespaces,
    line_of,
    on_checked,
    record_at,
)


def _new_game() -> CheckedRecord:
    """Room for what a power is shown, which it cannot write to."""
    array = np.zeros((), GAME_DTYPE)
    array.flags.writeable = False
    return CheckedRecord(array)


class Uncompiled:
    """A power that the engine calls by address and Python runs."""

    def __init__(self, power: CustomPower) -> None:
        """Make its functions callable; they must stay as long as the address is used."""
        namespaces = Namespaces({}, (toolkit.__name__, questions.__name__))
        names: dict[str, Any] = {
            name: on_checked(value) if hasattr(value, "py_func") else value
            for name, value in generated_names().items()
        }
        names |= {"as_shown": lambda record: record, "new_game": _new_game, "int64": int}
        for moment, function in power.functions.items():
            names[moment] = namespaces.function(plain(function))
        exec(generated_source(power), names)
        self._act = names["act"]
        self._files = {f.__code__.co_filename for f in with_helpers(power.functions.values())}
        self._callback = CALL(self._run)

    @property
    def address(self) -> int:
        """Where the engine finds the power."""
        return ctypes.cast(self._callback, ctypes.c_void_p).value or 0

    def _run(self, view: int, hidden: int, log: int) -> None:
        """Act at a moment; an exception leaves it undone, which stops the batch."""
        try:
            with np.errstate(all="ignore"):
                self._act(
                    record_at(view, VIEW_DTYPE, writable=True),
                    record_at(hidden, HIDDEN_DTYPE, writable=True),
                    record_at(log, LOG_DTYPE, writable=True),
                )
        except BaseException as error:
            failures.note(error, line_of(error, self._files))


@functools.cache
def uncompiled(power: CustomPower) -> Uncompiled:
    """The power for the engine, uncompiled, made once a process; PowerError as `check`."""
    check(power)
    return Uncompiled(power)
