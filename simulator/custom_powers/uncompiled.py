"""Custom powers run by Python itself, to find a fault (`user_code.uncompiled`).

The toolkit stays compiled: what it does is this package's.
"""

from __future__ import annotations

import functools

import numpy as np
from numba import types

from ethnos_sim.simulator.custom_powers import compiling, game
from ethnos_sim.simulator.custom_powers.declaring import CustomPower
from ethnos_sim.simulator.records import HIDDEN_DTYPE, LOG_DTYPE, VIEW_DTYPE
from ethnos_sim.simulator.user_code.uncompiled import CheckedRecord, Namespaces, Uncompiled


def _new_game() -> CheckedRecord:
    """Room for what a power is shown, which it cannot write to."""
    array = np.zeros((), game.GAME_DTYPE)
    array.flags.writeable = False
    return CheckedRecord(array)


@functools.cache
def uncompiled(power: CustomPower) -> Uncompiled:
    """The power for the engine, uncompiled, made once a process; PowerError as `check`."""
    compiling.check(power)
    written = {game.new_game: _new_game, types.int64: int}
    namespaces = Namespaces(written, ("ethnos_sim.simulator.custom_powers.",))
    names = namespaces.names(compiling.generated_names(power))
    exec(compiling.generated_source(power), names)
    shown = {VIEW_DTYPE: True, HIDDEN_DTYPE: True, LOG_DTYPE: True}
    return Uncompiled(names["act"], power.functions.values(), shown)
