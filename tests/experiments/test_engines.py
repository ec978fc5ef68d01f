"""Processes play the rows of threads; what kills a worker is named; a stop leaves nothing."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commands import run
from deadly import play_or_die
from inside import module_with
from inside.experiments.execution import Tally, differences, pack, play_packed
from own_strategy import strategy_file
from same_rows import assert_same_rows

from ethnos_sim import open_results, sweep
from ethnos_sim.experiments import (
    Processes,
    make_plan,
    missing_shards,
    open_store,
    parse_spec,
    play_missing,
    prepare_tables,
    verify,
)
from ethnos_sim.simulator import Failed

workers = module_with("experiments.execution", "differences")

pytestmark = pytest.mark.long

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


def begin(spec: str, folder: Path, *words: str, games: int = 9_000_000) -> subprocess.Popen[str]:
    """A sweep in a session of its own, with its first shard written."""
    sizes = ["--games", str(games), "--shard-games", str(min(games // 80, 5000))]
    playing = subprocess.Popen(
        [*COMMAND, spec, "--out", str(folder), *sizes, *words],
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


def left_of(session: int) -> list[str]:
    """Processes of a session that are more than a name in the system's table after 10 seconds."""
    patience = time.monotonic() + 10
    while (found := alive(session)) and time.monotonic() < patience:
        time.sleep(0.05)
    return found


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


def test_a_shard_that_kills_its_worker_is_named_and_the_others_kept(swept, tmp_path) -> None:
    with pytest.raises(Failed, match=r"players=2/mode=standard/rounds-00000000-\d+\.parquet'"):
        sweep(swept.plan, tmp_path, engine=Processes(2, player=play_or_die), quiet=True)
    sweep(swept.plan, tmp_path, jobs=2, quiet=True)
    assert_same_rows(tmp_path, swept.folder)


def test_a_worker_says_in_what_it_differs(small_plan, monkeypatch) -> None:
    packed = pack(small_plan, [], tell=print)
    assert differences(packed) == []
    monkeypatch.setattr(workers, "package_version", lambda: "0.0.9")
    monkeypatch.setattr(workers, "kernel_source", lambda: "0123456789abcdef")
    assert differences(packed) == [
        f"version 0.0.9 instead of {small_plan.version}",
        "another simulator",
    ]
    workers._ready.cache_clear()
    with pytest.raises(Failed, match=r"version 0\.0\.9"):
        play_packed(packed, missing_shards(small_plan, [])[0])


def test_a_worker_gets_strategy_files_that_its_machine_lacks(small_plan, tmp_path) -> None:
    from ethnos_sim.strategies import get_strategy

    file = strategy_file(tmp_path, "sent_along")
    packed = pack(small_plan, [file], tell=print)
    file.unlink()
    assert differences(packed) == []
    assert get_strategy("sent_along").name == "sent_along"


@pytest.mark.parametrize(
    ("number", "words"),
    [(signal.SIGINT, []), (signal.SIGTERM, ["--engine", "processes"])],
    ids=["Ctrl-C", "SIGTERM to processes"],
)
def test_a_signal_ends_a_sweep_with_130_which_can_go_on(spec, tmp_path, number, words) -> None:
    playing = begin(spec, tmp_path / "out", *words)
    playing.send_signal(number)
    _, said = playing.communicate(timeout=30)
    assert playing.returncode == 130
    assert "every finished shard is kept. To go on: ethnos-sim sweep --out" in said
    assert "Traceback" not in said
    assert left_of(playing.pid) == []
    results = open_results(tmp_path / "out")
    assert results.games_held > 0
    assert not results.complete
    assert not list((tmp_path / "out").rglob("*.unfinished"))
    more = str(results.games_held + 2000)
    assert run("sweep", "--out", tmp_path / "out", "--games", more, "--quiet") == 0
    assert verify(tmp_path / "out").faults == ()


def test_a_sweep_killed_at_a_random_moment_leaves_no_worker_and_ends_with_the_same_files(
    spec, tmp_path
) -> None:
    """A shard that was written but not yet recorded is set aside: only the tables are compared."""
    folder, peaceful = tmp_path / "killed", tmp_path / "peaceful"
    playing = begin(spec, folder, "--engine", "processes", "--jobs", "2", games=24_000)
    time.sleep(random.Random(5).uniform(0, 0.3))
    playing.kill()
    playing.communicate(timeout=30)
    assert playing.returncode == -signal.SIGKILL
    assert left_of(playing.pid) == []
    held = len(open_results(folder).records)
    for each in (folder, peaceful):
        words = [spec, "--games", "24000", "--shard-games", "300", "--quiet", "--out", str(each)]
        assert run("sweep", *words) == 0
    assert 0 < held < len(open_results(folder).records)
    files = [
        {
            path.relative_to(each): path.read_bytes()
            for table in ("games", "seats")
            for path in (each / table).rglob("*.parquet")
        }
        for each in (folder, peaceful)
    ]
    assert files[0] == files[1]


def test_processes_play_the_rows_of_threads_and_tell_how_far_they_are(small_spec, tmp_path) -> None:
    small_spec.update(editions=["second"], players=[4], games=3_600, line_ups=[["learned"]])
    plan = make_plan(parse_spec(small_spec, "small.toml")).with_shards_of(5_000)
    steps: list[int] = []
    with open_store(tmp_path / "out", plan) as store:
        play_missing(store, prepare_tables(plan), engine=Processes(1), on_games=steps.append)
    assert sum(steps) == plan.games
    assert max(steps) < max(plan.games_of(shard) for shard in missing_shards(plan, []))
    sweep(plan.with_shards_of(900), tmp_path / "threads", jobs=2, quiet=True)
    assert_same_rows(tmp_path / "out", tmp_path / "threads")


def test_processes_that_cannot_wait_for_each_other_are_refused(swept, tmp_path, monkeypatch):
    def none_here(*given: object) -> None:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr("_multiprocessing.SemLock", none_here)
    with pytest.raises(Failed, match=r"/dev/shm.*--engine threads"):
        sweep(swept.plan, tmp_path / "new", engine=Processes(2), quiet=True)
    assert not (tmp_path / "new").exists()


def test_games_of_a_shard_count_once_also_when_they_are_played_again() -> None:
    steps: list[int] = []
    tally = Tally(steps.append)
    for games in (100, 250, 250, 50, 200, 300):
        tally.count("a shard", games)
    tally.hear((1.5, ["another", 40]))
    tally.count("another", 60)
    tally.count("a shard", 300)
    assert steps == [100, 150, 50, 40, 20]
