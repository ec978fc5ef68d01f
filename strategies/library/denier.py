"""Denier: leave the next player nothing useful."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.cards import bit, count, difference
from ethnos_sim.simulator.game.power_numbers import KEEPS_CARDS
from ethnos_sim.simulator.game.records import REGIONS
from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.toolkit import best_led, best_of, draw, party_led, play, ripe, take
from ethnos_sim.strategies.toolkit.answers import worthiest_offered_region, worthiest_second_party
from ethnos_sim.strategies.toolkit.denial import gift, known_companions, next_player
from ethnos_sim.strategies.toolkit.parties import companions_in_hand
from ethnos_sim.strategies.toolkit.worth import led_party_worth


@kernel
def discard_cost(view, party, cost, spite):
    """The prestige that a party's discards cost.

    A discard costs `cost`, a wild card twice as much. Each known card of the next player that the
    best discard would join costs `spite` more.
    """
    once, twice = difference(view.hand_once, view.hand_twice, party.once, party.twice)
    cards = count(once, twice)
    if view.power[party.leader // REGIONS] == KEEPS_CARDS:
        cards = max(cards - party.size, 0)
    if cards == 0:
        return 0.0
    wild = count(once & view.wild_cards, twice & view.wild_cards)
    return cost * (cards + wild) + spite * gift(view, once)


@kernel
def worth_after_discards(view, leader, parameters):
    """The worth of a leader's party, less the cost of its discards."""
    worth = led_party_worth(view, leader, parameters.regions, parameters.later)
    return worth - discard_cost(view, party_led(view, leader), parameters.each, parameters.spite)


@kernel
def pool_card_value(view, card, spite):
    """The value of taking a pool card: the number of cards in hand that it joins, plus 1 if wild.

    Each card that it would join in the next player's known hand adds `spite`.
    """
    value = companions_in_hand(view, card) + spite * known_companions(view, next_player(view), card)
    return value + (bit(card) & view.wild_cards != np.uint64(0))


@strategy(
    Parameter("patience", 6, 0, 30, "prestige that a party must be worth to be played"),
    Parameter("pace", 0.4, 0, 5, "addition to the required prestige for each card in hand"),
    Parameter("later", 0.75, 0, 1, "weight of the next age's awards; squared for the age after it"),
    Parameter("regions", 1.65, 0, 5, "factor for the worth of a marker"),
    Parameter("each", 0.5, 0, 3, "prestige that a discarded card costs, twice for a wild one"),
    Parameter("spite", 0.3, 0, 3, "weight of each known card of the next player that a card joins"),
)
def denier(view, parameters):
    """Leaves the next player no useful cards: counts what its discards are worth to that player.

    It knows which cards the next player took from the open pool. A discard that joins more of these
    cards costs more. So it prefers parties that use up its hand, and pool cards that both players
    can use. The idea is the hate draft of drafting games.

    Bad at: tables where few cards are taken from the pool, because it then knows nothing, and
    tables where the next player is not the player to beat.
    """
    party, worth = best_led(view, worth_after_discards, parameters)
    need = parameters.patience + parameters.pace * view.hand_cards[view.player]
    if ripe(view, party, worth >= need, worth >= need / 2):
        return play(party)
    card, joined = best_of(view, view.pool_once, pool_card_value, parameters.spite)
    return take(card) if joined > 0 else draw()


denier.second_party(worthiest_second_party)
denier.region(worthiest_offered_region)
denier.sea_region(worthiest_offered_region)
