"""Specialist: one clan leads."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.cards import ONE, lowest
from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.records import NONE, REGIONS
from ethnos_sim.strategies.api import ClanParameter, Parameter, strategy
from ethnos_sim.strategies.toolkit import (
    cards_in_hand,
    decline,
    gather,
    hand_is_full,
    larger_group,
    last_dragon_next,
    party_prestige,
    play,
    take,
    take_or_draw,
)


@kernel
def favored_party(view, clan, loyalty):
    """The party with the most prestige now, where leading with the clan counts `loyalty` more."""
    best = np.int64(NONE)
    best_mask = np.uint64(0)
    best_value = -1e9
    wild = cards_in_hand(view, view.wild_cards)
    leaders = view.leaders
    while leaders != np.uint64(0):
        leader = lowest(leaders)
        leaders &= leaders - ONE
        mask, members = larger_group(view, leader)
        value = float(party_prestige(view, leader, members + wild, members))
        if view.clan[leader // REGIONS] == clan:
            value += loyalty
        if value > best_value:
            best_value = value
            best = leader
            best_mask = mask
    return gather(view, best, best_mask), best_value


@strategy(
    ClanParameter("clan", Power.SETTLEMENT_BOARD, "the clan that it recruits and leads with"),
    Parameter("loyalty", 2, 0, 30, "prestige that leading with the clan counts for by itself"),
    Parameter("patience", 4, 0, 30, "prestige that a party must bring before it is played"),
    looks_at_rivals=True,
)
def specialist(view, parameters):
    """Builds on one clan: takes its cards whenever the pool has one, and prefers it as leader.

    Parties are valued by the prestige they bring now, and those that the clan leads by `loyalty`
    more, so its power is used as often as it sensibly can be. Where the clan is not in play it
    plays on like any player who takes the best party at hand. It is the question that a balance
    table asks of a clan, put as a player.

    Bad at: everything that its clan is bad at. It pays for loyalty with better parties of others,
    and a second specialist for the same clan starves it.
    """
    clan = np.int64(parameters.clan)
    party, value = favored_party(view, clan, parameters.loyalty)
    if party.leader >= 0:
        if hand_is_full(view) or value >= parameters.patience:
            return play(party)
        if last_dragon_next(view) and value > 0:
            return play(party)
    for slot in range(view.slots):
        wanted = view.pool_once & view.clan_cards[slot]
        if view.clan[slot] == clan and wanted != np.uint64(0):
            return take(lowest(wanted))
    return take_or_draw(view)


@specialist.second_party
def another_of_the_clan(view, parameters):
    """A second party costs no turn, so any prestige will do."""
    party, value = favored_party(view, np.int64(parameters.clan), parameters.loyalty)
    if party.leader >= 0 and value > 0:
        return play(party)
    return decline()
