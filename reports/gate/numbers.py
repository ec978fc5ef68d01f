"""The numbers that the gate guards: a table with a row a number and what each rests on.

KEY says which number a row is; then come its value, standard error (not a number where it cannot be
trusted), blocks of deals, games, and unit.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from ethnos_sim.experiments.statistics.estimates import FloatArray
from ethnos_sim.reports.estimators.catalog import HEADLINE, margin_of
from ethnos_sim.reports.evidence.evidence import Evidence
from ethnos_sim.reports.gate.decision import NumberArrays
from ethnos_sim.reports.numbers.table import numbers

SITUATION = ("edition", "mode", "rules", "players", "population")
KEY = (*SITUATION, "estimand", "name")

EVENTS = "events"
"""The column with what is counted behind a number, which is not stored."""


def rows_of(evidence: Evidence) -> pl.DataFrame:
    """Every headline number of some evidence that has a value, with EVENTS."""
    found = numbers(evidence, *(estimand.name for estimand in HEADLINE))
    return pl.DataFrame(
        {
            **{column: found[column].tolist() for column in KEY},
            "value": found.value,
            "error": np.where(found.trusted, found.standard_error, np.nan),
            "blocks": found.blocks,
            "games": found.games,
            "unit": found.unit.tolist(),
            EVENTS: np.asarray(found.events, np.int64),
        }
    )


def margins_of(rows: pl.DataFrame) -> FloatArray:
    """The margin of each row, before any scale; KeyError for a number that has none."""
    return np.asarray([margin_of(*key) for key in rows.select("estimand", "name").rows()])


def renamed(
    rows: pl.DataFrame, *, modes: Mapping[str, str], strategies: Mapping[str, str]
) -> pl.DataFrame:
    """The rows with modes and strategies called by other names: what stood in for them."""
    return rows.with_columns(
        pl.col("mode").replace(modes), pl.col("population", "name").replace(strategies)
    )


def beside(keys: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """The rows of some keys in their order, empty where there is none."""
    return keys.select(KEY).join(rows, on=KEY, how="left", maintain_order="left")


def arrays_of(rows: pl.DataFrame) -> NumberArrays:
    """The rows as arrays; what is missing is not a number."""
    degrees = rows["blocks"].cast(pl.Float64).fill_null(2.0).to_numpy() - 1
    value, error = (rows[name].fill_null(np.nan).to_numpy() for name in ("value", "error"))
    return NumberArrays(value, error, np.maximum(degrees, 1.0))


def as_stored(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows as they are written: errors with three figures, values with as many decimals."""
    pairs = rows.select("value", "error").rows()
    decimals = [2 - int(np.floor(np.log10(error))) if error else None for _, error in pairs]
    return rows.drop(EVENTS).with_columns(
        value=pl.Series(
            [
                float(f"{value:.9g}") if places is None else round(value, places)
                for (value, _), places in zip(pairs, decimals, strict=True)
            ],
            dtype=pl.Float64,
        ),
        error=pl.Series([float(f"{error:.3g}") for _, error in pairs], dtype=pl.Float64),
    )
