"""Find a clan's home slot, which holds its values, tracks, tokens and boards."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import inlined


@inlined
def slot_of(view, power):
    """The home slot of the first clan in play with a power.

    It is 0 if there is no such clan; the power's tracks, tokens and boards are empty at slot 0.
    """
    return max(np.int64(view.slot_of_power[power]), np.int64(0))


@inlined
def is_home(view, slot, power):
    """Whether a slot is the home of a clan with a power."""
    return view.power[slot] == power and view.home[slot] == slot
