"""Users' code run by Python itself, to find a fault: bounds are checked, and a debugger can stop.

The engine calls such code by address as it calls any other, but what is there leads back into
Python: the author's functions, their helpers and the toolkit are run as they are written, on
records that check every index. Numbers read from a record become Python's own whole numbers (planes
of cards stay uint64), as the compiler widens them, so the games are the compiled ones.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping
from types import CellType, FunctionType, ModuleType
from typing import Any

import numpy as np

from ethnos_sim.simulator import failures
from ethnos_sim.simulator.compiler.loops import begin_decision, end_decision
from ethnos_sim.simulator.kernel.asking import call_strategy
from ethnos_sim.simulator.kernel.memory import copy_record
from ethnos_sim.simulator.user_code.checking import own_package, with_helpers
from ethnos_sim.simulator.user_code.generating import Written
from ethnos_sim.simulator.user_code.showing import as_shown, as_shown_to, whole

#: What the engine calls: three addresses of records.
CALL = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)


class CheckedArray(np.ndarray):
    """An array whose items are read as Python's numbers, and as records where it holds records."""

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
        """A record in place of an array of shape ()."""
        object.__setattr__(self, "_array", array)

    def __getattr__(self, name: str) -> Any:
        """A field's value."""
        if name not in (self._array.dtype.names or ()):
            raise AttributeError(f"there is no field '{name}'")
        return as_python(self._array[name])

    def __setattr__(self, name: str, value: Any) -> None:
        """Change a field; ValueError for a record that may only be read."""
        if name not in (self._array.dtype.names or ()):
            raise AttributeError(f"there is no field '{name}'")
        self._array[name] = value


def as_python(value: Any) -> Any:
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
        return lambda *values, **named: as_python(found(*values, **named))


class Namespaces:
    """Python's own version of compiled functions, each made once, with all that they call."""

    def __init__(self, written: Mapping[Any, Any], stays_compiled: tuple[str, ...]) -> None:
        """Begin with what has no Python version of its own.

        Args:
            written: functions by those of compiled code in whose place they are called.
            stays_compiled: how the names of modules begin whose functions are called as they are.
        """
        self._functions: dict[Any, Any] = {**_IN_PYTHON, **written}
        self._stays_compiled = stays_compiled
        self._written = tuple(self._functions)
        self._modules: dict[int, ModuleType] = {}

    def function(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function as it is written, calling such functions in turn."""
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
        found: Callable[..., Any] = self._functions[function]
        return found

    def names(self, known: Mapping[str, Any]) -> dict[str, Any]:
        """Global names, with Python's own version of what is compiled."""
        return {name: self._value(value, "") for name, value in known.items()}

    def _module(self, known: dict[str, Any]) -> ModuleType:
        """A module of these global names, with Python's own version of what is compiled."""
        if id(known) not in self._modules:
            name = str(known.get("__name__", ""))
            found = self._modules[id(known)] = ModuleType(name)
            vars(found).update((each, self._value(value, name)) for each, value in known.items())
        return self._modules[id(known)]

    def _value(self, value: Any, module: str) -> Any:
        """What stands for a global value of a module."""
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
        # Made when it is first called: most of a module's functions never are.
        return lambda *values, **named: self.function(function)(*values, **named)


def _bare(value: Any) -> Any:
    """What compiled code takes: numpy's own record or array."""
    if isinstance(value, CheckedRecord):
        return value._array[()]
    return value.view(np.ndarray) if isinstance(value, CheckedArray) else value


def _on_checked(function: Any) -> Callable[..., Any]:
    """A function of numpy's records and arrays that takes and returns checked ones."""
    return lambda *values, **named: as_python(function(*map(_bare, values), **named))


def _call(address: int, *records: CheckedRecord) -> None:
    """Call a strategy's code at an address (`simulator.kernel.asking.call_strategy`)."""
    CALL(address)(*(record._array.ctypes.data for record in records))


def _copy(target: CheckedRecord, source: CheckedRecord) -> None:
    """Copy a record (`simulator.kernel.memory.copy_record`)."""
    target._array[()] = source._array[()]


#: What intrinsics of compiled code do, by them.
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
        written: Written,
        namespaces: Namespaces,
        shown: Mapping[np.dtype, bool],
        undo: Callable[..., None] = lambda *records: None,
    ) -> None:
        """Make a function callable; this must stay as long as its address is used.

        Args:
            written: what its author wrote; it takes three records.
            namespaces: Python's own version of what it refers to.
            shown: the layout of each record, and whether it may be written to.
            undo: called with the records where the function raised.

        Raises:
            `written.error`: what `written.check` finds.
        """
        written.check()
        names = namespaces.names(written.names)
        exec(written.source, names)
        self._function = names[written.entry]
        self._files = {each.__code__.co_filename for each in with_helpers(written.authors)}
        self._shown = shown
        self._undo = undo
        self._callback = CALL(self._run)

    @property
    def address(self) -> int:
        """Where the engine finds the function."""
        return ctypes.cast(self._callback, ctypes.c_void_p).value or 0

    def _run(self, *addresses: int) -> None:
        """Call the function; an exception leaves undone what it does, which stops the batch."""
        shown = zip(addresses, self._shown.items(), strict=True)
        records = [array_at(place, kind, 1, writable=write)[0] for place, (kind, write) in shown]
        try:
            with np.errstate(all="ignore"):
                self._function(*records)
        except BaseException as error:
            self._undo(*records)
            failures.note(error, failures.line_in(self._files, error))
