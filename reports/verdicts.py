"""From a clan's number to words: how far above or below average it is, as far as that is settled.

A measure that comes here is a difference from average: power, or win lift, whose 0 is the average
party. Its bands cut the differences into seven tiers. A clan has a tier only where its interval
lies in one; else it has the range of tiers that the interval reaches. The intervals hold for all
clans of a family together (Bonferroni), so at most one family in twenty has a tier or a range that
is wrong. A family is what stands in one tier list or column.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ethnos_sim.experiments.statistics.adjustment import holm
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.groups import letters, told_apart
from ethnos_sim.reports.estimators.bands import Bands
from ethnos_sim.reports.estimators.catalog import ESTIMANDS

ALPHA = 0.05

TIERS = {
    3: "far above",
    2: "above",
    1: "slightly above",
    0: "about",
    -1: "slightly below",
    -2: "below",
    -3: "far below",
}
"""What stands before "average", from strong to weak."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What can be said of one clan.

    Attributes:
        estimate: its difference from average.
        p_value: two-sided, for "no different from average", by Holm over the family.
        lowest: the lowest of TIERS that its interval reaches; None without an interval.
        highest: the highest.
        group: letters; clans that share one cannot be told apart. Empty without an interval.
    """

    estimate: Estimate
    p_value: float
    lowest: int | None
    highest: int | None
    group: str

    @property
    def clan(self) -> str:
        """The clan's name."""
        return self.estimate.name

    @property
    def settled(self) -> bool:
        """Whether it is known on which side of average the clan is, or that it is about there."""
        return self.tone != "open"

    @property
    def side(self) -> str:
        """The side on which the whole interval lies: "up", "down", "level" or "open"."""
        return self.tone.rstrip("123")

    @property
    def tone(self) -> str:
        """The side with the least that is sure of its size, as figures and style sheet name it."""
        if self.lowest is None or self.highest is None:
            return "open"
        if self.lowest > 0:
            return f"up{self.lowest}"
        if self.highest < 0:
            return f"down{-self.highest}"
        return "open" if self.lowest or self.highest else "level"

    @property
    def words(self) -> str:
        """The tier in words, or the range: "above average", "about to slightly above average"."""
        if self.lowest is None or self.highest is None:
            return "too few games"
        one, other = sorted((self.lowest, self.highest), key=abs)
        if one == other:
            return f"{TIERS[one]} average"
        if one * other < 0:
            one, other = self.lowest, self.highest
        return f"{TIERS[one]} to {TIERS[other]} average"


def verdicts(values: Estimates) -> tuple[Verdict, ...]:
    """A verdict for every clan with a value, from the strongest to the weakest.

    Args:
        values: a difference from average with bands, of every clan.
    """
    value = values.value
    known = np.flatnonzero(np.isfinite(value))
    known = known[np.argsort(-value[known], kind="stable")]
    trusted = known[values.trusted[known]]
    kept = values.at(trusted)
    p_values = dict(zip(known, holm(values.p_values()[known]), strict=True))
    groups = dict(zip(trusted, letters(told_apart(kept)), strict=True))
    ends = dict(zip(trusted, zip(*kept.interval(max(1, len(trusted))), strict=True), strict=True))
    bands, estimates = ESTIMANDS[values.only("estimand")].bands, values.estimates()
    assert bands is not None, "clans are judged by a number that has bands"
    found = []
    for i in known:
        low, high = (_tier(bands, end) for end in ends[i]) if i in ends else (None, None)
        found.append(Verdict(estimates[i], float(p_values[i]), low, high, groups.get(i, "")))
    return tuple(found)


def policy_dependent(populations: Iterable[Sequence[Verdict]]) -> frozenset[str]:
    """Clans that are settled above average under one population and below it under another."""
    sides: dict[str, set[str]] = {}
    for found in populations:
        for verdict in found:
            sides.setdefault(verdict.clan, set()).add(verdict.side)
    return frozenset(clan for clan, both in sides.items() if {"up", "down"} <= both)


def _tier(bands: Bands, difference: float) -> int:
    """The tier of a difference from average, from -3 to 3."""
    return bands.size(difference) * (1 if difference > 0 else -1)
