"""Skill share: how often one stronger strategy wins against weaker ones in all other seats."""

from __future__ import annotations

from ethnos_sim.experiments.statistics.jackknife import BlockSums, FloatArray, ratio
from ethnos_sim.experiments.statistics.measure import Measure, measure
from ethnos_sim.reports.sufficient import Sums
from ethnos_sim.simulator.records import SIXTIETHS

STRONGER = 0
"""The place of the stronger strategy in the line-up."""


def skill_share(blocks: BlockSums) -> FloatArray:
    """P(win) of the stronger strategy; 1 / players would mean that skill decides nothing."""
    return ratio(blocks["entry_won"][..., STRONGER], SIXTIETHS * blocks["games"])


def measure_skill(sums: Sums, population: str) -> Measure:
    """The skill share of line-ups [stronger, weaker, …]."""
    return measure(
        lambda blocks: skill_share(blocks)[..., None],
        sums.arrays,
        sums.sizes,
        definition="skill",
        unit="share",
        names=("stronger",),
        population=population,
        games=sums.games,
    )
