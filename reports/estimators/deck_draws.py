"""Ally cards that leave the deck in an age, against a mean that holds for every strategy.

The age ends with the dragon that the rules name, the dragons lie anywhere in the bottom half, and
everything above that one has been drawn, whoever drew it and whatever for (docs/rules.md, "A check
that holds for every strategy").
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, ratio
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.reports.evidence.evidence import Evidence, Situation
from ethnos_sim.reports.evidence.sums import Sums, merged


def _found(evidence: Evidence, situation: Situation) -> Iterator[Estimates]:
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
    title="Check: cards drawn in an age",
    meaning=(
        "Ally cards that leave the deck in an age; their mean follows from the deck alone, "
        "whatever the strategies do."
    ),
    formula=(
        "expected where the k-th of d dragons ends the age: top half + k (N + 1) / (d + 1) − k, "
        "N = bottom half + d"
    ),
    unit="count",
    found=_found,
)


def measure_draws(arrays: BlockSums, ages: int, population: str) -> Estimates:
    """Mean ally cards drawn in each of the first `ages` ages; `arrays` hold `drawn` and `games`."""

    def statistic(blocks: BlockSums) -> FloatArray:
        return ratio(blocks["drawn"][..., :ages], blocks["games"][..., None])

    return DECK_DRAWS.measure(
        statistic,
        {name: arrays[name] for name in ("drawn", "games")},
        arrays["games"],
        names=tuple(f"age {age + 1}" for age in range(ages)),
        population=population,
        games=int(arrays["games"].sum()),
    )
