"""A ground for each fault, and the summary: faults tried, survived and lost."""

from collections import Counter
from pathlib import Path

import pytest
from commands import run

from faults.ground import SPEC, Ground


@pytest.fixture(scope="session")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished sweep, which no test changes."""
    root = tmp_path_factory.mktemp("reference")
    spec = root / "spec.toml"
    spec.write_text(SPEC, encoding="utf-8")
    words = ["sweep", str(spec), "--out", str(root / "data"), "--jobs", "2", "--quiet"]
    assert run(*words, "--shard-games", "40") == 0
    return root / "data"


@pytest.fixture
def ground(tmp_path: Path, reference: Path, monkeypatch: pytest.MonkeyPatch) -> Ground:
    """A new ground; commands run in its folder."""
    ground = Ground(tmp_path, reference)
    monkeypatch.chdir(ground.inside)
    return ground


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the numbers of faults and spoiled inputs of each kind: tried, survived and lost."""
    tried, inputs, lost = Counter[str](), Counter[str](), Counter[str]()
    for outcome in ("passed", "failed", "error"):
        for report in terminalreporter.getreports(outcome):
            properties = dict(getattr(report, "user_properties", ()))
            if "fault" not in properties or (report.when != "call" and outcome == "passed"):
                continue
            tried[properties["fault"]] += 1
            inputs[properties["fault"]] += properties["inputs"]
            lost[properties["fault"]] += outcome != "passed"
    if not tried:
        return
    terminalreporter.section("faults")
    line = "{:<12}{:>8}{:>10}{:>8}{:>17}"
    terminalreporter.write_line(line.format("", "tried", "survived", "lost", "spoiled inputs"))
    for kind in [*sorted(tried), "all"]:
        counts = [c.total() if kind == "all" else c[kind] for c in (tried, lost, inputs)]
        all_tried, all_lost, spoiled = counts
        numbers = (all_tried, all_tried - all_lost, all_lost, spoiled)
        terminalreporter.write_line(line.format(kind, *(f"{number:,}" for number in numbers)))
