"""The worth of markers and parties over all awards to come, if rivals' markers stay as they are."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.cards import ONE, bit, lowest
from ethnos_sim.simulator.game.power_numbers import ANY_REGION, SCORES_LARGER
from ethnos_sim.simulator.game.records import NONE, REGIONS
from ethnos_sim.strategies.toolkit.choosing import best_of
from ethnos_sim.strategies.toolkit.groups import cards_in_hand, gather, larger_group
from ethnos_sim.strategies.toolkit.parties import power_prestige
from ethnos_sim.strategies.toolkit.position import marker_gain, region_open
from ethnos_sim.strategies.toolkit.prospects import marker_worth


@kernel
def contest_value(view, region, last_age):
    """A marker's prestige in a region now, times 128, plus the top token to break ties."""
    return 128 * marker_gain(view, region) + np.int64(view.prestige_tokens[region, last_age])


@kernel
def most_contested_region(view, regions):
    """The region of a bit mask where a marker adds the most prestige now.

    If gains are equal, the region with the higher top token is taken; if these are equal too, the
    first region.
    """
    return best_of(view, regions, contest_value, view.ages - 1)[0]


@kernel
def worthiest_region(view, regions, later):
    """The region of a bit mask where a marker is worth most, and the worth."""
    return best_of(view, regions, marker_worth, later)


@kernel
def open_to(view, power, size):
    """The mask of the regions where a party of `size` cards may place a marker by its power."""
    regions = np.uint64(0)
    for region in range(REGIONS):
        if region_open(view, region, power, size):
            regions |= bit(region)
    return regions


@kernel
def worth_without_marker(view, leader, members, size):
    """The worth of a party without its marker: its points and the prestige of its power."""
    power = np.int64(view.power[leader // REGIONS])
    scored = min(members + (power == SCORES_LARGER), 6)
    value = float(view.rules.party_points[scored])
    return value + power_prestige(view, leader // REGIONS, leader % REGIONS, size)


@kernel
def party_worth(view, leader, members, size, worth, later):
    """The worth of a party: its points, its power's prestige and its marker.

    `worth` is the worth of a marker in the leader's region.
    """
    power = np.int64(view.power[leader // REGIONS])
    value = worth_without_marker(view, leader, members, size)
    if power == ANY_REGION:
        regions = open_to(view, power, size)
        if regions != np.uint64(0):
            value += worthiest_region(view, regions, later)[1]
    elif region_open(view, leader % REGIONS, power, size):
        value += worth
    return value


@kernel
def led_party_worth(view, leader, weight, later):
    """The worth of the party of a leader's larger group with all wild cards.

    A marker in the leader's region counts `weight` times.
    """
    members = larger_group(view, leader)[1]
    size = members + cards_in_hand(view, view.wild_cards)
    worth = weight * marker_worth(view, leader % REGIONS, later)
    return party_worth(view, leader, members, size, worth, later)


@kernel
def worthiest_party(view, later, weight):
    """The party of most worth in hand, and the worth; the leader is -1 if no card can lead.

    A marker in the leader's own region counts `weight` times.
    """
    best = np.int64(NONE)
    best_mask = np.uint64(0)
    best_value = -1e9
    wild = cards_in_hand(view, view.wild_cards)
    for color in range(REGIONS):
        leaders = view.leaders & view.color_cards[color]
        worth = weight * marker_worth(view, color, later) if leaders != np.uint64(0) else 0.0
        while leaders != np.uint64(0):
            leader = lowest(leaders)
            leaders &= leaders - ONE
            mask, members = larger_group(view, leader)
            value = party_worth(view, leader, members, members + wild, worth, later)
            if value > best_value:
                best_value = value
                best = leader
                best_mask = mask
    return gather(view, best, best_mask), best_value
