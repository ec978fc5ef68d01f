"""A linear value of the position after a move: parties, powers, markers, the next cards.

`weights` are a strategy's parameters, as `library.evaluator` declares them. Any strategy with
parameters of these names can use these functions. Values are in prestige.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ethnos_sim.simulator.compiler import inlined, kernel
from ethnos_sim.simulator.game import power_numbers as powers
from ethnos_sim.simulator.game.cards import ONE, bit, count, difference, lowest, popcount
from ethnos_sim.simulator.game.records import NONE, REGIONS
from ethnos_sim.simulator.kernel.clans import slot_of
from ethnos_sim.strategies.toolkit.choosing import best_of
from ethnos_sim.strategies.toolkit.clock import end_chance
from ethnos_sim.strategies.toolkit.groups import cards_in_hand, larger_group, party_of
from ethnos_sim.strategies.toolkit.moves import Party
from ethnos_sim.strategies.toolkit.parties import best_companion
from ethnos_sim.strategies.toolkit.position import markers_needed
from ethnos_sim.strategies.toolkit.prospects import firmness, marker_prospect, sea_prospect, unseen

#: The spaces of a usual move at sea.
USUAL_VOYAGE = 3

#: The firmness of a lead of one space at sea, in this age and in later ages.
SEA_FIRM = 0.15
SEA_FIRM_LATER = 0.07

#: A marker's gains in all regions are packed into one number. A gain is a multiple of GAIN_STEP
#: prestige, takes GAIN_BITS bits, and is at most GAIN_LIMIT steps.
GAIN_STEP = 0.125
GAIN_BITS = 10
GAIN_LIMIT = (1 << GAIN_BITS) - 1

#: The size of a party that is expected to keep the largest party token.
SAFE_SIZE = 5

#: Added to the chance that a card of a group comes in a turn, so that the expected wait is finite.
LEAST_LUCK = 0.01


class PowerWorths(NamedTuple):
    """The worth of each part of a leader's power in prestige, computed once for all parties.

    settlement       a new settlement marker
    draws            a drawn card
    coin             a point of a coin's value
    hold             a point of the largest party token's prestige at the age's end
    space, symbol    a space on the sea track, a passed symbol
    token            a point of a tie-break token's value
    free_token_mask  no worth: a bit for each value of a free tie-break token
    """

    settlement: float
    draws: float
    coin: float
    hold: float
    space: float
    symbol: float
    token: float
    free_token_mask: int


@kernel
def region_gains(view, cards, weights):
    """The packed worth of a marker in each region that is the color of one of the `cards`."""
    firm = firmness(view, weights.firm)
    gains = np.uint64(0)
    for region in range(REGIONS):
        if cards & view.color_cards[region] != np.uint64(0):
            prospect = marker_prospect(view, region, firm, weights.firm_later, weights.later)
            worth = weights.regions * prospect
            steps = min(max(np.int64(worth / GAIN_STEP + 0.5), 0), GAIN_LIMIT)
            gains |= np.uint64(steps) << np.uint64(GAIN_BITS * region)
    return gains


@kernel
def gain_in(gains, region):
    """The worth of a marker in a region, in prestige, from the packed gains of all regions.

    It is a multiple of 1/8, at most 127. Packed gains are read without a branch, unlike a tuple.
    """
    steps = (gains >> np.uint64(GAIN_BITS * region)) & np.uint64(GAIN_LIMIT)
    return np.int64(steps) * GAIN_STEP


@kernel
def gain_of_region(view, region, gains):
    """`gain_in` with the arguments that `best_of` passes."""
    return gain_in(gains, region)


@kernel
def gains_for_hand(view, weights):
    """The packed worth of a marker in each region where a leader in hand may place a marker."""
    anywhere = view.leaders & view.power_cards[powers.ANY_REGION]
    cards = view.all_cards if anywhere != np.uint64(0) else view.leaders
    return region_gains(view, cards, weights)


@kernel
def best_gain(gains):
    """The highest of the packed gains of all regions."""
    best = 0.0
    for region in range(REGIONS):
        best = max(best, gain_in(gains, region))
    return best


@kernel
def space_worth(view, weights):
    """The worth of a space on the sea track; 0 if no leader in hand moves on it."""
    if view.leaders & view.power_cards[powers.SEA_TRACK] == np.uint64(0):
        return 0.0
    voyage = sea_prospect(view, USUAL_VOYAGE, SEA_FIRM, SEA_FIRM_LATER, weights.later)
    return weights.sea * voyage / USUAL_VOYAGE


@kernel
def free_token_mask(view):
    """A mask with a bit for each value of a free tie-break token; 0 if no leader takes tokens."""
    values = np.uint64(0)
    if view.leaders & view.power_cards[powers.TIE_BREAK_TOKENS] != np.uint64(0):
        slot = slot_of(view, powers.TIE_BREAK_TOKENS)
        for i in range(view.rules.tie_break_tokens_count[slot]):
            if view.token_owner[slot, i] == NONE:
                values |= bit(view.rules.tie_break_tokens[slot, i])
    return values


@kernel
def power_worths(view, gains, weights):
    """The worth of each part of leaders' powers, by the weights and the packed gains of markers."""
    return PowerWorths(
        weights.settlement,
        weights.draws,
        weights.coin,
        weights.hold,
        space_worth(view, weights),
        best_gain(gains),
        weights.token,
        free_token_mask(view),
    )


