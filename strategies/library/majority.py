"""Majority: markers where they move awards, now and in the ages to come."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.cards import ONE, bit, lowest
from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.records import NONE, REGIONS
from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.toolkit import (
    cards_in_hand,
    decline,
    draw,
    fitting_pool_card,
    gather,
    hand_is_full,
    larger_group,
    last_dragon_next,
    marker_worth,
    play,
    power_prestige,
    region_open,
    take,
)

ANY_REGION = int(Power.ANY_REGION)
SCORES_LARGER = int(Power.SCORES_LARGER)


@kernel
def worthiest_region(view, regions, later):
    """Of a bit mask of regions the one where a marker is worth most, and that worth."""
    best = np.int64(NONE)
    best_worth = -1.0
    while regions != np.uint64(0):
        region = lowest(regions)
        regions &= regions - ONE
        worth = marker_worth(view, region, later)
        if worth > best_worth:
            best_worth = worth
            best = region
    return best, best_worth


@kernel
def party_worth(view, leader, members, size, worth, later):
    """A party's points, its power's prestige and what its marker is worth (`worth` at home)."""
    power = np.int64(view.power[leader // REGIONS])
    scored = min(members + (power == SCORES_LARGER), 6)
    value = float(view.rules.party_points[scored])
    value += power_prestige(view, power, leader % REGIONS, size)
    if power == ANY_REGION:
        regions = np.uint64(0)
        for region in range(REGIONS):
            if region_open(view, region, power, size):
                regions |= bit(region)
        if regions != np.uint64(0):
            value += worthiest_region(view, regions, later)[1]
    elif region_open(view, leader % REGIONS, power, size):
        value += worth
    return value


@kernel
def worthiest_party(view, later):
    """The hand's party of most worth (leader -1 where none can lead), and that worth."""
    best = np.int64(NONE)
    best_mask = np.uint64(0)
    best_value = -1e9
    wild = cards_in_hand(view, view.wild_cards)
    for color in range(REGIONS):
        leaders = view.leaders & view.color_cards[color]
        worth = marker_worth(view, color, later) if leaders != np.uint64(0) else 0.0
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


@strategy(
    Parameter("patience", 6, 0, 30, "worth that a party from an empty hand would need"),
    Parameter("pace", 0.5, 0, 5, "worth more that it needs for every card in hand"),
    Parameter("later", 0.75, 0, 1, "weight of the next age's awards, and again of the one after"),
    looks_at_rivals=True,
)
def majority(view, parameters):
    """Fights for regions with an eye on every award that is still to come.

    A marker stays for the rest of the game, so it is worth what it adds to this age's award and,
    weighted, to each later one, against the rivals that stand there. Parties are valued that way;
    markers that can be placed freely go where they are worth most. It contests what one marker
    more can take and leaves alone what is lost. Area-majority play as in El Grande's family.

    Bad at: surprises. It takes rivals' markers as they stand, so it defends nothing before it is
    attacked, and it starts no region that needs two markers to pay.
    """
    party, worth = worthiest_party(view, parameters.later)
    if party.leader >= 0:
        need = parameters.patience + parameters.pace * view.hand_cards[view.player]
        if worth >= need or hand_is_full(view) or (last_dragon_next(view) and worth > 0):
            return play(party)
    card, companions = fitting_pool_card(view)
    if companions > 0:
        return take(card)
    return draw()


@majority.second_party
def any_worthy_party(view, parameters):
    """A second party costs no turn, so any worth will do."""
    party, worth = worthiest_party(view, parameters.later)
    if worth > 0:
        return play(party)
    return decline()


@majority.region
def where_it_pays(view, parameters):
    """The open region where the marker is worth most."""
    return worthiest_region(view, view.options, parameters.later)[0]


@majority.sea_region
def where_a_free_marker_pays(view, parameters):
    """The region where the marker is worth most."""
    return worthiest_region(view, view.options, parameters.later)[0]
