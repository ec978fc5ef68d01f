"""How figures look that are saved as pictures or shown in a notebook, and how they are written."""

from __future__ import annotations

import warnings
from io import BytesIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

INK = "#1f2933"
FAINT = "#7b8794"
GRID = "#e4e7eb"

DIVERGING = ("#a63603", "#f4a259", "#ffffff", "#6baed6", "#08519c")
"""Orange through white to blue, for values below and above a middle, in equal steps (ColorBrewer's
Oranges and Blues), told apart by color-blind readers."""

SERIES = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
"""Okabe & Ito's palette for categories, in an order in which neighbors differ in lightness."""

FORMATS = ("svg", "png")

STYLE: dict[Any, Any] = {
    "text.parse_math": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "ethnos-sim",
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


def heatmap(
    values: pandas.DataFrame, axes: Axes, *, middle: float, reach: float, **options: Any
) -> None:
    """A table as cells: blue above the middle, orange below, full at `reach` from it."""
    import seaborn
    from matplotlib.colors import LinearSegmentedColormap

    with warnings.catch_warnings():
        # seaborn 0.13 copies a color map in a way that matplotlib will give up some day.
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        seaborn.heatmap(
            values,
            ax=axes,
            cmap=LinearSegmentedColormap.from_list("diverging", DIVERGING),
            center=middle,
            vmin=middle - reach,
            vmax=middle + reach,
            annot=True,
            linewidths=0.5,
            **options,
        )
    axes.tick_params(length=0, color=FAINT)


def as_files(figure: Drawing) -> dict[str, bytes]:
    """A figure as files by format, the same whenever they are written."""
    found = {}
    for kind in FORMATS:
        buffer = BytesIO()
        about = {"Date": None} if kind == "svg" else {"Software": None}
        figure.savefig(buffer, format=kind, dpi=160, metadata=about)
        found[kind] = buffer.getvalue()
    return found
