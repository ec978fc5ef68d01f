"""Tell this package's functions from users' functions, which are compiled with checks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_PACKAGE = __name__.partition(".")[0]


def is_from_package(function: Callable[..., Any]) -> bool:
    """Whether a function's module is one of this package."""
    name = getattr(function, "__globals__", {}).get("__name__")
    return isinstance(name, str) and name.partition(".")[0] == _PACKAGE
