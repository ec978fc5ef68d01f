"""Play a game of a sweep again and compare it with its stored rows, or play a trace again."""

from __future__ import annotations

from typing import Any

import polars as pl

from ethnos_sim.experiments.defaults import STRONGEST
from ethnos_sim.experiments.matches.match import Match
from ethnos_sim.experiments.plans.plan import Cell, Plan
from ethnos_sim.experiments.storage.manifest import TABLES
from ethnos_sim.experiments.storage.results import Results
from ethnos_sim.experiments.storage.tables import batch_columns
from ethnos_sim.simulator.rules import load_rules
from ethnos_sim.simulator.stepping.person import answers_in_name, person_seat
from ethnos_sim.simulator.tables.batch import check_seed
from ethnos_sim.simulator.tables.table import GameTable, seating_count
from ethnos_sim.simulator.tables.trace import TracedGame
from ethnos_sim.simulator.utilities.errors import Failed, InvalidGame, WrongInput
from ethnos_sim.strategies import LineUp


def find_game(results: Results, text: str) -> tuple[Cell, int]:
    """The cell and the game number of the text CELL:GAME, or GAME for a game of cell 0.

    Raises:
        WrongInput: the text has another form, or the sweep has no such cell.
    """
    before, colon, after = text.partition(":")
    cell, game = (before, after) if colon else ("0", before)
    if not (text.isascii() and cell.isdecimal() and game.isdecimal() and len(text) < 40):
        raise WrongInput(f"name a game as CELL:GAME, two numbers as in 3:120, not '{text}'")
    cells = results.plan.cells
    if int(cell) >= len(cells):
        raise WrongInput(f"the sweep has cells 0 to {len(cells) - 1}, no cell {cell}")
    return cells[int(cell)], int(game)


def replay_game(results: Results, cell: Cell, game: int) -> TracedGame:
    """Play a finished game of a sweep again.

    Raises:
        WrongInput: the game is not among the finished games, or a strategy is not known.
        Failed: the game differs from the stored rows.
    """
    wanted = (pl.col("cell") == cell.number) & (pl.col("game") == game)
    part = cell.partition
    stored = {name: results.partition_rows(part, name).filter(wanted).collect() for name in TABLES}
    if stored["games"].is_empty():
        held = results.cells["games"][cell.number]
        raise WrongInput(
            f"game {game} is not among the {held} finished games of cell {cell.number}"
        )
    match = match_of_cell(results.plan, cell)
    (table,) = match.tables
    traced = match.trace(game)
    played = batch_columns(cell.number, traced.game[None], traced.seats[None], table)
    differing = [
        f"{name}.{column}"
        for name, columns in played.items()
        for column, values in columns.items()
        if not pl.Series(values).equals(stored[name][column])
    ]
    if differing:
        raise Failed(
            f"game {cell.number}:{game} differs from its stored rows in "
            f"{', '.join(differing)}: since the sweep the simulator or a strategy changed, a "
            "strategy does not play the same games twice, or the stored rows are damaged"
        )
    return traced


def match_of_cell(plan: Plan, cell: Cell) -> Match:
    """The match whose games are those of a cell; StrategyError if a strategy is not known."""
    kind = cell.partition
    rules = plan.rules_of(kind)
    line_up = LineUp.parse(cell.line_up, players=kind.players, rules=rules)
    seats = line_up.seats()
    table = GameTable.prepare(
        rules, kind.players, kind.mode, cell.clans, seats, cell.rotations, cell.kind
    )
    return Match(line_up, (table,), plan.seed)


def match_of_trace(trace: dict[str, Any]) -> Match:
    """The match in which a traced game can be played again; InvalidGame if this is no trace."""
    try:
        rules = load_rules(trace["edition"], overrides=trace["rules"])
        players, game = int(trace["players"]), int(trace["game"])
        names, seed = list(trace["strategies"]), check_seed(int(trace["seed"]))
        clans, mode = list(trace["clans"]), str(trace["mode"])
        answers = [answers_in_name(name) for name in names]
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise InvalidGame(f"this is not a trace of a game ({error!r})") from error
    known = [
        name if given is None else STRONGEST for name, given in zip(names, answers, strict=True)
    ]
    seated = LineUp.parse(known, players, rules)
    seats = [
        entry.seat() if given is None else person_seat(given)
        for entry, given in zip(seated.entries, answers, strict=True)
    ]
    rotation = game % seating_count(seats)
    turned = [(seat - rotation) % players for seat in range(players)]
    line_up = LineUp(tuple(seated.entries[seat] for seat in turned))
    table = GameTable.prepare(rules, players, mode, clans, [seats[seat] for seat in turned])
    return Match(line_up, (table,), seed)
