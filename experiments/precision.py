"""How precise the estimates of a sweep are that aims for a precision, from its finished shards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from ethnos_sim.experiments.cells import Partition
from ethnos_sim.experiments.estimates import ESTIMATES, Estimate, groups_of
from ethnos_sim.experiments.results import Results
from ethnos_sim.experiments.schedule import BLOCKS, LEAST_EVENTS, Schedule


@dataclass(frozen=True, slots=True)
class Precision:
    """The least precise group of a partition at a look.

    `half_width` is that of its 95 % interval, infinite where wins or losses are too few to tell.
    """

    group: str
    half_width: float


def measure(results: Results, schedule: Schedule, partition: Partition, rounds: int) -> Precision:
    """The precision of a partition's first `rounds` rounds, all of which are finished.

    The interval is the delete-one-block jackknife's with Student's t and BLOCKS - 1 degrees of
    freedom, where a block is every deal with the same number modulo BLOCKS (Efron and Stein 1981).
    """
    estimate = ESTIMATES[schedule.estimate]
    cells = results.plan.cells_of[partition]
    groups = groups_of(estimate, schedule.scope, partition, cells)
    if not groups:
        return Precision("nothing", 0.0)
    sums, counts = _blocks(results, estimate, partition, rounds, list(groups.values()))
    widths = half_widths(sums / estimate.unit, counts)
    if estimate.is_share:
        wins = sums.sum(axis=1) / estimate.unit
        few = np.minimum(wins, counts.sum(axis=1) - wins) < LEAST_EVENTS
        widths = np.where(few, np.inf, widths)
    worst = int(widths.argmax())
    return Precision(list(groups)[worst], float(widths[worst]))


def half_widths(sums: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Half-widths of 95 % intervals of means, by the delete-one-block jackknife.

    Args:
        sums: of what is averaged, by group and block (shape (groups, blocks)).
        counts: how many rows each sum has.
    """
    from scipy.special import stdtrit

    blocks = sums.shape[1]
    total, rows = sums.sum(axis=1, keepdims=True), counts.sum(axis=1, keepdims=True)
    without = (total - sums) / (rows - counts)
    spread = ((without - without.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    return np.asarray(stdtrit(blocks - 1, 0.975) * np.sqrt(spread * (blocks - 1) / blocks))


def _blocks(
    results: Results,
    estimate: Estimate,
    partition: Partition,
    rounds: int,
    groups: list[list[tuple[int, int]]],
) -> tuple[np.ndarray, np.ndarray]:
    """Sums of the estimate's column and numbers of rows (each of shape (groups, BLOCKS), int64)."""
    members = pl.DataFrame(
        [(cell, place, number) for number, rows in enumerate(groups) for cell, place in rows],
        schema={"cell": pl.UInt16, estimate.key: pl.UInt8, "group": pl.Int64},
        orient="row",
    )
    ends = {c.number: rounds * c.games_per_round for c in results.plan.cells_of[partition]}
    found = (
        results.of(partition, "seats")
        .filter(pl.col("game") < pl.col("cell").replace_strict(ends, return_dtype=pl.UInt64))
        .group_by("cell", estimate.key, (pl.col("deal") % BLOCKS).alias("block"))
        .agg(pl.col(estimate.column).cast(pl.Int64).sum().alias("sum"), pl.len().alias("rows"))
        .join(members.lazy(), on=["cell", estimate.key])
        .group_by("group", "block")
        .agg(pl.col("sum").sum(), pl.col("rows").cast(pl.Int64).sum())
        .collect(engine="streaming")
    )
    sums = np.zeros((len(groups), BLOCKS), np.int64)
    counts = np.zeros_like(sums)
    place = found["group"].to_numpy(), found["block"].to_numpy()
    sums[place] = found["sum"].to_numpy()
    counts[place] = found["rows"].to_numpy()
    return sums, counts
