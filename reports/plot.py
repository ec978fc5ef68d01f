"""Pictures by seaborn and matplotlib: figures for slides and notebooks, and the picture of a card.

Marks and colors are those of the page's figures, which the script of the page draws.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from importlib.util import find_spec
from io import BytesIO
from textwrap import fill, wrap
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from ethnos_sim.experiments.matches.batch import Batch
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.jackknife import from_intervals
from ethnos_sim.reports.comparison.comparison import Comparison
from ethnos_sim.reports.numbers import LABELS
from ethnos_sim.reports.rendering.document import Card, Figure, Mark
from ethnos_sim.reports.rendering.numbers import MINUS, UNITS
from ethnos_sim.simulator.utilities.errors import WrongInput, name_hint

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

PAGE, INK, SOFT, RULE, BAND = "#ffffff", "#1d2733", "#55616e", "#dfe4ea", "#eef1f4"
"""The colors of the page's style sheet in light mode, by the same names."""

SERIES_COLORS = ("#0b5cad", "#b84d00", "#1d7a46", "#a3478a", "#3f8fc4", "#d99a00", "#6b5b95")
"""The colors of series, first the page's; color-blind readers can distinguish them."""

STYLE: dict[Any, Any] = {
    "text.parse_math": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "ethnos-sim",
    "font.size": 9,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": SOFT,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.prop_cycle": f"cycler('color', {list(SERIES_COLORS)})",
}
"""Settings: a dollar sign, as in users' names, starts no formula, and text in SVG stays text."""


def check_plotting() -> None:
    """Raise WrongInput if matplotlib or seaborn is not installed."""
    if any(find_spec(name) is None for name in ("matplotlib", "seaborn")):
        raise WrongInput(
            "figures as pictures need matplotlib and seaborn; install them with: "
            "pip install 'ethnos-sim[plot]'"
        )


def intervals(
    estimates: pl.DataFrame | Comparison,
    *,
    label: str | None = None,
    sort: bool = True,
    axes: Axes | None = None,
) -> Axes:
    """Draw estimates with their 95 % intervals, one a line, the largest at the top.

    Args:
        estimates: a frame of `estimate` or of a rating, or a comparison with its differences.
        label: the column that labels the lines; unless given, the columns that distinguish them.
        sort: whether to sort the lines by value.
        axes: where to draw; a new figure unless given.

    Returns:
        The axes, in the unit of the estimates (shares and their differences as percentages).

    Raises:
        WrongInput: there is nothing to draw, or no such column.

    Example:
        >>> from ethnos_sim import estimate, play_batch, plot
        >>> batch = play_batch("second", "greedy,random", games=400, seed=1)
        >>> axes = plot.intervals(estimate(batch, "strategy_share"))
        >>> [text.get_text() for text in axes.get_yticklabels()]
        ['greedy', 'random']
    """
    if isinstance(estimates, Comparison):
        estimates = estimates.frame().rename({"difference": "value"})
    estimates = estimates.filter(pl.col("value").is_not_null())
    if estimates.is_empty():
        raise WrongInput("there is no estimate to draw")
    estimates = estimates.sort("value", descending=True) if sort else estimates
    has_unit = "unit" in estimates.columns
    unit = str(estimates["unit"][0]) if has_unit else "count"
    axis = UNITS[unit].words if has_unit else str(estimates["estimand"][0])
    labels = _line_labels(estimates, label)
    ends = (estimates[name].cast(pl.Float64).fill_null(np.nan) for name in ("value", "low", "high"))
    table = from_intervals(*ends, unit=unit, games=0, name=labels, estimand="", population="")
    numbers = table.estimates()
    crossed = any((number.low or 0) < 0 < (number.high or 0) for number in numbers)
    marks = tuple(map(Mark, labels, numbers))
    figure = Figure("plot", "", marks, axis, middle=0.0 if crossed else None)
    with _plot_style():
        axes = axes or _new_axes(_figure_height(figure))
        _draw_figure(figure, axes)
    return axes


