"""The results of a sweep: lazy tables over its finished shards, its cells and its provenance.

Only files that the manifest names are read, never others in the folder. An unfinished sweep has
results too; `Results.complete` says whether it is finished.
"""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from html import escape
from operator import attrgetter
from os import PathLike
from pathlib import Path

import polars as pl

from ethnos_sim.experiments.plans.plan import Cell, Partition, Plan, missing_shards
from ethnos_sim.experiments.storage.manifest import ShardRecord, whole_shards
from ethnos_sim.experiments.storage.store import Store, find_plan
from ethnos_sim.experiments.storage.tables import (
    GAME_COLUMNS,
    all_seat_columns,
    cell_table,
    entry_table,
)
from ethnos_sim.simulator.game.records import ORDINARY
from ethnos_sim.simulator.utilities.errors import Failed, WrongInput

log = logging.getLogger("ethnos_sim")


@dataclass(frozen=True, eq=False, repr=False)
class Results:
    """The finished part of a sweep. Made by `open_results`.

    Attributes:
        folder: the sweep's folder.
        plan: the sweep's plan.
        records: the finished shards.
        has_other_cells: whether the shards also have rows of cells that the plan lacks.
    """

    folder: Path
    plan: Plan
    records: tuple[ShardRecord, ...]
    has_other_cells: bool = field(default=False, kw_only=True)

    def __repr__(self) -> str:
        held = f"{self.games_held:,} of {self.plan.games:,} games"
        return f"{type(self).__name__} of '{self.plan.name}' in '{self.folder}': {held}"

    def _repr_html_(self) -> str:
        by = ("edition", "rules", "players", "mode")
        counted = self.cells.group_by(by, maintain_order=True).agg(
            cells=pl.len(), games=pl.col("games").sum()
        )
        return f"<p>{escape(repr(self))}</p>{counted._repr_html_()}"

    @cached_property
    def complete(self) -> bool:
        """Whether all planned games were played."""
        return not missing_shards(self.plan, [record.shard for record in self.records])

    @property
    def games_held(self) -> int:
        """The number of games in the tables."""
        return sum(self.plan.games_of(record.shard) for record in self.records)

    @property
    def bytes_held(self) -> int:
        """The size of the tables' files, in bytes."""
        return sum(file.bytes for record in self.records for file in record.files.values())

    @property
    def partitions(self) -> tuple[Partition, ...]:
        """The partitions with finished games, in order."""
        return tuple(sorted({record.shard.partition for record in self.records}))

    @cached_property
    def cells(self) -> pl.DataFrame:
        """The table of `cells.parquet` (see `cell_table`), with the number of finished games."""
        held = Counter[Partition]()
        for record in self.records:
            held[record.shard.partition] += record.shard.rounds
        games = [held[cell.partition] * cell.games_per_round for cell in self.plan.cells]
        return cell_table(self.plan).with_columns(games=pl.Series(games, dtype=pl.UInt64))

    @cached_property
    def entries(self) -> pl.DataFrame:
        """The table of `entries.parquet` (see `entry_table`)."""
        return entry_table(self.plan)

    def games(
        self,
        *,
        edition: str | None = None,
        players: int | None = None,
        mode: str | None = None,
        rules: str | None = None,
        kind: str | None = ORDINARY,
    ) -> pl.LazyFrame:
        """The games as a lazy frame, one row for each game.

        Args:
            edition: the edition; None for any edition, as for `players`, `mode` and `rules`.
            players: the number of players.
            mode: the mode.
            rules: the rule set's name.
            kind: "ordinary", "gives_up" (every seat gives up a clan), "gives_up_by_age" (in one age
                only), or None for all kinds. Means over all kinds say little.

        Raises:
            WrongInput: no finished game is of this kind.
            Failed: a file of a finished shard is missing.
        """
        return self._select("games", kind, edition=edition, players=players, mode=mode, rules=rules)

    def seats(
        self,
        *,
        edition: str | None = None,
        players: int | None = None,
        mode: str | None = None,
        rules: str | None = None,
        kind: str | None = ORDINARY,
    ) -> pl.LazyFrame:
        """The seats as a lazy frame, a row for each player of a game; arguments are as in `games`.

        Over both editions there are `led_` columns for the clans of both; a row has null for clans
        of the other edition. Bruno's columns `columns_...` are null where nobody plays against him.
        """
        return self._select("seats", kind, edition=edition, players=players, mode=mode, rules=rules)

    def partition_rows(self, partition: Partition, table: str) -> pl.LazyFrame:
        """The rows of one partition in the table `games` or `seats`, with games of every kind."""
        return self._scan_partitions(table, asdict(partition))

    def only_cells(self, cells: Sequence[Cell]) -> Results:
        """The results of some cells, as if the sweep had only these; cells keep their numbers.

        Raises:
            WrongInput: there are no cells, or none of their games is finished.
        """
        parts = {cell.partition for cell in cells}
        played = {(part.edition, part.rules) for part in parts}
        records = tuple(record for record in self.records if record.shard.partition in parts)
        if not records:
            raise WrongInput(f"the folder '{self.folder}' holds none of the games asked for")
        left_out = len(cells) < sum(cell.partition in parts for cell in self.plan.cells)
        plan = replace(
            self.plan,
            editions=tuple(e for e in self.plan.editions if (e.edition, e.name) in played),
            cells=tuple(cells),
            rounds={part: n for part, n in self.plan.rounds.items() if part in parts},
        )
        return Results(self.folder, plan, records, has_other_cells=self.has_other_cells or left_out)

    def with_cells(self, rows: pl.LazyFrame) -> pl.LazyFrame:
        """Rows of `games` or `seats`, joined with their cells and line-up entries.

        Adds the columns of `cells` except `games`. Rows with an `entry` also get its `strategy`.
        """
        joined = rows.join(self.cells.lazy().drop("games"), on="cell", how="left")
        if "entry" in rows.collect_schema():
            joined = joined.join(self.entries.lazy(), on=["cell", "entry"], how="left")
        return joined

    def _select(self, table: str, kind: str | None, **selection: object) -> pl.LazyFrame:
        """The rows of the selected partitions in games of a kind; None selects any."""
        rows = self._scan_partitions(table, selection)
        if kind is None:
            return rows
        kinds = self.cells.filter(pl.col("games") > 0).select("cell", "kind")
        kinds_played = kinds["kind"].unique().to_list()
        if kind not in kinds_played:
            listed = ", ".join(sorted(kinds_played))
            raise WrongInput(
                f"the folder '{self.folder}' holds no finished game of the kind {kind}, only "
                f"{listed}; ask for kind={kinds_played[0]!r}"
            )
        if len(kinds_played) == 1:
            return rows
        return rows.join(kinds.filter(kind=kind).lazy(), on="cell", how="semi")

    def _scan_partitions(self, table: str, selection: Mapping[str, object]) -> pl.LazyFrame:
        """A lazy frame over the files of the selected partitions; None selects any."""
        chosen = [
            record
            for record in sorted(self.records, key=attrgetter("shard"))
            if all(
                v in (None, getattr(record.shard.partition, name)) for name, v in selection.items()
            )
        ]
        if not chosen:
            words = {"edition": "edition {}", "players": "{} players"}
            described = [
                words.get(name, "{}").format(value) for name, value in selection.items() if value
            ]
            kind = f" of {', '.join(described)}" if described else ""
            raise WrongInput(f"the folder '{self.folder}' holds no finished game{kind}")
        return self.shard_rows(chosen, table)

    def shard_rows(self, records: Sequence[ShardRecord], table: str) -> pl.LazyFrame:
        """The rows of some shards in a table; Failed where a file is missing."""
        paths = [self.folder / record.path(table) for record in records]
        for path in paths:
            if not path.is_file():
                again = f"ethnos-sim sweep --out {self.folder}"
                raise Failed(f"'{path}' is missing; `{again}` plays it again")
        parts = dict.fromkeys(record.shard.partition for record in records)
        seat_columns = all_seat_columns((self.plan.rules_of(part), part.solo) for part in parts)
        columns = GAME_COLUMNS if table == "games" else seat_columns
        named = [self._utf8_folder / record.path(table) for record in records]
        rows = pl.scan_parquet(named, hive_partitioning=False, glob=False).select(list(columns))
        if not self.has_other_cells:
            return rows
        return rows.filter(pl.col("cell").is_in([cell.number for cell in self.plan.cells]))

    @cached_property
    def _utf8_folder(self) -> Path:
        """A path of the folder that is UTF-8, as polars needs it; Linux also allows other names."""
        try:
            os.fsencode(self.folder).decode()
        except UnicodeDecodeError:
            return Path(f"/proc/self/fd/{os.open(self.folder, os.O_RDONLY)}")
        return self.folder


