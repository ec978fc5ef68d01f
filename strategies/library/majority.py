"""Majority: place markers where they win awards, now and in later ages."""

from __future__ import annotations

from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.toolkit import play, play_or_decline, ripe, take_or_draw, worthiest_party
from ethnos_sim.strategies.toolkit.answers import worthiest_offered_region


@strategy(
    Parameter("patience", 6, 0, 30, "prestige that a party must be worth to be played"),
    Parameter("pace", 0.5, 0, 5, "addition to the required prestige for each card in hand"),
    Parameter("later", 0.75, 0, 1, "weight of the next age's awards; squared for the age after it"),
)
def majority(view, parameters):
    """Fights for regions, with an eye on every award that is still to come.

    A marker stays for the rest of the game. So it is worth the prestige that it adds to this age's
    award and, with a weight, to each later award. Rivals' markers are assumed to stay as they are.
    It values parties in this way, and places a marker of free choice where it is worth most. It
    contests regions that one more marker can take, and leaves lost regions alone. The idea is area
    majority, as in El Grande.

    Bad at: surprises. It expects no new markers of rivals, so it defends no region before it is
    attacked. It places no first marker in a region that pays only from two markers on.
    """
    party, worth = worthiest_party(view, parameters.later, 1.0)
    need = parameters.patience + parameters.pace * view.hand_cards[view.player]
    if ripe(view, party, worth >= need, worth > 0):
        return play(party)
    return take_or_draw(view)


majority.region(worthiest_offered_region)
majority.sea_region(worthiest_offered_region)


@majority.second_party
def worthiest_second_party(view, parameters):
    """Play the best second party if it is worth anything, because it costs no turn."""
    party, worth = worthiest_party(view, parameters.later, 1.0)
    return play_or_decline(party, worth)