def distribution(
    games: Batch | pl.DataFrame,
    column: str = "prestige",
    *,
    by: str | None = "strategy",
    axes: Axes | None = None,
) -> Axes:
    """Draw how often each whole number occurs in a column, in percent of the rows of a group.

    Args:
        games: a batch, whose seats are counted, or a frame of games or seats.
        column: the column to count: prestige, parties, turns ...
        by: the column whose values form the groups, a curve for each; None for one group.
        axes: where to draw; a new figure unless given.

    Returns:
        The axes: x is the number in the column, y the percentage of the group's rows.

    Raises:
        WrongInput: there is no such column.

    Example:
        >>> from ethnos_sim import play_batch, plot
        >>> batch = play_batch("second", "greedy,random", games=400, seed=1)
        >>> len(plot.distribution(batch, "prestige").lines)
        2
    """
    rows = games.seats() if isinstance(games, Batch) else games
    for name in filter(None, (column, by)):
        if name not in rows.columns:
            raise WrongInput(f"there is no column '{name}'{name_hint(name, rows.columns)}")
    kept = [column] if by is None else [column, by]
    with _plot_style():
        import seaborn

        axes = axes or _new_axes(4.5)
        seaborn.histplot(
            rows.select(kept).to_dict(as_series=False),
            x=column,
            hue=by,
            discrete=True,
            stat="percent",
            common_norm=False,
            element="step",
            fill=False,
            ax=axes,
        )
        seaborn.despine(ax=axes)
        axes.set_ylabel("% of rows" if by is None else f"% of each {by}'s rows")
    return axes


def _line_labels(frame: pl.DataFrame, label: str | None) -> list[str]:
    """A label for each row: its name, and further columns until all labels differ."""
    if label is not None and label not in frame.columns:
        raise WrongInput(f"there is no column '{label}'{name_hint(label, frame.columns)}")
    varied = [name for name in LABELS if name in frame.columns and frame[name].n_unique() > 1]
    named = [label or ("name" if "name" in frame.columns else frame.columns[0])]
    for name in [] if label else reversed(varied):
        if frame.select(named).is_duplicated().any() and name not in named:
            named.append(name)
    values = frame.select(named).rows()
    return [", ".join(str(part) for part in row if part not in (None, "")) for row in values]


def _new_axes(height: float) -> Axes:
    """The axes of a new figure of this height in inches, which notebooks show."""
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(6, height), layout="constrained")[1]


def figure_files(figure: Figure) -> dict[str, bytes]:
    """The files of a page's figure by format, "svg" and "png"; equal bytes in every run."""
    with _plot_style():
        from matplotlib.figure import Figure as Drawing

        drawing = Drawing(figsize=(8, _figure_height(figure)), layout="constrained")
        axes = drawing.subplots()
        _draw_figure(figure, axes)
        axes.set_title(figure.title, loc="left", fontweight="bold")
        return _drawing_files(drawing)


def card_files(card: Card, title: str) -> dict[str, bytes]:
    """The files of a card by format: its figure at the left, its answers at the right."""
    with _plot_style():
        from matplotlib.figure import Figure as Drawing

        drawing = Drawing(figsize=(12.8, 8.0), facecolor=PAGE)
        drawing.text(0.03, 0.93, title, fontsize=22, fontweight="bold")
        drawing.text(0.03, 0.895, card.title, fontsize=12, color=SOFT)
        left, foot = 0.03, card.foot
        if card.figure is not None:
            longest = max(len(mark.label) for mark in card.figure.marks)
            _draw_figure(card.figure, drawing.add_axes((0.04 + 0.006 * longest, 0.17, 0.32, 0.69)))
            left, foot = 0.5, f"{card.figure.note} {card.foot}"
        drawing.text(0.03, 0.02, fill(foot, 180), fontsize=8, color=SOFT)
        lines = list(_answer_lines(card, round(150 * (1 - left))))
        step = min(0.03, 0.78 / max(1, len(lines)))
        for place, (text, color, weight) in enumerate(lines):
            at = 0.93 - step * place
            drawing.text(left, at, text, fontsize=330 * step, color=color, fontweight=weight)
        return _drawing_files(drawing)


