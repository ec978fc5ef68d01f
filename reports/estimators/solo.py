"""Solo games: how often Bruno is beaten, what a strategy wins more than another, how both play.

Every solo game has a deal of its own, so a win rate is one proportion of independent games. The
strategies of a difficulty play the same deals, so the difference between two of them is taken deal
by deal. Means and shares are jackknifed over blocks of deals, like everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np

from ethnos_sim.experiments.statistics.estimates import (
    Estimates,
    FloatArray,
)
from ethnos_sim.experiments.statistics.jackknife import BlockSums, ratio
from ethnos_sim.reports.estimators.estimand import Estimand, Finder
from ethnos_sim.reports.estimators.prestige_source import TOTAL
from ethnos_sim.reports.evidence.evidence import SOLO_POPULATION, Evidence, Situation
from ethnos_sim.reports.evidence.solo_evidence import SIDES, SoloSums
from ethnos_sim.reports.evidence.sums import SOURCES
from ethnos_sim.simulator.modes import SOLO_CLANS, SOLO_EDITION
from ethnos_sim.simulator.records import SIXTIETHS
from ethnos_sim.simulator.rules.editions import edition_rules

COLORS = edition_rules(SOLO_EDITION).colors
"""What Bruno's columns are called."""


def measure_source(sums: SoloSums, strategy: str, side: str) -> Estimates:
    """Mean prestige of the player or of Bruno by source; the last name is the total."""
    return _means(sums, "source", side, SOLO_SOURCE, SOURCES, strategy)


def _margin(blocks: BlockSums) -> FloatArray:
    """The player's total less Bruno's, a game."""
    totals = blocks["source"].sum(axis=-1)
    return ratio(totals[..., 0] - totals[..., 1], blocks["games"])


def measure_solo(lines: Mapping[str, SoloSums], population: str) -> tuple[Estimates, ...]:
    """Win rate, margin and the player's prestige of the strategies of one difficulty.

    The win rate is jackknifed over blocks of deals here, so that two results that played the same
    deals can be paired.
    """
    sums = {
        name: np.stack([line.arrays[name] for line in lines.values()], axis=1)
        for name in ("won", "games", "source")
    }
    return tuple(
        estimand.measure(
            statistic,
            sums,
            sums["games"].sum(axis=1),
            names=tuple(lines),
            population=population,
            games=sums["games"].sum(axis=0),
        )
        for estimand, statistic in (
            (SOLO_WIN_RATE, _win_rate),
            (SOLO_MARGIN, _margin),
            (SOLO_PRESTIGE, _prestige),
        )
    )


def _win_rate(blocks: BlockSums) -> FloatArray:
    """The player's part of the wins."""
    return ratio(blocks["won"], SIXTIETHS * blocks["games"])


def _prestige(blocks: BlockSums) -> FloatArray:
    """The player's prestige, a game."""
    return ratio(blocks["source"].sum(axis=-1)[..., 0], blocks["games"])


def measure_columns(sums: SoloSums, strategy: str) -> Estimates:
    """How often a game sees each of Bruno's columns played; the last name is all of them."""
    return _means(sums, "columns", "bruno", SOLO_COLUMNS, COLORS, strategy)


def measure_leaders(sums: SoloSums, strategy: str, side: str) -> Estimates:
    """The share of the player's or of Bruno's parties that each clan leads."""
    place = SIDES.index(side)

    def statistic(blocks: BlockSums) -> FloatArray:
        return ratio(blocks["led"][..., place, :], blocks["parties"][..., place, None])

    return _measured(sums, statistic, SOLO_LEADERS, SOLO_CLANS, strategy, side)


def _means(
    sums: SoloSums,
    array: str,
    side: str,
    estimand: Estimand,
    names: tuple[str, ...],
    strategy: str,
) -> Estimates:
    """An array of one side a game, with the sum of its numbers as the last one."""
    place = SIDES.index(side)

    def statistic(blocks: BlockSums) -> FloatArray:
        means = ratio(blocks[array][..., place, :], blocks["games"][..., None])
        return np.concatenate([means, means.sum(axis=-1, keepdims=True)], axis=-1)

    return _measured(sums, statistic, estimand, (*names, TOTAL), strategy, side)


