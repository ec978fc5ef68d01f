"""Strategies run by Python itself, to find a fault: bounds are checked, and a debugger can stop.

`mine:uncompiled=yes` in a line-up. The engine calls such a strategy by address as it calls any
other, but the code there leads back into Python: the strategy's functions, its helpers and the
toolkit are run as they are written, on records that check every index. Numbers read from a record
become Python's own whole numbers (planes of cards stay uint64), as the compiler widens them, so the
games are the compiled ones. Only the imagined games of players who look ahead stay compiled.
"""

from __future__ import annotations

import builtins
import ctypes
import functools
import traceback
from collections import namedtuple
from collections.abc import Callable, Iterator
from types import CellType, FunctionType, ModuleType
from typing import Any

import numpy as np

from ethnos_sim.simulator import failures
from ethnos_sim.simulator.cards import lowest
from ethnos_sim.simulator.kernel.asking import call_strategy
from ethnos_sim.simulator.kernel.copying import copy_record
from ethnos_sim.simulator.records import MOVE_DTYPE, OWN_DTYPE, UNANSWERED, VIEW_DTYPE
from ethnos_sim.strategies.afterstates.vectors import IN_PYTHON
from ethnos_sim.strategies.api import Strategy
from ethnos_sim.strategies.checking import check, own_package, plain, with_helpers
from ethnos_sim.strategies.compiling import generated_source

#: What the engine calls: `decide(view, move, own)`, three addresses.
CALL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)

#: Imagined games would take minutes a turn in Python.
STAYS_COMPILED = "ethnos_sim.simulator.kernel.imagination"


class CheckedArray(np.ndarray):
    """An array whose items are read as Python's numbers, and as records where it holds records."""

    def __getitem__(self, index: Any) -> Any:
        """An item or a part; IndexError outside the array."""
        places = index if isinstance(index, tuple) else (index,)
        return _as_python(np.ndarray.__getitem__(self, (*places, ...)))

    def __iter__(self) -> Iterator[Any]:
        """The items, one by one."""
        return (self[i] for i in range(len(self)))


class CheckedRecord:
    """A record whose fields are attributes."""

    __slots__ = ("_array",)
    _array: np.ndarray

    def __init__(self, array: np.ndarray) -> None:
        """A record in place of an array of shape ()."""
        object.__setattr__(self, "_array", array)

    def __getattr__(self, name: str) -> Any:
        """A field's value."""
        if name not in (self._array.dtype.names or ()):
            raise AttributeError(f"there is no field '{name}'")
        return _as_python(self._array[name])

    def __setattr__(self, name: str, value: Any) -> None:
        """Change a field; ValueError for a record that may only be read."""
        if name not in (self._array.dtype.names or ()):
            raise AttributeError(f"there is no field '{name}'")
        self._array[name] = value


def _as_python(value: Any) -> Any:
    """What compiled code would work with: wide numbers, and arrays and records that are checked."""
    if not isinstance(value, np.ndarray | np.generic):
        return value
    if value.ndim:
        return value.view(CheckedArray)
    single = np.asarray(value)
    if single.dtype.names:
        return CheckedRecord(single)
    return single[()] if single.dtype == np.uint64 else single.item()


class CheckedNumpy:
    """NumPy as strategies see it: what its functions return is checked, an int64 is an `int`."""

    int64 = int

    def __getattr__(self, name: str) -> Any:
        """A function or type of numpy."""
        found = getattr(np, name)
        if isinstance(found, type) or not callable(found):
            return found
        return lambda *values, **named: _as_python(found(*values, **named))


