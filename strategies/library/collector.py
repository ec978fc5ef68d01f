"""Collector: few parties, and large ones."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.cards import count, lowest
from ethnos_sim.simulator.game.records import NONE, REGIONS
from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.toolkit import (
    best_of,
    best_party,
    cards_in_hand,
    draw,
    gather,
    hand_is_full,
    last_dragon_next,
    party_prestige,
    play,
    take,
    unseen_cards,
)


@kernel
def promising_group(view, draws):
    """The mask of the clan or color that can grow largest, and the number of its cards in hand.

    Wild cards are left out. A group is expected to grow to its cards in hand, half of its cards in
    the pool (rivals take some), and its share of the next `draws` unseen cards.
    """
    best = np.uint64(0)
    best_cards = np.int64(0)
    best_value = 0.0
    share = draws / max(unseen_cards(view, view.all_cards), 1)
    for i in range(REGIONS + view.slots):
        mask = view.color_cards[i] if i < REGIONS else view.clan_cards[i - REGIONS]
        mask &= ~view.wild_cards
        cards = cards_in_hand(view, mask)
        if view.leaders & mask == np.uint64(0):
            continue
        open_cards = count(view.pool_once & mask, view.pool_twice & mask)
        value = cards + 0.5 * open_cards + share * unseen_cards(view, mask)
        if value > best_value:
            best_value = value
            best = mask
            best_cards = cards
    return best, best_cards


@kernel
def led_party_prestige(view, leader, counts):
    """Prestige that a leader's party brings now; `counts`: its scored cards, all its cards."""
    members, size = counts
    return party_prestige(view, leader, size, members)


@kernel
def joining_pool_card(view, mask):
    """A pool card that joins the group of a mask, wild cards first; -1 if no card joins it."""
    cards = view.pool_once & view.wild_cards
    if cards == np.uint64(0):
        cards = view.pool_once & mask
    return lowest(cards) if cards != np.uint64(0) else np.int64(NONE)


@kernel
def waiting_too_risky(view, value, members, caution, certain):
    """Whether waiting for one more card may cost more than it can bring.

    The next dragon ends the age. If it comes before the next turn, the party's `value` is lost; the
    chance of this is about `caution` cards for each player, divided by the cards in the deck. A
    card in the pool is `certain` to come, and any other card comes one time in three.
    """
    points = view.rules.party_points
    gain = np.int64(points[min(members + 1, 6)]) - np.int64(points[min(members, 6)])
    chance = 1.0 if certain else 1.0 / 3.0
    return value * caution * view.players > gain * chance * view.deck_cards


@strategy(
    Parameter("goal", 5, 1, 10, "cards at which it plays a party"),
    Parameter("draws", 2, 0, 20, "unseen cards expected to come, when it chooses a group"),
    Parameter("caution", 1.2, 0, 5, "deck cards that each player may draw before its next turn"),
)
def collector(view, parameters):
    """Waits for parties of five and six cards, which score 10 and 15 by themselves.

    It chooses the clan or color that can still grow largest, by its hand, the pool and the cards
    that nobody has seen. It takes cards of this group and plays it at `goal` cards. Once the next
    dragon ends the age, it weighs the prestige in hand against one more card, so the end of an age
    seldom catches it with a full hand. The idea is set collection, as in rummy.

    Bad at: regions. Few parties place few markers, and each large hand feeds the pool.
    """
    mask, members = promising_group(view, parameters.draws)
    card = joining_pool_card(view, mask)
    if members > 0:
        size = members + cards_in_hand(view, view.wild_cards)
        if size >= parameters.goal or hand_is_full(view):
            leader = best_of(view, view.leaders & mask, led_party_prestige, (members, size))[0]
            return play(gather(view, leader, mask))
        if last_dragon_next(view):
            party, value = best_party(view)
            if value > 0 and waiting_too_risky(view, value, members, parameters.caution, card >= 0):
                return play(party)
    if card >= 0:
        return take(card)
    return draw()
