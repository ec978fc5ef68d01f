"""Checks whose true answer is known: a report whose games fail one cannot be trusted.

Same strategy in all seats: each place of the line-up wins 1 / players of the games. Place at the
table: the first player is drawn at random, so it wins 1 / players for any line-up. Deck draws: the
mean number of ally cards that leave the deck in an age follows from the deck's size alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ethnos_sim.experiments.statistics.adjustment import holm
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.jackknife import BlockSums
from ethnos_sim.reports.estimators.deck_draws import measure_draws
from ethnos_sim.reports.estimators.estimand import Estimand, of_ordinary_games
from ethnos_sim.reports.estimators.win_shares import measure_win_share
from ethnos_sim.reports.evidence.evidence import Evidence, Situation, is_one_strategy
from ethnos_sim.reports.evidence.sums import Sums


def _one_strategy(evidence: Evidence, situation: Situation) -> Iterator[Estimates]:
    """What each place of the line-up wins where all are alike."""
    if situation in evidence.situations and is_one_strategy(situation.population):
        yield same_strategy_null(evidence.of(situation), situation.population).measured


SAME_STRATEGY_NULL = Estimand(
    name="same_strategy_null",
    title="Check: one strategy in all seats",
    meaning="Where all seats play alike, each place of the line-up must win a fair share.",
    formula="sum of w of the place / games − 1/n; expected 0",
    unit="share_difference",
    found=_one_strategy,
)

CHAIR_NULL = Estimand(
    name="chair_null",
    title="Check: place at the table",
    meaning=(
        "The first player is drawn at random, so each place at the table must win a fair share."
    ),
    formula="sum of w of the place / games − 1/n; expected 0",
    unit="share_difference",
    found=of_ordinary_games(lambda sums, words: [chair_null(sums, words).measured]),
)

FALSE_ALARMS = 0.001
"""The declared chance that sound games fail any check of a report (Holm over all checks)."""


@dataclass(frozen=True, slots=True)
class Check:
    """A number with the value it must have.

    Attributes:
        estimate: the number as found.
        expected: the value it has if game and engine are sound.
        p_value: two-sided, adjusted by Holm over all checks of the report.
    """

    estimate: Estimate
    expected: float
    p_value: float

    @property
    def holds(self) -> bool | None:
        """Whether the games agree with the expected value; None with too few games to say."""
        if self.estimate.low is None:
            return None
        return self.p_value >= FALSE_ALARMS


@dataclass(frozen=True, slots=True, eq=False)
class Null:
    """A measure with the values it must have, before Holm's correction over the whole report."""

    measured: Estimates
    expected: np.ndarray


def same_strategy_null(sums: Sums, population: str) -> Null:
    """Share of wins by place in a line-up of one strategy, less 1 / players: 0."""
    names = tuple(f"place {place + 1}" for place in range(sums.players))
    measured = measure_win_share(SAME_STRATEGY_NULL, sums, "entry_won", names, population)
    return Null(measured, np.zeros(sums.players))


def chair_null(sums: Sums, population: str) -> Null:
    """Share of wins by place at the table, less 1 / players: 0."""
    names = tuple(f"chair {place + 1}" for place in range(sums.players))
    measured = measure_win_share(CHAIR_NULL, sums, "chair_won", names, population)
    return Null(measured, np.zeros(sums.players))


def deck_draw_null(arrays: BlockSums, expected: Fraction, ages: int, population: str) -> Null:
    """Ally cards that leave the deck in each age: `decks.age_draws`."""
    return Null(measure_draws(arrays, ages, population), np.full(ages, float(expected)))


def checked(nulls: Iterable[Null]) -> list[tuple[Check, ...]]:
    """The checks of every null, with p values adjusted over all of them together."""
    nulls = list(nulls)
    if not nulls:
        return []
    raw = []
    for null in nulls:
        raw.append(null.measured.minus(null.expected).p_values())
    adjusted = iter(holm(np.concatenate(raw)))
    return [
        tuple(
            Check(estimate, float(expected), float(next(adjusted)))
            for estimate, expected in zip(null.measured.estimates(), null.expected, strict=True)
        )
        for null in nulls
    ]