@kernel
def largest_token_worth(view, slot, size, hold):
    """The worth of the largest party token of a clan (home slot: `slot`) with `size` cards."""
    if size <= view.largest_size[slot]:
        return 0.0
    later = 0.0
    if view.largest_holder[slot] != view.player:
        later = hold * view.rules.largest_age[slot, view.age - 1] / SAFE_SIZE
    return view.rules.largest_on_take[slot] + later * min(size, SAFE_SIZE)


@kernel
def coin_worth(view, slot, point_worth):
    """The worth of the next coin of a home slot's clan; 0 if no coin is left."""
    used = view.coins_used[slot]
    if used >= view.rules.coins_count[slot]:
        return 0.0
    return point_worth * view.rules.coins[slot, used]


@kernel
def sea_worth(view, slot, size, space, symbol):
    """The worth of a move of `size` spaces at sea, by the worth of a space and of a symbol."""
    space_now = np.int64(view.sea[slot, view.player])
    passed = 0
    for i in range(view.rules.sea_symbols_count[slot]):
        at = view.rules.sea_symbols[slot, i]
        passed += space_now < at and at <= space_now + size
    return space * min(size, view.rules.sea_last_space[slot] - space_now) + symbol * passed


@kernel
def highest_token(token_mask, size):
    """The highest value of a mask of tokens that a party of `size` cards may take; 0 if none."""
    token_mask &= (ONE << np.uint64(size + 1)) - ONE
    for shift in (1, 2, 4, 8):
        token_mask |= token_mask >> np.uint64(shift)
    return max(popcount(token_mask) - 1, 0)


@kernel
def power_worth(view, slot, color, size, worths):
    """The worth of a leader's power with `size` cards; `slot` is its clan's home slot."""
    power = view.power[slot]
    if power == powers.LARGEST_TOKEN:
        return largest_token_worth(view, slot, size, worths.hold)
    if power == powers.SETTLEMENT_BOARD:
        settled = view.settlements[slot, view.player]
        return worths.settlement * ((settled >> color) & 1 == 0)
    if power == powers.SEA_TRACK:
        return sea_worth(view, slot, size, worths.space, worths.symbol)
    if power == powers.COINS:
        return coin_worth(view, slot, worths.coin)
    if power == powers.TIE_BREAK_TOKENS:
        return worths.token * highest_token(worths.free_token_mask, size)
    if power == powers.DRAWS_CARDS:
        return worths.draws * size
    return 0.0


@kernel
def party_marker_worth(view, power, color, size, gains):
    """The worth of the marker of a party of `size` cards, and whether it places a marker."""
    if power == powers.NO_MARKER or view.supply[view.player] <= 0:
        return 0.0, False
    strength = size + (power == powers.ONE_CARD_FEWER)
    if power != powers.ANY_REGION:
        placed = strength >= markers_needed(view, color)
        return gain_in(gains, color) * placed, placed
    best = 0.0
    placed = False
    for region in range(REGIONS):
        if strength >= markers_needed(view, region):
            best = max(best, gain_in(gains, region))
            placed = True
    return best, placed


@kernel
def second_party_worth(view, once, twice, gains):
    """The worth, in points and marker, of the best second party that a set of cards can make."""
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
        value = float(view.rules.party_points[min(members + (power == powers.SCORES_LARGER), 6)])
        value += party_marker_worth(view, power, color, members + wild, gains)[0]
        best = max(best, value)
    return best


@kernel
def rest_worth(view, power, placed, size, once, twice, gains, weights):
    """The worth of the rest of the hand after a party: played next, kept or discarded."""
    cards = count(once, twice)
    if cards == 0:
        return 0.0
    if power == powers.SECOND_PARTY and placed:
        return weights.second * second_party_worth(view, once, twice, gains)
    if power == powers.KEEPS_CARDS:
        kept = min(cards, size)
        return weights.keep * kept - weights.discard * (cards - kept)
    return -weights.discard * cards


