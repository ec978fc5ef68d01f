"""Each player's chance to win from a position in which all hands are known, as in imagined games.

A player's strength is a weighted sum of what it has and may expect, and the chances are in the
ratio of the strengths' exponentials (conditional logit; McFadden 1974). The weights are fitted to
games (`python benchmarks/fit_chances.py`), by age and by how much of the deck is left.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ethnos_sim.simulator.cards import ONE, lowest, popcount
from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.kernel.asking import leaders
from ethnos_sim.simulator.kernel.clans import slot_of
from ethnos_sim.simulator.kernel.scoring import compare
from ethnos_sim.simulator.power_numbers import LARGEST_TOKEN, SEA_TRACK, SETTLEMENT_BOARD
from ethnos_sim.simulator.records import MAX_AGES, MAX_PLAYERS, NONE, REGIONS
from ethnos_sim.strategies.toolkit.clock import end_chance
from ethnos_sim.strategies.toolkit.evaluation import best_play, gains_for_hand, power_worths
from ethnos_sim.strategies.toolkit.groups import cards_in_hand, larger_group
from ethnos_sim.strategies.toolkit.prospects import (
    between_places,
    firmness,
    region_award,
    region_awards_now,
    rivals_ahead,
    sea_awards,
)

#: What a player's strength is made of, in this order.
FEATURES = (
    "prestige",
    "awards_now",
    "awards_next",
    "awards_last",
    "markers",
    "sea_now",
    "sea_later",
    "largest",
    "largest_size",
    "settlement",
    "settled",
    "tokens",
    "hand",
    "ready",
    "grown",
    "leaders",
    "wait",
)

#: Weights of an edition and number of players: by age, of each feature and of it times the deck.
WEIGHTS_SIZE = MAX_AGES * 2 * len(FEATURES)

#: How firm a lead of a marker is early in an age, and in the ages to come (`prospects`).
FIRM = 0.13
FIRM_LATER = 0.22
FIRM_AT_SEA = 0.15
FIRM_AT_SEA_LATER = 0.07

#: The column of a player's chance.
CHANCE = len(FEATURES)

#: Cards of the deck that a player's turn takes.
RUSH = 0.45


class Terms(NamedTuple):
    """The weights with which a hand's best party is valued (`evaluation`): the evaluator's."""

    regions: float = 2.9
    firm: float = FIRM
    firm_later: float = FIRM_LATER
    later: float = 0.43
    hold: float = 1.6
    settlement: float = 2.5
    sea: float = 1.26
    coin: float = 0.1
    token: float = 1.5
    draws: float = 2.0
    second: float = 1.0
    keep: float = 0.9
    discard: float = 0.7


TERMS = Terms()


@kernel
def chances_room():
    """Room to work out chances in: a row a player, its features and then its chance."""
    return np.zeros((MAX_PLAYERS, len(FEATURES) + 1))


@kernel
def deck_left(view):
    """The part of the deck's cards that are left, of all cards of the age."""
    return view.deck_cards / (popcount(view.all_cards) * view.rules.copies + view.rules.dragons)


@kernel
def expect_awards(view, row, firm):
    """Fill in what a player may expect of regions and sea, at this age's end and later ones."""
    player = np.int64(view.player)
    for region in range(REGIONS):
        counts = view.markers[region]
        if counts[player] > 0:
            row[4] += counts[player]
            own = np.int64(counts[player])
            ahead = rivals_ahead(view, counts, own, firm)
            row[1] += between_places(ahead, region_awards_now(view, region))
            later = rivals_ahead(view, counts, own, FIRM_LATER)
            for step in range(1, view.ages - view.age + 1):
                age = np.int64(view.age) + step
                first = region_award(view, region, age, 0)
                second = region_award(view, region, age, 1)
                third = region_award(view, region, age, 2)
                row[1 + step] += between_places(later, (first, second, third))
    sea = view.sea[slot_of(view, SEA_TRACK)]
    if sea[player] > 0:
        own = np.int64(sea[player])
        ahead = rivals_ahead(view, sea, own, FIRM_AT_SEA)
        row[5] = between_places(ahead, sea_awards(view, np.int64(view.age)))
        ahead = rivals_ahead(view, sea, own, FIRM_AT_SEA_LATER)
        for age in range(view.age + 1, view.ages + 1):
            row[6] += between_places(ahead, sea_awards(view, np.int64(age)))


