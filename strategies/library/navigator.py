"""Navigator: the sea track, the settlement board and the coins."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.cards import popcount
from ethnos_sim.simulator.game.power_numbers import COINS, SEA_TRACK, SETTLEMENT_BOARD
from ethnos_sim.simulator.game.records import REGIONS
from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.toolkit import (
    best_led,
    best_of,
    cards_in_hand,
    fitting_pool_card,
    larger_group,
    play,
    play_or_decline,
    ripe,
    take,
    take_or_draw,
)
from ethnos_sim.strategies.toolkit.answers import where_it_pays
from ethnos_sim.strategies.toolkit.evaluation import sea_value
from ethnos_sim.strategies.toolkit.parties import companions
from ethnos_sim.strategies.toolkit.worth import worth_led


@kernel
def side_cards(view):
    """The cards of the clans that the navigator leads with."""
    cards = view.power_cards
    return cards[SEA_TRACK] | cards[SETTLEMENT_BOARD] | cards[COINS]


@kernel
def side_value(view, slot, color, size, parameters):
    """The worth of a leader's power beyond this age: spaces at sea, settlements, coins.

    `slot` is the home of the leader's clan.
    """
    power = view.power[slot]
    if power == SEA_TRACK:
        return sea_value(view, slot, size, parameters.space, parameters.symbol)
    if power == SETTLEMENT_BOARD:
        settled = view.settlements[slot, view.player]
        return parameters.settlement * ((settled >> color) & 1 == 0)
    if power == COINS:
        return parameters.coin * (view.coins_used[slot] < view.rules.coins_count[slot])
    return 0.0


@kernel
def seaworth(view, leader, parameters):
    """The worth of a leader's party, including what its power brings beyond this age."""
    slot = np.int64(view.home[leader // REGIONS])
    size = larger_group(view, leader)[1] + cards_in_hand(view, view.wild_cards)
    value = worth_led(view, leader, parameters.regions, parameters.later)
    return value + side_value(view, slot, leader % REGIONS, size, parameters)


@kernel
def joins(view, card, nothing):
    """The number of cards in hand that a card joins."""
    return companions(view, card)


@strategy(
    Parameter("patience", 8, 0, 30, "prestige that a party must be worth to be played"),
    Parameter("pace", 0.4, 0, 5, "addition to the required prestige for each card in hand"),
    Parameter("later", 0.75, 0, 1, "weight of the next age's awards; squared for the age after it"),
    Parameter("regions", 1.65, 0, 5, "factor for the worth of a marker"),
    Parameter("space", 0.4, 0, 3, "prestige that a space on the sea track is worth"),
    Parameter("symbol", 4, 0, 15, "prestige that a symbol passed on the sea track is worth"),
    Parameter("settlement", 2, 0, 10, "prestige that a new marker on a settlement board is worth"),
    Parameter("coin", 1, 0, 10, "prestige that laying out a coin is worth"),
    Parameter("full_board", 4, 1, 6, "markers at which it empties the settlement board"),
    looks_at_rivals=True,
)
def navigator(view, parameters):
    """Plays beside the regions: sea track, settlement board and coins.

    It values leaders of these three powers by what they will bring, not only by what they bring
    now: spaces and symbols at sea, markers on the board, coins laid out. From the pool it takes a
    card of their clans before any other card that joins as many cards. If none of them is in play,
    it fights for regions as other players do.

    Bad at: clan sets with at most one of the three powers, and stopping: it pays as much for a
    space at sea if no rival follows.
    """
    party, worth = best_led(view, seaworth, parameters)
    need = parameters.patience + parameters.pace * view.hand_cards[view.player]
    if ripe(view, party, worth >= need, worth >= need / 2):
        return play(party)
    fitting = fitting_pool_card(view)[1]
    aside, joined = best_of(view, view.pool_once & side_cards(view), joins, 0)
    if joined > 0 and joined >= fitting:
        return take(aside)
    return take_or_draw(view)


navigator.region(where_it_pays)
navigator.sea_region(where_it_pays)


@navigator.second_party
def another_party(view, parameters):
    """Play the best second party if it is worth anything, because it costs no turn."""
    party, worth = best_led(view, seaworth, parameters)
    return play_or_decline(party, worth)


@navigator.empty_board
def when_full_enough(view, parameters):
    """Empty the board once it has `full_board` markers."""
    placed = view.settlements[view.asking_slot, view.player]
    return popcount(np.uint64(placed)) >= parameters.full_board
