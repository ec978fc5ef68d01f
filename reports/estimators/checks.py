"""Checks whose true answer is known: a report whose games fail one cannot be trusted.

Equal places win equally often. The mean number of cards that leave a deck does not depend on the
strategies (docs/rules.md, "A check that holds for every strategy"). The first half of the shards
agrees with the second, unless the engine, the machine or the files changed on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from ethnos_sim.experiments.evidence.evidence import (
    Evidence,
    Setting,
    Situation,
    is_one_strategy,
)
from ethnos_sim.experiments.evidence.game_numbers import age_draws, deck_of
from ethnos_sim.experiments.evidence.sums import Sums
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray, IntArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, ratio, together
from ethnos_sim.experiments.statistics.significance import holm
from ethnos_sim.reports.estimators.estimand import Estimand, games_of
from ethnos_sim.reports.estimators.win_shares import shares_of_wins

LEAST_BLOCKS = 24
"""Effective number of blocks that each half of a sweep needs for a comparison."""

FALSE_ALARMS = 0.001
"""The probability that a sound report fails any of its checks (Holm over all checks)."""

EVERYBODY = "all strategies"


def adjusted_p(nulls: Sequence[Estimates]) -> FloatArray:
    """Two-sided p-values of numbers that ought to be 0, adjusted by Holm over all of them.

    NaN where too few games were played.
    """
    adjusted = holm(np.concatenate([null.p_values() for null in nulls]))
    return np.where(np.concatenate([null.trusted for null in nulls]), adjusted, np.nan)


def nulls_of(evidence: Evidence) -> Iterator[Estimates]:
    """The numbers that ought to be 0 if the games are sound.

    They are the edges of equal places, the cards drawn from a deck less their expected number, and
    the first half of the games less the second.
    """
    alike: dict[tuple[Setting, int], list[Situation]] = {}
    for situation, sums in evidence.sums.items():
        null = SAME_STRATEGY_NULL if is_one_strategy(situation.population) else CHAIR_NULL
        yield null.of(sums, situation.population)
        alike.setdefault((situation.setting, situation.players), []).append(situation)
    for (setting, players), situations in alike.items():
        rules = evidence.rules(setting)
        for deck, arrays in _by_deck(evidence, situations).items():
            if (draws := age_draws(deck, rules)) is not None:
                draws_measured = measure_draws(arrays, rules.ages(players), EVERYBODY)
                yield draws_measured.minus(float(draws))
        for shards in evidence.shards.get((setting, players), ()):
            if (halves := halves_null(shards, EVERYBODY)) is not None:
                yield halves


def _numbered(place: str) -> Callable[[int], list[str]]:
    """Name the places at a table by number: "chair 1", "chair 2", ..."""
    return lambda players: [f"{place} {number + 1}" for number in range(players)]


SAME_STRATEGY_NULL = Estimand(
    name="same_strategy_null",
    unit="share_difference",
    measured=shares_of_wins("entry_won", _numbered("place")),
    source=games_of(is_one_strategy),
)
"""Share of wins by place in a line-up of one strategy, less 1 / players; it should be 0."""

CHAIR_NULL = Estimand(
    name="chair_null",
    unit="share_difference",
    measured=shares_of_wins("chair_won", _numbered("chair")),
)
"""Share of wins by place at the table, less 1 / players; it should be 0."""


def measure_draws(arrays: BlockSums, ages: int, population: str) -> Estimates:
    """Mean ally cards drawn in each of the first `ages` ages; `arrays` hold `drawn` and `games`."""
    return DECK_DRAWS.measure(
        lambda blocks: ratio(blocks["drawn"][..., :ages], blocks["games"][..., None]),
        arrays,
        population,
        [f"age {age + 1}" for age in range(ages)],
    )


def _by_deck(evidence: Evidence, situations: Iterable[Situation]) -> dict[int, BlockSums]:
    """The sums of games by deck size, over situations of one setting and player count."""
    by_deck: dict[int, Sums] = {}
    for situation in situations:
        sums, rules = evidence.sets[situation], evidence.rules(situation.setting)
        decks = np.asarray([deck_of(clans, rules, situation.players) for clans in sums.tables])
        for deck in np.unique(decks).tolist():
            deck_sums = sums.at(np.flatnonzero(decks == deck)).over_sets
            by_deck[deck] = by_deck[deck] + deck_sums if deck in by_deck else deck_sums
    return {deck: by_deck[deck].arrays for deck in sorted(by_deck)}


def _draws(estimand: Estimand, by_deck: Mapping[int, BlockSums], population: str) -> Estimates:
    """The cards drawn, by deck size."""
    return together(
        measure_draws(
            arrays, int(np.count_nonzero(arrays["drawn"].sum(axis=0))), population
        ).labelled(aspect=f"{deck} cards")
        for deck, arrays in by_deck.items()
    )


DECK_DRAWS = Estimand(
    name="deck_draws",
    unit="count",
    measured=_draws,
    source=lambda evidence, situation: (
        _by_deck(evidence, [situation]) if situation in evidence.sets else None
    ),
)


def halves_null(shards: Mapping[str, IntArray], population: str) -> Estimates | None:
    """Mean turns and margin of the first half of the games less the second half's; 0 is expected.

    Cells share their deals, so the first rounds of a sweep rest on few deals, however many games
    they have. Student's t with the number of blocks would then give wrong p-values.

    Args:
        shards: games, turns and margin, each (blocks, shards), in the order in which they were
            played; the cut between two shards makes the halves as equal as possible.
        population: the name of the strategies for readers.

    Returns:
        The differences; None if there are fewer than two shards, or if Kish's effective number of
        blocks is below LEAST_BLOCKS in either half.
    """
    so_far = np.cumsum(shards["games"].sum(axis=0))
    if so_far.size < 2:
        return None
    cut = 1 + int(np.argmin(np.abs(so_far[:-1] - so_far[-1] / 2)))
    arrays = {
        name: np.stack([array[:, :cut].sum(axis=1), array[:, cut:].sum(axis=1)], axis=1)
        for name, array in shards.items()
    }
    games = arrays["games"]
    shares = games / games.sum(axis=0)
    if (LEAST_BLOCKS * (shares**2).sum(axis=0) > 1).any():
        return None
    names = ("turns", "margin")

    def statistic(blocks: BlockSums) -> FloatArray:
        means = np.stack([ratio(blocks[name], blocks["games"]) for name in names], axis=-1)
        return np.asarray(means[..., 0, :] - means[..., 1, :])

    sizes, least = games.sum(axis=1), int(games.sum(axis=0).min())
    return SHARD_HALVES.measure(statistic, arrays, population, names, sizes=sizes, events=least)


SHARD_HALVES = Estimand(name="shard_halves", unit="count")
