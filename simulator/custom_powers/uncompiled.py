"""Custom powers run by Python itself, to find a fault (`user_code.uncompiled`).

The toolkit stays compiled: what it does is this package's.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ethnos_sim.simulator.custom_powers import questions, toolkit
from ethnos_sim.simulator.custom_powers.compiling import check, generated_names, generated_source
from ethnos_sim.simulator.custom_powers.declaring import CustomPower
from ethnos_sim.simulator.custom_powers.game import GAME_DTYPE
from ethnos_sim.simulator.records import HIDDEN_DTYPE, LOG_DTYPE, VIEW_DTYPE
from ethnos_sim.simulator.user_code.checking import plain
from ethnos_sim.simulator.user_code.uncompiled import (
    CheckedRecord,
    Namespaces,
    Uncompiled,
    on_checked,
)


def _new_game() -> CheckedRecord:
    """Room for what a power is shown, which it cannot write to."""
    array = np.zeros((), GAME_DTYPE)
    array.flags.writeable = False
    return CheckedRecord(array)


@functools.cache
def uncompiled(power: CustomPower) -> Uncompiled:
    """The power for the engine, uncompiled, made once a process; PowerError as `check`."""
    check(power)
    namespaces = Namespaces({}, (toolkit.__name__, questions.__name__))
    names: dict[str, Any] = {
        name: on_checked(value) if hasattr(value, "py_func") else value
        for name, value in generated_names().items()
    }
    names |= {"as_shown": lambda record: record, "new_game": _new_game, "int64": int}
    for moment, function in power.functions.items():
        names[moment] = namespaces.function(plain(function))
    exec(generated_source(power), names)
    shown = {VIEW_DTYPE: True, HIDDEN_DTYPE: True, LOG_DTYPE: True}
    return Uncompiled(names["act"], power.functions.values(), shown)
