"""The shape of a game: length, scores, how close it is, how often the lead changes hands.

`leader_after_age_k`: the share of wins of the seats with the most prestige after age k.
`comeback`: the share of wins of the seats COMEBACK_FROM points or more behind the leader after the
last age but one. `prestige_spread`: the standard deviation of the scores of one game, from the mean
variance within games.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, controlled_mean, ratio
from ethnos_sim.reports.estimators.bands import POWER
from ethnos_sim.reports.estimators.estimand import Estimand, Number, of_ordinary_games
from ethnos_sim.reports.evidence.game_numbers import DEFICITS
from ethnos_sim.reports.evidence.sums import Sums
from ethnos_sim.simulator.records import SIXTIETHS

COMEBACK_CLASS = 2
COMEBACK_FROM = DEFICITS[COMEBACK_CLASS - 1]
"""How many points behind a seat has to be for a comeback, and the first class of such deficits."""

NUMBERS = {
    "turns": Number("Turns a game", 2.0),
    "parties": Number("Parties a seat", 0.1),
    "cards_in_party": Number("Cards a party", 0.01),
    "lead_changes": Number("Changes of the lead", 0.02),
    "shared_wins": Number("Shared wins", POWER.minor),
    "leader_after_age_1": Number("Wins of the leader after age 1", 0.01),
    "leader_after_age_2": Number("Wins of the leader after age 2", 0.01),
    "comeback": Number(
        f"Wins from {COMEBACK_FROM} or more behind before the last age", POWER.minor
    ),
    "mean_prestige": Number("Prestige of a seat", 0.5),
    "prestige_spread": Number("Spread of prestige within a game", 0.25),
    "margin": Number("Winning margin", 0.5),
}
"""The numbers of the shape of a game, in the 2nd edition's words, as tables list them.

Margins: winning chances where a difference stops being negligible, those of early leaders, which
differ by tens of points, twice as wide; counts and points less than anybody would feel at a table,
and narrow where few games are precise, so that changes show."""


def measure_shape(sums: Sums, population: str) -> tuple[Estimates, ...]:
    """Every number of the shape of a game: counts, points of prestige, and shares of wins."""
    return (
        _counts(sums, population),
        _points(sums, population),
        _shares(sums, population),
    )


def usual_mean(blocks: BlockSums, name: str) -> FloatArray:
    """The mean a game of what a long game has more of, at the usual length of ages.

    Where the dragons lie is chance, and how many cards are drawn on average is known.
    """
    games, luck = blocks["games"], blocks["luck"]
    product, square = blocks[f"luck_{name}"], blocks["luck_squared"]
    return controlled_mean(blocks[name], luck, product, square, games)


def prestige_spread(blocks: BlockSums, players: int) -> FloatArray:
    """The standard deviation of the scores within a game, n - 1 in the denominator."""
    within = players * blocks["prestige_squared"] - blocks["totals_squared"]
    return np.sqrt(ratio(within, players * (players - 1) * blocks["games"]))


def early_ages(blocks: BlockSums) -> int:
    """After how many ages these games went on: somebody's deficit was counted there."""
    seats = blocks["behind"].sum(axis=-1)
    return max(1, int(np.count_nonzero(seats.reshape(-1, seats.shape[-1]).any(axis=0))))


def comeback_counts(blocks: BlockSums) -> tuple[np.ndarray, np.ndarray]:
    """Seats that were far behind after the last age but one, and what they won in sixtieths."""
    age = early_ages(blocks) - 1
    behind, won = (
        blocks[name][..., age, COMEBACK_CLASS:].sum(axis=-1) for name in ("behind", "behind_won")
    )
    return behind, won


def _counts(sums: Sums, population: str) -> Estimates:
    """Numbers that are counted a game, a seat or a party."""

    def statistic(blocks: BlockSums) -> FloatArray:
        return np.stack(
            [
                usual_mean(blocks, "turns"),
                usual_mean(blocks, "parties") / sums.players,
                ratio(blocks["cards"], blocks["parties"]),
                ratio(blocks["lead_changes"], blocks["games"]),
            ],
            axis=-1,
        )

    names = ("turns", "parties", "cards_in_party", "lead_changes")
    return _measured(sums, statistic, "count", names, sums.games, population)


def _points(sums: Sums, population: str) -> Estimates:
    """Numbers in points of prestige."""

    def statistic(blocks: BlockSums) -> FloatArray:
        return np.stack(
            [
                usual_mean(blocks, "prestige") / sums.players,
                prestige_spread(blocks, sums.players),
                ratio(blocks["margin"], blocks["games"]),
            ],
            axis=-1,
        )

    names = ("mean_prestige", "prestige_spread", "margin")
    return _measured(sums, statistic, "prestige", names, sums.games, population)


def _shares(sums: Sums, population: str) -> Estimates:
    """Shares of games or of wins."""
    early = early_ages(sums.arrays)

    def statistic(blocks: BlockSums) -> FloatArray:
        shared = ratio(blocks["shared"], blocks["games"])[..., None]
        leaders = ratio(blocks["leaders_won"], SIXTIETHS * blocks["leaders"])
        behind, won = comeback_counts(blocks)
        back = ratio(won, SIXTIETHS * behind)[..., None]
        return np.concatenate([shared, leaders[..., :early], back], axis=-1)

    leaders = sums.arrays["leaders"].sum(axis=0)[:early]
    behind, _ = comeback_counts(sums.arrays)
    events = np.asarray([sums.arrays["shared"].sum(), *leaders, behind.sum()])
    after = tuple(f"leader_after_age_{age}" for age in range(1, early + 1))
    names = ("shared_wins", *after, "comeback")
    return _measured(sums, statistic, "share", names, events, population)


def _measured(
    sums: Sums,
    statistic: Callable[[BlockSums], FloatArray],
    unit: str,
    names: tuple[str, ...],
    events: np.ndarray | int,
    population: str,
) -> Estimates:
    """A statistic of the game's shape jackknifed over blocks of deals."""
    return GAME_SHAPE.measure(
        statistic,
        sums.arrays,
        sums.sizes,
        unit=unit,
        names=names,
        population=population,
        games=sums.games,
        events=events,
    )


GAME_SHAPE = Estimand(
    name="game_shape",
    title="Shape of the game",
    meaning=(
        "Turns a game, parties a seat, cards a party, games with a shared win; mean prestige of a "
        "seat and its standard deviation within a game; the winning margin, first less second "
        "place (margin); how often nobody who led after an age led after the next (changes of the "
        "lead); the winning chance of who has the most prestige after an age (players tied for the "
        "lead count each), and of who is 6 or more points behind after the last age but one "
        "(comeback)."
    ),
    formula=(
        "means and shares over games, seats or parties; spread: root of the mean variance within "
        "games"
    ),
    numbers=NUMBERS,
    family="shape",
    found=of_ordinary_games(measure_shape),
)
