"""Strategies decide for the players: their API, their registry, and the strategies themselves."""

if __name__ != "ethnos_sim.strategies":
    raise ImportError(f"import this package as 'ethnos_sim.strategies', not as '{__name__}'")

from ethnos_sim.simulator.utilities.errors import StrategyError
from ethnos_sim.strategies.api import ClanParameter, Parameter, Strategy, strategy
from ethnos_sim.strategies.line_up import LineUp
from ethnos_sim.strategies.registry import get_strategy, list_strategies, load_strategy_file

__all__ = [
    "ClanParameter",
    "LineUp",
    "Parameter",
    "Strategy",
    "StrategyError",
    "get_strategy",
    "list_strategies",
    "load_strategy_file",
    "strategy",
]
