"""Every estimand there is, found in the modules of this package as strategies are in theirs.

A clan's number becomes a word, strong, middle or weak, where that is settled: a difference from
average, whose interval holds for all clans of a figure or column together (Bonferroni), so at most
one of these in twenty has a wrong word.
"""

from __future__ import annotations

import importlib
import pkgutil

import numpy as np

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports import estimators
from ethnos_sim.reports.estimators.estimand import Estimand

FAMILIES = ("seats", "clans", "shape", "strategies", "solo")
"""The families of headline numbers, in the order in which they are told."""


def _found() -> dict[str, Estimand]:
    """What the modules of the package declare; ValueError for a name that is there twice."""
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


ESTIMANDS = _found()
"""The estimands by name, in the order of their names."""

HEADLINE = tuple(
    sorted(
        (estimand for estimand in ESTIMANDS.values() if estimand.family),
        key=lambda estimand: (FAMILIES.index(estimand.family), estimand.name),
    )
)
"""The estimands of headline numbers of a situation, family by family."""


def margin_of(definition: str, name: str) -> float:
    """Up to which size a difference of a number counts as none; KeyError for one without margin."""
    return ESTIMANDS[definition].margin_of(name)


def label_of(definition: str, name: str) -> str:
    """What a headline number is called in tables that hold all kinds: "Bear: win lift"."""
    return ESTIMANDS[definition].label_of(name)


STRONG, MIDDLE, WEAK, OPEN = "strong", "middle", "weak", "not settled"


def word_of(estimate: Estimate | None) -> str:
    """STRONG, MIDDLE, WEAK or OPEN for a difference from average.

    Middle: the whole interval is nearer to 0 than the margin; strong and weak: it lies above or
    below 0; else it is not settled.
    """
    if estimate is None or estimate.low is None or estimate.high is None:
        return OPEN
    if max(-estimate.low, estimate.high) < margin_of(estimate.definition, estimate.name):
        return MIDDLE
    return {1: STRONG, -1: WEAK, 0: OPEN}[estimate.side]


def ranked(values: Estimates) -> tuple[Estimate, ...]:
    """Every clan with a value, from the strongest to the weakest, each interval among all clans.

    Args:
        values: a difference from average, of every clan.
    """
    known = np.flatnonzero(np.isfinite(values.value))
    found = values.at(known[np.argsort(-values.value[known], kind="stable")])
    return found.estimates(max(1, int(found.trusted.sum())))
