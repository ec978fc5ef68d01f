"""What is looked at before a strategy is compiled, and where its files lie."""

from __future__ import annotations

import inspect
from pathlib import Path

from ethnos_sim.simulator.user_code.checking import Demands, check_code, plain
from ethnos_sim.simulator.user_code.showing import SHOWN_VIEW
from ethnos_sim.strategies.api import Strategy, StrategyError

VIEW_FIELDS = tuple(SHOWN_VIEW.fields)


def folder_of(strategy: Strategy, own: Path) -> Path:
    """Where a strategy's data lie: `own` for this package's, else beside the strategy's file."""
    if strategy.module.startswith("ethnos_sim.strategies."):
        return own
    turn = plain(strategy.functions["turn"])
    return Path(inspect.getsourcefile(turn) or turn.__code__.co_filename).parent


def check(strategy: Strategy) -> None:
    """Look at a strategy's functions and their helpers; StrategyError as `check_code` tells."""
    parameters = [parameter.name for parameter in strategy.parameters]
    demands = Demands(
        what=f"strategy '{strategy.name}'",
        error=StrategyError,
        chance="for chance there are random_below(rng, bound) and random_chance(rng, chance)",
        fields={
            "view": ("the view has no field", VIEW_FIELDS),
            "parameters": ("there is no parameter", parameters),
        },
    )
    check_code([*strategy.functions.values()], [*strategy.valuations.values()], demands)
