"""What decisions cost: what look-ahead would have won more with, choice by choice.

Its games are few and are played again for it, so its sums are its own: by block of deals, entry
of the line-up and kind of choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ethnos_sim.experiments.matches.decisions import KINDS, WHOLE, JudgedTurn
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray, IntArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, ratio
from ethnos_sim.reports.estimators.estimand import Estimand, Number

LABELS = {
    "leads_late": Number("Goes on collecting where leading a party is better"),
    "leads_early": Number("Leads a party where collecting is better"),
    "draws_at_the_end": Number("Draws a card that may end the age where something else is better"),
    "leaves_the_pool": Number("Draws from the deck where the pool has better"),
    "leaves_the_deck": Number("Takes from the pool where the deck is better"),
    "card": Number("Which card of the pool"),
    "clan": Number("Which clan leads"),
    "region": Number("In which region"),
    "cards": Number("With which cards"),
    "all": Number("All of these together"),
}
"""What the choices are called, in words that an edition translates."""

ALL = "all"

DECISION_COST = Estimand(
    name="decision_cost",
    title="Cost of a decision",
    meaning="Winning chance that a choice costs against the best one that look-ahead finds, each "
    "time that it comes up.",
    formula="sum of costs over the judged turns / those turns at which the choice came up",
    unit="share_spread",
    numbers=LABELS,
)

DECISION_COST_PER_TURN = Estimand(
    name="decision_cost_per_turn",
    title="Cost of decisions a turn",
    meaning="The same over all turns, whether the choice came up or not: the choices sum to what a "
    "move costs.",
    formula="sum of costs over the judged turns / judged turns",
    unit="share_spread",
    numbers=LABELS,
)


@dataclass(frozen=True, eq=False)
class DecisionSums:
    """Judged turns, summed.

    Attributes:
        strategies: the line-up's strategies, each once.
        arrays: int64 by block: games; asked, how often a choice came up, and cost, in parts of
            decisions.WHOLE (BLOCKS, strategies, KINDS and ALL, which counts turns).
    """

    strategies: tuple[str, ...]
    arrays: dict[str, IntArray]

    @property
    def games(self) -> int:
        """Games of which turns were judged."""
        return int(self.arrays["games"].sum())

    @property
    def turns(self) -> int:
        """Turns that were judged."""
        return int(self.arrays["asked"][..., -1].sum())


def sum_decisions(
    line_ups: Sequence[Sequence[str]], judged: Sequence[Sequence[JudgedTurn]]
) -> DecisionSums:
    """The sums of some games.

    Args:
        line_ups: the strategies of each game, by entry.
        judged: its judged turns.
    """
    strategies = tuple(dict.fromkeys(name for names in line_ups for name in names))
    shape = BLOCKS, len(strategies), len(KINDS) + 1
    asked, cost = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    games = np.zeros(BLOCKS, np.int64)
    for names, turns in zip(line_ups, judged, strict=True):
        for place, turn in enumerate(turns):
            here = turn.deal % BLOCKS, strategies.index(names[turn.entry])
            games[here[0]] += place == 0
            asked[here] += (*turn.asked, 1)
            cost[here] += (*turn.costs, sum(turn.costs))
    return DecisionSums(strategies, {"games": games, "asked": asked, "cost": cost})


def measure_decision_cost(sums: DecisionSums, population: str) -> Estimates:
    """What each kind of choice costs each time, and a turn in all."""

    def statistic(blocks: BlockSums) -> FloatArray:
        return ratio(blocks["cost"].sum(axis=-2), WHOLE * blocks["asked"].sum(axis=-2))

    return _measured(DECISION_COST, statistic, sums, population, slice(None))


def measure_decision_cost_per_turn(
    sums: DecisionSums, population: str, strategy: str = ""
) -> Estimates:
    """What each kind of choice costs a turn: of all players, or of one strategy's."""
    here = slice(None) if not strategy else [sums.strategies.index(strategy)]

    def statistic(blocks: BlockSums) -> FloatArray:
        turns = blocks["asked"][..., here, -1:].sum(axis=-2)
        return ratio(blocks["cost"][..., here, :].sum(axis=-2), WHOLE * turns)

    return _measured(DECISION_COST_PER_TURN, statistic, sums, population, here)


def _measured(
    estimand: Estimand,
    statistic: Callable[[BlockSums], FloatArray],
    sums: DecisionSums,
    population: str,
    strategies: slice | list[int],
) -> Estimates:
    """A number for each kind of choice, and for all; the events are those of some strategies."""
    return estimand.measure(
        statistic,
        sums.arrays,
        sums.arrays["games"],
        names=(*KINDS, ALL),
        population=population,
        games=sums.games,
        events=sums.arrays["asked"][:, strategies].sum(axis=(0, 1)),
    )
