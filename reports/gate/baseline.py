"""The balance baseline: headline numbers with their errors, in a text file that people review.

The file holds the specs to play, and every guarded number by situation. A number is not guarded if
the games of the gate are too few to decide on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Any

import numpy as np
import polars as pl

from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.statistics.blocks import MIN_EVENTS
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.jackknife import from_standard_errors
from ethnos_sim.experiments.toml_text import inline_tables
from ethnos_sim.reports.gate.decision import NUMBER_LABELS, margins_of, widest_error
from ethnos_sim.reports.gate.files import read_gate_file, write_gate_file
from ethnos_sim.simulator.utilities.errors import WrongInput

BUNDLED = Path(__file__).parent / "baseline.toml"
"""The baseline of this program with the printed rules."""

GAMES_FACTOR = 5
"""How many times more games a baseline has than a whole run of the gate."""

QUICK_SHARE = 1 / 12
"""The share of a run's games that a quick run plays. As its margins are three times wider, it
decides nearly as well as a whole run."""

SPARE_ERRORS = 4.5
"""A guarded number still passes if chance moves it by this many standard errors."""

HEADING = (
    "Balance baseline: what `ethnos-sim check` compares fresh games with, each number with its",
    "standard error and the games behind it. Margins, tests and levels: docs/ci.md. Written by",
    "`ethnos-sim check record`; review the differences.",
)


@dataclass(frozen=True, slots=True, eq=False)
class Baseline:
    """A stored baseline.

    Attributes:
        plays: the specs to play, as tables of TOML.
        rows: the guarded numbers, with COLUMNS.
    """

    plays: tuple[Mapping[str, Any], ...]
    rows: pl.DataFrame

    @property
    def situations(self) -> tuple[Situation, ...]:
        """The situations of the numbers, in order."""
        rows = self.rows.select(Situation._fields).unique(maintain_order=True)
        return tuple(map(Situation._make, rows.iter_rows()))

    @property
    def numbers(self) -> Estimates:
        """The guarded numbers, labelled by NUMBER_LABELS."""
        columns = self.rows.to_dict(as_series=False)
        values = [columns.pop(name) for name in ("value", "error", "blocks")]
        unit = columns.pop("unit")
        return from_standard_errors(*values, **columns).with_unit(unit)


def guarded_numbers(numbers: Estimates) -> pl.DataFrame:
    """The rows of a baseline (COLUMNS): those among `numbers` on which the gate can decide.

    A number is guarded if a quick run has twice the events that an interval needs, and if its
    interval after a whole run fits into its margin.
    """
    keys = numbers.row_labels(NUMBER_LABELS)
    numbers = numbers.rows_at(sorted(range(len(keys)), key=keys.__getitem__))
    events = np.asarray(numbers.events, np.int64) * QUICK_SHARE / GAMES_FACTOR
    # The error of the difference between the baseline and a run, which has fewer games.
    error = numbers.standard_error * np.sqrt(1 + GAMES_FACTOR)
    widest = widest_error(numbers.degrees_of_freedom, margins_of(numbers), SPARE_ERRORS)
    decidable = numbers.has_interval & (events >= 2 * MIN_EVENTS) & (error <= widest)
    rows = numbers.frame().rename({"standard_error": "error"})
    rounded = pl.col("value", "error").round_sig_figs(6)
    return rows.select(*COLUMNS).filter(decidable).with_columns(rounded)


COLUMNS = {
    **dict.fromkeys(NUMBER_LABELS, pl.String),
    "players": pl.Int64,
    "value": pl.Float64,
    "error": pl.Float64,
    "blocks": pl.Int64,
    "games": pl.Int64,
    "unit": pl.String,
}
"""The columns of a baseline's numbers."""


def read_baseline(path: Path) -> Baseline:
    """Read a stored baseline.

    Raises:
        WrongInput: the file does not exist, cannot be read or is no baseline.
    """
    if not path.exists():
        raise WrongInput(
            f"there is no baseline '{path}'; `ethnos-sim check record "
            f"--baseline {quote(str(path))} --spec FILE.toml` makes it"
        )
    content = read_gate_file(path, "baseline")
    try:
        rows = pl.DataFrame(
            [
                {name: table[name] for name in (*Situation._fields, "blocks")}
                | {"estimand": estimand, "name": name}
                | row
                for table in content["situations"]
                for estimand, numbers in table["numbers"].items()
                for name, row in numbers.items()
            ],
            schema=COLUMNS,
        )
        if len(rows.drop_nulls()) < len(rows):
            raise ValueError("a number lacks a value")
        baseline = Baseline(tuple(content["plays"]), rows)
        margins_of(baseline.numbers)
        return baseline
    except (KeyError, TypeError, ValueError, AttributeError, pl.exceptions.PolarsError) as error:
        raise WrongInput(f"'{path}' is no baseline of the gate ({error!r})") from error


def write_baseline(path: Path, baseline: Baseline) -> None:
    """Write a baseline to its file; Failed if that is impossible."""
    content = {
        "plays": [
            {key: inline_tables(value) for key, value in play.items()} for play in baseline.plays
        ],
        "situations": [_situation_table(baseline, situation) for situation in baseline.situations],
    }
    write_gate_file(path, HEADING, content)


def _situation_table(baseline: Baseline, situation: Situation) -> dict[str, Any]:
    """The TOML table of a situation: its numbers by estimand and name, one on a line."""
    about = situation._asdict()
    rows = baseline.rows.filter(**about)
    numbers: dict[str, dict[str, Any]] = {}
    for row in rows.iter_rows(named=True):
        number = {name: row[name] for name in ("value", "error", "games", "unit")}
        numbers.setdefault(row["estimand"], {})[row["name"]] = inline_tables(number)
    return {**about, "blocks": rows["blocks"].min(), "numbers": numbers}
