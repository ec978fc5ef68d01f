"""Read games that people played from a CSV file: clans, players, scores, and the first player.

The file has a line for each game. The column `scores` has a number for each player. The columns
`players` (their names), `clans` (the clans in play) and `began` (the first player) may be missing.
Several values in one field are separated by semicolons or slashes. docs/comparing.md shows a file.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ethnos_sim.simulator.rules import EDITIONS, clan_key, load_rules
from ethnos_sim.simulator.tables.modes import STANDARD, check_players
from ethnos_sim.simulator.tables.table import check_clans
from ethnos_sim.simulator.utilities.errors import WrongInput, nearest
from ethnos_sim.simulator.utilities.reading import read_file

COLUMNS = ("edition", "clans", "players", "scores", "began")

#: The most games of a file.
MOST_GAMES = 10_000

HIGHEST_SCORE = 1_000


@dataclass(frozen=True, slots=True)
class TableKind:
    """The kind of a table: the edition or its file, the number of players, the clans if known."""

    edition: str
    players: int
    clans: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game of the file.

    Attributes:
        line: the number of its line in the file.
        table: the table that was played.
        names: the players in the order of their scores.
        scores: prestige at the end, by player.
        began: the first player, as an index of `names`; None if unknown.
    """

    line: int
    table: TableKind
    names: tuple[str, ...]
    scores: tuple[int, ...]
    began: int | None

    @property
    def ahead(self) -> int:
        """The winner's lead over the second player, in prestige."""
        first, second, *_ = sorted(self.scores, reverse=True)
        return first - second


def read_recorded_games(path: Path, edition: str = "second") -> tuple[RecordedGame, ...]:
    """Read the games of a file.

    Args:
        path: a CSV file.
        edition: the edition of lines that name none.

    Raises:
        WrongInput: the file cannot be read or has no games, or a line is not a game; the message
            names the line.
    """
    try:
        text = read_file(path).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise WrongInput(f"the games in '{path}' cannot be read: {reason}") from error
    reader = csv.DictReader(io.StringIO(text), strict=True)
    try:
        names = reader.fieldnames or []
        for name in names:
            if name not in COLUMNS:
                raise WrongInput(f"'{path}' has a column '{name}'{nearest(name, COLUMNS)}")
        if "scores" not in names:
            raise WrongInput(f"'{path}' has no column 'scores'")
        games = [
            _game(row, reader.line_num, edition, path)
            for row in reader
            if any(isinstance(value, str) and value.strip() for value in row.values())
        ]
    except csv.Error as error:
        raise WrongInput(f"'{path}', line {reader.line_num}: {error}") from error
    if not 1 <= len(games) <= MOST_GAMES:
        raise WrongInput(f"'{path}' has {len(games)} games; 1 to {MOST_GAMES:,} are compared")
    return tuple(games)


def _game(row: Mapping[str | None, object], line: int, edition: str, path: Path) -> RecordedGame:
    """The game of a line; WrongInput, which names the line, if it is not a game."""
    try:
        if None in row:
            raise WrongInput("has more places than there are columns")
        cells = {str(name): _parts(str(value or "")) for name, value in row.items()}
        return _checked(cells, line, edition)
    except WrongInput as error:
        raise WrongInput(f"'{path}', line {line}: {error}") from error


def _checked(cells: Mapping[str, list[str]], line: int, edition: str) -> RecordedGame:
    (named_edition,) = (cells.get("edition") or [edition])[:1]
    rules = load_rules(named_edition)
    written = cells["scores"]
    given = ";".join(written)
    if not all(
        re.fullmatch(r"\d{1,4}", score) and int(score) <= HIGHEST_SCORE for score in written
    ):
        raise WrongInput(f"scores are whole numbers up to {HIGHEST_SCORE}, not '{given}'")
    players = check_players(len(written), STANDARD, rules.edition)
    names = cells.get("players") or [f"player {seat + 1}" for seat in range(players)]
    if len(names) != players or len(set(names)) != players:
        given = ";".join(names)
        raise WrongInput(f"{players} scores need as many different players, not '{given}'")
    clans = None
    if cells.get("clans"):
        named = [clan_key(clan) for clan in cells["clans"]]
        clans = tuple(sorted(check_clans(rules, players, STANDARD, named)))
    began = None
    if cells.get("began"):
        (first,) = cells["began"][:1]
        if first not in names:
            raise WrongInput(f"'{first}' began, but is not a player{nearest(first, names)}")
        began = names.index(first)
    known = rules.edition if rules.edition in EDITIONS else named_edition
    table = TableKind(known, players, clans)
    return RecordedGame(line, table, tuple(names), tuple(map(int, written)), began)


def _parts(text: str) -> list[str]:
    """The values in a field, which are separated by semicolons or slashes."""
    return [part.strip() for part in re.split(r"[;/]", text) if part.strip()]
