"""Games do not depend on how processes start, nor on the clock."""

import itertools
import time
from multiprocessing import get_context

import pytest

from ethnos_sim import play_batch, sweep

SPEC = {
    "name": "clock",
    "games": 400,
    "players": [4],
    "clan_sets": {"sample": 4},
    "line_ups": [["greedy"]],
}


def prestige_of(seed: int) -> list[int]:
    return play_batch("second", "greedy,random", games=8, seed=seed).seats()["prestige"].to_list()


def test_processes_that_are_spawned_play_the_same_games() -> None:
    """Windows and macOS start processes anew, where Linux copies them."""
    with get_context("spawn").Pool(1) as pool:
        assert pool.map(prestige_of, [1, 2]) == [prestige_of(1), prestige_of(2)]


@pytest.mark.parametrize("step", [-3600.0, 0.0])
def test_a_clock_that_is_set_back_or_stands_changes_no_sweep(tmp_path, monkeypatch, step) -> None:
    straight = sweep(SPEC, tmp_path / "straight", jobs=1, quiet=True)
    times = itertools.count()
    monkeypatch.setattr(time, "time", lambda: 1.7e9 + step * next(times))
    played = sweep(SPEC, tmp_path / "back", jobs=1, quiet=True)
    assert played.complete
    assert played.seats().collect().equals(straight.seats().collect())