def _measured(
    sums: SoloSums,
    statistic: Callable[[BlockSums], FloatArray],
    estimand: Estimand,
    names: tuple[str, ...],
    strategy: str,
    aspect: str = "",
) -> Estimates:
    """A statistic of a line jackknifed over blocks of deals."""
    return estimand.measure(
        statistic,
        sums.arrays,
        sums.sizes,
        names=names,
        population=strategy,
        games=sums.games,
        aspect=aspect,
    )


def _one_of(name: str) -> Finder:
    """What finds one of the numbers of `measure_solo`."""

    def found(evidence: Evidence, situation: Situation) -> Iterator[Estimates]:
        lines = evidence.solo.of_mode(situation.setting.mode)
        if situation.population == SOLO_POPULATION:
            measures = measure_solo(lines, SOLO_POPULATION)
            yield from (each for each in measures if each.only("estimand") == name)

    return found


def _gains(evidence: Evidence, situation: Situation) -> Iterator[Estimates]:
    """What each strategy wins more than every later one on the same deals: `name` less `aspect`."""
    for rates in _one_of(SOLO_WIN_RATE.name)(evidence, situation):
        found = rates.pairwise().in_unit(SOLO_GAIN.unit)
        names, others = found["first"], found["second"]
        yield found.labelled(estimand=SOLO_GAIN.name, name=names, aspect=others)


def _by_strategy(measured: Callable[[SoloSums, str], Iterable[Estimates]]) -> Finder:
    """What finds numbers of each strategy against Bruno, which is a population of its own."""

    def found(evidence: Evidence, situation: Situation) -> Iterator[Estimates]:
        if situation.population == SOLO_POPULATION:
            for strategy, sums in evidence.solo.of_mode(situation.setting.mode).items():
                yield from measured(sums, strategy)

    return found


SOLO_WIN_RATE = Estimand(
    name="solo_win_rate",
    title="Win rate against Bruno",
    meaning="Share of the solo games that the player wins; a shared win counts half.",
    formula="sum of w / games",
    unit="share",
    label="{name}: win rate against Bruno",
    margin=0.01,
    family="solo",
    found=_one_of("solo_win_rate"),
)

SOLO_GAIN = Estimand(
    name="solo_gain",
    title="Gain on the same deals",
    meaning="Win rate of one strategy less another's, both on the same deals at one difficulty.",
    formula="sum over deals of (w − w of the other) / deals",
    unit="share_difference",
    found=_gains,
)

SOLO_MARGIN = Estimand(
    name="solo_margin",
    title="Margin over Bruno",
    meaning="The player's prestige at the end of a solo game less Bruno's, on average.",
    formula="sum of (prestige − Bruno's prestige) / games",
    unit="prestige_difference",
    label="{name}: margin over Bruno",
    margin=1.0,
    family="solo",
    found=_one_of("solo_margin"),
)

SOLO_PRESTIGE = Estimand(
    name="solo_prestige",
    title="Prestige, solo",
    meaning="Mean prestige of the player at the end of a solo game.",
    formula="sum of prestige / games",
    unit="prestige",
    label="{name}: prestige against Bruno",
    margin=0.5,
    family="solo",
    found=_one_of("solo_prestige"),
)

SOLO_SOURCE = Estimand(
    name="solo_source",
    title="Prestige by source, solo",
    meaning=(
        "Mean prestige of the player and of Bruno at the end of a solo game from each source."
    ),
    formula="sum of prestige / games",
    unit="prestige",
    found=_by_strategy(
        lambda sums, strategy: [measure_source(sums, strategy, side) for side in SIDES]
    ),
)

SOLO_COLUMNS = Estimand(
    name="solo_columns",
    title="Columns played",
    meaning="How often a game sees Bruno play his column of each color.",
    formula="parties from the column / games",
    unit="count",
    found=_by_strategy(lambda sums, strategy: [measure_columns(sums, strategy)]),
)

SOLO_LEADERS = Estimand(
    name="solo_leaders",
    title="Leaders, solo",
    meaning=(
        "Share of a side's parties that each clan leads; Bruno's leaders are the player's choice "
        "among the clans whose setup card lies face up."
    ),
    formula="parties led by the clan / parties of the side",
    unit="share",
    found=_by_strategy(
        lambda sums, strategy: [measure_leaders(sums, strategy, side) for side in SIDES]
    ),
)
