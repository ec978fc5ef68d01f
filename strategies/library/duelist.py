"""Duelist: value a marker by the prestige that one side gains and the other side loses."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.cards import bit
from ethnos_sim.simulator.game.power_numbers import ANY_REGION
from ethnos_sim.simulator.game.records import REGIONS
from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.toolkit import (
    best_led,
    best_of,
    cards_in_hand,
    larger_group,
    marker_worth,
    open_to,
    play,
    play_or_decline,
    ripe,
    take_or_draw,
)
from ethnos_sim.strategies.toolkit.answers import card_to_give, leader_to_use
from ethnos_sim.strategies.toolkit.bruno import recruit_against_bruno
from ethnos_sim.strategies.toolkit.worth import worth_without_marker


@kernel
def duel_award(view, region, own_markers, rival_markers, age):
    """A region's award at an age's end for the side with `own_markers` against a rival's markers.

    With two sides only the first place scores. In the last age, a side that is alone in the region
    takes all of its awards.
    """
    if own_markers <= 0 or own_markers < rival_markers:
        return 0.0
    award = np.int64(view.prestige_tokens[region, age - 1])
    if age == view.age:
        award += view.coins_on_region[region]
    if own_markers == rival_markers:
        return award / 2
    if rival_markers == 0 and age == view.ages:
        for place in range(age - 1):
            award += view.prestige_tokens[region, place]
    return float(award)


@kernel
def award_lead(view, region, own_markers, rival_markers, later):
    """The awards in a region for the side with `own_markers`, less those of its rival.

    They are summed over the ages; each age counts `later` times as much as the age before it.
    """
    worth = 0.0
    weight = 1.0
    for age in range(view.age, view.ages + 1):
        gain = duel_award(view, region, own_markers, rival_markers, age)
        gain -= duel_award(view, region, rival_markers, own_markers, age)
        worth += weight * gain
        weight *= later
    return worth


@kernel
def lead_gain(view, region, later):
    """The increase of the player's `award_lead` by one more marker in a region."""
    player = np.int64(view.player)
    mine = np.int64(view.markers[region, player])
    rival = np.int64(view.markers[region, 1 - player])
    after = award_lead(view, region, mine + 1, rival, later)
    return after - award_lead(view, region, mine, rival, later)


@kernel
def duel_marker_worth(view, region, later):
    """The worth of a marker in a region: with two sides its `lead_gain`, else the added awards."""
    if view.players == 2:
        return lead_gain(view, region, later)
    return marker_worth(view, region, later)


@kernel
def duel_party_worth(view, leader, later):
    """The worth of a leader's party: its prestige and the `duel_marker_worth` of its marker."""
    members = larger_group(view, leader)[1]
    size = members + cards_in_hand(view, view.wild_cards)
    power = np.int64(view.power[leader // REGIONS])
    value = worth_without_marker(view, leader, members, size)
    regions = open_to(view, power, size)
    if power != ANY_REGION:
        regions &= bit(leader % REGIONS)
    if regions != np.uint64(0):
        value += best_of(view, regions, duel_marker_worth, later)[1]
    return value


@strategy(
    Parameter("patience", 12, 0, 40, "prestige that a party must be worth against one rival"),
    Parameter("company", 6, 0, 40, "prestige that a party must be worth against several rivals"),
    Parameter("pace", 0.5, 0, 5, "addition to the required prestige for each card in hand"),
    Parameter("later", 0.75, 0, 1, "weight of the next age's awards; squared for the age after it"),
    Parameter("deck", 1.5, -5, 10, "solo: prestige that a card from the deck is worth"),
    Parameter("liking", 0.4, 0, 3, "solo: prestige of a pool card, and of each card that it joins"),
    Parameter("dread", 0.5, 0, 5, "weight of the prestige that a recruit brings Bruno"),
    Parameter("distance", 3.6, 0.1, 10, "how much each missing card lowers the worth of a gift"),
    Parameter("use", 0.8, 0, 5, "prestige that a gift costs for each card in hand that it joins"),
    Parameter("thrift", 0.8, 0, 2, "weight of the prestige that using up a strong leader saves"),
)
def duelist(view, parameters):
    """Plays against one rival: a marker is worth what it brings and what it takes away.

    With two sides only the first place scores. So a marker that passes the rival counts twice, as
    it wins an award and takes the award from the rival. A further marker in a region where it leads
    counts for nothing. The duelist waits for parties that are worth a turn, since a lost turn helps
    the rival. Against Bruno it also counts what a recruit adds to his columns. The idea is zero-sum
    thinking, as in two-player abstract games.

    Bad at: several rivals. It counts what it gains, and ignores which other player gains too.
    """
    party, worth = best_led(view, duel_party_worth, parameters.later)
    need = parameters.patience if view.players == 2 else parameters.company
    need += parameters.pace * view.hand_cards[view.player]
    if ripe(view, party, worth >= need, worth >= need / 2):
        return play(party)
    if view.solo:
        deck, liking = parameters.deck, parameters.liking
        return recruit_against_bruno(view, deck, liking, parameters.dread, parameters.distance)
    return take_or_draw(view)


@duelist.second_party
def worthiest_second_party(view, parameters):
    """Play the best second party if it is worth anything, because it costs no turn."""
    party, worth = best_led(view, duel_party_worth, parameters.later)
    return play_or_decline(party, worth)


@duelist.region
@duelist.sea_region
def worthiest_offered_region(view, parameters):
    """The offered region where a marker is worth most."""
    return best_of(view, view.options, duel_marker_worth, parameters.later)[0]


duelist.bruno_card(card_to_give)
duelist.bruno_leader(leader_to_use)
