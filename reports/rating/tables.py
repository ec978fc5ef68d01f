"""A rating as tables: a row a strategy, a pair, or a strategy at a table (docs/strategies.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import polars as pl

from ethnos_sim.experiments.matches.tournament import PlayedTournament
from ethnos_sim.experiments.statistics.estimates import FloatArray
from ethnos_sim.experiments.statistics.intervals import Interval
from ethnos_sim.reports.rating.rating import Rating

UNIFORM = "uniform"
EQUILIBRIUM = "equilibrium"
STRONGEST = "strongest"

#: Decimals of a population's weights; parts that are less are left out.
WEIGHT_DECIMALS = 3


def _columns(
    name: str, interval: Interval[FloatArray], places: Sequence[tuple[int, ...]]
) -> dict[str, list[float | None]]:
    """A value and both ends of its interval, at the given places; what is no number is empty."""
    parts = {"": interval.value, "_low": interval.low, "_high": interval.high}
    return {
        name + end: [None if array[at] != array[at] else float(array[at]) for at in places]
        for end, array in parts.items()
    }


def rating_tables(rating: Rating, played: PlayedTournament) -> dict[str, pl.DataFrame]:
    """The tables `ratings`, `payoffs` and `tables` of a tournament."""
    names = rating.strategies
    ones = [(place,) for place in range(len(names))]
    pairs: list[tuple[int, ...]] = list(product(range(len(names)), repeat=2))
    ratings = pl.DataFrame(
        {
            "strategy": names,
            **_columns("rating", rating.rating, ones),
            **_columns("mixture", rating.mixture, ones),
            **_columns("against_mixture", rating.against_mixture, ones),
            "games": [rating.games] * len(names),
            "deals": [rating.deals] * len(names),
        }
    )
    payoffs = pl.DataFrame(
        {
            "strategy": [names[one] for one, _ in pairs],
            "rival": [names[other] for _, other in pairs],
            **_columns("alone", rating.alone, pairs),
            **_columns("duel", rating.duels, pairs),
            "beats": [bool(rating.beats[pair]) for pair in pairs],
        },
        schema_overrides=dict.fromkeys(("alone", "alone_low", "alone_high"), pl.Float64),
    )
    return {"ratings": ratings, "payoffs": payoffs, "tables": _tables(played)}


def _tables(played: PlayedTournament) -> pl.DataFrame:
    """What every strategy won at every table, as whole numbers."""
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
    """The mixtures that stand for the rated strategies, each with its strategies' weights.

    `uniform` is every rated strategy equally, `equilibrium` the equilibrium mixture, `strongest`
    the one with the best rating alone.
    """
    mixture = {
        name: round(float(part), WEIGHT_DECIMALS)
        for name, part in zip(rating.strategies, rating.mixture.value, strict=True)
    }
    return {
        UNIFORM: dict.fromkeys(sorted(rating.strategies), 1.0),
        EQUILIBRIUM: {name: part for name, part in sorted(mixture.items()) if part > 0},
        STRONGEST: {rating.strategies[0]: 1.0},
    }
