"""Warden: keep Bruno short of cards."""

from __future__ import annotations

from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.toolkit import play, ripe, take_or_draw, worthiest_party
from ethnos_sim.strategies.toolkit.answers import (
    a_harmless_card,
    a_leader_well_spent,
    another_party,
    where_it_pays,
)
from ethnos_sim.strategies.toolkit.bruno import guarded_recruit


@strategy(
    Parameter("patience", 12.3, 0, 40, "worth that an empty hand's party would need in solo"),
    Parameter("company", 5, 0, 40, "worth that an empty hand's party would need at other tables"),
    Parameter("pace", 0.7, 0, 5, "worth more that it needs for every card in hand"),
    Parameter("later", 0.75, 0, 1, "weight of the next age's awards, and again of the one after"),
    Parameter("regions", 1.65, 0, 4, "weight of a marker, which also keeps the rival out"),
    Parameter("liking", 0.32, 0, 3, "prestige that a pool card is worth for each companion"),
    Parameter("deck", 1.24, -5, 10, "prestige that a card of the deck is worth"),
    Parameter("dread", 0.8, 0, 5, "weight of what a recruit lets Bruno have"),
    Parameter("distance", 3.6, 0.1, 10, "how much less a column counts for each card it lacks"),
    Parameter("use", 0.87, 0, 5, "cost of giving Bruno a card, for each companion in hand"),
    Parameter("thrift", 0.8, 0, 2, "weight of what it saves to have a leader turned down"),
    looks_at_rivals=True,
    solo=True,
)
def warden(view, parameters):
    """Waits for few and large parties, and keeps Chief Bruno short of cards.

    It weighs every recruit and every gift by what it adds to Bruno's columns. A card that makes a
    column ready costs the prestige of Bruno's party, a card on the way there a part of it. So it
    takes a pool card only if this card is worth more than the cards that Bruno then gets (two in a
    hard game), and draws from the deck otherwise. It gives him cards for columns that are far from
    ready, and spends his strong leaders on his small parties. Each of its turns gives him a card,
    so its parties must be worth their turn. At other tables it takes cards that join its hand, and
    waits for less.

    Bad at: company. Without Bruno's columns it is an ordinary player of markers.
    """
    party, worth = worthiest_party(view, parameters.later, parameters.regions)
    need = parameters.patience if view.solo else parameters.company
    need += parameters.pace * view.hand_cards[view.player]
    if ripe(view, party, worth >= need, worth >= need / 2):
        return play(party)
    if view.solo:
        deck, liking = parameters.deck, parameters.liking
        return guarded_recruit(view, deck, liking, parameters.dread, parameters.distance)
    return take_or_draw(view)


warden.second_party(another_party)
warden.region(where_it_pays)
warden.sea_region(where_it_pays)
warden.bruno_card(a_harmless_card)
warden.bruno_leader(a_leader_well_spent)
