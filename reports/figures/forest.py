"""The lead figure: every clan's power or win lift with its interval, from strong to weak."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.estimators.catalog import ESTIMANDS
from ethnos_sim.reports.figures.chart import Chart, Side
from ethnos_sim.reports.figures.picture import side_by_side, svg
from ethnos_sim.reports.figures.style import FAINT, GRID, TONES, shape, told
from ethnos_sim.reports.rendering.document import Figure
from ethnos_sim.reports.rendering.labels import capital
from ethnos_sim.reports.rendering.numbers import UNITS, decimals_for, number, with_interval
from ethnos_sim.reports.verdicts import Verdict

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
    further = dict(others or {})
    rows = Side(
        limits=(len(found) - 0.4, -0.6),
        names=[(row, labels[verdict.clan]) for row, verdict in enumerate(found)],
        opposite=_values(found),
    )
    chart = Chart(Side(f"{_title(found)} (gray: about average)"), rows, columns=len(OTHERS))
    _bands(chart, found)
    if nothing is not None and nothing.value is not None:
        place = _factor(found) * nothing.value
        with chart.telling(told("blank clan", nothing)):
            chart.line([(place, -inf), (place, inf)], FAINT, 1.5, "5 3")
    for row, verdict in enumerate(found):
        _mark(chart, row, verdict, labels[verdict.clan])
    for mark, (label, estimates) in zip(OTHERS, further.items(), strict=False):
        _small_marks(chart, found, estimates, labels, label, mark, 0.27)
        chart.explain(label, mark, FAINT, "white")
    inches = ROW * len(found) + 0.75 + (0.3 if others else 0)
    if not beside:
        return Figure(key, caption, _alt(found, labels, further), svg(chart, inches))
    further[beside[0]] = beside[1]
    drawn = side_by_side([chart, _beside(found, beside, labels)], inches, (2, 1))
    return Figure(key, caption, _alt(found, labels, further), drawn)


def _factor(found: Sequence[Verdict]) -> float:
    """What values are multiplied by to be drawn."""
    return UNITS[found[0].estimate.unit].factor


def _bands(chart: Chart, found: Sequence[Verdict]) -> None:
    """The average with its bands, as far as the values reach."""
    bands, factor = ESTIMANDS[found[0].estimate.definition].bands, _factor(found)
    assert bands is not None, "verdicts come from bands"
    chart.box((-factor * bands.minor, factor * bands.minor), (-inf, inf), GRID)
    reach = factor * max(abs(v.estimate.value or 0.0) for v in found)
    for limit in (factor * bands.notable, factor * bands.strong):
        for side in (-limit, limit) if limit <= 1.5 * reach else ():
            chart.line([(side, -inf), (side, inf)], GRID)
    chart.line([(0, -inf), (0, inf)], FAINT, 0.8)


def _title(found: Sequence[Verdict]) -> str:
    """What the axis says: the measure and its unit."""
    estimate = found[0].estimate
    return f"{ESTIMANDS[estimate.definition].short}, {UNITS[estimate.unit].words}"


def _values(found: Sequence[Verdict]) -> list[tuple[float, str]]:
    """Values and groups in words, which stand to the right of the marks."""
    decimals = decimals_for([verdict.estimate for verdict in found])
    return [
        (row, f"{with_interval(verdict.estimate, decimals)}  {verdict.group}".rstrip())
        for row, verdict in enumerate(found)
    ]


def _small_marks(
    chart: Chart,
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
        with chart.telling(told(f"{labels[verdict.clan]}, {label}", estimate)):
            _interval(chart, estimate, row + below, factor, FAINT, 0.7)
            point = factor * estimate.value, row + below
            chart.mark(point, FAINT, mark, 3.6, "white", 0.9)


def _interval(
    chart: Chart, estimate: Estimate, row: float, factor: float, color: str, width: float
) -> None:
    """The line of an estimate's interval, where it has one."""
    if estimate.low is not None and estimate.high is not None:
        chart.line([(factor * estimate.low, row), (factor * estimate.high, row)], color, width)


def _beside(
    found: Sequence[Verdict],
    beside: tuple[str, Mapping[str, Estimate]],
    labels: Mapping[str, str],
) -> Chart:
    """The further measure as a chart of its own."""
    label, estimates = beside
    chart = Chart(Side(label), Side(limits=(len(found) - 0.4, -0.6), names=()))
    chart.line([(0, -inf), (0, inf)], FAINT, 0.8, "1 2")
    _small_marks(chart, found, estimates, labels, label, OTHERS[0], 0)
    return chart


def _mark(chart: Chart, row: int, verdict: Verdict, label: str) -> None:
    """One clan: its interval as a line and its value as a shape, hollow while it is not settled."""
    estimate, color = verdict.estimate, TONES[verdict.tone]
    if estimate.value is None:
        return
    factor = _factor([verdict])
    with chart.telling(told(label, estimate, verdict.words)):
        _interval(chart, estimate, row, factor, color, 2)
        point = factor * estimate.value, row
        fill = "white" if verdict.tone == "open" else ""
        chart.mark(point, color, shape(verdict.tone), 6.5, fill)


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
