"""The numbers of a tournament: ratings, who beats whom, cycles, and the equilibrium mixture.

The unit of replication is the deal. All tables play the same deals, so a deal's games at all tables
and in all seatings form one block: the bootstrap draws whole deals, and intervals of means are over
deals. Definitions and sources: docs/strategies.md.

Ratings are Plackett and Luce's: a seat's winning chance is its strength divided by the sum of all
strengths at the table. Only the winner counts, because a second place is worth nothing in Ethnos
(the first stage of Luce 1959 and Plackett 1975, Applied Statistics 24: 193-202). The model is the
model of `statistics.luce_choice` with one strength per strategy. Several seats may have the same
strategy, and a shared win counts in parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
import polars as pl
from joblib import cpu_count

from ethnos_sim.experiments.execution.progress import shown_progress
from ethnos_sim.experiments.matches.tournament import (
    PlayedTournament,
    play_tournament,
    prepare_tournament,
)
from ethnos_sim.experiments.statistics.estimates import CONFIDENCE, FloatArray
from ethnos_sim.experiments.statistics.luce_choice import fit_choice
from ethnos_sim.experiments.statistics.significance import holm
from ethnos_sim.reports.rating.equilibrium import equilibrium
from ethnos_sim.reports.rating.shares import deal_interval
from ethnos_sim.simulator.game.records import SIXTIETHS
from ethnos_sim.simulator.rules import Rules, parse_rules
from ethnos_sim.simulator.tables.modes import STANDARD

#: Precision of the normal prior on every log strength. It keeps the rating of a strategy that never
#: wins finite. It is worth about one win, so thousands of games outweigh it.
PRIOR = 1.0

#: The rating points that stand for ten times the odds of winning.
POINTS_A_DECADE = 400.0


def log_strengths(seats: FloatArray, wins: FloatArray, games: FloatArray) -> FloatArray:
    """The log strengths with the greatest posterior density, with mean 0, shape (..., strategies).

    Args:
        seats: seats of each strategy at each table, shape (tables, strategies).
        wins: games won by each strategy's seats, shape (..., tables, strategies); parts of shared
            wins are fractions.
        games: games at each table, shape (tables,).
    """
    alone = np.broadcast_to(np.eye(seats.shape[1]), (*seats.shape, seats.shape[1]))
    played = np.broadcast_to(games, wins.shape[:-1])
    strengths, _ = fit_choice(alone, played, wins, seats, PRIOR)
    return np.asarray(strengths - strengths.mean(axis=-1, keepdims=True))


def points(strengths: FloatArray) -> FloatArray:
    """Log strengths as rating points: 400 more points mean ten times the odds."""
    return np.asarray(POINTS_A_DECADE / np.log(10) * strengths)


#: Bootstrap samples of the deals.
SAMPLES = 400

#: The level of the duels' tests, by Holm over all pairs.
LEVEL = 0.05


@dataclass(frozen=True, eq=False, repr=False)
class Rating:
    """A tournament's numbers as tables, best rating first.

    Columns that end in `_low` and `_high` are the ends of an interval.

    Attributes:
        played: the played tournament.
        ratings: a row for each strategy: Plackett-Luce points (`rating`, mean 0), its part in the
            equilibrium (`mixture`), a seat's win share less the share of a rival's seat drawn from
            the mixture (`against_mixture`; 0 within the mixture, negative outside), the games of
            the tournament and the deals of each table.
        payoffs: a row for each strategy and rival: the win share of one seat with the strategy if
            the rival fills the other seats (`alone`; null for itself), a seat's win share less a
            rival seat's (`duel`, mean over all tables of the two), and whether the strategy beats
            the rival significantly (`beats`; Holm over all pairs, 5 %).
    """

    played: PlayedTournament
    ratings: pl.DataFrame
    payoffs: pl.DataFrame

    def __repr__(self) -> str:
        points = self.ratings.select("strategy", "rating").rows()
        return f"Rating by {self.games:,} games: " + ", ".join(
            f"{name} {points_of:+.0f}" for name, points_of in points
        )

    def _repr_html_(self) -> str:
        """The rating as a table, for notebooks."""
        return f"<p>{self.games:,} games</p>{self.frame()._repr_html_()}"

    def frame(self) -> pl.DataFrame:
        """A row for each strategy: its points with their interval, and its part in the mixture."""
        return self.ratings.select(
            estimand=pl.lit("rating"),
            name="strategy",
            value="rating",
            low="rating_low",
            high="rating_high",
            equilibrium="mixture",
            against_equilibrium="against_mixture",
        )

    @property
    def strategies(self) -> tuple[str, ...]:
        """The strategies with their settings."""
        return tuple(self.ratings["strategy"])

    @property
    def games(self) -> int:
        """Games of the tournament."""
        return self.played.tournament.games

    @property
    def tables(self) -> dict[str, pl.DataFrame]:
        """The stored tables: `ratings`, `payoffs`, and the wins at every table (`tables`)."""
        return {"ratings": self.ratings, "payoffs": self.payoffs, "tables": _tables(self.played)}

    @property
    def cycles(self) -> tuple[tuple[str, str, str], ...]:
        """Three strategies that significantly beat one another in a circle."""
        beaten = set(self.payoffs.filter("beats").select("strategy", "rival").rows())
        return tuple(
            (first, second, third)
            for a, b, c in combinations(self.strategies, 3)
            for first, second, third in ((a, b, c), (a, c, b))
            if {(first, second), (second, third), (third, first)} <= beaten
        )


def rate_strategies(
    strategies: str | Sequence[str],
    rules: Rules | str = "second",
    *,
    players: int = 4,
    games: int = 100_000,
    seed: int = 1,
    mode: str = STANDARD,
    jobs: int | None = None,
    quiet: bool = False,
) -> Rating:
    """Rate strategies by a tournament in which everybody sits in every seat.

    Args:
        strategies: two or more, as in "greedy,majority,champion".
        rules: the rules in force: a `Rules`, or a word such as "second".
        players: seats of a table, 2 to 6.
        games: games in all; every table plays at least 20 deals.
        seed: master seed.
        mode: a mode for two and more players.
        jobs: threads to play with, all cores unless given; the result does not depend on it.
        quiet: show no progress.

    Returns:
        The rating; `frame()` has its points (400 are odds ten times as high) with intervals.

    Raises:
        WrongInput: these make no tournament.
        IllegalMove: a strategy answered with a move that the rules forbid.

    Example:
        >>> from ethnos_sim import rate_strategies
        >>> rating = rate_strategies("random,greedy,majority", games=2000, quiet=True)
        >>> rating.frame()["name"][-1]
        'random'
    """
    tournament = prepare_tournament(
        parse_rules(rules) if isinstance(rules, str) else rules,
        strategies.split(",") if isinstance(strategies, str) else strategies,
        players=players,
        games=games,
        seed=seed,
        mode=mode,
    )
    title = f"Playing {tournament.games:,} games at {len(tournament.seatings)} tables"
    with shown_progress(title, tournament.games, 0, quiet=quiet) as on_games:
        played = play_tournament(tournament, threads=jobs or cpu_count(), on_games=on_games)
    return rate(played)


def rate(played: PlayedTournament, *, samples: int = SAMPLES) -> Rating:
    """Rate the strategies of a tournament.

    Args:
        played: from `play_tournament`.
        samples: bootstrap samples of the deals, for ratings and the mixture.
    """
    tournament = played.tournament
    wins = played.won / SIXTIETHS
    seats = tournament.seats.astype(np.float64)
    seatings = np.asarray([match.rotations for match in tournament.matches], np.float64)
    by_deal = duels_by_deal(tournament.seats, played.won, seatings)
    deals = tournament.deals
    # How often each deal is in each sample, (samples, deals); the seed is fixed.
    drawn = np.random.default_rng(deals).multinomial(deals, np.full(deals, 1 / deals), size=samples)
    draws = drawn.astype(np.float64)
    strengths = log_strengths(seats, wins.sum(axis=1), seatings * deals)
    sampled = log_strengths(seats, np.tensordot(draws, wins, axes=(1, 1)), seatings * deals)
    duels = by_deal.mean(axis=0)
    mixture = equilibrium(duels)
    sampled_duels = np.tensordot(draws, by_deal, axes=1) / tournament.deals
    mixtures = np.stack([equilibrium(sample) for sample in sampled_duels])
    order = np.argsort(-strengths, kind="stable")
    pairs = np.ix_(order, order)
    most = sum(1 / seat for seat in range(1, tournament.players)) / (tournament.players - 1)
    alone = _over_deals(_alone(tournament.seats, played.won, seatings), 0.0, 1.0)
    names = [tournament.strategies[number] for number in order]
    ratings = pl.DataFrame(
        {
            "strategy": names,
            **_columns("rating", _percentiles(points(strengths), points(sampled)), order),
            **_columns("mixture", _percentiles(mixture, mixtures), order),
            **_columns("against_mixture", _over_deals(by_deal @ mixture, -most, most), order),
        }
    )
    payoffs = pl.DataFrame(
        {
            "strategy": np.repeat(names, len(names)),
            "rival": names * len(names),
            **_columns("alone", alone, pairs),
            **_columns("duel", _over_deals(by_deal, -most, most), pairs),
            "beats": _beats(duels, _p_values(by_deal))[pairs].ravel(),
        }
    )
    counts = {"games": pl.lit(tournament.games), "deals": pl.lit(tournament.deals)}
    return Rating(played, ratings.with_columns(**counts), payoffs)


def _columns(
    name: str, values: FloatArray, places: np.ndarray | tuple[np.ndarray, ...]
) -> dict[str, pl.Series]:
    """Columns of a value and both ends of its interval, at `places`; nan becomes null."""
    return {
        name + end: pl.Series(part[places].ravel()).fill_nan(None)
        for end, part in zip(("", "_low", "_high"), values, strict=True)
    }


def duels_by_deal(seats: np.ndarray, won: np.ndarray, seatings: FloatArray) -> FloatArray:
    """The duel matrix of every deal, shape (deals, strategies, strategies), antisymmetric.

    A duel is the win share of one strategy's seat less the win share of the other strategy's seat,
    averaged over all tables where only these two strategies play.

    Args:
        seats: seats of each strategy at each table, shape (tables, strategies).
        won: sixtieths of wins, shape (tables, deals, strategies), summed over seatings.
        seatings: seatings in which each table plays a deal, shape (tables,).
    """
    strategies = seats.shape[1]
    duels = np.zeros((won.shape[1], strategies, strategies))
    tables = np.zeros((strategies, strategies))
    for table in range(len(seats)):
        present = np.flatnonzero(seats[table])
        if len(present) != 2:
            continue
        one, other = present
        share = won[table] / (SIXTIETHS * seatings[table] * np.maximum(seats[table], 1))
        difference = share[:, one] - share[:, other]
        duels[:, one, other] += difference
        duels[:, other, one] -= difference
        tables[one, other] += 1
        tables[other, one] += 1
    return np.asarray(duels / np.maximum(tables, 1))


def _alone(seats: np.ndarray, won: np.ndarray, seatings: FloatArray) -> FloatArray:
    """By deal, the win share of one seat of a strategy if a rival fills all other seats.

    The arguments and the shape are as in `duels_by_deal`.
    """
    strategies = seats.shape[1]
    players = seats[0].sum()
    shares = np.full((won.shape[1], strategies, strategies), np.nan)
    for table in range(len(seats)):
        for one, other in permutations(np.flatnonzero(seats[table]), 2):
            if seats[table, one] == 1 and seats[table, other] == players - 1:
                shares[:, one, other] = won[table, :, one] / (SIXTIETHS * seatings[table])
    return shares


def _percentiles(value: FloatArray, sampled: FloatArray) -> FloatArray:
    """A value with the bootstrap's percentile interval (Efron & Tibshirani 1993, chapter 13).

    Returns value, lower and upper end, stacked.
    """
    ends = np.quantile(sampled, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], axis=0)
    return np.stack([value, np.minimum(ends[0], value), np.maximum(ends[1], value)])


def _over_deals(by_deal: FloatArray, least: float, most: float) -> FloatArray:
    """Means over deals of values from `least` to `most`, stacked with intervals as in a match.

    A difference that is 0 on every deal is exactly 0: a strategy meets itself or a copy.
    """
    mean = by_deal.mean(axis=0)
    low, high = np.full_like(mean, np.nan), np.full_like(mean, np.nan)
    width = most - least
    for place in np.ndindex(mean.shape):
        values = by_deal[(slice(None), *place)]
        if least < 0 and not values.any():
            low[place] = high[place] = 0.0
        elif not np.isnan(mean[place]):
            shares = (values - least) / width
            ends = deal_interval(shares, (mean[place] - least) / width)
            low[place], high[place] = (least + width * end for end in ends)
    return np.stack([mean, low, high])


def _p_values(by_deal: FloatArray) -> FloatArray:
    """Two-sided p-values of a mean of 0 over deals, by Student's t."""
    from scipy.special import stdtr

    deals = len(by_deal)
    mean = by_deal.mean(axis=0)
    error = by_deal.std(axis=0, ddof=1) / np.sqrt(deals)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(mean == 0, 0.0, np.abs(mean) / error)
    return np.asarray(2 * stdtr(deals - 1, -t))


