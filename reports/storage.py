"""Every number of a report as tables: one row an estimate, as CSV and Parquet.

A row carries what the page shows and what it leaves out for room: both ends of the interval, the
standard error, the games, the blocks and the strategies. Texts in CSV that a spreadsheet would run
as a formula get an apostrophe in front; Parquet holds them as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import polars as pl

from ethnos_sim.experiments.files import write_whole
from ethnos_sim.experiments.statistics.estimate import Estimate

FRACTIONS = ("value", "low", "high", "standard_error", "expected", "p_holm")
"""Columns of fractions, also where a whole column is empty."""

Label = str | int | float | bool | None

FORMULA_START = r"^\s*[=+\-@|%\t\r\n]"
"""What makes a spreadsheet read a cell as a formula or a command."""


class Ledger:
    """Gathers the rows of every table while the page is put together."""

    def __init__(self) -> None:
        self._rows: dict[str, list[dict[str, Label]]] = {}

    def row(self, table: str, labels: Mapping[str, Label]) -> None:
        """Add a row that is no estimate, such as a definition."""
        self._rows.setdefault(table, []).append(dict(labels))

    def add(
        self,
        table: str,
        labels: Mapping[str, Label],
        estimate: Estimate,
        more: Mapping[str, Label] | None = None,
    ) -> None:
        """Add an estimate: what it is about, its numbers, and what `more` there is to say."""
        self.row(
            table,
            {
                **labels,
                "measure": estimate.definition,
                "value": estimate.value,
                "low": estimate.low,
                "high": estimate.high,
                "standard_error": estimate.standard_error,
                "games": estimate.games,
                "blocks": estimate.blocks,
                "unit": estimate.unit,
                "population": estimate.population,
                **(more or {}),
            },
        )

    def measures(self) -> frozenset[str]:
        """The keys of all estimands that rows are about."""
        rows = (row for rows in self._rows.values() for row in rows if "value" in row)
        return frozenset(str(row["measure"]) for row in rows)

    def tables(self) -> dict[str, pl.DataFrame]:
        """Every table by name, in the order in which they were begun."""
        return {
            name: pl.DataFrame(
                rows,
                infer_schema_length=None,
                schema_overrides={column: pl.Float64 for column in FRACTIONS if column in rows[0]},
            )
            for name, rows in self._rows.items()
        }


def as_csv(table: pl.DataFrame) -> bytes:
    """A table as CSV in UTF-8, with texts that would be formulas made inert."""
    texts = [name for name, kind in table.schema.items() if kind == pl.String]
    guarded = table.with_columns(
        pl.when(pl.col(name).str.contains(FORMULA_START))
        .then(pl.lit("'") + pl.col(name))
        .otherwise(pl.col(name))
        .alias(name)
        for name in texts
    )
    return guarded.write_csv().encode()


def as_parquet(table: pl.DataFrame) -> bytes:
    """A table as Parquet."""
    buffer = BytesIO()
    table.write_parquet(buffer)
    return buffer.getvalue()


def write_tables(folder: Path, tables: Mapping[str, pl.DataFrame]) -> None:
    """Write every table as CSV and Parquet into a folder, which is made where it is missing.

    Raises:
        Failed: a file cannot be written; each is there whole or not at all.
    """
    for name, table in tables.items():
        write_whole(folder / f"{name}.csv", as_csv(table))
        write_whole(folder / f"{name}.parquet", as_parquet(table))
