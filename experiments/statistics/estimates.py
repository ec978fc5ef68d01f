"""A table of estimates, with everything that their intervals are computed from.

A row is one number. Its labels say what it is about (estimand, edition, players, name …), and its
pseudo-values, one for each block of deals, say how certain it is. Pages, comparisons, the gate and
notebooks filter, subtract and print this table. Formulas and their sources: docs/statistics.md.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ethnos_sim.experiments.statistics.blocks import MIN_BLOCKS, MIN_EVENTS
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.student import t_quantile

if TYPE_CHECKING:
    import polars as pl

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Labels = npt.NDArray[np.object_]

CONFIDENCE = 0.95

NUMBER_COLUMNS = ("value", "low", "high", "standard_error", "games", "blocks", "unit")
"""The columns of `Estimates.frame` that follow the labels."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Estimates:
    """A table of numbers, with one number in each row.

    Attributes:
        labels: what each row is about, by column; arrays of objects, shape (rows,).
        value: the estimates; NaN where there is nothing to divide by.
        pseudo_values: of the jackknife, shape (blocks, rows); NaN for a block without games.
        leverage: h - 1, h = all games / games of the block; shape and NaN as in `pseudo_values`.
        games: number of distinct games behind each row.
        all_games: number of distinct games in the sums from which a row was computed.
        events: number of counted events behind each row (parties led, wins …), for `has_interval`.
        unit: key of each row's unit.
        given_interval: both ends of an interval not computed from pseudo-values, shape (2, rows);
            NaN in other rows.
        added_error: standard error of a subtracted number from other deals; 0 without one.
        added_degrees: degrees of freedom of `added_error`.
    """

    labels: Mapping[str, Labels]
    value: FloatArray
    pseudo_values: FloatArray
    leverage: FloatArray
    games: IntArray
    all_games: IntArray
    events: npt.NDArray[np.generic]
    unit: Labels
    given_interval: FloatArray
    added_error: FloatArray
    added_degrees: FloatArray

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, column: str) -> Labels:
        """The labels of a column; KeyError if the column does not exist."""
        return self.labels[column]

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each row, such as a clan or a seat; rows of one estimand differ by name."""
        return tuple(self["name"])

    @cached_property
    def blocks(self) -> IntArray:
        """The number of blocks of deals with games behind each row: degrees of freedom + 1."""
        return np.asarray(np.isfinite(self.leverage).sum(axis=0), np.int64)

    @cached_property
    def jackknife_error(self) -> FloatArray:
        """The delete-m_j jackknife standard error of each row, without `added_error`.

        Busing, Meijer & van der Leeden (1999), "Delete-m jackknife for unequal m", Statistics and
        Computing 9: 3-8, equation for the variance; with equal blocks it is the delete-one-group
        jackknife of Efron & Tibshirani (1993), An Introduction to the Bootstrap, section 11.5.
        """
        spread = (self.pseudo_values - self.bias_corrected) ** 2 / self.leverage
        total = _sum_of_blocks(spread, self.leverage)
        with np.errstate(invalid="ignore"):
            return np.where(self.blocks >= 2, np.sqrt(total / np.maximum(self.blocks, 1)), np.nan)

    @cached_property
    def bias_corrected(self) -> FloatArray:
        """The mean of the pseudo-values: the value without its first-order bias.

        Quenouille (1956), "Notes on bias in estimation", Biometrika 43: 353-360.
        """
        return _sum_of_blocks(self.pseudo_values / (self.leverage + 1), self.leverage)

    @cached_property
    def standard_error(self) -> FloatArray:
        """The standard error of each row, which includes `added_error`."""
        jackknifed = self.jackknife_error
        return np.where(self.added_error > 0, np.hypot(jackknifed, self.added_error), jackknifed)

    @cached_property
    def degrees_of_freedom(self) -> FloatArray:
        """The degrees of freedom of `standard_error`, by Welch where there is an `added_error`."""
        jackknifed: FloatArray = self.blocks - np.float64(1)
        both = welch_degrees(self.jackknife_error, self.added_error, jackknifed, self.added_degrees)
        return np.where(self.added_error > 0, both, jackknifed)

    @cached_property
    def has_interval(self) -> npt.NDArray[np.bool_]:
        """Which rows have an interval, because it is given, or blocks and events are enough."""
        known = np.isfinite(self.value) & np.isfinite(self.standard_error)
        enough = (np.asarray(self.events) >= MIN_EVENTS) & (self.blocks >= MIN_BLOCKS)
        return (enough & known) | np.isfinite(self.given_interval).all(axis=0)

    def interval(self, comparisons: npt.ArrayLike = 1) -> tuple[FloatArray, FloatArray]:
        """Both ends of each row's 95 % interval; NaN for rows without one (`has_interval`).

        `comparisons` is how many intervals hold all at once with a chance of 95 %; it may differ by
        row (Bonferroni: Dunn 1961, JASA 56: 52-64). Given intervals stay as they are.
        """
        probability = 1 - (1 - CONFIDENCE) / 2 / np.asarray(comparisons)
        with np.errstate(invalid="ignore"):
            reach = t_quantile(self.degrees_of_freedom, probability) * self.standard_error
        reach = np.where(self.has_interval, reach, np.nan)
        low, high = self.given_interval
        given = np.isfinite(self.given_interval).all(axis=0)
        return np.where(given, low, self.value - reach), np.where(given, high, self.value + reach)

    def rows_where(self, **labels: Any) -> Estimates:
        """The rows that have, in each of these columns, the given label or one of the given labels.

        Raises:
            KeyError: there is no such column.
        """
        kept = np.ones(len(self), np.bool_)
        for column, wanted in labels.items():
            several = isinstance(wanted, Collection) and not isinstance(wanted, str)
            choice = set(wanted) if several else {wanted}
            kept &= np.fromiter((label in choice for label in self[column]), np.bool_, len(self))
        return self.rows_at(kept)

    def rows_at(self, indices: npt.ArrayLike | slice) -> Estimates:
        """The rows at these indices or in this slice, or the rows where a mask is true."""
        chosen = np.arange(len(self))[_index_array(indices)]
        arrays: dict[str, Any] = {
            name: np.asarray(getattr(self, name))[..., chosen] for name in ARRAY_FIELDS
        }
        labels = {column: of[chosen] for column, of in self.labels.items()}
        return replace(self, labels=labels, **arrays)

    def with_labels(self, **labels: Any) -> Estimates:
        """The same rows with new label columns, first; they replace columns with the same names."""
        given = {column: label_column(value, len(self)) for column, value in labels.items()}
        kept = {column: of for column, of in self.labels.items() if column not in given}
        return replace(self, labels=given | kept)

    def rename_labels(self, new_labels: Mapping[Any, Any], *columns: str) -> Estimates:
        """The same rows with other labels in some columns: `new_labels` maps old labels to new."""
        changed = {
            name: label_column([new_labels.get(label, label) for label in self[name]], len(self))
            for name in columns
        }
        return replace(self, labels={**self.labels, **changed})

    def with_unit(self, unit: str | Sequence[str]) -> Estimates:
        """The same rows in another unit: one for all rows, or one for each row."""
        return replace(self, unit=label_column(unit, len(self)))

    def transform(self, function: Callable[[FloatArray], FloatArray]) -> Estimates:
        """Apply a smooth function to the values, and jackknife its results.

        Args:
            function: maps the values of all rows to as many values. It must also accept a leading
                axis and compute each of its entries separately.

        Raises:
            ValueError: the rows do not rest on the same blocks of deals.
        """
        self._check_same_blocks()
        value = np.asarray(function(self.value), np.float64)
        # If there is only one block, no games are left without it.
        with np.errstate(divide="ignore", invalid="ignore"):
            left_out = self.value - (self.pseudo_values - self.value) / self.leverage
        replicates = np.asarray(function(left_out), np.float64)
        pseudo = value + self.leverage * (value - replicates)
        return replace(self, value=value, pseudo_values=pseudo)

    def reduce_rows(self, function: Callable[[FloatArray], FloatArray]) -> Estimates:
        """Combine all rows to one number, and jackknife it; it has the labels of the first row.

        Args:
            function: as for `transform`, but returns one value, shape (..., 1).

        Raises:
            ValueError: the rows do not rest on the same blocks of deals.
        """
        whole = self.transform(lambda values: np.broadcast_to(function(values), values.shape))
        return replace(
            whole.rows_at([0]),
            games=self.all_games[:1],
            events=self.events.min(keepdims=True),
        )

    def minus(
        self,
        other: Estimates | FloatArray | float,
        on: Sequence[str] = ("estimand", "name"),
        *,
        same_deals: bool = True,
    ) -> Estimates:
        """Subtract the matching rows of another table, or known numbers.

        Rows over the same blocks of the same deals subtract their pseudo-values, so that shared
        luck cancels. Variances of other rows add, with Welch's degrees of freedom.

        Args:
            other: the table or numbers to subtract; the result has the rows that both tables have.
            on: the columns of labels by which rows match.
            same_deals: whether the games of both tables have deals of the same seed.

        Raises:
            ValueError: several rows of the other table have the same labels.
        """
        if not isinstance(other, Estimates):
            return replace(self, value=self.value - other, pseudo_values=self.pseudo_values - other)
        one, two = self.matching_rows(other, on)
        return one._subtract_rows(two, same_deals)

    def matching_rows(self, other: Estimates, on: Sequence[str]) -> tuple[Estimates, Estimates]:
        """The matching rows of both tables, in this table's order; ValueError as in `minus`."""
        keys, theirs = self.row_labels(on), other.row_labels(on)
        place = {key: number for number, key in enumerate(theirs)}
        if len(place) < len(other):
            raise ValueError(f"several rows have the same {', '.join(on)}")
        if keys == theirs:
            return self, other
        both = [(here, place[key]) for here, key in enumerate(keys) if key in place]
        indices = np.asarray(both, np.intp).reshape(-1, 2)
        return self.rows_at(indices[:, 0]), other.rows_at(indices[:, 1])

    def _subtract_rows(self, other: Estimates, same_deals: bool) -> Estimates:
        """Subtract a table whose rows are in the same order."""
        paired = equal_columns(self.leverage, other.leverage) & same_deals
        paired &= (self.added_error == 0) & (other.added_error == 0)
        error = np.where(self.added_error > 0, self.added_error, 0.0)
        apart = np.hypot(error, other.standard_error)
        theirs = other.degrees_of_freedom
        both = welch_degrees(error, other.standard_error, self.added_degrees, theirs)
        degrees = np.where(error > 0, both, theirs)
        trusted = self.has_interval & other.has_interval
        return replace(
            self,
            value=self.value - other.value,
            pseudo_values=self.pseudo_values - np.where(paired, other.pseudo_values, 0.0),
            games=self.games + other.games,
            all_games=self.all_games + other.all_games,
            events=np.where(trusted, np.minimum(self.events, other.events), 0),
            given_interval=np.full_like(self.given_interval, np.nan),
            added_error=np.where(paired, 0.0, apart),
            added_degrees=np.where(paired, 0.0, degrees),
        )

    def rows_named(self, names: Sequence[str]) -> Estimates:
        """The rows with these names, in the order of `names`; KeyError for an unknown name."""
        place = {name: number for number, name in enumerate(self.names)}
        return self.rows_at([place[name] for name in names])

    def estimates(self, comparisons: npt.ArrayLike = 1) -> tuple[Estimate, ...]:
        """An `Estimate` object for each row; `comparisons` is as in `interval`."""
        columns = self.lists_by_column(comparisons)
        return tuple(
            Estimate(
                name=row["name"],
                estimand=row["estimand"],
                population=row["population"],
                labels={column: row[column] for column in self.labels},
                **{column: row[column] for column in NUMBER_COLUMNS},
            )
            for numbers in zip(*columns.values(), strict=True)
            for row in [dict(zip(columns, numbers, strict=True))]
        )

    def row_labels(self, columns: Iterable[str]) -> list[tuple[Any, ...]]:
        """The labels of each row in these columns, as a tuple."""
        return list(zip(*(self[column] for column in columns), strict=True))

    def lists_by_column(self, comparisons: npt.ArrayLike = 1) -> dict[str, list[Any]]:
        """The table as lists by column: labels, then NUMBER_COLUMNS; None for NaN."""
        low, high = self.interval(comparisons)
        given = np.isfinite(self.given_interval).all(axis=0)
        error = np.where(self.has_interval & ~given, self.standard_error, np.nan)
        return {
            **{column: of.tolist() for column, of in self.labels.items()},
            **{
                name: none_for_nan(of)
                for name, of in zip(NUMBER_COLUMNS, (self.value, low, high, error), strict=False)
            },
            "games": self.games.tolist(),
            "blocks": self.blocks.tolist(),
            "unit": self.unit.tolist(),
        }

    def frame(self, comparisons: npt.ArrayLike = 1) -> pl.DataFrame:
        """The table as a polars frame, with the columns of `lists_by_column`."""
        import polars as pl

        floats = dict.fromkeys(NUMBER_COLUMNS[:4], pl.Float64)
        return pl.DataFrame(
            self.lists_by_column(comparisons), schema_overrides=floats, infer_schema_length=None
        )

    def _check_same_blocks(self) -> None:
        """Raise ValueError unless all rows rest on the same blocks of deals."""
        if len(self) and not equal_columns(self.leverage, self.leverage[:, :1]).all():
            raise ValueError("numbers over different blocks of deals cannot be combined")


