"""The results of a sweep: lazy tables over its finished shards, its cells and its provenance.

Only files that the manifest names are read, never what else may lie in the folder. An unfinished
sweep has results too; `Results.complete` tells.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import polars as pl

from ethnos_sim.experiments.manifest import ShardRecord, bytes_of, checked, read_manifest
from ethnos_sim.experiments.plan import Partition, Plan, missing_shards
from ethnos_sim.experiments.store import stored_plan
from ethnos_sim.experiments.tables import BRUNO_NAME
from ethnos_sim.simulator.errors import Failed, WrongInput, nearest

log = logging.getLogger("ethnos_sim")


@dataclass(frozen=True)
class Results:
    """The finished part of a sweep. Made by `open_results`."""

    folder: Path
    plan: Plan
    records: tuple[ShardRecord, ...]

    @cached_property
    def complete(self) -> bool:
        """Whether everything planned was played."""
        return not missing_shards(self.plan, [record.shard for record in self.records])

    @property
    def games_held(self) -> int:
        """How many games the tables have."""
        return sum(self.plan.games_of(record.shard) for record in self.records)

    @property
    def bytes_held(self) -> int:
        """The size of the tables' files, in bytes."""
        return bytes_of(self.records)

    @property
    def partitions(self) -> tuple[Partition, ...]:
        """The partitions with finished games, in order."""
        return tuple(sorted({record.shard.partition for record in self.records}))

    @cached_property
    def cells(self) -> pl.DataFrame:
        """A row a cell: what is the same for all its games.

        Columns: cell (u16), edition, mode, players (u8), rules (the rule set's name, empty where
        there is only one), clan_set (u16), clans (list of names), line_up (the strategies in order,
        joined by commas), rotations (u8), rules_id, population (that the line-up was drawn from, or
        empty), games (how many are finished, u64).
        """
        held: dict[Partition, int] = {}
        for record in self.records:
            partition = record.shard.partition
            held[partition] = held.get(partition, 0) + record.shard.rounds
        rules_id = {(rules.edition, rules.name): rules.rules_id for rules in self.plan.editions}
        rows = [
            (
                cell.number,
                cell.partition.edition,
                cell.partition.mode,
                cell.partition.players,
                cell.partition.rules,
                cell.clan_set,
                list(cell.clans),
                ",".join(cell.line_up),
                cell.rotations,
                rules_id[cell.partition.edition, cell.partition.rules],
                cell.population,
                held.get(cell.partition, 0) * cell.games_per_round,
            )
            for cell in self.plan.cells
        ]
        schema: dict[str, type[pl.DataType] | pl.DataType] = {
            "cell": pl.UInt16,
            "edition": pl.Enum(_in_order(cell.partition.edition for cell in self.plan.cells)),
            "mode": pl.Enum(_in_order(cell.partition.mode for cell in self.plan.cells)),
            "players": pl.UInt8,
            "rules": pl.Enum(_in_order(cell.partition.rules for cell in self.plan.cells)),
            "clan_set": pl.UInt16,
            "clans": pl.List(pl.String),
            "line_up": pl.String,
            "rotations": pl.UInt8,
            "rules_id": pl.String,
            "population": pl.String,
            "games": pl.UInt64,
        }
        return pl.DataFrame(rows, schema=schema, orient="row")

    @cached_property
    def entries(self) -> pl.DataFrame:
        """A row a line-up entry of a cell: cell (u16), entry (u8), strategy (its name).

        In solo cells Bruno is the second entry, with BRUNO_NAME for a strategy.
        """
        rows = [
            (cell.number, entry, strategy)
            for cell in self.plan.cells
            for entry, strategy in enumerate(
                (*cell.line_up, BRUNO_NAME) if cell.partition.solo else cell.line_up
            )
        ]
        schema: dict[str, type[pl.DataType] | pl.DataType] = {
            "cell": pl.UInt16,
            "entry": pl.UInt8,
            "strategy": pl.Enum(sorted({*self.plan.strategies, *(row[2] for row in rows)})),
        }
        return pl.DataFrame(rows, schema=schema, orient="row")

    def games(
        self,
        *,
        edition: str | None = None,
        players: int | None = None,
        mode: str | None = None,
        rules: str | None = None,
    ) -> pl.LazyFrame:
        """The games as a lazy frame, a row a game; of one edition, players, mode, rules if given.

        Raises:
            WrongInput: no finished game is of that kind.
            Failed: a file of a finished shard is missing.
        """
        return pl.concat(self._scans("games", edition, players, mode, rules))

    def seats(
        self,
        *,
        edition: str | None = None,
        players: int | None = None,
        mode: str | None = None,
        rules: str | None = None,
    ) -> pl.LazyFrame:
        """The seats as a lazy frame, a row a player in a game; of one kind of game if given.

        Over both editions there are `led_` columns for the clans of both; those of the other
        edition are null. So are the `columns_` of Bruno where nobody plays against him.

        Raises:
            WrongInput: no finished game is of that kind.
            Failed: a file of a finished shard is missing.
        """
        return pl.concat(self._scans("seats", edition, players, mode, rules), how="diagonal")

    def of(self, partition: Partition, table: str) -> pl.LazyFrame:
        """One partition's part of the table `games` or `seats`."""
        kind = partition.edition, partition.players, partition.mode, partition.rules
        return pl.concat(self._scans(table, *kind))

    def of_rules(self, name: str) -> Results:
        """The results of one rule set alone, as if its cells were the whole sweep.

        Cells keep their numbers.

        Raises:
            WrongInput: the sweep has no such rule set.
        """
        names = _in_order(rules.name for rules in self.plan.editions)
        if name not in names:
            raise WrongInput(f"the sweep has no rule set '{name}'{nearest(name, names)}")
        plan = replace(
            self.plan,
            editions=tuple(rules for rules in self.plan.editions if rules.name == name),
            cells=tuple(cell for cell in self.plan.cells if cell.partition.rules == name),
            rounds={part: n for part, n in self.plan.rounds.items() if part.rules == name},
        )
        own = tuple(record for record in self.records if record.shard.partition.rules == name)
        return replace(self, plan=plan, records=own)

    def with_cells(self, rows: pl.LazyFrame) -> pl.LazyFrame:
        """Rows of games or seats with what their cells are, and seats with their strategies.

        Adds the columns of `cells` except `games`, and `strategy` where there is an `entry`.
        """
        joined = rows.join(self.cells.lazy().drop("games"), on="cell", how="left")
        if "entry" in rows.collect_schema():
            joined = joined.join(self.entries.lazy(), on=["cell", "entry"], how="left")
        return joined

    def _scans(
        self,
        table: str,
        edition: str | None,
        players: int | None,
        mode: str | None,
        rules: str | None,
    ) -> list[pl.LazyFrame]:
        """A lazy frame over the files of each kind of table asked for."""
        chosen: dict[tuple[str, bool], list[Path]] = {}
        for record in sorted(self.records, key=lambda record: record.shard):
            partition = record.shard.partition
            if (
                edition in (None, partition.edition)
                and players in (None, partition.players)
                and mode in (None, partition.mode)
                and rules in (None, partition.rules)
            ):
                path = self.folder / record.files[table].path
                if not path.is_file():
                    again = f"ethnos-sim sweep --out {self.folder}"
                    raise Failed(f"'{path}' is missing; `{again}` plays it again")
                chosen.setdefault((partition.edition, partition.solo), []).append(path)
        if not chosen:
            asked = (
                edition and f"edition {edition}",
                players and f"{players} players",
                mode,
                rules,
            )
            kind = ", ".join(part for part in asked if part)
            raise WrongInput(
                f"the folder '{self.folder}' holds no finished game" + (f" of {kind}" * bool(kind))
            )
        return [
            pl.scan_parquet(paths, hive_partitioning=False, glob=False) for paths in chosen.values()
        ]


