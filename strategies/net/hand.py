"""The net's inputs for a hand: its groups, the parties they make, and fitting pool cards."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ethnos_sim.simulator.compiler import uncounted
from ethnos_sim.simulator.game.cards import ONE, bit, count, lowest
from ethnos_sim.simulator.game.power_numbers import ANY_REGION, WILD
from ethnos_sim.simulator.game.records import NONE, POWERS, REGIONS
from ethnos_sim.strategies.net import layout as at
from ethnos_sim.strategies.net.inputs import clamp, put
from ethnos_sim.strategies.net.quantised import (
    FINE,
    MANY,
    SET,
    SOME,
    WORTH_STEPS,
    steps,
)
from ethnos_sim.strategies.net.shared import (
    GAINS,
    NEEDED,
    PARTS,
    power_worth,
    strength_of,
)
from ethnos_sim.strategies.net.vectors import step_of
from ethnos_sim.strategies.toolkit.prospects import unseen_cards


class Hand(NamedTuple):
    """The counts of a hand's cards.

    once    the plane of the cards in hand, without second copies
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
def counted(view, once, twice):
    """Count the cards of a hand, given as two planes."""
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
def with_card(view, hand, card):
    """The hand with one more card."""
    plane = bit(card)
    clans = hand.clans + (ONE << np.uint64(8 * view.home[card // REGIONS]))
    wild = plane & view.wild_cards != np.uint64(0)
    color = np.uint64(not wild) << np.uint64(8 * (card % REGIONS))
    return Hand(hand.once | plane, hand.cards + 1, hand.wild + wild, clans, hand.colors + color)


@uncounted
def of_clan(hand, home):
    """The number of cards of a clan in a hand; 0 for a slot that is no clan's home."""
    return np.int64((hand.clans >> np.uint64(8 * home)) & np.uint64(255))


@uncounted
def of_color(hand, color):
    """The number of cards of a color in a hand, without wild cards."""
    return np.int64((hand.colors >> np.uint64(8 * color)) & np.uint64(255))


@uncounted
def marker_of(shared, power, color, strength):
    """The worth of the best marker that a party of strength `strength` may place; 0: no marker."""
    worth = float(shared[GAINS + color]) * (strength >= np.int64(shared[NEEDED + color]))
    if power == ANY_REGION:
        for region in range(REGIONS):
            if strength >= np.int64(shared[NEEDED + region]):
                worth = max(worth, float(shared[GAINS + region]))
    return worth


@uncounted
def hand_step(size, cards, limit):
    """The hand size that the net sees under a hand limit other than the printed limit of ten.

    The net sees a full hand as ten cards, and a hand with room for one more card as nine.
    """
    if cards >= limit - 1:
        return at.LARGEST_HAND - (cards < limit)
    return min(size, at.LARGEST_HAND - 2)


@uncounted
def put_hand(view, shared, hand, unknown, pool_once, pool_twice, listed, used, holding):
    """Append the inputs of a hand, its number of unknown cards and the pool; return `used`.

    Two inputs for each region go to `holding`: how many cards of its color the hand has, and
    how far the hand's best leader is above or below what a marker there needs.
    """
    size = min(hand.cards + unknown, at.LARGEST_HAND)
    if view.rules.hand_limit != at.LARGEST_HAND:
        size = hand_step(size, hand.cards + unknown, np.int64(view.rules.hand_limit))
    used = put(listed, used, at.HAND_SIZE + size, SET)
    if unknown > 0:
        used = put(listed, used, at.UNKNOWN + min(unknown, 7) - 1, SET)
    used = put(listed, used, at.POOL, min(count(pool_once, pool_twice), MANY))
    wild_pool = count(pool_once & view.wild_cards, pool_twice & view.wild_cards)
    if wild_pool > 0:
        used = put(listed, used, at.POOL + 1, min(wild_pool, SOME))
    if hand.once == np.uint64(0):
        used = put(listed, used, at.CLAN_GROUP, SET)
        used = put(listed, used, at.COLOR_GROUP, SET)
        used = put(listed, used, at.WORTH_STEP, SET)
        for region in range(REGIONS):
            holding[2 * region] = at.COLOR_CARDS
            holding[2 * region + 1] = at.REACH
        return used
    best_clan = np.int64(0)
    for slot in range(view.slots):
        held = of_clan(hand, slot)
        if held > 0:
            power = np.int64(view.power[slot])
            place = at.CLAN_CARDS + power * at.LARGEST_COUNT + min(held, at.LARGEST_COUNT) - 1
            if power < POWERS:  # a custom power has no inputs of its own
                used = put(listed, used, place, np.int64(shared[PARTS + slot]))
            if power != WILD:
                best_clan = max(best_clan, held)
    best_color = np.int64(0)
    for region in range(REGIONS):
        held = of_color(hand, region)
        best_color = max(best_color, held)
        holding[2 * region] = at.COLOR_CARDS + min(held, at.LARGEST_COUNT)
        holding[2 * region + 1] = 0
    group = at.CLAN_GROUP + min(best_clan + hand.wild, at.LARGEST_GROUP)
    used = put(listed, used, group, SET)
    group = at.COLOR_GROUP + min(best_color + hand.wild, at.LARGEST_GROUP)
    used = put(listed, used, group, SET)
    return put_worths(view, shared, hand, pool_once, pool_twice, listed, used, holding)


@uncounted
def put_fitting(view, wanted, pool_once, pool_twice, listed, used):
    """Append how many cards of `wanted` are in the pool, and how many nobody has seen."""
    fitting = count(pool_once & wanted, pool_twice & wanted)
    used = put(listed, used, at.POOL + 2, min(fitting, SOME))
    return put(listed, used, at.OUTS, min(unseen_cards(view, wanted), MANY))


@uncounted
def put_worths(view, shared, hand, pool_once, pool_twice, listed, used, holding):
    """Append the worths of a hand's two best parties, and of its best party after one more card.

    Also write the hand's reach in each region to `holding`.
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
        members = of_clan(hand, view.home[slot])
        by_color = of_color(hand, color)
        mask = view.clan_cards[slot]
        if by_color > members:
            members = by_color
            mask = view.color_cards[color]
        size = min(members + wild, limit)
        strength = strength_of(view, slot, size)
        holding[2 * color + 1] = max(holding[2 * color + 1], strength)
        if power == ANY_REGION:
            anywhere = max(anywhere, strength)
        scored = min(members + scored_wild, limit) + np.int64(view.rules.score_bonus[slot])
        worth = power_worth(shared, slot, color, size)
        brought = points[min(scored, 6)] + worth + marker_of(shared, power, color, strength)
        grown = points[min(scored + 1, 6)] + worth + marker_of(shared, power, color, strength + 1)
        more = max(more, grown)
        if brought > best:
            if mask != best_mask:
                second = best
            best = brought
            best_mask = mask
            best_slot = np.int64(slot)
        elif brought > second and mask != best_mask:
            second = brought
    used = put(listed, used, at.WORTH, steps(best * WORTH_STEPS, FINE))
    used = put(listed, used, at.WORTH + 1, steps(second * WORTH_STEPS, FINE))
    used = put(listed, used, at.WORTH + 2, steps(more * WORTH_STEPS, FINE))
    used = put(listed, used, at.WORTH_STEP + step_of(best, at.WORTH_STEPS), SET)
    if best_slot != NONE:
        power = np.int64(view.power[best_slot])
        if power < POWERS:
            used = put(listed, used, at.BEST_POWER + power, np.int64(shared[PARTS + best_slot]))
        used = put_fitting(view, best_mask | view.wild_cards, pool_once, pool_twice, listed, used)
    for region in range(REGIONS):  # replace each strength by the input of REACH for it
        strength = max(holding[2 * region + 1], anywhere)
        short = clamp(strength - np.int64(shared[NEEDED + region]), -3, 2)
        holding[2 * region + 1] = at.REACH + (4 + short) * (strength > 0)
    return used