@kernel
def value_hand(view, row, lasts):
    """Fill in what the hand makes: its best party now, its largest group a card later, leaders."""
    gains = gains_for_hand(view, TERMS)
    ready = best_play(view, gains, power_worths(view, gains, TERMS), TERMS)[1]
    wild = cards_in_hand(view, view.wild_cards)
    grown = 0.0
    left = view.leaders
    while left != np.uint64(0):
        members = larger_group(view, lowest(left))[1]
        left &= left - ONE
        grown = max(grown, float(view.rules.party_points[min(members + wild + 1, 6)]))
    row[12] = lasts * view.hand_cards[view.player]
    row[13] = lasts * max(ready, 0.0)
    row[14] = lasts * grown
    row[15] = lasts * popcount(view.leaders)


@kernel
def fill_features(view, hidden, room):
    """Fill in the features of every player at the beginning of a turn; changes who is asked."""
    turn = np.int64(view.player)
    firm = firmness(view, FIRM)
    for player in range(view.players):
        row = room[player]
        row[:] = 0.0
        view.player = player
        row[0] = view.prestige[player] + view.party_points[player]
        expect_awards(view, row, firm)
        slot = slot_of(view, LARGEST_TOKEN)
        if view.largest_holder[slot] == player:
            row[7] = view.rules.largest_age[slot, view.age - 1]
            row[8] = row[7] * min(view.largest_size[slot], 6)
        slot = slot_of(view, SETTLEMENT_BOARD)
        row[10] = popcount(np.uint64(view.settlements[slot, player]))
        row[9] = view.rules.settlement[slot, np.int64(row[10])]
        row[11] = view.token_sum[player]
        if player < view.hands:
            view.hand_once = hidden.hands_once[player]
            view.hand_twice = hidden.hands_twice[player]
            view.leaders = leaders(view, hidden, player)
            wait = (player - turn) % view.hands
            value_hand(view, row, 1.0 - end_chance(view, RUSH * (wait + 1)))
            row[16] = wait
    view.player = turn


@kernel
def softmax(room, players):
    """Turn strengths in the last column into chances."""
    most = -1.0e9
    for player in range(players):
        most = max(most, room[player, CHANCE])
    total = 0.0
    for player in range(players):
        room[player, CHANCE] = math.exp(room[player, CHANCE] - most)
        total += room[player, CHANCE]
    for player in range(players):
        room[player, CHANCE] /= total


@kernel
def final_chances(view, room):
    """The shares of a win after the last age, in the last column."""
    best = 0
    for player in range(1, view.players):
        if compare(view, player, best) > 0:
            best = player
    winners = 0
    for player in range(view.players):
        room[player, CHANCE] = compare(view, player, best) == 0
        winners += compare(view, player, best) == 0
    for player in range(view.players):
        room[player, CHANCE] /= winners


@kernel
def win_chances(view, hidden, weights, room):
    """Each player's chance to win, in the last column of `room` (from `chances_room`).

    `view` and `hidden` are an imagined game's, at the beginning of a turn. Where the age is over,
    its score must be in, and the next age's beginning is what is valued.
    """
    if view.age_over and view.age == view.ages:
        final_chances(view, room)
        return
    if view.age_over:
        begin_next_age(view, hidden)
    deck = deck_left(view)
    fill_features(view, hidden, room)
    first = (view.age - 1) * 2 * CHANCE
    for player in range(view.players):
        strength = 0.0
        for i in range(CHANCE):
            strength += room[player, i] * (weights[first + i] + deck * weights[first + CHANCE + i])
        room[player, CHANCE] = strength
    softmax(room, view.players)


@kernel
def begin_next_age(view, hidden):
    """Clear an imagined table for the next age, as far as chances look at it; deal no cards."""
    view.age += 1
    view.dragons_seen = 0
    view.deck_cards = popcount(view.all_cards) * view.rules.copies + view.rules.dragons
    view.largest_size[:] = 0
    view.largest_holder[:] = NONE
    view.token_sum[:] = 0
    view.token_highest[:] = 0
    view.coins_on_region[:] = 0
    view.party_points[:] = 0
    view.pool_once = np.uint64(0)
    view.pool_twice = np.uint64(0)
    view.known_once[:] = np.uint64(0)
    view.known_twice[:] = np.uint64(0)
    for player in range(view.hands):
        hidden.hands_once[player] = np.uint64(0)
        hidden.hands_twice[player] = np.uint64(0)
        view.hand_cards[player] = 0
