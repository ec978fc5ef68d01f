"""Checking a sweep's folder: every file against the manifest, every row against the plan.

A file can be changed without looking damaged, so hashes come first; then what the rows say must
conserve what the rules conserve: each game's wins add up to one, each prestige to its sources.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from ethnos_sim.experiments.manifest import TABLES, ShardRecord, checked, read_manifest
from ethnos_sim.experiments.plan import Plan
from ethnos_sim.experiments.results import Results, plan_in
from ethnos_sim.experiments.tables import COUNTED, GAME_COLUMNS, PRESTIGE_SOURCES, seat_columns
from ethnos_sim.simulator.records import SIXTIETHS


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found: the results without the shards at fault, and a sentence for every fault."""

    results: Results
    faults: tuple[str, ...]


def verify(folder: Path) -> Verdict:
    """Check every finished shard of a sweep's folder.

    Raises:
        WrongInput: the folder holds no sweep.
        Failed: its manifest cannot be read.
    """
    plan = plan_in(folder)
    manifest = read_manifest(folder, plan)
    faults = list(manifest.foreign.values())
    if manifest.torn:
        faults.append(f"the last line of '{folder / 'manifest.jsonl'}' was written in part")
    whole = []
    for record, fault in checked(folder, plan, manifest.records):
        found = [fault] if fault is not None else _row_faults(folder, plan, record)
        faults += found
        if not found:
            whole.append(record)
    return Verdict(Results(folder, plan, tuple(whole)), tuple(faults))


def _row_faults(folder: Path, plan: Plan, record: ShardRecord) -> list[str]:
    """What is wrong with the rows of a shard whose files are as the manifest says."""
    shard = record.shard
    sides = shard.partition.sides
    frames = {table: pl.read_parquet(folder / record.files[table].path) for table in TABLES}
    expected = {"games": plan.games_of(shard), "seats": plan.games_of(shard) * sides}
    columns = {
        "games": list(GAME_COLUMNS),
        "seats": list(seat_columns(plan.rules_of(shard.partition), solo=shard.partition.solo)),
    }
    faults = []
    for table, frame in frames.items():
        path = record.files[table].path
        if frame.columns != columns[table]:
            faults.append(f"'{path}' has other columns than this program writes")
        elif not frame.height == record.files[table].rows == expected[table]:
            faults.append(f"'{path}' has {frame.height:,} rows instead of {expected[table]:,}")
        else:
            sums = frame.select(pl.col(COUNTED[table]).cast(pl.Int64).sum()).row(0, named=True)
            faults += [
                f"'{path}': {column} adds up to {total:,}, the manifest says "
                f"{record.counts[table].get(column, 0):,}"
                for column, total in sums.items()
                if total != record.counts[table].get(column)
            ]
    return faults or [
        f"'{shard.path}': {fault}" for fault in _broken_promises(plan, record, frames)
    ]


def _broken_promises(plan: Plan, record: ShardRecord, frames: dict[str, pl.DataFrame]) -> list[str]:
    """What the rows of a shard promise and do not hold."""
    shard = record.shard
    players, sides = shard.partition.players, shard.partition.sides
    games, seats = frames["games"], frames["seats"]
    cells = plan.cells_of[shard.partition]
    cell_of_game = np.repeat(
        [cell.number for cell in cells], [shard.rounds * cell.games_per_round for cell in cells]
    )
    game = np.concatenate(
        [
            cell.games_per_round * shard.first_round
            + np.arange(cell.games_per_round * shard.rounds)
            for cell in cells
        ]
    )
    by_game = {name: seats[name].to_numpy().reshape(-1, sides) for name in ("seat", "won")}
    winners = (by_game["won"] > 0).sum(axis=1)
    last_age = "prestige_2" if players <= 3 else "prestige_3"
    checks = {
        "its games are not the planned ones": (
            np.array_equal(games["cell"], cell_of_game) and np.array_equal(games["game"], game)
        ),
        "its seats are not those of its games": (
            np.array_equal(seats["cell"], np.repeat(cell_of_game, sides))
            and np.array_equal(seats["game"], np.repeat(game, sides))
            and bool((by_game["seat"] == np.arange(sides)).all())
        ),
        "the wins of a game do not add up to one": bool(
            (by_game["won"].sum(axis=1) == SIXTIETHS).all()
        ),
        "a game has other winners than its seats": np.array_equal(games["winners"], winners),
        "prestige is not the sum of its sources": bool(
            (
                seats["prestige"] == seats.select(pl.sum_horizontal(PRESTIGE_SOURCES)).to_series()
            ).all()
        ),
        "prestige is not that after the last age": bool(
            (seats["prestige"] == seats[last_age]).all()
        ),
    }
    return [fault for fault, holds in checks.items() if not holds]
