"""The announced time and size of a plan are right, and are measured without games of the sweep."""

import pytest
from inside import module_with
from inside.experiments.execution import Sample, needs_of, sample_kinds, with_shard_sizes
from sweeps import plan_of

from ethnos_sim import open_results, sweep
from ethnos_sim.experiments import missing_shards, prepare_tables
from ethnos_sim.simulator import IllegalMove, play_table

calibration = module_with("experiments.execution", "sample_kinds")


def test_the_needs_of_a_plan_are_the_sum_over_kinds_of_cells(small_spec) -> None:
    plan = plan_of({**small_spec, "games": 48_000})
    kinds = {(cell.partition, cell.line_up) for cell in plan.cells}
    samples = {kind: Sample(0.001 * kind[0].players, 100.0) for kind in kinds}
    needs = needs_of(plan, samples, 2)
    assert needs.games == plan.games
    assert needs.bytes == pytest.approx(100 * plan.games)
    halves = [
        rounds * plan.games_per_round(partition) * 0.001 * partition.players
        for partition, rounds in plan.rounds.items()
    ]
    assert needs.seconds == pytest.approx(sum(halves) / 2)


def test_kinds_are_measured_without_a_game_of_the_sweep(small_spec, tmp_path, monkeypatch) -> None:
    plan = plan_of({**small_spec, "games": 48_000})
    played = []

    def watched(table, **keys):
        played.append(keys)
        return play_table(table, **keys)

    monkeypatch.setattr(calibration, "play_table", watched)
    samples = sample_kinds(plan, prepare_tables(plan), 2)
    assert set(samples) == {(cell.partition, cell.line_up) for cell in plan.cells}
    assert {keys["seed"] for keys in played} == {calibration.SEED} != {plan.seed}
    assert all(sample.seconds_a_game > 0 for sample in samples.values())
    sweep(plan, tmp_path, jobs=2, quiet=True)
    held = open_results(tmp_path).bytes_held
    # On a busy machine fewer games are measured, and a game's part of a file looks larger.
    assert needs_of(plan, samples, 2).bytes > 0.6 * held


def test_a_fault_in_a_game_that_measures_is_told_as_such_and_the_same_every_time(
    small_spec, monkeypatch
) -> None:
    plan = plan_of({**small_spec, "games": 48_000})
    tables = prepare_tables(plan)
    fails_from = 1

    def failing(table, **keys):
        if keys["first_deal"] >= calibration.FIRST_DEAL + fails_from:
            raise IllegalMove("it fails")
        return play_table(table, **keys)

    monkeypatch.setattr(calibration, "play_table", failing)
    assert len(sample_kinds(plan, tables, 1)) > 1
    fails_from = 0
    with pytest.raises(IllegalMove, match="in a game that is no part of the sweep"):
        sample_kinds(plan, tables, 1)


def test_slow_strategies_get_small_shards_and_quick_strategies_the_usual_ones(
    small_spec, monkeypatch
) -> None:
    plan = plan_of({**small_spec, "games": 480_000})
    tables = prepare_tables(plan)
    # The time of a game is set here, because a busy machine measures it badly.
    monkeypatch.setattr(calibration, "_played", lambda *about: (0, 1e-5))
    assert with_shard_sizes(plan, tables).shard_games == {}
    monkeypatch.setattr(calibration, "_played", lambda *about: (0, 1e-1))
    sizes = with_shard_sizes(plan, tables).shard_games
    assert set(sizes) == set(plan.cells_of)
    assert all(size < plan.usual_shard_games and size & (size - 1) == 0 for size in sizes.values())


@pytest.mark.parametrize("games", [1_000, 10_000])
def test_given_shard_sizes_are_kept(small_spec, games, tmp_path) -> None:
    plan = plan_of({**small_spec, "games": 480_000})
    sized = plan.with_shards_of(games)
    assert with_shard_sizes(sized, prepare_tables(plan)) == sized
    assert sized.plan_id == plan.plan_id
    for shard in missing_shards(sized, []):
        assert plan.games_of(shard) <= games + plan.games_per_round(shard.partition)
