"""What to play: specs, designs over clan sets, plans, execution and the results on disk."""

if __name__ != "ethnos_sim.experiments":
    raise ImportError(f"import this package as 'ethnos_sim.experiments', not as '{__name__}'")

from ethnos_sim.simulator.offering import offer

__getattr__, __dir__, __all__ = offer(
    __name__,
    {
        "balancing.spec": "parse_balance_spec",
        "designs.clan_sets": "balanced_sample steiner_sets",
        "designs.interventions": "RESTRICTED intervention_of",
        "designs.populations": "Population read_populations",
        "execution.engines": "Threads play_now",
        "execution.playing": "prepare_tables",
        "execution.verification": "verify",
        "matches.match": "Match play_match prepare_match",
        "plans.plan": "Plan Shard make_plan missing_shards",
        "plans.plan_file": "plan_text read_plan",
        "plans.sources": "strategy_sources",
        "specs.problems": "SpecError",
        "specs.spec": "Changes bundled_spec bundled_specs parse_spec",
        "statistics.adjustment": "holm",
        "statistics.blocks": "BLOCKS",
        "statistics.estimates": "Estimates",
        "storage.store": "open_store",
        "storage.tables": "GAME_COLUMNS PRESTIGE_SOURCES seat_columns",
    },
)
