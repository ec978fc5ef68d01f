"""The jackknife over blocks of deals, and functions that combine tables of estimates.

The unit of replication is the deal. All games of a deal share its luck (the deck order, the first
player), whatever the rotation of the seats and the clan set. So deals go into blocks by their
number, and intervals are computed from the spread between blocks. A block has integer sums, which
are divided once, at the end. docs/statistics.md gives the reasons and the measured coverage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ethnos_sim.experiments.statistics.blocks import BLOCKS, MIN_EVENTS
from ethnos_sim.experiments.statistics.estimates import (
    ARRAY_FIELDS,
    Estimates,
    FloatArray,
    IntArray,
    label_column,
)

BlockSums = Mapping[str, IntArray]
"""Integer sums by name; the first axis of every array is the block of deals."""


def jackknife(
    statistic: Callable[[BlockSums], FloatArray],
    sums: BlockSums,
    sizes: IntArray,
    *,
    unit: str | Sequence[str] = "",
    games: npt.ArrayLike | None = None,
    events: npt.ArrayLike | None = None,
    **labels: Any,
) -> Estimates:
    """Estimate a smooth function of sums, such as a ratio, with its jackknife over blocks.

    The statistic is computed from all blocks, and once for each block without this block.
    The pseudo-value of block j is h_j * all - (h_j - 1) * without j (Busing et al. 1999).

    Args:
        statistic: maps sums without their block axis to an array with a number for each row. It
            must also accept a leading axis and compute each of its entries separately, because it
            is called once with all leave-one-out sums.
        sums: integer sums by name; the first axis is the block.
        sizes: number of games in each block; a block without games is left out.
        unit: one unit for all rows, or one for each row.
        games: number of distinct games, for all rows or for each row; all games unless given.
        events: number of counted events behind each row; the games unless given.
        labels: the labels of the rows, by column.
    """
    filled = np.flatnonzero(sizes)
    totals = _LazySums(lambda name: sums[name][filled].sum(axis=0))
    without = _LazySums(lambda name: totals[name] - sums[name][filled])
    value = np.asarray(statistic(totals), np.float64)
    replicates = np.asarray(statistic(without), np.float64)
    leverage = np.full((len(sizes), 1), np.nan)
    leverage[filled, 0] = sizes.sum() / sizes[filled] - 1
    pseudo = np.full((len(sizes), len(value)), np.nan)
    pseudo[filled] = value + leverage[filled] * (value - replicates)
    behind = sizes.sum() if games is None else games
    estimates = from_pseudo_values(
        value, pseudo, leverage, unit=unit, games=behind, events=events, **labels
    )
    return replace(estimates, all_games=np.full_like(estimates.games, sizes.sum()))


class _LazySums(dict[str, IntArray]):
    """Sums by name, computed at first use: a statistic uses only a few of many names."""

    def __init__(self, compute: Callable[[str], IntArray]) -> None:
        """`compute` gives the sums of a name."""
        self._compute = compute

    def __missing__(self, name: str) -> IntArray:
        """Compute and store the sums of a name."""
        self[name] = self._compute(name)
        return self[name]


def from_pseudo_values(
    value: npt.ArrayLike,
    pseudo_values: FloatArray,
    leverage: FloatArray,
    *,
    unit: str | Sequence[str],
    games: npt.ArrayLike,
    events: npt.ArrayLike | None = None,
    **labels: Any,
) -> Estimates:
    """A table from values and pseudo-values; `leverage` may have shape (blocks, 1)."""
    values = np.asarray(value, np.float64)
    shape = values.shape
    behind = np.broadcast_to(np.asarray(games, np.int64), shape)
    return Estimates(
        labels={column: label_column(of, len(values)) for column, of in labels.items()},
        value=values,
        pseudo_values=pseudo_values,
        leverage=np.broadcast_to(leverage, pseudo_values.shape),
        games=behind,
        all_games=behind,
        events=np.broadcast_to(np.asarray(games if events is None else events), shape),
        unit=label_column(unit, len(values)),
        given_interval=np.full((2, *shape), np.nan),
        added_error=np.zeros(shape),
        added_degrees=np.zeros(shape),
    )


def from_intervals(
    value: npt.ArrayLike,
    low: npt.ArrayLike,
    high: npt.ArrayLike,
    *,
    unit: str,
    games: npt.ArrayLike,
    **labels: Any,
) -> Estimates:
    """A table from values and the ends of their intervals, which other code computed."""
    values = np.asarray(value, np.float64)
    unknown = np.full((BLOCKS, len(values)), np.nan)
    estimates = from_pseudo_values(values, unknown, unknown, unit=unit, games=games, **labels)
    return replace(
        estimates, given_interval=np.stack([np.asarray(low, np.float64), np.asarray(high)])
    )


def from_standard_errors(
    value: npt.ArrayLike,
    error: npt.ArrayLike,
    blocks: npt.ArrayLike,
    *,
    games: npt.ArrayLike,
    **labels: Any,
) -> Estimates:
    """A table from values, their standard errors, and the number of blocks behind each value."""
    errors, sizes = np.asarray(error, np.float64), np.asarray(blocks, np.float64)
    leverage = np.where(np.arange(BLOCKS)[:, None] < sizes, sizes - 1, np.nan)
    nothing, events = np.zeros_like(leverage), MIN_EVENTS * np.isfinite(errors)
    estimates = from_pseudo_values(
        value, nothing, leverage, unit="", games=games, events=events, **labels
    )
    return replace(estimates, added_error=errors, added_degrees=sizes - 1)


def align_rows(table: Estimates, other: Estimates, on: Sequence[str]) -> Estimates:
    """The rows of `table` in the order of `other`'s; NaN for a row that `table` does not have."""
    keys = other.row_labels(on)
    place = {key: number for number, key in enumerate(table.row_labels(on))}
    if place.keys() >= set(keys):
        return table.rows_at([place[key] for key in keys])
    unknown = np.full((len(table.pseudo_values), 1), np.nan)
    every = join_tables([table, from_pseudo_values([np.nan], unknown, unknown, unit="", games=0)])
    rows = every.rows_at([place.get(key, len(table)) for key in keys])
    return rows.with_labels(**{column: other[column] for column in on})


