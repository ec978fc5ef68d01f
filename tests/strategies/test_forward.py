"""The forward model: imagined games are legal games, and a copy goes as its model goes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ethnos_sim.simulator import NoAnswer, load_rules, play_seats
from ethnos_sim.strategies import LineUp, load_strategy_file

CLANS = ("bear", "koi", "raven", "owl", "fox", "dog")
HEADING = """
from ethnos_sim.simulator.cards import bit, lowest
from ethnos_sim.strategies import strategy
from ethnos_sim.strategies.toolkit import (
    copy_game, draw, guess, hand_is_full, imagined_games, kernel, largest_party, make_move, play,
    play_on, take,
)
"""

IMAGINED = """
@kernel
def alike(first, second):
    for player in range(first.open.hands):
        if first.hidden.hands_once[player] != second.hidden.hands_once[player]:
            return False
        if first.open.prestige[player] != second.open.prestige[player]:
            return False
    return first.open.deck_cards == second.open.deck_cards

@strategy(policy="greedy")
def NAME(view, rng):
    "Holds that a copy goes as its model goes, that a game left alone stays, and what is allowed."
    games = imagined_games(view, rng, 4)
    guess(view, rng, games[0])
    for number in (1, 2, 3):
        copy_game(games[number], games[0])
    missing = lowest(view.all_cards & ~view.pool_once)
    if make_move(games[3], take(missing)):
        raise ValueError("a card outside the pool was taken")
    move = play(largest_party(view)) if hand_is_full(view) else draw()
    for number in (1, 2):
        if not make_move(games[number], move) or not play_on(games[number], 9):
            raise ValueError("an imagined game breaks the rules")
    if not alike(games[1], games[2]):
        raise ValueError("a copy goes another way")
    if games[0].open.deck_cards != view.deck_cards or games[0].open.turns != view.turns:
        raise ValueError("the model has changed")
    if games[1].open.turns != view.turns + 9 and not games[1].open.age_over:
        raise ValueError("there are not so many turns")
    return move
"""

LATELY = """
@strategy()
def NAME(view, memory):
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


@pytest.mark.parametrize("source", [IMAGINED, LATELY], ids=["imagined", "last"])
def test_what_a_strategy_holds_of_the_forward_model_is_so(
    source: str, in_one_place: Callable[[str, str], Path]
) -> None:
    name = "forward_imagined" if source is IMAGINED else "forward_lately"
    load_strategy_file(in_one_place(f"{name}.py", HEADING + source.replace("NAME", name)))
    rules = load_rules("second")
    seats = LineUp.parse(f"{name},greedy", 4, rules).seats()
    played = play_seats(rules, players=4, clans=CLANS, seats=seats, seed=3, deals=2)
    assert played.games["turns"].min() > 50


def test_a_strategy_that_finds_a_fault_stops_the_game(
    in_one_place: Callable[[str, str], Path],
) -> None:
    """The check above could not fail otherwise."""
    name = "forward_broken"
    broken = LATELY.replace("NAME", name).replace("memory[1] = 3", "memory[1] = 7")
    load_strategy_file(in_one_place(f"{name}.py", HEADING + broken))
    rules = load_rules("second")
    seats = LineUp.parse(f"{name},greedy", 4, rules).seats()
    with pytest.raises(NoAnswer, match="another kind"):
        play_seats(rules, players=4, clans=CLANS, seats=seats, seed=3, deals=2)
