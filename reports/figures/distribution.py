"""How often values come up, for a few groups: the outlines of histograms over each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ethnos_sim.reports.figures.chart import Chart, Side, steps
from ethnos_sim.reports.figures.picture import svg
from ethnos_sim.reports.figures.style import SERIES
from ethnos_sim.reports.rendering.document import Figure
from ethnos_sim.reports.rendering.numbers import MINUS, whole

LINES = ("", "6 3", "1.5 2.5", "7 2.5 1.5 2.5")
"""Dashes of the groups' lines, so that they differ by more than their colors."""

HEIGHT = 2.1
"""Inches."""


def distribution(
    key: str,
    caption: str,
    label: str,
    bins: Sequence[float],
    counts_by_group: Mapping[str, Sequence[int] | np.ndarray],
    *,
    open_end: bool = False,
) -> Figure:
    """Histograms of a few groups, each as shares of its own total.

    Bins without counts at both ends are left out.

    Args:
        key: unique on the page.
        caption: what stands below the figure.
        label: what is counted, for the horizontal axis: "prestige at the end of a game".
        bins: the edges of the bins, rising; bin i holds values from bins[i] to below bins[i + 1].
        counts_by_group: by the group's name, how many values fall into each bin, shape
            (len(bins) - 1,).
        open_end: whether the last bin holds everything above its lower edge too.

    Raises:
        ValueError: a group has another number of counts, there is none, or too many groups.
    """
    edges = np.asarray(bins, float)
    counts = {name: np.asarray(group, np.int64) for name, group in counts_by_group.items()}
    if any(group.shape != (len(edges) - 1,) for group in counts.values()):
        raise ValueError(f"the distribution '{key}' needs {len(edges) - 1} counts in each group")
    counts = {name: group for name, group in counts.items() if group.sum()}
    if not 0 < len(counts) <= len(LINES):
        raise ValueError(f"the distribution '{key}' needs 1 to {len(LINES)} groups with values")
    end = edges[-2] if open_end else np.inf
    edges, counts = _without_empty_ends(edges, counts)
    shares = {name: group / group.sum() for name, group in counts.items()}
    top = 100 * max(share.max() for share in shares.values())
    above = f" (last bar: {_bin(edges, len(edges) - 2, end)})" if edges[-2] >= end else ""
    chart = Chart(
        Side(f"{label}{above}", limits=(edges[0], edges[-1])),
        Side(limits=(0, 1.04 * top), unit=" %"),
    )
    for place, (name, share) in enumerate(shares.items()):
        color = SERIES[(0, 5, 2, 3)[place]]
        outline = steps(edges, 100 * share)
        chart.area(outline, color, 0.18)
        chart.line(outline, color, 1.6, LINES[place])
        if len(shares) > 1:
            chart.explain(name, LINES[place], color)
    _tell_bins(chart, edges, shares, top, end)
    return Figure(key, caption, _alt(label, edges, counts, end), svg(chart, HEIGHT))


def _tell_bins(
    chart: Chart, edges: np.ndarray, shares: Mapping[str, np.ndarray], top: float, end: float
) -> None:
    """Let the area of each bin say the share of every group in it."""
    for number in range(len(edges) - 1):
        parts = [f"{name} {100 * share[number]:.1f} %" for name, share in shares.items()]
        with chart.telling("\n".join([_bin(edges, number, end), *parts])):
            chart.box((edges[number], edges[number + 1]), (0, top))


def _alt(label: str, edges: np.ndarray, counts: Mapping[str, np.ndarray], end: float) -> str:
    """The figure in words and numbers."""
    groups = "; ".join(
        f"{name} {_spread(edges, group, end)}, {whole(int(group.sum()))} values"
        for name, group in counts.items()
    )
    return f"Distribution of {label}, median with the middle 90 %: {groups}."


def _without_empty_ends(
    edges: np.ndarray, counts: Mapping[str, np.ndarray]
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Edges and counts from the first bin to the last that any group has a value in."""
    used = np.flatnonzero(np.sum(list(counts.values()), axis=0))
    first, last = used[0], used[-1] + 1
    return edges[first : last + 1], {name: group[first:last] for name, group in counts.items()}


def _bin(edges: np.ndarray, number: int, end: float) -> str:
    """The values of a bin: "40–44" for whole numbers, "40" for one of them, "300 or more"."""
    low, high = edges[number], edges[number + 1]
    if low >= end:
        return f"{_signed(low)} or more"
    if not (float(low).is_integer() and float(high).is_integer()):
        return f"{_signed(low)} to below {_signed(high)}"
    if high - low == 1:
        return _signed(low)
    joint = "–" if low >= 0 else " to "
    return f"{_signed(low)}{joint}{_signed(high - 1)}"


def _signed(value: float) -> str:
    """A number as short as it may be, with a real minus sign."""
    return f"{value:g}".replace("-", MINUS)


def _spread(edges: np.ndarray, group: np.ndarray, end: float) -> str:
    """The bins of the median and of the ends of the middle nine tenths: "131 (102 to 160)"."""
    reached = np.cumsum(group) / group.sum()
    low, middle, high = (
        _bin(edges, int(np.searchsorted(reached, q)), end) for q in (0.05, 0.5, 0.95)
    )
    return f"{middle} ({low} to {high})"
