"""Answers that several strategies share, as in `my_strategy.region(worthiest_offered_region)`.

An answer reads parameters by name, so a strategy that uses the answer must declare them: `later` is
the weight of the next age's awards, and `regions` the weight of the marker in a party's worth.
Answers for Bruno read `distance` and `use`, or `thrift` (`toolkit.bruno`).
"""

from __future__ import annotations

from ethnos_sim.strategies.toolkit.bruno import leader_to_spend, least_harmful_card
from ethnos_sim.strategies.toolkit.choosing import play_or_decline
from ethnos_sim.strategies.toolkit.worth import worthiest_party, worthiest_region


def worthiest_offered_region(view, parameters):
    """Answers `region` and `sea_region`: the offered region where a marker is worth most."""
    return worthiest_region(view, view.options, parameters.later)[0]


def worthiest_second_party(view, parameters):
    """Answers `second_party`: the party of most worth, if it is worth anything."""
    party, worth = worthiest_party(view, parameters.later, parameters.regions)
    return play_or_decline(party, worth)


def card_to_give(view, parameters):
    """Answers `bruno_card`: the card that costs least to give away."""
    return least_harmful_card(view, view.offered_once, parameters.distance, parameters.use)[0]


def leader_to_use(view, parameters):
    """Answers `bruno_leader`: the leader whose use in Bruno's party saves most prestige."""
    return leader_to_spend(view, parameters.thrift)
