"""How often parties are led by each clan, and how much more often by winners than by losers.

Only games with the clan in play count. A shared win counts in parts: a player with half a win is
half a winner and half a loser, so the parties of all players are counted once, in total.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, ratio
from ethnos_sim.reports.estimators.estimand import Estimand, Finder, of_ordinary_games
from ethnos_sim.reports.evidence.sums import Sums, side_by_side
from ethnos_sim.simulator.records import SIXTIETHS


def _usage(name: str) -> Finder:
    """What finds one of STATISTICS."""
    return of_ordinary_games(lambda sums, words: [measure_usage(sums, name, words)])


USAGE_WINNERS = Estimand(
    name="usage_winners",
    title="Winners' usage",
    meaning=(
        "Share of the winners' parties that the clan leads, over games with the clan in play."
    ),
    formula="sum of w over the clan's parties / sum of w over all parties",
    unit="share",
    found=_usage("usage_winners"),
)

USAGE_LOSERS = Estimand(
    name="usage_losers",
    title="Losers' usage",
    meaning="Share of the losers' parties that the clan leads, over games with the clan in play.",
    formula="sum of (1 − w) over the clan's parties / sum of (1 − w) over all parties",
    unit="share",
    found=_usage("usage_losers"),
)

USAGE_GAP = Estimand(
    name="usage_gap",
    title="Usage gap",
    meaning="Winners' usage less losers' usage in the same games, in percentage points.",
    formula="winners' usage − losers' usage",
    unit="share_difference",
    found=_usage("usage_gap"),
)

LED_PER_GAME = Estimand(
    name="led_per_game",
    title="Parties a game",
    meaning="Parties led by the clan in a game that has it in play, all players together.",
    formula="parties led by the clan / games with the clan in play",
    unit="count",
    found=_usage("led_per_game"),
)


def usage(sums: BlockSums) -> FloatArray:
    """Parties led by the clan / all parties, by clan."""
    return ratio(sums["led"], sums["in_parties"])


def winners_usage(sums: BlockSums) -> FloatArray:
    """The same share among the parties of winners."""
    return ratio(sums["led_won"], sums["in_parties_won"])


def losers_usage(sums: BlockSums) -> FloatArray:
    """The same share among the parties of losers."""
    return ratio(
        SIXTIETHS * sums["led"] - sums["led_won"],
        SIXTIETHS * sums["in_parties"] - sums["in_parties_won"],
    )


def usage_gap(sums: BlockSums) -> FloatArray:
    """Winners' share less losers' share in the same games."""
    return winners_usage(sums) - losers_usage(sums)


def led_per_game(sums: BlockSums) -> FloatArray:
    """Parties led by the clan in a game that has it in play, all players together."""
    return ratio(sums["led"], sums["in_games"])


def measure_usage(sums: Sums, definition: str, population: str) -> Estimates:
    """One of STATISTICS for every clan."""
    return measure_mean_usage([sums], definition, population)


def measure_mean_usage(parts: Sequence[Sums], definition: str, population: str) -> Estimates:
    """The same averaged over player counts that weigh the same each."""
    estimand, statistic = STATISTICS[definition]
    arrays, sizes = side_by_side(parts)
    return estimand.measure(
        lambda blocks: np.asarray(statistic(blocks).mean(axis=-2)),
        arrays,
        sizes,
        names=parts[0].clans,
        population=population,
        games=arrays["in_games"].sum(axis=(0, 1)),
        events=np.asarray(arrays["in_parties"].sum(axis=0).min(axis=0)),
    )


USAGE = Estimand(
    name="usage",
    title="Usage",
    meaning="Share of all parties that the clan leads, over games with the clan in play.",
    formula="parties led by the clan / all parties",
    unit="share",
    label="{clan}: usage",
    margin=0.0025,
    family="clans",
    found=_usage("usage"),
)

STATISTICS = {
    estimand.name: (estimand, statistic)
    for estimand, statistic in (
        (USAGE, usage),
        (USAGE_WINNERS, winners_usage),
        (USAGE_LOSERS, losers_usage),
        (USAGE_GAP, usage_gap),
        (LED_PER_GAME, led_per_game),
    )
}
"""The estimands of this module with their statistics, by name."""
