"""Looking ahead: awards of later ages, and cards that may still come."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.cards import count
from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.kernel.deal import unseen_planes
from ethnos_sim.strategies.toolkit.moves import Cards


@kernel
def award_at(view, region, markers, age):
    """Prestige from a region at the end of an age, if the player had `markers` and rivals as now.

    Every rival counts and ties share their places in fractions. Tie-break tokens are left out, and
    coins count in the current age only.
    """
    if markers <= 0:
        return 0.0
    above = np.int64(0)
    tied = np.int64(1)
    alone = True
    for rival in range(view.players):
        if rival != view.player:
            other = np.int64(view.markers[region, rival])
            above += other > markers
            tied += other == markers
            alone &= other == 0
    award = np.int64(0)
    if above == 0 and age == view.age:
        award += view.coins_on_region[region]
    places = min(above + tied, age)
    if view.players == 2 and age == view.ages:
        # The first place takes the highest award alone, and all of them where nobody else is.
        places = age if alone else np.int64(1)
    for place in range(above, places):
        award += view.prestige_tokens[region, age - 1 - place]
    return award / tied


@kernel
def marker_worth(view, region, later):
    """What one more marker in a region adds to its awards, if rivals placed no more.

    This age's award counts in full, the next one's `later` (0 to 1) of it, and so on.
    """
    own = np.int64(view.markers[region, view.player])
    worth = 0.0
    weight = 1.0
    for age in range(view.age, view.ages + 1):
        gain = award_at(view, region, own + 1, age) - award_at(view, region, own, age)
        worth += weight * gain
        weight *= later
    return worth


@kernel
def unseen(view):
    """The cards that lie in the deck or unseen in rivals' hands."""
    once, twice = unseen_planes(view)
    return Cards(once, twice)


@kernel
def unseen_cards(view, mask):
    """How many cards under a mask lie in the deck or unseen in rivals' hands."""
    cards = unseen(view)
    return count(cards.once & mask, cards.twice & mask)
