"""Every number of a report as tables, one estimate per row, in CSV and Parquet.

A row has more than the page shows: both ends of the interval, the standard error, the games, the
blocks and the strategies. In CSV, texts that a spreadsheet would run as a formula get an apostrophe
in front; Parquet has them unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from ethnos_sim.experiments.storage.tables import parquet
from ethnos_sim.reports.rendering.document import Section, walk
from ethnos_sim.reports.rendering.table import Label, Table, row_key, stored_row

FRACTIONS = ("value", "low", "high", "standard_error", "p_holm")
"""Columns of fractions, which have this type even if a whole column is empty."""

FORMULA_START = r"^\s*[=+\-@|%\t\r\n]"
"""Beginnings of texts that a spreadsheet reads as a formula or a command."""


def stored_tables(sections: Iterable[Section]) -> dict[str, pl.DataFrame]:
    """Every table of a document by name, its rows in the order of the page.

    A number that several tables show is stored once.
    """
    tables: dict[str, dict[tuple[Any, ...], dict[str, Label]]] = {}
    for section in sections:
        for block in walk(section.blocks):
            if isinstance(block, Table) and block.stored:
                rows_by_key = tables.setdefault(block.stored, {})
                for row in block.rows:
                    rows_by_key.setdefault(row_key(row), stored_row(row))
    return {
        name: pl.DataFrame(
            list(rows.values()),
            infer_schema_length=None,
            schema_overrides={
                column: pl.Float64
                for column in FRACTIONS
                if any(column in row for row in rows.values())
            },
        )
        for name, rows in tables.items()
        if rows
    }


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


def table_files(folder: Path, tables: Mapping[str, pl.DataFrame]) -> Iterator[tuple[Path, bytes]]:
    """The path and content of each table's CSV and Parquet files, for `files.write_all`."""
    for name, table in tables.items():
        yield folder / f"{name}.csv", as_csv(table)
        yield folder / f"{name}.parquet", parquet(table)
