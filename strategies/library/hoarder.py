"""Hoarder: wild cards first."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.game.cards import lowest
from ethnos_sim.strategies.api import Parameter, strategy
from ethnos_sim.strategies.toolkit import (
    cards_in_hand,
    hand_is_full,
    last_dragon_next,
    play,
    ripe,
    take,
    take_or_draw,
    worthiest_party,
)
from ethnos_sim.strategies.toolkit.answers import worthiest_offered_region, worthiest_second_party


@strategy(
    Parameter("patience", 7, 0, 30, "prestige that a party must be worth without wild cards"),
    Parameter("stake", 1, 0, 10, "addition to the required prestige for each wild card in hand"),
    Parameter("later", 0.75, 0, 1, "weight of the next age's awards; squared for the age after it"),
    Parameter("regions", 1.65, 0, 5, "factor for the worth of a marker"),
)
def hoarder(view, parameters):
    """Takes every wild card from the pool, and spends them on one party that is worth them.

    It takes a wild card from the pool before it plays any party. Each wild card in hand raises the
    worth that a party needs, because the next party takes all wild cards out of the hand. So it
    saves them for a region that needs many cards, or for a power that grows with the party. If no
    wild clan is in play, it fights for regions as other players do. The idea is to save jokers, as
    in rummy.

    Bad at: party points, for which wild cards do not count, and turns: each wild card costs a turn
    before it is of use.
    """
    wild = view.pool_once & view.wild_cards
    if wild != np.uint64(0) and not hand_is_full(view) and not last_dragon_next(view):
        return take(lowest(wild))
    party, worth = worthiest_party(view, parameters.later, parameters.regions)
    need = parameters.patience + parameters.stake * cards_in_hand(view, view.wild_cards)
    if ripe(view, party, worth >= need, worth >= need / 2):
        return play(party)
    return take_or_draw(view)


hoarder.second_party(worthiest_second_party)
hoarder.region(worthiest_offered_region)
hoarder.sea_region(worthiest_offered_region)
