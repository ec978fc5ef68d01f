"""Workers tell how far they are within their shards, and every game counts once."""

from __future__ import annotations

import threading

from ethnos_sim.experiments import missing_shards
from ethnos_sim.experiments.execution import workers
from ethnos_sim.experiments.execution.workers import FileTeller, Tally, telling


def test_games_of_a_shard_count_once_also_when_they_are_played_again() -> None:
    steps: list[int] = []
    tally = Tally(steps.append)
    for games in (100, 250, 250, 50, 200, 300):
        tally.count("a shard", games)
    tally.hear((1.5, ["another", 40]))
    tally.count("another", 60)
    tally.count("a shard", 300)
    assert steps == [100, 150, 50, 40, 20]


def test_a_worker_tells_through_files_how_far_it_is(small_plan, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(workers, "SECONDS_A_COUNT", 0.01)
    shard = missing_shards(small_plan, [])[0]
    heard = threading.Event()
    steps: list[int] = []

    def hear(games: int) -> None:
        steps.append(games)
        heard.set()

    count = telling(FileTeller(str(tmp_path)), shard)
    with Tally(hear).watching(tmp_path):
        while not heard.is_set():
            count(7)
    assert steps[0] > 0
    assert steps[0] % 7 == 0
    assert [path.name for path in tmp_path.iterdir()] == [shard.path.replace("/", ",")]


def test_a_worker_whose_sweep_has_ended_tells_nobody(small_plan, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(workers, "SECONDS_A_COUNT", 0.0)
    shard = missing_shards(small_plan, [])[0]
    telling(FileTeller(str(tmp_path / "gone")), shard)(7)
    telling(None, shard)(7)
    assert not (tmp_path / "gone").exists()
