"""Power: restricted play against the average clan, which is what tells clans apart.

Whoever may not lead a clan has fewer ways to play, so nearly every clan costs something to lose.
Less the mean over the clans, a number above 0 is a clan stronger than the average one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import numpy as np

from ethnos_sim.experiments.designs.interventions import RESTRICTED
from ethnos_sim.experiments.statistics.jackknife import FloatArray, combined
from ethnos_sim.experiments.statistics.measure import Measure
from ethnos_sim.reports.estimators.bands import POWER
from ethnos_sim.reports.estimators.blank_clan import measure_blank_clan
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.reports.estimators.restricted_play import measure_restricted_play
from ethnos_sim.reports.evidence.evidence import Evidence, Situation


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


def _found(evidence: Evidence, situation: Situation, population: str) -> Iterator[Measure]:
    """The power of every clan where one seat was restricted."""
    sums = evidence.interventions.get((situation, RESTRICTED))
    if sums is None:
        return
    restricted = measure_restricted_play([sums], population)
    yield relative_power(restricted)
    if situation in evidence.blank:
        with suppress(ValueError):  # A partial sweep: the two hold different deals.
            yield blank_power(
                measure_blank_clan([evidence.blank[situation]], population), restricted
            )


RELATIVE_POWER = Estimand(
    name="relative_power",
    title="Power",
    meaning="How much more it costs a player not to lead this clan than not to lead the average "
    "one: restricted play less its mean over the clans. Below 0 the clan is weaker than average.",
    formula="restricted play of the clan − mean of restricted play over the clans",
    unit="share_difference",
    label="{clan}: power",
    bands=POWER,
    found=_found,
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
