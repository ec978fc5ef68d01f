"""What the rows of a sweep are about, as two tables that lie beside them.

`cells.parquet` has a row a cell, `entries.parquet` a row a line-up entry of a cell; rows of `games`
join the first by `cell`, rows of `seats` the second by `cell` and `entry`. Both follow from the
plan alone, and the next run of a sweep writes them again where they are gone or changed.
"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from ethnos_sim.experiments.designs.interventions import intervention_of, kind_of
from ethnos_sim.experiments.plans.plan import Plan
from ethnos_sim.experiments.storage.tables import BRUNO_NAME, parquet_of
from ethnos_sim.simulator.modes import SOLO

CELLS, ENTRIES = CELL_FILES = ("cells.parquet", "entries.parquet")

Schema = dict[str, type[pl.DataType] | pl.DataType]

_PARTITION: Schema = {
    "edition": pl.String,
    "mode": pl.String,
    "players": pl.UInt8,
    "rules": pl.String,
    "rules_id": pl.String,
    "solo": pl.Boolean,
}
_CLAN_SET: Schema = {"clan_set": pl.UInt32, "clans": pl.List(pl.String)}
_LINE_UP: Schema = {
    "line_up": pl.String,
    "rotations": pl.UInt8,
    "population": pl.String,
    "kind": pl.String,
}
_ENTRY: Schema = {
    "of": pl.UInt32,
    "entry": pl.UInt8,
    "strategy": pl.String,
    "clan": pl.String,
}


def cell_table(plan: Plan) -> pl.DataFrame:
    """A row a cell: what is the same for all its games.

    Columns: cell (u32), edition, mode, players (u8), rules (the rule set's name, empty where there
    is only one), rules_id, kind (of its line-up, `interventions.ORDINARY` or one of
    `interventions.KINDS`), clan_set (u32), clans (list of names), line_up (the strategies in order,
    joined by commas), rotations (u8), population (that the line-up was drawn from, or empty).
    """
    return _indexed(plan).drop("of", "solo")


def entry_table(plan: Plan) -> pl.DataFrame:
    """A row a line-up entry of a cell: cell (u32), entry (u8), strategy, clan, kind.

    `clan` is what the entry may not or must lead, null where it is free. In solo cells Bruno is the
    second entry.
    """
    line_ups = plan.identity["cells"]["line_ups"]
    rows = []
    for number, line_up in enumerate(line_ups):
        names = line_up["strategies"]
        about = intervention_of(names)
        clans = [None] * len(names) if about is None else about.clans
        rows += [
            (number, entry, strategy, clan)
            for entry, (strategy, clan) in enumerate(zip(names, clans, strict=True))
        ]
    cells = _indexed(plan).select("cell", "of", "kind", "solo")
    entries = pl.DataFrame(rows, schema=_ENTRY, orient="row")
    players = cells.join(entries, on="of", maintain_order="left_right")
    bruno = cells.filter("solo").with_columns(
        entry=pl.lit(1, pl.UInt8), strategy=pl.lit(BRUNO_NAME), clan=pl.lit(None, pl.String)
    )
    columns = ["cell", "entry", "strategy", "clan", "kind"]
    both = pl.concat([players.select(columns), bruno.select(columns)])
    return both.sort("cell", "entry") if bruno.height else both


def cell_files(plan: Plan) -> Mapping[str, bytes]:
    """Both tables as Parquet files, by name."""
    return {CELLS: parquet_of(cell_table(plan)), ENTRIES: parquet_of(entry_table(plan))}


def _indexed(plan: Plan) -> pl.DataFrame:
    """The table of cells, with the number of each line-up and whether it is a solo one."""
    compact = plan.identity["cells"]
    about = {(rules.edition, rules.name): rules for rules in plan.editions}
    partitions = pl.DataFrame(
        [
            (
                *(each[name] for name in ("edition", "mode", "players", "rules")),
                about[each["edition"], each["rules"]].rules_id,
                each["mode"] in SOLO,
            )
            for each in compact["partitions"]
        ],
        schema=_PARTITION,
        orient="row",
    )
    clan_sets = pl.DataFrame(
        [(each["number"], list(each["clans"])) for each in compact["clan_sets"]],
        schema=_CLAN_SET,
        orient="row",
    )
    line_ups = pl.DataFrame(
        [
            (",".join(names), each["rotations"], each["population"], kind_of(names))
            for each in compact["line_ups"]
            for names in [each["strategies"]]
        ],
        schema=_LINE_UP,
        orient="row",
    )
    numbers = pl.DataFrame({"of": compact["line_up"]}, schema={"of": pl.UInt32}).with_row_index(
        "cell"
    )
    shared = {"partition": partitions, "line_up": line_ups, "clan_set": clan_sets}
    columns = [frame[pl.Series(compact[name])] for name, frame in shared.items()]
    return pl.concat([numbers, *columns], how="horizontal")
