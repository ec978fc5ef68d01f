"""Solo games: how often Bruno is beaten, what a strategy wins more than another, how both play.

Every solo game has a deal of its own, so a win rate is one proportion of independent games. The
strategies of a difficulty play the same deals, so the difference between two of them is taken deal
by deal. Means and shares are jackknifed over blocks of deals, like everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, ratio
from ethnos_sim.reports.estimators.estimand import Estimand, Finder
from ethnos_sim.reports.estimators.winners import TOTAL
from ethnos_sim.reports.evidence.evidence import SOLO_POPULATION, Evidence, Situation
from ethnos_sim.reports.evidence.solo_evidence import SIDES
from ethnos_sim.reports.evidence.sums import SOURCES, Sums
from ethnos_sim.simulator.modes import SOLO_CLANS, SOLO_EDITION
from ethnos_sim.simulator.records import SIXTIETHS
from ethnos_sim.simulator.rules.editions import edition_rules

COLORS = edition_rules(SOLO_EDITION).colors
"""What Bruno's columns are called."""


def measure_source(sums: Sums, strategy: str, side: str) -> Estimates:
    """Mean prestige of the player or of Bruno by source; the last name is the total."""
    return _means(SOLO_SOURCE, sums, "source", side, SOURCES, strategy)


def measure_columns(sums: Sums, strategy: str) -> Estimates:
    """How often a game sees each of Bruno's columns played; the last name is all of them."""
    return _means(SOLO_COLUMNS, sums, "columns", "bruno", COLORS, strategy)


def measure_leaders(sums: Sums, strategy: str, side: str) -> Estimates:
    """The share of the player's or of Bruno's parties that each clan leads."""
    place = SIDES.index(side)
    return SOLO_LEADERS.measure(
        lambda of: ratio(of["led"][..., place, :], of["parties"][..., place, None]),
        sums.arrays,
        strategy,
        SOLO_CLANS,
        aspect=side,
    )


def _means(
    estimand: Estimand,
    sums: Sums,
    array: str,
    side: str,
    names: tuple[str, ...],
    strategy: str,
) -> Estimates:
    """An array of one side a game, with the sum of its numbers as the last one."""

    def statistic(of: BlockSums) -> FloatArray:
        means = ratio(of[array][..., SIDES.index(side), :], of["games"][..., None])
        return np.concatenate([means, means.sum(axis=-1, keepdims=True)], axis=-1)

    return estimand.measure(statistic, sums.arrays, strategy, (*names, TOTAL), aspect=side)


def _win_rate(of: BlockSums) -> FloatArray:
    """The player's part of the wins."""
    return ratio(of["won"], SIXTIETHS * of["games"])


def _margin(of: BlockSums) -> FloatArray:
    """The player's total less Bruno's, a game."""
    totals = of["source"].sum(axis=-1)
    return ratio(totals[..., 0] - totals[..., 1], of["games"])


def _prestige(of: BlockSums) -> FloatArray:
    """The player's prestige, a game."""
    return ratio(of["source"].sum(axis=-1)[..., 0], of["games"])


def _of_difficulty(
    estimand: Estimand,
    statistic: Callable[[BlockSums], FloatArray],
    evidence: Evidence,
    situation: Situation,
) -> Iterator[Estimates]:
    """A number of all strategies of one difficulty.

    It is jackknifed over blocks of deals, so that two results that played the same deals can be
    paired.
    """
    if situation.population == SOLO_POPULATION:
        lines = evidence.solo_of(situation.setting.mode)
        sums = {
            array: np.stack([line.arrays[array] for line in lines.values()], axis=1)
            for array in ("won", "games", "source")
        }
        sizes, games = (np.asarray(sums["games"].sum(axis=axis)) for axis in (1, 0))
        yield estimand.measure(
            statistic, sums, SOLO_POPULATION, tuple(lines), sizes=sizes, games=games
        )


def _gains(evidence: Evidence, situation: Situation) -> Iterator[Estimates]:
    """What each strategy wins more than every later one on the same deals: `name` less `aspect`."""
    for rates in _of_difficulty(SOLO_WIN_RATE, _win_rate, evidence, situation):
        found = rates.pairwise().in_unit(SOLO_GAIN.unit)
        names, others = found["first"], found["second"]
        yield found.labelled(estimand=SOLO_GAIN.name, name=names, aspect=others)


def _by_strategy(measured: Callable[[Sums, str], Iterable[Estimates]]) -> Finder:
    """What finds numbers of each strategy against Bruno, which is a population of its own."""

    def found(evidence: Evidence, situation: Situation) -> Iterator[Estimates]:
        if situation.population == SOLO_POPULATION:
            for strategy, sums in evidence.solo_of(situation.setting.mode).items():
                yield from measured(sums, strategy)

    return found


SOLO_WIN_RATE: Estimand = Estimand(
    name="solo_win_rate",
    unit="share",
    label="{name}: win rate against Bruno",
    margin=0.01,
    family="solo",
    found=lambda *about: _of_difficulty(SOLO_WIN_RATE, _win_rate, *about),
)

SOLO_GAIN = Estimand(
    name="solo_gain",
    unit="share_difference",
    found=_gains,
)

SOLO_MARGIN: Estimand = Estimand(
    name="solo_margin",
    unit="prestige_difference",
    label="{name}: margin over Bruno",
    margin=1.0,
    family="solo",
    found=lambda *about: _of_difficulty(SOLO_MARGIN, _margin, *about),
)

SOLO_PRESTIGE: Estimand = Estimand(
    name="solo_prestige",
    unit="prestige",
    label="{name}: prestige against Bruno",
    margin=0.5,
    family="solo",
    found=lambda *about: _of_difficulty(SOLO_PRESTIGE, _prestige, *about),
)

SOLO_SOURCE = Estimand(
    name="solo_source",
    unit="prestige",
    found=_by_strategy(
        lambda sums, strategy: [measure_source(sums, strategy, side) for side in SIDES]
    ),
)

SOLO_COLUMNS = Estimand(
    name="solo_columns",
    unit="count",
    found=_by_strategy(lambda sums, strategy: [measure_columns(sums, strategy)]),
)

SOLO_LEADERS = Estimand(
    name="solo_leaders",
    unit="share",
    found=_by_strategy(
        lambda sums, strategy: [measure_leaders(sums, strategy, side) for side in SIDES]
    ),
)
