"""Numbers of a decision that all of its moves share: scores, awards, gains of markers, gifts."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.cards import ONE, count, lowest, popcount
from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.kernel.clans import slot_of
from ethnos_sim.simulator.power_numbers import LARGEST_TOKEN, SEA_TRACK, SETTLEMENT_BOARD
from ethnos_sim.simulator.records import MAX_PLAYERS, MAX_SLOTS, NONE, REGIONS
from ethnos_sim.strategies.toolkit.denial import gift, known_companions, next_player
from ethnos_sim.strategies.toolkit.outlook import unseen
from ethnos_sim.strategies.toolkit.position import markers_needed
from ethnos_sim.strategies.toolkit.prospects import (
    firmness,
    marker_prospect_from,
    region_award,
    sea_awards,
)

#: How firm a lead is for a marker's worth (the evaluator's defaults).
FIRM = 0.13
FIRM_LATER = 0.22
LATER = 0.43

# Numbers of a decision that all of its moves share, in one array: prestige with and without awards
# by player, awards by region and player, gains of a marker and cards it needs by region, unseen
# cards by color and by slot, and what the pool would give the next player: most companions, the
# card that has them, most of another card.
TOTALS = 0
BANKED = TOTALS + MAX_PLAYERS
REGION_AWARDS = BANKED + MAX_PLAYERS
GAINS = REGION_AWARDS + REGIONS * MAX_PLAYERS
NEEDED = GAINS + REGIONS
UNSEEN = NEEDED + REGIONS
GIFTS = UNSEEN + REGIONS + MAX_SLOTS
SHARED = GIFTS + 3

#: Room for the numbers that all moves share, and behind them one region's new awards.
SHARED_ROOM = SHARED + MAX_PLAYERS

#: Markers in a region from which players are counted alike; a one in each four bits.
MANY = 15
FOUR_BITS = np.uint64(MANY)
EACH = np.uint64(0x1111111111111111)


@kernel
def share_awards(view, region, own, coins, shared, first):
    """Each player's award in a region if the age ended now, the acting player having `own` there.

    Written to `shared` from `first` on. Tie-break tokens are left out.
    """
    if own == 0 and view.most_markers[region] == 0:
        for player in range(view.players):
            shared[first + player] = 0.0
        return
    age = np.int64(view.age)
    equal = np.uint64(0)  # four bits a number of markers: players who have it, who have more
    more = np.uint64(0)
    for player in range(view.players):
        shift = np.uint64(4 * markers_of(view, region, player, own))
        equal += ONE << shift
        more += EACH & ((ONE << shift) - ONE)
    for player in range(view.players):
        mine = markers_of(view, region, player, own)
        award = 0.0
        if mine > 0:
            shift = np.uint64(4 * mine)
            above = np.int64((more >> shift) & FOUR_BITS)
            tied = np.int64((equal >> shift) & FOUR_BITS)
            award = coins * (above == 0)
            for place in range(above, min(above + tied, age)):
                award += region_award(view, region, age, place)
            if view.players == 2 and age == view.ages and above == 0:
                award = coins + region_award(view, region, age, 0)
                if equal & FOUR_BITS == ONE:
                    award += view.prestige_tokens[region, 0]
            award /= tied
        shared[first + player] = award


@kernel
def markers_of(view, region, player, own):
    """A player's markers in a region, 15 for more; the acting player has `own`."""
    markers = own if player == view.player else np.int64(view.markers[region, player])
    return min(markers, MANY)


@kernel
def sea_award(view, player, own):
    """A player's award at sea if the age ended now, the acting player being at `own`."""
    if view.slot_of_power[SEA_TRACK] == NONE:
        return 0.0
    slot = slot_of(view, SEA_TRACK)
    mine = own if player == view.player else np.int64(view.sea[slot, player])
    if mine == 0:
        return 0.0
    above = 0
    tied = 0
    for rival in range(view.players):
        theirs = own if rival == view.player else np.int64(view.sea[slot, rival])
        above += theirs > mine
        tied += theirs == mine
    first, second, third = sea_awards(view, np.int64(view.age))
    award = first * (above == 0)
    award += second * ((above <= 1) & (above + tied > 1))
    award += third * ((above <= 2) & (above + tied > 2))
    return award / tied


@kernel
def share_numbers(view, shared):
    """Work out the numbers that all moves of a decision share."""
    player = view.player
    firm = firmness(view, FIRM)
    sea = slot_of(view, SEA_TRACK)
    board = slot_of(view, SETTLEMENT_BOARD)
    largest = slot_of(view, LARGEST_TOKEN)
    for other in range(view.players):
        banked = float(view.prestige[other]) + view.party_points[other]
        banked += view.rules.settlement[board, popcount(np.uint64(view.settlements[board, other]))]
        if view.largest_holder[largest] == other:
            banked += view.rules.largest_age[largest, view.age - 1]
        shared[BANKED + other] = banked
        shared[TOTALS + other] = banked + sea_award(view, other, np.int64(view.sea[sea, player]))
    for region in range(REGIONS):
        own = np.int64(view.markers[region, player])
        awards = REGION_AWARDS + region * MAX_PLAYERS
        share_awards(view, region, own, float(view.coins_on_region[region]), shared, awards)
        for other in range(view.players):
            shared[TOTALS + other] += shared[awards + other]
        gain = marker_prospect_from(view, region, own, firm, FIRM_LATER, LATER)
        shared[GAINS + region] = gain
        shared[NEEDED + region] = markers_needed(view, region)
    hidden = unseen(view)
    for i in range(REGIONS + view.slots):
        mask = view.color_cards[i] if i < REGIONS else view.clan_cards[i - REGIONS]
        mask |= view.wild_cards
        shared[UNSEEN + i] = count(hidden.once & mask, hidden.twice & mask)
    share_gifts(view, shared)


@kernel
def share_gifts(view, shared):
    """Work out which card of the pool has the most known companions in the next player's hand."""
    following = next_player(view)
    best = np.int64(0)
    second = np.int64(0)
    best_card = np.int64(NONE)
    if view.known_once[following] != np.uint64(0):
        left = view.pool_once
        while left != np.uint64(0):
            card = lowest(left)
            left &= left - ONE
            companions = known_companions(view, following, card)
            if companions > best:
                second = best
                best = companions
                best_card = card
            else:
                second = max(second, companions)
    shared[GIFTS] = best
    shared[GIFTS + 1] = best_card
    shared[GIFTS + 2] = second


@kernel
def gift_after(view, shared, pool_once):
    """What the pool, as it is after a move, would give the next player: companions of a card."""
    best_card = np.int64(shared[GIFTS + 1])
    most = np.int64(shared[GIFTS])
    if best_card != NONE and (pool_once >> np.uint64(best_card)) & ONE == np.uint64(0):
        most = np.int64(shared[GIFTS + 2])
    return max(most, gift(view, pool_once & ~view.pool_once))


@kernel
def share_new_awards(view, shared, after):
    """Work out awards in the region where a move places a marker, behind the shared numbers."""
    region = after.region
    if region == NONE:
        return
    own = np.int64(view.markers[region, view.player]) + 1
    coins = float(view.coins_on_region[region])
    if after.coin_color == region:
        coins += after.coin
    share_awards(view, region, own, coins, shared, SHARED)
