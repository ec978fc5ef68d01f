"""Import internal names by folder, so that a test need not know the file.

    from inside.reports.gate import Decision

finds the one file of `reports/gate` that defines `Decision`, and imports it from there.
"""

import ast
import functools
import importlib
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

PACKAGES = ("simulator", "strategies", "experiments", "reports")
ROOTS = ("ethnos_sim", *(f"ethnos_sim.{name}" for name in PACKAGES))
FOLDERS: dict[str, Path] = {}
"""The program's folders, by the names of their packages."""


def defined_in(file: Path) -> Iterator[str]:
    """The names that a file defines itself."""
    for node in ast.parse(file.read_bytes()).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (
                n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)
            )


@functools.cache
def homes(package: str) -> dict[str, list[str]]:
    """The files of a package's folder that define each name."""
    files: dict[str, list[str]] = {}
    for file in sorted(FOLDERS[package].glob("*.py")):
        for name in dict.fromkeys(defined_in(file)):
            files.setdefault(name, []).append(file.stem)
    return files


def module_with(package: str, name: str) -> ModuleType:
    """The module that defines a name; the package is given as in "reports.gate" or "reports".

    The module is in the package's folder, or else in a folder below.
    """
    own = f"ethnos_sim.{package}"
    below = [folder for folder in FOLDERS if folder.startswith(f"{own}.")]
    for searched in ([own], below):
        files = [f"{home}.{file}" for home in searched for file in homes(home).get(name, [])]
        if len(files) == 1:
            return importlib.import_module(files[0])
        if files:
            break
    raise ImportError(f"{' and '.join(files) or 'no file'} of {package} defines {name!r}")


def member(package: str, name: str) -> Any:
    """The object with a name in a package's folder."""
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(module_with(package, name), name)


def folders(top: Path, package: str) -> None:
    """Record a folder and its subfolders with Python files; they need not be packages."""
    FOLDERS[package] = top
    for below in sorted(top.iterdir()):
        if below.is_dir() and next(below.glob("*.py"), None):
            folders(below, f"{package}.{below.name}")


for root in ROOTS:
    folders(Path(find_spec(root).submodule_search_locations[0]), root)
for name in FOLDERS:
    package = name.removeprefix("ethnos_sim").removeprefix(".")
    if package:
        sys.modules[f"inside.{package}"] = ModuleType(f"inside.{package}")
        vars(sys.modules[f"inside.{package}"])["__getattr__"] = functools.partial(member, package)
