"""Every number of what was played, as one table: a row a number, each found once.

Labels of a row: `estimand`, then edition, mode, rules ("" for the reference rule set), players and
population of the games, `aspect` (the outcome, side or age, where an estimand has several numbers
about one name; else "") and `name` (a clan, a seat, a strategy, a pair of clans).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.jackknife import of_blocks, together
from ethnos_sim.reports.estimators.catalog import ESTIMANDS, HEADLINE
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.reports.evidence.evidence import SOLO_POPULATION, Evidence, Setting, Situation
from ethnos_sim.simulator.modes import SOLO_EDITION

LABELS = ("estimand", "edition", "mode", "rules", "players", "population", "aspect", "name")
"""The columns that say what a row is about."""


def numbers(evidence: Evidence, *estimands: str) -> Estimates:
    """The numbers of every situation that was played, solo too.

    Args:
        evidence: the sums of what was played.
        estimands: which alone are wanted; all unless given.

    Returns:
        A row a number that has a value, with LABELS; situations in the order of the plans.
    """
    wanted = [ESTIMANDS[name] for name in estimands or ESTIMANDS]
    return _put_together(
        part
        for situation in situations_of(evidence)
        for part in _found(evidence, situation, wanted)
    )


def headline_numbers(evidence: Evidence, situation: Situation) -> Estimates:
    """The numbers of a situation that are compared, guarded and summed up first."""
    return _put_together(_found(evidence, situation, HEADLINE))


def situations_of(evidence: Evidence) -> tuple[Situation, ...]:
    """Every situation that was played, solo too, in the order of the plans."""
    solo = (
        Situation(Setting(SOLO_EDITION, mode), 1, SOLO_POPULATION) for mode in evidence.solo.modes
    )
    return (*evidence.all_situations, *solo)


def _found(
    evidence: Evidence, situation: Situation, estimands: Iterable[Estimand]
) -> Iterable[Estimates]:
    """The rows of a situation with all LABELS, in their order."""
    for estimand in estimands:
        for part in () if estimand.found is None else estimand.found(evidence, situation):
            about = {**situation.columns, "aspect": "", **part.labels}
            own = {column: about[column] for column in LABELS}
            yield replace(part, labels={}).labelled(**own)


def _put_together(parts: Iterable[Estimates]) -> Estimates:
    """The rows that have a value as one table, which may be empty."""
    nothing = np.zeros((BLOCKS, 0))
    none = of_blocks(np.zeros(0), nothing, nothing, unit="", games=0, **dict.fromkeys(LABELS, ()))
    table = together([none, *parts])
    return table.at(np.isfinite(table.value))
