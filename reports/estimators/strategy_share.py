"""How strong the strategies are that the other numbers rest on: win share in their line-up.

A strategy that fills several seats of a line-up is one entry, and its share is a seat's average;
1 / players is par. Seats are rotated, so no strategy gains by where it sits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates, IntArray
from ethnos_sim.experiments.statistics.jackknife import ratio
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.reports.evidence.evidence import SKILL, Evidence, Situation
from ethnos_sim.reports.evidence.sums import Sums
from ethnos_sim.simulator.records import SIXTIETHS


def sums_by_line_up(evidence: Evidence, situation: Situation) -> dict[tuple[str, ...], Sums]:
    """The games of a situation in which nobody was restricted, by line-up."""
    found: dict[tuple[str, ...], Sums] = {}
    for stratum, sums in evidence.strata(situation).items():
        before = found.get(stratum.line_up)
        found[stratum.line_up] = sums if before is None else before.plus(sums)
    return found


def measure_population_share(
    line_ups: Mapping[tuple[str, ...], Sums], population: str
) -> Estimates:
    """P(win) of a seat held by each strategy, over all line-ups of a population together.

    Args:
        line_ups: the games of each line-up; every line-up for the same number of players.
        population: what a reader may call it.
    """
    names = tuple(sorted({name for line_up in line_ups for name in line_up}))
    arrays: dict[str, IntArray] = {}
    for line_up, sums in line_ups.items():
        members = np.asarray([[name == entry for name in names] for entry in line_up], np.int64)
        parts = {
            "won": sums.arrays["entry_won"] @ members,
            "seats": sums.sizes[:, None] * members.sum(axis=0),
            "games": sums.sizes,
        }
        arrays = {name: part + arrays.get(name, 0) for name, part in parts.items()}
    return STRATEGY_SHARE.measure(
        lambda blocks: ratio(blocks["won"], SIXTIETHS * blocks["seats"]),
        arrays,
        arrays["games"],
        names=names,
        population=population,
        games=arrays["seats"].sum(axis=0),
    )


def _of_situation(evidence: Evidence, situation: Situation) -> Iterator[Estimates]:
    """The win share of every strategy where different ones met."""
    by_line_up = sums_by_line_up(evidence, situation)
    if situation.population != SKILL and len({s for line_up in by_line_up for s in line_up}) > 1:
        yield measure_population_share(by_line_up, situation.population)


STRATEGY_SHARE = Estimand(
    name="strategy_share",
    title="Win share of a strategy",
    meaning="Winning chance of a seat that the strategy holds in its line-up; 1/n is par.",
    formula="sum of w over its seats / seats it held",
    unit="share",
    label="{name}: win share",
    margin=0.01,
    family="strategies",
    found=_of_situation,
)
