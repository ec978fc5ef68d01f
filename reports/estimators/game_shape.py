"""The shape of a game: length, scores, how close it is, and what a lead is worth.

The leader before the last age would mostly win even if that age were a lottery, because the lead
counts. So the leader's winning chance is compared with the chance if the gains of the last age were
shuffled among the players. If the real chance is higher, being ahead helps in the last age; if it
is lower, the others catch up.
"""

from __future__ import annotations

from math import factorial

import numpy as np

from ethnos_sim.experiments.evidence.game_numbers import FAR_BEHIND
from ethnos_sim.experiments.evidence.sums import Sums
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray, IntArray
from ethnos_sim.experiments.statistics.jackknife import (
    BlockSums,
    controlled_mean,
    ratio,
)
from ethnos_sim.reports.estimators import margins
from ethnos_sim.reports.estimators.estimand import Estimand, Number
from ethnos_sim.simulator.game.records import SIXTIETHS

_COMEBACK_LABEL = f"Wins from {FAR_BEHIND} or more behind before the last age"

SHAPE_NUMBERS = {
    "turns": Number("Turns a game", margins.LENGTH, "count"),
    "parties": Number("Parties a seat", margins.PARTIES, "count"),
    "cards_in_party": Number("Cards a party", margins.CARDS, "count"),
    "lead_changes": Number("Changes of the lead", margins.LEAD_CHANGES, "count"),
    "mean_prestige": Number("Prestige of a seat", margins.PRESTIGE, "prestige"),
    "prestige_spread": Number(
        "Spread of prestige within a game", margins.PRESTIGE_SPREAD, "prestige"
    ),
    "margin": Number("Winning margin", margins.PRESTIGE, "prestige"),
    "shared_wins": Number("Shared wins", margins.SHARED_WINS, "share"),
    "leader_after_age_1": Number("Wins of the leader after age 1", margins.LEADER, "share"),
    "leader_after_age_2": Number("Wins of the leader after age 2", margins.LEADER, "share"),
    "comeback": Number(_COMEBACK_LABEL, margins.FROM_BEHIND, "share"),
}
"""The numbers of GAME_SHAPE, in the order of tables."""


def _estimate_shape(estimand: Estimand, sums: Sums, population: str) -> Estimates:
    """The estimates of SHAPE_NUMBERS, without ages that the games do not have."""
    players, early = sums.players, ages_before_last(sums.arrays)
    leaders = {f"leader_after_age_{age}": age - 1 for age in range(1, early + 1)}
    names = [name for name in SHAPE_NUMBERS if name in leaders or not name.startswith("leader_")]

    def statistic(blocks: BlockSums) -> FloatArray:
        games = blocks["games"]
        behind, won = comeback_counts(blocks)
        shares = {
            "turns": _mean_at_usual_length(blocks, "turns"),
            "parties": _mean_at_usual_length(blocks, "parties") / players,
            "cards_in_party": ratio(blocks["cards"], blocks["parties"]),
            "lead_changes": ratio(blocks["lead_changes"], games),
            "mean_prestige": _mean_at_usual_length(blocks, "prestige") / players,
            "prestige_spread": np.sqrt(
                ratio(squared_distances(blocks, players), players * (players - 1) * games)
            ),
            "margin": ratio(blocks["margin"], games),
            "shared_wins": ratio(blocks["shared"], games),
            "comeback": ratio(won, SIXTIETHS * behind),
        }
        for name, age in leaders.items():
            shares[name] = ratio(
                blocks["leaders_won"][..., age], SIXTIETHS * blocks["leaders"][..., age]
            )
        return np.stack([shares[name] for name in names], axis=-1)

    behind, _ = comeback_counts(sums.arrays)
    counted = {name: sums.arrays["leaders"][:, age].sum() for name, age in leaders.items()}
    counted |= {"shared_wins": sums.arrays["shared"].sum(), "comeback": behind.sum()}
    events = np.asarray([counted.get(name, sums.games) for name in names])
    return estimand.jackknife(statistic, sums.arrays, population, names, events=events)


def _mean_at_usual_length(blocks: BlockSums, name: str) -> FloatArray:
    """The mean per game of a sum that grows with the number of drawn cards.

    The control variate is the luck of the dragons: drawn cards less their known expected number.
    """
    product, square = blocks[f"luck_{name}"], blocks["luck_squared"]
    return controlled_mean(blocks[name], blocks["luck"], product, square, blocks["games"])


def squared_distances(blocks: BlockSums, players: int) -> IntArray:
    """The squared differences of prestige, summed over all pairs of seats of a game."""
    return np.asarray(players * blocks["prestige_squared"] - blocks["totals_squared"])


def ages_before_last(blocks: BlockSums) -> int:
    """The number of ages before a game's last age, at least 1."""
    drawn = blocks["drawn"]
    return max(1, int(np.count_nonzero(drawn.reshape(-1, drawn.shape[-1]).any(axis=0))) - 1)


def comeback_counts(blocks: BlockSums) -> tuple[IntArray, IntArray]:
    """The number of seats far behind before the last age, and their wins in sixtieths of a game."""
    age = ages_before_last(blocks) - 1
    return blocks["behind"][..., age], blocks["behind_won"][..., age]


GAME_SHAPE = Estimand(
    name="game_shape", numbers=SHAPE_NUMBERS, family="shape", estimator=_estimate_shape
)


def _estimate_leader(estimand: Estimand, sums: Sums, population: str) -> Estimates:
    """The estimate of LEADER_SHUFFLED or LEADER_ADVANTAGE, about the leader before the last age.

    LEADER_SHUFFLED is the leader's share of wins if the gains of the last age are shuffled among
    the players. LEADER_ADVANTAGE is the leader's real share of wins less this share.
    """
    age, orders = ages_before_last(sums.arrays) - 1, factorial(sums.players)

    def statistic(blocks: BlockSums) -> FloatArray:
        leaders = SIXTIETHS * blocks["leaders"][..., age]
        shuffled = ratio(blocks["leaders_shuffled"], orders * leaders)
        won = ratio(blocks["leaders_won"][..., age], leaders)
        return np.asarray(shuffled if estimand is LEADER_SHUFFLED else won - shuffled)[..., None]

    events = int(sums.arrays["leaders"][:, age].sum())
    return estimand.jackknife(statistic, sums.arrays, population, (estimand.name,), events=events)


LEADER_SHUFFLED = Estimand(
    name="leader_shuffled",
    unit="share",
    label="Wins of the leader, last age shuffled",
    estimator=_estimate_leader,
)

LEADER_ADVANTAGE = Estimand(
    name="leader_advantage",
    unit="share_difference",
    label="Wins of the leader, less wins with the last age shuffled",
    margin=margins.LEADER,
    estimator=_estimate_leader,
)
