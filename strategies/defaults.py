"""Default answers to the questions for which a strategy has no function."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.cards import bit, count, difference, popcount, union
from ethnos_sim.strategies.toolkit.bruno import card_for_bruno, leader_to_spend, region_for_bruno
from ethnos_sim.strategies.toolkit.choosing import best_of, play_or_decline
from ethnos_sim.strategies.toolkit.moves import Cards, decline
from ethnos_sim.strategies.toolkit.parties import best_party, companions_in_hand
from ethnos_sim.strategies.toolkit.worth import most_contested_region


@kernel
def turn(view):
    """Never called, because every strategy has a function for `turn`."""
    return decline()


@kernel
def second_party(view):
    """Play the second party that brings the most prestige now, if it brings any prestige."""
    party, value = best_party(view)
    return play_or_decline(party, value)


@kernel
def region(view):
    """The region where a marker adds the most prestige now."""
    return most_contested_region(view, view.options)


sea_region = region


@kernel
def token_value(view, index, slot):
    """The value of a tie-break token, by its index and the home slot of its clan."""
    return view.rules.tie_break_tokens[slot, index]


@kernel
def token(view):
    """The highest tie-break token on offer."""
    return best_of(view, view.options, token_value, view.asking_slot)[0]


@kernel
def yes(view):
    """Always yes: place a settlement marker, take Bruno's card, use a power, draw cards, win."""
    return True


settle = use_power = draw = ten_wild = bruno_steal = yes


@kernel
def keeping_value(view, card, empty_mask):
    """The number of cards in hand that a card can join, plus 16 if the card is wild."""
    return companions_in_hand(view, card) + 16 * (bit(card) & view.wild_cards != empty_mask)


@kernel
def keep(view):
    """Keep the cards with the most companions in hand, wild cards first."""
    none = np.uint64(0)
    kept = Cards(none, none)
    left = Cards(view.hand_once, view.hand_twice)
    for _ in range(min(view.limit, count(left.once, left.twice))):
        card = bit(best_of(view, left.once, keeping_value, none)[0])
        kept = Cards(*union(kept.once, kept.twice, card, none))
        left = Cards(*difference(left.once, left.twice, card, none))
    return kept


@kernel
def empty_board(view):
    """Empty the settlement board if another age could add only a marker or two."""
    return popcount(np.uint64(view.settlements[view.asking_slot, view.player])) >= 4


@kernel
def choose(view):
    """Give the answer that the asking power suggests."""
    return np.int64(view.suggestion)


@kernel
def bruno_card(view):
    """Give Bruno the card that brings him least; of equal cards, the least useful for this hand."""
    return card_for_bruno(view, -1)


@kernel
def bruno_leader(view):
    """The face-up leader that brings Bruno least with a party of `view.limit` cards."""
    return leader_to_spend(view, 0.0)


@kernel
def bruno_region(view):
    """The region where one more marker brings Bruno least."""
    return region_for_bruno(view, -1)


@kernel
def bruno_release(view):
    """The card that is worth most to Bruno; of equal cards, the most useful for this hand."""
    return card_for_bruno(view, 1)
