"""How far apart clans are: the standard deviation of their worth or win lift, without noise.

By chance the estimates lie further apart than the clans. The variance over the clans is a smooth
function of the sums, with a bias of the order of 1 / games. The jackknife removes this bias: the
mean of its pseudo-values is the corrected variance (Quenouille 1956, "Notes on bias in estimation",
Biometrika 43: 353-360). An end of the variance's interval may lie below 0; it is set to 0 before
the square root is taken. If the clans do not differ at all, the interval is rather too wide.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

import numpy as np

from ethnos_sim.experiments.evidence.evidence import Evidence, Situation
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.jackknife import join_tables
from ethnos_sim.reports.estimators import margins
from ethnos_sim.reports.estimators.estimand import Estimand, Number
from ethnos_sim.reports.estimators.leading import WIN_LIFT
from ethnos_sim.reports.estimators.worth import WORTH


def spread_of(clans: Estimates) -> Iterator[Estimates]:
    """The spread of clans; no table if fewer than two have an interval.

    The pseudo-values are those of the variance over the clans, not of its square root.
    """
    measured = clans.rows_at(clans.has_interval)
    if len(measured) < 2:
        return
    variance = measured.reduce_rows(lambda values: values.var(axis=-1, ddof=1, keepdims=True))
    ends = np.stack(variance.interval()) - variance.value + variance.bias_corrected
    (name,) = set(clans["estimand"])
    yield (
        replace(
            variance,
            value=np.sqrt(np.maximum(variance.bias_corrected, 0.0)),
            given_interval=np.sqrt(np.maximum(ends, 0.0)),
        )
        .with_unit(CLAN_SPREAD.numbers[name].unit)
        .with_labels(estimand=CLAN_SPREAD.name, name=name)
    )


_SPREAD_UNITS = {WORTH: "share_spread", WIN_LIFT: "fair_shares_spread"}
"""The estimands whose spread is measured, with the unit of the spread."""


def _spreads(evidence: Evidence, situation: Situation) -> list[Estimates] | None:
    """The spreads of a situation, one for each estimand; None if there is none."""
    tables = chain(*(estimand.estimates_in(evidence, situation) for estimand in _SPREAD_UNITS))
    return [row for clans in tables for row in spread_of(clans)] or None


CLAN_SPREAD = Estimand(
    name="clan_spread",
    numbers={
        estimand.name: Number(f"Spread of the clans: {estimand.short_label}", margins.SPREAD, unit)
        for estimand, unit in _SPREAD_UNITS.items()
    },
    estimator=lambda estimand, rows, population: join_tables(rows),
    select_data=_spreads,
)
