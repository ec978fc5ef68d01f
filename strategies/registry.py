"""Which strategies there are: those of this package, of other distributions, and of files."""

from __future__ import annotations

import functools
import hashlib
import importlib
import linecache
import pkgutil
import sys
import traceback
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

from ethnos_sim.simulator.errors import nearest
from ethnos_sim.strategies import library
from ethnos_sim.strategies.api import Strategy, StrategyError

#: The entry point group under which another distribution offers strategies.
ENTRY_POINTS = "ethnos_sim.strategies"

_known: dict[str, Strategy] = {}
_origins: dict[str, str] = {}


def _add(strategy: Strategy, origin: str) -> None:
    """Register a strategy, in place of an earlier one from the same origin.

    Raises:
        StrategyError: another origin has a strategy of this name.
    """
    other = _origins.setdefault(strategy.name, origin)
    if other != origin:
        raise StrategyError(f"{origin}: strategy '{strategy.name}' exists already, from {other}")
    _known[strategy.name] = strategy


def _strategies_of(module: ModuleType) -> tuple[Strategy, ...]:
    """The strategies that a module declares (not those it imports)."""
    return tuple(
        value
        for value in vars(module).values()
        if isinstance(value, Strategy) and value.module == module.__name__
    )


@functools.cache
def _load_library() -> None:
    """Register the package's own strategies and those of other distributions, once."""
    for module in pkgutil.iter_modules(library.__path__):
        name = f"{library.__name__}.{module.name}"
        for strategy in _strategies_of(importlib.import_module(name)):
            _add(strategy, name)
    for entry in entry_points(group=ENTRY_POINTS):
        origin = f"entry point '{entry.name}' ({entry.value})"
        try:
            value = entry.load()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise StrategyError(f"{origin} cannot be loaded: {_told(error)}") from error
        if not isinstance(value, Strategy):
            raise StrategyError(f"{origin} is not a strategy")
        _add(value, origin)


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


def _told(error: BaseException) -> str:
    """In a line what a file that was imported did, if it was no error of a strategy's."""
    if isinstance(error, SystemExit):
        return "the file ends the program where it is loaded (SystemExit)"
    return f"{type(error).__name__}: {' '.join(str(error).split())}".rstrip(": ")


def _line_of(error: BaseException, file: Path) -> str:
    """`FILE:LINE` of the last line of a file that an error passed through."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(file)]
    return f"{file}:{lines[-1]}" if lines else str(file)


def _import_file(file: Path) -> ModuleType:
    """Run a Python file as a module of its own; the same text is run once."""
    text = file.read_bytes()
    # Messages and hashes speak of the text that runs, whatever the file holds later.
    lines = text.decode("utf-8", "replace").splitlines(keepends=True)
    linecache.cache[str(file)] = (len(text), None, lines, str(file))
    digest = hashlib.sha256(str(file).encode() + text).hexdigest()[:12]
    name = f"ethnos_sim_strategy_file_{digest}"
    if name in sys.modules:
        return sys.modules[name]
    module = ModuleType(name)
    module.__file__ = str(file)
    sys.modules[name] = module
    try:
        exec(compile(text, str(file), "exec", dont_inherit=True), vars(module))
    except BaseException:
        del sys.modules[name]
        raise
    return module


def load_strategy_file(path: str | Path) -> tuple[Strategy, ...]:
    """Register every strategy of a Python file; a changed file's strategies replace the earlier.

    Raises:
        StrategyError: the file cannot be read or run, or declares no strategy; file and line are
            named where Python knows them.
    """
    _load_library()
    file = Path(path).resolve()
    if not file.is_file():
        raise StrategyError(f"no strategy file '{path}'")
    try:
        module = _import_file(file)
    except OSError as error:
        raise StrategyError(f"strategy file '{path}' cannot be read: {error.strerror}") from error
    except SyntaxError as error:
        raise StrategyError(f"{file}:{error.lineno or 1}: {error.msg}") from error
    except StrategyError as error:
        raise StrategyError(f"{_line_of(error, file)}: {error}") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise StrategyError(f"{_line_of(error, file)}: {_told(error)}") from error
    found = _strategies_of(module)
    if not found:
        raise StrategyError(f"strategy file '{path}' declares no strategy (@strategy(...))")
    names = [strategy.name for strategy in found]
    for name in names:
        if names.count(name) > 1:
            raise StrategyError(f"strategy file '{path}' declares two strategies named '{name}'")
    for strategy in found:
        _add(strategy, str(file))
    return found
