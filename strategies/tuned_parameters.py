"""Tuned parameters: values that replace declared defaults, by edition and number of players.

A strategy declared with `tuned="champion.toml"` takes its defaults from that file, which lies in
`strategies/tuned/` for this package's strategies and beside the strategy's own file for others. The
file has a table of values for each `EDITION-PLAYERS`, such as `second-4`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ethnos_sim.simulator.rules import Rules
from ethnos_sim.simulator.utilities.errors import StrategyError
from ethnos_sim.simulator.utilities.reading import (
    MOST_TOML_BYTES,
    cached_until_changed,
    parse_toml,
    read_file,
)
from ethnos_sim.strategies.api import Strategy
from ethnos_sim.strategies.weights import best_fitting_name, read_data


def read_tuned_parameters(strategy: Strategy) -> Mapping[str, Mapping[str, float]]:
    """All tuned parameters of a strategy, by `EDITION-PLAYERS` and name; empty without a file.

    Raises:
        StrategyError: the file cannot be read, or has no tables of numbers.
    """
    if strategy.tuned is None:
        return {}
    return read_data("tuned parameters", strategy.data_path("tuned", strategy.tuned), _read_tables)


@cached_until_changed
def _read_tables(path: Path) -> dict[str, dict[str, float]]:
    """The tables of numbers in a file; ValueError if it has anything else."""
    tables = parse_toml(read_file(path, MOST_TOML_BYTES))
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise ValueError(f"'{name}' is no table such as [second-4]")
    return {
        name: {parameter: float(value) for parameter, value in table.items()}
        for name, table in tables.items()
    }


def tuned_values(strategy: Strategy, rules: Rules, players: int) -> Mapping[str, float]:
    """The tuned parameters that fit these rules and players best, by name; empty without tuning.

    `best_fitting_name` chooses them by the edition, whatever rule values are changed.

    Raises:
        StrategyError: the file is wrong, or has a parameter or value that the strategy does not
            allow.
    """
    tables = read_tuned_parameters(strategy)
    fit = best_fitting_name(tables, rules.edition, players)
    if fit is None:
        return {}
    declared = {parameter.name: parameter for parameter in strategy.parameters}
    for name, value in tables[fit].items():
        where = f"tuned parameters '{strategy.tuned}', {fit}"
        if name not in declared:
            raise StrategyError(f"{where}: strategy '{strategy.name}' has no parameter '{name}'")
        if not declared[name].low <= value <= declared[name].high:
            raise StrategyError(f"{where}: parameter '{name}' is {value:g}, outside its range")
    return tables[fit]
