"""The first run compiles side by side, and leaves nothing to compile for this process or later."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import MODULE
from inside import module_with
from inside.simulator import cache_folder
from inside.strategies import compiled

from ethnos_sim import play_batch

compiling_ahead = module_with("strategies", "compile_ahead")

pytestmark = pytest.mark.long

SCRIPT = f"""
import logging
from {compiling_ahead.__name__} import compile_ahead
from {compiled.__module__} import compiled
from ethnos_sim.strategies import get_strategy
from {cache_folder.__module__} import only_kept

logging.basicConfig(format="%(message)s", level=logging.INFO)
compile_ahead(["hoarder", "random:play=0.5", "hoarder:never_leads=bear"])
with only_kept():
    compiled(get_strategy("hoarder")), compiled(get_strategy("random"))
compile_ahead(["random", "hoarder"])
"""

FEW = """
name = "Few"
seed = 1
games = 240
editions = ["second"]
players = [4]
clan_sets = { sample = 3 }
line_ups = [["greedy", "random"]]
"""

#: Commands in a process of their own; then what it compiled.
COUNTING = f"""
import sys
from numba.core import event
import {MODULE} as main
import {cache_folder.__module__} as keeping
with event.install_recorder("numba:compile") as recorder:
    for words in {{commands}}:
        assert main.run(words) == 0, words
print([unit.name for unit in keeping.compiled_units], len(recorder.buffer), file=sys.stderr)
"""


def kept_alone(folder: Path, *beginnings: str) -> None:
    """Link kept machine code with these names into a folder."""
    kept = cache_folder()
    assert kept is not None
    for file in kept.glob("*.code"):
        if file.name.startswith(tuple(f"{name}-" for name in beginnings)):
            (folder / file.name).symlink_to(file)


def test_a_match_and_a_first_page_compile_what_they_play_and_nothing_else(tmp_path: Path) -> None:
    """Engine, usual answers, the strategies that play, and who tells the chances of moves."""
    for name in ("engine", "defaults", "greedy", "random", "lookahead chance"):
        compiling_ahead.load(name)
    cache = tmp_path / "cache"
    cache.mkdir()
    kept_alone(cache, "run_games", "defaults", "greedy", "random", "lookahead_chance")
    spec, results = tmp_path / "few.toml", str(tmp_path / "results")
    spec.write_text(FEW)
    commands = [
        ["match", "--strategies", "greedy,random", "--games", "10"],
        ["sweep", str(spec), "--out", results, "--quiet"],
        ["report", results],
    ]
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            COUNTING.format(commands=commands),
        ],
        env={**os.environ, "ETHNOS_SIM_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.splitlines()[-1] == "[] 0"


def test_what_no_run_has_kept_is_compiled_by_workers_once(tmp_path: Path) -> None:
    play_batch("second", "greedy", games=4)  # the engine and the usual answers are kept from now on
    kept_alone(tmp_path, "run_games", "defaults")
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
    assert made == {"run_games", "defaults", "hoarder", "random"}


MINE = """
from ethnos_sim.strategies import strategy
from ethnos_sim.strategies.toolkit import hand_is_full, largest_party, play, take_or_draw

@strategy()
def mine(view):
    party = largest_party(view)
    return play(party) if hand_is_full(view) and party.leader >= 0 else take_or_draw(view)
"""


def test_a_users_first_strategy_compiles_nothing_of_a_toolkit_that_was_compiled_ahead(
    tmp_path: Path,
) -> None:
    for name in ("engine", "defaults", compiling_ahead.TOOLKIT):
        compiling_ahead.load(name)
    cache, file = tmp_path / "cache", tmp_path / "mine.py"
    cache.mkdir()
    called = ("largest_party", "hand_is_full", "take_or_draw", "play")
    kept_alone(cache, "run_games", "defaults", *called)
    file.write_text(MINE)
    words = ["match", "--strategies", "mine", "--strategies-from", str(file), "--games", "10"]
    subprocess.run(
        [sys.executable, "-m", "ethnos_sim", *words],
        env={**os.environ, "ETHNOS_SIM_CACHE": str(cache)},
        capture_output=True,
        check=True,
    )
    made = [each.name.partition("-")[0] for each in cache.iterdir() if not each.is_symlink()]
    assert made == ["mine"]


def test_a_module_in_the_working_folder_is_not_run_by_a_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "numpy.py").write_text("raise SystemExit('somebody else was run')\n")
    monkeypatch.chdir(tmp_path)
    worker = compiling_ahead._worker()
    assert worker.communicate("")[0] == ""
    assert worker.returncode == 0
