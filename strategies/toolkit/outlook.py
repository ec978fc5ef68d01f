"""Looking ahead: awards of later ages, cards that may still come, how long the age may last."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.cards import count, popcount
from ethnos_sim.simulator.compilation import kernel


@kernel
def award_at(view, region, markers, age):
    """Prestige from a region at the end of `age` if the player had `markers` there, rivals as now.

    Every rival counts, and ties share their places evenly, with fractions; tie-break tokens do not
    count, coins only in the age that is being played.
    """
    if markers <= 0:
        return 0.0
    above = np.int64(0)
    tied = np.int64(1)
    absent = np.int64(0)
    for rival in range(view.players):
        if rival != view.player:
            other = np.int64(view.markers[region, rival])
            above += other > markers
            tied += other == markers
            absent += other == 0
    award = np.int64(0)
    if above == 0 and age == view.age:
        award += view.coins_on_region[region]
    places = age
    if view.players == 2 and age == view.ages:
        places = age if absent else np.int64(1)
        tied += absent * (age - 1)
    for place in range(above, min(above + tied, places)):
        award += view.prestige_tokens[region, age - 1 - place]
    return award / tied


@kernel
def marker_worth(view, region, later):
    """What one more marker in a region adds to its awards: this age's, and `later` of each coming one's.

    `later` (0 to 1) is how much an award of a later age counts, since rivals can still answer.
    """
    own = np.int64(view.markers[region, view.player])
    age = np.int64(view.age)
    worth = award_at(view, region, own + 1, age) - award_at(view, region, own, age)
    weight = later
    for coming in range(age + 1, view.ages + 1):
        gain = award_at(view, region, own + 1, coming) - award_at(view, region, own, coming)
        worth += weight * gain
        weight *= later
    return worth


@kernel
def draws_left(view):
    """How many ally cards will leave the deck before the last dragon does, on average.

    The dragons lie somewhere in the bottom half, so of n ally cards among k dragons n * k / (k + 1)
    come before the last one (rules: "Three ages"; ruling R2).
    """
    dealt = view.players + view.rules.first_pool
    deck = popcount(view.all_cards) * view.rules.copies - dealt
    bottom = (deck + 1) // 2 + view.rules.dragons
    dragons = np.int64(view.rules.dragons - view.dragons_seen)
    top = max(view.deck_cards - bottom, 0)
    allies = min(np.int64(view.deck_cards), bottom) - dragons
    return top + allies * dragons / (dragons + 1)


@kernel
def unseen_cards(view, plane):
    """How many cards under a mask are in the deck or hidden in rivals' hands."""
    seen = count(view.hand_once & plane, view.hand_twice & plane)
    seen += count(view.pool_once & plane, view.pool_twice & plane)
    seen += count(view.played_once & plane, view.played_twice & plane)
    for rival in range(view.players):
        if rival != view.player:
            once = view.known_once[rival] & plane
            seen += count(once, view.known_twice[rival] & plane)
    return popcount(plane) * view.rules.copies - seen
