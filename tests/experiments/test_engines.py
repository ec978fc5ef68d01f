"""Processes play the rows of threads; what kills a worker is named; a stop leaves nothing."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest
from deadly import play_or_die
from polars.testing import assert_frame_equal

from ethnos_sim import main, open_results, sweep
from ethnos_sim.experiments import Threads, make_plan, parse_spec
from ethnos_sim.experiments.execution.processes import Processes
from ethnos_sim.experiments.execution.workers import differences, pack, play_packed
from ethnos_sim.simulator import Failed

COMMAND = [sys.executable, "-m", "ethnos_sim", "sweep"]
SECONDS_TO_BEGIN = 120
SPEC = """
players = [2, 4]
games = 10_000
clan_sets = { sample = 2 }
line_ups = [["greedy", "random"]]
"""


@pytest.fixture
def spec(tmp_path) -> str:
    path = tmp_path / "spec.toml"
    path.write_text(SPEC, encoding="utf-8")
    return str(path)


def rows_of(folder: Path) -> list[pl.DataFrame]:
    results = open_results(folder)
    return [
        results.games().sort("cell", "game").collect(),
        results.seats().sort("cell", "game", "seat").collect(),
    ]


def assert_same_rows(first: Path, second: Path) -> None:
    for own, others in zip(rows_of(first), rows_of(second), strict=True):
        assert_frame_equal(own, others, check_column_order=False)


def begin(spec: str, folder: Path, *words: str) -> subprocess.Popen[str]:
    """A sweep in a session of its own, with its first shard written."""
    playing = subprocess.Popen(
        [
            *COMMAND,
            spec,
            "--out",
            str(folder),
            "--games",
            "9000000",
            "--shard-games",
            "5000",
            *words,
        ],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    patience = time.monotonic() + SECONDS_TO_BEGIN
    manifest = folder / "manifest.jsonl"
    while not manifest.exists() or not manifest.stat().st_size:
        assert playing.poll() is None, playing.communicate()[1]
        assert time.monotonic() < patience
        time.sleep(0.05)
    return playing


def alive(session: int) -> list[str]:
    """Processes of a session that are more than a name in the system's table."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            state, _, _, of_session = (
                (entry / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[:4]
            )
            if int(of_session) == session and state != "Z":
                found.append((entry / "cmdline").read_text(encoding="utf-8"))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def test_processes_play_the_same_rows_as_threads(swept, tmp_path) -> None:
    sweep(swept.plan, tmp_path, engine=Processes(2), quiet=True)
    assert_same_rows(tmp_path, swept.folder)


def test_a_shard_that_kills_its_worker_is_named_and_the_others_kept(swept, tmp_path) -> None:
    with pytest.raises(Failed, match=r"players=2/mode=standard/rounds-00000000-\d+\.parquet'"):
        sweep(swept.plan, tmp_path, engine=Processes(2, player=play_or_die), quiet=True)
    sweep(swept.plan, tmp_path, jobs=2, quiet=True)
    assert_same_rows(tmp_path, swept.folder)


def test_a_worker_says_in_what_it_differs(small_plan, monkeypatch) -> None:
    packed = pack(small_plan, [])
    assert differences(packed) == []
    place = "ethnos_sim.experiments.execution.workers"
    monkeypatch.setattr(f"{place}.package_version", lambda: "0.0.9")
    monkeypatch.setattr(f"{place}.kernel_source", lambda: "0123456789abcdef")
    assert differences(packed) == [
        f"version 0.0.9 instead of {small_plan.version}",
        "another simulator",
    ]
    from ethnos_sim.experiments import missing_shards
    from ethnos_sim.experiments.execution import workers

    workers._ready.cache_clear()
    with pytest.raises(Failed, match=r"version 0\.0\.9"):
        play_packed(packed, missing_shards(small_plan, [])[0])


