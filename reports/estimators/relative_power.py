"""Power: restricted play against the average clan, which is what tells clans apart.

Whoever may not lead a clan has fewer ways to play, so nearly every clan costs something to lose.
Less the mean over the clans, a number above 0 is a clan stronger than the average one.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ethnos_sim.experiments.statistics.jackknife import FloatArray
from ethnos_sim.experiments.statistics.measure import Measure
from ethnos_sim.reports.estimators.bands import POWER
from ethnos_sim.reports.estimators.estimand import Estimand

RELATIVE_POWER = Estimand(
    name="relative_power",
    title="Power",
    meaning="How much more it costs a player not to lead this clan than not to lead the average "
    "one: restricted play less its mean over the clans. Below 0 the clan is weaker than average.",
    formula="restricted play of the clan − mean of restricted play over the clans",
    unit="share_difference",
    label="{clan}: power",
    bands=POWER,
)


def relative_power(restricted: Measure) -> Measure:
    """Each clan's restricted play less the mean over the clans that were asked about."""
    asked = np.isfinite(restricted.jackknife.value)

    def less_mean(losses: FloatArray) -> FloatArray:
        return np.asarray(losses - losses[..., asked].mean(axis=-1, keepdims=True))

    if not asked.any():
        return replace(restricted, definition=RELATIVE_POWER.name)
    return replace(
        restricted,
        definition=RELATIVE_POWER.name,
        jackknife=restricted.jackknife.through(less_mean),
    )
