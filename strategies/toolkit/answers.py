"""Answers that several strategies share: `my_strategy.region(where_it_pays)` uses an answer.

An answer reads parameters by name, so a strategy that uses the answer must declare them: `later` is
the weight of the next age's awards, and `regions` the weight of the marker in a party's worth.
Answers for Bruno read `distance` and `use`, or `thrift` (`toolkit.bruno`).
"""

from __future__ import annotations

from ethnos_sim.strategies.toolkit.bruno import harmless_card, spent_leader
from ethnos_sim.strategies.toolkit.choosing import play_or_decline
from ethnos_sim.strategies.toolkit.worth import worthiest_party, worthiest_region


def where_it_pays(view, parameters):
    """The offered region where a marker is worth most (`region`, `sea_region`)."""
    return worthiest_region(view, view.options, parameters.later)[0]


def another_party(view, parameters):
    """The party of most worth, if it is worth anything (`second_party`)."""
    party, worth = worthiest_party(view, parameters.later, parameters.regions)
    return play_or_decline(party, worth)


def a_harmless_card(view, parameters):
    """The card that costs least to give away (`bruno_card`)."""
    return harmless_card(view, view.offered_once, parameters.distance, parameters.use)[0]


def a_leader_well_spent(view, parameters):
    """The leader that helps Bruno's party least (`bruno_leader`)."""
    return spent_leader(view, parameters.thrift)
