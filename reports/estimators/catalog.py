"""The catalog of all estimands of this package, and words for clans.

The word for a clan is its verdict: strong or weak if its difference from average matters, average
if it does not. The intervals of a figure or column are simultaneous (Bonferroni), so at most one
figure or column in twenty has a wrong word.
"""

from __future__ import annotations

import importlib
import pkgutil

import numpy as np

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.verdict import Verdict, verdict_of
from ethnos_sim.reports import estimators
from ethnos_sim.reports.estimators.estimand import Estimand

FAMILIES = ("seats", "clans", "shape", "strategies", "solo")
"""The families of headline numbers, in the order in which reports list them."""


def _collect_estimands() -> dict[str, Estimand]:
    """The estimands of all modules by name; ValueError if two have the same name."""
    estimands: dict[str, Estimand] = {}
    for module in pkgutil.iter_modules(estimators.__path__):
        if f"{estimators.__name__}.{module.name}" == __name__:
            continue
        declared = vars(importlib.import_module(f"{estimators.__name__}.{module.name}"))
        for estimand in declared.values():
            if not isinstance(estimand, Estimand):
                continue
            if estimands.setdefault(estimand.name, estimand) is not estimand:
                raise ValueError(f"two estimands are called '{estimand.name}'")
    return dict(sorted(estimands.items()))


ESTIMANDS = _collect_estimands()
"""The estimands by name, in alphabetical order."""

HEADLINE_ESTIMANDS = tuple(
    sorted(
        (estimand for estimand in ESTIMANDS.values() if estimand.family),
        key=lambda estimand: (FAMILIES.index(estimand.family), estimand.name),
    )
)
"""The estimands of headline numbers, family by family."""


def margin_of(estimand: str, name: str, players: int) -> float:
    """The margin of a number of an estimand; KeyError if the number has none."""
    return ESTIMANDS[estimand].margin_of(name, players)


def label_of(estimand: str, name: str) -> str:
    """The label of a number in tables of several estimands: "Bear: win lift"."""
    return ESTIMANDS[estimand].label_of(name)


def verdict_on(estimate: Estimate | None) -> Verdict:
    """The verdict on a difference from average or from a fair share, against its margin."""
    if estimate is None:
        return Verdict.OPEN
    margin = margin_of(estimate.estimand, estimate.name, estimate["players"])
    return verdict_of(estimate.low, estimate.high, margin)


STRONG, WEAK = "strong", "weak"
CLAN_WORDS = {
    Verdict.ALIKE: "average",
    Verdict.CLOSE: "near average",
    Verdict.OPEN: "too few games",
}
"""The words for a clan by verdict, but for MATTERS, whose words are STRONG and WEAK."""


def clan_word(estimate: Estimate | None) -> str:
    """The word for a clan by its difference from average: STRONG, WEAK, or one of CLAN_WORDS."""
    verdict = verdict_on(estimate)
    if estimate is None or verdict is not Verdict.MATTERS:
        return CLAN_WORDS[verdict]
    return STRONG if (estimate.value or 0.0) > 0 else WEAK


def ranked_clans(differences: Estimates) -> tuple[Estimate, ...]:
    """The estimates of clans, the strongest first, with simultaneous intervals.

    Args:
        differences: the difference from average of each clan; a clan without a value is left out.
    """
    known = np.flatnonzero(np.isfinite(differences.value))
    order = differences.rows_at(known[np.argsort(-differences.value[known], kind="stable")])
    return order.estimates(max(1, int(order.has_interval.sum())))
