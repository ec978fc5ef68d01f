"""Compare the meanings of names, functions and symbols before and after a user's file is loaded.

The checks of users' code rely on this package, on numba and on a part of Python's library. A file
could change a constant, a set or a method there, replace a module, or give a function of C another
address. So these things must be the same after the file is loaded.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import re
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import FunctionType, MappingProxyType, ModuleType
from typing import Any

import numpy as np
from llvmlite import binding
from numba import _helperlib, types
from numba.core import pythonapi
from numba.core.dispatcher import Dispatcher, _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.registry import cpu_target
from numba.core.runtime import _nrt_python, rtsys

from ethnos_sim.simulator.compiler import judging, reach
from ethnos_sim.simulator.compiler.ownership import module_of
from ethnos_sim.simulator.compiler.registries import all_kept

_OWN = __name__.partition(".")[0]

#: Packages in which no name may change its meaning.
_PACKAGES = frozenset({_OWN, "llvmlite", "numba"})

#: Other modules that the checks rely on.
_RELIED_ON = frozenset(
    {
        *("_frozen_importlib", "_frozen_importlib_external", "ast", "builtins", "ctypes", "dis"),
        *("functools", "importlib", "inspect", "itertools", "linecache", "math", "numpy"),
        *("operator", "pathlib", "re", "types"),
    }
)

#: Types of values that a file must not change. Outside this package, other values are not compared,
#: because numba changes them while it works.
_CONSTANT = (frozenset, tuple, MappingProxyType)

#: The functions of C that copy and fill memory for finished code.
_MEMORY = ("memcpy", "memmove", "memset")

#: A module, class, collection or object in the snapshot: its name, itself, and its content.
_Snapshot = tuple[str, Any, Any]


def _modules() -> dict[str, ModuleType]:
    """The modules whose names may not change their meaning."""
    return {
        name: module
        for name, module in list(sys.modules.items())
        if isinstance(module, ModuleType)
        and (name.partition(".")[0] in _PACKAGES or name in _RELIED_ON)
    }


def _guarded_names(module: str, names: Mapping[str, Any]) -> dict[str, Any]:
    """The names in a module, or in one of its classes, that a file must not change.

    In this package these are all names, in other packages the names of callables and constants.
    """
    if module.partition(".")[0] == _OWN or module.startswith("numba.core.config"):
        return dict(names)
    return {
        name: value
        for name, value in names.items()
        if callable(value) or isinstance(value, _CONSTANT)
    }


def _namespaces(modules: Mapping[str, ModuleType]) -> Iterator[_Snapshot]:
    """Modules and the classes in them, with the values of their names."""
    for name, module in modules.items():
        meanings = _guarded_names(name, vars(module))
        yield name, module, meanings
        for value in meanings.values():
            if isinstance(value, type) and value.__module__ == name:
                yield f"{name}.{value.__qualname__}", value, _guarded_names(name, vars(value))


def _content(value: Any) -> Any:
    """The parts of a value, to be compared later; None for a value that is not compared."""
    kind = type(value)
    if isinstance(value, dict | MappingProxyType):
        return dict(value)
    if isinstance(value, list | tuple | set | frozenset):
        return list(value)
    is_ours = kind.__module__.partition(".")[0] == _OWN
    if isinstance(value, Dispatcher | _FunctionCompiler | types.Type) or is_ours:
        names = getattr(value, "__dict__", {})
        return {name: part for name, part in names.items() if not _is_late(value, name)}
    if kind is FunctionType:
        return _parts(value) if value.__module__.partition(".")[0] == _OWN else None
    return value.tobytes() if kind is np.ndarray else None


def _is_late(value: Any, name: str) -> bool:
    """Whether an object gets an attribute only on the first access."""
    return isinstance(getattr(type(value), name, None), functools.cached_property)


def _parts(function: FunctionType) -> dict[Any, Any]:
    """The code of a function, its default arguments, and the values in its closure."""
    cells = []
    for cell in function.__closure__ or ():
        with contextlib.suppress(ValueError):  # an empty cell
            cells.append(cell.cell_contents)
    names = ("__code__", "__defaults__", "__kwdefaults__")
    return {name: getattr(function, name) for name in names} | dict(enumerate(cells))


def _values_within(namespaces: list[_Snapshot]) -> Iterator[_Snapshot]:
    """The content of each value that a name of this package leads to, directly or not."""
    known: set[int] = set()
    waiting = [
        (name, value)
        for name, _, meanings in namespaces
        if name.partition(".")[0] == _OWN
        for value in meanings.values()
    ]
    while waiting:
        name, value = waiting.pop()
        name = getattr(value, "__module__", None) or name
        content = None if id(value) in known or isinstance(value, type) else _content(value)
        known.add(id(value))
        if content is not None:
            yield name, value, content
            parts = content.values() if isinstance(content, dict) else content
            waiting.extend((name, part) for part in parts if not isinstance(part, int | str))


def _is_as_before(name: str, value: Any, before: Any) -> bool:
    """Whether a value has the content `before`. Compiling may add to modules and collections."""
    if isinstance(value, ModuleType | type):
        now = _guarded_names(name, vars(value))
        may_grow = isinstance(value, ModuleType)
        return all_kept(before, now) and (may_grow or len(now) == len(before))
    now = _content(value)
    if isinstance(value, set | frozenset):
        return set(before) <= value
    if isinstance(now, dict):
        may_grow = value is judging.known or isinstance(value, OrderedDict)
        return all_kept(before, now) and (may_grow or len(now) == len(before))
    if isinstance(now, list):
        return len(now) == len(before) and all(a is b for a, b in zip(now, before, strict=True))
    return bool(now == before)


def _restore(value: Any, before: Any) -> None:
    """Give a value its old content again."""
    match value:
        case set() | list():
            value.clear()
            value.extend(before) if isinstance(value, list) else value.update(before)
        case dict():
            value.update(before)
            for key in value.keys() - before.keys():
                del value[key]
        case np.ndarray():
            value[...] = np.frombuffer(before, value.dtype).reshape(value.shape)
        case _:
            for name, part in before.items():
                if isinstance(name, str) and getattr(value, name, None) is not part:
                    setattr(value, name, part)
            if isinstance(value, type):
                for name in vars(value).keys() - before.keys():
                    delattr(value, name)


def _is_genuine(module: ModuleType) -> bool:
    """Whether a module with a name of this package has only functions of the package's file."""
    functions = [getattr(value, "py_func", value) for value in vars(module).values()]
    return Path(getattr(module, "__file__", None) or "").is_file() and all(
        module_of(function) == module.__name__
        for function in functions
        if isinstance(function, FunctionType) and function.__module__ == module.__name__
    )