def open_results(folder: str | PathLike[str]) -> Results:
    """The results in a sweep's folder, complete or not.

    Every file is checked against its SHA-256. A shard that is damaged, or belongs to another plan,
    is left out and named in a warning. The folder does not change; the sweep's next run sets the
    shard aside.

    Raises:
        WrongInput: the folder holds no sweep.
        Failed: its manifest cannot be read.

    Example:
        >>> from ethnos_sim import open_results, sweep
        >>> _ = sweep("seats", "seats-results", games=2000, quiet=True)
        >>> results = open_results("seats-results")
        >>> results.seats(edition="second").select("prestige").collect().width
        1
    """
    folder = Path(folder)
    plan = load_plan(folder)
    held = whole_shards(folder, plan)
    for fault in held.faults:
        log.warning("%s; it is left out", fault)
    return Results(folder, plan, held.records)


def results_so_far(store: Store) -> Results:
    """The results so far of a folder that is being written."""
    return Results(store.folder, store.plan, tuple(store.records))


def sweep_folders(folder: Path) -> tuple[Path, ...]:
    """The folder itself if it holds a sweep, else the folders of sweeps right below it.

    Raises:
        WrongInput: neither the folder nor any folder right below it holds a sweep.
    """
    if find_plan(folder) is not None:
        return (folder,)
    below = sorted(folder.iterdir()) if folder.is_dir() else []
    sweeps = tuple(path for path in below if path.is_dir() and find_plan(path) is not None)
    if not sweeps:
        raise WrongInput(f"the folder '{folder}' holds no sweep")
    return sweeps


def load_plan(folder: Path) -> Plan:
    """The plan of a sweep's folder; WrongInput where it holds none."""
    plan = find_plan(folder)
    if plan is None:
        raise WrongInput(f"the folder '{folder}' holds no sweep")
    return plan
