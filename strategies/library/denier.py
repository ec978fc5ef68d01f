"""Denier: what the next player does not get."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.cards import ONE, count, difference, lowest
from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.power_numbers import KEEPS_CARDS
from ethnos_sim.simulator.records import NONE, REGIONS
from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.toolkit import (
    Cards,
    cards_in_hand,
    draw,
    gather,
    hand_is_full,
    larger_group,
    last_dragon_next,
    marker_worth,
    matching_cards,
    party_worth,
    play,
    take,
)
from ethnos_sim.strategies.toolkit.answers import another_party, where_it_pays
from ethnos_sim.strategies.toolkit.denial import gift, known_companions, next_player


@kernel
def leavings(view, party, each, spite):
    """What a party's discards cost: `each` for a card, `spite` for each companion of the best."""
    once, twice = difference(view.hand_once, view.hand_twice, party.once, party.twice)
    cards = count(once, twice)
    if view.power[party.leader // REGIONS] == KEEPS_CARDS:
        cards = max(cards - party.size, 0)
    if cards == 0:
        return 0.0
    wild = count(once & view.wild_cards, twice & view.wild_cards)
    return each * (cards + wild) + spite * gift(view, once)


@kernel
def tidiest_party(view, parameters):
    """The party of most worth after what its discards cost (leader -1 where none can lead)."""
    best = gather(view, NONE, np.uint64(0))
    best_value = 0.0
    wild = cards_in_hand(view, view.wild_cards)
    leaders = view.leaders
    while leaders != np.uint64(0):
        leader = lowest(leaders)
        leaders &= leaders - ONE
        mask, members = larger_group(view, leader)
        worth = parameters.regions * marker_worth(view, leader % REGIONS, parameters.later)
        value = party_worth(view, leader, members, members + wild, worth, parameters.later)
        party = gather(view, leader, mask)
        value -= leavings(view, party, parameters.each, parameters.spite)
        if best.leader == NONE or value > best_value:
            best_value = value
            best = party
    return best, best_value


@kernel
def wanted_card(view, spite):
    """The pool card that joins most: the own hand, and by `spite` the next player's known one."""
    best = np.int64(NONE)
    best_value = 0.0
    own = Cards(view.hand_once, view.hand_twice)
    player = next_player(view)
    cards = view.pool_once
    while cards != np.uint64(0):
        card = lowest(cards)
        cards &= cards - ONE
        value = matching_cards(view, own, card) + spite * known_companions(view, player, card)
        value += (ONE << np.uint64(card)) & view.wild_cards != np.uint64(0)
        if value > best_value:
            best_value = value
            best = card
    return best


@strategy(
    Parameter("patience", 6, 0, 30, "worth that a party from an empty hand would need"),
    Parameter("pace", 0.4, 0, 5, "worth more that it needs for every card in hand"),
    Parameter("later", 0.75, 0, 1, "weight of the next age's awards, and again of the one after"),
    Parameter("regions", 1.65, 0, 5, "weight of a marker's worth"),
    Parameter("each", 0.5, 0, 3, "cost of a discarded card, twice for a wild one"),
    Parameter("spite", 0.3, 0, 3, "weight of a companion that the next player is known to hold"),
    looks_at_rivals=True,
)
def denier(view, parameters):
    """Grudges the next player every card: counts what a party's discards hand on.

    It remembers which cards the next player took from the pool, as everybody may. A discard costs
    something by itself and more the better it joins those cards; so it prefers parties that use up
    the hand, and in the pool it takes what both can use. The hate draft of drafting games.

    Bad at: tables where few cards are taken from the pool, since it knows nothing then, and where
    the next player is not the one to beat.
    """
    party, worth = tidiest_party(view, parameters)
    if party.leader >= 0:
        need = parameters.patience + parameters.pace * view.hand_cards[view.player]
        closing = last_dragon_next(view) and worth >= need / 2
        if worth >= need or closing or hand_is_full(view):
            return play(party)
    card = wanted_card(view, parameters.spite)
    if card >= 0:
        return take(card)
    return draw()


denier.second_party(another_party)
denier.region(where_it_pays)
denier.sea_region(where_it_pays)
