"""The first run compiles side by side, and leaves nothing to compile for this process or later."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ethnos_sim import play_batch
from ethnos_sim.simulator.compilation import cache_folder
from ethnos_sim.strategies import compiling_ahead

SCRIPT = """
import logging
from ethnos_sim.strategies.compiling_ahead import compile_ahead
from ethnos_sim.strategies.compiling import compiled
from ethnos_sim.strategies import get_strategy
from ethnos_sim.simulator.compilation import only_kept

logging.basicConfig(format="%(message)s", level=logging.INFO)
compile_ahead(["spreader:cost=5", "majority", "spreader:never_leads=bear"])
with only_kept():
    compiled(get_strategy("spreader")), compiled(get_strategy("majority"))
compile_ahead(["majority", "spreader"])
"""


def test_what_no_run_has_kept_is_compiled_by_workers_once(tmp_path: Path) -> None:
    play_batch("second", "greedy", games=4)  # the engine and the usual answers are kept from now on
    kept = cache_folder()
    assert kept is not None
    for file in kept.glob("*.code"):
        if file.name.startswith(("run_games-", "defaults-")):
            (tmp_path / file.name).symlink_to(file)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "ETHNOS_SIM_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    said = "compiling the engine and strategies, once, in 2 processes\n"
    assert done.stderr == (said if os.cpu_count() != 1 else "")
    made = {file.name.partition("-")[0] for file in tmp_path.iterdir()}
    assert made == {"run_games", "defaults", "spreader", "majority"}


def test_a_module_in_the_working_folder_is_not_run_by_a_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "numpy.py").write_text("raise SystemExit('somebody else was run')\n")
    monkeypatch.chdir(tmp_path)
    worker = compiling_ahead._worker()
    assert worker.communicate("")[0] == ""
    assert worker.returncode == 0
