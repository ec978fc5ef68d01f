"""A person's game: every offered answer is legal, and the game follows the answers."""

import json
import random

import numpy as np
import pytest
import referee
from inside.experiments.matches import match_of_trace, record_positions
from kit.custom import WILD, rules_with
from kit.sitting import Chooses, at_random, seated, sit_through
from kit.tables import SETTINGS

from ethnos_sim.simulator import SOLO, SOLO_CLANS, GameTable, Rules, load_rules, trace_game
from ethnos_sim.strategies import LineUp


def a_game(
    rules: Rules, players: int, mode: str, game: int, chooses: Chooses, *, clans: tuple = ()
) -> tuple[GameTable, int]:
    """A table whose person answered by `chooses` in the first seating of a deal, and the game."""
    bots = LineUp.parse("champion,greedy" if players > 1 else "champion", players, rules).seats()
    chair = game % players
    usual = SOLO_CLANS if mode in SOLO else rules.clans[-rules.clans_in_play(players) :]

    def table_with(answers: np.ndarray) -> GameTable:
        return seated(rules, players, mode, clans or usual, bots, chair, answers)

    number = game * table_with(np.zeros(0)).rotations
    return sit_through(table_with, 5, number, chooses), number


@pytest.mark.parametrize(("edition", "players", "mode"), SETTINGS)
def test_every_offered_move_is_legal_and_the_referee_passes_the_game(
    edition: str, players: int, mode: str
) -> None:
    rules = load_rules(edition)
    for game in range(2):
        chooses = at_random(random.Random(f"{edition} {players} {mode} {game}"))
        table, number = a_game(rules, players, mode, game, chooses)
        trace = trace_game(table, seed=5, game=number).trace
        referee.replay(json.loads(json.dumps(trace)))
        assert trace["strategies"][game % players].startswith("person:answers=")


def test_a_custom_power_asks_a_person_and_the_referee_passes_the_game(in_one_place):
    rules = rules_with(in_one_place("wild.py", WILD), "tiger")
    for players in (2, 4):
        chooses = at_random(random.Random(players))
        table, number = a_game(rules, players, "standard", 1, chooses)
        referee.replay(trace_game(table, seed=5, game=number).trace)


def test_a_party_above_the_limit_is_not_offered() -> None:
    rules = load_rules("second", overrides="party_limit=3")
    table, number = a_game(rules, 4, "standard", 1, at_random(random.Random(1)))
    events = trace_game(table, seed=5, game=number).trace["events"]
    sizes = {len(event["cards"]) for event in events if event["event"] == "party"}
    assert max(sizes) == 3


def test_a_persons_trace_is_played_again_by_its_answers() -> None:
    rules = load_rules("second")
    for players, mode in ((3, "standard"), (1, "solo-easy")):
        table, number = a_game(rules, players, mode, 1, at_random(random.Random(7)))
        trace = json.loads(json.dumps(trace_game(table, seed=5, game=number).trace))
        match = match_of_trace(trace)
        assert match.trace(number).trace == trace
        assert len(record_positions(match, number))
