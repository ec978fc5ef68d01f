"""Every estimand there is, found in the modules of this package as strategies are in theirs."""

from __future__ import annotations

import importlib
import pkgutil

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
    """Up to which size a difference of a headline number counts as none; KeyError for others."""
    return ESTIMANDS[definition].margin_of(name)


def label_of(definition: str, name: str) -> str:
    """What a headline number is called in tables that hold all kinds: "Bear: win lift"."""
    return ESTIMANDS[definition].label_of(name)
