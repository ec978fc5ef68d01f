"""The payoff matrix as a heat map: one seat's win share at tables of every other strategy."""

from __future__ import annotations

import polars as pl

from ethnos_sim.reports.figures.style import STYLE, as_files, heatmap

CELL = 0.52
"""Inches of a cell: room for a number."""

MARGIN = 1.7
"""Inches for names and the scale."""


def payoff_figure(payoffs: pl.DataFrame, players: int, title: str) -> dict[str, bytes]:
    """The heat map as files by format: blue above an even share, orange below.

    Args:
        payoffs: the table `payoffs` of a rating (`reports.rating.tables`), best strategy first.
        players: seats of a table; 1 / players is the even share.
        title: what stands above.
    """
    import matplotlib as mpl
    import pandas
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
        heatmap(
            matrix,
            axes,
            middle=even,
            reach=even,
            square=True,
            fmt=".0f",
            cbar_kws={"label": f"win share, % (even: {even:.3g})", "shrink": 0.7},
        )
        axes.set_facecolor("white")
        axes.set_title(title)
        axes.set_xlabel("the other seats")
        axes.set_ylabel("one seat")
        axes.tick_params(axis="x", rotation=45)
        for label in axes.get_xticklabels():
            label.set_horizontalalignment("right")
        return as_files(figure)
