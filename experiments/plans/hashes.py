"""Hashes of the code that decides the games of a plan: the simulator and the strategies.

A sweep is continued only if these hashes are the same as when it began: the code then plays the
same games. An edit that cannot change a game changes no hash (`simulator.compiler.identity`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from typing import Any

from ethnos_sim.simulator.compiler.identity import UnidentifiedValue, identity
from ethnos_sim.simulator.preparing.rule_records import rule_records
from ethnos_sim.simulator.tables.table import entry_records
from ethnos_sim.simulator.utilities.errors import StrategyError
from ethnos_sim.strategies import Strategy, get_strategy
from ethnos_sim.strategies.api import WEIGHTS
from ethnos_sim.strategies.compiling import DEFAULTS, generated_source
from ethnos_sim.strategies.registry import split_entry
from ethnos_sim.strategies.tuned_parameters import read_tuned_parameters
from ethnos_sim.strategies.weights import read_arrays, weights_file


def package_version() -> str:
    """The version of the installed program."""
    return version("ethnos-sim")


@cache
def kernel_hash() -> str:
    """Sixteen hex digits that identify the code that prepares tables and plays games."""
    from ethnos_sim.simulator.kernel.engine import run_games
    from ethnos_sim.simulator.preparing.tables import prepare_tables

    return identity(run_games, prepare_tables, rule_records, entry_records)


def strategy_hashes(names: Iterable[str]) -> dict[str, str]:
    """Sixteen hex digits that identify the code of each strategy, by name as in a line-up.

    The hash covers a strategy's functions and everything they refer to, the defaults of its
    parameters, its tuned values and its weights. If the strategy looks ahead, the hash covers the
    same parts of its policy. The hash also covers the default answers.

    Raises:
        StrategyError: a strategy is not known, or refers to values that may differ between runs.
    """
    hashes: dict[tuple[object, ...], str] = {}
    sources = {}
    for entry in names:
        strategy, given = split_entry(entry)
        key = strategy.name, given.get(WEIGHTS), given.get("policy")
        if key not in hashes:
            hashes[key] = _entry_hash(*key)
        sources[entry] = hashes[key]
    return sources


def _entry_hash(name: str, weights: str | None, policy: str | None) -> str:
    """The hash of a line-up entry, from the settings that change its code."""
    strategy = get_strategy(name)
    parts = [DEFAULTS.functions, *_hashed_parts(strategy, weights)]
    if strategy.policy is not None:
        parts += _hashed_parts(get_strategy(policy or strategy.policy))
    try:
        return identity(*parts)
    except UnidentifiedValue as error:
        raise StrategyError(
            f"strategy '{strategy.name}' refers to a value that may differ between runs: {error}"
        ) from error


def _hashed_parts(strategy: Strategy, weights: str | None = None) -> list[Any]:
    """The code and data of a strategy; `weights` is a file that replaces its weights."""
    arrays = weights_file(strategy, weights)
    return [
        strategy.functions,
        generated_source(strategy),
        [(parameter.name, parameter.default) for parameter in strategy.parameters],
        read_tuned_parameters(strategy),
        None if arrays is None else read_arrays(arrays),
        *([] if strategy.quantise is None else [strategy.quantise]),
    ]
