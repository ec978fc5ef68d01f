"""The gate's decision: which numbers passed, which failed, and which are open, look by look.

The gate looks at fixed shares of its budget of games (docs/ci.md). By Bonferroni over looks and
Holm within one, the chance that any number fails although none has moved by more than half its
margin is at most the level, whatever the dependence between numbers and looks. A situation is
decided once it has a failure, or once all its numbers pass at one look.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import polars as pl

from ethnos_sim.experiments.statistics.estimates import FloatArray, welch_degrees
from ethnos_sim.experiments.statistics.significance import beyond_p, equivalence_p, holm
from ethnos_sim.reports.estimators.catalog import HEADLINE, margin_of
from ethnos_sim.reports.evidence.evidence import Evidence, Situation
from ethnos_sim.reports.numbers import numbers

LEVEL = 0.001
"""The chance of any false alarm in a run, over all its numbers and looks."""

PASS_ALPHA = 0.05
"""The chance that a number passes which moved by its whole margin."""

PASS = "pass"
FAIL = "fail"
OPEN = "undecided"


@dataclass(frozen=True, slots=True, eq=False)
class NumberArrays:
    """Some numbers with their noise, one entry each.

    Attributes:
        value: the estimates.
        error: their standard errors; not a number where an estimate cannot be trusted.
        degrees: degrees of freedom of the errors.
    """

    value: FloatArray
    error: FloatArray
    degrees: FloatArray

    def less(self, other: NumberArrays) -> NumberArrays:
        """The differences from independent numbers."""
        return NumberArrays(
            self.value - other.value,
            np.hypot(self.error, other.error),
            welch_degrees(self.error, other.error, self.degrees, other.degrees),
        )


@dataclass(eq=False)
class Decision:
    """Where every number stands. Fed by `look`.

    Attributes:
        stored: the baseline's numbers.
        margins: the margin of each.
        situation: for each number, which situation it belongs to, as an index.
        looks: how many looks there are at most.
        level: chance of any false alarm.
        words: PASS, FAIL or OPEN for each number, after the last look at its situation.
        p_values: of FAIL at that look, adjusted by Holm and for the number of looks.
        differences: as that look found them.
        looked: how many looks there were.
        last_look: which of them, counted from 0, was the last at each number.
    """

    stored: NumberArrays
    margins: FloatArray
    situation: npt.NDArray[np.intp]
    looks: int
    level: float = LEVEL
    words: npt.NDArray[np.str_] = field(init=False)
    p_values: FloatArray = field(init=False)
    differences: NumberArrays = field(init=False)
    looked: int = field(init=False, default=0)
    last_look: npt.NDArray[np.intp] = field(init=False)

    def __post_init__(self) -> None:
        """Nothing is decided."""
        count = len(self.margins)
        self.words = np.full(count, OPEN)
        self.p_values = np.ones(count)
        self.last_look = np.zeros(count, dtype=np.intp)
        nothing = np.full(count, np.nan)
        self.differences = NumberArrays(nothing, nothing.copy(), nothing.copy())

    @property
    def open_situations(self) -> tuple[int, ...]:
        """The situations that are not decided: without a failure, and not all passed."""
        failed = set(self.situation[self.words == FAIL].tolist())
        unfinished = set(self.situation[self.words == OPEN].tolist())
        return tuple(sorted(unfinished - failed))

    @property
    def outcome(self) -> str:
        """FAIL where anything failed, OPEN where anything is open, else PASS."""
        if (self.words == FAIL).any():
            return FAIL
        return OPEN if (self.words == OPEN).any() else PASS

    def look(self, fresh: NumberArrays) -> None:
        """Test the numbers of all open situations with the games played so far.

        Args:
            fresh: the numbers of all situations; those of decided ones are not looked at.
        """
        if self.looked >= self.looks:
            raise ValueError("there are no looks left")
        here = np.isin(self.situation, self.open_situations)
        self.last_look[here] = self.looked
        self.looked += 1
        moved = fresh.less(self.stored)
        p_fail = np.ones(len(here))
        p_fail[here] = beyond_p(moved.value, moved.error, moved.degrees, self.margins / 2)[here]
        adjusted = np.minimum(holm(p_fail) * self.looks, 1.0)
        p_pass = equivalence_p(moved.value, moved.error, moved.degrees, self.margins)
        found = np.where(
            adjusted < self.level, FAIL, np.where(p_pass < PASS_ALPHA / self.looks, PASS, OPEN)
        )
        self.words[here] = found[here]
        self.p_values[here] = adjusted[here]
        for name in ("value", "error", "degrees"):
            getattr(self.differences, name)[here] = getattr(moved, name)[here]

    def power(self, error: FloatArray, degrees: FloatArray) -> FloatArray:
        """The chance that a number fails which moved by its whole margin.

        The number is taken to be the only one that moved, so Holm's correction is Bonferroni's, and
        only the look with these errors is counted: the true power is no lower.

        Args:
            error: the standard error of each difference at that look.
            degrees: its degrees of freedom.
        """
        from scipy.special import stdtr

        needed = self._quantile(degrees)
        with np.errstate(divide="ignore", invalid="ignore"):
            beyond = np.where(error > 0, self.margins / 2 / error, np.inf)
        return np.where(np.isinf(beyond), 1.0, stdtr(degrees, beyond - needed))

    def smallest_seen(self, error: FloatArray, degrees: FloatArray) -> FloatArray:
        """The change that fails with a chance of 80 %, under the same assumptions as `power`."""
        from scipy.special import stdtrit

        reach = (self._quantile(degrees) + stdtrit(degrees, 0.8)) * error
        return np.asarray(self.margins / 2 + reach)

    def _quantile(self, degrees: FloatArray) -> FloatArray:
        """How many standard errors beyond half the margin a lone number fails."""
        from scipy.special import stdtrit

        return np.asarray(stdtrit(degrees, 1 - self.level / self.looks / len(self.margins)))


def widest_error(degrees: FloatArray, margins: FloatArray, looks: int, spare: float) -> FloatArray:
    """The standard error below which a number passes, whatever the seed, where nothing has moved.

    Args:
        degrees: degrees of freedom of the difference at the last look.
        margins: the margins.
        looks: how many looks there are.
        spare: how many standard errors luck may take.
    """
    from scipy.special import stdtrit

    return np.asarray(margins / (stdtrit(degrees, 1 - PASS_ALPHA / looks) + spare))


SITUATION = Situation._fields
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
