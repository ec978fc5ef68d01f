"""Every headline number of some evidence: the tables at which players meet, and solo."""

from __future__ import annotations

import numpy as np

from ethnos_sim.experiments.statistics.jackknife import BlockSums, FloatArray, IntArray, ratio
from ethnos_sim.experiments.statistics.measure import Measure
from ethnos_sim.reports.estimators.solo import SOLO_MARGIN, SOLO_PRESTIGE, SOLO_WIN_RATE
from ethnos_sim.reports.evidence import Evidence, Setting, Situation
from ethnos_sim.reports.headline_numbers import headline_measures
from ethnos_sim.reports.solo_evidence import SoloEvidence, SoloSums
from ethnos_sim.simulator.modes import SOLO_EDITION
from ethnos_sim.simulator.records import SIXTIETHS

SOLO_POPULATION = "solo"
"""The population of the solo situations: each strategy alone against Bruno."""


def situations_of(evidence: Evidence) -> tuple[Situation, ...]:
    """Every situation that was played, solo too, in the order of the plans."""
    solo = (
        Situation(Setting(SOLO_EDITION, mode), 1, SOLO_POPULATION) for mode in evidence.solo.modes
    )
    return (*evidence.all_situations, *solo)


def measures_of(evidence: Evidence, situation: Situation) -> tuple[Measure, ...]:
    """The headline numbers of a situation."""
    if situation.population == SOLO_POPULATION:
        return solo_measures(evidence.solo, situation.setting.mode)
    return headline_measures(evidence, situation)


def solo_measures(solo: SoloEvidence, mode: str) -> tuple[Measure, ...]:
    """Win rate, margin and both sides' prestige of every strategy at one difficulty.

    The win rate is jackknifed over blocks of deals here, so that two results that played the same
    deals can be paired.
    """
    lines = solo.of_mode(mode)
    sums = {
        "won": _side_by_side(lines, "won"),
        "games": _side_by_side(lines, "games"),
        "prestige": _side_by_side(lines, "source"),
    }
    names = tuple(lines)

    def win_rate(blocks: BlockSums) -> FloatArray:
        return ratio(blocks["won"], SIXTIETHS * blocks["games"])

    def margin(blocks: BlockSums) -> FloatArray:
        totals = blocks["prestige"].sum(axis=-1)
        return ratio(totals[..., 0] - totals[..., 1], blocks["games"])

    def prestige(blocks: BlockSums) -> FloatArray:
        return ratio(blocks["prestige"].sum(axis=-1)[..., 0], blocks["games"])

    kinds = ((SOLO_WIN_RATE, win_rate), (SOLO_MARGIN, margin), (SOLO_PRESTIGE, prestige))
    games = sums["games"].sum(axis=0)
    return tuple(
        estimand.measure(
            statistic,
            sums,
            sums["games"].sum(axis=1),
            names=names,
            population=SOLO_POPULATION,
            games=games,
        )
        for estimand, statistic in kinds
    )


def _side_by_side(lines: dict[str, SoloSums], name: str) -> IntArray:
    """One array of all strategies, the strategies on the axis after the block."""
    return np.stack([sums.arrays[name] for sums in lines.values()], axis=1)