def _symbols() -> dict[str, int | None]:
    """The addresses of the functions of C, numba and Python that compiled code calls, by name."""
    rtsys.initialize(cpu_target.target_context)
    names = [f"{name}{kind}" for name in judging.MATHEMATICS for kind in ("", "f")]
    names += _MEMORY
    names += [f"numba_{name}" for name in vars(_helperlib)["c_helpers"]]
    names += [f"NRT_{name}" for name in _nrt_python.c_helpers]
    names += re.findall(r'"(Py\w+)"', Path(pythonapi.__file__).read_text(encoding="utf-8"))
    return {name: binding.address_of_symbol(name) for name in names}


def _followers() -> tuple[Any, Any, list[Any]]:
    """The functions that Python calls to profile, to trace, and around garbage collection."""
    return sys.getprofile(), sys.gettrace(), [*gc.callbacks]


def _settings() -> dict[str, str]:
    """The environment variables that the compilers of worker processes read."""
    names = [name for name in os.environ if name.startswith(("ETHNOS_SIM_", "NUMBA_"))]
    return {name: os.environ[name] for name in names}


class _Watch(MetaPathFinder):
    """Finds this package's modules as Python does, and passes each module on once it has run."""

    def __init__(self, seen: Callable[[dict[str, ModuleType]], None]) -> None:
        self._seen = seen

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """A module of this package; None for a name of another package."""
        is_ours = fullname.partition(".")[0] == _OWN
        spec = PathFinder.find_spec(fullname, path, target) if is_ours else None
        loader: Any = spec and spec.loader
        if loader is None:
            return None

        def run(module: ModuleType) -> None:
            del loader.exec_module
            loader.exec_module(module)
            self._seen({fullname: module})

        loader.exec_module = run
        return spec


