"""A linear value of the position after a move: parties, powers, markers, the hand's future.

The weights `w` are a strategy's parameters, as `library.evaluator` declares them, so that any
strategy with parameters of these names can use what stands here. Values are in prestige.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ethnos_sim.simulator.cards import ONE, count, difference, lowest
from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.records import NONE, REGIONS
from ethnos_sim.strategies.toolkit.groups import cards_in_hand, larger_group
from ethnos_sim.strategies.toolkit.moves import Party
from ethnos_sim.strategies.toolkit.position import markers_needed
from ethnos_sim.strategies.toolkit.prospects import firmness, marker_prospect, sea_prospect

ANY_REGION = int(Power.ANY_REGION)
COINS = int(Power.COINS)
DRAWS_CARDS = int(Power.DRAWS_CARDS)
KEEPS_CARDS = int(Power.KEEPS_CARDS)
LARGEST_TOKEN = int(Power.LARGEST_TOKEN)
NO_MARKER = int(Power.NO_MARKER)
ONE_CARD_FEWER = int(Power.ONE_CARD_FEWER)
SCORES_LARGER = int(Power.SCORES_LARGER)
SEA_TRACK = int(Power.SEA_TRACK)
SECOND_PARTY = int(Power.SECOND_PARTY)
SETTLEMENT_BOARD = int(Power.SETTLEMENT_BOARD)
TIE_BREAK_TOKENS = int(Power.TIE_BREAK_TOKENS)

#: A usual party at sea, and how firm a lead of one space is, in this age and later.
USUAL_VOYAGE = 3
SEA_FIRM = 0.15
SEA_FIRM_LATER = 0.07

#: The size from which the largest party token is expected to stay.
SAFE_SIZE = 5


class PowerWorths(NamedTuple):
    """What the leaders' powers are worth: weights as declared, and a space on the sea track."""

    hold: float
    settlement: float
    space: float
    coin: float
    token: float
    draws: float


@kernel
def region_gain(view, region, wanted, firm, w):
    """What a marker in a region is worth; 0, and not looked at, where no card of `wanted` lies."""
    if wanted & view.color_cards[region] == np.uint64(0):
        return 0.0
    return w.regions * marker_prospect(view, region, firm, w.firm_later, w.later)


@kernel
def region_gains(view, wanted, w):
    """What a marker is worth in each region that has a card of a plane (six numbers)."""
    firm = firmness(view, w.firm)
    return (
        region_gain(view, 0, wanted, firm, w),
        region_gain(view, 1, wanted, firm, w),
        region_gain(view, 2, wanted, firm, w),
        region_gain(view, 3, wanted, firm, w),
        region_gain(view, 4, wanted, firm, w),
        region_gain(view, 5, wanted, firm, w),
    )


@kernel
def cards_of_power(view, power):
    """The cards of the clan with a power; none where it is not in play."""
    slot = view.slot_of_power[power]
    return view.clan_cards[slot] if slot != NONE else np.uint64(0)


@kernel
def gains_for_hand(view, w):
    """What a marker is worth in each region that the hand's leaders can reach (six numbers)."""
    anywhere = cards_of_power(view, SEA_TRACK) | cards_of_power(view, ANY_REGION)
    wanted = view.all_cards if view.leaders & anywhere != np.uint64(0) else view.leaders
    return region_gains(view, wanted, w)


@kernel
def best_gain(gains):
    """The highest of six gains."""
    best = gains[0]
    for region in range(1, REGIONS):
        best = max(best, gains[region])
    return best


@kernel
def power_worths(view, w):
    """The weights of the leaders' powers; a space at sea is worth 0 without a leader for it."""
    space = 0.0
    if view.leaders & cards_of_power(view, SEA_TRACK) != np.uint64(0):
        voyage = sea_prospect(view, USUAL_VOYAGE, SEA_FIRM, SEA_FIRM_LATER, w.later)
        space = w.sea * voyage / USUAL_VOYAGE
    return PowerWorths(w.hold, w.settlement, space, w.coin, w.token, w.draws)


@kernel
def sea_value(view, size, gains, space):
    """A party's voyage: its spaces, and a marker in the best region for each symbol passed."""
    own = np.int64(view.sea[view.player])
    value = space * min(size, view.rules.sea_last_space - own)
    for i in range(view.rules.sea_symbol_count):
        symbol = view.rules.sea_symbols[i]
        if own < symbol and symbol <= own + size:
            value += best_gain(gains)
    return value


@kernel
def highest_token(view, size):
    """The highest tie-break token that a party of this size may take; 0 for none."""
    best = np.int64(0)
    for i in range(view.token_owner.size):
        value = np.int64(view.rules.tie_break_tokens[i])
        if view.token_owner[i] == NONE and value <= size:
            best = max(best, value)
    return best


