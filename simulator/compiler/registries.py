"""Compare numba's registries before and after a user's file is loaded.

A file that extends numba (`overload`, `intrinsic`, `lower_builtin`, a type of its own) could change
what `abs` or `+` do to a record. So loading a file must not change numba's registries.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import Any

from numba.core import imputils, pythonapi, rewrites, target_extension, types
from numba.core.datamodel.registry import default_manager
from numba.core.typing import templates
from numba.core.typing.asnumbatype import as_numba_type
from numba.core.typing.typeof import typeof_impl

from ethnos_sim.simulator.compiler import reach
from ethnos_sim.simulator.compiler.ownership import module_of

#: The names of the lists of each kind of registry.
_LISTS = {
    templates.Registry: ("functions", "attributes", "globals"),
    imputils.Registry: ("functions", "getattrs", "setattrs", "casts", "constants"),
}

#: Registries to which numba adds implementations of its own functions only on first use.
_WRITTEN_LATE = ("imputils", "_boxers", "_unboxers", "_reflectors")

_Contents = dict[str, Mapping[Any, Any]]


def _lists() -> Iterator[tuple[str, list[Any]]]:
    """Every list of numba's registries."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "numba":
            for registry in list(vars(module).values()):
                for kind in _LISTS.get(type(registry), ()):
                    home = type(registry).__module__.rpartition(".")[2]
                    yield f"{home} {id(registry)} {kind}", getattr(registry, kind)


def _modules_of_numba() -> set[str]:
    """The names of numba's modules that are loaded."""
    return {name for name in sys.modules if name.partition(".")[0] == "numba"}


def _types(kind: type) -> Iterator[type]:
    """A class and all its subclasses."""
    yield kind
    subclass: type
    for subclass in kind.__subclasses__():
        yield from _types(subclass)


def _contents() -> _Contents:
    """The content of all of numba's registries, by the registry's name."""
    contents: _Contents = {name: dict(enumerate(entries)) for name, entries in _lists()}
    contents["typeof"] = dict(typeof_impl.registry)
    contents["as_numba_type"] = dict(enumerate(as_numba_type.functions)) | {
        str(key): value for key, value in as_numba_type.lookup.items()
    }
    contents["data models"] = dict(default_manager._handlers)
    for name in ("_boxers", "_unboxers", "_reflectors"):
        contents[name] = dict(getattr(pythonapi, name).functions)
    for name, kept in rewrites.rewrite_registry.rewrites.items():
        contents[f"rewrites {name}"] = dict(enumerate(kept))
    for name in ("target_registry", "jit_registry", "dispatcher_registry"):
        contents[name] = dict(getattr(target_extension, name))
    contents["types"] = {kind: kind for kind in _types(types.Type)}
    contents["compilers"] = {compiler: compiler for compiler in reach.bounded}
    return contents


def _is_numbas(function: Any, depth: int = 4) -> bool:
    """Whether numba defines a function and the functions in its closure; True for other values."""
    function = getattr(function, "__func__", function)
    if not isinstance(function, FunctionType):
        return True
    held = [cell.cell_contents for cell in function.__closure__ or ()] if depth else []
    known = module_of(function, "numba") is not None
    return known and all(_is_numbas(value, depth - 1) for value in held)


def _is_numbas_entry(entry: Any) -> bool:
    """Whether numba itself registered an entry.

    An entry is a class, a function, a tuple that begins with a function, or a value and its type.
    """
    if isinstance(entry, type) and issubclass(entry, types.Type):
        home = sys.modules.get(entry.__module__)
        return entry.__module__ in _modules_of_numba() and vars(home).get(entry.__name__) is entry
    if isinstance(entry, type):  # `key` is the function that a type describes, perhaps a user's
        return all(_is_numbas(value) for name, value in vars(entry).items() if name != "key")
    if isinstance(entry, tuple) and isinstance(entry[-1], types.Function):
        return all(map(_is_numbas_entry, entry[-1].templates))
    return _is_numbas(entry[0] if isinstance(entry, tuple) else entry)


class Registries:
    """A snapshot of numba's registries."""

    def __init__(self) -> None:
        """Take the snapshot."""
        self._modules = _modules_of_numba()
        self._contents = _contents()

    def changed(self) -> str | None:
        """What has changed since the snapshot, in words; None if nothing has.

        Numba's own modules add to the registries as they are loaded. This does not count.
        """
        now = _contents()
        grown = _modules_of_numba() - self._modules
        for name, before in self._contents.items():
            after = now.get(name, {})
            more = [entry for key, entry in after.items() if key not in before]
            late = grown or name.startswith(_WRITTEN_LATE)
            if not all_kept(before, after) or (
                more and not (late and all(map(_is_numbas_entry, more)))
            ):
                return "it teaches the compiler something (numba.extending)"
        return None

    def undo(self) -> None:
        """Restore numba's registries, as far as possible."""
        before = {id(entry) for entries in self._contents.values() for entry in entries.values()}
        for _, entries in _lists():
            entries[:] = [
                entry for entry in entries if id(entry) in before or _is_numbas_entry(entry)
            ]
        reach.bounded.intersection_update(self._contents["compilers"])


def all_kept(before: Mapping[Any, Any], after: Mapping[Any, Any]) -> bool:
    """Whether all entries of `before` are still there, as the same objects."""
    return all(key in after and after[key] is value for key, value in before.items())
