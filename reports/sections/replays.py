"""Notable games, told move by move: the biggest upset, the closest and a typical one.

Each stands collapsed under a line that says what it is, and others may link to it: see
`replay_key`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import polars as pl
from joblib import cpu_count

from ethnos_sim.experiments.designs.interventions import intervention_of
from ethnos_sim.experiments.matches.replay import cell_match, replay_game
from ethnos_sim.experiments.matches.turn_chances import chances_of_turns
from ethnos_sim.experiments.plans.plan import Cell, Partition, Plan
from ethnos_sim.experiments.storage.results import Results
from ethnos_sim.reports.evidence.evidence import setting_name
from ethnos_sim.reports.evidence.extreme_games import (
    CLOSEST,
    TYPICAL,
    UPSET,
    ExtremeGame,
    ExtremeGames,
)
from ethnos_sim.reports.judged_games import LEAST_PLAYED
from ethnos_sim.reports.rendering.document import Block, Details, GamePage, Section, Story, Text
from ethnos_sim.reports.rendering.labels import DIFFICULTIES, MODES
from ethnos_sim.reports.rendering.table import CellValue, Column, Row, Table, TableCell
from ethnos_sim.reports.viewer.page import game_page
from ethnos_sim.simulator.errors import EthnosError
from ethnos_sim.simulator.narration import Line, narrate
from ethnos_sim.simulator.records import BRUNO
from ethnos_sim.simulator.rules import Rules

TITLES = {UPSET: "biggest upset", CLOSEST: "closest game", TYPICAL: "typical game"}

USUAL_PLAYERS = 4

GUESSES = 10
"""Guesses at hidden cards for the chances to win on the page of a game; the command takes more. In
smaller sweeps than decisions are judged in, pages have no chances."""

_RULE = " =-"
"""What a narration draws the rules around its headings with."""


def replay_key(game: ExtremeGame) -> str:
    """What a link to a game's replay names: "replay-second-standard-4-upset"."""
    kind = game.partition
    named = f"{kind.rules}-" if kind.rules else ""
    key = f"replay-{kind.edition}-{kind.mode}-{kind.players}-{named}{game.kind}"
    return re.sub(r"[^a-zA-Z0-9]+", "-", key)


class GamesWorthReading:
    """Looks for extreme games while results are gathered, and tells them on the page.

    One table of each edition and mode is enough to read: that of USUAL_PLAYERS, or of the nearest
    number. Its games are those by the reference rules in which nobody is restricted.
    """

    def __init__(self, opened: Sequence[Results]) -> None:
        """Decide which cells' games are looked at."""
        self._opened = opened
        self._games = ExtremeGames()
        self._cells = [_ordinary_cells(results.plan) for results in opened]
        counts: dict[tuple[str, str], set[int]] = {}
        for cells in self._cells:
            for kind in cells:
                counts.setdefault((kind.edition, kind.mode), set()).add(kind.players)
        self._players = {
            kind: min(players, key=lambda count: (abs(count - USUAL_PLAYERS), count))
            for kind, players in counts.items()
        }

    def watch(
        self, number: int, partition: Partition, games: pl.DataFrame, seats: pl.DataFrame
    ) -> None:
        """Look at a batch of rows of the sweep with this number."""
        cells = self._cells[number].get(partition)
        if cells and partition.players == self._players[partition.edition, partition.mode]:
            ordinary = pl.col("cell").is_in(cells)
            named = replace(partition, rules="")  # Sweeps may call the same rules by other names.
            self._games.add(named, games.filter(ordinary), seats.filter(ordinary), number)

    def sections(self) -> list[Section]:
        """The section that tells the games found; none where there are no games."""
        found = self._games.found()
        return [replays(found, self._opened)] if found else []


def _ordinary_cells(plan: Plan) -> dict[Partition, list[int]]:
    """The cells by partition that are played by the reference rules with nobody restricted."""
    reference = {
        (about.edition, about.name) for about in plan.editions if not setting_name(about, plan)
    }
    found: dict[Partition, list[int]] = {}
    for partition, cells in plan.cells_of.items():
        if (partition.edition, partition.rules) in reference:
            whole = [cell.number for cell in cells if intervention_of(cell.line_up) is None]
            if whole:
                found[partition] = whole
    return found


def replays(found: Sequence[ExtremeGame], opened: Sequence[Results]) -> Section:
    """A table of the games that were found, each leading to its replay below.

    Args:
        found: the games, at least one.
        opened: the sweeps they are from, by `ExtremeGame.folder`.
    """
    intro = (
        "Single games that show what the numbers above look like at the table; they prove "
        "nothing. The biggest upset: the winner was furthest behind the leader before the last "
        "age. The closest: least between first and last place. A typical one: turns, margin and "
        "total nearest to the medians. Recruits are left out of what is told; a game can be "
        "watched whole, and ethnos-sim play FOLDER --game CELL:GAME --out FILE.html makes such a "
        "page of any other."
    )
    lines: list[list[CellValue]] = []
    rows, parts = [], []
    for game in _in_order(found, opened):
        results = opened[game.folder]
        cell = next(cell for cell in results.plan.cells if cell.number == game.cell)
        rules = results.plan.rules_of(cell.partition)
        table = table_label(game.partition, rules)
        happened = _happened(game, cell, rules)
        source = results.plan.name if len(opened) > 1 else ""
        rows.append(_row(game, results.plan, cell))
        lines.append(
            [
                table,
                TableCell(TITLES[game.kind].capitalize(), target=replay_key(game)),
                happened,
                f"{source} {_name(game)}".strip(),
            ]
        )
        story = (Text(f"{happened}.", "note"), *_replay(results, cell, game))
        parts.append(Details(f"{table}: {TITLES[game.kind]}", story, replay_key(game)))
    headings = ("Table", "Game", "What happened", "Cell:game")
    columns = tuple(map(Column, headings, zip(*lines, strict=True)))
    caption = "Notable games; each leads to its replay."
    table_of_games = Table(caption, columns, "extreme_games", unshown=tuple(rows), stacks=True)
    return Section("replays", "Notable games", (Text(intro), table_of_games, *parts))


