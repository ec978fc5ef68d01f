"""Names that a package offers, each from the module that has it, imported when first used.

So an import of a package is quick, and whoever uses what it offers need not know its files.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any


def offer(
    package: str, modules: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """The `__getattr__`, `__dir__` and `__all__` of a package (PEP 562).

    Args:
        package: its name.
        modules: by module, named from the package on (one beside it with a dot before), the names
            that it has of those offered; a module that has no such name is offered itself.
    """
    homes = {name: module for module, names in modules.items() for name in names.split()}

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module '{package}' has no attribute {name!r}")
        home = importlib.import_module(f".{homes[name]}", package)
        value = getattr(home, name, home)
        setattr(sys.modules[package], name, value)
        return value

    def listed() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes})

    return find, listed, sorted(homes)
