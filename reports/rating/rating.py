"""The rating of a tournament: the win share of each strategy, and who beats whom.

Both are win shares of a seat whose rivals all have one other strategy. All tables play the same
deals, so the games of a deal at all tables and in all seatings are one observation
(`shares.deal_interval`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from joblib import cpu_count

from ethnos_sim.experiments.execution.progress import show_progress
from ethnos_sim.experiments.matches.tournament import (
    Tournament,
    play_tournament,
    prepare_tournament,
)
from ethnos_sim.experiments.statistics.estimates import CONFIDENCE
from ethnos_sim.reports.rating.shares import mean_share
from ethnos_sim.simulator.rules import Rules, RuleSet, rules_and_mode
from ethnos_sim.simulator.tables.modes import STANDARD


@dataclass(frozen=True, eq=False, repr=False)
class Rating:
    """A tournament's win shares, the best strategy first.

    Attributes:
        players: seats of a table; 1/players is an even share.
        games: games of the tournament.
        deals: deals of each table.
        shares: a row for each strategy: `value`, the mean of its win shares in `pairs`, with its
            95 % interval from `low` to `high`.
        pairs: a row for each strategy and rival: the win share of a seat with the strategy where
            all other seats have the rival. The intervals of all pairs hold at once with 95 %.
            `beats` is true if the whole interval is above an even share.
    """

    players: int
    games: int
    deals: int
    shares: pl.DataFrame
    pairs: pl.DataFrame

    def __repr__(self) -> str:
        shares = self.shares.select("strategy", "value").rows()
        return f"Rating by {self.games:,} games: " + ", ".join(
            f"{name} {share:.1%}" for name, share in shares
        )

    def _repr_html_(self) -> str:
        """The rating as a table, for notebooks."""
        return f"<p>{self.games:,} games</p>{self.frame()._repr_html_()}"

    def frame(self) -> pl.DataFrame:
        """The win share and interval of each strategy, with names of columns as in `estimate`."""
        return self.shares.select(
            estimand=pl.lit("strategy_share"),
            name="strategy",
            value="value",
            low="low",
            high="high",
        )


def rate_strategies(
    strategies: str | Sequence[str],
    rules: Rules | RuleSet | str = "second",
    *,
    players: int = 4,
    games: int = 100_000,
    seed: int = 1,
    mode: str = STANDARD,
    jobs: int | None = None,
    quiet: bool = False,
) -> Rating:
    """Rate strategies by a tournament in which all meet each other, in every seat.

    Args:
        strategies: two or more, as in "greedy,majority,champion".
        rules: the rules in force: a `Rules`, or a word such as "second".
        players: seats of a table, 2 to 6.
        games: games in all; every table plays at least 20 deals.
        seed: the seed of all luck.
        mode: `standard` or `recruitment`.
        jobs: threads to play with, all cores unless given; the result does not depend on it.
        quiet: show no progress.

    Returns:
        The rating; `frame()` has the win shares with intervals, `pairs` who beats whom.

    Raises:
        WrongInput: a strategy is not known, or the arguments make no tournament.
        IllegalMove: a strategy answered with a move that the rules forbid.

    Example:
        >>> from ethnos_sim import rate_strategies
        >>> rating = rate_strategies("random,greedy,majority", games=2000, quiet=True)
        >>> rating.frame()["name"][-1]
        'random'
    """
    rules, mode = rules_and_mode(rules, mode)
    tournament = prepare_tournament(
        rules,
        strategies.split(",") if isinstance(strategies, str) else strategies,
        players=players,
        games=games,
        seed=seed,
        mode=mode,
    )
    title = f"Playing {tournament.games:,} games at {len(tournament.pairs)} tables"
    with show_progress(title, tournament.games, 0, quiet=quiet) as on_games:
        shares = play_tournament(tournament, threads=jobs or cpu_count(), on_games=on_games)
    return rating_of(tournament, shares)


def rating_of(tournament: Tournament, shares: np.ndarray) -> Rating:
    """The rating of a tournament, from the win shares of `play_tournament`."""
    names, players = tournament.strategies, tournament.players
    overall = [mean_share(np.nanmean(shares[:, one], axis=1)) for one in range(len(names))]
    order = sorted(range(len(names)), key=lambda one: -overall[one]["value"])
    ranked = [(one, other) for one in order for other in order if one != other]
    # With two players, the two shares of a pair add up to 1, so they are one number.
    numbers = len(ranked) // (2 if players == 2 else 1)
    together = 1 - (1 - CONFIDENCE) / numbers
    among = [mean_share(shares[:, *pair], together) for pair in ranked]
    return Rating(
        players=players,
        games=tournament.games,
        deals=tournament.deals,
        shares=pl.DataFrame([{"strategy": names[one], **overall[one]} for one in order]),
        pairs=pl.DataFrame(
            [
                {"strategy": names[one], "rival": names[other], **share}
                for (one, other), share in zip(ranked, among, strict=True)
            ]
        ).with_columns(beats=pl.col("low") > 1 / players),
    )
