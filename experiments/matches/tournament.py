"""A tournament: a table for each pair of strategies, the first in one seat, the second in the rest.

All tables play the same deals, and every deal in all seatings, so strategies meet the same luck.
`reports.rating` rates the strategies by the results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from ethnos_sim.experiments.execution.guard import check_strangers
from ethnos_sim.experiments.execution.threads import OnGames, ignore_progress, map_in_threads
from ethnos_sim.experiments.matches.match import Match, play_match, prepare_match
from ethnos_sim.simulator.game.records import SIXTIETHS
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.simulator.tables.modes import SOLO, STANDARD
from ethnos_sim.simulator.utilities.errors import InvalidGame, StrategyError
from ethnos_sim.strategies import LineUp, list_strategies

#: The fewest deals of a table; an interval needs this many.
LEAST_DEALS = 20


@dataclass(frozen=True)
class Tournament:
    """The tables of a tournament. Made by `prepare_tournament`.

    `pairs` has two indices in `strategies` for each table: of the strategy in one seat, and of the
    strategy in all other seats. With two players, each pair comes once. `matches` has the match of
    each table.
    """

    strategies: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]
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


def default_strategies() -> tuple[str, ...]:
    """All strategies except those that look ahead, which are slow."""
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
    """Check the arguments of a tournament and compile its strategies.

    Args:
        rules: the rules in force.
        strategies: two or more strategies, with their settings as in a line-up.
        players: the number of seats of a table, 2 to 6.
        games: the games of all tables, rounded up to whole deals, at least LEAST_DEALS a table.
        seed: the seed of all luck.
        mode: `standard` or `recruitment`.

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
    meetings = combinations if players == 2 else permutations
    pairs = tuple(meetings(range(len(names)), 2))
    matches = tuple(
        base.with_line_up(LineUp((entries[one], *[entries[other]] * (players - 1))))
        for one, other in pairs
    )
    check_strangers((match.tables[0] for match in matches), seed)
    games_a_deal = sum(match.rotations for match in matches)
    return Tournament(tuple(names), pairs, matches, max(LEAST_DEALS, -(-games // games_a_deal)))


def play_tournament(
    tournament: Tournament, *, threads: int = 1, on_games: OnGames = ignore_progress
) -> np.ndarray:
    """Play all tables, `threads` at a time; the result does not depend on the threads.

    Returns:
        Shape (deals, strategies, strategies): the win share, over all seatings of a deal, of the
        first strategy in one seat against the second in all other seats; nan where both are the
        same strategy.

    Raises:
        IllegalMove: a strategy answered with a move that the rules forbid.
    """

    def play(match: Match) -> np.ndarray:
        games = tournament.deals * match.rotations
        played = play_match(match, games, total_games=tournament.games, on_games=on_games)
        return np.asarray(played.won[:, 0] / (SIXTIETHS * match.rotations))

    count = len(tournament.strategies)
    shares = np.full((tournament.deals, count, count), np.nan)
    played = map_in_threads(play, tournament.matches, threads)
    for (one, other), won in zip(tournament.pairs, played, strict=True):
        shares[:, one, other] = won
        if tournament.players == 2:
            shares[:, other, one] = 1 - won
    return shares
