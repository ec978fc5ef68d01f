"""The blank clan: what it costs not to lead a clan whose power does nothing.

That is the zero of restricted play: a clan that costs no more to lose is worth nothing by its
power. It is found by restricted play in rules that leave one clan nothing
(`experiments.designs.blank_clan`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ethnos_sim.experiments.statistics.jackknife import FloatArray, combined
from ethnos_sim.experiments.statistics.measure import Measure
from ethnos_sim.reports.estimators.bands import POWER
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.reports.estimators.relative_power import RELATIVE_POWER
from ethnos_sim.reports.estimators.restricted_play import lost, measure_intervention
from ethnos_sim.reports.evidence.intervention_sums import InterventionSums

BLANK_CLAN = Estimand(
    name="blank_clan",
    title="Blank clan",
    meaning="Restricted play of a clan whose power does nothing: what it costs not to lead a clan, "
    "whatever the clan is good for. One clan's power was left without any prestige for it.",
    formula="1/n − sum of w of the restricted seat / games with the blank clan in play",
    unit="share_difference",
    label="{clan}: restricted play",
    bands=POWER,
)

NAME = "blank clan"


def measure_blank_clan(parts: Sequence[InterventionSums], population: str) -> Measure:
    """Restricted play of the blank clan, the mean over player counts that weigh the same each."""
    measured = measure_intervention(BLANK_CLAN, lost, parts, population)
    (place,) = np.flatnonzero(measured.games)
    return replace(measured.of_names([measured.names[place]]), names=(NAME,))


def blank_power(blank: Measure, restricted: Measure) -> Measure:
    """The blank clan against the average clan: where "worth nothing" stands among the clans' power.

    Raises:
        ValueError: the two did not play the same deals equally often.
    """
    asked = np.isfinite(restricted.jackknife.value)

    def mean(losses: FloatArray) -> FloatArray:
        return np.asarray(losses[..., asked].mean(axis=-1, keepdims=True))

    difference = combined([(1, blank.jackknife), (-1, restricted.jackknife.through(mean))])
    return replace(blank, definition=RELATIVE_POWER.name, jackknife=difference)
