"""Lazy imports: a package offers names, and imports the module of a name on first use.

So importing a package is quick, and its users need not know its modules.
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
        package: the package's name.
        modules: the offered names of each module, by the module's name relative to the package (a
            leading dot is a module beside the package). If the module does not define a name, the
            name stands for the module itself.
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
