"""Populations: named mixtures as data, and line-ups that are drawn by weight in the same way every
run.
"""

from collections import Counter
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import pytest
from inside.experiments.designs import (
    BUNDLED,
    MOST_MIXED,
    Population,
    draw_line_ups,
    even_population,
    find_population,
    rotated,
    tournament_line_ups,
    with_populations,
    written,
)
from sweeps import plan_of

from ethnos_sim import load_spec, open_results, sweep
from ethnos_sim.experiments import Plan, SpecError, make_plan, parse_spec, read_populations, verify
from ethnos_sim.simulator import EDITIONS, WrongInput, load_rules
from ethnos_sim.strategies import LineUp


def population(name: str, players: int, edition: str = "second", **weights: float) -> Population:
    return Population(
        name=name,
        edition=edition,
        players=players,
        mode="standard",
        weights=weights or {"greedy:patience=3": 0.25, "majority": 0.75},
        command='ethnos-sim strategies rate --strategies "a"',
        seed=3,
    )


def test_a_fresh_population_replaces_the_older_one_of_its_name_edition_and_players(
    tmp_path: Path,
) -> None:
    file = tmp_path / "populations.toml"
    for entries in ([population("a", 4), population("a", 3)], [population("a", 4, random=1.0)]):
        file.write_text(with_populations(file, entries), encoding="utf-8")
    assert find_population("a", "second", 4, file).weights == {"random": 1.0}
    assert find_population("a", "second", 3, file).weights == population("a", 3).weights


def test_the_nearest_player_count_is_taken_and_of_two_the_smaller(tmp_path: Path) -> None:
    file = tmp_path / "populations.toml"
    file.write_text(written([population("a", 2), population("a", 4)]), encoding="utf-8")
    sizes = [find_population("a", "second", players, file).players for players in range(1, 7)]
    assert sizes == [2, 2, 2, 4, 4, 4]


@pytest.mark.parametrize("weights", ["", "greedy = -1.0", "greedy = 0.0", 'greedy = "all"'])
def test_weights_that_make_no_mixture_are_refused(tmp_path: Path, weights: str) -> None:
    file = tmp_path / "populations.toml"
    text = written([population("a", 4, random=1.0)]).replace("random = 1.0", weights)
    file.write_text(text, encoding="utf-8")
    with pytest.raises(WrongInput, match="holds no populations"):
        read_populations(file)


def test_a_strategy_weighs_as_often_as_it_is_named() -> None:
    even = even_population(["a", "b ", "a"], "second", 4, "standard")
    assert even.weights == {"a": 2.0, "b": 1.0}
    drawn = even.line_ups(3, 4, seed=1)
    assert sum(times * names.count("a") for names, times in drawn.items()) == 8


def test_the_package_has_the_three_populations_with_the_command_that_made_them() -> None:
    populations = read_populations(BUNDLED)
    for key in {(entry.edition, entry.players) for entry in populations}:
        here = {entry.name: entry for entry in populations if (entry.edition, entry.players) == key}
        assert set(here) == {"uniform", "equilibrium", "strongest"}
        assert len(set(here["uniform"].weights.values())) == 1
        assert len(here["strongest"].weights) == 1
        assert set(here["equilibrium"].weights) <= set(here["uniform"].weights)
        for population in here.values():
            assert population.command.startswith("ethnos-sim strategies rate ")
            assert f"--seed {population.seed}" in population.command
            LineUp.parse(list(here["equilibrium"].weights)[:1], 4, load_rules(population.edition))
    settings = {(edition, players) for edition in EDITIONS for players in range(2, 7)}
    assert {(entry.edition, entry.players) for entry in populations} == settings


def seats(drawn: dict[tuple[int, ...], int]) -> Counter[int]:
    """The number of seats of each strategy over all draws."""
    counts: Counter[int] = Counter()
    for seating, times in drawn.items():
        for number in seating:
            counts[number] += times
    return counts


@pytest.mark.parametrize("players", range(1, 7))
@pytest.mark.parametrize("weights", [[1, 1, 1, 1, 1], [0.7, 0.2, 0.1], [1.0], [3, 0, 1]])
def test_seats_are_shared_by_weight_up_to_one_seat(weights, players) -> None:
    drawn = draw_line_ups(weights, players, 12, seed=4)
    assert sum(drawn.values()) == 12
    for number, weight in enumerate(weights):
        assert abs(seats(drawn)[number] - 12 * players * weight / sum(weights)) < 1
        assert weight or not seats(drawn)[number]


