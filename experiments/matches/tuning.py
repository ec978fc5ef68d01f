"""Tuning: search a strategy's parameter ranges for the best win share against a line-up.

CMA-ES (Hansen, Ostermeier 2001, Evolutionary Computation 9: 159-195; the package `cma`) proposes
parameters. All candidates of a generation play the same fresh deals, so they differ by skill and
not by luck, and no deal is fitted twice. The mean of the last proposals is the result. It is then
measured on deals that played no part in the search, because the results by which it was found
flatter it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

import numpy as np

from ethnos_sim.experiments.execution.threads import OnGames, ignore_progress, in_threads
from ethnos_sim.experiments.matches.match import Match, play_match, prepare_match
from ethnos_sim.simulator.game.records import SIXTIETHS
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.simulator.tables.modes import STANDARD
from ethnos_sim.simulator.utilities.errors import StrategyError
from ethnos_sim.strategies import ClanParameter, LineUp, Parameter
from ethnos_sim.strategies.line_up import Entry, parse_entry

#: The fewest games of a candidate.
LEAST_GAMES = 48
#: The first spread of the search, as a fraction of each parameter's range.
FIRST_SPREAD = 0.2

#: The significant digits of a tuned value; games could not tell finer values apart.
DIGITS = 3

Values = tuple[float, ...]
"""Values of the searched parameters, in order."""


@dataclass(frozen=True)
class Tuning:
    """The parameters to search, the rivals and the budget. Made by `prepare_tuning`.

    `entry` is the strategy as the user gave it, and `start` the first values of the searched
    parameters. `rivals` are in the other seats; there are none in solo.
    """

    base: Match
    entry: Entry
    searched: tuple[Parameter, ...]
    start: Values
    rivals: tuple[Entry, ...]
    budget: int

    @property
    def players(self) -> int:
        """The number of strategies at a table."""
        return self.base.players

    @property
    def candidates(self) -> int:
        """The number of candidates of a generation (the default of CMA-ES)."""
        return 4 + int(3 * np.log(self._dimensions))

    @property
    def generations(self) -> int:
        """The number of generations, which is lower where the budget is small."""
        wanted = 20 + 4 * len(self.searched)
        possible = self.budget // (self.candidates * LEAST_GAMES)
        return max(1, min(wanted, possible))

    @property
    def games_a_candidate(self) -> int:
        """The number of games that each candidate plays in its generation."""
        return max(LEAST_GAMES, self.budget // (self.candidates * self.generations))

    @property
    def _dimensions(self) -> int:
        # CMA-ES needs two dimensions, so a single parameter gets an unused second one.
        return max(2, len(self.searched))

    def text(self, point: Values) -> str:
        """A candidate as text, to paste into a line-up."""
        given = [f"{p.name}={value:g}" for p, value in zip(self.searched, point, strict=True)]
        return ":".join([self.entry.name, *given])

    def point(self, place: np.ndarray) -> Values:
        """The parameter values at a point of the unit cube, rounded and within their ranges."""
        return tuple(
            min(max(float(f"{p.low + x * (p.high - p.low):.{DIGITS}g}"), p.low), p.high)
            for p, x in zip(self.searched, place, strict=False)
        )

    def place(self, point: Values) -> np.ndarray:
        """The point of the search's unit cube for parameter values."""
        place = np.full(self._dimensions, 0.5)
        for number, (parameter, value) in enumerate(zip(self.searched, point, strict=True)):
            place[number] = (value - parameter.low) / (parameter.high - parameter.low)
        return place


def prepare_tuning(
    rules: Rules,
    strategy: str,
    rivals: Sequence[str],
    *,
    players: int,
    budget: int,
    seed: int,
    mode: str = STANDARD,
) -> Tuning:
    """Check everything about a search and compile the strategies.

    Args:
        rules: the rules in force.
        strategy: the strategy to tune; parameters that are set in it (`name:parameter=value`) stay.
        rivals: the strategies in the other seats; a short list repeats. Not read in solo.
        players: 2 to 6, or 1 in the solo modes.
        budget: the least number of games of the search; the final measurement is not included.
        seed: the seed of all luck.
        mode: the mode to play.

    Raises:
        StrategyError: the strategy has no parameter to search, or a name is unknown.
        InvalidGame: players, mode or seed do not make a game.
    """
    entry = LineUp.parse([strategy], players, rules).entries[0]
    given = [setting.partition("=")[0].strip() for setting in entry.name.split(":")[1:]]
    declared = zip(entry.strategy.parameters, entry.values, strict=True)
    open_ = [
        (parameter, value)
        for parameter, value in declared
        if not isinstance(parameter, ClanParameter)
        and parameter.name not in given
        and parameter.low < parameter.high
    ]
    if not open_:
        raise StrategyError(f"'{strategy}' has no parameter to tune")
    others = _rivals(rivals, players, rules)
    base = prepare_match(rules, [strategy], players=players, seed=seed, mode=mode)
    searched, start = zip(*open_, strict=True)
    return Tuning(base, entry, searched, start, others, budget)


