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

#: This package's strategies, and their functions as they were when they were loaded.
_own: dict[Strategy, tuple[object, ...]] = {}


def _add(strategy: Strategy, origin: str) -> None:
    """Register a strategy; it replaces a strategy of this name from the same origin.

    Raises:
        StrategyError: another origin has a strategy of this name.
    """
    other = _origins.setdefault(strategy.name, origin)
    if other != origin:
        raise StrategyError(f"{origin}: strategy '{strategy.name}' exists already, from {other}")
    _known[strategy.name] = strategy


def _strategies_of(module: ModuleType) -> tuple[Strategy, ...]:
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
        for strategy in _strategies_of(importlib.import_module(name)):
            _add(strategy, name)
            _own[strategy] = _functions_of(strategy)


def _load_session() -> None:
    """Register strategies declared in the running program itself: a notebook's cells, a script.

    Running a cell again replaces its strategy.
    """
    for strategy in _strategies_of(sys.modules["__main__"]):
        _add(strategy, RUNNING_PROGRAM)


def _functions_of(strategy: Strategy) -> tuple[object, ...]:
    return tuple(strategy.functions.values())


def is_from_outside(strategy: Strategy) -> bool:
    """Whether a strategy, or one of its functions, does not come with this package."""
    _load_library()
    return _own.get(strategy) != _functions_of(strategy)


def stranger_in(strategy: Strategy) -> tuple[Stranger, ...]:
    """The strategy as a stranger, if it is from outside this package."""
    if not is_from_outside(strategy):
        return ()
    origin = _origins.get(strategy.name, RUNNING_PROGRAM)
    is_in_file = origin != RUNNING_PROGRAM and _known.get(strategy.name) is strategy
    is_in_file = is_in_file and strategy not in _own
    return (Stranger(strategy.name, origin if is_in_file else None, strategy),)


def list_strategies() -> tuple[Strategy, ...]:
    """Every known strategy, by name."""
    _load_library()
    _load_session()
    return tuple(_known[name] for name in sorted(_known))


def get_strategy(name: str) -> Strategy:
    """The strategy with this name; StrategyError with the nearest known name otherwise."""
    _load_library()
    _load_session()
    if name not in _known:
        raise StrategyError(f"unknown strategy '{name}'{name_hint(name, sorted(_known))}")
    return _known[name]


def _by_name(strategy: Strategy) -> tuple[Callable[[str, str], Strategy], tuple[str, str]]:
    """How a strategy is copied and pickled: by its name, which finds its code in any process."""
    if all(strategy is not known for known in list_strategies()):
        raise TypeError(
            f"strategy '{strategy.name}' cannot be copied or pickled, because it is declared "
            "neither in a strategy file nor in the running program"
        )
    return _with_same_code, (strategy.name, _code_of(strategy))


def _with_same_code(name: str, code: str) -> Strategy:
    """The strategy with a name; StrategyError if it is not known, or plays by other code."""
    strategy = get_strategy(name)
    if _code_of(strategy) != code:
        raise StrategyError(f"strategy '{name}' plays by other code than when it was pickled")
    return strategy


def _code_of(strategy: Strategy) -> str:
    """Sixteen hex digits for a strategy's functions."""
    return identity(strategy.functions)


copyreg.pickle(Strategy, _by_name)


def settings_of(entry: str | Strategy) -> tuple[Strategy, dict[str, str]]:
    """A strategy and the texts of its settings by name, as written: `name:setting=value:...`.

    StrategyError for an unknown name, and for a setting without a value or given twice.
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


def played_by(entry: str) -> list[Strategy]:
    """The strategies whose code plays for an entry of a line-up: its strategy and its policy.

    StrategyError if a strategy is not known.
    """
    strategy, given = settings_of(entry)
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
    strategies = _strategies_of(module)
    powers = declared_powers(module) and load_powers(path)
    if not strategies and not powers:
        raise StrategyError(f"strategy file '{path}' declares no strategy (@strategy(...))")
    names = [strategy.name for strategy in strategies]
    for name in names:
        if names.count(name) > 1:
            raise StrategyError(f"strategy file '{path}' declares two strategies named '{name}'")
    for strategy in strategies:
        _add(strategy, str(module.__file__))
    return strategies
