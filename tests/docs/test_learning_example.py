"""The example of docs/environments.md: a policy trained with torch plays as a compiled strategy."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from ethnos_sim import estimate, load_strategy_file, play_batch, rate_strategies, sweep

pytestmark = pytest.mark.long

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"


def test_a_policy_trained_with_torch_beats_greedy_as_a_strategy(tmp_path: Path) -> None:
    """With the true 60 % and more, one run in 10^9 would not reach past the 25 % that is par."""
    pytest.importorskip("torch")
    for file in EXAMPLES.glob("*.py"):
        shutil.copy(file, tmp_path)
    small = ["--steps", "150", "--epochs", "4", "--measure", "200"]
    command = [sys.executable, str(tmp_path / "train_apprentice.py"), *small]
    subprocess.run(command, check=True, cwd=tmp_path, capture_output=True)
    load_strategy_file(tmp_path / "apprentice.py")
    batch = play_batch("second", "apprentice,greedy,greedy,greedy", games=1000, seed=2)
    share = estimate(batch, "strategy_share", name="apprentice")
    assert share["low"][0] > 0.25
    rating = rate_strategies("apprentice,greedy,random", games=400, quiet=True).frame()
    assert rating["name"][0] == "apprentice"
    spec = {
        "name": "apprentice",
        "players": [4],
        "games": 480,
        "clan_sets": {"sample": 12},
        "line_ups": [{"strategies": ["apprentice", "greedy"]}],
    }
    swept = sweep(spec, tmp_path / "swept", quiet=True)
    assert swept.entries["strategy"].is_in(["apprentice", "greedy"]).all()
    assert swept.seats().select(pl.len()).collect().item() == 4 * swept.games_held
