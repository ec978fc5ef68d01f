"""Whole answers that several strategies give: `mine.region(where_it_pays)` makes one their own.

They read parameters by name, so whoever declares one has these parameters: `later`, the weight of
the next age's awards, and for a party `regions`, the weight of a marker's worth.
"""

from __future__ import annotations

from ethnos_sim.strategies.toolkit.moves import decline, play
from ethnos_sim.strategies.toolkit.worth import worthiest_party, worthiest_region


def where_it_pays(view, parameters):
    """The region, of those on offer, where a marker is worth most (`region`, `sea_region`)."""
    return worthiest_region(view, view.options, parameters.later)[0]


def another_party(view, parameters):
    """A second party costs no turn, so any worth will do (`second_party`)."""
    party, worth = worthiest_party(view, parameters.later, parameters.regions)
    if worth > 0:
        return play(party)
    return decline()
