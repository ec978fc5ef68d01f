"""Forced play: what a seat wins more or less that leads a clan whenever it can."""

from __future__ import annotations

from ethnos_sim.experiments.designs.interventions import FORCED
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.reports.estimators.bands import POWER
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.reports.estimators.restricted_play import measure_intervention, of_intervention
from ethnos_sim.reports.evidence.intervention_sums import InterventionSums


def measure_forced_play(sums: InterventionSums, population: str) -> Estimates:
    """Forced play of every clan."""

    def gain(share: FloatArray, fair: float) -> FloatArray:
        return share - fair

    return measure_intervention(FORCED_PLAY, gain, sums, population)


FORCED_PLAY = Estimand(
    name="forced_play",
    title="Forced play",
    meaning="The winning chance of a seat that leads the clan whenever it can, less a fair share.",
    formula="sum of w of the forced seat / games with the clan in play − 1/n",
    unit="share_difference",
    label="{clan}: forced play",
    margin=POWER.minor,
    bands=POWER,
    family="clans",
    found=of_intervention(FORCED, measure_forced_play),
)
