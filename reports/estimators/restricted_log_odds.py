"""Restricted play in log-odds, a scale without a ceiling.

A seat that never wins without a clan has lost its whole fair share, and a stronger clan could take
no more: in points, power ends at 1/n. Odds go on: from a chance of 2 % to one of 1 % they halve, as
they do from 50 % to 33 %.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.experiments.designs.interventions import RESTRICTED
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.reports.estimators.restricted_play import measure_intervention, of_intervention
from ethnos_sim.reports.evidence.intervention_sums import InterventionSums


def measure_restricted_log_odds(sums: InterventionSums, population: str) -> Estimates:
    """The log-odds that every clan costs; not a number where a restricted seat never won."""

    def cost(share: FloatArray, fair: float) -> FloatArray:
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.log(fair / (1 - fair)) - np.log(share / (1 - share))
        return np.where(np.isfinite(found), found, np.nan)

    return measure_intervention(RESTRICTED_LOG_ODDS, cost, sums, population)


RESTRICTED_LOG_ODDS = Estimand(
    name="restricted_log_odds",
    title="Restricted play, log-odds",
    meaning="What not leading the clan costs in log-odds of winning, where a fair share less a "
    "chance near 0 can grow no more: 0.7 halves the odds, 1.4 quarters them.",
    formula="ln((1/n) / (1 − 1/n)) − ln(s / (1 − s)), s the winning chance of the restricted seat",
    unit="log_odds",
    label="{clan}: restricted play, log-odds",
    found=of_intervention(RESTRICTED, measure_restricted_log_odds),
)
