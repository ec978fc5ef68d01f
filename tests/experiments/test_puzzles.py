"""Puzzles: turns with one clearly best move, who finds it, and how people are asked."""

from collections import Counter

import pytest
from inside.experiments.matches import Puzzle, answer, in_words, puzzle, puzzles
from inside.simulator.narration import Game

from ethnos_sim.experiments import explain
from ethnos_sim.simulator import EDITIONS

NUMBERS = range(1, 1 + len(puzzles()))
BY_CHAMPIONS = "lookahead:policy=champion:rounds=2"


def solved_by(player: str) -> set[int]:
    return {number for number in NUMBERS if made_by(player, puzzle(number)) == puzzle(number).best}


def made_by(player: str, asked: Puzzle) -> str:
    match, position = asked.match, asked.position
    return in_words(match, position, [answer(match, position, player)])[0]


def test_each_edition_has_three_puzzles_of_each_of_eight_kinds() -> None:
    counts = Counter((asked.edition, asked.kind) for asked in puzzles())
    assert len({kind for _, kind in counts}) == 8
    assert len(counts) == 8 * len(EDITIONS)
    assert set(counts.values()) == {3}


@pytest.mark.parametrize("player", ["greedy", "champion", "learned", "lookahead", BY_CHAMPIONS])
def test_a_player_misses_exactly_the_recorded_puzzles(player: str) -> None:
    """After a change to a player, run `python benchmarks/puzzles.py` to record its misses."""
    known = {number for number in NUMBERS if player in puzzle(number).missed_by}
    assert set(NUMBERS) - solved_by(player) == known


def test_look_ahead_solves_more_puzzles_than_its_net_and_no_fewer_with_more_games() -> None:
    players = ["learned", *(f"lookahead:doubt=3:samples={samples}" for samples in (1, 5, 25))]
    solved = [len(solved_by(player)) for player in players]
    assert solved == sorted(solved)
    assert solved[0] < solved[1]


@pytest.mark.parametrize("number", NUMBERS[::6])
def test_look_ahead_by_champions_prefers_the_best_move(number: int) -> None:
    asked = puzzle(number)
    game = Game.of(asked.match.trace(asked.game).trace)
    best, *others = explain(asked.match, asked.game, asked.turn, guesses=200).moves
    assert best.in_words(game) == asked.best
    assert all(move.behind > move.error for move in others)


def test_the_story_stops_at_the_turn_and_the_moves_to_choose_from_follow(printed) -> None:
    asked = puzzle(7)
    text = printed("play", "--puzzle", "7")
    story, moves = text.split(f"Turn {asked.turn}, {asked.kind}: ")
    assert f"\n{asked.turn - 1:4}  P" in story
    assert f"\n{asked.turn:4}  P" not in story
    assert f"\n  {asked.best}\n" in moves
    explained = printed("play", "--puzzle", "7", "--explain", asked.turn).splitlines()
    assert asked.best in explained[2]
