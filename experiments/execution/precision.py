"""The precision of a sweep's estimates at its looks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isinf

import numpy as np
import polars as pl

from ethnos_sim.experiments.designs.row_means import ROW_MEANS, RowMean
from ethnos_sim.experiments.plans.cells import Partition
from ethnos_sim.experiments.plans.plan import Plan
from ethnos_sim.experiments.plans.schedule import Schedule, groups_of
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.estimates import Estimates, IntArray
from ethnos_sim.experiments.statistics.jackknife import jackknife, ratio
from ethnos_sim.experiments.storage.results import Results
from ethnos_sim.experiments.storage.tables import block_of_deal


@dataclass(frozen=True, slots=True)
class Precision:
    """The least precise group of a partition at a look.

    `half_width` is half the width of its 95 % interval, infinite with too few wins or losses.
    """

    group: str
    half_width: float


def precision_reached(
    results: Results, schedule: Schedule, partition: Partition, rounds: int
) -> Precision:
    """The precision of a partition's first `rounds` rounds, all of which are finished.

    Intervals are computed as in a report, with the same least number of events.
    """
    mean = ROW_MEANS[schedule.estimate]
    cells = results.plan.cells_of[partition]
    groups = groups_of(mean, schedule.scope, partition, cells)
    if not groups:
        return Precision("nothing", 0.0)
    measured = group_means(
        *_blocks(results, mean, partition, rounds, list(groups.values())), mean, groups
    )
    low, high = measured.interval()
    widths = np.nan_to_num((high - low) / 2, nan=np.inf)
    worst = int(widths.argmax())
    return Precision(measured.names[worst], float(widths[worst]))


def in_words(plan: Plan, precision: Mapping[Partition, Precision]) -> str:
    """The precision of the least precise partition at the last look, in words for users."""
    assert plan.schedule is not None, "only a sweep with a target has looks"
    worst = max(of_partition.half_width for of_partition in precision.values())
    reached = "too few wins or losses" if isinf(worst) else f"±{worst:.3g}"
    return f"{plan.schedule.estimate} {reached} of ±{plan.schedule.half_width:g}"


def group_means(sums: IntArray, counts: IntArray, mean: RowMean, names: Iterable[str]) -> Estimates:
    """The mean of a column in groups of rows, jackknifed over blocks of deals.

    Args:
        sums: sums of the averaged column, by block and group (shape (BLOCKS, groups)).
        counts: the number of rows of each sum.
        mean: the mean; a share of wins counts the rarer of wins and losses as events.
        names: the names of the groups.
    """
    rows = counts.sum(axis=0)
    wins = sums.sum(axis=0) // mean.unit
    return jackknife(
        lambda blocks: ratio(blocks["sums"], mean.unit * blocks["counts"]),
        {"sums": sums, "counts": counts},
        counts.sum(axis=1),
        unit="share" if mean.is_share else "prestige",
        games=rows,
        events=np.minimum(wins, rows - wins) if mean.is_share else None,
        estimand=mean.name,
        name=list(names),
    )


def _blocks(
    results: Results,
    mean: RowMean,
    partition: Partition,
    rounds: int,
    groups: list[list[tuple[int, int]]],
) -> tuple[IntArray, IntArray]:
    """Sums of the mean's column and numbers of rows (each of shape (BLOCKS, groups), int64)."""
    members = pl.DataFrame(
        [(cell, place, number) for number, rows in enumerate(groups) for cell, place in rows],
        schema={"cell": pl.UInt32, mean.key: pl.UInt8, "group": pl.Int64},
        orient="row",
    )
    ends = {c.number: rounds * c.games_per_round for c in results.plan.cells_of[partition]}
    frame = (
        results.of(partition, "seats")
        .filter(pl.col("game") < pl.col("cell").replace_strict(ends, return_dtype=pl.UInt64))
        .group_by("cell", mean.key, block_of_deal())
        .agg(pl.col(mean.column).cast(pl.Int64).sum().alias("sum"), pl.len().alias("rows"))
        .join(members.lazy(), on=["cell", mean.key])
        .group_by("group", "block")
        .agg(pl.col("sum").sum(), pl.col("rows").cast(pl.Int64).sum())
        .collect(engine="streaming")
    )
    sums = np.zeros((BLOCKS, len(groups)), np.int64)
    counts = np.zeros_like(sums)
    place = frame["block"].to_numpy(), frame["group"].to_numpy()
    sums[place] = frame["sum"].to_numpy()
    counts[place] = frame["rows"].to_numpy()
    return sums, counts