class _Namespaces:
    """Python's own version of compiled functions, each made once, with all that they call."""

    def __init__(self) -> None:
        """Begin with what has no Python version of its own."""
        written = {make: _on_checked(function) for make, function in IN_PYTHON.items()}
        self._functions: dict[Any, Any] = {call_strategy: _call, copy_record: _copy, **written}
        self._written = tuple(self._functions)
        self._globals: dict[int, dict[str, Any]] = {}

    def function(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function as it is written, calling such functions in turn."""
        if function not in self._functions:
            cells = tuple(
                CellType(self._value(cell.cell_contents, function.__module__))
                for cell in function.__closure__ or ()
            )
            self._functions[function] = FunctionType(
                function.__code__,
                self._namespace(function.__globals__),
                function.__name__,
                function.__defaults__,
                cells,
            )
        found: Callable[..., Any] = self._functions[function]
        return found

    def _namespace(self, known: dict[str, Any]) -> dict[str, Any]:
        """A module's global names, with Python's own version of what is compiled."""
        if id(known) not in self._globals:
            found = self._globals[id(known)] = {"__builtins__": builtins}
            module = str(known.get("__name__", ""))
            found.update((name, self._value(value, module)) for name, value in known.items())
        return self._globals[id(known)]

    def _value(self, value: Any, module: str) -> Any:
        """What stands for a global value of a module."""
        if value is np:
            return CheckedNumpy()
        if isinstance(value, np.ndarray):
            return value.view(CheckedArray)
        if isinstance(value, ModuleType) and own_package(value.__name__) == own_package(module):
            return _Attributes(self._namespace(vars(value)))
        if any(value is known for known in self._written):
            return self._functions[value]
        function = getattr(value, "py_func", None)
        if function is None:
            return value
        if function.__module__ == STAYS_COMPILED:
            return _on_checked(value)
        return _Later(self, function)


class _Later:
    """A function that is made when it is first called, because most of a module's never are."""

    def __init__(self, namespaces: _Namespaces, function: Callable[..., Any]) -> None:
        self._make = functools.partial(namespaces.function, function)

    def __call__(self, *values: Any, **named: Any) -> Any:
        """Call the function."""
        return self._make()(*values, **named)


class _Attributes:
    """A module by its names."""

    def __init__(self, names: dict[str, Any]) -> None:
        self._names = names

    def __getattr__(self, name: str) -> Any:
        """What the module has under a name."""
        return self._names[name]


def _bare(value: Any) -> Any:
    """What compiled code takes: numpy's own record or array."""
    if isinstance(value, CheckedRecord):
        return value._array[()]
    return value.view(np.ndarray) if isinstance(value, CheckedArray) else value


def _on_checked(function: Any) -> Callable[..., Any]:
    """A function of numpy's records and arrays that takes and returns checked ones."""
    return lambda *values: _as_python(function(*map(_bare, values)))


def _call(address: int, *records: CheckedRecord) -> None:
    """Call a strategy's code at an address (`simulator.kernel.asking.call_strategy`)."""
    CALL(address)(*(record._array.ctypes.data for record in records))


def _copy(target: CheckedRecord, source: CheckedRecord) -> None:
    """Copy a record (`simulator.kernel.copying.copy_record`)."""
    target._array[()] = source._array[()]


def _weights_at(address: int, size: int) -> Any:
    """A strategy's weights at an address (`strategies.weights.weights_at`), checked."""
    memory = (ctypes.c_float * size).from_address(address)
    array = np.frombuffer(memoryview(memory), np.float32)
    array.flags.writeable = False
    return array.view(CheckedArray)


def _record_at(address: int, dtype: np.dtype, *, writable: bool) -> CheckedRecord:
    """The record at an address."""
    memory = (ctypes.c_char * dtype.itemsize).from_address(address)
    array = np.frombuffer(memoryview(memory), dtype).reshape(())
    array.flags.writeable = writable
    return CheckedRecord(array)


class Uncompiled:
    """A strategy that the engine calls by address and Python runs."""

    def __init__(self, strategy: Strategy) -> None:
        """Make the strategy's functions callable; they must stay as long as the address is used."""
        namespaces = _Namespaces()
        names: dict[str, Any] = {
            "lowest": namespaces.function(plain(lowest)),
            "weights_at": _weights_at,
        }
        if strategy.parameters:
            fields = [parameter.name for parameter in strategy.parameters]
            names["Parameters"] = namedtuple("Parameters", fields)
        for question, function in strategy.functions.items():
            names[question] = namespaces.function(plain(function))
        exec(generated_source(strategy), names)
        self._decide = names["decide"]
        self._files = {function.__code__.co_filename for function in with_helpers(strategy)}
        self._callback = CALL(self._answer)

    @property
    def address(self) -> int:
        """Where the engine finds the strategy."""
        return ctypes.cast(self._callback, ctypes.c_void_p).value or 0

    def _answer(self, view: int, move: int, own: int) -> None:
        """Answer a question; an exception leaves it unanswered, which stops the batch."""
        answer = _record_at(move, MOVE_DTYPE, writable=True)
        try:
            with np.errstate(all="ignore"):
                self._decide(
                    _record_at(view, VIEW_DTYPE, writable=False),
                    answer,
                    _record_at(own, OWN_DTYPE, writable=True),
                )
        except BaseException as error:
            answer.kind = UNANSWERED
            failures.note(error, self._line(error))

    def _line(self, error: BaseException) -> str | None:
        """`FILE:LINE` of the last line of the strategy's own that an exception passed through."""
        frames = [
            frame
            for frame in traceback.extract_tb(error.__traceback__)
            if frame.filename in self._files
        ]
        return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else None


@functools.cache
def uncompiled(strategy: Strategy) -> Uncompiled:
    """The strategy for the engine, uncompiled, made once a process.

    Raises:
        StrategyError: what `checking.check` finds.
    """
    check(strategy)
    return Uncompiled(strategy)
