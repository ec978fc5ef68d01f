"""The announced time and size of a plan are right, and are measured without games of the sweep."""

import pytest
from inside import module_with
from inside.experiments.execution import Needs, needs_of, with_shard_sizes
from inside.simulator.tables import PreparedTables
from sweeps import plan_of

from ethnos_sim import open_results, sweep
from ethnos_sim.experiments import missing_shards, prepare_tables
from ethnos_sim.simulator import IllegalMove

calibration = module_with("experiments.execution", "needs_of")


@pytest.fixture
def plan(small_spec):
    return plan_of({**small_spec, "games": 48_000})


def test_the_needs_of_a_plan_are_those_of_its_partitions_games(plan, monkeypatch) -> None:
    def measured(tables, cells, seconds):
        return Needs(1, 0.001 * cells[0].partition.players, 100.0)

    monkeypatch.setattr(calibration, "_measured", measured)
    needs = needs_of(plan, prepare_tables(plan), 2)
    halves = [
        rounds * plan.games_per_round(partition) * 0.001 * partition.players
        for partition, rounds in plan.rounds.items()
    ]
    assert needs == (plan.games, pytest.approx(sum(halves) / 2), pytest.approx(100 * plan.games))


def test_plans_are_measured_without_a_game_of_the_sweep(plan, tmp_path, monkeypatch) -> None:
    played, tables = [], prepare_tables(plan)

    def watched(self, works):
        played.append(works)
        return play(self, works)

    play = PreparedTables.play
    monkeypatch.setattr(PreparedTables, "play", watched)
    needs = needs_of(plan, tables, 2)
    assert {seed for works in played for seed in works["seed"].tolist()} == {calibration.SEED}
    monkeypatch.undo()
    results = sweep(plan, tmp_path, jobs=2, quiet=True)
    assert results.complete
    # On a busy machine fewer games are measured, and a game's part of a file looks larger.
    assert needs.bytes > 0.6 * open_results(tmp_path).bytes_held


def test_a_fault_in_a_game_that_measures_is_told_as_such_and_the_same_every_time(
    plan, monkeypatch
) -> None:
    tables, most = prepare_tables(plan), 1

    def failing(prepared, cells, rounds):
        if rounds > most:
            raise IllegalMove("it fails")
        return Needs(10, 0.001, 1_000.0)

    monkeypatch.setattr(calibration, "_played", failing)
    assert needs_of(plan, tables, 1).bytes == 100 * plan.games
    most = 0
    with pytest.raises(IllegalMove, match="in a game that is no part of the sweep"):
        needs_of(plan, tables, 1)


def test_slow_strategies_get_small_shards_and_quick_strategies_the_usual_ones(
    small_spec, monkeypatch
) -> None:
    plan = plan_of({**small_spec, "games": 480_000})
    tables = prepare_tables(plan)
    # The time of a game is set here, because a busy machine measures it badly.
    for seconds, are_small in ((1e-5, False), (1e-1, True)):
        monkeypatch.setattr(calibration, "_measured", lambda *_, s=seconds: Needs(1, s, 1.0))
        sizes = with_shard_sizes(plan, tables).shard_games
        assert set(sizes) == (set(plan.cells_of) if are_small else set())
        assert all(size < plan.usual_shard_games for size in sizes.values())
        assert all(size & (size - 1) == 0 for size in sizes.values())


@pytest.mark.parametrize("games", [1_000, 10_000])
def test_given_shard_sizes_are_kept(small_spec, games) -> None:
    plan = plan_of({**small_spec, "games": 480_000})
    sized = plan.with_shards_of(games)
    assert with_shard_sizes(sized, prepare_tables(plan)) == sized
    assert sized.plan_id == plan.plan_id
    for shard in missing_shards(sized, []):
        assert plan.games_of(shard) <= games + plan.games_per_round(shard.partition)
