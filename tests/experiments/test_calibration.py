"""The announced time and size of a plan are right, and shards are small where games are slow."""

import pytest
from inside.experiments import missing_shards
from inside.experiments.execution import measure_needs
from sweeps import plan_of

from ethnos_sim import open_results, sweep


def test_a_plan_is_measured_on_a_part_of_its_games(small_spec, tmp_path) -> None:
    plan = plan_of({**small_spec, "games": 48_000})
    seconds, size = measure_needs(plan, 2)
    assert seconds > 0
    sweep(plan, tmp_path, jobs=2, quiet=True)
    held = open_results(tmp_path).bytes_held
    assert 0.8 * held < size < 2 * held


def test_strategies_that_look_ahead_get_small_shards(small_spec) -> None:
    plan = plan_of({**small_spec, "line_ups": [["lookahead"], ["greedy"]], "games": 480_000})
    assert {*plan.shard_games.values()} == {100}
    assert plan.shard_games.keys() == plan.cells_of.keys()


@pytest.mark.parametrize("games", [1_000, 10_000])
def test_given_shard_sizes_are_kept(small_spec, games) -> None:
    plan = plan_of({**small_spec, "games": 480_000})
    sized = plan.with_shard_games(games)
    assert sized.plan_id == plan.plan_id
    for shard in missing_shards(sized, []):
        assert plan.games_of(shard) <= games + plan.games_per_round(shard.partition)
