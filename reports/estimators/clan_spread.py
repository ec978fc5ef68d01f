"""How far apart clans are: the standard deviation of a clan measure over the clans, less the noise.

The spread of estimates is wider than that of the clans, because chance spreads them too. The
variance over the clans is a smooth function of the sums, and its bias is of the order of one
divided by the games, which is what the jackknife takes out: the mean of its pseudo-values is the
corrected variance (Quenouille 1956, "Notes on bias in estimation", Biometrika 43: 353-360). Its
interval by t may reach below 0; the ends are cut there before the root is drawn. Without any
difference between the clans the interval is too wide rather than too narrow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.jackknife import together
from ethnos_sim.reports.estimators import margins
from ethnos_sim.reports.estimators.estimand import Estimand, Number
from ethnos_sim.reports.estimators.interventions import RESTRICTED_PLAY
from ethnos_sim.reports.estimators.leading import WIN_LIFT
from ethnos_sim.reports.evidence.evidence import Evidence, Situation


def _spreads(evidence: Evidence, situation: Situation) -> list[Estimates] | None:
    """The spread of power where one seat was restricted, and of win lift."""
    measured = (each.found(evidence, situation) for each in (RESTRICTED_PLAY, WIN_LIFT))
    return [spread for clans in chain(*measured) for spread in spread_of(clans)] or None


def spread_of(clans: Estimates) -> Iterator[Estimates]:
    """The spread of a measure over its clans; nothing with fewer than two that have an interval.

    Its pseudo-values are those of the variance.
    """
    if clans.trusted.sum() < 2:
        return
    variance = clans.at(clans.trusted).reduced(lambda of: of.var(axis=-1, ddof=1, keepdims=True))
    ends = np.stack(variance.interval()) - variance.value + variance.center
    name = clans.only("estimand")
    yield (
        replace(
            variance,
            value=np.sqrt(np.maximum(variance.center, 0.0)),
            bounds=np.sqrt(np.maximum(ends, 0.0)),
        )
        .in_unit(CLAN_SPREAD.numbers[name].unit)
        .labelled(estimand=CLAN_SPREAD.name, name=name)
    )


CLAN_SPREAD = Estimand(
    name="clan_spread",
    numbers={
        each.name: Number(f"Spread of the clans: {each.short}", margin.size, margin.unit)
        for each, margin in ((RESTRICTED_PLAY, margins.SPREAD), (WIN_LIFT, margins.SPREAD_LIFT))
    },
    measured=lambda own, spreads, population: together(spreads),
    source=_spreads,
)
