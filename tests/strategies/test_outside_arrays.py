"""A number outside an array ends the game in a sentence, in a strategy's code and the toolkit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ethnos_sim.simulator import NoAnswer, load_rules, play_seats
from ethnos_sim.strategies import LineUp, load_strategy_file

HEAD = """\
import numpy as np
from ethnos_sim.strategies import Parameter, strategy
from ethnos_sim.strategies.toolkit import *
TABLE = np.arange(10)
@kernel
def look_up(place):
    return TABLE[place]
@strategy(Parameter("way", 0, 0, 99, "how it errs"), policy="random")
def erring(view, parameters, memory, rng):
    "Draws, and takes a number that there is not."
    far = 30000 + view.age
    way = int(parameters.way)
    found = 0.0
    games = imagined_games(view, rng, 2)
"""
TAIL = """\
    memory[0] = int(found)
    return draw() if not hand_is_full(view) else play(largest_party(view))
"""

#: What a strategy may do with a number that is far too large.
OUTSIDE = (
    "memory[far] = 1",
    "memory[-far] = 1",
    "found = view.prestige[far]",
    "found = view.markers[far, 0]",
    "found = view.markers[0, -far]",
    "found = view.rules.sea_symbols[0, far]",
    "found = look_up(far)",
    "found = marker_gain(view, far)",
    "found = best_rival(view, far)",
    "found = best_rival(view, -far)",
    "found = award_now(view, far, 1)",
    "found = award_at(view, far, 1, 1)",
    "found = marker_worth(view, far, 0.5)",
    "found = markers_needed(view, far)",
    "found = slot_of(view, far)",
    "found = known_companions(view, far, 0)",
    "found = power_prestige(view, far, 0, 3)",
    "found = float(larger_group(view, far)[0])",
    "found = games[far].open.age",
    "guess(view, rng, games[far])",
)

#: What is told in other words.
TOLD = {
    "make_move(games[0], draw())": "begins with guess",
    "play_on(games[0], 1)": "begins with guess",
    "copy_game(games[0], games[1])": "begins with guess",
}
WAYS = (*OUTSIDE, *TOLD)


@pytest.fixture(scope="module", autouse=True)
def erring(in_one_place: Callable[[str, str], Path]) -> None:
    """One strategy with all ways, so that it is compiled once."""
    ways = "".join(f"    if way == {n + 1}:\n        {way}\n" for n, way in enumerate(WAYS))
    load_strategy_file(in_one_place("erring.py", HEAD + ways + TAIL))


def play(line_up: str) -> None:
    rules = load_rules("second")
    seats = LineUp.parse(line_up, 4, rules).seats()
    play_seats(rules, players=4, clans=rules.clans[:6], seats=seats, seed=5, deals=1)


@pytest.mark.parametrize("way", WAYS)
def test_a_number_outside_an_array_is_told(way: str) -> None:
    said = TOLD.get(way, "IndexError: index is out of bounds")
    with pytest.raises(NoAnswer, match=rf"in strategy 'erring.*', {said}|{said}"):
        play(f"erring:way={WAYS.index(way) + 1},greedy")


def test_the_strategy_plays_where_it_does_not_err() -> None:
    play("erring,greedy")


def test_games_need_a_policy(in_one_place: Callable[[str, str], Path]) -> None:
    text = HEAD.replace(', policy="random"', "").replace("erring", "dreaming") + TAIL
    load_strategy_file(in_one_place("dreaming.py", text))
    with pytest.raises(NoAnswer, match=r"declare who plays them on: @strategy\(..., policy="):
        play("dreaming,greedy")
