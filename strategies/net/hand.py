"""The net's inputs for a hand: its groups, the parties that they make, and fitting pool cards."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ethnos_sim.simulator.compiler import uncounted
from ethnos_sim.simulator.game.cards import ONE, bit, count, lowest
from ethnos_sim.simulator.game.power_numbers import ANY_REGION, WILD
from ethnos_sim.simulator.game.records import NONE, POWERS, REGIONS
from ethnos_sim.strategies.net import layout as at
from ethnos_sim.strategies.net.facts import (
    GAINS,
    NEEDED,
    PAYS,
    marker_strength,
    power_worth,
)
from ethnos_sim.strategies.net.inputs import clamp, put
from ethnos_sim.strategies.net.quantisation import FINE, MANY, SET, SOME, WORTH_STEPS, whole_steps
from ethnos_sim.strategies.net.vectors import step_index
from ethnos_sim.strategies.toolkit.prospects import unseen_cards


class Hand(NamedTuple):
    """The counts of a hand's cards.

    once    the bit mask of the cards in hand, without second copies
    cards   the number of cards
    wild    the number of wild cards
    clans   the number of cards of each clan, packed by home slot in 8 bits each
    colors  the number of cards of each color without wild cards, packed in 8 bits each
    """

    once: int
    cards: int
    wild: int
    clans: int
    colors: int


@uncounted
def count_hand(view, once, twice):
    """The counts of the cards of a hand (`Hand`), which is given as two bit masks."""
    clans = np.uint64(0)
    colors = np.uint64(0)
    if once == np.uint64(0):
        return Hand(once, np.int64(0), np.int64(0), clans, colors)
    for slot in range(view.slots):
        mask = view.clan_cards[slot]
        clans |= np.uint64(count(once & mask, twice & mask)) << np.uint64(8 * view.home[slot])
    for region in range(REGIONS):
        mask = view.color_cards[region] & ~view.wild_cards
        colors |= np.uint64(count(once & mask, twice & mask)) << np.uint64(8 * region)
    wild = count(once & view.wild_cards, twice & view.wild_cards)
    return Hand(once, count(once, twice), wild, clans, colors)


@uncounted
def hand_with_card(view, hand, card):
    """The hand with one more card."""
    plane = bit(card)
    clans = hand.clans + (ONE << np.uint64(8 * view.home[card // REGIONS]))
    wild = plane & view.wild_cards != np.uint64(0)
    color = np.uint64(not wild) << np.uint64(8 * (card % REGIONS))
    return Hand(hand.once | plane, hand.cards + 1, hand.wild + wild, clans, hand.colors + color)


@uncounted
def clan_count(hand, home):
    """The number of a clan's cards in a hand, by the clan's home slot; 0 for other slots."""
    return np.int64((hand.clans >> np.uint64(8 * home)) & np.uint64(255))


@uncounted
def color_count(hand, color):
    """The number of a color's cards in a hand, without wild cards."""
    return np.int64((hand.colors >> np.uint64(8 * color)) & np.uint64(255))


@uncounted
def marker_worth(facts, power, color, strength):
    """The worth of the best marker that a party of this `marker_strength` may place, or 0."""
    worth = float(facts[GAINS + color]) * (strength >= np.int64(facts[NEEDED + color]))
    if power == ANY_REGION:
        for region in range(REGIONS):
            if strength >= np.int64(facts[NEEDED + region]):
                worth = max(worth, float(facts[GAINS + region]))
    return worth


@uncounted
def visible_hand_size(size, cards, limit):
    """The hand size that the net sees if the hand limit is not the printed limit of ten.

    The net sees a full hand as ten cards, and a hand with room for one more card as nine.
    """
    if cards >= limit - 1:
        return at.LARGEST_HAND - (cards < limit)
    return min(size, at.LARGEST_HAND - 2)


