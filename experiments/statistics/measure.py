"""From a jackknifed statistic to estimates, with the same caution for every estimand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ethnos_sim.experiments.statistics.blocks import BLOCKS, MIN_BLOCKS, MIN_EVENTS
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import Estimates
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
        aspect: which of several numbers about each name it is, as in "winners".
    """

    definition: str
    unit: str
    names: tuple[str, ...]
    jackknife: Jackknife
    games: IntArray
    events: IntArray
    population: str
    aspect: str = ""

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

    def rows(self, **labels: str) -> Estimates:
        """The same as rows of a table."""
        values, rows = self.jackknife, len(self.names)
        empty = ((0, BLOCKS - values.blocks), (0, 0))
        leverage = np.repeat(values.leverage[:, None], rows, axis=1)
        return Estimates(
            labels={},
            value=values.value,
            pseudo=np.pad(values.pseudo, empty, constant_values=np.nan),
            leverage=np.pad(leverage, empty, constant_values=np.nan),
            games=np.asarray(self.games),
            events=np.asarray(self.events),
            unit=np.full(rows, self.unit, np.object_),
            bounds=np.full((2, rows), np.nan),
            added_error=np.zeros(rows),
            added_degrees=np.zeros(rows),
        ).labelled(estimand=self.definition, aspect=self.aspect, name=self.names, **labels)

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
    aspect: str = "",
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
        aspect=aspect,
    )