def open_results(folder: Path) -> Results:
    """The results in a sweep's folder, complete or not.

    Every file is held against its SHA-256. A shard that is not whole, or not this plan's, is left
    out and named in a warning; the folder stays as it is, and the sweep's next run sets it aside.

    Raises:
        WrongInput: the folder holds no sweep.
        Failed: its manifest cannot be read.
    """
    plan = plan_in(folder)
    manifest = read_manifest(folder, plan)
    left_out = list(manifest.foreign.values())
    whole = []
    for record, fault in checked(folder, plan, manifest.records):
        if fault is None:
            whole.append(record)
        else:
            left_out.append(fault)
    for fault in left_out:
        log.warning("%s; it is left out", fault)
    return Results(folder, plan, tuple(whole))


def sweeps_in(folder: Path) -> tuple[Path, ...]:
    """The folder itself, or the folders of sweeps right below it where it holds none itself.

    Raises:
        WrongInput: neither holds a sweep.
    """
    if stored_plan(folder) is not None:
        return (folder,)
    below = sorted(folder.iterdir()) if folder.is_dir() else []
    found = tuple(path for path in below if path.is_dir() and stored_plan(path) is not None)
    if not found:
        raise WrongInput(f"the folder '{folder}' holds no sweep")
    return found


def plan_in(folder: Path) -> Plan:
    """The plan of a sweep's folder; WrongInput where it holds none."""
    plan = stored_plan(folder)
    if plan is None:
        raise WrongInput(f"the folder '{folder}' holds no sweep")
    return plan


def _in_order(names: Iterable[str]) -> list[str]:
    """Names without repetition, in the order in which they first come."""
    return list(dict.fromkeys(names))
