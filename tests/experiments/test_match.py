"""Matches and tournaments play whole deals in all seatings, and the same games every time."""

from collections import Counter

import numpy as np
import pytest
from inside.experiments import play_match, prepare_match
from inside.experiments.matches import (
    CLAN_SETS,
    LEAST_DEALS,
    Tournament,
    default_strategies,
    play_tournament,
    prepare_tournament,
)

from ethnos_sim.simulator import load_rules
from ethnos_sim.strategies import get_strategy

RULES = load_rules("second")
SIX = ("bear", "deer", "dog", "fox", "koi", "monkey")


def match_of(strategies="greedy,random", players=4, **given):
    return prepare_match(RULES, strategies, players=players, **{"seed": 7, **given})


@pytest.mark.parametrize(("players", "times"), [(2, 55), (3, 55), (4, 66), (5, 66), (6, 66)])
@pytest.mark.parametrize("edition", ["first", "second"])
def test_clan_sets_are_spread_evenly_over_the_clans(edition, players, times) -> None:
    rules = load_rules(edition)
    match = prepare_match(rules, "random", players=players, seed=3)
    sets = [match.table(deal).clans for deal in range(CLAN_SETS)]
    assert Counter(clan for clans in sets for clan in clans) == dict.fromkeys(rules.clans, times)
    assert len(set(sets)) == CLAN_SETS


def test_a_match_plays_all_clan_sets_if_there_are_few() -> None:
    gone = [f"clans.{clan}=false" for clan in ("bear", "deer", "dog", "fox")]
    match = prepare_match(load_rules("second", overrides=gone), "random", players=4, seed=3)
    assert len({table.clans for table in match.tables}) == 28


def test_given_clans_are_in_every_deal_and_their_order_does_not_matter() -> None:
    one, other = (match_of(clans=clans) for clans in (SIX, SIX[::-1]))
    assert one.clans == other.clans == SIX
    assert np.array_equal(play_match(one, 40).prestige, play_match(other, 40).prestige)


@pytest.mark.parametrize(
    ("strategies", "asked", "played"),
    [("greedy", 10, 10), ("greedy,random", 9, 10), ("greedy,random,random,random", 9, 12)],
)
def test_games_are_rounded_up_to_whole_deals_in_all_seatings(strategies, asked, played) -> None:
    assert play_match(match_of(strategies), asked).games == played


def test_a_match_does_not_depend_on_threads_and_a_longer_one_begins_with_a_shorter() -> None:
    match = match_of()
    counts: list[int] = []
    short, long = play_match(match, 600), play_match(match, 2600, threads=2, on_games=counts.append)
    assert sum(counts) == long.games
    for name in ("won", "prestige"):
        assert np.array_equal(getattr(long, name)[: short.deals], getattr(short, name))


@pytest.mark.parametrize("strategies", ["greedy,random", "greedy,random,random,majority"])
def test_a_match_sums_traced_games_by_entry_of_the_line_up(strategies) -> None:
    match = match_of(strategies)
    played = play_match(match, 12)
    sums = {"won": np.zeros_like(played.won), "prestige": np.zeros_like(played.prestige)}
    for game, traced in enumerate(match.traces(12)):
        assert traced.trace["game"] == game
        for seat in traced.seats:
            for name, summed in sums.items():
                summed[game // match.rotations, seat["entry"]] += seat[name]
    assert np.array_equal(sums["won"], played.won)
    assert np.array_equal(sums["prestige"], played.prestige)


def tournament_of(*names: str, games: int = 1, players: int = 3, **given) -> Tournament:
    return prepare_tournament(RULES, names, players=players, games=games, **{"seed": 5, **given})


def test_every_table_plays_the_same_number_of_whole_deals() -> None:
    few = tournament_of("greedy", "random", "majority")
    assert few.deals == LEAST_DEALS
    assert few.games == LEAST_DEALS * sum(match.rotations for match in few.matches)
    many = tournament_of("greedy", "random", "majority", games=4 * few.games)
    assert many.deals == 4 * LEAST_DEALS


@pytest.mark.parametrize(("players", "tables"), [(2, 3), (3, 6)])
def test_every_strategy_meets_every_other_in_one_seat(players: int, tables: int) -> None:
    tournament = tournament_of("greedy", "random", "majority", players=players)
    seated = [match.line_up.names for match in tournament.matches]
    assert len(set(seated)) == tables
    assert all(len(set(names)) == 2 and len(set(names[1:])) == 1 for names in seated)


def test_a_tournament_does_not_depend_on_threads_and_reports_its_progress() -> None:
    tournament = tournament_of("greedy", "random", "majority")
    counts: list[int] = []
    alone = play_tournament(tournament)
    together = play_tournament(tournament, threads=2, on_games=counts.append)
    assert np.array_equal(alone, together, equal_nan=True)
    assert sum(counts) == tournament.games


def test_strategies_that_look_ahead_are_rated_only_on_request() -> None:
    names = default_strategies()
    assert "greedy" in names
    assert not any(get_strategy(name).looks_ahead for name in names)
