"""Tuned parameters as data: tuning results by edition and number of players.

A strategy declared with `tuned="champion.toml"` takes its defaults from that file, which lies in
`strategies/tuned/` for this package's strategies and beside the strategy's own file for others.
`ethnos-sim strategies tune` writes such files; each entry keeps the command that made it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ethnos_sim.simulator.rules import Rules
from ethnos_sim.simulator.utilities.errors import StrategyError
from ethnos_sim.simulator.utilities.reading import (
    MOST_TOML_BYTES,
    kept_while_unchanged,
    read_file,
    toml_table,
)
from ethnos_sim.strategies.api import Strategy


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuned:
    """Parameters tuned for one edition and number of players, and how they were found.

    parameters   values by name
    mode         the mode that was played
    against      the strategies that filled the other seats
    share        win share of a seat with these parameters, on deals that no search has seen
    low, high    the 95 % interval of the share
    games        the number of games played for the share
    seed         seed of the search; the share was measured on other deals
    command      the command that found the parameters
    """

    edition: str
    players: int
    mode: str
    parameters: Mapping[str, float]
    against: tuple[str, ...]
    share: float
    low: float
    high: float
    games: int
    seed: int
    command: str

    @property
    def key(self) -> tuple[str, int]:
        """The edition and the number of players that the parameters are for."""
        return self.edition, self.players


def read_tuned(path: Path) -> tuple[Tuned, ...]:
    """The entries of a file of tuned parameters.

    Raises:
        StrategyError: the file cannot be read, or holds no tuned parameters.
    """
    try:
        return _entries(path)
    except OSError as error:
        raise StrategyError(f"tuned parameters '{path}': {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise StrategyError(f"'{path}' holds no tuned parameters ({error})") from error


@kept_while_unchanged
def _entries(path: Path) -> tuple[Tuned, ...]:
    """The entries in a file."""
    content = read_file(path, MOST_TOML_BYTES)
    return tuple(_entry(dict(table)) for table in toml_table(content)["tuned"])


def _entry(table: dict[str, Any]) -> Tuned:
    """Parse one entry of the file."""
    values = {name: float(value) for name, value in table.pop("parameters").items()}
    return Tuned(parameters=values, against=tuple(table.pop("against")), **table)


def write_tuned(entries: Iterable[Tuned]) -> str:
    """The text of a file with these entries, by edition and number of players."""
    import tomlkit

    tables = [asdict(entry) for entry in sorted(entries, key=lambda entry: entry.key)]
    return tomlkit.dumps({"tuned": tables})


def tuned_file(strategy: Strategy) -> Path | None:
    """The file of a strategy's tuned parameters; None if it has no file."""
    return None if strategy.tuned is None else strategy.file("tuned", strategy.tuned)


def tuned_values(strategy: Strategy, rules: Rules, players: int) -> Mapping[str, float]:
    """The tuned parameters for these rules and players, by name; empty without tuning.

    The entry of the edition with the nearest number of players is taken; of two numbers that are
    equally near, the smaller. Changed rule values do not change the choice.

    Raises:
        StrategyError: the file is wrong, or has a parameter or value that the strategy does not
            allow.
    """
    file = tuned_file(strategy)
    if file is None:
        return {}
    fitting = [entry for entry in read_tuned(file) if entry.edition == rules.edition]
    if not fitting:
        return {}
    chosen = min(fitting, key=lambda entry: (abs(entry.players - players), entry.players))
    declared = {parameter.name: parameter for parameter in strategy.parameters}
    for name, value in chosen.parameters.items():
        if name not in declared:
            raise StrategyError(f"'{file}': strategy '{strategy.name}' has no parameter '{name}'")
        if not declared[name].low <= value <= declared[name].high:
            raise StrategyError(f"'{file}': parameter '{name}' is {value:g}, outside its range")
    return chosen.parameters
