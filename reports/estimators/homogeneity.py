"""Whether all parts of a sweep drew from the same games: its first shards against its last.

Shards are rounds of the same cells, so whatever the game is, turns and margins of the first half of
them must agree with the second half. A sweep whose engine, machine or files changed on the way does
not.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray, IntArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, ratio
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.reports.estimators.nulls import Null

SHARD_HALVES = Estimand(
    name="shard_halves",
    title="Check: first shards against last",
    meaning=(
        "Every shard holds equal shares of all cells, so mean turns and margins of the first half "
        "of a sweep's shards must agree with the second half."
    ),
    formula="mean of the first half − mean of the second; expected 0",
    unit="count",
)

OF_HALVES = ("turns", "margin")
"""What is compared, a mean a game each."""


def halves_null(shards: Mapping[str, IntArray], population: str) -> Null | None:
    """Mean turns and margin of the first half of the shards less those of the second: 0.

    Args:
        shards: games, turns and margin, each (blocks, shards), in the order in which they were
            played.
        population: what a reader may call those who played.

    Returns:
        The null; None with fewer than two shards, which have no halves.
    """
    count = shards["games"].shape[1]
    if count < 2:
        return None
    arrays = {
        name: np.stack(
            [part.sum(axis=1) for part in (array[:, : count // 2], array[:, count // 2 :])], axis=1
        )
        for name, array in shards.items()
    }
    return Null(_measured(arrays, population), np.zeros(len(OF_HALVES)))


def _measured(arrays: Mapping[str, IntArray], population: str) -> Estimates:
    """The differences between the halves; each array is (blocks, 2)."""

    def statistic(blocks: BlockSums) -> FloatArray:
        means = [ratio(blocks[name], blocks["games"]) for name in OF_HALVES]
        return np.stack([mean[..., 0] - mean[..., 1] for mean in means], axis=-1)

    return SHARD_HALVES.measure(
        statistic,
        arrays,
        np.asarray(arrays["games"].sum(axis=1)),
        names=OF_HALVES,
        population=population,
        games=int(arrays["games"].sum()),
        events=int(arrays["games"].sum(axis=0).min()),
    )
