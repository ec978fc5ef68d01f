"""Checking a sweep's folder: every file against the manifest, every row against the plan.

A changed file may not look damaged, so hashes are checked first. Then the rows must obey the rules:
the wins of a game add up to one, and the sources of prestige add up to the prestige.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from ethnos_sim.experiments.evidence.gathering import summed_by, sums_of_shard
from ethnos_sim.experiments.execution.playing import Tables
from ethnos_sim.experiments.plans.plan import Plan, Shard
from ethnos_sim.experiments.storage.lock import is_written
from ethnos_sim.experiments.storage.manifest import (
    TABLES,
    ShardRecord,
    read_manifest,
    read_table,
    whole,
)
from ethnos_sim.experiments.storage.repair import strangers
from ethnos_sim.experiments.storage.results import Results, plan_in
from ethnos_sim.experiments.storage.sums import has_sums, path_of_sums, read_sums
from ethnos_sim.experiments.storage.tables import (
    CELLS,
    ENTRIES,
    GAME_COLUMNS,
    GIVEN_UP,
    PRESTIGE_SOURCES,
    cell_table,
    empty,
    entry_table,
    seat_columns,
)
from ethnos_sim.simulator.game.records import GIVES_UP_BY_AGE, ORDINARY, SIXTIETHS
from ethnos_sim.simulator.utilities.errors import Failed
from ethnos_sim.simulator.utilities.reading import read_file


@dataclass(frozen=True, slots=True)
class Verified:
    """The results without the shards at fault, and a sentence for every fault."""

    results: Results
    faults: tuple[str, ...]


def verify(folder: Path) -> Verified:
    """Check every finished shard of a sweep's folder, and all other files among the tables.

    Raises:
        WrongInput: the folder holds no sweep.
        Failed: its manifest cannot be read.
    """
    plan = plan_in(folder)
    written = is_written(folder)
    manifest = read_manifest(folder, plan)
    faults = [*manifest.faults]
    tables = Tables(plan)
    sound = []
    for record, contents in whole(folder, manifest.records, faults):
        try:
            frames = {table: read_table(contents[table], record.path(table)) for table in TABLES}
            of_shard = _row_faults(plan, record, frames, tables)
            of_shard = of_shard or _sum_faults(folder, record, frames, plan)
        except Failed as fault:
            of_shard = [str(fault)]
        faults += of_shard
        if not of_shard:
            sound.append(record)
    # A running sweep writes a shard's tables before its line of the manifest.
    if not (written or is_written(folder)):
        faults += [
            f"'{path}' belongs to no finished shard (the same sweep, run again, sets it aside)"
            for path in strangers(folder, manifest.records)
        ]
    faults += _other_cells(folder, plan)
    return Verified(Results(folder, plan, tuple(sound)), tuple(faults))


def _other_cells(folder: Path, plan: Plan) -> list[str]:
    """Faults of the tables of cells: missing, or different from the plan."""
    faults = []
    for name, wanted in {CELLS: cell_table(plan), ENTRIES: entry_table(plan)}.items():
        try:
            if not read_table(read_file(folder / name), name).equals(wanted):
                faults.append(f"'{name}' differs from the plan")
        except (OSError, Failed):
            faults.append(f"'{name}' is missing or cannot be read")
    return faults


def _row_faults(
    plan: Plan,
    record: ShardRecord,
    frames: dict[str, pl.DataFrame],
    tables: Tables,
) -> list[str]:
    """Faults of the rows of a shard whose files match the manifest."""
    shard = record.shard
    part = shard.partition
    games = plan.games_of(shard)
    expected = {"games": games, "seats": games * part.sides}
    needed = {"games": GAME_COLUMNS, "seats": seat_columns(tables.rules[part], solo=part.solo)}
    faults = []
    for table, frame in frames.items():
        path = record.path(table)
        if frame.schema != empty(tables.columns[table]).schema:
            faults.append(f"'{path}' does not have the columns that this program writes")
        elif sum(frame.select(set(needed[table]) - set(GIVEN_UP)).null_count().row(0)):
            faults.append(f"'{path}' has empty cells")
        elif frame.height != expected[table]:
            faults.append(f"'{path}' has {frame.height:,} rows instead of {expected[table]:,}")
    return faults or [
        f"'{shard.path}': {fault}" for fault in _broken_promises(plan, shard, **frames)
    ]


def _sum_faults(
    folder: Path, record: ShardRecord, frames: dict[str, pl.DataFrame], plan: Plan
) -> list[str]:
    """Faults of a shard's stored sums; none where they are missing or from an older program.

    The next report computes damaged sums again.
    """
    path = path_of_sums(record)
    if not has_sums(folder, record, summed_by()):
        return []
    held = read_sums(folder, record, summed_by())
    if held is None:
        return [f"'{path}' is damaged (a report makes it again)"]
    again = sums_of_shard(plan, record.shard.partition, *(frames[table] for table in TABLES))
    same = again.keys() == held.keys() and all(
        np.array_equal(held[name], array) for name, array in again.items()
    )
    return [] if same else [f"'{path}' does not have the sums of the rows (remove it)"]


def _broken_promises(
    plan: Plan, shard: Shard, games: pl.DataFrame, seats: pl.DataFrame
) -> list[str]:
    """Faults of the rows of a shard that contradict the plan or the rules."""
    part = shard.partition
    planned = pl.concat(
        pl.select(cell=pl.lit(cell.number, pl.UInt32), game=pl.arange(first, end, dtype=pl.UInt32))
        for cell in plan.cells_of[part]
        for first, end in [
            (cell.games_per_round * at for at in (shard.first_round, shard.end_round))
        ]
    )
    sides = pl.DataFrame({"seat": range(part.sides)}, schema={"seat": pl.UInt8})
    won = seats["won"].to_numpy().reshape(-1, part.sides)
    sources = seats.select(pl.sum_horizontal(PRESTIGE_SOURCES)).to_series()
    last_age = f"prestige_{plan.rules_of(part).ages(part.players)}"
    told = [cell.number for cell in plan.cells_of[part] if cell.kind != ORDINARY]
    by_age = [cell.number for cell in plan.cells_of[part] if cell.kind == GIVES_UP_BY_AGE]
    checks = {
        "its games are not the planned ones": games.select(planned.columns).equals(planned),
        "its seats belong to other games": seats.select("cell", "game", "seat").equals(
            planned.join(sides, how="cross")
        ),
        "the wins of a game do not add up to one": (won.sum(axis=1) == SIXTIETHS).all(),
        "a game's winners differ from its seats": np.array_equal(
            games["winners"], (won > 0).sum(axis=1)
        ),
        "prestige is not the sum of its sources": (seats["prestige"] == sources).all(),
        "prestige differs from the prestige after the last age": (
            seats["prestige"] == seats[last_age]
        ).all(),
        "its seats do not give up the clans that the plan asks for": seats.select(
            (pl.col("cell").is_in(told) == pl.col("gave_up").is_not_null()).all()
            & (pl.col("cell").is_in(by_age) == pl.col("gave_up_age").is_not_null()).all()
        ).item(),
    }
    return [fault for fault, holds in checks.items() if not holds]
