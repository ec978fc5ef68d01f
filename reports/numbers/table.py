"""Every number of what was played, as one table: a row a number, each found once.

Labels of a row: `estimand`, then edition, mode, rules ("" for the reference rule set), players and
population of the games, `aspect` (the outcome, side or age, where an estimand has several numbers
about one name; else "") and `name` (a clan, a seat, a strategy, a pair of clans).
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates, together
from ethnos_sim.reports.estimators.catalog import ESTIMANDS
from ethnos_sim.reports.evidence.evidence import Evidence, Situation
from ethnos_sim.reports.headline_numbers import situations_of

LABELS = ("estimand", "edition", "mode", "rules", "players", "population", "aspect", "name")
"""The columns that say what a row is about."""


def numbers(evidence: Evidence, *estimands: str) -> Estimates:
    """The numbers of every situation that was played, solo too.

    Args:
        evidence: the sums of what was played.
        estimands: which alone are wanted; all unless given.

    Returns:
        A row a number that has a value, with LABELS; situations in the order of the plans.

    Raises:
        ValueError: nothing was played that says anything of them.
    """
    wanted = [ESTIMANDS[name] for name in estimands or ESTIMANDS]
    found = [
        _labelled(part, situation)
        for situation in situations_of(evidence)
        for estimand in wanted
        if estimand.found is not None
        for part in estimand.found(evidence, situation, situation.population)
    ]
    if not found:
        raise ValueError("nothing was played that says anything of these estimands")
    table = together(found)
    return table.at(np.isfinite(table.value))


def _labelled(part: Estimates, situation: Situation) -> Estimates:
    """Rows of a situation with all LABELS, in their order."""
    about = {**situation.columns, "aspect": "", **part.labels}
    return part.labelled(**{column: about[column] for column in LABELS})
