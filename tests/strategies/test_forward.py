"""Views and imagined games are as strategies expect, and bad numbers end the game in a sentence.

Imagined games are legal games, and a copy plays like its original. If a strategy gives its arrays
or the toolkit a number for which there is no place, the game ends in a sentence.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from inside import module_with
from kit.custom import strategy_text
from seated import play_seats

from ethnos_sim.simulator import NoAnswer, load_rules
from ethnos_sim.strategies import load_strategy_file

pytestmark = pytest.mark.long

ERRING = f"""\
from {module_with("simulator.game", "lowest").__name__} import lowest
TABLE = np.arange(10)
@kernel
def look_up(place):
    return TABLE[place]
@kernel
def alike(first, second):
    for player in range(first.open.hands):
        if first.hidden.hands_once[player] != second.hidden.hands_once[player]:
            return False
        if first.open.prestige[player] != second.open.prestige[player]:
            return False
    return first.open.deck_cards == second.open.deck_cards
@strategy(Parameter("way", 0, 0, 99, "how it errs"), policy="greedy")
def erring(view, parameters, memory, rng):
    "Draws, and takes a number that there is not."
    far = 30000 + view.age
    way = int(parameters.way)
    found = 0.0
    games = imagined_games(view, rng, 4)
    move = play(largest_party(view)) if hand_is_full(view) else draw()
"""
TAIL = """\
    memory[0] = int(found)
    return move
"""

#: Requires that a copy plays like another copy, that the original does not change, and more.
IMAGINED = """\
    if way == 0:
        guess(view, rng, games[0])
        for number in (1, 2, 3):
            copy_game(games[number], games[0])
        if make_move(games[3], take(lowest(view.all_cards & ~view.pool_once))):
            raise ValueError("a card outside the pool was taken")
        for number in (1, 2):
            if not make_move(games[number], move) or not play_on(games[number], 9):
                raise ValueError("an imagined game breaks the rules")
        if not alike(games[1], games[2]):
            raise ValueError("a copy goes another way")
        if games[0].open.deck_cards != view.deck_cards or games[0].open.turns != view.turns:
            raise ValueError("the model has changed")
        if games[1].open.turns != view.turns + 9 and not games[1].open.age_over:
            raise ValueError("there are not so many turns")
"""

LATELY = """\
@strategy()
def lately(view, memory):
    "Holds that everybody sees what it did last."
    if memory[0] == view.age and view.last_kind[view.player] != memory[1]:
        raise ValueError("another kind of move is remembered")
    if memory[0] != view.age and view.last_kind[view.player] != 0:
        raise ValueError("a move of an earlier age is remembered")
    memory[0] = view.age
    party = largest_party(view)
    memory[1] = 3 if hand_is_full(view) or party.size >= 3 else 1
    return play(party) if memory[1] == 3 else draw()
"""

#: Uses of a number that is far too large.
OUTSIDE = (
    "memory[far] = 1",
    "found = view.prestige[far]",
    "found = view.markers[0, -far]",
    "found = look_up(far)",
    "found = award_at(view, far, 1, 1)",
    "found = games[far].open.age",
)

#: Uses whose error has other words.
TOLD = {
    "make_move(games[0], draw())": "begins with guess",
    "play_on(games[0], 1)": "begins with guess",
    "copy_game(games[0], games[1])": "begins with guess",
}
WAYS = (*OUTSIDE, *TOLD)


@pytest.fixture(scope="module", autouse=True)
def erring(in_one_place: Callable[[str, str], Path]) -> None:
    """One strategy with all these uses, so that imagined games are compiled once."""
    ways = "".join(f"    if way == {n + 1}:\n        {way}\n" for n, way in enumerate(WAYS))
    load_strategy_file(in_one_place("erring.py", strategy_text(ERRING + IMAGINED + ways + TAIL)))


def play(line_up: str, deals: int = 1) -> int:
    """Play some games; return the turns of the shortest."""
    clans = ("bear", "koi", "raven", "owl", "fox", "dog")
    played = play_seats(load_rules("second"), line_up, clans=clans, seed=3, deals=deals)
    return int(played.games["turns"].min())


@pytest.mark.parametrize("way", WAYS)
def test_a_number_outside_an_array_is_reported(way: str) -> None:
    said = TOLD.get(way, "IndexError: index is out of bounds")
    with pytest.raises(NoAnswer, match=rf"in strategy 'erring.*', {said}|{said}"):
        play(f"erring:way={WAYS.index(way) + 1},greedy")


def test_imagined_games_are_as_a_strategy_expects() -> None:
    assert play("erring,greedy", deals=2) > 50


def test_games_need_a_policy(in_one_place: Callable[[str, str], Path]) -> None:
    text = ERRING.replace(', policy="greedy"', "").replace("erring", "dreaming") + TAIL
    load_strategy_file(in_one_place("dreaming.py", strategy_text(text)))
    with pytest.raises(NoAnswer, match=r"the policy that plays on: @strategy\(..., policy="):
        play("dreaming,greedy")


def test_a_strategy_sees_its_last_move(in_one_place: Callable[[str, str], Path]) -> None:
    load_strategy_file(in_one_place("lately.py", strategy_text(LATELY)))
    assert play("lately,greedy", deals=2) > 50
