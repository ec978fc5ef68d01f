"""Solo games: how often Bruno is beaten, what a strategy wins more than another, how both play.

The strategies of a difficulty play the same deals, so two of them are compared deal by deal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, ratio, together
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.reports.estimators.winners import TOTAL, with_total
from ethnos_sim.reports.evidence.evidence import SOLO_POPULATION, Evidence, Situation
from ethnos_sim.reports.evidence.game_numbers import SIDES, SOURCES
from ethnos_sim.reports.evidence.sums import Sums
from ethnos_sim.simulator.modes import SOLO_CLANS, SOLO_EDITION
from ethnos_sim.simulator.records import SIXTIETHS
from ethnos_sim.simulator.rules.editions import edition_rules


def _difficulty(
    evidence: Evidence, situation: Situation
) -> Iterator[tuple[Mapping[str, Sums], str]]:
    """All strategies of one difficulty together."""
    if situation.population == SOLO_POPULATION:
        yield evidence.solo_of(situation.mode), SOLO_POPULATION


def _each_strategy(evidence: Evidence, situation: Situation) -> Iterator[tuple[Sums, str]]:
    """Each strategy against Bruno, which is a population of its own."""
    for lines, _ in _difficulty(evidence, situation):
        for strategy, sums in lines.items():
            yield sums, strategy


def _of_difficulty(
    statistic: Callable[[BlockSums], FloatArray],
) -> Callable[[Estimand, Mapping[str, Sums], str], Estimates]:
    """A number of all strategies of one difficulty, over blocks of the deals that they share."""

    def measured(own: Estimand, lines: Mapping[str, Sums], population: str) -> Estimates:
        sums = {
            array: np.stack([line.arrays[array] for line in lines.values()], axis=1)
            for array in ("won", "games", "source")
        }
        sizes, games = (np.asarray(sums["games"].sum(axis=axis)) for axis in (1, 0))
        return own.measure(statistic, sums, population, tuple(lines), sizes=sizes, games=games)

    return measured


def _margin(of: BlockSums) -> FloatArray:
    """The player's total less Bruno's, a game."""
    totals = of["source"].sum(axis=-1)
    return ratio(totals[..., 0] - totals[..., 1], of["games"])


def _gains(own: Estimand, lines: Mapping[str, Sums], population: str) -> Estimates:
    """What each strategy wins more than every later one on the same deals: `name` less `aspect`."""
    found = SOLO_WIN_RATE.of(lines, population).pairwise().in_unit(own.unit)
    names, others = found["first"], found["second"]
    return found.labelled(estimand=own.name, name=names, aspect=others)


def _means(
    array: str, names: Sequence[str], sides: Sequence[str] = SIDES
) -> Callable[[Estimand, Sums, str], Estimates]:
    """An array of each side a game, with the sum of its numbers as the last one."""

    def of_side(own: Estimand, sums: Sums, strategy: str, place: int) -> Estimates:
        return own.measure(
            lambda of: with_total(ratio(of[array][..., place, :], of["games"][..., None])),
            sums.arrays,
            strategy,
            (*names, TOTAL),
            aspect=SIDES[place],
        )

    return lambda own, sums, strategy: together(
        of_side(own, sums, strategy, SIDES.index(side)) for side in sides
    )


def _leaders(own: Estimand, sums: Sums, strategy: str) -> Estimates:
    """The share of the parties of each side that each clan leads."""

    def of_side(place: int, side: str) -> Estimates:
        return own.measure(
            lambda of: ratio(of["led"][..., place, :], of["parties"][..., place, None]),
            sums.arrays,
            strategy,
            SOLO_CLANS,
            aspect=side,
        )

    return together(of_side(place, side) for place, side in enumerate(SIDES))


SOLO_WIN_RATE = Estimand(
    name="solo_win_rate",
    unit="share",
    label="{name}: win rate against Bruno",
    margin=0.01,
    family="solo",
    measured=_of_difficulty(lambda of: ratio(of["won"], SIXTIETHS * of["games"])),
    source=_difficulty,
)
SOLO_GAIN = Estimand(name="solo_gain", unit="share_difference", measured=_gains, source=_difficulty)
SOLO_MARGIN = Estimand(
    name="solo_margin",
    unit="prestige_difference",
    label="{name}: margin over Bruno",
    margin=1.0,
    family="solo",
    measured=_of_difficulty(_margin),
    source=_difficulty,
)
SOLO_PRESTIGE = Estimand(
    name="solo_prestige",
    unit="prestige",
    label="{name}: prestige against Bruno",
    margin=0.5,
    family="solo",
    measured=_of_difficulty(lambda of: ratio(of["source"].sum(axis=-1)[..., 0], of["games"])),
    source=_difficulty,
)
SOLO_SOURCE = Estimand(
    name="solo_source",
    unit="prestige",
    measured=_means("source", SOURCES),
    source=_each_strategy,
)
SOLO_COLUMNS = Estimand(
    name="solo_columns",
    unit="count",
    measured=_means("columns", edition_rules(SOLO_EDITION).colors, ("bruno",)),
    source=_each_strategy,
)
SOLO_LEADERS = Estimand(name="solo_leaders", unit="share", measured=_leaders, source=_each_strategy)
