"""A tournament: a set of strategies at all kinds of tables, with every strategy in every seat.

All tables play the same deals, and every deal in all seatings of its table, so strategies meet the
same luck. `reports.rating` rates the strategies by the results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ethnos_sim.experiments.designs.populations import Seating, tournament_line_ups
from ethnos_sim.experiments.execution.threads import OnGames, ignore_progress, in_threads
from ethnos_sim.experiments.matches.match import Match, play_match, prepare_match
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.simulator.tables.modes import SOLO, STANDARD
from ethnos_sim.simulator.utilities.errors import InvalidGame
from ethnos_sim.strategies import LineUp, StrategyError, list_strategies

#: The fewest deals of every table, which an interval needs.
LEAST_DEALS = 20


@dataclass(frozen=True)
class Tournament:
    """The tables of a tournament. Made by `prepare_tournament`.

    `seatings` has a line-up for each table, by the numbers of the strategies, and `matches` has the
    matches that play them.
    """

    strategies: tuple[str, ...]
    seatings: tuple[Seating, ...]
    matches: tuple[Match, ...]
    deals: int

    @property
    def players(self) -> int:
        """The number of seats of a table."""
        return self.matches[0].players

    @property
    def games(self) -> int:
        """The number of games of all tables together."""
        return self.deals * sum(match.rotations for match in self.matches)

    @property
    def seats(self) -> np.ndarray:
        """The number of seats of each strategy at each table ((tables, strategies), int64)."""
        counts = np.zeros((len(self.seatings), len(self.strategies)), np.int64)
        for table, seating in enumerate(self.seatings):
            np.add.at(counts[table], list(seating), 1)
        return counts


@dataclass(frozen=True)
class PlayedTournament:
    """The results of a tournament: `won` has shape (tables, deals, strategies), int64.

    An element is the sum of wins, in sixtieths, of all seats of a strategy at a table over all
    seatings of a deal.
    """

    tournament: Tournament
    won: np.ndarray


def rated_strategies() -> tuple[str, ...]:
    """The default strategies of a tournament; slow ones, which look ahead, are left out."""
    return tuple(strategy.name for strategy in list_strategies() if not strategy.looks_ahead)


def prepare_tournament(
    rules: Rules,
    strategies: Sequence[str],
    *,
    players: int,
    games: int,
    seed: int,
    mode: str = STANDARD,
) -> Tournament:
    """Check everything about a tournament and compile its strategies.

    Args:
        rules: the rules in force.
        strategies: two or more strategies, with their settings as in a line-up.
        players: the number of seats of a table, 2 to 6.
        games: the number of games in all, rounded up so that every table plays the same whole
            deals, at least LEAST_DEALS.
        seed: the seed of all luck and of the tables that are drawn.
        mode: a mode for two and more players.

    Raises:
        InvalidGame: players, mode or seed do not make a game.
        StrategyError: there are fewer than two strategies, one occurs twice, or one is unknown.
    """
    names = [name.strip() for name in strategies]
    if mode in SOLO:
        raise InvalidGame(f"strategies are rated against each other; '{mode}' has one player")
    if len(names) < 2:
        raise StrategyError("a tournament needs at least two strategies")
    for place, name in enumerate(names):
        if name in names[:place]:
            raise StrategyError(f"'{name}' is in the tournament twice")
    entries = [LineUp.parse([name], players, rules).entries[0] for name in names]
    base = prepare_match(rules, [names[0]], players=players, seed=seed, mode=mode)
    seatings = tournament_line_ups(len(names), players, seed)
    line_ups = [LineUp(tuple(entries[number] for number in seating)) for seating in seatings]
    matches = [base.played_by(line_up) for line_up in line_ups]
    games_a_deal = sum(match.rotations for match in matches)
    deals = max(LEAST_DEALS, -(-games // games_a_deal))
    return Tournament(tuple(names), tuple(seatings), tuple(matches), deals)


def play_tournament(
    tournament: Tournament, *, threads: int = 1, on_games: OnGames = ignore_progress
) -> PlayedTournament:
    """Play all tables, `threads` at a time; the result does not depend on the threads.

    Raises:
        IllegalMove: a strategy answered with a move that the rules forbid.
    """

    def play(table: int) -> np.ndarray:
        match, seating = tournament.matches[table], tournament.seatings[table]
        played = play_match(match, tournament.deals * match.rotations, on_games=on_games)
        won = np.zeros((tournament.deals, len(tournament.strategies)), np.int64)
        for entry, strategy in enumerate(seating):
            won[:, strategy] += played.won[:, entry]
        return won

    wins = in_threads(play, range(len(tournament.seatings)), threads)
    return PlayedTournament(tournament, np.stack(wins))