@kernel
def power_value(view, power, color, size, gains, worths):
    """What a leader's power is worth with a party of this size."""
    if power == LARGEST_TOKEN:
        if size <= view.largest_size:
            return 0.0
        value = float(view.rules.largest_on_take)
        if view.largest_holder != view.player:
            age = view.rules.largest_age[view.age - 1]
            value += worths.hold * age * min(size, SAFE_SIZE) / SAFE_SIZE
        return value
    if power == SETTLEMENT_BOARD:
        return worths.settlement * ((view.settlements[view.player] >> color) & 1 == 0)
    if power == SEA_TRACK:
        return sea_value(view, size, gains, worths.space)
    if power == COINS and view.coins_used < view.rules.coin_count:
        return worths.coin * view.rules.coins[view.coins_used]
    if power == TIE_BREAK_TOKENS:
        return worths.token * highest_token(view, size)
    if power == DRAWS_CARDS:
        return worths.draws * size
    return 0.0


@kernel
def marker_value(view, power, color, size, gains):
    """What the marker of step 1 is worth, and whether the party places one."""
    if power == NO_MARKER or view.supply[view.player] <= 0:
        return 0.0, False
    strength = size + (power == ONE_CARD_FEWER)
    if power != ANY_REGION:
        placed = strength >= markers_needed(view, color)
        return gains[color] * placed, placed
    best = 0.0
    placed = False
    for region in range(REGIONS):
        if strength >= markers_needed(view, region) and (gains[region] > best or not placed):
            best = gains[region]
            placed = True
    return best, placed


@kernel
def follow_up(view, once, twice, gains):
    """Points and marker of the best party that some cards make after a second-party leader's."""
    best = 0.0
    wild = count(once & view.wild_cards, twice & view.wild_cards)
    left = once & view.leaders
    while left != np.uint64(0):
        leader = lowest(left)
        left &= left - ONE
        color = leader % REGIONS
        power = np.int64(view.power[leader // REGIONS])
        clan = view.clan_cards[leader // REGIONS]
        same = view.color_cards[color] & ~view.wild_cards
        members = max(count(once & clan, twice & clan), count(once & same, twice & same))
        value = float(view.rules.party_points[min(members + (power == SCORES_LARGER), 6)])
        value += marker_value(view, power, color, members + wild, gains)[0]
        best = max(best, value)
    return best


@kernel
def rest_value(view, power, placed, size, once, twice, gains, w):
    """What the hand's rest is worth after a party: played on, kept, or lost to the pool."""
    cards = count(once, twice)
    if cards == 0:
        return 0.0
    if power == SECOND_PARTY and placed:
        return w.second * follow_up(view, once, twice, gains)
    if power == KEEPS_CARDS:
        kept = min(cards, size)
        return w.keep * kept - w.discard * (cards - kept)
    return -w.discard * cards


@kernel
def other_group(view, leader, mask):
    """The leader's color without wild cards where the mask is its clan, else its clan."""
    clan = view.clan_cards[leader // REGIONS]
    if mask == clan:
        return view.color_cards[leader % REGIONS] & ~view.wild_cards
    return clan


@kernel
def best_play(view, gains, worths, w):
    """The party of most value (leader -1 where none can lead), and that value.

    Every leader with the larger of its groups and all wild cards; leaders that leave the rest of
    the hand in play also with the other group and without wild cards.
    """
    best = Party(np.int64(NONE), np.uint64(0), np.uint64(0), np.int64(0))
    best_value = -1e9
    wild = cards_in_hand(view, view.wild_cards)
    leaders = view.leaders
    while leaders != np.uint64(0):
        leader = lowest(leaders)
        leaders &= leaders - ONE
        color = leader % REGIONS
        power = np.int64(view.power[leader // REGIONS])
        mask, members = larger_group(view, leader)
        options = 1
        if power == SECOND_PARTY or power == KEEPS_CARDS:
            options = 4 if wild > 0 else 2
        for option in range(options):
            if option % 2 == 1:
                mask = other_group(view, leader, mask)
                members = cards_in_hand(view, mask)
            party = mask if option >= 2 else mask | view.wild_cards
            size = members if option >= 2 else members + wild
            scored = min(members + (power == SCORES_LARGER), 6)
            marker, placed = marker_value(view, power, color, size, gains)
            value = view.rules.party_points[scored] + marker
            value += power_value(view, power, color, size, gains, worths)
            once = view.hand_once & party
            twice = view.hand_twice & party
            rest = difference(view.hand_once, view.hand_twice, once, twice)
            value += rest_value(view, power, placed, size, rest[0], rest[1], gains, w)
            if value > best_value:
                best_value = value
                best = Party(leader, once, twice, size)
    return best, best_value


@kernel
def best_region(view, regions, w):
    """Of a bit mask of regions the one where a marker is worth most."""
    gains = region_gains(view, view.all_cards, w)
    best = np.int64(NONE)
    while regions != np.uint64(0):
        region = lowest(regions)
        regions &= regions - ONE
        if best == NONE or gains[region] > gains[best]:
            best = region
    return best
