"""Populations: named mixtures as data, found by edition and the nearest player count."""

from __future__ import annotations

from pathlib import Path

import pytest

from ethnos_sim.experiments import Population, read_populations
from ethnos_sim.experiments.designs.populations import (
    BUNDLED,
    even_population,
    find_population,
    with_populations,
    written,
)
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


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "populations.toml"
    entries = [population("uniform", 4), population("b", 2), population("b", 2, "first")]
    file.write_text(written(entries), encoding="utf-8")
    assert {each.key: each for each in read_populations(file)} == {e.key: e for e in entries}


def test_fresh_populations_replace_those_of_their_name_edition_and_players(tmp_path: Path) -> None:
    file = tmp_path / "populations.toml"
    for entries in ([population("a", 4), population("a", 3)], [population("a", 4, random=1.0)]):
        file.write_text(with_populations(file, entries), encoding="utf-8")
    assert find_population("a", "second", 4, file).weights == {"random": 1.0}
    assert find_population("a", "second", 3, file).weights == population("a", 3).weights


def test_the_nearest_player_count_is_taken_and_the_smaller_of_two(tmp_path: Path) -> None:
    file = tmp_path / "populations.toml"
    file.write_text(written([population("a", 2), population("a", 4)]), encoding="utf-8")
    found = [find_population("a", "second", players, file).players for players in range(1, 7)]
    assert found == [2, 2, 2, 4, 4, 4]


@pytest.mark.parametrize("weights", ["", "greedy = -1.0", "greedy = 0.0", 'greedy = "all"'])
def test_weights_that_make_no_mixture_are_refused(tmp_path: Path, weights: str) -> None:
    file = tmp_path / "populations.toml"
    text = written([population("a", 4, random=1.0)]).replace("random = 1.0", weights)
    file.write_text(text, encoding="utf-8")
    with pytest.raises(WrongInput, match="holds no populations"):
        read_populations(file)


def test_strategies_given_weigh_as_often_as_they_are_named() -> None:
    even = even_population(["a", "b ", "a"], "second", 4, "standard")
    assert even.weights == {"a": 2.0, "b": 1.0}
    drawn = even.line_ups(3, 4, seed=1)
    assert sum(times * names.count("a") for names, times in drawn.items()) == 8


def test_the_package_has_the_three_populations_with_the_command_that_made_them() -> None:
    found = read_populations(BUNDLED)
    for key in {(each.edition, each.players) for each in found}:
        here = {each.name: each for each in found if (each.edition, each.players) == key}
        assert set(here) == {"uniform", "equilibrium", "strongest"}
        assert len(set(here["uniform"].weights.values())) == 1
        assert len(here["strongest"].weights) == 1
        assert set(here["equilibrium"].weights) <= set(here["uniform"].weights)
        for each in here.values():
            assert each.command.startswith("ethnos-sim strategies rate ")
            assert f"--seed {each.seed}" in each.command
            LineUp.parse(list(here["equilibrium"].weights)[:1], 4, load_rules(each.edition))
    settings = {(edition, players) for edition in EDITIONS for players in range(2, 7)}
    assert {(each.edition, each.players) for each in found} == settings
