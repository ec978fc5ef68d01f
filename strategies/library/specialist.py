"""Specialist: one clan leads."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.cards import lowest
from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.game.records import REGIONS
from ethnos_sim.strategies.api import ClanParameter, Parameter, strategy
from ethnos_sim.strategies.toolkit import (
    best_led,
    cards_in_hand,
    larger_group,
    party_prestige,
    play,
    play_or_decline,
    ripe,
    take,
    take_or_draw,
)


@kernel
def favored_party_value(view, leader, terms):
    """The prestige that a leader's party brings now, plus `loyalty` for the favored clan."""
    clan, loyalty = terms
    members = larger_group(view, leader)[1]
    size = members + cards_in_hand(view, view.wild_cards)
    value = float(party_prestige(view, leader, size, members))
    return value + loyalty * (view.clan[leader // REGIONS] == clan)


@kernel
def favored_party(view, parameters):
    """The party with the highest `favored_party_value`, and the value."""
    return best_led(view, favored_party_value, (np.int64(parameters.clan), parameters.loyalty))


@strategy(
    ClanParameter("clan", Power.SETTLEMENT_BOARD, "clan that it recruits and leads with"),
    Parameter("loyalty", 2, 0, 30, "prestige added to a party that the clan leads"),
    Parameter("patience", 4, 0, 30, "prestige that a party must bring before it is played"),
)
def specialist(view, parameters):
    """Builds on one clan: takes its cards whenever the pool has one, and prefers it as leader.

    It values parties by the prestige that they bring now, and adds `loyalty` to parties that the
    clan leads. So it uses the clan's power as often as makes sense. If the clan is not in play, it
    plays the party that brings most. A balance table asks what a clan is worth; this player tries
    the clan out.

    Bad at: everything that its clan is bad at. Its loyalty costs better parties of other clans, and
    a second specialist of the same clan takes its cards.
    """
    party, value = favored_party(view, parameters)
    if ripe(view, party, value >= parameters.patience, value > 0):
        return play(party)
    clan = np.int64(parameters.clan)
    for slot in range(view.slots):
        wanted = view.pool_once & view.clan_cards[slot]
        if view.clan[slot] == clan and wanted != np.uint64(0):
            return take(lowest(wanted))
    return take_or_draw(view)


@specialist.second_party
def best_second_party(view, parameters):
    """Play the best second party if it brings anything, because it costs no turn."""
    party, value = favored_party(view, parameters)
    return play_or_decline(party, value)
