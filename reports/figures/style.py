"""The colors of figures that are saved as pictures or shown in a notebook."""

INK = "#1f2933"
FAINT = "#7b8794"
GRID = "#e4e7eb"

DIVERGING = ("#a63603", "#f4a259", "#ffffff", "#6baed6", "#08519c")
"""Orange through white to blue, for values below and above a middle, in equal steps (ColorBrewer's
Oranges and Blues), told apart by color-blind readers."""

SERIES = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
"""Okabe & Ito's palette for categories, in an order in which neighbors differ in lightness."""
