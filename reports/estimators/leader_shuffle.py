"""Does the leader run away? The leader's wins against what chance alone would give.

Who is ahead before the last age mostly wins even if that is a lottery, since the lead counts. So
the winning chance of the leader says little by itself. Its null: what each player gained in the
last age is shuffled among the players of the game, in every order alike, and the leader's share of
the wins counted. What the leader wins beyond that comes from being ahead; below it, leaders are
caught up with.
"""

from __future__ import annotations

from math import factorial

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, ratio
from ethnos_sim.reports.estimators.estimand import Estimand, of_ordinary_games
from ethnos_sim.reports.estimators.game_shape import early_ages
from ethnos_sim.reports.evidence.sums import Sums
from ethnos_sim.simulator.records import SIXTIETHS


def measure_leader_shuffled(sums: Sums, population: str) -> Estimates:
    """What leaders would win if the last age's gains were shuffled."""
    return _measured(LEADER_SHUFFLED, sums, population, 0)


def measure_leader_advantage(sums: Sums, population: str) -> Estimates:
    """What leaders win beyond that."""
    return _measured(LEADER_ADVANTAGE, sums, population, 1)


def _measured(estimand: Estimand, sums: Sums, population: str, real: int) -> Estimates:
    """The wins of leaders before the last age, `real` times, less or plus those shuffled."""
    age, orders = early_ages(sums.arrays) - 1, factorial(sums.players)

    def statistic(blocks: BlockSums) -> FloatArray:
        leaders = SIXTIETHS * blocks["leaders"][..., age]
        shuffled = ratio(blocks["leaders_shuffled"], orders * leaders)
        won = ratio(blocks["leaders_won"][..., age], leaders)
        return np.asarray(won - shuffled if real else shuffled)[..., None]

    return estimand.measure(
        statistic,
        sums.arrays,
        sums.sizes,
        names=(estimand.name,),
        population=population,
        games=sums.games,
        events=int(sums.arrays["leaders"][:, age].sum()),
    )


LEADER_SHUFFLED = Estimand(
    name="leader_shuffled",
    title="Wins of the leader, last age shuffled",
    meaning="How often the leader before the last age would win if the prestige that players "
    "gained in it were shuffled among them: what the lead is worth by arithmetic alone.",
    formula="mean over all orders of the last age's gains of the leaders' wins / leaders; players "
    "level at the end share the win",
    unit="share",
    label="Wins of the leader, last age shuffled",
    found=of_ordinary_games(lambda sums, words: [measure_leader_shuffled(sums, words)]),
)

LEADER_ADVANTAGE = Estimand(
    name="leader_advantage",
    title="Leader's advantage",
    meaning="How much more often the leader before the last age wins than with the last age's "
    "gains shuffled among the players. Above 0 leaders pull away, below 0 they are caught up with.",
    formula="wins of the leader / leaders − the same with the gains shuffled",
    unit="share_difference",
    label="Wins of the leader beyond that",
    found=of_ordinary_games(lambda sums, words: [measure_leader_advantage(sums, words)]),
)
