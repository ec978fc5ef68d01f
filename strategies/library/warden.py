"""Warden: keep Bruno short of cards."""

from __future__ import annotations

from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.toolkit import play, ripe, take_or_draw, worthiest_party
from ethnos_sim.strategies.toolkit.answers import (
    card_to_give,
    leader_to_use,
    worthiest_offered_region,
    worthiest_second_party,
)
from ethnos_sim.strategies.toolkit.bruno import recruit_against_bruno


@strategy(
    Parameter("patience", 12.3, 0, 40, "solo: prestige that a party must be worth to be played"),
    Parameter("company", 5, 0, 40, "not solo: prestige that a party must be worth to be played"),
    Parameter("pace", 0.7, 0, 5, "addition to the required prestige for each card in hand"),
    Parameter("later", 0.75, 0, 1, "weight of the next age's awards; squared for the age after it"),
    Parameter("regions", 1.65, 0, 4, "factor for the worth of a marker"),
    Parameter("liking", 0.32, 0, 3, "prestige of a pool card, and of each card that it joins"),
    Parameter("deck", 1.24, -5, 10, "prestige that a card from the deck is worth"),
    Parameter("dread", 0.8, 0, 5, "weight of the prestige that a recruit brings Bruno"),
    Parameter("distance", 3.6, 0.1, 10, "how much each missing card lowers the worth of a gift"),
    Parameter("use", 0.87, 0, 5, "prestige that a gift costs for each card in hand that it joins"),
    Parameter("thrift", 0.8, 0, 2, "weight of the prestige that using up a strong leader saves"),
)
def warden(view, parameters):
    """Waits for few and large parties, and keeps Chief Bruno short of cards.

    It weighs every recruit and every gift by what the card adds to Bruno's columns. A card that
    completes a column costs the prestige of Bruno's party, and an earlier card a part of it. So the
    warden takes a pool card only if this card is worth more than the cards that Bruno then gets
    (two in a hard game), and draws from the deck otherwise. It gives him cards for columns that are
    far from ready, and spends his strong leaders on his small parties. Each turn of the warden
    gives Bruno a card, so a party must be worth its turn. At other tables it takes cards that join
    its hand, and plays cheaper parties.

    Bad at: company. Without Bruno's columns it is an ordinary player of markers.
    """
    party, worth = worthiest_party(view, parameters.later, parameters.regions)
    need = parameters.patience if view.solo else parameters.company
    need += parameters.pace * view.hand_cards[view.player]
    if ripe(view, party, worth >= need, worth >= need / 2):
        return play(party)
    if view.solo:
        deck, liking = parameters.deck, parameters.liking
        return recruit_against_bruno(view, deck, liking, parameters.dread, parameters.distance)
    return take_or_draw(view)


warden.second_party(worthiest_second_party)
warden.region(worthiest_offered_region)
warden.sea_region(worthiest_offered_region)
warden.bruno_card(card_to_give)
warden.bruno_leader(leader_to_use)