def join_tables(tables: Iterable[Estimates]) -> Estimates:
    """Join tables one below another; where a table lacks a column, its rows have the label "".

    Raises:
        ValueError: there is no table, or the tables have different numbers of blocks.
    """
    tables = list(tables)
    columns = dict.fromkeys(column for table in tables for column in table.labels)
    labels = {
        column: np.concatenate(
            [label_column(table.labels.get(column, ""), len(table)) for table in tables]
        )
        for column in columns
    }
    arrays: dict[str, Any] = {
        name: np.concatenate([getattr(table, name) for table in tables], axis=-1)
        for name in ARRAY_FIELDS
    }
    return Estimates(labels=labels, **arrays)


def controlled_mean(
    total: IntArray, control: IntArray, product: IntArray, square: IntArray, count: IntArray
) -> FloatArray:
    """The mean of y, with less noise by a control variate x whose expected value is 0.

    This is the mean of y − b x with b by least squares, or the mean of y where x does not vary.
    Lavenberg & Welch (1981), "A perspective on the use of control variables to increase the
    efficiency of Monte Carlo simulations", Management Science 27: 322-335.

    Args:
        total: sum of y.
        control: sum of x.
        product: sum of x y.
        square: sum of x².
        count: number of pairs of x and y.
    """
    mean, off = ratio(total, count), ratio(control, count)
    slope = ratio(product - control * mean, square - control * off)
    return np.where(np.isnan(slope), mean, mean - off * slope)


def ratio(numerator: npt.ArrayLike, denominator: npt.ArrayLike) -> FloatArray:
    """The quotient of integer sums; NaN where the denominator is 0."""
    below = np.asarray(denominator, dtype=np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(below == 0, np.nan, np.asarray(numerator, dtype=np.float64) / below)
