"""A ground for each fault."""

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
