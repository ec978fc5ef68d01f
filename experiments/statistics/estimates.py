"""A table of estimates, with everything that their intervals are computed from.

A row is one number. Its labels say what it is about (estimand, edition, players, name …), and its
pseudo-values by block of deals say how certain it is. Pages, comparisons, the gate and notebooks
all filter, subtract and print this table. Formulas and their sources: docs/statistics.md.
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

NUMBERS = ("value", "low", "high", "standard_error", "games", "blocks", "unit")
"""The columns of `Estimates.frame` after the labels."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Estimates:
    """A table of numbers, with one number in each row.

    Attributes:
        labels: what each row is about, by column; arrays of objects, shape (rows,).
        value: the estimates; NaN where there is nothing to divide by.
        pseudo: jackknife pseudo-values, shape (blocks, rows); NaN for a block without games.
        leverage: h - 1 for each block and row, h = all games / games of the block; like `pseudo`.
        games: number of distinct games behind each row.
        all_games: number of distinct games in all of the sums that a row was computed from.
        events: number of counted events behind each row (parties led, wins …), for `trusted`.
        unit: key of each row's unit.
        bounds: both ends of intervals that do not come from pseudo-values, shape (2, rows); NaN
            where they do.
        added_error: standard error of subtracted numbers that rest on other deals; 0 for none.
        added_degrees: degrees of freedom of `added_error`.
    """

    labels: Mapping[str, Labels]
    value: FloatArray
    pseudo: FloatArray
    leverage: FloatArray
    games: IntArray
    all_games: IntArray
    events: npt.NDArray[np.generic]
    unit: Labels
    bounds: FloatArray
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
        """Blocks of deals with games, by row; Student's t has one degree of freedom less."""
        return np.asarray(np.isfinite(self.leverage).sum(axis=0), np.int64)

    @cached_property
    def jackknife_error(self) -> FloatArray:
        """The delete-m_j jackknife standard error from the row's own pseudo-values.

        Busing, Meijer & van der Leeden (1999), "Delete-m jackknife for unequal m", Statistics and
        Computing 9: 3-8, equation for the variance; with equal blocks it is the delete-one-group
        jackknife of Efron & Tibshirani (1993), An Introduction to the Bootstrap, section 11.5.
        """
        spread = (self.pseudo - self.center) ** 2 / self.leverage
        total = _sum_held(spread, self.leverage)
        with np.errstate(invalid="ignore"):
            return np.where(self.blocks >= 2, np.sqrt(total / np.maximum(self.blocks, 1)), np.nan)

    @cached_property
    def center(self) -> FloatArray:
        """The mean of the pseudo-values: the value without its first-order bias.

        Quenouille (1956), "Notes on bias in estimation", Biometrika 43: 353-360.
        """
        return _sum_held(self.pseudo / (self.leverage + 1), self.leverage)

    @cached_property
    def standard_error(self) -> FloatArray:
        """The standard error of each row, with `added_error` where there is one."""
        jackknifed = self.jackknife_error
        return np.where(self.added_error > 0, np.hypot(jackknifed, self.added_error), jackknifed)

    @cached_property
    def degrees(self) -> FloatArray:
        """Degrees of freedom of `standard_error`; Welch's where variances were added."""
        jackknifed: FloatArray = self.blocks - np.float64(1)
        both = welch_degrees(self.jackknife_error, self.added_error, jackknifed, self.added_degrees)
        return np.where(self.added_error > 0, both, jackknifed)

    @cached_property
    def trusted(self) -> npt.NDArray[np.bool_]:
        """Which rows have enough blocks and events for an interval."""
        known = np.isfinite(self.value) & np.isfinite(self.standard_error)
        enough = (np.asarray(self.events) >= MIN_EVENTS) & (self.blocks >= MIN_BLOCKS)
        return (enough & known) | np.isfinite(self.bounds).all(axis=0)

    def interval(self, comparisons: npt.ArrayLike = 1) -> tuple[FloatArray, FloatArray]:
        """Both ends of the 95 % interval by Student's t; NaN where it is not trusted.

        With `comparisons` > 1 (one number, or one for each row), this many intervals cover jointly,
        however they depend on each other (Bonferroni: Dunn 1961, JASA 56: 52-64).
        """
        with np.errstate(invalid="ignore"):
            reach = t_quantile(self.degrees, 1 - (1 - CONFIDENCE) / 2 / np.asarray(comparisons))
            reach = np.where(self.trusted, reach * self.standard_error, np.nan)
        low, high = self.value - reach, self.value + reach
        given = np.isfinite(self.bounds).all(axis=0)
        return np.where(given, self.bounds[0], low), np.where(given, self.bounds[1], high)

    def where(self, **labels: Any) -> Estimates:
        """The rows with these labels; a collection stands for any of its labels.

        Raises:
            KeyError: there is no such column.
        """
        kept = np.ones(len(self), np.bool_)
        for column, wanted in labels.items():
            several = isinstance(wanted, Collection) and not isinstance(wanted, str)
            choice = set(wanted) if several else {wanted}
            kept &= np.fromiter((label in choice for label in self[column]), np.bool_, len(self))
        return self.at(kept)

    def at(self, places: npt.ArrayLike | slice) -> Estimates:
        """The rows at these indices, or the rows where a mask is true."""
        chosen = np.arange(len(self))[places if isinstance(places, slice) else _places(places)]
        arrays: dict[str, Any] = {
            name: np.asarray(getattr(self, name))[..., chosen] for name in ARRAYS
        }
        labels = {column: of[chosen] for column, of in self.labels.items()}
        return replace(self, labels=labels, **arrays)

    def labelled(self, **labels: Any) -> Estimates:
        """The same rows with new columns first; they replace columns of the same name."""
        given = {column: label_column(value, len(self)) for column, value in labels.items()}
        kept = {column: of for column, of in self.labels.items() if column not in given}
        return replace(self, labels=given | kept)

    def renamed(self, called: Mapping[Any, Any], *columns: str) -> Estimates:
        """The same rows with labels renamed in the given columns."""
        changed = {
            name: label_column([called.get(label, label) for label in self[name]], len(self))
            for name in columns
        }
        return replace(self, labels={**self.labels, **changed})

    def in_unit(self, unit: str | Sequence[str]) -> Estimates:
        """The same rows with one unit for all of them, or with one for each row."""
        return replace(self, unit=label_column(unit, len(self)))

    def through(self, function: Callable[[FloatArray], FloatArray]) -> Estimates:
        """Apply a smooth function to all rows together, jackknifed like the sums behind them.

        Args:
            function: maps values to the same number of values. It must accept a leading axis and
                treat the entries along it separately.

        Raises:
            ValueError: the rows do not rest on the same blocks of deals.
        """
        self._need_same_blocks()
        value = np.asarray(function(self.value), np.float64)
        # If there is only one block, no games are left without it.
        with np.errstate(divide="ignore", invalid="ignore"):
            left_out = self.value - (self.pseudo - self.value) / self.leverage
        replicates = np.asarray(function(left_out), np.float64)
        pseudo = value + self.leverage * (value - replicates)
        return replace(self, value=value, pseudo=pseudo)

    def reduced(self, function: Callable[[FloatArray], FloatArray]) -> Estimates:
        """One number made of all rows, jackknifed like them, with the labels of the first row.

        Args:
            function: as for `through`, but returns one value, shape (..., 1).

        Raises:
            ValueError: the rows do not rest on the same blocks of deals.
        """
        whole = self.through(lambda values: np.broadcast_to(function(values), values.shape))
        return replace(
            whole.at([0]),
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

        Pseudo-values are subtracted where both tables rest on the same blocks of the same deals, so
        that the luck they share cancels. Elsewhere variances add, with Welch's degrees of freedom.

        Args:
            other: the table or the numbers to subtract; only rows that both tables have are kept.
            on: the labels by which rows are matched.
            same_deals: whether both tables come from deals of the same seed.

        Raises:
            ValueError: several rows of the other table have the same labels.
        """
        if not isinstance(other, Estimates):
            return replace(self, value=self.value - other, pseudo=self.pseudo - other)
        one, two = self.beside(other, on)
        return one._less(two, same_deals)

    def beside(self, other: Estimates, on: Sequence[str]) -> tuple[Estimates, Estimates]:
        """The rows that both tables have, in the order of this table; ValueError as for `minus`."""
        keys, theirs = self.keys(on), other.keys(on)
        place = {key: number for number, key in enumerate(theirs)}
        if len(place) < len(other):
            raise ValueError(f"several rows have the same {', '.join(on)}")
        if keys == theirs:
            return self, other
        both = [(here, place[key]) for here, key in enumerate(keys) if key in place]
        return self.at([here for here, _ in both]), other.at([theirs for _, theirs in both])

    def _less(self, other: Estimates, same_deals: bool) -> Estimates:
        """Subtract another table row by row."""
        paired = agree(self.leverage, other.leverage) & same_deals
        paired &= (self.added_error == 0) & (other.added_error == 0)
        error = np.where(self.added_error > 0, self.added_error, 0.0)
        apart = np.hypot(error, other.standard_error)
        degrees = np.where(
            error > 0,
            welch_degrees(error, other.standard_error, self.added_degrees, other.degrees),
            other.degrees,
        )
        trusted = self.trusted & other.trusted
        return replace(
            self,
            value=self.value - other.value,
            pseudo=self.pseudo - np.where(paired, other.pseudo, 0.0),
            games=self.games + other.games,
            all_games=self.all_games + other.all_games,
            events=np.where(trusted, np.minimum(self.events, other.events), 0),
            bounds=np.full_like(self.bounds, np.nan),
            added_error=np.where(paired, 0.0, apart),
            added_degrees=np.where(paired, 0.0, degrees),
        )

    def named(self, names: Sequence[str]) -> Estimates:
        """The rows with these names, in the order of `names`; KeyError for an unknown name."""
        place = {name: number for number, name in enumerate(self.names)}
        return self.at([place[name] for name in names])

    def estimates(self, comparisons: npt.ArrayLike = 1) -> tuple[Estimate, ...]:
        """The rows as `Estimate` objects; `comparisons` is as in `interval`."""
        columns = self.columns(comparisons)
        return tuple(
            Estimate(
                name=row["name"],
                definition=row["estimand"],
                population=row["population"],
                labels={column: row[column] for column in self.labels},
                **{column: row[column] for column in NUMBERS},
            )
            for numbers in zip(*columns.values(), strict=True)
            for row in [dict(zip(columns, numbers, strict=True))]
        )

    def keys(self, columns: Iterable[str]) -> list[tuple[Any, ...]]:
        """The labels that each row has in these columns."""
        return list(zip(*(self[column] for column in columns), strict=True))

    def columns(self, comparisons: npt.ArrayLike = 1) -> dict[str, list[Any]]:
        """The table as lists by column: labels, then NUMBERS; None for unknown numbers."""
        low, high = self.interval(comparisons)
        given = np.isfinite(self.bounds).all(axis=0)
        error = np.where(self.trusted & ~given, self.standard_error, np.nan)
        return {
            **{column: of.tolist() for column, of in self.labels.items()},
            **{
                name: known(of)
                for name, of in zip(NUMBERS, (self.value, low, high, error), strict=False)
            },
            "games": self.games.tolist(),
            "blocks": self.blocks.tolist(),
            "unit": self.unit.tolist(),
        }

    def frame(self, comparisons: npt.ArrayLike = 1) -> pl.DataFrame:
        """The table as a polars frame (see `columns`)."""
        import polars as pl

        floats = dict.fromkeys(NUMBERS[:4], pl.Float64)
        return pl.DataFrame(
            self.columns(comparisons), schema_overrides=floats, infer_schema_length=None
        )

    def _need_same_blocks(self) -> None:
        """Raise ValueError unless all rows rest on the same blocks of deals."""
        if len(self) and not agree(self.leverage, self.leverage[:, :1]).all():
            raise ValueError("numbers over different blocks of deals cannot be combined")


ARRAYS = tuple(field.name for field in fields(Estimates) if field.name != "labels")
"""The fields of a table beside its labels: arrays whose last axis is the rows."""


def welch_degrees(
    first: FloatArray,
    second: FloatArray,
    first_degrees: FloatArray | float,
    second_degrees: FloatArray | float,
) -> FloatArray:
    """The degrees of freedom for the difference of two independent numbers.

    Satterthwaite (1946), Biometrics Bulletin 2: 110-114; Welch (1947), Biometrika 34: 28-35. Where
    both standard errors are 0, the result is the sum of both degrees.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        below = first**4 / first_degrees + second**4 / second_degrees
        return np.where(
            below > 0,
            (first**2 + second**2) ** 2 / below,
            np.asarray(first_degrees, dtype=np.float64) + second_degrees,
        )


def known(values: FloatArray) -> list[float | None]:
    """The values as a list, with None for NaN and infinity."""
    return [value if np.isfinite(value) else None for value in values.tolist()]


def agree(first: FloatArray, second: FloatArray) -> npt.NDArray[np.bool_]:
    """Which columns of two arrays are equal, where NaN equals NaN."""
    return np.asarray(((first == second) | (np.isnan(first) & np.isnan(second))).all(axis=0))


def _sum_held(parts: FloatArray, leverage: FloatArray) -> FloatArray:
    """Sum over the blocks that hold games; the last digit does not depend on the memory layout."""
    held = np.where(np.isfinite(leverage), parts, 0.0)
    return np.asarray(np.ascontiguousarray(held).sum(axis=0))


def _places(places: npt.ArrayLike) -> npt.NDArray[Any]:
    """Indices or a mask as an array; an empty list becomes an array of integers."""
    array = np.asarray(places)
    return array if array.size else array.astype(np.intp)


def label_column(value: Any, rows: int) -> Labels:
    """A column of labels: one label for all rows, or a sequence with one for each row."""
    if isinstance(value, np.ndarray) and value.dtype == np.object_ and len(value) == rows:
        return value
    column = np.empty(rows, np.object_)
    several = not isinstance(value, str) and isinstance(value, Sequence | np.ndarray)
    column[:] = list(value) if several else value
    return column
