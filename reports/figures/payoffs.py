"""The payoff matrix as a heat map: one seat's win share at tables of every other strategy."""

from __future__ import annotations

import warnings
from io import BytesIO
from typing import TYPE_CHECKING, Any

import polars as pl

from ethnos_sim.reports.figures.style import DIVERGING, FAINT, INK

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

CELL = 0.52
"""Inches of a cell: room for a number."""

MARGIN = 1.7
"""Inches for names and the scale."""

FORMATS = ("svg", "png")

STYLE: dict[Any, Any] = {
    "text.parse_math": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "payoffs",
    "font.size": 9,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": FAINT,
    "xtick.color": INK,
    "ytick.color": INK,
}
"""Names come from users, so that a dollar sign is one; in SVG text stays text."""


def payoff_figure(payoffs: pl.DataFrame, players: int, title: str) -> dict[str, bytes]:
    """The heat map as files by format: blue above an even share, orange below.

    Args:
        payoffs: the table `payoffs` of a rating (`reports.rating.tables`), best strategy first.
        players: seats of a table; 1 / players is the even share.
        title: what stands above.
    """
    import matplotlib as mpl
    import pandas
    import seaborn
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure as Drawing

    percent = payoffs.select("strategy", "rival", pl.col("alone") * 100)
    frame = pandas.DataFrame(percent.to_dict(as_series=False))
    order = list(dict.fromkeys(frame["strategy"]))
    matrix = frame.pivot(index="strategy", columns="rival", values="alone").loc[order, order]
    even = 100 / players
    size = CELL * len(order)
    with mpl.rc_context(STYLE):
        figure = Drawing(figsize=(size + MARGIN + 0.8, size + MARGIN), layout="constrained")
        axes = figure.subplots()
        with warnings.catch_warnings():
            # seaborn 0.13 copies a color map in a way that matplotlib will give up some day.
            warnings.simplefilter("ignore", PendingDeprecationWarning)
            seaborn.heatmap(
                matrix,
                ax=axes,
                cmap=LinearSegmentedColormap.from_list("diverging", DIVERGING),
                center=even,
                vmin=0,
                vmax=2 * even,
                annot=True,
                fmt=".0f",
                square=True,
                linewidths=0.5,
                cbar_kws={"label": f"win share, % (even: {even:.3g})", "shrink": 0.7},
            )
        axes.set_facecolor("white")
        axes.set_title(title)
        axes.set_xlabel("the other seats")
        axes.set_ylabel("one seat")
        axes.tick_params(length=0, color=FAINT)
        axes.tick_params(axis="x", rotation=45)
        for label in axes.get_xticklabels():
            label.set_horizontalalignment("right")
        return {kind: _written(figure, kind) for kind in FORMATS}


def _written(figure: Drawing, kind: str) -> bytes:
    """A figure as a file that is the same whenever it is written."""
    buffer = BytesIO()
    about = {"Date": None} if kind == "svg" else {"Software": None}
    figure.savefig(buffer, format=kind, dpi=160, metadata=about)
    return buffer.getvalue()
