"""What to play: specs, designs over clan sets, plans, execution and the results on disk."""

if __name__ != "ethnos_sim.experiments":
    raise ImportError(f"import this package as 'ethnos_sim.experiments', not as '{__name__}'")

from ethnos_sim.simulator.utilities.offering import offer

__getattr__, __dir__, __all__ = offer(
    __name__,
    {
        "balancing.spec": "parse_balance_spec",
        "designs.clan_sets": "balanced_sample steiner_sets",
        "designs.interventions": "RESTRICTED intervention_of",
        "designs.populations": "Population even_population read_populations",
        "execution.cluster": "Cluster",
        "execution.engines": "Threads play_missing play_now",
        "execution.playing": "prepare_tables",
        "execution.processes": "Processes",
        "execution.verification": "verify",
        "matches.explaining": "explain",
        "matches.match": "Match PlayedMatch play_match prepare_match",
        "matches.tournament": "PlayedTournament Tournament play_tournament prepare_tournament",
        "matches.tuning": "Tuning play_points prepare_tuning",
        "plans.cells": "Cell Partition",
        "plans.plan": "EditionRules Plan Shard make_plan missing_shards",
        "plans.plan_file": "plan_text read_plan sealed",
        "plans.sources": "strategy_sources",
        "specs.problems": "SpecError",
        "specs.spec": "Changes bundled_specs parse_spec",
        "statistics.blocks": "BLOCKS",
        "statistics.estimate": "Estimate",
        "statistics.estimates": "Estimates",
        "statistics.jackknife": "jackknife ratio together weighted_sum with_bounds",
        "statistics.significance": "CHANGED EQUIVALENT UNDECIDED holm",
        "storage.manifest": "about_file read_manifest",
        "storage.store": "open_store stored_plan",
        "storage.tables": "GAME_COLUMNS PRESTIGE_SOURCES seat_columns",
    },
)
