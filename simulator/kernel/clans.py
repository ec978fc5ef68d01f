"""Find the slot that holds a clan's values, tracks, tokens and boards."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import inlined


@inlined
def slot_of(view, power):
    """The home slot of the first clan in play with a power; 0 if none is in play.

    In that case slot 0 has no track, token or board of the power.
    """
    return max(np.int64(view.slot_of_power[power]), np.int64(0))


@inlined
def is_home(view, slot, power):
    """Whether a clan with a power has its home at a slot."""
    return view.power[slot] == power and view.home[slot] == slot
