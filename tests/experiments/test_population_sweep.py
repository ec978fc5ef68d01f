"""Populations in specs: drawn line-ups, played by weight, the same in every run."""

from __future__ import annotations

import copy
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ethnos_sim import load_spec, open_results, sweep
from ethnos_sim.experiments import (
    Plan,
    Population,
    SpecError,
    make_plan,
    parse_spec,
    plan_text,
    read_plan,
    verify,
)
from ethnos_sim.experiments.designs.populations import written

WEIGHTS = {"greedy": 0.75, "random:play=0.5": 0.25}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with a population of two strategies and one of one."""
    made = {"edition": "second", "players": 4, "mode": "standard", "command": "by hand", "seed": 1}
    path = tmp_path / "populations.toml"
    path.write_text(
        written(
            [
                Population(name="mixture", weights=WEIGHTS, **made),
                Population(name="alone", weights={"greedy": 1.0}, **made),
            ]
        ),
        encoding="utf-8",
    )
    return path


def content(file: Path, *line_ups: dict[str, Any], games: int = 480) -> dict[str, Any]:
    """A small spec with populations of a file."""
    return {
        "name": "Populations",
        "games": games,
        "players": [4],
        "clan_sets": {"sample": 2},
        "line_ups": [{"from": str(file), **line_up} for line_up in line_ups],
    }


def plan_of(file: Path, *line_ups: dict[str, Any], games: int = 480) -> Plan:
    return make_plan(parse_spec(copy.deepcopy(content(file, *line_ups, games=games)), "small"))


def test_every_clan_set_meets_the_same_line_ups_and_the_population_keeps_its_weights(file) -> None:
    plan = plan_of(file, {"population": "mixture", "draws": 10})
    by_set: dict[int, dict[tuple[str, ...], int]] = {}
    for cell in plan.cells:
        assert cell.population == "mixture"
        by_set.setdefault(cell.clan_set, {})[cell.line_up] = cell.weight
    assert len(by_set) == 2
    assert by_set[0] == by_set[1]
    assert sum(by_set[0].values()) == 10
    seats = Counter()
    for line_up, weight in by_set[0].items():
        for name in line_up:
            seats[name] += weight
    assert seats == {"greedy": 30, "random:play=0.5": 10}


def test_a_population_of_one_is_one_cell_with_all_its_draws(file) -> None:
    (cell, _) = plan_of(file, {"population": "alone"}).cells
    assert (cell.weight, cell.line_up, cell.rotations) == (12, ("greedy",) * 4, 1)
    assert cell.games_per_round == 48
    assert cell.deals_per_round == 48


def test_the_same_line_up_may_belong_to_two_populations(file) -> None:
    plan = plan_of(file, {"population": "mixture"}, {"population": "alone"})
    both = Counter(cell.population for cell in plan.cells if set(cell.line_up) == {"greedy"})
    assert both["alone"] == 2
    assert both["mixture"] > 0


def test_another_seed_draws_other_line_ups(file) -> None:
    plans = [plan_of(file, {"population": "mixture", "seed": seed}) for seed in (1, 1, 2)]
    drawn = [{(cell.line_up, cell.weight) for cell in plan.cells} for plan in plans]
    assert drawn[0] == drawn[1] != drawn[2]


def test_games_are_spread_by_weight_and_a_plan_is_read_again(file) -> None:
    plan = plan_of(file, {"population": "mixture"}, games=960)
    assert plan.games == 960
    (rounds,) = plan.rounds.values()
    games = {cell.number: rounds * cell.games_per_round for cell in plan.cells}
    assert sum(games.values()) == 960
    weights = {cell.number: cell.weight for cell in plan.cells}
    assert len({games[number] / weights[number] for number in games}) == 1
    assert read_plan(plan_text(plan)) == plan


def test_a_sweep_of_populations_is_played_verified_and_added_to(file, tmp_path) -> None:
    small = plan_of(file, {"population": "mixture"}, {"population": "alone"}, games=480)
    large = small.with_total(960)
    sweep(small, tmp_path / "added", jobs=1, quiet=True)
    sweep(large, tmp_path / "added", jobs=1, quiet=True)
    sweep(large, tmp_path / "at_once", jobs=2, quiet=True)
    added, at_once = (open_results(tmp_path / name) for name in ("added", "at_once"))
    assert not verify(tmp_path / "added").faults
    order = ["cell", "game"]
    assert added.games().sort(order).collect().equals(at_once.games().sort(order).collect())
    cells = added.cells
    assert cells["games"].sum() == 960
    held = added.games().collect().group_by("cell").len().sort("cell")["len"].to_list()
    assert held == cells["games"].to_list()
    for name in ("mixture", "alone"):
        assert cells.filter(population=name)["games"].sum() == 480


def test_a_file_of_populations_lies_beside_the_spec(file) -> None:
    spec = file.parent / "mine.toml"
    spec.write_text(
        "games = 480\nplayers = [4]\nclan_sets = { sample = 2 }\n"
        f'line_ups = [{{ population = "alone", from = "{file.name}" }}]\n',
        encoding="utf-8",
    )
    assert make_plan(load_spec(spec)).cells[0].population == "alone"


def test_a_strategy_may_be_restricted_in_a_spec(file) -> None:
    raw = content(file)
    raw["line_ups"] = [["greedy:never_leads=bear", "greedy", "greedy", "greedy"]]
    plan = make_plan(parse_spec(raw, "small"))
    assert plan.cells[0].line_up[0] == "greedy:never_leads=bear"
    assert plan.cells[0].rotations == 4


@pytest.mark.parametrize(
    ("line_up", "said"),
    [
        ({"population": "mixtur"}, "line_ups[0].population: there is no population 'mixtur'; did"),
        ({"population": "alone", "strategies": ["greedy"]}, "either 'strategies' or"),
        ({"strategies": ["greedy"], "draws": 3}, "'population'"),
        ({}, "line_ups[0].strategies: is missing"),
        ({"strategies": []}, "line_ups[0].strategies: needs at least one strategy"),
        ({"population": "alone", "draws": 0}, "line_ups[0].draws"),
    ],
)
def test_a_wrong_population_is_told_with_its_place(file, line_up, said) -> None:
    raw = content(file, line_up)
    if "population" not in line_up:
        del raw["line_ups"][0]["from"]
    with pytest.raises(SpecError) as error:
        parse_spec(raw, "small")
    assert said in str(error.value)


def test_a_population_of_another_edition_or_an_unknown_strategy_is_told(file) -> None:
    raw = content(file, {"population": "alone"})
    raw["editions"] = ["first"]
    with pytest.raises(SpecError, match="'alone' was made for no player count of 'first'"):
        parse_spec(raw, "small")
    file.write_text(file.read_text(encoding="utf-8").replace("\ngreedy =", "\ngredy ="))
    with pytest.raises(SpecError, match="unknown strategy 'gredy'; did you mean 'greedy'"):
        parse_spec(content(file, {"population": "alone"}), "small")