def _beats(duels: FloatArray, p_values: FloatArray) -> np.ndarray:
    pairs = np.triu_indices(len(duels), 1)
    adjusted = np.ones_like(duels)
    adjusted[pairs] = holm(p_values[pairs])
    adjusted = np.minimum(adjusted, adjusted.T)
    return np.asarray((adjusted < LEVEL) & (duels > 0))


UNIFORM = "uniform"
EQUILIBRIUM = "equilibrium"
STRONGEST = "strongest"

#: Decimals of a population's weights; smaller parts are left out.
WEIGHT_DECIMALS = 3


def _tables(played: PlayedTournament) -> pl.DataFrame:
    """The wins of every strategy at every table, as whole numbers."""
    tournament = played.tournament
    rows = [
        {
            "table": table,
            "strategy": tournament.strategies[number],
            "seats": int(tournament.seats[table, number]),
            "games": tournament.deals * tournament.matches[table].rotations,
            "won": int(played.won[table, :, number].sum()),
        }
        for table, seating in enumerate(tournament.seatings)
        for number in sorted(set(seating))
    ]
    return pl.DataFrame(rows)


def populations(rating: Rating) -> Mapping[str, Mapping[str, float]]:
    """The populations of the rated strategies, each with its strategies' weights.

    `uniform` has every rated strategy equally, `equilibrium` is the equilibrium mixture, and
    `strongest` is the strategy with the best rating alone.
    """
    mixture = dict(
        rating.ratings.select("strategy", pl.col("mixture").round(WEIGHT_DECIMALS)).rows()
    )
    return {
        UNIFORM: dict.fromkeys(sorted(rating.strategies), 1.0),
        EQUILIBRIUM: {name: part for name, part in sorted(mixture.items()) if part > 0},
        STRONGEST: {rating.strategies[0]: 1.0},
    }