def test_rotations_of_a_line_up_are_drawn_as_one() -> None:
    assert {rotated(seating) for seating in [(2, 1, 0), (1, 0, 2), (0, 2, 1)]} == {(0, 2, 1)}
    for seed in range(20):
        drawn = draw_line_ups([1, 1], 4, 12, seed=seed)
        assert all(seating == rotated(seating) for seating in drawn)


@pytest.mark.parametrize(("strategies", "players"), [(2, 2), (5, 4), (4, 6), (14, 4), (7, 6)])
def test_a_tournament_plays_every_table_of_two_strategies_once(strategies, players) -> None:
    line_ups = tournament_line_ups(strategies, players, seed=1)
    assert len(set(line_ups)) == len(line_ups)
    twos = {
        tuple(sorted(Counter(line_up).items())) for line_up in line_ups if len(set(line_up)) == 2
    }
    assert twos == {
        ((one, count), (other, players - count))
        for one, other in combinations(range(strategies), 2)
        for count in range(1, players)
    }
    assert all(len(line_up) == players and len(set(line_up)) > 1 for line_up in line_ups)


def test_a_small_tournament_has_all_tables_and_a_large_one_a_balanced_sample() -> None:
    assert len(tournament_line_ups(5, 4, seed=1)) == comb(8, 4) - 5
    large = [line_up for line_up in tournament_line_ups(14, 4, seed=1) if len(set(line_up)) > 2]
    assert 0.8 * MOST_MIXED < len(large) <= MOST_MIXED
    counts = Counter(number for line_up in large for number in line_up).values()
    assert max(counts) < 1.15 * min(counts)


WEIGHTS = {"greedy": 0.75, "random:play=0.5": 0.25}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with a population of two strategies and one of a single strategy."""
    path = tmp_path / "populations.toml"
    entries = [population("mixture", 4, **WEIGHTS), population("alone", 4, greedy=1.0)]
    path.write_text(written(entries), encoding="utf-8")
    return path


def content(file: Path, *line_ups: dict[str, Any], games: int = 480) -> dict[str, Any]:
    """A small spec that uses the populations of a file."""
    return {
        "name": "Populations",
        "games": games,
        "players": [4],
        "clan_sets": {"sample": 2},
        "line_ups": [{"from": str(file), **line_up} for line_up in line_ups],
    }


def plan_for(file: Path, *line_ups: dict[str, Any], games: int = 480) -> Plan:
    return plan_of(content(file, *line_ups, games=games))


def test_every_clan_set_meets_the_same_line_ups_and_the_population_keeps_its_weights(file) -> None:
    plan = plan_for(file, {"population": "mixture", "draws": 10})
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


def test_the_same_line_up_may_belong_to_two_populations(file) -> None:
    plan = plan_for(file, {"population": "mixture"}, {"population": "alone"})
    both = Counter(cell.population for cell in plan.cells if set(cell.line_up) == {"greedy"})
    assert both["alone"] == 2
    assert both["mixture"] > 0


def test_a_sweep_of_populations_is_played_verified_and_enlarged(file, tmp_path) -> None:
    small = plan_for(file, {"population": "mixture"}, {"population": "alone"}, games=480)
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


@pytest.mark.parametrize(
    ("line_up", "said"),
    [
        ({"population": "mixtur"}, "line_ups[0].population: there is no population 'mixtur'; did"),
        ({"population": "alone", "strategies": ["greedy"]}, "either 'strategies' or"),
        ({}, "line_ups[0].strategies: is missing"),
        ({"population": "alone", "draws": 0}, "line_ups[0].draws"),
    ],
)
def test_a_wrong_population_is_refused_with_its_path(file, line_up, said) -> None:
    raw = content(file, line_up)
    if "population" not in line_up:
        del raw["line_ups"][0]["from"]
    with pytest.raises(SpecError) as error:
        parse_spec(raw, "small")
    assert said in str(error.value)


def test_a_population_of_another_edition_or_of_unknown_strategies_is_refused(file) -> None:
    raw = content(file, {"population": "alone"})
    raw["editions"] = ["first"]
    with pytest.raises(SpecError, match="'alone' was made for no player count of 'first'"):
        parse_spec(raw, "small")
    file.write_text(file.read_text(encoding="utf-8").replace("\ngreedy =", "\ngredy ="))
    with pytest.raises(SpecError, match="unknown strategy 'gredy'; did you mean 'greedy'"):
        parse_spec(content(file, {"population": "alone"}), "small")