@kernel
def other_group(view, leader, mask):
    """The leader's color without wild cards if `mask` is its clan; its clan otherwise."""
    clan = view.clan_cards[leader // REGIONS]
    if mask == clan:
        return view.color_cards[leader % REGIONS] & ~view.wild_cards
    return clan


@inlined
def party_value(view, leader, once, twice, members, size, gains, worths, weights):
    """The worth of a party: points, marker, power, and the rest of the hand.

    `members` counts the party's cards without wild cards, `size` all its cards.
    """
    color = leader % REGIONS
    power = np.int64(view.power[leader // REGIONS])
    scored = min(members + (power == powers.SCORES_LARGER), 6)
    marker, placed = party_marker_worth(view, power, color, size, gains)
    value = view.rules.party_points[scored] + marker
    home = np.int64(view.home[leader // REGIONS])
    value += power_worth(view, home, color, size, worths)
    rest = difference(view.hand_once, view.hand_twice, once, twice)
    return value + rest_worth(view, power, placed, size, rest[0], rest[1], gains, weights)


@kernel
def most_valuable_party(view, gains, worths, weights):
    """The party with the highest value, and the value; the leader is -1 if no card can lead.

    Each leader is tried with its larger group and all wild cards. A leader whose power keeps the
    rest of the hand in play is also tried with the other group and without wild cards.
    """
    best = Party(np.int64(NONE), np.uint64(0), np.uint64(0), np.int64(0))
    best_value = -1e9
    wild = cards_in_hand(view, view.wild_cards)
    leaders = view.leaders
    while leaders != np.uint64(0):
        leader = lowest(leaders)
        leaders &= leaders - ONE
        power = np.int64(view.power[leader // REGIONS])
        mask, members = larger_group(view, leader)
        options = 1
        if power == powers.SECOND_PARTY or power == powers.KEEPS_CARDS:
            options = 4 if wild > 0 else 2
        for option in range(options):
            if option % 2 == 1:
                mask = other_group(view, leader, mask)
                members = cards_in_hand(view, mask)
            party = mask if option >= 2 else mask | view.wild_cards
            size = members if option >= 2 else members + wild
            once = view.hand_once & party
            twice = view.hand_twice & party
            value = party_value(view, leader, once, twice, members, size, gains, worths, weights)
            if value > best_value:
                best_value = value
                best = Party(leader, once, twice, size)
    return party_of(view, best.leader, best.once, best.twice), best_value


@kernel
def best_region(view, regions, weights):
    """The region of a mask where a marker is worth most."""
    return best_of(view, regions, gain_of_region, region_gains(view, view.all_cards, weights))[0]


@kernel
def group_prospects(view, mask, members, size, gains, worths):
    """The value of a group's best party after one more card, and after two more cards.

    If the hand has a single card of the group, the card's power is left out, which saves time;
    strategies then won as many games.
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
        scored = members + (power == powers.SCORES_LARGER)
        home = np.int64(view.home[leader // REGIONS])
        value = power_worth(view, home, color, size + 1, worths)
        marker, placed = party_marker_worth(view, power, color, size + 1, gains)
        one = max(one, value + marker + points[min(scored + 1, 6)])
        if not placed:
            marker = party_marker_worth(view, power, color, size + 2, gains)[0]
        two = max(two, value + marker + points[min(scored + 2, 6)])
    return one, two


@kernel
def best_recruit(view, cards, party_now, gains, worths, weights):
    """The best pool card of `cards`, the value of taking it, and the value of drawing a card.

    `party_now` is the worth of the best party now. A group's value is the worth of its party one or
    two cards later, if the age lasts, less `tempo` for each turn until then. The chance that a card
    from the deck belongs to a group is the group's share of the unseen cards.
    """
    wild = cards_in_hand(view, view.wild_cards)
    lasts = 1.0 - end_chance(view, weights.rush * view.hands)
    hidden = unseen(view)
    share = 1.0 / max(count(hidden.once, hidden.twice), 1)
    base = max(party_now * lasts, 0.0) - weights.tempo
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
            turns = 2.0 if lying >= 2 else 1.0 + 1.0 / (weights.luck * density + LEAST_LUCK)
            value = max(value, one * lasts - weights.tempo)
            value = max(value, two * max(1.0 - (1.0 - lasts) * turns, 0.0) - weights.tempo * turns)
        from_deck += density * value
        best_group = max(best_group, value)
        if cards & mask != np.uint64(0) and value > best_value:
            best_value = value
            best_mask = mask
    best = best_companion(view, cards & best_mask)
    wild_in_pool = cards & view.wild_cards
    if wild_in_pool != np.uint64(0) and best_group + weights.wild > best_value:
        best_value = best_group + weights.wild
        best = lowest(wild_in_pool)
    # Halve the sum, because every card counts in two groups: its color and its clan.
    return best, best_value, 0.5 * from_deck + weights.blind
