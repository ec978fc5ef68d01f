"""Sweeps with a target precision: looks are fixed beforehand, and only the width of intervals
decides.
"""

import numpy as np
import pytest
from inside.experiments.designs import ROW_MEANS
from inside.experiments.execution import group_means, precision_reached
from inside.experiments.plans import groups_of
from sweeps import plan_of

from ethnos_sim import open_results, sweep
from ethnos_sim.experiments import BLOCKS, missing_shards, plan_text, read_plan
from ethnos_sim.simulator import WrongInput


def plan_for(estimate="win_share", half_width=0.03, budget=200_000, per="all", **keys):
    raw = {
        "players": [4],
        "clan_sets": {"sample": 2},
        "line_ups": [["greedy", "spreader"]],
        **keys,
        "target": {"estimate": estimate, "half_width": half_width, "budget": budget, "per": per},
    }
    return plan_of(raw)


def half_widths(sums, counts):
    """The half-widths of the intervals of mean prestige, from sums by block and group."""
    names = map(str, range(counts.shape[1]))
    low, high = group_means(sums, counts, ROW_MEANS["mean_prestige"], names).interval()
    return (high - low) / 2


def test_looks_rise_from_32_deals_or_more_to_the_budget() -> None:
    plan = plan_for(half_width=0.01)
    (looks,) = plan.schedule.looks.values()
    assert looks[0] >= BLOCKS
    assert list(looks) == sorted(set(looks))
    assert looks[-1] == 200_000 // (2 * 4)
    assert plan.rounds == plan.schedule.first
    assert read_plan(plan_text(plan)) == plan


def test_the_first_look_comes_after_a_quarter_of_the_games_that_independent_games_need() -> None:
    """A half-width of 0.5 points at a share of a quarter takes 28,812 games per cell."""
    plan = plan_for(
        half_width=0.005,
        budget=10**9,
        per="cell",
        line_ups=[["greedy", "random", "spreader", "majority"]],
    )
    (looks,) = plan.schedule.looks.values()
    assert looks[0] * 4 == pytest.approx(28_812 / 4, abs=4)


def test_several_intervals_are_expected_to_take_more_games_than_one() -> None:
    expected = {}
    for per, sets in (("all", 2), ("cell", 2), ("cell", 92)):
        keys = {"half_width": 0.005, "budget": 10**9, "clan_sets": {"sample": sets}}
        plan = plan_for("seat_edge", per=per, line_ups=[["greedy"]], **keys)
        (looks,) = plan.schedule.looks.values()
        (rounds,) = plan.schedule.expected(plan.cells_of).values()
        assert rounds in looks
        expected[per, sets] = rounds * 4 * (1 if per == "cell" else sets) / 28_812
    assert 1 <= expected["all", 2] <= 1.6
    assert 1 <= expected["cell", 2] <= 1.6
    assert 1.8 < expected["cell", 92] < 2.5


@pytest.fixture(scope="module")
def precise(tmp_path_factory):
    """A sweep with a half-width of 0.02, played once; tests must not change its folder."""
    return sweep(plan_for(half_width=0.02), tmp_path_factory.mktemp("precise"), jobs=2, quiet=True)


def test_a_sweep_plays_until_the_interval_is_narrow_enough_and_no_longer(precise) -> None:
    plan = plan_for(half_width=0.02)
    (partition,) = plan.rounds
    reached = precise.plan.rounds[partition]
    looks = plan.schedule.looks[partition]
    assert precise.precision[partition].half_width <= 0.02
    assert reached in looks[:-1]
    results = open_results(precise.folder)
    assert results.complete
    before = [
        precision_reached(results, plan.schedule, partition, look)
        for look in looks
        if look < reached
    ]
    assert all(precision.half_width > 0.02 for precision in before)
    again = sweep(plan, precise.folder, jobs=2, quiet=True)
    assert again.played.games == 0


