"""Run users' code in Python itself to find a fault: indices are checked, and debuggers work.

The engine calls this code by address as usual, but the address leads back into Python. The author's
functions, their helpers and the toolkit run uncompiled, on records that check every index. Integers
read from a record become Python's `int` (planes of cards stay uint64), just as the compiler widens
them, so the games are the same as games of compiled code.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping
from types import CellType, FunctionType, ModuleType
from typing import Any

import numpy as np

from ethnos_sim.simulator.compiler import failures
from ethnos_sim.simulator.compiler.rounds import begin_decision, end_decision
from ethnos_sim.simulator.kernel.asking import call_strategy
from ethnos_sim.simulator.kernel.memory import copy_record
from ethnos_sim.simulator.user_code.checking import own_package, with_helpers
from ethnos_sim.simulator.user_code.generating import GeneratedCode
from ethnos_sim.simulator.user_code.showing import as_shown, as_shown_to, whole

#: The type of function that the engine calls, with the addresses of three records.
CALL = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)


class CheckedArray(np.ndarray):
    """An array whose items are read as Python's numbers or as checked records."""

    def __getitem__(self, index: Any) -> Any:
        """An item or a part; IndexError outside the array."""
        places = index if isinstance(index, tuple) else (index,)
        return as_python(np.ndarray.__getitem__(self, (*places, ...)))

    def __iter__(self) -> Iterator[Any]:
        """The items, one by one."""
        return (self[i] for i in range(len(self)))


class CheckedRecord:
    """A record whose fields are attributes."""

    __slots__ = ("_array",)
    _array: np.ndarray

    def __init__(self, array: np.ndarray) -> None:
        """Wrap an array of shape ()."""
        object.__setattr__(self, "_array", array)

    def __getattr__(self, name: str) -> Any:
        """A field's value."""
        if name not in (self._array.dtype.names or ()):
            raise AttributeError(f"there is no field '{name}'")
        return as_python(self._array[name])

    def __setattr__(self, name: str, value: Any) -> None:
        """Change a field; ValueError for a read-only record."""
        if name not in (self._array.dtype.names or ()):
            raise AttributeError(f"there is no field '{name}'")
        self._array[name] = value


def as_python(value: Any) -> Any:
    """A value as compiled code would see it: wide integers, and checked arrays and records."""
    if not isinstance(value, np.ndarray | np.generic):
        return value
    if value.ndim:
        return value.view(CheckedArray)
    single = np.asarray(value)
    if single.dtype.names:
        return CheckedRecord(single)
    return single[()] if single.dtype == np.uint64 else single.item()


class CheckedNumpy:
    """NumPy as strategies see it: its functions return checked values, and int64 is `int`."""

    int64 = int

    def __getattr__(self, name: str) -> Any:
        """A function or type of numpy."""
        value = getattr(np, name)
        if isinstance(value, type) or not callable(value):
            return value
        return lambda *values, **named: as_python(value(*values, **named))


