"""Regions between two sides: what a marker brings, and what it takes from the rival."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compilation import kernel


@kernel
def duel_award(view, region, own, rival, age):
    """Prestige from a region to a side with `own` markers against `rival`, at the end of an age.

    With two sides only the first place scores; alone in the last age it takes every award.
    """
    if own <= 0 or own < rival:
        return 0.0
    award = np.int64(view.prestige_tokens[region, age - 1])
    if age == view.age:
        award += view.coins_on_region[region]
    if own == rival:
        return award / 2
    if rival == 0 and age == view.ages:
        for place in range(age - 1):
            award += view.prestige_tokens[region, place]
    return float(award)


@kernel
def lead_worth(view, region, own, rival, later):
    """What a side's awards in a region exceed the other's by, the next age's counting `later`."""
    worth = 0.0
    weight = 1.0
    for age in range(view.age, view.ages + 1):
        gain = duel_award(view, region, own, rival, age)
        gain -= duel_award(view, region, rival, own, age)
        worth += weight * gain
        weight *= later
    return worth


@kernel
def swing(view, region, later):
    """What one more marker moves between the two sides in a region, over all awards to come."""
    player = np.int64(view.player)
    own = np.int64(view.markers[region, player])
    rival = np.int64(view.markers[region, 1 - player])
    after = lead_worth(view, region, own + 1, rival, later)
    return after - lead_worth(view, region, own, rival, later)