def test_a_worker_gets_strategy_files_that_its_machine_lacks(small_plan, tmp_path) -> None:
    from ethnos_sim.strategies import get_strategy

    file = tmp_path / "here" / "sent_along.py"
    file.parent.mkdir()
    file.write_text(
        "from ethnos_sim.strategies import strategy\n"
        "from ethnos_sim.strategies.toolkit import draw, hand_is_full, largest_party, play\n\n"
        "@strategy()\n"
        "def sent_along(view):\n"
        "    'Draws until its hand is full.'\n"
        "    if hand_is_full(view):\n"
        "        return play(largest_party(view))\n"
        "    return draw()\n",
        encoding="utf-8",
    )
    packed = pack(small_plan, [file])
    file.unlink()
    assert differences(packed) == []
    assert get_strategy("sent_along").name == "sent_along"


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (signal.SIGINT, []),
        (signal.SIGTERM, []),
        (signal.SIGTERM, ["--engine", "processes"]),
    ],
    ids=["Ctrl-C", "SIGTERM", "SIGTERM to processes"],
)
def test_a_signal_ends_a_sweep_with_130_and_nothing_left_behind(
    spec, tmp_path, number, words
) -> None:
    playing = begin(spec, tmp_path / "out", *words)
    playing.send_signal(number)
    _, said = playing.communicate(timeout=30)
    assert playing.returncode == 130
    assert "every finished shard is kept. To go on: ethnos-sim sweep --out" in said
    assert "Traceback" not in said
    patience = time.monotonic() + 10
    while alive(playing.pid) and time.monotonic() < patience:
        time.sleep(0.05)
    assert alive(playing.pid) == []
    results = open_results(tmp_path / "out")
    assert results.games_held > 0
    assert not list((tmp_path / "out").rglob("*.unfinished"))


def test_workers_do_not_outlive_a_sweep_that_is_killed(spec, tmp_path) -> None:
    playing = begin(spec, tmp_path / "out", "--engine", "processes")
    os.kill(playing.pid, signal.SIGKILL)
    playing.communicate(timeout=30)
    patience = time.monotonic() + 10
    while alive(playing.pid) and time.monotonic() < patience:
        time.sleep(0.05)
    assert alive(playing.pid) == []


@pytest.mark.parametrize("engine", ["threads", "processes"])
def test_a_sweep_killed_at_random_moments_ends_with_the_same_files(spec, tmp_path, engine) -> None:
    """SIGKILL, twice; `benchmarks/kills.py` does it twenty times.

    A shard that was written but not yet recorded is set aside: only the tables are compared.
    """
    folder, peaceful = tmp_path / "killed", tmp_path / "peaceful"
    words = [spec, "--jobs", "2", "--games", "40000", "--shard-games", "500", "--quiet"]
    dice = random.Random(engine)
    for _ in range(2):
        playing = subprocess.Popen(
            [*COMMAND, *words, "--engine", engine, "--out", str(folder)],
            stdout=subprocess.DEVNULL,
        )
        before = shards_in(folder)
        patience = time.monotonic() + SECONDS_TO_BEGIN
        while shards_in(folder) == before and time.monotonic() < patience:
            time.sleep(0.01)
        time.sleep(dice.uniform(0, 0.3))
        playing.kill()
        assert playing.wait(timeout=30) == -signal.SIGKILL
    held = shards_in(folder)
    for each in (folder, peaceful):
        assert main.run(["sweep", *words, "--out", str(each)]) == 0
    assert 0 < held < shards_in(folder)
    files = [
        {
            path.relative_to(each): path.read_bytes()
            for table in ("games", "seats")
            for path in (each / table).rglob("*.parquet")
        }
        for each in (folder, peaceful)
    ]
    assert files[0] == files[1]


def shards_in(folder: Path) -> int:
    """How many shards a folder's manifest has."""
    manifest = folder / "manifest.jsonl"
    return manifest.read_bytes().count(b"\n") if manifest.exists() else 0


@pytest.fixture(scope="module")
def larger(tmp_path_factory) -> SimpleNamespace:
    """A sweep in shards of the usual size, played in two threads."""
    folder = tmp_path_factory.mktemp("larger") / "out"
    plan = make_plan(parse_spec(tomllib.loads(SPEC), "larger.toml"))
    sweep(plan, folder, jobs=2, quiet=True)
    return SimpleNamespace(folder=folder, plan=plan)


@pytest.mark.parametrize(
    ("engine", "size"),
    [(Threads(1), 500), (Threads(2), 5_000), (Processes(2), 500)],
    ids=["one thread", "two threads", "processes"],
)
def test_neither_engine_nor_the_size_of_shards_changes_a_row(
    larger, tmp_path, engine, size
) -> None:
    sweep(larger.plan.with_shards_of(size), tmp_path, engine=engine, quiet=True)
    assert_same_rows(tmp_path, larger.folder)
    shards = len(list((tmp_path / "games").rglob("*.parquet")))
    assert shards == {500: 20, 5_000: 2}[size]


def test_processes_that_cannot_wait_for_each_other_are_refused(swept, tmp_path, monkeypatch):
    def none_here(*given: object) -> None:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr("_multiprocessing.SemLock", none_here)
    with pytest.raises(Failed, match=r"/dev/shm.*--engine threads"):
        sweep(swept.plan, tmp_path / "new", engine=Processes(2), quiet=True)
    assert not (tmp_path / "new").exists()