class Meanings:
    """A snapshot of everything that the checks of users' code rely on.

    As a context manager, it adds every module of this package that is loaded meanwhile.
    """

    def __init__(self) -> None:
        """Take the snapshot."""
        self._modules = _modules()
        self._before: list[_Snapshot] = []
        self._take(self._modules)
        self._tools = set(reach._tools)
        self._symbols = _symbols()
        self._finders = [*sys.meta_path]
        self._followers = _followers()
        self._threads = set(threading.enumerate())
        self._settings = _settings()

    def _take(self, modules: dict[str, ModuleType]) -> None:
        """Add modules to the snapshot."""
        namespaces = [*_namespaces(modules)]
        self._before += [*namespaces, *_values_within(namespaces)]

    def __enter__(self) -> None:
        self._watch = _Watch(self._take)
        sys.meta_path.insert(0, self._watch)

    def __exit__(self, *error: object) -> None:
        with contextlib.suppress(ValueError):
            sys.meta_path.remove(self._watch)

    def changed(self) -> str | None:
        """What has changed since the snapshot, in words; None if nothing has."""
        for name, value, before in self._before:
            if not _is_as_before(name, value, before):
                return f"it changes what a name of '{name}' means"
        return self._changed_module() or self._changed_hook()

    def _changed_module(self) -> str | None:
        """A sentence about a module or a symbol that was replaced, or None."""
        now = _modules()
        new = now.keys() - self._modules.keys()
        for name, module in self._modules.items():
            if now.get(name) is not module:
                return f"it takes the module '{name}' away"
        for name in new:
            if name.partition(".")[0] == _OWN and not _is_genuine(now[name]):
                return f"the module '{name}' is not this program's"
        for tool in reach._tools - self._tools:
            if module_of(getattr(tool, "py_func", tool)) not in new:
                return "it lets users' code call more than it may"
        for name, address in _symbols().items():
            if address != self._symbols[name]:
                return f"it gives the compiler another function '{name}'"
        return None

    def _changed_hook(self) -> str | None:
        """A sentence about a change of what Python itself calls, starts or reads, or None."""
        if sys.meta_path[: len(self._finders)] != self._finders:
            return "it changes how Python finds modules"
        if _followers() != self._followers:
            return "it follows what Python does"
        if set(threading.enumerate()) - self._threads:
            return "it starts a thread"
        if _settings() != self._settings:
            return "it changes an environment variable of the compiler"
        return None

    def undo(self) -> None:
        """Restore names, collections, objects, functions and symbols, as far as possible."""
        sys.modules.update(self._modules)
        reach._tools.intersection_update(self._tools)
        for name, value, before in self._before:
            if not _is_as_before(name, value, before):
                with contextlib.suppress(AttributeError, TypeError, ValueError):
                    _restore(value, before)
        for name, address in self._symbols.items():
            if address is not None:
                binding.add_symbol(name, address)
        for name in _settings().keys() - self._settings.keys():
            del os.environ[name]
        os.environ.update(self._settings)
        sys.meta_path[:] = self._finders
        profile, trace, callbacks = self._followers
        sys.setprofile(profile)
        sys.settrace(trace)
        gc.callbacks[:] = callbacks
