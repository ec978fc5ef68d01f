"""What the next card is worth: the hand's groups with one and two cards more, and the time left."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.cards import ONE, count, lowest
from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.power_numbers import SCORES_LARGER
from ethnos_sim.simulator.records import REGIONS
from ethnos_sim.strategies.toolkit.clock import end_chance
from ethnos_sim.strategies.toolkit.evaluation import gain_in, marker_value, power_value
from ethnos_sim.strategies.toolkit.groups import cards_in_hand
from ethnos_sim.strategies.toolkit.outlook import unseen
from ethnos_sim.strategies.toolkit.parties import companion_of

#: The chance a turn for a card that cannot come, so that no wait is endless.
LEAST_LUCK = 0.01


@kernel
def group_prospects(view, mask, members, size, gains, worths):
    """The most that a group's leaders in hand make of it with one card more, and with two.

    For a card alone the leader's power is left out, which saves time and lost no games.
    """
    one = 0.0
    two = 0.0
    points = view.rules.party_points
    leaders = view.leaders & mask
    if members == 1 and leaders != np.uint64(0):
        gain = gain_in(gains, lowest(leaders) % REGIONS)
        return points[2] + gain, points[3] + gain
    while leaders != np.uint64(0):
        leader = lowest(leaders)
        leaders &= leaders - ONE
        color = leader % REGIONS
        power = np.int64(view.power[leader // REGIONS])
        scored = members + (power == SCORES_LARGER)
        home = np.int64(view.home[leader // REGIONS])
        value = power_value(view, home, color, size + 1, worths)
        marker, placed = marker_value(view, power, color, size + 1, gains)
        one = max(one, value + marker + points[min(scored + 1, 6)])
        if not placed:
            marker = marker_value(view, power, color, size + 2, gains)[0]
        two = max(two, value + marker + points[min(scored + 2, 6)])
    return one, two


@kernel
def best_recruit(view, wanted, ready, gains, worths, w):
    """The pool card to recruit of those `wanted`, what the position is worth after it, and blind.

    The last is what it is worth after a card from the deck.

    `ready` is what the best party is worth now. A group's value is that of its party one or two
    cards later, if the age lasts, less `tempo` for each turn until then; a card of the deck brings
    each group as often as its cards are unseen.
    """
    wild = cards_in_hand(view, view.wild_cards)
    lasts = 1.0 - end_chance(view, w.rush * view.hands)
    hidden = unseen(view)
    share = 1.0 / max(count(hidden.once, hidden.twice), 1)
    base = max(ready * lasts, 0.0) - w.tempo
    from_deck = 0.0
    best_mask = np.uint64(0)
    best_value = -1e9
    best_group = base
    previous = np.uint64(0)
    for i in range(REGIONS + view.slots):
        mask = view.color_cards[i] if i < REGIONS else view.clan_cards[i - REGIONS]
        mask &= ~view.wild_cards
        if mask == previous:  # the second slot of a clan with twice the cards
            continue
        previous = mask
        density = share * count(hidden.once & mask, hidden.twice & mask)
        lying = count(view.pool_once & mask, view.pool_twice & mask)
        members = cards_in_hand(view, mask)
        value = base
        if members > 0:
            one, two = group_prospects(view, mask, members, members + wild, gains, worths)
            turns = 2.0 if lying >= 2 else 1.0 + 1.0 / (w.luck * density + LEAST_LUCK)
            value = max(value, one * lasts - w.tempo)
            value = max(value, two * max(1.0 - (1.0 - lasts) * turns, 0.0) - w.tempo * turns)
        from_deck += density * value
        best_group = max(best_group, value)
        if wanted & mask != np.uint64(0) and value > best_value:
            best_value = value
            best_mask = mask
    best = companion_of(view, wanted & best_mask)
    wild_in_pool = wanted & view.wild_cards
    if wild_in_pool != np.uint64(0) and best_group + w.wild > best_value:
        best_value = best_group + w.wild
        best = lowest(wild_in_pool)
    # Every card has a color and a clan: it counts in two groups.
    return best, best_value, 0.5 * from_deck + w.blind
