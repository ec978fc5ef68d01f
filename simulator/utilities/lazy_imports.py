"""Lazy imports: a package offers names, and imports the module of a name on first use.

So importing a package is quick, and its users need not know its modules.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any


def lazy_names(
    package: str, modules: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """The `__getattr__`, `__dir__` and `__all__` of a package that imports lazily (PEP 562).

    Args:
        package: the package's name.
        modules: for each module, the names that it provides, separated by spaces. A module is named
            as in a relative import, without its first dot. A name that its module does not define
            stands for the module itself.
    """
    module_of = {name: module for module, names in modules.items() for name in names.split()}

    def imported_name(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module '{package}' has no attribute {name!r}")
        imported = importlib.import_module(f".{module_of[name]}", package)
        value = getattr(imported, name, imported)
        setattr(sys.modules[package], name, value)
        return value

    def all_names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *module_of})

    return imported_name, all_names, sorted(module_of)
