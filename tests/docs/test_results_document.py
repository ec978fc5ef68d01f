"""The query of docs/results.md answers what it says, in the reader that it names."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import polars as pl
import pytest
from toy_sweep import toy_plan, write_toy_sweep

from ethnos_sim import open_results

DOCUMENT = (Path(__file__).parents[2] / "docs" / "results.md").read_text(encoding="utf-8")


def test_the_query_gives_the_winning_chances_of_ordinary_play(tmp_path: Path) -> None:
    told = ["alpha:never_leads=bear", "beta", "alpha", "beta"]
    write_toy_sweep(tmp_path, toy_plan(line_ups=[("alpha", "beta"), told], rounds=16))
    (query,) = re.findall(r"```sql\n(.*?)```", DOCUMENT, flags=re.DOTALL)
    found = duckdb.sql(query.replace("DIR", str(tmp_path))).pl()
    results = open_results(tmp_path)
    seats = results.with_cells(results.seats(edition="second", players=4, mode="standard"))
    wanted = (
        seats.group_by("line_up", "strategy", "seat").agg(won=pl.col("won").mean() / 60).collect()
    )
    assert len(found) == len(wanted) == 8
    both = found.join(wanted, on=["line_up", "strategy", "seat"])
    assert both["won"].to_list() == pytest.approx(both["won_right"].to_list())
