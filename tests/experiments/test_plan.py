"""Plans: when two sweeps are the same, how games are spread, and how they are cut into shards."""

import json
from collections import Counter

import pytest
from inside import module_with
from inside.experiments.plans import missing_shards, plan_text, read_plan, sealed_json
from inside.experiments.specs import SpecChanges, parse_spec
from sweeps import plan_of

from ethnos_sim.simulator import WrongInput

plans = module_with("experiments.plans", "make_plan")


def rounds_of(shards) -> Counter:
    """How many of the shards have each round of each partition."""
    return Counter(
        (shard.partition, number)
        for shard in shards
        for number in range(shard.first_round, shard.end_round)
    )


def test_a_plan_has_a_cell_for_every_combination(small_plan) -> None:
    assert [cell.number for cell in small_plan.cells] == list(range(24))
    combinations = {(cell.partition, cell.clans, cell.line_up) for cell in small_plan.cells}
    assert len(combinations) == 24
    assert {len(cells) for cells in small_plan.cells_of.values()} == {6}
    assert {cell.line_up for cell in small_plan.cells if cell.partition.players == 4} == {
        ("greedy", "random", "greedy", "random"),
        ("greedy",) * 4,
    }


def test_a_round_seats_every_strategy_in_every_seat_equally_often(small_plan) -> None:
    for cell in small_plan.cells:
        assert cell.rotations == len(set(cell.line_up))
        assert cell.deals_per_round * cell.rotations == cell.partition.players


def test_games_are_spread_evenly_over_the_cells(small_plan) -> None:
    assert small_plan.games == 480
    of_a_cell = {part: rounds * part.players for part, rounds in small_plan.rounds.items()}
    assert set(of_a_cell.values()) == {20}


def test_a_plan_of_the_fewest_games_says_so_with_the_reason(small_plan) -> None:
    assert small_plan.extent_text == "480 games in 24 cells"
    fewest = sum(cell.games_per_round for cell in small_plan.cells)
    extent = small_plan.with_total_games(1).extent_text
    assert extent.startswith(
        f"{fewest} games in 24 cells, the fewest possible: in each cell, every player"
    )


@pytest.mark.parametrize("path", ["edition=first/players=2/mode=../../x", "/etc", "", 7])
def test_a_plan_with_paths_out_of_its_folder_is_refused_even_if_it_is_sealed(small_plan, path):
    content = json.loads(plan_text(small_plan))
    content["cells"]["partitions"][0] = path
    with pytest.raises(WrongInput, match="is not a plan of a sweep"):
        read_plan(sealed_json(content))


def test_the_number_of_games_and_the_name_do_not_change_the_plan_id(small_spec, small_plan) -> None:
    small_spec["name"] = "Another name"
    assert plan_of(small_spec, games=4800).plan_id == small_plan.plan_id


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 8},
        {"rules": {"set": {"bear.on_take": 3}}},
        {"rules": {"variant": "optional-marker"}},
        {"clan_sets": {"sample": 3, "seed": 2}},
        {"line_ups": [["greedy", "random"]]},
        {"modes": ["recruitment"]},
        {"players": [2, 4, 5]},
    ],
    ids=str,
)
def test_other_games_and_other_cells_change_the_plan_id(small_spec, small_plan, change) -> None:
    assert plan_of({**small_spec, **change}).plan_id != small_plan.plan_id


def test_another_version_of_the_program_does_not_change_the_plan_id(
    small_spec, small_plan, monkeypatch
) -> None:
    monkeypatch.setattr(plans, "package_version", lambda: "9.9.9")
    plan = plan_of(small_spec)
    assert plan.version == read_plan(plan_text(plan)).version == "9.9.9"
    assert plan.plan_id == small_plan.plan_id


def test_a_plan_keeps_every_rule_value(small_spec) -> None:
    changes = SpecChanges(settings=("bear.on_take=3",))
    plan = read_plan(plan_text(plan_of(small_spec, settings=changes.settings)))
    rules = parse_spec(small_spec, "x", changes).rule_sets()[""]
    assert {about.edition: about.rules for about in plan.editions} == rules
    assert [about.rules_id for about in plan.editions] == [rules[e].rules_id for e in rules]


def test_the_same_cell_twice_is_refused(small_spec) -> None:
    small_spec["line_ups"] = [["greedy"], ["greedy", "greedy"]]
    with pytest.raises(WrongInput, match="greedy, greedy is given twice for 2 players"):
        plan_of(small_spec)


def test_too_many_cells_are_refused(small_spec, monkeypatch) -> None:
    monkeypatch.setattr(plans, "MOST_CELLS", 23)
    with pytest.raises(WrongInput, match="24 cells; a sweep has at most 23"):
        plan_of(small_spec)


def test_a_larger_number_of_games_adds_only_the_missing_rounds(small_spec) -> None:
    before = plan_of(small_spec, games=30_000)
    after = before.with_total_games(100_000)
    shards = missing_shards(before, [])
    added = rounds_of(missing_shards(after, shards))
    assert set(added.values()) == {1}
    assert added.keys().isdisjoint(rounds_of(shards))
    assert len(added) == sum(after.rounds.values()) - sum(before.rounds.values())


def test_a_gap_between_finished_shards_is_played(small_spec) -> None:
    plan = plan_of(small_spec, games=100_000)
    shards = missing_shards(plan, [])
    assert missing_shards(plan, shards[:5] + shards[6:]) == [shards[5]]


@pytest.mark.parametrize("games", [8_000, 100_000, 10_000_000])
def test_a_plan_has_enough_shards_for_workers_and_not_too_many_files(small_spec, games) -> None:
    plan = plan_of(small_spec, games=games)
    shards = missing_shards(plan, [])
    assert len(shards) >= 8
    assert len(shards) <= max(40, games // 20_000)
    for shard in shards:
        most = plans.MOST_GAMES_OF_A_SHARD + plan.games_per_round(shard.partition)
        assert plan.games_of(shard) < most


def test_all_partitions_advance_together(small_spec) -> None:
    plan = plan_of(small_spec, games=1_000_000)
    shards = missing_shards(plan, [])
    half = rounds_of(shards[: len(shards) // 2])
    for partition, rounds in plan.rounds.items():
        share = sum(1 for part, _ in half if part == partition) / rounds
        assert 0.35 < share < 0.65
