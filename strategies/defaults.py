"""Answers to the questions that a strategy leaves open; sensible, and the same for everybody."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.cards import ONE, bit, count, difference, lowest, popcount, union
from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.records import NONE
from ethnos_sim.strategies.toolkit.bruno import (
    bruno_marker_gain,
    leader_for_bruno,
    offered_card,
)
from ethnos_sim.strategies.toolkit.moves import Cards, decline, play
from ethnos_sim.strategies.toolkit.parties import best_party, matching_cards
from ethnos_sim.strategies.toolkit.position import most_contested_region


@kernel
def turn(view):
    """Never asked: every strategy answers its own turn."""
    return decline()


@kernel
def second_party(view):
    """Play the second party with the most immediate prestige, if it brings any."""
    party, value = best_party(view)
    if value > 0:
        return play(party)
    return decline()


@kernel
def region(view):
    """The region where a marker adds the most prestige now."""
    return most_contested_region(view, view.options)


@kernel
def sea_region(view):
    """An extra marker always goes where it adds the most prestige now."""
    return most_contested_region(view, view.options)


@kernel
def token(view):
    """The highest tie-break token on offer."""
    best = NONE
    options = view.options
    while options != np.uint64(0):
        index = lowest(options)
        options &= options - ONE
        value = view.rules.tie_break_tokens[view.asking_slot, index]
        if best == NONE or value > view.rules.tie_break_tokens[view.asking_slot, best]:
            best = index
    return best


@kernel
def settle(view):
    """Always take the settlement marker."""
    return True


@kernel
def keep(view):
    """Keep the cards with the most companions in hand, wild cards first."""
    cards = Cards(view.hand_once, view.hand_twice)
    if count(cards.once, cards.twice) <= view.limit:
        return cards
    kept_once = np.uint64(0)
    kept_twice = np.uint64(0)
    left_once = view.hand_once
    left_twice = view.hand_twice
    for _ in range(view.limit):
        best = 0
        best_value = -1
        remaining = left_once
        while remaining != np.uint64(0):
            card = lowest(remaining)
            remaining &= remaining - ONE
            value = matching_cards(view, cards, card)
            if bit(card) & view.wild_cards != np.uint64(0):
                value += 16
            if value > best_value:
                best_value = value
                best = card
        plane = bit(best)
        kept_once, kept_twice = union(kept_once, kept_twice, plane, np.uint64(0))
        left_once, left_twice = difference(left_once, left_twice, plane, np.uint64(0))
    return Cards(kept_once, kept_twice)


@kernel
def use_power(view):
    """Always use a leader's power."""
    return True


@kernel
def draw(view):
    """Always draw."""
    return True


@kernel
def empty_board(view):
    """Empty the settlement board when another age could not add more than a marker or two."""
    return popcount(np.uint64(view.settlements[view.asking_slot, view.player])) >= 4


@kernel
def ten_wild(view):
    """Win the game."""
    return True


@kernel
def choose(view):
    """What the power that asks suggests."""
    return np.int64(view.suggestion)


@kernel
def bruno_card(view):
    """Give Bruno the card that brings him least; of equal ones the one the own hand wants least."""
    return offered_card(view, -1)


@kernel
def bruno_leader(view):
    """The face-up leader that brings Bruno least with a party of this size."""
    best = NONE
    best_value = 0
    options = view.options
    while options != np.uint64(0):
        slot = lowest(options)
        options &= options - ONE
        value = -leader_for_bruno(view, slot, view.limit)
        if best == NONE or value > best_value:
            best = slot
            best_value = value
    return best


@kernel
def bruno_region(view):
    """The region where one more marker brings Bruno least."""
    best = NONE
    best_value = 0
    options = view.options
    while options != np.uint64(0):
        candidate = lowest(options)
        options &= options - ONE
        value = -bruno_marker_gain(view, candidate)
        if best == NONE or value > best_value:
            best = candidate
            best_value = value
    return best


@kernel
def bruno_release(view):
    """The card of the column worth most to Bruno; of its cards the one the own hand wants most."""
    return offered_card(view, 1)


@kernel
def bruno_steal(view):
    """Take the card into hand."""
    return True
