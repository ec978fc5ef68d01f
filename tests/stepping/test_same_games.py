"""Games stepped from outside equal the games of the same players in a batch."""

from pathlib import Path

import numpy as np
import pytest
from inside.simulator.stepping import Advisor, Stepper, outside
from kit.custom import WILD, rules_with
from seated import play_seats

from ethnos_sim.simulator import GameTable, Rules, load_rules
from ethnos_sim.strategies import LineUp

REPRESENTATIVES = ("random", "specialist", "spreader", "champion", "warden", "learned")
SLOTS = 200


def stepped(table: GameTable, seats: list, seed: int, games: int) -> tuple[np.ndarray, np.ndarray]:
    """Results of games `0 ...` stepped by the advice of `seats`, in the form of `play_table`."""
    stepper = Stepper([table], min(SLOTS, games))
    advisor = Advisor(stepper, seats)
    stepper.start(seed)
    results = {}
    while len(results) < games:
        stepper.step(advisor.actions())
        for i in np.flatnonzero(stepper.over):
            if stepper.games["game"][i] < games:
                results[int(stepper.games["game"][i])] = (
                    stepper.games[i].copy(),
                    stepper.seats[i].copy(),
                )
    in_order = [results[game] for game in range(games)]
    return np.stack([game for game, _ in in_order]), np.stack([seats for _, seats in in_order])


def assert_same_games(
    edition: str | Rules, players: int, mode: str, line_up: str, deals: int, everybody: bool = True
) -> None:
    rules = load_rules(edition) if isinstance(edition, str) else edition
    solo = mode.startswith("solo")
    clans = ("bear", "koi", "monkey", "rabbit", "raccoon", "raven") if solo else rules.clans
    clans = clans[-5:] if players in (2, 3) else clans[-6:]
    entries = LineUp.parse(line_up, players, rules)
    advice = list(entries.seats())
    batch = play_seats(rules, advice, players, mode, clans, seed=3, deals=deals)
    outsiders = [
        outside(entry.name, entry.restrictions.never_leads) if everybody or place == 0 else seat
        for place, (entry, seat) in enumerate(zip(entries.entries, advice, strict=True))
    ]
    table = GameTable.prepare(rules, players, mode, clans, outsiders)
    games, seats = stepped(table, advice, 3, batch.games.size)
    assert np.array_equal(games, batch.games)
    assert np.array_equal(seats, batch.seats)


@pytest.mark.parametrize("strategy", REPRESENTATIVES)
@pytest.mark.parametrize("edition", ["first", "second"])
def test_a_strategy_plays_the_same_games_when_it_is_stepped(edition: str, strategy: str) -> None:
    assert_same_games(edition, 4, "standard", strategy, 100)


@pytest.mark.parametrize("players", [2, 3, 5, 6])
def test_every_player_count_plays_the_same_games_when_it_is_stepped(players: int) -> None:
    assert_same_games("second", players, "standard", "random,greedy", 100)


@pytest.mark.parametrize("strategy", ["random", "warden", "champion"])
@pytest.mark.parametrize("mode", ["recruitment", "solo-easy", "solo-regular", "solo-hard"])
def test_every_mode_plays_the_same_games_when_it_is_stepped(mode: str, strategy: str) -> None:
    assert_same_games("second", 4 if mode == "recruitment" else 1, mode, strategy, 100)


def test_a_game_whose_pool_is_filled_first_is_the_same_when_it_is_stepped() -> None:
    assert_same_games(load_rules("second", overrides="pool_refill=6"), 2, "standard", "greedy", 20)


def test_one_stepped_seat_among_compiled_players_plays_the_same_games() -> None:
    assert_same_games("first", 4, "standard", "random,greedy,warden,champion", 50, everybody=False)


def test_a_restricted_stepped_seat_plays_the_same_games() -> None:
    line_up = "champion:never_leads=raven,greedy,greedy,greedy"
    assert_same_games("second", 4, "standard", line_up, 50)


def test_a_player_who_looks_ahead_plays_the_same_games_when_it_is_stepped() -> None:
    assert_same_games("second", 2, "standard", "lookahead:samples=2,greedy", 2, everybody=False)


@pytest.fixture(scope="module")
def wild(in_one_place) -> Path:
    return in_one_place("wild.py", WILD)


@pytest.mark.parametrize(
    ("mode", "players"), [("standard", 3), ("recruitment", 4), ("solo-easy", 1)]
)
@pytest.mark.parametrize("everybody", [True, False])
def test_a_custom_power_plays_the_same_games_when_it_is_stepped(
    mode: str, players: int, everybody: bool, wild: Path
) -> None:
    rules = rules_with(wild, "rabbit" if players == 1 else "tiger")
    line_up = ",".join(("random", "greedy", "clock", "spreader")[:players])
    assert_same_games(rules, players, mode, line_up, 40, everybody)
