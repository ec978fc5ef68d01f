"""A tournament: everybody in every seat at every kind of table, all on the same deals."""

from __future__ import annotations

import numpy as np
from inside.experiments.matches import LEAST_DEALS, rated_strategies

from ethnos_sim.experiments import (
    Tournament,
    play_match,
    play_tournament,
    prepare_match,
    prepare_tournament,
)
from ethnos_sim.simulator import SIXTIETHS, load_rules
from ethnos_sim.strategies import get_strategy

RULES = load_rules("second")


def tournament_of(*names: str, games: int = 1, players: int = 3, **given) -> Tournament:
    return prepare_tournament(RULES, names, players=players, games=games, **{"seed": 5, **given})


def test_every_table_plays_the_same_number_of_whole_deals() -> None:
    few = tournament_of("greedy", "random", "majority")
    assert few.deals == LEAST_DEALS
    assert few.games == LEAST_DEALS * sum(match.rotations for match in few.matches)
    many = tournament_of("greedy", "random", "majority", games=4 * few.games)
    assert many.deals == 4 * LEAST_DEALS


def test_every_game_is_won_once_and_a_table_plays_the_games_of_its_match() -> None:
    tournament = tournament_of("greedy", "random", "majority")
    played = play_tournament(tournament)
    rotations = np.array([match.rotations for match in tournament.matches])
    assert (played.won.sum(axis=2) == SIXTIETHS * rotations[:, None]).all()
    for table in (0, len(tournament.seatings) - 1):
        names = [tournament.strategies[number] for number in tournament.seatings[table]]
        match = prepare_match(RULES, names, players=3, seed=5)
        alone = play_match(match, tournament.deals * match.rotations)
        for number, name in enumerate(tournament.strategies):
            own = [entry for entry, other in enumerate(names) if other == name]
            expected = alone.won[:, own].sum(axis=1)
            assert np.array_equal(played.won[table, :, number], expected)


def test_a_tournament_does_not_depend_on_threads_and_tells_how_far_it_is() -> None:
    tournament = tournament_of("greedy", "random", "majority")
    told: list[int] = []
    alone = play_tournament(tournament)
    together = play_tournament(tournament, threads=2, on_games=told.append)
    assert np.array_equal(alone.won, together.won)
    assert sum(told) == tournament.games


def test_who_looks_ahead_is_rated_only_when_asked_for() -> None:
    names = rated_strategies()
    assert "greedy" in names
    assert not any(get_strategy(name).looks_ahead for name in names)
