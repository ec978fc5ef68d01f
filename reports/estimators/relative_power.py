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
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import weighted_sum
from ethnos_sim.reports.estimators.bands import POWER
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.reports.estimators.null_clan import measure_null_clan
from ethnos_sim.reports.estimators.restricted_play import measure_restricted_play
from ethnos_sim.reports.evidence.evidence import Evidence, Situation


def relative_power(restricted: Estimates) -> Estimates:
    """Each clan's restricted play less the mean over the clans that were asked about."""
    return restricted.contrasts().labelled(estimand=RELATIVE_POWER.name)


def null_power(null: Estimates, restricted: Estimates) -> Estimates:
    """The null clan against the average clan: where "worth nothing" stands among the clans' power.

    Raises:
        ValueError: the two did not play the same deals equally often.
    """
    asked = np.isfinite(restricted.value)

    def mean(losses: FloatArray) -> FloatArray:
        return np.asarray(losses[..., asked].mean(axis=-1, keepdims=True))

    difference = weighted_sum([(1, null), (-1, restricted.reduced(mean))])
    return replace(difference, games=null.games, events=null.events).labelled(
        estimand=RELATIVE_POWER.name
    )


def _found(evidence: Evidence, situation: Situation) -> Iterator[Estimates]:
    """The power of every clan where one seat was restricted."""
    sums = evidence.interventions.get((situation, RESTRICTED))
    if sums is None:
        return
    restricted = measure_restricted_play(sums, situation.population)
    yield relative_power(restricted)
    if situation in evidence.null_clan:
        with suppress(ValueError):  # A partial sweep: the two hold different deals.
            yield null_power(
                measure_null_clan(evidence.null_clan[situation], situation.population), restricted
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
