"""What belongs to this package: by the file that it came from and by identity, never by a name.

A user's module may call itself and what it defines as it likes. A function is this package's own if
its module is the one that Python imported, and the file in this package's folder that the module's
name stands for holds its very code.
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
    """The name of a package's module that a function stands in; None where it is not the package's.

    Args:
        function: one written in Python.
        package: this one, or another whose modules are files.
    """
    named = getattr(function, "__globals__", {})
    name = named.get("__name__")
    if not isinstance(name, str) or name.partition(".")[0] != package:
        return None
    if getattr(sys.modules.get(name), "__dict__", None) is not named:
        return None
    return name if function.__code__ in _codes_in(name) else None


def is_own(function: Callable[..., Any]) -> bool:
    """Whether a function is this package's own, and not a user's."""
    return module_of(function) is not None


@functools.cache
def _codes_in(module: str) -> frozenset[CodeType]:
    """All code in the file of a package's module; none where there is no such file."""
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
    """A piece of code and all that stands within it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _all_code(constant)
