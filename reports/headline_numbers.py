"""The headline numbers of a situation: what is compared, guarded by the gate, and summed up first.

A situation is an edition in a mode with a rule set, a player count and a population; the solo games
of a difficulty are one too. Its numbers come as measures: jackknifed over the same blocks of deals,
so that two situations that played the same deals can be compared number by number.
"""

from __future__ import annotations

from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.estimators.catalog import HEADLINE
from ethnos_sim.reports.evidence.evidence import SOLO_POPULATION, Evidence, Setting, Situation
from ethnos_sim.simulator.modes import SOLO_EDITION


def situations_of(evidence: Evidence) -> tuple[Situation, ...]:
    """Every situation that was played, solo too, in the order of the plans."""
    solo = (
        Situation(Setting(SOLO_EDITION, mode), 1, SOLO_POPULATION) for mode in evidence.solo.modes
    )
    return (*evidence.all_situations, *solo)


def measures_of(evidence: Evidence, situation: Situation) -> tuple[Estimates, ...]:
    """The headline numbers of a situation, as far as it was played, family by family."""
    words = evidence.describe(situation.setting, situation.players, situation.population)
    return tuple(
        measured
        for estimand in HEADLINE
        if estimand.found is not None
        for measured in estimand.found(evidence, situation, words)
    )
