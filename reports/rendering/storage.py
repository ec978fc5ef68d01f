"""A table as CSV that a spreadsheet can open: no text of it runs as a formula."""

from __future__ import annotations

import polars as pl

FORMULA_START = r"^\s*[=+\-@|%\t\r\n]"
"""Beginnings of texts that a spreadsheet reads as a formula or a command."""


def as_csv(table: pl.DataFrame) -> bytes:
    """A table as CSV in UTF-8, with an apostrophe before texts that would be formulas."""
    texts = [name for name, kind in table.schema.items() if kind == pl.String]
    guarded = table.with_columns(
        pl.when(pl.col(name).str.contains(FORMULA_START))
        .then(pl.lit("'") + pl.col(name))
        .otherwise(pl.col(name))
        .alias(name)
        for name in texts
    )
    return guarded.write_csv().encode()
