"""Skill trend: how a number changes from the weakest to the strongest player that was asked.

A number that holds at every level of play says something of the game; one that grows, shrinks or
turns over with skill says something of the players too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.jackknife import weighted_sum
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.reports.rendering.numbers import UNITS, difference_unit

LADDER = ("random", "greedy", "warden", "champion", "learned")
"""Players from weak to strong, as matches between them rank them in both editions
(docs/strategy-strength.md); each wins most games against three of any one before it."""

STRONG = ("evaluator", "champion", "learned")
"""The strongest players, made in different ways: weights by hand, by tuning, a net by playing."""

SKILL_TREND = Estimand(
    name="skill_trend",
    title="Skill trend",
    meaning="How much a number changes from the weakest to the strongest player of a ladder in "
    "which all seats play alike. Growing and shrinking: the interval of the change excludes 0, "
    "and the number moves away from 0 or towards it; flipped: it is below 0 at one end and above "
    "at the other, each by its interval; stable: the change lies within the number's margin.",
    formula="(rungs − 1) × slope of the least-squares line through the numbers of the rungs",
    interval="rungs that played the same deals are combined block by block, else their variances "
    "add; t with (blocks − 1) degrees of freedom; Bonferroni over the clans of a column",
    label="{clan}: skill trend",
)


def strength(population: str) -> int:
    """A population's place on the ladder, higher for stronger; -1 for one that has none."""
    return LADDER.index(population) if population in LADDER else -1


def skill_trends(rungs: Sequence[Estimates]) -> tuple[Estimate, ...]:
    """The change of every number over the rungs.

    Args:
        rungs: the same estimand for the same names, from the weakest player to the strongest.

    Returns:
        An estimate a name; the intervals of several names hold together.
    """
    places = np.arange(len(rungs)) - (len(rungs) - 1) / 2
    weights = (len(rungs) - 1) * places / (places**2).sum()
    parts = list(zip(weights, rungs, strict=True))
    try:
        trend = weighted_sum(parts)
    except ValueError:  # Different deals, or not equally many of each block.
        trend = _apart(parts)
    events = np.where(np.all([rung.trusted for rung in rungs], axis=0), trend.events, 0)
    trend = replace(trend, events=events).in_unit(difference_unit(rungs[-1].unit[0]))
    said = [rung.only("population").split(" in ")[0] for rung in rungs]
    return trend.labelled(estimand=SKILL_TREND.name, population=" < ".join(said)).estimates(
        comparisons=max(1, int(trend.trusted.sum()))
    )


def _apart(parts: Sequence[tuple[float, Estimates]]) -> Estimates:
    """A weighted sum of rungs with deals of their own: variances add, with the fewest degrees."""
    first = parts[0][1]
    return replace(
        first,
        value=np.asarray(sum(weight * part.value for weight, part in parts)),
        pseudo=np.where(np.isfinite(first.pseudo), 0.0, np.nan),
        games=np.asarray(sum(part.games for _, part in parts)),
        added_error=np.sqrt(sum((weight * part.standard_error) ** 2 for weight, part in parts)),
        added_degrees=np.min([part.degrees for _, part in parts], axis=0),
    )


def in_words(trend: Estimate, weakest: Estimate, strongest: Estimate, margin: float) -> str:
    """What skill does to a number: stable, growing, shrinking, flipped, or not settled.

    Args:
        trend: its change over the ladder.
        weakest: the number at its lower end.
        strongest: the number at its upper end.
        margin: up to which change it counts as stable, in its own unit.
    """
    if trend.low is None or trend.high is None or trend.value is None:
        return "too few games"
    signed = UNITS[strongest.unit].signed
    if signed and {_side(weakest), _side(strongest)} == {-1, 1}:
        return "flipped"
    if trend.low > 0 or trend.high < 0:
        grown = (
            abs(strongest.value or 0.0) > abs(weakest.value or 0.0) if signed else trend.value > 0
        )
        return "growing" if grown else "shrinking"
    return "stable" if -margin <= trend.low and trend.high <= margin else "not settled"


def _side(estimate: Estimate) -> int:
    """On which side of 0 the whole interval lies: -1, 1, or 0 for neither."""
    if estimate.low is None or estimate.high is None:
        return 0
    return int(estimate.low > 0) - int(estimate.high < 0)
