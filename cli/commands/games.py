"""Choose the game that `play` shows: a new game, a sweep's, or a trace file's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ethnos_sim.commands.options import typed_options

if TYPE_CHECKING:
    from ethnos_sim.experiments.matches.match import Match


@dataclass(frozen=True)
class ChosenGame:
    """A game: its match, its number in the match, and its trace."""

    match: Match
    number: int
    trace: dict[str, Any]


def choose_game(source: Path | None, name: str | None, new_game: Callable[[], Match]) -> ChosenGame:
    """The named game of a source; the first game if `name` is None.

    Args:
        source: a sweep's folder or a file of traces; None for a game of a new match.
        name: the game's number, or CELL:GAME in a sweep's folder.
        new_game: makes the match of a new game.

    Raises:
        WrongInput: the options do not fit together, or the source has no game of this name.
        Failed: a stored game was played differently this time.
    """
    if source is None:
        match, number = new_game(), _game_number(name)
        return ChosenGame(match, number, match.trace(number).trace)
    _refuse_new_game_options(source)
    if source.suffix == ".jsonl":
        return _game_in_file(source, None if name is None else _game_number(name))
    from ethnos_sim.experiments.matches.replay import find_game, match_of_cell, replay_game
    from ethnos_sim.experiments.storage.results import open_results

    results = open_results(source)
    cell, number = find_game(results, name or "0")
    trace = replay_game(results, cell, number).trace
    click.echo(f"Cell {cell.number} of {source}, as stored.", err=True)
    return ChosenGame(match_of_cell(results.plan, cell), number, trace)


def _game_number(name: str | None) -> int:
    """The number of a game from its name; 0, the first game, if the name is None."""
    if name is None:
        return 0
    if not (name.isascii() and name.isdecimal() and len(name) < 20):
        raise click.UsageError(f"--game takes a number from 0, not '{name}'")
    return int(name)


def _refuse_new_game_options(source: Path) -> None:
    """Raise UsageError for an option of new games, as a stored game has its own settings."""
    if given := typed_options("rule_set", "players", "seed", "strategies", "clans"):
        raise click.UsageError(f"{given[0]} is for a new game, not for '{source}'")


def _check_events(trace: dict[str, Any], where: str) -> None:
    """Raise InvalidGame if an event of a trace cannot be narrated."""
    from ethnos_sim.simulator.narration import narrate
    from ethnos_sim.simulator.utilities.errors import InvalidGame

    try:
        list(narrate(trace))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        description = f"{type(error).__name__}: {error}"
        raise InvalidGame(f"{where}: its events do not fit together ({description})") from error


def _game_in_file(path: Path, number: int | None) -> ChosenGame:
    """A game from a file of traces; the first game if no number is given."""
    from ethnos_sim.experiments.matches.replay import match_of_trace
    from ethnos_sim.simulator.utilities.errors import InvalidGame, WrongInput
    from ethnos_sim.simulator.utilities.reading import parse_json, read_file

    try:
        for line_number, line in enumerate(read_file(path).decode().splitlines(), 1):
            trace = parse_json(line)
            if not isinstance(trace, dict) or "game" not in trace:
                raise InvalidGame(f"'{path}', line {line_number}, is not a trace of a game")
            if number is None or trace["game"] == number:
                chosen = ChosenGame(match_of_trace(trace), int(trace["game"]), trace)
                _check_events(trace, f"'{path}', line {line_number}")
                return chosen
    except OSError as error:
        raise WrongInput(f"'{path}' cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise InvalidGame(f"'{path}' is not a file of traces ({error})") from error
    raise InvalidGame(f"'{path}' has no game{'' if number is None else f' {number}'}")
