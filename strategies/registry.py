"""Which strategies there are: those of this package, of other distributions, and of files."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import pkgutil
import sys
from importlib.metadata import entry_points
from pathlib import Path

from ethnos_sim.simulator.errors import nearest
from ethnos_sim.strategies import library
from ethnos_sim.strategies.api import Strategy, StrategyError

#: The entry point group under which another distribution offers strategies.
ENTRY_POINTS = "ethnos_sim.strategies"

_known: dict[str, Strategy] = {}


def _add(strategy: Strategy, origin: str) -> None:
    """Register a strategy; StrategyError when another one has its name."""
    other = _known.get(strategy.name)
    if other is not None and other is not strategy:
        raise StrategyError(f"{origin}: a strategy named '{strategy.name}' exists already")
    _known[strategy.name] = strategy


def _load_library() -> None:
    """Register the package's own strategies (once)."""
    if _known:
        return
    for module in pkgutil.iter_modules(library.__path__):
        name = f"{library.__name__}.{module.name}"
        for value in vars(importlib.import_module(name)).values():
            if isinstance(value, Strategy):
                _add(value, name)
    for entry in entry_points(group=ENTRY_POINTS):
        value = entry.load()
        if not isinstance(value, Strategy):
            raise StrategyError(f"entry point '{entry.name}' ({entry.value}) is not a strategy")
        _add(value, f"entry point '{entry.name}'")


def list_strategies() -> tuple[Strategy, ...]:
    """Every known strategy, by name."""
    _load_library()
    return tuple(_known[name] for name in sorted(_known))


def get_strategy(name: str) -> Strategy:
    """The strategy with this name; StrategyError with the nearest known name otherwise."""
    _load_library()
    if name not in _known:
        raise StrategyError(f"unknown strategy '{name}'{nearest(name, sorted(_known))}")
    return _known[name]


def load_strategy_file(path: str | Path) -> tuple[Strategy, ...]:
    """Register every strategy of a Python file.

    Raises:
        StrategyError: the file cannot be read or run, or declares no strategy; file and line are
            named where Python knows them.
    """
    _load_library()
    file = Path(path).resolve()
    if not file.is_file():
        raise StrategyError(f"no strategy file '{path}'")
    digest = hashlib.sha256(str(file).encode() + file.read_bytes()).hexdigest()[:12]
    name = f"ethnos_sim_strategy_file_{digest}"
    if name in sys.modules:
        module = sys.modules[name]
    else:
        spec = importlib.util.spec_from_file_location(name, file)
        if spec is None or spec.loader is None:
            raise StrategyError(f"strategy file '{path}' is not a Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except StrategyError:
            del sys.modules[name]
            raise
        except SyntaxError as error:
            del sys.modules[name]
            raise StrategyError(f"{path}:{error.lineno}: {error.msg}") from error
        except Exception as error:
            del sys.modules[name]
            trace = error.__traceback__
            line = 0
            while trace is not None:
                if trace.tb_frame.f_code.co_filename == str(file):
                    line = trace.tb_lineno
                trace = trace.tb_next
            place = f"{path}:{line}" if line else str(path)
            raise StrategyError(f"{place}: {type(error).__name__}: {error}") from error
    found = tuple(
        value
        for value in vars(module).values()
        if isinstance(value, Strategy) and value.module == name
    )
    if not found:
        raise StrategyError(f"strategy file '{path}' declares no strategy (@strategy(...))")
    for strategy in found:
        _add(strategy, str(path))
    return found
