"""Random: any legal move. Other strategies should beat this one, and its games test the rules."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.cards import (
    ONE,
    bit,
    card_at,
    count,
    difference,
    lowest,
    popcount,
    union,
)
from ethnos_sim.simulator.game.records import NONE, REGIONS
from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.toolkit import (
    Cards,
    decline,
    draw,
    hand_is_full,
    party_of,
    play,
    pool,
    random_below,
    random_chance,
    take,
)


@kernel
def random_subset(cards, chance, rng):
    """A random subset of a set of cards; it has each card with probability `chance`."""
    once = np.uint64(0)
    twice = np.uint64(0)
    for plane in (cards.once, cards.twice):
        remaining = plane
        while remaining != np.uint64(0):
            card = lowest(remaining)
            remaining &= remaining - ONE
            if random_chance(rng, chance):
                once, twice = union(once, twice, bit(card), np.uint64(0))
    return Cards(once, twice)


@kernel
def random_party(view, rng):
    """A party with a random leader, and random cards of its clan or color and of the wild cards."""
    leaders = view.leaders
    leader = card_at(leaders, np.uint64(0), random_below(rng, popcount(leaders)))
    mask = view.clan_cards[leader // REGIONS]
    if random_chance(rng, 0.5):
        mask = view.color_cards[leader % REGIONS]
    mask |= view.wild_cards
    chance = (1.0, 0.8, 0.4)[random_below(rng, 3)]
    plane = bit(leader)
    once, twice = difference(view.hand_once & mask, view.hand_twice & mask, plane, np.uint64(0))
    others = random_subset(Cards(once, twice), chance, rng)
    once, twice = union(others.once, others.twice, plane, np.uint64(0))
    return party_of(view, leader, once, twice)


@strategy(
    Parameter("play", 0.25, 0.0, 1.0, "chance to play a party when recruiting is possible too")
)
def random_(view, parameters, rng):
    """Makes any legal move with some probability.

    It recruits the deck's next card or a card of the pool, all with the same chance, or plays a
    random part of a random group under a random leader. It answers all questions at random. It
    reaches every legal move, so it tests the rules. It is the lowest level for other strategies to
    beat.

    Bad at: everything.
    """
    if view.leaders != np.uint64(0) and (hand_is_full(view) or random_chance(rng, parameters.play)):
        return play(random_party(view, rng))
    cards = pool(view)
    pick = random_below(rng, 1 + count(cards.once, cards.twice))
    if pick == 0:
        return draw()
    return take(card_at(cards.once, cards.twice, pick - 1))


@random_.second_party
def any_second_party(view, rng):
    """A random party, or no party."""
    if random_chance(rng, 0.3):
        return decline()
    return play(random_party(view, rng))


@random_.region
@random_.sea_region
@random_.token
@random_.choose
@random_.bruno_leader
@random_.bruno_region
def any_option(view, rng):
    """A random option, or no option if declining is allowed."""
    choices = popcount(view.options)
    pick = random_below(rng, choices + view.may_decline)
    return card_at(view.options, np.uint64(0), pick) if pick < choices else np.int64(NONE)


@random_.settle
@random_.draw
def mostly_yes(view, rng):
    """Yes, four times in five."""
    return random_chance(rng, 0.8)


@random_.empty_board
@random_.ten_wild
@random_.use_power
@random_.bruno_steal
def yes_or_no(view, rng):
    """Yes or no, with equal chances."""
    return random_chance(rng, 0.5)


@random_.bruno_card
@random_.bruno_release
def any_offered_card(view, rng):
    """A random card out of the offered cards."""
    cards = count(view.offered_once, view.offered_twice)
    return card_at(view.offered_once, view.offered_twice, random_below(rng, cards))


@random_.keep
def any_cards(view, rng):
    """Random cards of the hand, no more than may be kept."""
    kept = random_subset(Cards(view.hand_once, view.hand_twice), 0.7, rng)
    once, twice = kept.once, kept.twice
    while count(once, twice) > view.limit:
        card = card_at(once, twice, random_below(rng, count(once, twice)))
        once, twice = difference(once, twice, bit(card), np.uint64(0))
    return Cards(once, twice)
