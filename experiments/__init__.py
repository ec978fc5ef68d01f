"""What to play: specs, designs over clan sets, plans, execution and the results on disk."""

if __name__ != "ethnos_sim.experiments":
    raise ImportError(f"import this package as 'ethnos_sim.experiments', not as '{__name__}'")

from ethnos_sim.simulator.utilities.offering import offer

__getattr__, __dir__, __all__ = offer(
    __name__,
    {
        "execution.engines": "Threads play_now",
        "execution.playing": "prepare_tables",
        "execution.verification": "verify",
        "matches.match": "Match play_match prepare_match",
        "plans.cells": "Partition",
        "plans.plan": "Plan make_plan missing_shards",
        "plans.plan_file": "plan_text read_plan sealed",
        "plans.sources": "strategy_sources",
        "specs.spec": "Changes SpecError parse_spec",
        "statistics.blocks": "BLOCKS",
        "statistics.estimate": "Estimate",
        "statistics.estimates": "Estimates",
        "statistics.jackknife": "jackknife ratio together",
        "statistics.verdict": "Verdict",
        "storage.manifest": "read_manifest",
        "storage.store": "open_store stored_plan",
        "storage.tables": "GAME_COLUMNS seat_columns",
    },
)
