"""The game of Ethnos: rules as data, the compiled kernel, batches of games and their traces."""

if __name__ != "ethnos_sim.simulator":
    raise ImportError(f"import this package as 'ethnos_sim.simulator', not as '{__name__}'")

from ethnos_sim.simulator.utilities.lazy_imports import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "game.powers": "Power",
        "game.records": "DECISIONS DRAGON NONE OWN_DTYPE PARTY REGIONS SECOND_PARTY SIXTIETHS "
        "VIEW_DTYPE",
        "rules": "EDITIONS Rules RuleSet load_rules",
        "tables.batch": "PlayedTable play_table",
        "tables.modes": "MODES SOLO SOLO_CLANS",
        "tables.table": "GameTable Seat",
        "tables.trace": "TracedGame trace_game",
        "utilities.errors": "EthnosError Failed IllegalMove InvalidGame NoAnswer RulesError "
        "SpecError StrategyError WrongInput",
    },
)
