"""From a jackknifed statistic to estimates, with the same caution for every estimand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ethnos_sim.experiments.statistics.blocks import MIN_BLOCKS, MIN_EVENTS
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.jackknife import (
    BlockSums,
    FloatArray,
    IntArray,
    Jackknife,
    jackknife,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Measure:
    """One estimand for a row of names, before it is cut into estimates.

    Attributes:
        definition: key of the estimand.
        unit: key of the unit.
        names: what each entry of the one-dimensional statistic is about.
        jackknife: the statistic, shape (names,).
        games: games behind each entry.
        events: what is counted behind each entry (parties led, games …).
        population: the strategies that played.
    """

    definition: str
    unit: str
    names: tuple[str, ...]
    jackknife: Jackknife
    games: IntArray
    events: IntArray
    population: str

    @property
    def trusted(self) -> np.ndarray:
        """Which entries have enough blocks and events for an interval."""
        enough = np.asarray(self.events) >= MIN_EVENTS
        with np.errstate(invalid="ignore"):
            known = np.isfinite(self.jackknife.value) & np.isfinite(self.jackknife.standard_error)
        return enough & known & (self.jackknife.blocks >= MIN_BLOCKS)

    def of_names(self, names: Sequence[str]) -> Measure:
        """The same of some names, in the order given."""
        places = [self.names.index(name) for name in names]
        return replace(
            self,
            names=tuple(names),
            jackknife=self.jackknife.of(places),
            games=self.games[places],
            events=self.events[places],
        )

    def estimates(self, comparisons: int = 1) -> tuple[Estimate, ...]:
        """One estimate a name; with `comparisons` > 1 that many intervals cover together."""
        low, high = self.jackknife.interval(comparisons)
        error, value = self.jackknife.standard_error, self.jackknife.value
        trusted = self.trusted
        return tuple(
            Estimate(
                name=name,
                definition=self.definition,
                value=float(value[i]) if np.isfinite(value[i]) else None,
                low=float(low[i]) if trusted[i] else None,
                high=float(high[i]) if trusted[i] else None,
                standard_error=float(error[i]) if trusted[i] else None,
                games=int(self.games[i]),
                blocks=self.jackknife.blocks,
                unit=self.unit,
                population=self.population,
            )
            for i, name in enumerate(self.names)
        )

    def p_values(self) -> FloatArray:
        """Two-sided p of "the true value is 0"; 1 where there is no interval."""
        return np.where(self.trusted, np.nan_to_num(self.jackknife.p_values(), nan=1.0), 1.0)


def measure(
    statistic: Callable[[BlockSums], FloatArray],
    sums: BlockSums,
    sizes: IntArray,
    *,
    definition: str,
    unit: str,
    names: Sequence[str],
    population: str,
    games: IntArray | int,
    events: IntArray | int | None = None,
) -> Measure:
    """Jackknife a statistic over blocks of deals and say what it is about (see `Measure`)."""
    shape = (len(names),)
    return Measure(
        definition=definition,
        unit=unit,
        names=tuple(names),
        jackknife=jackknife(statistic, sums, sizes),
        games=np.broadcast_to(np.asarray(games, dtype=np.int64), shape),
        events=np.broadcast_to(np.asarray(games if events is None else events), shape),
        population=population,
    )