ARRAY_FIELDS = tuple(field.name for field in fields(Estimates) if field.name != "labels")
"""The fields of `Estimates` other than `labels`: arrays whose last axis is the row."""


def welch_degrees(
    first_error: FloatArray,
    second_error: FloatArray,
    first_degrees: FloatArray | float,
    second_degrees: FloatArray | float,
) -> FloatArray:
    """The degrees of freedom of the difference of two independent numbers with standard errors.

    Satterthwaite (1946), Biometrics Bulletin 2: 110-114; Welch (1947), Biometrika 34: 28-35. Where
    both standard errors are 0, the result is the sum of both degrees.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        below = first_error**4 / first_degrees + second_error**4 / second_degrees
        return np.where(
            below > 0,
            (first_error**2 + second_error**2) ** 2 / below,
            np.asarray(first_degrees, dtype=np.float64) + second_degrees,
        )


def none_for_nan(values: FloatArray) -> list[float | None]:
    """The values as a list, with None for NaN and infinity."""
    return [value if np.isfinite(value) else None for value in values.tolist()]


def equal_columns(first: FloatArray, second: FloatArray) -> npt.NDArray[np.bool_]:
    """Which columns of two arrays are equal; NaN equals NaN."""
    return np.asarray(((first == second) | (np.isnan(first) & np.isnan(second))).all(axis=0))


def _sum_of_blocks(terms: FloatArray, leverage: FloatArray) -> FloatArray:
    """The sum over all blocks with games, equal to the last digit in any memory layout."""
    held = np.where(np.isfinite(leverage), terms, 0.0)
    return np.asarray(np.ascontiguousarray(held).sum(axis=0))


def _index_array(indices: npt.ArrayLike | slice) -> Any:
    """Indices or a mask as an array, also an empty list; a slice is returned as it is."""
    if isinstance(indices, slice):
        return indices
    array = np.asarray(indices)
    return array if array.size else array.astype(np.intp)


def label_column(labels: Any, rows: int) -> Labels:
    """A column of labels as an array, from one label for all rows or from a label for each row."""
    if isinstance(labels, np.ndarray) and labels.dtype == np.object_ and len(labels) == rows:
        return labels
    column = np.empty(rows, np.object_)
    several = not isinstance(labels, str) and isinstance(labels, Sequence | np.ndarray)
    column[:] = list(labels) if several else labels
    return column
