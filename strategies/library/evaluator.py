"""Evaluator: give every move a value, and make the move with the highest value."""

from __future__ import annotations

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.cards import difference
from ethnos_sim.simulator.game.power_numbers import KEEPS_CARDS
from ethnos_sim.simulator.game.records import REGIONS
from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.toolkit import draw, hand_is_full, play, play_or_decline, take
from ethnos_sim.strategies.toolkit.denial import gift
from ethnos_sim.strategies.toolkit.evaluation import (
    best_recruit,
    best_region,
    gains_for_hand,
    most_valuable_party,
    power_worths,
)

WEIGHTS = (
    Parameter("tempo", 0.5, 0, 5, "prestige that a turn is worth"),
    Parameter("regions", 2.9, 0, 10, "factor for the expected awards that a marker adds"),
    Parameter("firm", 0.13, 0.02, 1, "firmness of early leads; at 0.5 a lead of 1 is certain"),
    Parameter("firm_later", 0.22, 0.02, 1, "firmness of leads at the ends of later ages"),
    Parameter("later", 0.43, 0, 1, "weight of the next age's awards; squared for the age after it"),
    Parameter("hold", 1.6, 0, 4, "factor for the prestige of the largest party at the age's end"),
    Parameter("settlement", 2.5, 0, 10, "prestige that a new settlement marker is worth"),
    Parameter("sea", 1.26, 0, 5, "factor for the expected awards that a move at sea adds"),
    Parameter("coin", 0.1, 0, 3, "prestige for each point of a coin"),
    Parameter("token", 1.5, 0, 5, "prestige for each point of a tie-break token"),
    Parameter("draws", 2, 0, 6, "prestige that a card drawn by a power is worth"),
    Parameter("second", 1, 0, 2, "factor for the worth of a second party"),
    Parameter("keep", 0.9, 0, 5, "prestige that a kept card is worth"),
    Parameter("discard", 0.7, -1, 3, "prestige that a discarded card costs"),
    Parameter(
        "danger", 0.1, 0, 3, "cost of a discard for each of the next player's cards it joins"
    ),
    Parameter("wild", -4, -6, 6, "prestige of a wild card, compared with a card of the best group"),
    Parameter("rush", 0.45, 0, 2, "deck cards drawn in each player's turn, on average"),
    Parameter("luck", 2.5, 0, 20, "factor for the chance that a card of a group comes"),
    Parameter("blind", 0.37, -3, 5, "prestige added to the expected worth of a card from the deck"),
)


@kernel
def discard_danger(view, party, weight):
    """The prestige that a party's discards cost, because the next player may take one of them."""
    if weight == 0.0 or view.power[party.leader // REGIONS] == KEEPS_CARDS:
        return 0.0
    gone = difference(view.hand_once, view.hand_twice, party.once, party.twice)[0]
    return weight * gift(view, gone)


@strategy(*WEIGHTS)
def evaluator(view, parameters):
    """Values the position after each move by a weighted sum, and makes the best move.

    The value of a party is the sum of its points, the awards that its marker is expected to add,
    its leader's power, and the worth of the rest of the hand. A lead in a region counts as a chance
    to win the region, which grows as the deck runs out. Cards that are kept or played in a second
    party are worth something; discards help the next player. The value of a recruit is the value of
    the best group that it makes one or two turns later, if the age lasts, minus the worth of these
    turns. All weights are parameters. Linear evaluation is Shannon's idea (1950); the terms were
    chosen for this game.

    Bad at: plans. It looks two cards ahead, adds up terms that should be multiplied, and judges
    what rivals want by their markers only.
    """
    gains = gains_for_hand(view, parameters)
    worths = power_worths(view, gains, parameters)
    party, value = most_valuable_party(view, gains, worths, parameters)
    if hand_is_full(view):
        return play(party)
    card, taken, drawn = best_recruit(view, view.pool_once, value, gains, worths, parameters)
    worth = max(taken, drawn)
    if value >= worth and value - discard_danger(view, party, parameters.danger) >= worth:
        return play(party)
    if card >= 0 and taken >= drawn:
        return take(card)
    return draw()


@evaluator.second_party
def best_second_party(view, parameters):
    """Play the best second party if it is worth anything, because it costs no turn."""
    gains = gains_for_hand(view, parameters)
    worths = power_worths(view, gains, parameters)
    party, value = most_valuable_party(view, gains, worths, parameters)
    return play_or_decline(party, value)


@evaluator.region
@evaluator.sea_region
def most_valuable_region(view, parameters):
    """The offered region where a marker is worth most."""
    return best_region(view, view.options, parameters)
