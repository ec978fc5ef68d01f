"""Parties that a hand can make, their prestige, and the pool cards that fit them."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game import power_numbers as powers
from ethnos_sim.simulator.game.cards import ONE, count, lowest, popcount
from ethnos_sim.simulator.game.records import NONE, REGIONS
from ethnos_sim.strategies.toolkit.groups import cards_in_hand, gather, larger_group, party_of
from ethnos_sim.strategies.toolkit.moves import Cards, Party, draw, take
from ethnos_sim.strategies.toolkit.position import best_rival, marker_gain, region_open


@kernel
def matching_cards(view, cards, card):
    """The number of cards in a set with a card's clan, or with its color, if these are more.

    Wild cards are counted too.
    """
    clan = view.clan_cards[card // REGIONS] | view.wild_cards
    color = view.color_cards[card % REGIONS] | view.wild_cards
    by_clan = count(cards.once & clan, cards.twice & clan)
    by_color = count(cards.once & color, cards.twice & color)
    return max(by_clan, by_color)


@kernel
def largest_party(view):
    """The largest party in hand; of equally large parties, the one with the best marker now.

    The leader is -1 if no card in hand can lead.
    """
    best = Party(np.int64(NONE), np.uint64(0), np.uint64(0), np.int64(0))
    best_value = np.int64(-1)
    leaders = view.leaders
    while leaders != np.uint64(0):
        leader = lowest(leaders)
        leaders &= leaders - ONE
        gain = max(marker_gain(view, leader % REGIONS), np.int64(0))
        for by_color in range(2):
            mask = view.wild_cards
            if by_color:
                mask |= view.color_cards[leader % REGIONS]
            else:
                mask |= view.clan_cards[leader // REGIONS]
            once = view.hand_once & mask
            twice = view.hand_twice & mask
            size = count(once, twice)
            if not region_open(view, leader % REGIONS, view.power[leader // REGIONS], size):
                gain = np.int64(0)
            value = size * 256 + gain
            if value > best_value:
                best_value = value
                best = Party(leader, once, twice, size)
    return party_of(view, best.leader, best.once, best.twice)


@kernel
def best_rival_at_sea(view, slot):
    """The space of the acting player's best rival on the sea track of a home slot's clan."""
    best = np.int64(0)
    for rival in range(view.players):
        if rival != view.player:
            best = max(best, np.int64(view.sea[slot, rival]))
    return best


@kernel
def power_prestige(view, slot, color, size):
    """Prestige that a leader's power brings a party of `size` cards, now or at this age's end.

    `slot` is the leader's slot, `color` the leader's color. A coin counts if one more marker makes
    the player first in the region.
    """
    power = view.power[slot]
    home = np.int64(view.home[slot])
    player = view.player
    if power == powers.LARGEST_TOKEN and size > view.largest_size[home]:
        at_once = np.int64(view.rules.largest_on_take[slot])
        if view.largest_holder[home] == player:
            return at_once
        return at_once + view.rules.largest_age[slot, view.age - 1]
    if power == powers.SETTLEMENT_BOARD:
        settled = np.int64(view.settlements[home, player])
        if (settled >> color) & 1 == 0:
            placed = popcount(np.uint64(settled))
            worth = view.rules.settlement[slot]
            return np.int64(worth[placed + 1] - worth[placed])
    if power == powers.SEA_TRACK:
        mine = np.int64(view.sea[home, player])
        rival = best_rival_at_sea(view, home)
        if mine <= rival and mine + size > rival:
            return np.int64(view.rules.sea_prestige[slot, view.age - 1])
    if power == powers.COINS and view.coins_used[home] < view.rules.coins_count[slot]:
        if view.markers[color, player] + 1 > best_rival(view, color):
            return np.int64(view.rules.coins[slot, view.coins_used[home]])
    return np.int64(0)


@kernel
def party_prestige(view, leader, size, members):
    """Prestige that a party brings if the age ends right after it: cards, marker and power.

    `size` counts all cards, `members` the cards that are not wild.
    """
    slot = leader // REGIONS
    power = np.int64(view.power[slot])
    scored = members + 1 if power == powers.SCORES_LARGER else members
    value = np.int64(view.rules.party_points[min(scored, 6)])
    color = leader % REGIONS
    if region_open(view, color, power, size):
        value += marker_gain(view, color)
    return value + power_prestige(view, slot, color, size)


@kernel
def best_party(view):
    """The party with the most prestige now, and the prestige; the leader is -1 if there is none.

    It has the leader's larger group in hand (its clan or its color) and all wild cards.
    """
    best = np.int64(NONE)
    best_mask = np.uint64(0)
    best_value = np.int64(-(1 << 30))
    wild = cards_in_hand(view, view.wild_cards)
    leaders = view.leaders
    while leaders != np.uint64(0):
        leader = lowest(leaders)
        leaders &= leaders - ONE
        # A larger party never brings less, so only the larger group is tried.
        mask, members = larger_group(view, leader)
        value = party_prestige(view, leader, members + wild, members)
        if value > best_value:
            best_value = value
            best = leader
            best_mask = mask
    return gather(view, best, best_mask), best_value


@kernel
def best_companion(view, cards):
    """The card of a bit mask that shares clan or color with most of the hand; -1 if none."""
    best = np.int64(NONE)
    most = np.int64(-1)
    while cards != np.uint64(0):
        card = lowest(cards)
        cards &= cards - ONE
        kin = view.clan_cards[card // REGIONS] | view.color_cards[card % REGIONS]
        companions = cards_in_hand(view, kin)
        if companions > most:
            most = companions
            best = card
    return best


@kernel
def companions_in_hand(view, card):
    """The number of cards in the player's hand that a card would join."""
    return matching_cards(view, Cards(view.hand_once, view.hand_twice), card)


@kernel
def fitting_pool_card(view):
    """The pool card that joins the largest group in hand: (card, cards it joins), card -1 for none.

    A wild card joins the hand's largest group and is taken first. Of equally large groups, colors
    come before clans. If several pool cards join the group, the card that shares its clan or color
    with most of the hand is taken.
    """
    best_mask = np.uint64(0)
    best_size = np.int64(-1)
    largest = np.int64(0)
    for i in range(REGIONS + view.slots):
        mask = view.color_cards[i] if i < REGIONS else view.clan_cards[i - REGIONS]
        mask &= ~view.wild_cards
        size = count(view.hand_once & mask, view.hand_twice & mask)
        largest = max(largest, size)
        if size > best_size and view.pool_once & mask != np.uint64(0):
            best_size = size
            best_mask = mask
    wild = count(view.hand_once & view.wild_cards, view.hand_twice & view.wild_cards)
    wild_in_pool = view.pool_once & view.wild_cards
    if wild_in_pool != np.uint64(0):
        return lowest(wild_in_pool), largest + wild
    if best_size < 0:
        return np.int64(NONE), np.int64(-1)
    return best_companion(view, view.pool_once & best_mask), best_size + wild


@kernel
def take_or_draw(view):
    """Take the pool card that joins the largest group in hand; draw if no card joins a group."""
    card, companions = fitting_pool_card(view)
    if companions > 0:
        return take(card)
    return draw()
