"""Clock: wait for better parties only as long as the deck lasts."""

from __future__ import annotations

from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.toolkit import play, ripe, take_or_draw, worthiest_party
from ethnos_sim.strategies.toolkit.answers import worthiest_offered_region, worthiest_second_party
from ethnos_sim.strategies.toolkit.clock import cards_left, end_chance


@strategy(
    Parameter("patience", 7, 0, 30, "prestige that a party must be worth early in an age"),
    Parameter("horizon", 2, 0.5, 20, "below this number of turns left, a party may be worth less"),
    Parameter("rush", 0.7, 0.1, 2, "deck cards drawn in each player's turn, on average"),
    Parameter("risk", 0.5, 0, 1, "chance of the age's end by its next turn above which it plays"),
    Parameter("later", 0.75, 0, 1, "weight of the next age's awards; squared for the age after it"),
    Parameter("regions", 1.65, 0, 5, "factor for the worth of a marker"),
)
def clock(view, parameters):
    """Plays by the deck: waits for rich parties early in an age, and for none at its end.

    From the cards left and the dragons seen it computes how many turns it has left, and the chance
    that the age ends before its next turn. The fewer turns are left, the less a party needs to be
    worth. If that chance is above `risk`, it plays any party of some worth. The idea is card
    counting, as in every game with a timer in its deck.

    Bad at: judging its hand. The deck alone decides how long it waits; what the next card could
    add to the hand does not count.
    """
    party, worth = worthiest_party(view, parameters.later, parameters.regions)
    round_cards = parameters.rush * view.hands
    turns = cards_left(view) / round_cards
    need = parameters.patience * min(turns / parameters.horizon, 1.0)
    late = end_chance(view, round_cards) > parameters.risk and worth > 0
    if ripe(view, party, worth >= need or late, False):
        return play(party)
    return take_or_draw(view)


clock.second_party(worthiest_second_party)
clock.region(worthiest_offered_region)
clock.sea_region(worthiest_offered_region)


@clock.draw
def draw_with_time_left(view, parameters):
    """Draw cards, unless they are likely to end the age."""
    return end_chance(view, view.limit) <= 0.5
