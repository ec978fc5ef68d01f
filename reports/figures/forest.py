"""The lead figure: every clan's power or win lift with its interval, from strong to weak."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.estimators.catalog import ESTIMANDS
from ethnos_sim.reports.figures.drawing import (
    FAINT,
    GRID,
    TONES,
    drawing,
    shape,
    svg,
    tell,
    told,
)
from ethnos_sim.reports.rendering.document import Figure
from ethnos_sim.reports.rendering.labels import capital
from ethnos_sim.reports.rendering.numbers import UNITS, decimals_for, number, with_interval
from ethnos_sim.reports.verdicts import Verdict

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW = 0.27
"""Inches of height a clan."""

OTHERS = ("D", "s", "P", "X")
"""Marks of further populations, or of another measure."""


def forest(
    key: str,
    caption: str,
    found: Sequence[Verdict],
    labels: Mapping[str, str],
    others: Mapping[str, Mapping[str, Estimate]] | None = None,
    beside: tuple[str, Mapping[str, Estimate]] | None = None,
    nothing: Estimate | None = None,
) -> Figure:
    """A forest plot of one measure of clans.

    Args:
        key: unique on the page.
        caption: what stands below the figure.
        found: verdicts in the order in which they are drawn, from the top.
        labels: what each clan is called.
        others: further estimates in the same unit by their label and clan, drawn small.
        beside: a further measure by clan in the same unit, on a scale of its own to the right, and
            what its axis says.
        nothing: where a clan stands that is worth nothing, drawn as a line.
    """
    rows = range(len(found))
    further = dict(others or {})
    with drawing(key, ROW * len(found) + 0.75 + (0.3 if others else 0)) as (figure, axes):
        if beside:
            axes.remove()
            axes, right = figure.subplots(1, 2, width_ratios=(2, 1))
            _beside(right, found, beside, labels)
            further[beside[0]] = beside[1]
        _scale(axes, found)
        if nothing is not None and nothing.value is not None:
            place = _factor(found) * nothing.value
            tell(axes.axvline(place, color=FAINT, linestyle="--"), told("blank clan", nothing))
        for row, verdict in zip(rows, found, strict=True):
            _mark(axes, row, verdict, labels[verdict.clan])
        for mark, (label, estimates) in zip(OTHERS, (others or {}).items(), strict=False):
            _small_marks(axes, found, estimates, labels, label, mark, 0.27)
            axes.scatter([], [], marker=mark, s=12, facecolor="white", edgecolor=FAINT, label=label)
        axes.set_ylim(len(found) - 0.4, -0.6)
        axes.set_yticks(list(rows), [labels[verdict.clan] for verdict in found])
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        _values(axes, found)
        if others:
            axes.legend(
                loc="lower center",
                bbox_to_anchor=(0.5, 1),
                ncols=len(others),
                frameon=False,
                fontsize=8,
                handletextpad=0.2,
            )
        return Figure(key, caption, _alt(found, labels, further), svg(figure))


def _factor(found: Sequence[Verdict]) -> float:
    """What values are multiplied by to be drawn."""
    return UNITS[found[0].estimate.unit].factor


def _scale(axes: Axes, found: Sequence[Verdict]) -> None:
    """The average with its bands, as far as the values reach, and what the axis says."""
    bands, factor = ESTIMANDS[found[0].estimate.definition].bands, _factor(found)
    assert bands is not None, "verdicts come from bands"
    axes.axvspan(-factor * bands.minor, factor * bands.minor, color=GRID, linewidth=0)
    reach = factor * max(abs(v.estimate.value or 0.0) for v in found)
    for limit in (factor * bands.notable, factor * bands.strong):
        for side in (-limit, limit) if limit <= 1.5 * reach else ():
            axes.axvline(side, color=GRID, linewidth=1)
    axes.axvline(0, color=FAINT, linewidth=0.8)
    axes.set_xlabel(f"{_title(found)} (gray: about average)")


def _title(found: Sequence[Verdict]) -> str:
    """What the axis says: the measure and its unit."""
    estimate = found[0].estimate
    return f"{ESTIMANDS[estimate.definition].short}, {UNITS[estimate.unit].words}"


def _values(axes: Axes, found: Sequence[Verdict]) -> None:
    """Values and groups in words, to the right of the marks."""
    decimals = decimals_for([verdict.estimate for verdict in found])
    right = axes.secondary_yaxis("right")
    right.set_yticks(
        range(len(found)),
        [f"{with_interval(v.estimate, decimals)}  {v.group}".rstrip() for v in found],
    )
    right.tick_params(length=0)
    right.spines["right"].set_visible(False)


def _small_marks(
    axes: Axes,
    found: Sequence[Verdict],
    estimates: Mapping[str, Estimate],
    labels: Mapping[str, str],
    label: str,
    mark: str,
    below: float,
) -> None:
    """Further estimates of the same clans, hollow and small, a little below their rows."""
    factor = _factor(found)
    for row, verdict in enumerate(found):
        estimate = estimates.get(verdict.clan)
        if estimate is None or estimate.value is None:
            continue
        if estimate.low is not None and estimate.high is not None:
            ends = factor * estimate.low, factor * estimate.high
            axes.hlines(row + below, *ends, color=FAINT, linewidth=0.7)
        point = axes.scatter(
            [factor * estimate.value],
            [row + below],
            marker=mark,
            s=12,
            facecolor="white",
            edgecolor=FAINT,
            linewidth=0.9,
        )
        tell(point, told(f"{labels[verdict.clan]}, {label}", estimate))


def _beside(
    axes: Axes,
    found: Sequence[Verdict],
    beside: tuple[str, Mapping[str, Estimate]],
    labels: Mapping[str, str],
) -> None:
    """The further measure on axes of its own."""
    label, estimates = beside
    axes.axvline(0, color=FAINT, linewidth=0.8, linestyle=":")
    _small_marks(axes, found, estimates, labels, label, OTHERS[0], 0)
    axes.set_ylim(len(found) - 0.4, -0.6)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(label)


def _mark(axes: Axes, row: int, verdict: Verdict, label: str) -> None:
    """One clan: its interval as a line and its value as a shape, hollow while it is not settled."""
    estimate, color = verdict.estimate, TONES[verdict.tone]
    if estimate.value is None:
        return
    factor = _factor([verdict])
    if estimate.low is not None and estimate.high is not None:
        ends = factor * estimate.low, factor * estimate.high
        axes.hlines(row, *ends, color=color, linewidth=2)
    point = axes.scatter(
        [factor * estimate.value],
        [row],
        marker=shape(verdict.tone),
        s=42,
        color="white" if verdict.tone == "open" else color,
        edgecolor=color,
        linewidth=1.2,
        zorder=3,
    )
    tell(point, told(label, estimate, verdict.words))


def _alt(
    found: Sequence[Verdict],
    labels: Mapping[str, str],
    others: Mapping[str, Mapping[str, Estimate]],
) -> str:
    """The figure in words and numbers."""
    parts = []
    for verdict in found:
        beside = [
            f"{name} {number(estimates[verdict.clan].value, verdict.estimate.unit)}"
            for name, estimates in others.items()
            if verdict.clan in estimates
        ]
        more = f" ({'; '.join(beside)})" if beside else ""
        value = with_interval(verdict.estimate)
        parts.append(f"{labels[verdict.clan]} {value}, {verdict.words}{more}")
    return f"{capital(_title(found))}, with 95 % intervals: " + "; ".join(parts) + "."
