"""The known strategies: from this package, from files, and from the running program."""

from __future__ import annotations

import copyreg
import functools
import importlib
import pkgutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from ethnos_sim.simulator.compiler.identity import identity
from ethnos_sim.simulator.custom_powers.declaring import declared_powers
from ethnos_sim.simulator.custom_powers.registry import load_powers
from ethnos_sim.simulator.tables.table import Stranger
from ethnos_sim.simulator.user_code.loading import load_module
from ethnos_sim.simulator.utilities.errors import StrategyError, name_hint
from ethnos_sim.strategies import library
from ethnos_sim.strategies.api import Strategy

#: The origin of strategies that a notebook or a script declares.
RUNNING_PROGRAM = "the running program"

_known: dict[str, Strategy] = {}
_origins: dict[str, str] = {}

#: The functions that each strategy of this package had when it was loaded.
_library_functions: dict[Strategy, tuple[object, ...]] = {}


def _register(strategy: Strategy, origin: str) -> None:
    """Register a strategy; it replaces a strategy of this name from the same origin.

    Raises:
        StrategyError: another origin has a strategy of this name.
    """
    other = _origins.setdefault(strategy.name, origin)
    if other != origin:
        raise StrategyError(f"{origin}: strategy '{strategy.name}' exists already, from {other}")
    _known[strategy.name] = strategy


def _declared_strategies(module: ModuleType) -> tuple[Strategy, ...]:
    """The strategies that a module declares, without strategies that it imports."""
    return tuple(
        value
        for value in vars(module).values()
        if isinstance(value, Strategy) and value.module == module.__name__
    )


@functools.cache
def _load_library() -> None:
    """Register the strategies of this package, once."""
    for module in pkgutil.iter_modules(library.__path__):
        name = f"{library.__name__}.{module.name}"
        for strategy in _declared_strategies(importlib.import_module(name)):
            _register(strategy, name)
            _library_functions[strategy] = _functions_of(strategy)


def _load_running_program() -> None:
    """Register strategies that the running program declares: a notebook's cells, or a script.

    If a cell runs again, its strategy is replaced.
    """
    for strategy in _declared_strategies(sys.modules["__main__"]):
        _register(strategy, RUNNING_PROGRAM)


def _functions_of(strategy: Strategy) -> tuple[object, ...]:
    return tuple(strategy.functions.values())


def is_from_outside(strategy: Strategy) -> bool:
    """Whether a strategy, or one of its functions, is not of this package."""
    _load_library()
    return _library_functions.get(strategy) != _functions_of(strategy)


def as_stranger(strategy: Strategy) -> tuple[Stranger, ...]:
    """A tuple with the strategy as a stranger; empty if the strategy is of this package."""
    if not is_from_outside(strategy):
        return ()
    origin = _origins.get(strategy.name, RUNNING_PROGRAM)
    is_in_file = origin != RUNNING_PROGRAM and _known.get(strategy.name) is strategy
    is_in_file = is_in_file and strategy not in _library_functions
    return (Stranger(strategy.name, origin if is_in_file else None, strategy),)


def list_strategies() -> tuple[Strategy, ...]:
    """All known strategies, sorted by name."""
    _load_library()
    _load_running_program()
    return tuple(_known[name] for name in sorted(_known))


def get_strategy(name: str) -> Strategy:
    """The strategy with this name; StrategyError with the nearest known name otherwise."""
    _load_library()
    _load_running_program()
    if name not in _known:
        raise StrategyError(f"unknown strategy '{name}'{name_hint(name, sorted(_known))}")
    return _known[name]


def _pickle_by_name(strategy: Strategy) -> tuple[Callable[[str, str], Strategy], tuple[str, str]]:
    """Pickle or copy a strategy by its name, which finds its code in any process."""
    if all(strategy is not known for known in list_strategies()):
        raise TypeError(
            f"strategy '{strategy.name}' cannot be copied or pickled, because it is declared "
            "neither in a strategy file nor in the running program"
        )
    return _unpickle, (strategy.name, _code_hash(strategy))


def _unpickle(name: str, code: str) -> Strategy:
    """The strategy with a name; StrategyError if it is unknown, or has other code than `code`."""
    strategy = get_strategy(name)
    if _code_hash(strategy) != code:
        raise StrategyError(f"strategy '{name}' has other code now than when it was pickled")
    return strategy


def _code_hash(strategy: Strategy) -> str:
    """The identity of a strategy's functions: sixteen hex digits."""
    return identity(strategy.functions)


copyreg.pickle(Strategy, _pickle_by_name)


def split_entry(entry: str | Strategy) -> tuple[Strategy, dict[str, str]]:
    """The strategy of an entry, and the texts of its settings by name: `name:setting=value:...`.

    StrategyError for an unknown strategy, and for a setting that has no value or occurs twice.
    """
    if isinstance(entry, Strategy):
        return entry, {}
    name, *settings = entry.split(":")
    strategy = get_strategy(name.strip())
    given: dict[str, str] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise StrategyError(f"'{entry}': write settings as name=value, not '{setting}'")
        if key.strip() in given:
            raise StrategyError(f"'{entry}' gives '{key.strip()}' twice")
        given[key.strip()] = value.strip()
    return strategy, given


def entry_strategies(entry: str) -> list[Strategy]:
    """The strategies whose code plays for an entry of a line-up: its strategy and its policy.

    StrategyError if a strategy is unknown.
    """
    strategy, given = split_entry(entry)
    policy = given.get("policy", strategy.policy)
    return [strategy] if policy is None else [strategy, get_strategy(policy)]


def load_strategy_file(path: str | Path) -> tuple[Strategy, ...]:
    """Register every strategy of a Python file; if the file has changed, replace its strategies.

    Custom powers that the file declares are registered too.

    Raises:
        StrategyError: the file cannot be read or run, or declares no strategy; the message names
            file and line if Python knows them.

    Example:
        >>> from pathlib import Path
        >>> from ethnos_sim import load_strategy_file
        >>> text = '''
        ... from ethnos_sim import strategy
        ... from ethnos_sim.strategies.toolkit import draw
        ... @strategy()
        ... def drawer(view):
        ...     return draw()
        ... '''
        >>> _ = Path("mine.py").write_text(text)
        >>> [loaded.name for loaded in load_strategy_file("mine.py")]
        ['drawer']
    """
    _load_library()
    module = load_module(path, "strategy file", StrategyError)
    strategies = _declared_strategies(module)
    powers = declared_powers(module) and load_powers(path)
    if not strategies and not powers:
        raise StrategyError(f"strategy file '{path}' declares no strategy (@strategy(...))")
    names = [strategy.name for strategy in strategies]
    for name in names:
        if names.count(name) > 1:
            raise StrategyError(f"strategy file '{path}' declares two strategies named '{name}'")
    for strategy in strategies:
        _register(strategy, str(module.__file__))
    return strategies
