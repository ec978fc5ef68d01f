"""What is looked at before users' code is compiled, so that errors name the author's own line.

The compiler finds most of this too, but tells it in its own words, often without a line. What code
may reach and write to is looked at while it is compiled (`simulator.compiler.reach`).
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

from ethnos_sim.simulator.compiler.belonging import is_own
from ethnos_sim.simulator.compiler.identity import MISSING, references
from ethnos_sim.simulator.compiler.reach import is_bounded
from ethnos_sim.simulator.errors import nearest

#: Modules whose functions answer otherwise in another run, or run code that nothing looks at.
OUTSIDE = (
    *("_ctypes", "ctypes", "datetime", "io", "locale", "multiprocessing", "nt", "numpy.random"),
    *("numba.core.withcontexts", "os", "platform", "posix", "random", "resource", "secrets"),
    *("socket", "subprocess", "sys", "tempfile", "threading", "time", "uuid"),
)


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """The Python function behind a compiled one."""
    found: Callable[..., Any] = getattr(function, "py_func", function)
    return found


def place_of(function: Callable[..., Any], line: int | None = None) -> str:
    """`FILE:LINE` of a function, or of a line in its file."""
    function = plain(function)
    return f"{inspect.getsourcefile(function)}:{line or function.__code__.co_firstlineno}"


def own_package(module: str) -> str:
    """What belongs to a module's author: a library file's module, else the top-level package."""
    return module if module.startswith("ethnos_sim.") else module.partition(".")[0]


def with_called(
    functions: Iterable[Callable[..., Any]],
    follows: Callable[[Callable[..., Any], Callable[..., Any]], bool],
) -> list[Callable[..., Any]]:
    """Functions and the compiled ones that they call, at once or through others.

    Those are told of which `follows` says so, given one and who calls it.
    """
    found = [plain(function) for function in functions]
    for function in found:
        for each in references(function):
            helper = getattr(each.value, "py_func", None)
            if helper and helper not in found and follows(helper, function):
                found.append(helper)
    return found


def _of_one_author(helper: Callable[..., Any], function: Callable[..., Any]) -> bool:
    """Whether a function and a helper that it calls belong to the same author."""
    return own_package(helper.__module__) == own_package(function.__module__)


def with_helpers(functions: Iterable[Callable[..., Any]]) -> list[Callable[..., Any]]:
    """Functions and the compiled helpers of the same author that they call."""
    return with_called(functions, _of_one_author)


def _without_a_bound(function: Callable[..., Any]) -> Iterator[tuple[int, str]]:
    """Calls that nothing would end: of functions that call themselves, or were not bounded."""
    for line, name, value in references(function):
        helper = getattr(value, "py_func", None)
        if helper is None or not _of_one_author(helper, function):
            continue
        if function in with_helpers([helper]):
            yield line, f"'{name}' comes back to '{function.__name__}' without a bound; use a loop"
        elif not is_own(helper) and not is_bounded(value):
            yield line, f"the loops of '{name}' have no bound; put @kernel above its definition"


def _unknown_fields(
    tree: ast.AST, fields: Mapping[str, tuple[str, Sequence[str]]]
) -> Iterator[tuple[int, str]]:
    """Fields of arguments that do not exist."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            complaint, names = fields.get(node.value.id, ("", [node.attr]))
            if node.attr not in names:
                close = nearest(node.attr, names)
                # The view's fields are too many for a sentence.
                yield node.lineno, f"{complaint} '{node.attr}'{close if 'mean' in close else ''}"


def _unknown_names(function: Callable[..., Any]) -> Iterator[tuple[int, str]]:
    """Names that mean nothing, or a function that is not compiled."""
    for found in references(function):
        if found.value is MISSING:
            yield found.line, f"name '{found.name}' is not defined"
        elif inspect.isfunction(found.value) and "." not in found.name:
            yield found.line, f"'{found.name}' is not compiled; put @kernel above its definition"


def _what_differs_between_runs(
    function: Callable[..., Any], chance: str
) -> Iterator[tuple[int, str]]:
    """Names of what gives other answers in another run: chance, clocks, the machine."""
    for found in references(function):
        value = found.value
        owner = getattr(value, "__module__", None) or type(getattr(value, "__self__", 0)).__module__
        module = value.__name__ if isinstance(value, ModuleType) else str(owner)
        if f"{module}.".startswith(tuple(f"{name}." for name in OUTSIDE)):
            yield found.line, f"'{found.name}' may differ from run to run; {chance}"


def complaints(
    asked: Sequence[Callable[..., Any]],
    others: Sequence[Callable[..., Any]],
    chance: str,
    fields: Mapping[str, tuple[str, Sequence[str]]],
) -> Iterator[tuple[str, str]]:
    """What is wrong with an author's functions and their helpers: `FILE:LINE`, and a complaint.

    One reads a field that does not exist, uses an unknown name, a function that is not compiled or
    what differs from run to run, or calls what might never end.

    Args:
        asked: the functions that decide games.
        others: further ones, which may differ from run to run.
        chance: where chance comes from, as messages say it.
        fields: by the name of an argument, how a complaint about an unknown field of it begins,
            and the known ones.
    """
    for function in with_called(asked, lambda helper, _: not is_own(helper)):
        for line, complaint in _what_differs_between_runs(function, chance):
            yield place_of(function, line), complaint
    for function in with_helpers((*asked, *others)):
        found = [*_unknown_names(function), *_without_a_bound(function)]
        try:
            lines, first = inspect.getsourcelines(function)
        except OSError:  # typed at a prompt: there is no text to look at
            lines, first = [], 0
        tree = ast.parse(textwrap.dedent("".join(lines)))
        in_text = _unknown_fields(tree, fields)
        found += [(first + line - 1, complaint) for line, complaint in in_text]
        for line, complaint in sorted(found):
            yield place_of(function, line), complaint
