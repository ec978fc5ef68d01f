"""Games stepped from outside equal the games of the engine with the same answers.

A person's seat gives a list of answers to the engine itself. So games are stepped by random legal
actions, the answers that they make are given to the engine, and nothing may differ.
"""

from pathlib import Path
from random import Random

import numpy as np
import pytest
from inside.simulator.stepping import Stepper, outside_seat, person_seat
from kit.custom import WILD, rules_with
from kit.sitting import answered, asked, at_random
from kit.tables import SETTINGS

from ethnos_sim.simulator import SOLO, SOLO_CLANS, GameTable, Rules, load_rules
from ethnos_sim.simulator.game.records import MOVE_DTYPE
from ethnos_sim.simulator.tables.work_list import PreparedTables
from ethnos_sim.strategies import LineUp

SEED = 3


def assert_same_games(
    rules: Rules, players: int, mode: str, outsiders: set[int], games: int = 1
) -> None:
    """Step games whose entries `outsiders` are played from outside.

    Greedy, lookahead and random players sit in the other seats.
    """
    bots = LineUp.parse("greedy,lookahead:samples=2,random", 3, rules).seats() * 2
    seats = [outside_seat() if entry in outsiders else bots[entry] for entry in range(players)]
    for game in range(games):
        assert_same_game(rules, mode, seats, outsiders, game)


def assert_same_game(rules, mode, seats, outsiders, game) -> None:
    players = len(seats)
    clans = SOLO_CLANS if mode in SOLO else rules.clans[-rules.clans_in_play(players) :]
    pick = at_random(Random(game))
    answers = dict.fromkeys(outsiders, np.zeros(0, MOVE_DTYPE))
    stepper = Stepper([GameTable.prepare(rules, players, mode, clans, seats, players)], 1)
    stepper.start(SEED, game)

    def with_answers() -> GameTable:
        taken = [
            person_seat(answers[entry]) if entry in answers else seat
            for entry, seat in enumerate(seats)
        ]
        return GameTable.prepare(rules, players, mode, clans, taken, players)

    def chooses(view: np.ndarray, legal: list[int]) -> int:
        assert stepper.legal[0, : stepper.legal_counts[0]].tolist() == legal
        assert stepper.players[0] == view["player"]
        action = pick(view, legal)
        stepper.step(np.array([action]))
        return action

    while (views := asked(with_answers(), SEED, game)) is not None:
        entry = (int(views["player"][0]) + game) % players
        answers[entry] = np.concatenate([answers[entry], answered(views, chooses)])
    assert stepper.over[0]
    prepared = PreparedTables([with_answers()])
    results, sides = prepared.play(prepared.game_row(game, SEED))
    assert np.array_equal(results, stepper.games)
    assert np.array_equal(sides, stepper.seats[0])


@pytest.mark.parametrize(
    ("edition", "players", "mode"), [setting for setting in SETTINGS if setting[1] not in (3, 5)]
)
def test_a_table_played_from_outside_plays_the_same_games(edition, players, mode) -> None:
    assert_same_games(load_rules(edition), players, mode, set(range(players)))


@pytest.mark.parametrize("edition", ["first", "second"])
def test_one_seat_among_compiled_players_plays_the_same_games(edition: str) -> None:
    assert_same_games(load_rules(edition), 4, "standard", {0}, games=4)


def test_a_game_whose_pool_is_filled_first_is_the_same() -> None:
    rules = load_rules("second", overrides="pool_refill=6")
    assert_same_games(rules, 2, "standard", {0, 1}, games=2)


@pytest.fixture(scope="module")
def wild(in_one_place) -> Path:
    return in_one_place("wild.py", WILD)


@pytest.mark.parametrize(
    ("mode", "players"), [("standard", 3), ("recruitment", 4), ("solo-easy", 1)]
)
def test_a_custom_power_plays_the_same_games(mode: str, players: int, wild: Path) -> None:
    rules = rules_with(wild, "rabbit" if players == 1 else "tiger")
    assert_same_games(rules, players, mode, {0}, games=3)
    assert_same_games(rules, players, mode, set(range(players)), games=2)
