"""What no package offers, found by its name: a test names the folder, and need not know the file.

    from inside.reports.gate import Decision

finds the one file of `reports/gate` that defines `Decision`, and imports it from there.
"""

from __future__ import annotations

import ast
import functools
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import ethnos_sim
from ethnos_sim import experiments, reports, simulator, strategies

ROOTS = (ethnos_sim, simulator, strategies, experiments, reports)
FOLDERS: dict[str, Path] = {}
"""The folders of the program by the names of their packages."""


def defined_in(file: Path) -> Iterator[str]:
    """The names that a file defines, without those that it imports."""
    for node in ast.parse(file.read_bytes()).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (n.id for each in targets for n in ast.walk(each) if isinstance(n, ast.Name))


@functools.cache
def homes(package: str) -> dict[str, list[str]]:
    """By name, the files of a package's folder that define it."""
    found: dict[str, list[str]] = {}
    for file in sorted(FOLDERS[package].glob("*.py")):
        for name in dict.fromkeys(defined_in(file)):
            found.setdefault(name, []).append(file.stem)
    return found


def module_with(package: str, name: str) -> ModuleType:
    """The module of the one file that defines a name; the package as in "reports.gate"."""
    files = homes(f"ethnos_sim.{package}").get(name, [])
    if len(files) != 1:
        raise ImportError(f"{' and '.join(files) or 'no file'} of {package} defines {name!r}")
    return importlib.import_module(f"ethnos_sim.{package}.{files[0]}")


def found(package: str, name: str) -> Any:
    """What the one file of a package's folder that defines a name has under it."""
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(module_with(package, name), name)


for root in ROOTS:
    top = Path(str(root.__file__)).parent
    for folder in (top, *(path for path in top.rglob("*") if path.is_dir())):
        FOLDERS[".".join((root.__name__, *folder.relative_to(top).parts))] = folder
for name in FOLDERS:
    package = name.removeprefix("ethnos_sim").removeprefix(".")
    if package:
        sys.modules[f"inside.{package}"] = ModuleType(f"inside.{package}")
        vars(sys.modules[f"inside.{package}"])["__getattr__"] = functools.partial(found, package)