def test_a_budget_that_is_spent_ends_the_sweep(tmp_path) -> None:
    plan = plan_for(half_width=0.001, budget=2_000)
    swept = sweep(plan, tmp_path, jobs=2, quiet=True)
    (partition,) = plan.rounds
    assert swept.plan.rounds == plan.schedule.last
    assert swept.games_held <= 2_000
    assert swept.precision[partition].half_width > 0.001


def test_with_few_wins_or_losses_the_half_width_is_infinite(tmp_path) -> None:
    plan = plan_for(half_width=0.9, budget=32 * 8, line_ups=[["greedy", "random"]])
    sweep(plan, tmp_path, jobs=1, quiet=True)
    (partition,) = plan.rounds
    few = precision_reached(open_results(tmp_path), plan.schedule, partition, 32)
    assert few.half_width == np.inf


def test_a_budget_below_32_rounds_is_refused() -> None:
    with pytest.raises(WrongInput, match="32 rounds of every cell are 256 games"):
        plan_for(budget=255)


def test_the_target_restricted_play_counts_restricted_seats_with_the_clan_in_play() -> None:
    line_ups = [["greedy:never_leads=bear", "greedy", "greedy", "greedy"]]
    plan = plan_for("restricted_play", line_ups=line_ups, clan_sets={"sample": 4})
    (partition,) = plan.rounds
    groups = groups_of(ROW_MEANS["restricted_play"], "all", partition, plan.cells)
    ((name, rows),) = groups.items()
    assert name.startswith("greedy:never_leads=bear in ")
    assert rows == [(cell.number, 0) for cell in plan.cells if "bear" in cell.clans]
    assert 0 < len(rows) < 4
    with pytest.raises(WrongInput, match="'never_leads'"):
        plan_for("restricted_play")


def test_an_unfinished_look_is_continued(precise, tmp_path) -> None:
    """A sweep that stops between two looks ends with the rows of one that does not stop."""
    plan = plan_for(half_width=0.02)
    (partition,) = plan.rounds
    sweep(plan.with_games(plan.schedule.looks[partition][0] * 2), tmp_path, jobs=2, quiet=True)
    sweep(plan, tmp_path, jobs=2, quiet=True)
    kept = open_results(tmp_path)
    assert kept.plan.rounds == open_results(precise.folder).plan.rounds
    assert not missing_shards(kept.plan, [record.shard for record in kept.records])


def test_every_look_checks_the_space_on_the_disk(tmp_path, monkeypatch) -> None:
    free = [0, 10**12, 0]

    class Usage:
        def __init__(self, folder) -> None:
            self.free = free.pop(0)

    monkeypatch.setattr("shutil.disk_usage", Usage)
    plan = plan_for(half_width=0.005, budget=10**6)
    with pytest.raises(WrongInput, match="ask for a wider interval"):
        sweep(plan, tmp_path / "data", quiet=True)
    assert not (tmp_path / "data").exists()
    with pytest.raises(WrongInput, match=r"has 0\.0 kB left"):
        sweep(plan, tmp_path / "data", quiet=True)
    results = open_results(tmp_path / "data")
    assert results.complete
    assert results.games_held == plan.games


def test_the_command_prints_the_precision_and_that_the_budget_ended(tmp_path, printed) -> None:
    spec = tmp_path / "target.toml"
    text = (
        'players = [4]\nclan_sets = { sample = 2 }\nline_ups = [["greedy", "spreader"]]\n'
        '[target]\nestimate = "win_share"\nhalf_width = 0.001\nbudget = 600\n'
    )
    spec.write_text(text, encoding="utf-8")
    out = str(tmp_path / "out")
    said = printed("sweep", spec, "--out", out, "--quiet")
    assert "Precision: win_share ±0.0" in said
    assert "The budget ended before " in said
    said = printed("sweep", spec, "--dry-run")
    assert "First look: 600 games, about " in said
    assert "Budget: 600 games, about " in said
