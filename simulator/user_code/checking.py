"""Check users' code before it is compiled, so that errors name a line of the author's file.

The compiler finds most of these mistakes too, but its messages are hard to read and often name no
line. Reads and writes are checked during compilation (`simulator.compiler.shown_records`).
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

from ethnos_sim.simulator.compiler.identity import UNDEFINED, references
from ethnos_sim.simulator.compiler.origin import is_from_package
from ethnos_sim.simulator.utilities.errors import name_hint

#: Modules whose functions give different results in every run, or run unchecked code.
FORBIDDEN_MODULES = (
    *("_ctypes", "ctypes", "datetime", "io", "locale", "multiprocessing", "nt"),
    *("numba.core.withcontexts", "os", "platform", "posix", "random", "resource", "secrets"),
    *("socket", "subprocess", "sys", "tempfile", "threading", "time", "uuid"),
)


def python_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """The Python function behind a compiled function; a Python function is returned as it is."""
    function_in_python: Callable[..., Any] = getattr(function, "py_func", function)
    return function_in_python


def source_line(function: Callable[..., Any], line: int | None = None) -> str:
    """`FILE:LINE` of a function, or of a line in its file."""
    function = python_function(function)
    return f"{inspect.getsourcefile(function)}:{line or function.__code__.co_firstlineno}"


def author_name(module: str) -> str:
    """The name of a module's author: the top-level package, or in this package the module itself.

    Code of one author is checked together.
    """
    return module if module.startswith("ethnos_sim.") else module.partition(".")[0]


def with_callees(
    functions: Iterable[Callable[..., Any]],
    is_included: Callable[[Callable[..., Any], Callable[..., Any]], bool],
) -> list[Callable[..., Any]]:
    """Functions and the compiled functions that they call, directly or through others.

    A compiled function is included if `is_included(function, caller)` is true.
    """
    called = [python_function(function) for function in functions]
    for function in called:
        for reference in references(function):
            helper = getattr(reference.value, "py_func", None)
            if helper and helper not in called and is_included(helper, function):
                called.append(helper)
    return called


def _same_author(helper: Callable[..., Any], function: Callable[..., Any]) -> bool:
    """Whether a function and a helper that it calls belong to the same author."""
    return author_name(helper.__module__) == author_name(function.__module__)


def with_helpers(functions: Iterable[Callable[..., Any]]) -> list[Callable[..., Any]]:
    """Functions and the compiled helpers of the same author that they call."""
    return with_callees(functions, _same_author)


def _endless_calls(function: Callable[..., Any]) -> Iterator[tuple[int, str]]:
    """Lines and complaints on calls that might never end: recursion, loops without a bound."""
    for line, name, value in references(function):
        helper = getattr(value, "py_func", None)
        if helper is None or not _same_author(helper, function):
            continue
        if function in with_helpers([helper]):
            yield line, f"'{name}' calls '{function.__name__}' again without a bound; use a loop"
        elif not is_from_package(helper) and not value.targetoptions.get("boundscheck"):
            yield line, f"the loops of '{name}' have no bound; put @kernel above its definition"


def _unknown_fields(
    tree: ast.AST, fields: Mapping[str, tuple[str, Sequence[str]]]
) -> Iterator[tuple[int, str]]:
    """Lines and complaints on reads of fields that an argument does not have."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            complaint, names = fields.get(node.value.id, ("", [node.attr]))
            if node.attr not in names:
                close = name_hint(node.attr, names)
                # The view has too many fields to list all in a message.
                yield node.lineno, f"{complaint} '{node.attr}'{close if 'mean' in close else ''}"


def _unknown_names(function: Callable[..., Any]) -> Iterator[tuple[int, str]]:
    """Lines and complaints on undefined names, and on names of functions that are not compiled."""
    for reference in references(function):
        if reference.value is UNDEFINED:
            yield reference.line, f"name '{reference.name}' is not defined"
        elif inspect.isfunction(reference.value) and "." not in reference.name:
            yield (
                reference.line,
                f"'{reference.name}' is not compiled; put @kernel above its definition",
            )


def _varying_results(function: Callable[..., Any], chance_hint: str) -> Iterator[tuple[int, str]]:
    """Lines and complaints on functions whose results differ between runs, such as clocks."""
    for reference in references(function):
        value = reference.value
        owner = getattr(value, "__module__", None) or type(getattr(value, "__self__", 0)).__module__
        module = value.__name__ if isinstance(value, ModuleType) else str(owner)
        if f"{module}.".startswith("numpy.random."):
            yield reference.line, f"no random numbers of NumPy: {chance_hint}"
        elif f"{module}.".startswith(tuple(f"{name}." for name in FORBIDDEN_MODULES)):
            yield reference.line, f"'{reference.name}' may differ from run to run; {chance_hint}"


def complaints(
    functions: Sequence[Callable[..., Any]],
    chance_hint: str,
    fields: Mapping[str, tuple[str, Sequence[str]]],
) -> Iterator[tuple[str, str]]:
    """`FILE:LINE` and a complaint for every mistake in an author's functions and their helpers.

    Mistakes are unknown fields, undefined names, functions that are not compiled, results that
    differ from run to run, and calls that might never end.

    Args:
        functions: the author's functions.
        chance_hint: what to use for random numbers, as a complaint says it.
        fields: by argument's name, the beginning of the complaint about an unknown field, and the
            known fields.
    """
    for function in with_callees(functions, lambda helper, _: not is_from_package(helper)):
        for line, complaint in _varying_results(function, chance_hint):
            yield source_line(function, line), complaint
    for function in with_helpers(functions):
        in_function = [*_unknown_names(function), *_endless_calls(function)]
        try:
            lines, first = inspect.getsourcelines(function)
        except OSError:  # the function was typed at a prompt and has no file
            lines, first = [], 0
        tree = ast.parse(textwrap.dedent("".join(lines)))
        in_text = _unknown_fields(tree, fields)
        in_function += [(first + line - 1, complaint) for line, complaint in in_text]
        for line, complaint in sorted(in_function):
            yield source_line(function, line), complaint
