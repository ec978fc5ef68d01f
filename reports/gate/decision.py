"""The gate's decision: which numbers passed, which failed, and which are open, look by look.

The gate looks at fixed shares of its budget of games (docs/ci.md). By Bonferroni over looks and
Holm within one, the chance that any number fails although none has moved by more than half its
margin is at most the level, whatever the dependence between numbers and looks. A situation is
decided once it has a failure, or once all its numbers pass at one look.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray, known
from ethnos_sim.experiments.statistics.jackknife import lined_up
from ethnos_sim.experiments.statistics.significance import (
    CHANGED,
    EQUIVALENT,
    UNDECIDED,
    verdicts,
)
from ethnos_sim.reports.estimators.catalog import margin_of

LEVEL = 0.001
"""The chance of any false alarm in a run, over all its numbers and looks."""

PASS_ALPHA = 0.05
"""The chance that a number passes which moved by its whole margin."""

PASS = "pass"
FAIL = "fail"
OPEN = "undecided"
WORDS = {EQUIVALENT: PASS, CHANGED: FAIL, UNDECIDED: OPEN}

SITUATION = Situation._fields
KEY = (*SITUATION, "estimand", "name")


@dataclass(eq=False)
class Decision:
    """Where every number stands. Fed by `look`.

    Attributes:
        stored: the baseline's numbers, labelled by KEY.
        margins: the margin of each.
        looks: the shares of the budget at which it looks at most.
        level: chance of any false alarm.
        words: PASS, FAIL or OPEN for each number, after the last look at its situation.
        p_values: of FAIL at that look, adjusted by Holm and for the number of looks.
        shares: of the budget at that look.
        fresh: the numbers of the last look, and moved: their differences from the stored ones.
        looked: how many looks there were.
    """

    stored: Estimates
    margins: FloatArray
    looks: tuple[float, ...]
    level: float = LEVEL
    words: npt.NDArray[np.str_] = field(init=False)
    p_values: FloatArray = field(init=False)
    shares: FloatArray = field(init=False)
    fresh: Estimates = field(init=False)
    moved: Estimates = field(init=False)
    looked: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        """Nothing is decided."""
        self.words = np.full(len(self.stored), OPEN)
        self.p_values, self.shares = np.ones((2, len(self.stored)))

    @cached_property
    def situations(self) -> tuple[Situation, ...]:
        """The situation of each number."""
        return tuple(map(Situation._make, self.stored.keys(SITUATION)))

    @property
    def open_situations(self) -> set[Situation]:
        """The situations that are not decided: without a failure, and not all passed."""
        found = set(zip(self.situations, self.words, strict=True))
        return {about for about, word in found if word == OPEN and (about, FAIL) not in found}

    @property
    def outcome(self) -> str:
        """FAIL where anything failed, OPEN where anything is open, else PASS."""
        return worst(self.words.tolist())

    def look(self, fresh: Estimates) -> None:
        """Test the numbers of all open situations with the games played so far.

        Args:
            fresh: the numbers of all situations; those of decided ones are not looked at.
        """
        share = self.looks[self.looked]
        self.looked += 1
        running = self.open_situations
        here = np.asarray([each in running for each in self.situations])
        self.fresh = lined_up(fresh, self.stored, KEY)
        self.moved = self.fresh.minus(self.stored, KEY, same_deals=False)
        words, p_values = verdicts(
            replace(self.moved, events=np.where(here, self.moved.events, 0)),
            self.margins,
            limit=self.margins / 2,
            alpha=PASS_ALPHA,
            level=self.level,
            family=len(self.stored),
            tests=len(self.looks),
        )
        self.words[here] = [WORDS[word] for word in words[here]]
        self.p_values[here] = p_values[here]
        self.shares[here] = share

    def told(self) -> Estimates:
        """What became of each number: its difference, with the games and in the unit of its own.

        Labelled by KEY, `word`, the `stored` and the `fresh` value, the `margin`, `p`, `power`: the
        chance that the whole budget fails a number that moved by its margin, and `smallest`: the
        change that the whole budget fails with a chance of 80 %; None for what was not measured.
        """
        fresh, stored, degrees = self.fresh, self.stored, self.moved.degrees
        # Had the whole budget been played: by the root of the games.
        own = np.where(fresh.trusted, fresh.standard_error, np.nan) * np.sqrt(self.shares)
        error = np.hypot(stored.standard_error, own)
        return replace(self.moved, games=fresh.games, unit=stored.unit).labelled(
            word=self.words.tolist(),
            stored=stored.value,
            fresh=known(fresh.value),
            margin=self.margins,
            p=self.p_values,
            power=known(self.power(error, degrees)),
            smallest=known(self.smallest_seen(error, degrees)),
        )

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
        with np.errstate(divide="ignore"):
            beyond = self.margins / 2 / error
        return np.where(np.isinf(beyond), 1.0, stdtr(degrees, beyond - needed))

    def smallest_seen(self, error: FloatArray, degrees: FloatArray) -> FloatArray:
        """The change that fails with a chance of 80 %, under the same assumptions as `power`."""
        from scipy.special import stdtrit

        reach = (self._quantile(degrees) + stdtrit(degrees, 0.8)) * error
        return np.asarray(self.margins / 2 + reach)

    def _quantile(self, degrees: FloatArray) -> FloatArray:
        """How many standard errors beyond half the margin a lone number fails."""
        from scipy.special import stdtrit

        tests = len(self.looks) * len(self.stored)
        return np.asarray(stdtrit(degrees, 1 - self.level / tests))


@dataclass(frozen=True, slots=True)
class Size:
    """How thorough a run is.

    Attributes:
        scale: of the margins.
        share: of the baseline's budget of games.
        looks: shares of that at which the gate looks.
    """

    scale: float
    share: float
    looks: tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False)
class GateResult:
    """A finished run: every number, and what was played.

    Attributes:
        lines: what became of every number: `Decision.told` as a frame.
        seed: of the fresh games.
        size: how thorough it was.
        looks: how many there were.
        games: played.
        budget: games that it might have played.
        left_out: the numbers that are not guarded.
    """

    lines: pl.DataFrame
    seed: int
    size: Size
    looks: int
    games: int
    budget: int
    left_out: pl.DataFrame

    @property
    def outcome(self) -> str:
        """FAIL, OPEN or PASS."""
        return worst(self.lines["word"].to_list())


def worst(words: Collection[str]) -> str:
    """FAIL where any word is, OPEN where any is open, else PASS."""
    return next((word for word in (FAIL, OPEN) if word in words), PASS)


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


def margins_of(numbers: Estimates) -> FloatArray:
    """The margin of each number, before any scale; KeyError for a number that has none."""
    return np.asarray([margin_of(*key) for key in numbers.keys(("estimand", "name"))])
