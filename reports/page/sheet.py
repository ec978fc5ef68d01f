"""The table of numbers as a page reads it: by kind of table and estimand, one interval a number.

What is printed as ± is what decides a word: clans are judged together, so their intervals hold
together, and so do those of the seats of a table. Every other number stands by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate, pairwise, starmap

import numpy as np
import polars as pl

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import NUMBERS, Estimates
from ethnos_sim.reports.estimators.interventions import NULL_CLAN_NAME, RELATIVE_POWER
from ethnos_sim.reports.estimators.leading import WIN_LIFT
from ethnos_sim.reports.estimators.win_shares import SEAT_EDGE
from ethnos_sim.reports.evidence.evidence import Setting, Situation
from ethnos_sim.reports.numbers import LABELS

TOGETHER = (RELATIVE_POWER.name, WIN_LIFT.name, SEAT_EDGE.name)
"""Estimands whose intervals hold for all names of a kind of table at once (Bonferroni)."""

PART = ("estimand", "aspect", *Situation._fields)
Part = tuple[Situation, str, str]
"""A kind of table, an estimand and an aspect: what a view asks for."""


class Sheet:
    """The numbers of a page.

    Attributes:
        table: all of them, part by part.
        comparisons: how many intervals hold together with that of each.
    """

    def __init__(self, found: Estimates) -> None:
        """Put parts together, and note where each stands."""
        # It is no clan of the game, and stands apart from them.
        null_clan = found["name"] == NULL_CLAN_NAME
        aspect = np.where(null_clan, NULL_CLAN_NAME, found["aspect"])
        found = replace(found, labels={**found.labels, "aspect": aspect})
        parts: dict[Part, list[int]] = {}
        for place, (estimand, aspect, *about) in enumerate(found.keys(PART)):
            parts.setdefault((Situation(*about), estimand, aspect), []).append(place)
        self.table = found.at([place for places in parts.values() for place in places])
        ends = accumulate(map(len, parts.values()), initial=0)
        self._parts = dict(zip(parts, starmap(slice, pairwise(ends)), strict=True))
        self.comparisons = np.ones(len(found), np.int64)
        for (_, estimand, _), places in self._parts.items():
            if estimand in TOGETHER:
                self.comparisons[places] = max(1, self.table.trusted[places].sum())

    @cached_property
    def situations(self) -> tuple[Situation, ...]:
        """The kinds of tables, in the order of the numbers."""
        return tuple(dict.fromkeys(situation for situation, _, _ in self._parts))

    def by_everybody(self, situation: Situation) -> Sequence[Situation]:
        """The same table by every population that played it, in the order of the numbers."""
        return self._by_everybody.get((situation.setting, situation.players), ())

    @cached_property
    def _by_everybody(self) -> Mapping[tuple[Setting, int], Sequence[Situation]]:
        """The kinds of tables by what they have in common whoever plays."""
        found: dict[tuple[Setting, int], list[Situation]] = {}
        for each in self.situations:
            found.setdefault((each.setting, each.players), []).append(each)
        return found

    def aspects(self, situation: Situation, estimand: str) -> list[str]:
        """The aspects of an estimand at a kind of table, in the order of the numbers."""
        return [of for *about, of in self._parts if about == [situation, estimand]]

    def part(self, situation: Situation, estimand: str) -> Estimates:
        """The numbers of an estimand at a kind of table; empty where there are none."""
        return self.table.at(self._parts.get((situation, estimand, ""), slice(0)))

    def numbers(
        self, situation: Situation, estimand: str, aspect: str = ""
    ) -> tuple[Estimate, ...]:
        """The same one by one, with the intervals that the page shows."""
        return self._every[self._parts.get((situation, estimand, aspect), slice(0))]

    @cached_property
    def _every(self) -> tuple[Estimate, ...]:
        return self._stored.estimates(self.comparisons)

    def has(self, situation: Situation, estimand: str) -> bool:
        """Whether an estimand has numbers with an interval at a kind of table."""
        return any(each.low is not None for each in self.numbers(situation, estimand))

    def number(self, situation: Situation, estimand: str, name: str) -> Estimate | None:
        """One number; None where it is not there, or has no interval."""
        found = self.numbers(situation, estimand)
        return next((each for each in found if each.name == name and each.low is not None), None)

    @property
    def frame(self) -> pl.DataFrame:
        """All numbers as the table that is stored."""
        frame = self._stored.frame(self.comparisons)
        about = [column for column in LABELS if column != "estimand"]
        return frame.select(*about, "estimand", *NUMBERS, "comparisons")

    @property
    def _stored(self) -> Estimates:
        return self.table.labelled(comparisons=self.comparisons)


def strongest_first(found: Iterable[Estimate]) -> list[Estimate]:
    """Numbers from the largest on."""
    return sorted(found, key=lambda each: -(each.value or 0.0))
