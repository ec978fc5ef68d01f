"""Checks whose true answer is known: a report whose games fail one cannot be trusted.

Same strategy in all seats: each place of the line-up wins 1 / players of the games. Place at the
table: the first player is drawn at random, so it wins 1 / players for any line-up. Deck draws: the
age ends with the dragon that the rules name, the dragons lie anywhere in the bottom half, and
everything above that one has been drawn, whoever drew it and whatever for (docs/rules.md, "A check
that holds for every strategy"). Halves: shards are rounds of the same cells, so turns and margins
of the first half of them must agree with the second half, unless engine, machine or files changed
on the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ethnos_sim.experiments.statistics.adjustment import holm
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray, IntArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, ratio
from ethnos_sim.reports.estimators.estimand import Estimand, of_ordinary_games
from ethnos_sim.reports.estimators.win_shares import measure_win_share
from ethnos_sim.reports.evidence.decks import age_draws
from ethnos_sim.reports.evidence.evidence import Evidence, Setting, Situation, is_one_strategy
from ethnos_sim.reports.evidence.sums import Sums, merged

FALSE_ALARMS = 0.001
"""The declared chance that sound games fail any check of a report (Holm over all checks)."""

EVERYBODY = "all strategies"


def adjusted_p(nulls: Sequence[Estimates]) -> FloatArray:
    """Two-sided p of every number that ought to be 0, adjusted by Holm over all of them together.

    Not a number where too few games were played to say.
    """
    found = holm(np.concatenate([null.p_values() for null in nulls]))
    return np.where(np.concatenate([null.trusted for null in nulls]), found, np.nan)


def nulls_of(evidence: Evidence) -> Iterator[Estimates]:
    """All that ought to be 0 of what was played."""
    for setting, players in dict.fromkeys((s.setting, s.players) for s in evidence.situations):
        yield from _nulls(evidence, setting, players)


def _nulls(evidence: Evidence, setting: Setting, players: int) -> Iterator[Estimates]:
    """Equal places for equal players, the cards that leave a deck, and first games as last ones."""
    here = evidence.where(lambda s: (s.setting, s.players) == (setting, players))
    for population in evidence.populations(setting, players):
        null = same_strategy_null if is_one_strategy(population) else chair_null
        yield null(evidence.total(setting, players, population), population)
    rules = evidence.rules(setting)
    for deck in sorted({stratum.deck for stratum in here}):
        arrays = merged(sums for stratum, sums in here.items() if stratum.deck == deck).arrays
        draws = age_draws(deck, rules)
        if draws is not None:
            yield measure_draws(arrays, rules.ages(players), EVERYBODY).minus(float(draws))
    for shards in evidence.shards.get((setting, players), ()):
        if (halves := halves_null(shards, EVERYBODY)) is not None:
            yield halves


def same_strategy_null(sums: Sums, population: str) -> Estimates:
    """Share of wins by place in a line-up of one strategy, less 1 / players: 0."""
    names = [f"place {place + 1}" for place in range(sums.players)]
    return measure_win_share(SAME_STRATEGY_NULL, sums, "entry_won", names, population)


def _one_strategy(evidence: Evidence, situation: Situation) -> Iterator[Estimates]:
    """What each place of the line-up wins where all are alike."""
    if situation in evidence.situations and is_one_strategy(situation.population):
        yield same_strategy_null(evidence.of(situation), situation.population)


SAME_STRATEGY_NULL = Estimand(
    name="same_strategy_null",
    unit="share_difference",
    found=_one_strategy,
)


def chair_null(sums: Sums, population: str) -> Estimates:
    """Share of wins by place at the table, less 1 / players: 0."""
    names = [f"chair {place + 1}" for place in range(sums.players)]
    return measure_win_share(CHAIR_NULL, sums, "chair_won", names, population)


CHAIR_NULL = Estimand(
    name="chair_null",
    unit="share_difference",
    found=of_ordinary_games(chair_null),
)


def measure_draws(arrays: BlockSums, ages: int, population: str) -> Estimates:
    """Mean ally cards drawn in each of the first `ages` ages; `arrays` hold `drawn` and `games`."""
    return DECK_DRAWS.measure(
        lambda of: ratio(of["drawn"][..., :ages], of["games"][..., None]),
        arrays,
        population,
        [f"age {age + 1}" for age in range(ages)],
    )


def _draws_by_deck(evidence: Evidence, situation: Situation) -> Iterator[Estimates]:
    """The cards drawn from decks of each size."""
    by_deck: dict[int, list[Sums]] = {}
    for stratum, sums in evidence.strata(situation).items():
        by_deck.setdefault(stratum.deck, []).append(sums)
    for deck, parts in sorted(by_deck.items()):
        arrays = merged(parts).arrays
        ages = int(np.count_nonzero(arrays["drawn"].sum(axis=0)))
        yield measure_draws(arrays, ages, situation.population).labelled(aspect=f"{deck} cards")


DECK_DRAWS = Estimand(
    name="deck_draws",
    unit="count",
    found=_draws_by_deck,
)


def halves_null(shards: Mapping[str, IntArray], population: str) -> Estimates | None:
    """Mean turns and margin of the first half of the shards less those of the second: 0.

    Args:
        shards: games, turns and margin, each (blocks, shards), in the order in which they were
            played.
        population: what a reader may call those who played.

    Returns:
        The differences; None with fewer than two shards, which have no halves.
    """
    count = shards["games"].shape[1]
    if count < 2:
        return None
    arrays = {
        name: np.stack(
            [half.sum(axis=1) for half in (array[:, : count // 2], array[:, count // 2 :])], axis=1
        )
        for name, array in shards.items()
    }
    names = ("turns", "margin")

    def statistic(of: BlockSums) -> FloatArray:
        means = np.stack([ratio(of[name], of["games"]) for name in names], axis=-1)
        return np.asarray(means[..., 0, :] - means[..., 1, :])

    sizes = np.asarray(arrays["games"].sum(axis=1))
    least = int(arrays["games"].sum(axis=0).min())
    return SHARD_HALVES.measure(statistic, arrays, population, names, sizes=sizes, events=least)


SHARD_HALVES = Estimand(
    name="shard_halves",
    unit="count",
)
