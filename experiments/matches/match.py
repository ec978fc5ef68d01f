"""A match: games of one line-up on many deals with rotated seats, played in memory.

The number of a game is deal * rotations + rotation; `Match.trace` traces a game by its number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ethnos_sim.experiments.designs.clan_sets import alternating_sets
from ethnos_sim.experiments.execution.guard import check_played_games, check_strangers
from ethnos_sim.experiments.execution.threads import OnGames, ignore_progress, map_in_threads
from ethnos_sim.simulator.rules import Rules, RuleSet, rules_and_mode
from ethnos_sim.simulator.tables.batch import check_seed
from ethnos_sim.simulator.tables.modes import STANDARD, check_mode, check_players, default_players
from ethnos_sim.simulator.tables.table import GameTable, check_table
from ethnos_sim.simulator.tables.trace import TracedGame, trace_game
from ethnos_sim.simulator.tables.work_list import PreparedTables
from ethnos_sim.simulator.utilities.errors import InvalidGame
from ethnos_sim.strategies import LineUp, Strategy
from ethnos_sim.strategies.compiling_ahead import compile_ahead

AnyLineUp = str | LineUp | Sequence[str | Strategy]
"""A line-up as users write it: "greedy,majority", a list of names or strategies, or a LineUp."""

#: The number of clan sets that take turns if no clans are given: every clan is in exactly 66 of
#: 132 sets of six, and in exactly 55 of 132 sets of five.
CLAN_SETS = 132

#: The number of games that a thread plays between two progress reports.
GAMES_AT_A_TIME = 1_000

#: The most games of a match: the sums of each deal take up to 96 bytes of memory.
MOST_GAMES = 10_000_000

#: The upper bound of game numbers, so that the kernel can count upwards from any of them.
LAST_GAME = 2**62


@dataclass(frozen=True)
class Match:
    """A line-up, its tables and a seed, which decide all games. Made by `prepare_match`.

    `tables` has a table for each clan set: deal d is played at table d mod len(tables).
    """

    line_up: LineUp
    tables: tuple[GameTable, ...]
    seed: int

    @property
    def players(self) -> int:
        """The number of strategies at a table."""
        return self.tables[0].players

    @property
    def sides(self) -> int:
        """The number of sides: the players, or in solo the player and Bruno."""
        return self.tables[0].sides

    @property
    def rotations(self) -> int:
        """The number of seatings in which each deal is played."""
        return self.tables[0].rotations

    @property
    def clans(self) -> tuple[str, ...] | None:
        """The clans in play; None if they vary from deal to deal."""
        return self.tables[0].clans if len(self.tables) == 1 else None

    def table(self, deal: int) -> GameTable:
        """The table at which a deal is played."""
        return self.tables[deal % len(self.tables)]

    @cached_property
    def prepared(self) -> PreparedTables:
        """The tables as the kernel's records."""
        return PreparedTables(self.tables)

    def with_line_up(self, line_up: LineUp) -> Match:
        """The same match with another line-up."""
        seats = tuple(line_up.seats())
        tables = tuple(replace(table, seats=seats) for table in self.tables)
        return replace(self, line_up=line_up, tables=tables)

    def __reduce__(self) -> tuple[Callable[..., Match], tuple[object, ...]]:
        """Copy and pickle a match by its line-up, because its seats have addresses of code.

        TypeError if a person sits at the tables.
        """
        if self.tables[0].seats != tuple(self.line_up.seats()):
            raise TypeError("a match with a person at the table cannot be copied or pickled")
        empty = tuple(replace(table, seats=()) for table in self.tables)
        return _rebuild_match, (self.line_up, empty, self.seed)

    def trace(self, game: int) -> TracedGame:
        """Play the game with this number and trace it; InvalidGame for a negative number."""
        if not 0 <= game < LAST_GAME:
            raise InvalidGame(f"there is no game {game}; games are numbered from 0 to 2^62")
        table = self.table(game // self.rotations)
        traced = trace_game(table, seed=self.seed, game=game)
        prepared = PreparedTables([table])
        check_played_games(
            prepared,
            prepared.game_row(game, self.seed),
            traced.game[None],
            traced.seats,
            total_games=1,
        )
        return traced

    def traces(self, games: int) -> Iterator[TracedGame]:
        """Trace the first games, one at a time."""
        return (self.trace(game) for game in range(games))


@dataclass(frozen=True)
class PlayedMatch:
    """The wins and prestige of each line-up entry by deal, summed over the rotations of a deal.

    `won` (sixtieths of a win) and `prestige` are int64 of shape (deals, sides). Column e is entry e
    of the line-up; in solo the second column is Bruno's.
    """

    match: Match
    won: np.ndarray
    prestige: np.ndarray

    @property
    def deals(self) -> int:
        """The number of deals that were played."""
        return len(self.won)

    @property
    def games(self) -> int:
        """The number of games that were played: deals times rotations."""
        return self.deals * self.match.rotations


def _rebuild_match(line_up: LineUp, empty_tables: tuple[GameTable, ...], seed: int) -> Match:
    """The match of a line-up at tables without seats, for `Match.__reduce__`."""
    return Match(line_up, empty_tables, seed).with_line_up(line_up)


def prepare_match(
    rules: Rules | RuleSet | str,
    strategies: AnyLineUp,
    *,
    players: int | None,
    seed: int,
    mode: str = STANDARD,
    clans: Sequence[str] | None = None,
) -> Match:
    """Check the arguments of a match, compile its strategies, and prepare its tables.

    Args:
        rules: the rules in force, or a word such as "second+bear.on_take=2".
        strategies: the line-up; a short one repeats until the seats are full.
        players: 2 to 6, or 1 in the solo modes; None for 4, or 1 in the solo modes.
        seed: the seed of all luck, and of the clan sets if `clans` is None.
        mode: one of `simulator.tables.modes.MODES`.
        clans: the clans in play, in any order; None for CLAN_SETS sets that take turns (in solo
            there is only one).

    Raises:
        InvalidGame: players, mode, clans or seed do not make a game.
        StrategyError: the line-up has an unknown strategy or parameter, does not fit the number of
            players, or does not play the same games twice.
    """
    rules, mode = rules_and_mode(rules, mode)
    check_mode(mode)
    players = default_players(mode) if players is None else players
    check_players(players, mode, rules.edition)
    check_seed(seed)
    sets = alternating_sets(rules, players, mode, clans, count=CLAN_SETS, seed=seed)
    line_up = LineUp.parse(strategies, players, rules)
    for chosen in sets:
        check_table(rules, players, mode, chosen)
    compile_ahead(line_up.strategies)
    seats = line_up.seats()
    tables = tuple(GameTable.prepare(rules, players, mode, chosen, seats) for chosen in sets)
    check_strangers(tables[:1], seed)
    return Match(line_up, tables, seed)


def play_match(
    match: Match,
    games: int,
    *,
    total_games: int = 0,
    threads: int | None = 1,
    on_games: OnGames = ignore_progress,
) -> PlayedMatch:
    """Play a match.

    Args:
        match: from `prepare_match`.
        games: how many games to play, rounded up to whole deals in all rotations.
        total_games: the games of all matches that share one sample in `check_played_games`.
        threads: threads to play with, None for all cores; the result does not depend on it.
        on_games: called with the number of games of each part that was played.

    Raises:
        InvalidGame: no games are asked for, or more than MOST_GAMES.
        IllegalMove: a strategy answered with a move that the rules forbid.
        StrategyError: a strategy cheats (`check_played_games`).
    """
    deals = deal_count(match, games)
    counting = max(total_games, deals * match.rotations)

    def play(match: Match, deals: range) -> tuple[np.ndarray, np.ndarray]:
        return sums_by_deal(match, play_deals(match, deals, counting)[1])

    won, prestige = play_in_parts(match, deals, play, threads=threads, on_games=on_games)
    return PlayedMatch(match, won, prestige)


def play_in_parts(
    match: Match,
    deals: int,
    play: Callable[[Match, range], tuple[np.ndarray, np.ndarray]],
    *,
    threads: int | None = 1,
    on_games: OnGames = ignore_progress,
) -> Iterator[np.ndarray]:
    """Play the first deals in consecutive parts, and join the two arrays that `play` returns.

    The result does not depend on the number of threads (None for all cores).
    """
    step = max(1, GAMES_AT_A_TIME // match.rotations)
    parts = [range(first, min(first + step, deals)) for first in range(0, deals, step)]

    def played(part: range) -> tuple[np.ndarray, np.ndarray]:
        kept = play(match, part)
        on_games(len(part) * match.rotations)
        return kept

    columns = zip(*map_in_threads(played, parts, threads), strict=True)
    return (np.concatenate(column) for column in columns)


def deal_count(match: Match, games: int) -> int:
    """The fewest deals with at least this number of games; InvalidGame as in `check_games`."""
    check_games(games)
    return -(-games // match.rotations)


def check_games(games: int) -> None:
    """Raise InvalidGame unless a match can have this number of games."""
    if games < 1:
        raise InvalidGame(f"{games} games are not enough for a match; play at least 1")
    if games > MOST_GAMES:
        raise InvalidGame(
            f"{games:,} games are too many for a match, which has at most {MOST_GAMES:,}; a sweep "
            "plays more"
        )


def play_deals(match: Match, deals: range, total_games: int) -> tuple[np.ndarray, np.ndarray]:
    """Play consecutive deals; return GAME_DTYPE (games,) and SEAT_DTYPE (games, sides).

    `total_games` is as in `check_played_games`.
    """
    prepared, first = match.prepared, np.arange(deals.start, deals.stop)
    if len(match.tables) == 1:
        works = prepared.deal_rows(0, deals.start, len(deals), match.seed)
    else:
        works = prepared.deal_rows(first % len(match.tables), first, 1, match.seed)
    games, seats = prepared.play(works)
    check_played_games(prepared, works, games, seats, total_games)
    return games, seats.reshape(games.size, match.sides)


def sums_by_deal(match: Match, seats: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The `won` and `prestige` of a `PlayedMatch`, from the SEAT_DTYPE (games, sides) of deals."""
    deals, sides = len(seats) // match.rotations, match.sides
    row = np.repeat(np.arange(deals), match.rotations)[:, None]
    place = (row * sides + seats["entry"]).ravel()

    def summed(column: str) -> np.ndarray:
        total = np.bincount(place, seats[column].ravel(), minlength=deals * sides)
        return total.astype(np.int64).reshape(deals, sides)  # Exact: sums are far below 2**53.

    return summed("won"), summed("prestige")
