"""Skill share: how often one stronger strategy wins against weaker ones in all other seats."""

from __future__ import annotations

from collections.abc import Iterator

from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, ratio
from ethnos_sim.reports.estimators.bands import POWER
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.reports.evidence.evidence import SKILL, Evidence, Situation
from ethnos_sim.reports.evidence.sums import Sums
from ethnos_sim.simulator.records import SIXTIETHS

STRONGER = 0
"""The place of the stronger strategy in the line-up."""


def skill_share(blocks: BlockSums) -> FloatArray:
    """P(win) of the stronger strategy; 1 / players would mean that skill decides nothing."""
    return ratio(blocks["entry_won"][..., STRONGER], SIXTIETHS * blocks["games"])


def measure_skill(sums: Sums, population: str) -> Estimates:
    """The skill share of line-ups [stronger, weaker, …]."""
    return SKILL_SHARE.measure(
        lambda blocks: skill_share(blocks)[..., None],
        sums.arrays,
        sums.sizes,
        names=("stronger",),
        population=population,
        games=sums.games,
    )


def _of_situation(evidence: Evidence, situation: Situation) -> Iterator[Estimates]:
    """The skill share of line-ups that are there for it."""
    if situation.population == SKILL and situation in evidence.situations:
        yield measure_skill(evidence.of(situation), situation.population)


SKILL_SHARE = Estimand(
    name="skill",
    title="Skill share",
    meaning=(
        "Winning chance of one stronger strategy against a weaker one in all other seats; 1/n "
        "would mean that skill decides nothing."
    ),
    formula="sum of w of the stronger strategy / games",
    unit="share",
    label="Skill share of the stronger strategy",
    margin=POWER.minor,
    family="strategies",
    found=_of_situation,
)