def _answer_lines(card: Card, letters: int) -> Iterator[tuple[str, str, str]]:
    """The lines of a card's answers, each with color and weight, up to `letters` letters long."""
    for answer in card.answers:
        for text, color, weight in (
            (answer.question, SOFT, "normal"),
            (answer.word, INK, "bold"),
            (answer.text, INK, "normal"),
            (answer.level_line, SOFT, "normal"),
        ):
            yield from ((line, color, weight) for line in wrap(text, letters))
        yield "", INK, "normal"


def _plot_style() -> AbstractContextManager[None]:
    """The context in which figures are drawn and written: STYLE."""
    check_plotting()
    import matplotlib as mpl

    return mpl.rc_context(STYLE)


def _drawing_files(drawing: Drawing) -> dict[str, bytes]:
    """The files of a drawing by format, without a date or a version of the software."""
    files = {}
    for kind, about in (("svg", {"Date": None}), ("png", {"Software": None})):
        buffer = BytesIO()
        drawing.savefig(buffer, format=kind, dpi=160, metadata=about)
        files[kind] = buffer.getvalue()
    return files


def _figure_height(figure: Figure) -> float:
    """The height of a figure in inches, by its number of lines."""
    lines = len({mark.label for mark in figure.marks})
    return 1.4 + 0.32 * lines


def _draw_figure(figure: Figure, axes: Axes) -> None:
    """Draw a figure's marks, axes and legend, but not its title."""
    import seaborn

    _draw_lines(figure, axes)
    seaborn.despine(ax=axes, left=True)
    axes.grid(axis="x", color=RULE)
    axes.set_axisbelow(True)
    if len({mark.series for mark in figure.marks}) > 1:
        axes.legend(frameon=False, loc="best")


def _scaled_interval(estimate: Estimate | None) -> tuple[float, float, float]:
    """A number and both ends of its interval in the scale of its unit; nan if missing."""
    if estimate is None or estimate.value is None:
        return np.nan, np.nan, np.nan
    factor = UNITS[estimate.unit].factor
    low, high = (np.nan if end is None else factor * end for end in (estimate.low, estimate.high))
    return factor * estimate.value, low, high


def _marks_by_series(figure: Figure) -> Iterator[tuple[str, str, list[Mark]]]:
    """The name, color and marks of each series."""
    for number, name in enumerate(dict.fromkeys(mark.series for mark in figure.marks)):
        color = SERIES_COLORS[number % len(SERIES_COLORS)]
        yield name, color, [mark for mark in figure.marks if mark.series == name]


def _draw_lines(figure: Figure, axes: Axes) -> None:
    """Draw a line for each label; the marks of several series lie one below the other."""
    series = list(_marks_by_series(figure))
    labels = [mark.label for mark in figure.marks]
    labels = list(dict.fromkeys(labels)) if len(series) > 1 else labels
    for number, (name, color, marks) in enumerate(series):
        value, low, high = np.asarray([_scaled_interval(mark.number) for mark in marks]).T
        places = range(len(marks)) if len(series) == 1 else [labels.index(m.label) for m in marks]
        at = np.asarray(places, np.float64) + 0.26 * (number - (len(series) - 1) / 2)
        axes.hlines(at, low, high, color=color, linewidth=1.5)
        _draw_dots(axes, marks, value, at, color, name)
    unit = UNITS[figure.marks[0].number.unit]
    if figure.middle is not None:
        middle, band = unit.factor * figure.middle, unit.factor * figure.band
        axes.axvspan(middle - band, middle + band, color=BAND, zorder=0)
        axes.axvline(middle, color=SOFT, linewidth=1)
    axes.set_yticks(range(len(labels)), labels)
    axes.invert_yaxis()
    axes.set_xlabel(figure.axis)
    axes.xaxis.set_major_formatter(
        lambda at, _: (f"{at:+g}" if unit.signed and at else f"{at:g}").replace("-", MINUS)
    )


def _draw_dots(
    axes: Axes, marks: Sequence[Mark], x: np.ndarray, y: np.ndarray, color: str, name: str
) -> None:
    """Draw marks as circles, hollow for too few games; `name` goes to the legend."""
    inside = [PAGE if mark.hollow else color for mark in marks]
    axes.scatter(x, y, s=30, facecolors=inside, edgecolors=color, linewidths=1.5, zorder=3)
    axes.scatter([], [], s=30, color=color, label=name)
