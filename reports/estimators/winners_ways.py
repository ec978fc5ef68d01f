"""What players do, and winners otherwise than losers at the same tables: parties, markers, ages.

Winners are weighted by their part of the win, losers by what they lack, as for usage. It is what
goes with winning, not what makes it: who is ahead may play otherwise because of it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, ratio
from ethnos_sim.reports.estimators.estimand import Estimand, Number, of_ordinary_games
from ethnos_sim.reports.evidence.sums import Sums
from ethnos_sim.simulator.records import SIXTIETHS

WAYS = {
    "parties": Number("Parties a game"),
    "cards_in_party": Number("Cards a party"),
    "markers": Number("Markers in regions"),
    "ages_ended": Number("Ages ended by drawing the last dragon"),
}
"""What is compared, by name."""

COUNTED = {"parties": "parties", "markers": "markers", "ages_ended": "ended"}
"""The sums of those that are counted a game, by name."""


def measure_players_ways(sums: Sums, population: str) -> Estimates:
    """The mean over all seats of each of WAYS."""

    def statistic(blocks: BlockSums) -> FloatArray:
        seats = blocks["games"] * sums.players
        return _in_order(
            ratio(blocks["cards"], blocks["parties"]),
            {name: ratio(blocks[of], seats) for name, of in COUNTED.items()},
        )

    return _measured(PLAYERS_WAYS, statistic, sums, population)


def measure_winners_ways(sums: Sums, population: str) -> Estimates:
    """Winners less losers in each of WAYS."""

    def statistic(blocks: BlockSums) -> FloatArray:
        return winners(blocks) - losers(blocks, sums.players)

    return _measured(WINNERS_WAYS, statistic, sums, population)


def _measured(
    estimand: Estimand, statistic: Callable[[BlockSums], FloatArray], sums: Sums, population: str
) -> Estimates:
    """A number for each of WAYS."""
    return estimand.measure(
        statistic,
        sums.arrays,
        sums.sizes,
        names=tuple(WAYS),
        population=population,
        games=sums.games,
    )


def winners(blocks: BlockSums) -> FloatArray:
    """What winners do, in the order of WAYS."""
    games = SIXTIETHS * blocks["games"]
    return _in_order(
        ratio(blocks["cards_won"], blocks["parties_won"]),
        {name: ratio(blocks[f"{of}_won"], games) for name, of in COUNTED.items()},
    )


def losers(blocks: BlockSums, players: int) -> FloatArray:
    """What losers do, in the order of WAYS."""

    def lost(name: str) -> FloatArray:
        return np.asarray(SIXTIETHS * blocks[name] - blocks[f"{name}_won"])

    games = SIXTIETHS * blocks["games"] * (players - 1)
    return _in_order(
        ratio(lost("cards"), lost("parties")),
        {name: ratio(lost(of), games) for name, of in COUNTED.items()},
    )


def _in_order(cards_in_party: FloatArray, counted: dict[str, FloatArray]) -> FloatArray:
    """The numbers of WAYS on the last axis."""
    found = counted | {"cards_in_party": cards_in_party}
    return np.stack([found[name] for name in WAYS], axis=-1)


WINNERS_WAYS = Estimand(
    name="winners_ways",
    title="Winners' ways",
    meaning="What winners do a game less what losers do at the same tables.",
    formula="sum of w over what is counted / sum of w − sum of (1 − w) over it / sum of (1 − w)",
    unit="count_difference",
    numbers=WAYS,
    found=of_ordinary_games(lambda sums, words: [measure_winners_ways(sums, words)]),
)

PLAYERS_WAYS = Estimand(
    name="players_ways",
    title="Players' ways",
    meaning="What a player does a game, whoever wins.",
    formula="what is counted / games / n; of cards in parties: cards / parties",
    unit="count",
    numbers=WAYS,
    found=of_ordinary_games(lambda sums, words: [measure_players_ways(sums, words)]),
)