@uncounted
def put_hand(view, facts, hand, drawn, pool_once, pool_twice, inputs, end, hand_inputs):
    """Append the inputs of a hand, of `drawn` more cards from the deck, and of the pool.

    Two inputs for each region go to `hand_inputs`: how many cards of its color the hand has, and
    the highest `marker_strength` of a party there, less the strength that a marker needs.
    """
    size = min(hand.cards + drawn, at.LARGEST_HAND)
    if view.rules.hand_limit != at.LARGEST_HAND:
        size = visible_hand_size(size, hand.cards + drawn, np.int64(view.rules.hand_limit))
    end = put(inputs, end, at.HAND_SIZE + size, SET)
    if drawn > 0:
        end = put(inputs, end, at.UNKNOWN + min(drawn, 7) - 1, SET)
    end = put(inputs, end, at.POOL, min(count(pool_once, pool_twice), MANY))
    wild_pool = count(pool_once & view.wild_cards, pool_twice & view.wild_cards)
    if wild_pool > 0:
        end = put(inputs, end, at.POOL + 1, min(wild_pool, SOME))
    if hand.once == np.uint64(0):
        end = put(inputs, end, at.CLAN_GROUP, SET)
        end = put(inputs, end, at.COLOR_GROUP, SET)
        end = put(inputs, end, at.WORTH_STEP, SET)
        for region in range(REGIONS):
            hand_inputs[2 * region] = at.COLOR_CARDS
            hand_inputs[2 * region + 1] = at.REACH
        return end
    best_clan = np.int64(0)
    for slot in range(view.slots):
        held = clan_count(hand, slot)
        if held > 0:
            power = np.int64(view.power[slot])
            index = at.CLAN_CARDS + power * at.LARGEST_COUNT + min(held, at.LARGEST_COUNT) - 1
            if power < POWERS:  # a custom power has no inputs of its own
                end = put(inputs, end, index, np.int64(facts[PAYS + slot]))
            if power != WILD:
                best_clan = max(best_clan, held)
    best_color = np.int64(0)
    for region in range(REGIONS):
        held = color_count(hand, region)
        best_color = max(best_color, held)
        hand_inputs[2 * region] = at.COLOR_CARDS + min(held, at.LARGEST_COUNT)
        hand_inputs[2 * region + 1] = 0
    group = at.CLAN_GROUP + min(best_clan + hand.wild, at.LARGEST_GROUP)
    end = put(inputs, end, group, SET)
    group = at.COLOR_GROUP + min(best_color + hand.wild, at.LARGEST_GROUP)
    end = put(inputs, end, group, SET)
    return put_party_worths(view, facts, hand, pool_once, pool_twice, inputs, end, hand_inputs)


@uncounted
def put_fitting_cards(view, mask, pool_once, pool_twice, inputs, end):
    """Append how many cards of a mask are in the pool, and how many of them nobody has seen."""
    fitting = count(pool_once & mask, pool_twice & mask)
    end = put(inputs, end, at.POOL + 2, min(fitting, SOME))
    return put(inputs, end, at.OUTS, min(unseen_cards(view, mask), MANY))


@uncounted
def put_party_worths(view, facts, hand, pool_once, pool_twice, inputs, end, hand_inputs):
    """Append the worths of a hand's two best parties, and of its best party after one more card.

    Also write the REACH input of each region to `hand_inputs`.
    """
    points = view.rules.party_points
    wild = hand.wild
    scored_wild = wild * (view.unscored_cards == np.uint64(0))
    limit = np.int64(view.rules.party_limit)
    best = 0.0
    second = 0.0
    more = 0.0
    best_mask = np.uint64(0)
    best_slot = np.int64(NONE)
    anywhere = np.int64(0)  # the best strength of a leader that may choose any region
    leaders = hand.once & view.may_lead
    while leaders != np.uint64(0):
        leader = lowest(leaders)
        leaders &= leaders - ONE
        slot = leader // REGIONS
        color = leader - slot * REGIONS
        power = np.int64(view.power[slot])
        members = clan_count(hand, view.home[slot])
        by_color = color_count(hand, color)
        mask = view.clan_cards[slot]
        if by_color > members:
            members = by_color
            mask = view.color_cards[color]
        size = min(members + wild, limit)
        strength = marker_strength(view, slot, size)
        hand_inputs[2 * color + 1] = max(hand_inputs[2 * color + 1], strength)
        if power == ANY_REGION:
            anywhere = max(anywhere, strength)
        scored = min(members + scored_wild, limit) + np.int64(view.rules.score_bonus[slot])
        worth = power_worth(facts, slot, color, size)
        brought = points[min(scored, 6)] + worth + marker_worth(facts, power, color, strength)
        grown = points[min(scored + 1, 6)] + worth + marker_worth(facts, power, color, strength + 1)
        more = max(more, grown)
        if brought > best:
            if mask != best_mask:
                second = best
            best = brought
            best_mask = mask
            best_slot = np.int64(slot)
        elif brought > second and mask != best_mask:
            second = brought
    end = put(inputs, end, at.WORTH, whole_steps(best * WORTH_STEPS, FINE))
    end = put(inputs, end, at.WORTH + 1, whole_steps(second * WORTH_STEPS, FINE))
    end = put(inputs, end, at.WORTH + 2, whole_steps(more * WORTH_STEPS, FINE))
    end = put(inputs, end, at.WORTH_STEP + step_index(best, at.WORTH_STEPS), SET)
    if best_slot != NONE:
        power = np.int64(view.power[best_slot])
        if power < POWERS:
            end = put(inputs, end, at.BEST_POWER + power, np.int64(facts[PAYS + best_slot]))
        wanted = best_mask | view.wild_cards
        end = put_fitting_cards(view, wanted, pool_once, pool_twice, inputs, end)
    for region in range(REGIONS):  # replace each strength by the input of REACH for it
        strength = max(hand_inputs[2 * region + 1], anywhere)
        short = clamp(strength - np.int64(facts[NEEDED + region]), -3, 2)
        hand_inputs[2 * region + 1] = at.REACH + (4 + short) * (strength > 0)
    return end
