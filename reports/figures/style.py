"""What the figures have in common: colors, shapes, and what a mark says of an estimate."""

from __future__ import annotations

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.rendering.numbers import whole, with_interval

INK = "#1f2933"
FAINT = "#7b8794"
GRID = "#e4e7eb"

TONES = {
    "up3": "#08519c",
    "up2": "#3182bd",
    "up1": "#6baed6",
    "level": "#7b8794",
    "down1": "#f4a259",
    "down2": "#e6550d",
    "down3": "#a63603",
    "open": "#7b8794",
}
"""Blue above and orange below average (ColorBrewer Blues and Oranges); told apart by color-blind
readers, and never by color alone: marks differ in shape too."""

SHAPES = {"up": "^", "down": "v", "level": "o", "open": "o"}

DIVERGING = (TONES["down3"], TONES["down1"], "#ffffff", TONES["up1"], TONES["up3"])
"""Orange through white to blue, for values below and above a middle, in equal steps."""

SERIES = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
"""Okabe & Ito's palette for categories, in an order in which neighbors differ in lightness."""


def told(label: str, estimate: Estimate, *more: str) -> str:
    """What a mark says of an estimate: what it is about, its value and interval, its games."""
    sides = with_interval(estimate)
    return "\n".join(
        [f"{label}: {sides}", *(m for m in more if m), f"{whole(estimate.games)} games"]
    )


def shape(tone: str) -> str:
    """The marker of a tone: triangles point to the side, circles take none."""
    return SHAPES[tone.rstrip("123")]
