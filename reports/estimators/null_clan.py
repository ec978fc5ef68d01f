"""The null clan: what it costs not to lead a clan whose power does nothing.

That is the zero of restricted play: a clan that costs no more to lose is worth nothing by its
power. It is found by restricted play in rules that leave one clan nothing
(`experiments.designs.null_clan`).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.estimators.bands import POWER
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.reports.estimators.restricted_play import lost, measure_intervention
from ethnos_sim.reports.evidence.evidence import Evidence, Situation
from ethnos_sim.reports.evidence.intervention_sums import InterventionSums

NAME = "null clan"


def measure_null_clan(sums: InterventionSums, population: str) -> Estimates:
    """Restricted play of the null clan."""
    measured = measure_intervention(NULL_CLAN, lost, sums, population)
    (place,) = np.flatnonzero(measured.games)
    return measured.at([place]).labelled(name=NAME)


def _found(evidence: Evidence, situation: Situation) -> Iterator[Estimates]:
    """What the null clan costs not to lead, where it was played."""
    if situation in evidence.null_clan:
        yield measure_null_clan(evidence.null_clan[situation], situation.population)


NULL_CLAN = Estimand(
    name="null_clan",
    title="Null clan",
    meaning="Restricted play of a clan whose power does nothing: what it costs not to lead a clan, "
    "whatever the clan is good for. One clan's power was left without any prestige for it.",
    formula="1/n − sum of w of the restricted seat / games with the null clan in play",
    unit="share_difference",
    label="{clan}: restricted play",
    bands=POWER,
    found=_found,
)