class Namespaces:
    """The Python versions of compiled functions and their callees, each created once."""

    def __init__(self, written: Mapping[Any, Any], stays_compiled: tuple[str, ...]) -> None:
        """Begin with the functions that are replaced or stay compiled.

        Args:
            written: Python replacements, by the compiled function that they replace.
            stays_compiled: prefixes of the names of modules whose functions stay compiled.
        """
        self._functions: dict[Any, Any] = {**_IN_PYTHON, **written}
        self._stays_compiled = stays_compiled
        self._written = tuple(self._functions)
        self._modules: dict[int, ModuleType] = {}

    def function(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The Python version of a function, which calls Python versions of other functions."""
        if function not in self._functions:
            cells = tuple(
                CellType(self._value(cell.cell_contents, function.__module__))
                for cell in function.__closure__ or ()
            )
            self._functions[function] = FunctionType(
                function.__code__,
                vars(self._module(function.__globals__)),
                function.__name__,
                function.__defaults__,
                cells,
            )
        copy: Callable[..., Any] = self._functions[function]
        return copy

    def names(self, known: Mapping[str, Any]) -> dict[str, Any]:
        """The global names `known`, with Python versions instead of compiled functions."""
        return {name: self._value(value, "") for name, value in known.items()}

    def _module(self, known: dict[str, Any]) -> ModuleType:
        """A module of these global names, with Python versions instead of compiled functions."""
        if id(known) not in self._modules:
            name = str(known.get("__name__", ""))
            module = self._modules[id(known)] = ModuleType(name)
            vars(module).update((key, self._value(value, name)) for key, value in known.items())
        return self._modules[id(known)]

    def _value(self, value: Any, module: str) -> Any:
        """The replacement of a global value of a module."""
        if value is np:
            return CheckedNumpy()
        if isinstance(value, np.ndarray):
            return value.view(CheckedArray)
        if isinstance(value, ModuleType) and own_package(value.__name__) == own_package(module):
            return self._module(vars(value))
        if any(value is known for known in self._written):
            return self._functions[value]
        function = getattr(value, "py_func", None)
        if function is None:
            return value
        if function.__module__.startswith(self._stays_compiled):
            return _on_checked(value)
        # Create it on the first call: most of a module's functions are never called.
        return lambda *values, **named: self.function(function)(*values, **named)


def _bare(value: Any) -> Any:
    """Turn a checked value into its NumPy record or array; leave other values as they are."""
    if isinstance(value, CheckedRecord):
        return value._array[()]
    return value.view(np.ndarray) if isinstance(value, CheckedArray) else value


def _on_checked(function: Any) -> Callable[..., Any]:
    """Let a function of NumPy's records and arrays take and return checked records and arrays."""
    return lambda *values, **named: as_python(function(*map(_bare, values), **named))


def _call(address: int, *records: CheckedRecord) -> None:
    """Replace `simulator.kernel.asking.call_strategy`: call a strategy's code at an address."""
    CALL(address)(*(record._array.ctypes.data for record in records))


def _copy(target: CheckedRecord, source: CheckedRecord) -> None:
    """Replace `simulator.kernel.memory.copy_record`: copy a record."""
    target._array[()] = source._array[()]


#: Python replacements of compiled code's intrinsics.
_IN_PYTHON = {
    call_strategy: _call,
    copy_record: _copy,
    begin_decision: lambda: 0,
    end_decision: lambda begun: None,
    as_shown: lambda record: record,
    as_shown_to: lambda games, view: games,
    whole: lambda record: record,
}


def array_at(address: int, dtype: np.dtype, size: int, *, writable: bool = False) -> CheckedArray:
    """The array of shape (size,) at an address."""
    memory = (ctypes.c_char * (size * dtype.itemsize)).from_address(address)
    array = np.frombuffer(memoryview(memory), dtype)
    array.flags.writeable = writable
    return array.view(CheckedArray)


class Uncompiled:
    """A generated function that the engine calls by address and Python runs."""

    def __init__(
        self,
        code: GeneratedCode,
        namespaces: Namespaces,
        shown: Mapping[np.dtype, bool],
        undo: Callable[..., None] = lambda *records: None,
    ) -> None:
        """Make a function callable; keep this object alive while its address is used.

        Args:
            code: the author's functions and the generated function of three records.
            namespaces: the Python versions of the functions that it refers to.
            shown: the layout of each record, and whether it may be written to.
            undo: called with the records if the function raises.

        Raises:
            `code.error`: `code.check` fails.
        """
        code.check()
        names = namespaces.names(code.names)
        exec(code.source, names)
        self._function = names[code.entry]
        self._files = {helper.__code__.co_filename for helper in with_helpers(code.authors)}
        self._shown = shown
        self._undo = undo
        self._callback = CALL(self._run)

    @property
    def address(self) -> int:
        """The address at which the engine calls the function."""
        return ctypes.cast(self._callback, ctypes.c_void_p).value or 0

    def _run(self, *addresses: int) -> None:
        """Call the function; if it raises, call `undo` and note the error to stop the batch."""
        shown = zip(addresses, self._shown.items(), strict=True)
        records = [array_at(place, kind, 1, writable=write)[0] for place, (kind, write) in shown]
        try:
            with np.errstate(all="ignore"):
                self._function(*records)
        except BaseException as error:
            self._undo(*records)
            failures.note(error, failures.line_in(self._files, error))