def _in_order(found: Sequence[ExtremeGame], opened: Sequence[Results]) -> list[ExtremeGame]:
    """The games in the order in which the sweeps play their kinds of table."""
    played = (part for results in opened for part in results.plan.cells_of)
    order = [(part.edition, part.mode, part.players) for part in played]

    def place(game: ExtremeGame) -> int:
        kind = game.partition
        return order.index((kind.edition, kind.mode, kind.players))

    return sorted(found, key=place)


def table_label(partition: Partition, rules: Rules) -> str:
    """A kind of table in words: "2nd edition (2024), Recruitment variant, 4 players"."""
    if partition.solo:
        return f"{rules.title}, solo, {DIFFICULTIES[partition.mode]}"
    mode = MODES.get(partition.mode, partition.mode)
    parts = [rules.title, mode, partition.rules, f"{partition.players} players"]
    return ", ".join(part for part in parts if part)


def _happened(game: ExtremeGame, cell: Cell, rules: Rules) -> str:
    """What makes the game worth reading, in half a sentence."""
    points, last = rules.words.prestige, rules.ages(game.partition.players)
    if game.kind == UPSET:
        behind = f"{game.deficit} {points} behind after age {last - 1}" if game.deficit else "ahead"
        return f"{_winner(game, cell)} was {behind} and {_won(game)}"
    if game.kind == CLOSEST:
        apart = f"{game.spread} {points} between first and last place"
        return f"{_winner(game, cell)} {_won(game)}; {apart if game.spread else 'all are level'}"
    won = "a shared win" if game.shared else f"{_winner(game, cell)} {_won(game)}"
    return f"{won}, in {game.turns} turns, {game.prestige} {points} in all"


def _won(game: ExtremeGame) -> str:
    """By how much a game was won."""
    return f"won by {game.margin}" if game.margin else "won on a tie-break"


def _winner(game: ExtremeGame, cell: Cell) -> str:
    """The strategy that won, or Bruno."""
    if cell.partition.solo and game.winner == BRUNO:
        return "Chief Bruno"
    return cell.line_up[game.entry]


def _name(game: ExtremeGame) -> str:
    """What `play --game` calls the game."""
    return f"{game.cell}:{game.game}"


def _replay(results: Results, cell: Cell, game: ExtremeGame) -> list[Block]:
    """The game told and its page to watch, or one sentence that says why it cannot be."""
    number = game.game
    guesses = GUESSES if results.games_held >= LEAST_PLAYED else 0
    try:
        traced = replay_game(_shard_of(results, cell, number), cell, number)
        chances = []
        if guesses:
            match = cell_match(results.plan, cell)
            chances = chances_of_turns(match, number, guesses=guesses, jobs=cpu_count())
    except EthnosError as error:
        return [Text(f"This game cannot be told: {error}.", "warning")]
    story = Story(tuple(_plain(line) for line in narrate(traced.trace, brief=True)))
    page = game_page(traced.trace, chances, guesses)
    return [GamePage(f"{replay_key(game)}.html", page), story]


def _shard_of(results: Results, cell: Cell, game: int) -> Results:
    """The results with nothing but the shard that holds a game, which is read much faster."""
    played = game // cell.games_per_round
    records = tuple(
        record
        for record in results.records
        if record.shard.partition == cell.partition
        and record.shard.first_round <= played < record.shard.end_round
    )
    return replace(results, records=records)


def _plain(line: Line) -> Line:
    """A line without the rule that a heading is drawn in; the page draws one of its own."""
    return Line(line.kind, line.text.strip(_RULE)) if line.kind == "heading" else line


def _row(game: ExtremeGame, plan: Plan, cell: Cell) -> Row:
    """What is stored of a game."""
    kind = cell.partition
    about = next(a for a in plan.editions if (a.edition, a.name) == (kind.edition, kind.rules))
    return Row(
        {
            "edition": kind.edition,
            "mode": kind.mode,
            "rules": about.rule_set,
            "players": kind.players,
            "kind": game.kind,
            "sweep": plan.name,
            "cell": game.cell,
            "game": game.game,
            "turns": game.turns,
            "prestige": game.prestige,
            "margin": game.margin,
            "spread": game.spread,
            "deficit": game.deficit,
            "winner": game.winner,
            "shared": game.shared,
        },
    )
