"""How far apart clans are: the standard deviation of a clan measure over the clans, less the noise.

The estimates spread more widely than the clans do, because chance spreads them too. The variance
over the clans is a smooth function of the sums, with a bias of the order of 1 / games. The
jackknife removes this bias: the mean of its pseudo-values is the corrected variance (Quenouille
1956, "Notes on bias in estimation", Biometrika 43: 353-360). The interval by Student's t may reach
below 0; an end below 0 is set to 0 before the square root is taken. If the clans do not differ at
all, the interval is too wide rather than too narrow.

The range, from the weakest clan to the strongest, is measured in two thirds of the blocks. The
other third chooses which clans these are, so the luck that made them look weakest and strongest
does not enter the range. Equal clans have a range of 0 on average (data splitting: Cox 1975, "A
note on data-dependent hypothesis testing by sample splitting", Biometrika 62: 441-444).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain

import numpy as np

from ethnos_sim.experiments.evidence.evidence import Evidence, Situation
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.jackknife import together
from ethnos_sim.reports.estimators import margins
from ethnos_sim.reports.estimators.estimand import Estimand, Number
from ethnos_sim.reports.estimators.interventions import RESTRICTED_PLAY
from ethnos_sim.reports.estimators.leading import WIN_LIFT


def spread_of(clans: Estimates) -> Iterator[Estimates]:
    """The spread of a measure over its clans; nothing if fewer than two have an interval.

    The pseudo-values belong to the variance, not to its square root.
    """
    if clans.trusted.sum() < 2:
        return
    variance = clans.at(clans.trusted).reduced(lambda of: of.var(axis=-1, ddof=1, keepdims=True))
    ends = np.stack(variance.interval()) - variance.value + variance.center
    name = clans.only("estimand")
    yield (
        replace(
            variance,
            value=np.sqrt(np.maximum(variance.center, 0.0)),
            bounds=np.sqrt(np.maximum(ends, 0.0)),
        )
        .in_unit(CLAN_SPREAD.numbers[name].unit)
        .labelled(estimand=CLAN_SPREAD.name, name=name)
    )


CHOOSE = 3
"""One block in this many chooses which clans are the strongest and the weakest."""


def range_of(clans: Estimates) -> Iterator[Estimates]:
    """The range from weakest to strongest clan; nothing if fewer than two have an interval."""
    if clans.trusted.sum() < 2:
        return
    known = clans.at(clans.trusted)
    games = 1 / (known.leverage + 1)  # each block's share of the games
    chooses = np.arange(len(games)) % CHOOSE == 0
    means = np.nansum((games * known.pseudo)[chooses], axis=0) / np.nansum(games[chooses], axis=0)
    strongest, weakest = int(means.argmax()), int(means.argmin())
    measured = np.where(chooses[:, None], np.nan, games[:, :1])
    spread = replace(
        known.at([0]),
        pseudo=np.where(np.isnan(measured), np.nan, known.pseudo[:, [strongest]])
        - known.pseudo[:, [weakest]],
        leverage=np.nansum(measured) / measured - 1,
        games=known.all_games[:1],
        events=known.events.min(keepdims=True),
    )
    name = clans.only("estimand")
    yield (
        replace(spread, value=spread.center)
        .in_unit(CLAN_RANGE.numbers[name].unit)
        .labelled(estimand=CLAN_RANGE.name, name=name)
    )


def _over_clans(
    name: str,
    label: str,
    measure: Callable[[Estimates], Iterator[Estimates]],
    restricted: margins.Margin,
    lift: margins.Margin,
) -> Estimand:
    """An estimand: `measure` of the clans' restricted play (of one seat) and of their win lift."""
    measured = {RESTRICTED_PLAY: restricted, WIN_LIFT: lift}

    def source(evidence: Evidence, situation: Situation) -> list[Estimates] | None:
        tables = chain(*(estimand.found(evidence, situation) for estimand in measured))
        return [row for clans in tables for row in measure(clans)] or None

    return Estimand(
        name=name,
        numbers={
            estimand.name: Number(f"{label}: {estimand.short}", margin.size, margin.unit)
            for estimand, margin in measured.items()
        },
        measured=lambda estimand, rows, population: together(rows),
        source=source,
    )


CLAN_SPREAD = _over_clans(
    "clan_spread", "Spread of the clans", spread_of, margins.SPREAD, margins.SPREAD_LIFT
)
CLAN_RANGE = _over_clans(
    "clan_range", "Range of the clans", range_of, margins.RANGE, margins.RANGE_LIFT
)
"""The distance from the weakest clan to the strongest."""
