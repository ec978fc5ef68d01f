"""Shares of wins by order of play and by strategy.

Strategies rotate over the seats, and the first player is drawn at random. So in the long run each
strategy goes first equally often, and no strategy gains by its seat.
"""

from __future__ import annotations

from itertools import chain

import numpy as np

from ethnos_sim.experiments.evidence.evidence import Evidence, Situation
from ethnos_sim.experiments.evidence.sums import Sums
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.jackknife import ratio
from ethnos_sim.reports.estimators import margins
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.simulator.game.records import SIXTIETHS

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def _estimate_edges(estimand: Estimand, sums: Sums, population: str) -> Estimates:
    """The winning chance of the first, second … player in the order of play, less 1 / players."""
    return estimand.jackknife(
        lambda blocks: (
            ratio(blocks["turn_won"], SIXTIETHS * blocks["games"][..., None]) - 1 / sums.players
        ),
        sums.arrays,
        population,
        ORDINALS[: sums.players],
    )


SEAT_EDGE = Estimand(
    name="seat_edge",
    unit="share_difference",
    label="{Name} seat: edge",
    margin=margins.SEAT,
    family="seats",
    estimator=_estimate_edges,
)


def _estimate_strategy_shares(estimand: Estimand, sums: Sums, population: str) -> Estimates:
    """The winning chance of a seat of each strategy, over all line-ups."""
    names = sorted({name for line_up in sums.tables for name in line_up})
    line_ups = np.asarray(sums.tables)
    # Shape (tables, entries, strategies).
    members = (line_ups[..., None] == np.asarray(names)).astype(np.int64)
    seats = sums.arrays["games"] @ members.sum(axis=1)
    games = sums.arrays["games"] @ members.any(axis=1)
    return estimand.jackknife(
        lambda blocks: ratio(blocks["won"], SIXTIETHS * blocks["seats"]),
        {"won": np.tensordot(sums.arrays["entry_won"], members, axes=2), "seats": seats},
        population,
        names,
        sizes=sums.block_sizes,
        games=games.sum(axis=0),
        events=seats.sum(axis=0),
    )


def _mixed_line_up_sums(evidence: Evidence, situation: Situation) -> Sums | None:
    """The sums by line-up; None if a situation has only one strategy."""
    sums = evidence.line_up_sums.get(situation)
    met = sums and len(set(chain(*sums.tables))) > 1
    return sums if met else None


STRATEGY_SHARE = Estimand(
    name="strategy_share",
    unit="share",
    label="{name}: win share",
    margin=margins.STRATEGY,
    family="strategies",
    estimator=_estimate_strategy_shares,
    select_data=_mixed_line_up_sums,
)
