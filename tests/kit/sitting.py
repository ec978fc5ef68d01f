"""Let a person play at a table, natively: offer moves at each question, and take an answer."""

import random
from collections.abc import Callable, Sequence

import numpy as np
from inside.simulator.compiler import compile_entry
from inside.simulator.stepping import ACTIONS, NO, SELECTION_DTYPE, continue_answer, person_seat

from ethnos_sim.simulator import NONE, GameTable, Rules, Seat
from ethnos_sim.simulator.game.records import (
    DEAL_DTYPE,
    GAME_DTYPE,
    LOG_DTYPE,
    MOVE_DTYPE,
    SEAT_DTYPE,
    VIEW_DTYPE,
)
from ethnos_sim.simulator.kernel.asking import consult_strategy
from ethnos_sim.simulator.kernel.engine import run_games
from ethnos_sim.simulator.kernel.faults import NO_ANSWER, NO_FAULT
from ethnos_sim.simulator.tables.work_list import PreparedTables

Chooses = Callable[[np.ndarray, list[int]], int]
"""Picks an action, given the open record and the legal actions."""


def seated(
    rules: Rules,
    players: int,
    mode: str,
    clans: Sequence[str],
    bots: Sequence[Seat],
    chair: int,
    answers: np.ndarray,
) -> GameTable:
    """A table where a person has given some answers and bots play the other seats."""
    seats = [*bots[:chair], person_seat(answers), *bots[chair + 1 :]]
    return GameTable.prepare(rules, players, mode, clans, seats)


def asked(table: GameTable, seed: int, game: int) -> np.ndarray | None:
    """The open record at the person's next question; None if the game is over."""
    prepared = PreparedTables([table])
    works = prepared.game_row(game, seed)
    works["rotations"] = prepared.rotations[0]
    views, hiddens = np.zeros(1, VIEW_DTYPE), np.repeat(prepared.hidden, 2)
    code = run_games(
        *(works, prepared.views, prepared.entries, views, hiddens, np.zeros(0, DEAL_DTYPE)),
        *(np.zeros(1, GAME_DTYPE), np.zeros(table.sides, SEAT_DTYPE), np.zeros(1, LOG_DTYPE)),
    )
    assert code in (NO_FAULT, NO_ANSWER), code
    return views if code == NO_ANSWER else None


def answered(views: np.ndarray, chooses: Chooses) -> np.ndarray:
    """Answer the question in the open record by offered actions (MOVE_DTYPE, shape (1,))."""
    building, move = np.zeros(1, SELECTION_DTYPE), np.zeros(1, MOVE_DTYPE)
    legal, action = np.zeros(ACTIONS, np.int16), NONE
    while total := continue_answer(views, building, move, legal, np.int64(action)):
        action = chooses(views[0], legal[:total].tolist())
    return move


def _consult(views, moves, owns):
    consult_strategy(views[0], moves[0], owns[0])


ask = compile_entry(_consult, "compiling the questions of a test")


def advised(views: np.ndarray, own: np.ndarray) -> np.ndarray:
    """The answer to the open question by the code of a private record (MOVE_DTYPE, shape (1,))."""
    move = np.zeros(1, MOVE_DTYPE)
    ask(views, move, own)
    return move


def sit_through(
    table_with: Callable[[np.ndarray], GameTable], seed: int, game: int, chooses: Chooses
) -> GameTable:
    """Answer every question until the game ends; return the table with all these answers."""
    answers = np.zeros(0, MOVE_DTYPE)
    while (views := asked(table_with(answers), seed, game)) is not None:
        answers = np.concatenate([answers, answered(views, chooses)])
    return table_with(answers)


def at_random(dice: random.Random) -> Chooses:
    """Pick actions at random; "no", if it is offered, is first tried with a chance of one third."""

    def chooses(view: np.ndarray, legal: list[int]) -> int:
        return NO if NO in legal and dice.random() < 1 / 3 else dice.choice(legal)

    return chooses
