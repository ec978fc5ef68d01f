"""How players decide: the strategy API, the registry and the strategies, a file for each idea."""

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
