"""A variant that the gate guards from its first baseline."""

from pathlib import Path

import pytest
from commands import run

SPEC = """
name = "Small"
games = 15_000
editions = ["second"]
players = [3]
clan_sets = { sample = 4 }
line_ups = [["greedy", "majority", "random"]]
[rules]
variant = "variant.toml"
"""


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A variant's folder with a small spec, a baseline and signatures; no test changes it."""
    folder = tmp_path_factory.mktemp("home") / "mine"
    assert run("init", folder, "--edition", "second+bear.on_take=3") == 0
    (folder / "spec.toml").write_text(SPEC, encoding="utf-8")
    words = ("--baseline", folder / "baseline.toml", "--spec", folder / "spec.toml")
    assert run("check", "record", *words) == 0
    return folder
