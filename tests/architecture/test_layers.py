"""The structure of the packages: which imports are allowed, and what every module must have."""

import ast
import fnmatch
import graphlib
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from commands import MODULE, python

import ethnos_sim
from ethnos_sim import simulator

ROOT = Path(__file__).resolve().parents[2]
LAYERS = ("simulator", "strategies", "experiments", "reports", "cli")

#: The folders of the pages' scripts; a script imports only from its own folder and those before.
SCRIPTS = ("reports/rendering/templates", "reports/live", "reports/viewer")

HEAVY = {
    "jinja2", "joblib", "llvmlite", "matplotlib", "numba", "numpy", "pandas", "polars", "pydantic",
    "rich", "scipy", "seaborn",
}  # fmt: skip


def modules_of(*folders: str) -> list[Path]:
    """Return every Python file below the folders, relative to the repository."""
    files = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return sorted(path.relative_to(ROOT) for path in files)


MODULES = modules_of(*LAYERS)


def tree_of(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"), filename=str(path))


def imported_names(tree: ast.Module) -> Iterator[str]:
    """Yield the name that each import statement imports, as a dotted name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield from (f"{module}.{alias.name}" for alias in node.names)


def layer_of(name: str) -> str | None:
    """Return the package that a dotted name belongs to; None for a name of another package."""
    package, _, rest = name.partition(".")
    if package != "ethnos_sim":
        return None
    layer = rest.partition(".")[0]
    return layer if layer in LAYERS else "cli"


def test_a_package_imports_only_from_the_layers_below() -> None:
    above = [
        f"{path}: {name}"
        for path in MODULES
        for name in imported_names(tree_of(path))
        if (layer := layer_of(name)) is not None
        and LAYERS.index(layer) > LAYERS.index(path.parts[0])
    ]
    assert above == []


def test_the_statistics_import_nothing_about_the_game() -> None:
    modules = modules_of("experiments/statistics")
    names = {name for path in modules for name in imported_names(tree_of(path))}
    ours = {name for name in names if layer_of(name) is not None}
    assert {name.split(".")[1:3] == ["experiments", "statistics"] for name in ours} == {True}


@pytest.mark.parametrize("layer", LAYERS[:-1])
def test_imports_between_the_parts_of_a_package_form_no_circle(layer: str) -> None:
    parts: dict[str, set[str]] = {}
    for path in modules_of(layer):
        names = (name.split(".") for name in imported_names(tree_of(path)))
        within = {name[2] for name in names if name[:2] == ["ethnos_sim", layer] and name[2:]}
        part = path.parts[1].removesuffix(".py")
        parts.setdefault(part, set()).update(within - {part, "__init__"})
    try:
        graphlib.TopologicalSorter(parts).prepare()
    except graphlib.CycleError as error:
        pytest.fail(f"they import each other: {' -> '.join(error.args[1])}")


def test_a_script_imports_only_from_the_folders_below() -> None:
    """A page's own script, which has the page's template beside it, stands above them all."""
    folders = [ROOT / folder for folder in SCRIPTS]
    above = []
    for script in [script for folder in folders for script in folder.glob("*.js")]:
        text = script.read_text(encoding="utf-8")
        for name in re.findall(r'^(?:import|\}).* from "(\..*)";$', text, re.MULTILINE):
            imported = (script.parent / name).resolve()
            higher = folders.index(imported.parent) > folders.index(script.parent)
            own = script.with_suffix(".html.j2").exists()
            if (higher and not own) or imported.with_suffix(".html.j2").exists():
                above.append(f"{script.relative_to(ROOT)}: {name}")
    assert above == []


@pytest.mark.parametrize("layer", LAYERS)
def test_a_package_cannot_be_imported_again_under_its_bare_name(layer: str) -> None:
    tried = python("-c", f"import {layer}", code=1, folder=ROOT)
    installed_as = "ethnos_sim" if layer == "cli" else f"ethnos_sim.{layer}"
    assert f"'{installed_as}', not as '{layer}'" in tried.stderr


def test_no_source_file_holds_a_todo() -> None:
    words = ("TO" + "DO", "FIX" + "ME", "X" * 3)
    kinds = {".py", ".md", ".toml", ".j2", ".css", ".js"}
    folders = (ROOT / name for name in (*LAYERS, "tests", "benchmarks", "docs"))
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in kinds]
    files += [ROOT / name for name in ("README.md", "Makefile", "setup.py", ".ci/run")]
    left = [
        f"{path.relative_to(ROOT)}: {word}"
        for path in files
        for word in words
        if word in path.read_text(encoding="utf-8")
    ]
    assert left == []


def running(*words: str) -> str:
    return f"import {MODULE} as main\nassert main.run({words}) == 0\n"


@pytest.mark.parametrize(
    ("program", "not_loaded"),
    [
        ("import ethnos_sim\n", HEAVY),
        (running("--help"), HEAVY),
        (
            running("match", "--strategies", "greedy,random", "--games", "10"),
            {"pandas", "polars", "pydantic", "scipy.stats"},
        ),
    ],
    ids=["the package", "help", "a match"],
)
def test_quick_programs_import_no_heavy_library(
    program: str, not_loaded: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The compiler is asked whether it knows a processor that these name.
    monkeypatch.delenv("NUMBA_CPU_NAME", raising=False)
    monkeypatch.delenv("NUMBA_CPU_FEATURES", raising=False)
    program += "import json, sys\nprint(json.dumps(sorted(sys.modules)))"
    said = python("-c", program).stdout
    assert not_loaded & set(json.loads(said.splitlines()[-1])) == set()


@pytest.mark.parametrize("package", [ethnos_sim, simulator])
def test_a_package_has_every_name_that_it_exports(package: ModuleType) -> None:
    assert set(package.__all__) <= set(dir(package))
    for name in package.__all__:
        assert getattr(package, name).__doc__


def test_an_unknown_name_of_a_package_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'load_rule'"):
        _ = ethnos_sim.load_rule


def test_the_patterns_of_package_data_cover_every_data_file() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = settings["tool"]["setuptools"]["package-data"]["*"]
    left_out = [
        str(path.relative_to(ROOT))
        for layer in LAYERS
        for path in (ROOT / layer).rglob("*")
        if path.is_file() and path.suffix != ".py" and "__pycache__" not in path.parts
        if ROOT / "reports/scripts" not in path.parents  # tools that check the pages' scripts
        if not any(fnmatch.fnmatch(path.name, Path(pattern).name) for pattern in patterns)
    ]
    assert left_out == []
