"""A sample user's project, which mypy --strict checks and a test runs."""

from pathlib import Path

import polars as pl

from ethnos_sim import (
    Batch,
    Parameter,
    Results,
    Rules,
    compare,
    estimate,
    load_rules,
    make_env,
    open_results,
    play_batch,
    plot,
    sweep,
    trace_games,
    write_report,
)

SPEC = {
    "name": "Sample",
    "players": [4],
    "games": 2000,
    "clan_sets": {"sample": 6},
    "line_ups": [{"strategies": ["greedy", "majority"]}],
}

rules: Rules = load_rules("second", overrides="bear.on_take=2")
batch: Batch = play_batch(rules, "greedy,random", games=400)
games: pl.DataFrame = batch.games()
results: Results = sweep(SPEC, Path("results"), quiet=True)
edges: pl.DataFrame = estimate(open_results("results"), "seat_edge", players=4)
label: str = plot.intervals(edges).get_xlabel()
matter: int = compare("second", rules, games=400, quiet=True).counts["matters"]
page: str = write_report(results).page.name
turns: list[int] = [int(traced.game["turns"]) for traced in trace_games(rules, games=2)]
patience: Parameter = Parameter("patience", 4, 0, 30, "points")
legal: int = int(make_env(rules, opponents="greedy", games=2).legal_counts.sum())
