"""The headline numbers of a situation: what is compared, guarded by the gate, and summed up first.

A situation is an edition in a mode with a rule set, a player count and a population. Its numbers
come as measures: jackknifed over the same blocks of deals, so that two situations that played the
same deals can be compared number by number.
"""

from __future__ import annotations

from ethnos_sim.experiments.statistics.measure import Measure
from ethnos_sim.reports.estimators.catalog import HEADLINE
from ethnos_sim.reports.evidence import Evidence, Situation


def headline_measures(evidence: Evidence, situation: Situation) -> tuple[Measure, ...]:
    """The headline numbers of a situation, as far as it was played, family by family."""
    words = evidence.describe(situation.setting, situation.players, situation.population)
    return tuple(
        measured
        for estimand in HEADLINE
        if estimand.headline is not None
        for measured in estimand.headline(evidence, situation, words)
    )
