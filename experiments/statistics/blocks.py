"""Blocks of deals, and how many of them and of counted events an interval asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

BLOCKS = 32
"""Blocks of deals: enough for a t distribution close to normal, few enough to stay small."""

MIN_BLOCKS = 20
"""With fewer blocks of deals a jackknife interval is not trusted, and none is given."""

MIN_EVENTS = 100
"""With fewer events (parties led, wins …) a ratio's interval is not trusted, and none is given."""


def block_of_deal() -> pl.Expr:
    """The block of a row by its column `deal`: the deal's number modulo BLOCKS, in every cell."""
    import polars as pl

    return (pl.col("deal") % BLOCKS).cast(pl.UInt8).alias("block")
