"""Tell this package's functions from users' functions by file and identity, never by name.

A user may give a module and its functions any name. A function belongs to this package only if
Python imported its module, and the module's file in this package's folder contains the same code.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

_NAME = __name__.partition(".")[0]

#: The folder that holds this package.
_FOLDER = Path(__file__).resolve().parents[__name__.count(".") - 1]


def module_of(function: Callable[..., Any], package: str = _NAME) -> str | None:
    """The name of the package's module that defines a function; None for other functions.

    Args:
        function: a function written in Python.
        package: this package, or another package whose modules are files.
    """
    named = getattr(function, "__globals__", {})
    name = named.get("__name__")
    if not isinstance(name, str) or name.partition(".")[0] != package:
        return None
    if getattr(sys.modules.get(name), "__dict__", None) is not named:
        return None
    return name if function.__code__ in _codes_in(name) else None


def is_own(function: Callable[..., Any]) -> bool:
    """Whether a function belongs to this package, not to a user."""
    return module_of(function) is not None


@functools.cache
def _codes_in(module: str) -> frozenset[CodeType]:
    """All code objects in the file of a package's module; empty if there is no file."""
    package, *names = module.split(".")
    place = (_FOLDER if package == _NAME else _folder_of(package)).joinpath(*names)
    for file in (place.with_suffix(".py"), place / "__init__.py"):
        if file.is_file():
            code = SourceFileLoader(module, str(file)).get_code(module)
            return frozenset(_all_code(code)) if code else frozenset()
    return frozenset()


def _folder_of(package: str) -> Path:
    """The folder of an installed package."""
    return Path(str(sys.modules[package].__file__)).parent


def _all_code(code: CodeType) -> Iterator[CodeType]:
    """A code object and all code objects within it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _all_code(constant)