def _rivals(names: Sequence[str], players: int, rules: Rules) -> tuple[Entry, ...]:
    """The entries of all seats but one; none in solo."""
    if players == 1:
        return ()
    seated = LineUp.parse(names, players - 1, rules).names
    # Tuned parameters belong to the number of all players.
    return tuple(parse_entry(name, players, rules) for name in seated)


def search(tuning: Tuning, *, threads: int = 1, on_games: OnGames = ignore_progress) -> Values:
    """The parameter values that the search thinks best.

    The result does not depend on the threads.

    Raises:
        IllegalMove: a strategy answered with a move that the rules forbid.
    """
    strategy = _optimizer(tuning)
    for generation in range(tuning.generations):
        places = strategy.ask()
        shares = play_points(
            tuning,
            [tuning.point(place) for place in places],
            games=tuning.games_a_candidate,
            label=("generation", generation),
            threads=threads,
            on_games=on_games,
        ).mean(axis=1)
        strategy.tell(places, [-float(share) for share in shares])
    return tuning.point(strategy.result.xfavorite)


def _optimizer(tuning: Tuning) -> Any:
    """CMA-ES over the unit cube, with a separate random stream."""
    import cma

    rng = np.random.default_rng(_seed_of(tuning.base.seed, "proposals"))
    options = {
        "bounds": [0, 1],
        "popsize": tuning.candidates,
        "randn": lambda *shape: rng.standard_normal(shape),
        "seed": np.nan,
        "verbose": -9,
        "verb_log": 0,
    }
    start = np.clip(tuning.place(tuning.start), 0.05, 0.95)
    return cma.CMAEvolutionStrategy(start, FIRST_SPREAD, options)


def play_points(
    tuning: Tuning,
    points: Sequence[Values],
    *,
    games: int,
    label: tuple[object, ...],
    threads: int = 1,
    on_games: OnGames = ignore_progress,
) -> np.ndarray:
    """Let every point play the same deals against the same rivals.

    Args:
        tuning: the strategy and its rivals.
        points: parameter values.
        games: the number of games of each point, rounded up to whole deals in all seatings.
        label: the purpose of the games; each label has different deals.
        threads: the number of threads; the result does not depend on it.
        on_games: called with numbers of games just played.

    Returns:
        Win shares of the point's seat by deal, shape (points, deals).
    """
    deals = -(-games // tuning.players)

    def play(point: Values) -> np.ndarray:
        match = _match(tuning, point, deals, label)
        games = deals * match.rotations
        played = play_match(match, games, among=tuning.budget, on_games=on_games)
        won: np.ndarray = played.won[:, 0] / (SIXTIETHS * match.rotations)
        return won

    return np.stack(in_threads(play, points, threads))


def _match(tuning: Tuning, point: Values, deals: int, label: tuple[object, ...]) -> Match:
    """The match of a point, with only the tables that its deals need.

    Every point prepares its tables anew, so tables without a deal would cost time.
    """
    rules = tuning.base.tables[0].rules
    entry = LineUp.parse([tuning.text(point)], tuning.players, rules).entries[0]
    seed = _seed_of(tuning.base.seed, "deals", *label)
    tables = tuning.base.tables
    first = seed % len(tables)
    played = replace(tuning.base, tables=(tables[first:] + tables[:first])[:deals], seed=seed)
    # A different name tells the candidate apart from a rival with the same parameters.
    return played.played_by(LineUp((replace(entry, name="candidate"), *tuning.rivals)))


def _seed_of(*parts: object) -> int:
    """A seed that depends only on `parts`, 0 ... 2**63 - 1."""
    digest = blake2b(repr(parts).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1
