"""Clans by slot: where the values, tracks, tokens and boards of a clan stand."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import inlined


@inlined
def slot_of(view, power):
    """The home slot of the first clan in play with a power; 0 where none is in play.

    What stands there is then nothing: no track, no token and no board of that power.
    """
    return max(np.int64(view.slot_of_power[power]), np.int64(0))


@inlined
def is_home(view, slot, power):
    """Whether a clan with a power has its home at a slot."""
    return view.power[slot] == power and view.home[slot] == slot
