"""The table of numbers as a page reads it: by kind of table and estimand, one interval a number.

What is printed as ± is what decides a word: clans are judged together, so their intervals hold
together, and so do those of the seats of a table. Every other number stands by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
import polars as pl

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.estimators.null_clan import NAME as NULL_CLAN
from ethnos_sim.reports.estimators.relative_power import RELATIVE_POWER
from ethnos_sim.reports.estimators.seat_edge import SEAT_EDGE
from ethnos_sim.reports.estimators.win_lift import WIN_LIFT
from ethnos_sim.reports.evidence.evidence import Setting, Situation
from ethnos_sim.reports.rendering.table import Row

TOGETHER = (RELATIVE_POWER.name, WIN_LIFT.name, SEAT_EDGE.name)
"""Estimands whose intervals hold for all names of a kind of table at once (Bonferroni)."""

Part = tuple[Situation, str, str]
"""A kind of table, an estimand and an aspect: what a view asks for."""


class Sheet:
    """The numbers of a page.

    Attributes:
        numbers: the table that it reads.
    """

    def __init__(self, numbers: Estimates) -> None:
        """Note where each part of the table stands."""
        self.numbers = numbers
        self._rows: dict[Part, tuple[Row, ...]] = {}
        of = (numbers[name] for name in ("edition", "mode", "rules", "players", "population"))
        self._places: dict[Part, list[int]] = {}
        self._aspects: dict[tuple[Situation, str], list[str]] = {}
        keys = zip(*of, *(numbers[name] for name in ("estimand", "aspect", "name")), strict=True)
        for place, (edition, mode, rules, players, population, *about) in enumerate(keys):
            situation = Situation(Setting(edition, mode, rules), int(players), population)
            estimand, aspect, name = about
            if name == NULL_CLAN:
                aspect = NULL_CLAN  # It is no clan of the game, and stands apart from them.
            part = situation, estimand, aspect
            if part not in self._places:
                self._places[part] = []
                self._aspects.setdefault((situation, estimand), []).append(aspect)
            self._places[part].append(place)

    @cached_property
    def situations(self) -> tuple[Situation, ...]:
        """The kinds of tables, in the order of the numbers."""
        return tuple(dict.fromkeys(situation for situation, _, _ in self._places))

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

    def aspects(self, situation: Situation, estimand: str) -> Sequence[str]:
        """The aspects of an estimand at a kind of table, in the order of the numbers."""
        return self._aspects.get((situation, estimand), ())

    def part(self, situation: Situation, *estimands: str, aspect: str = "") -> Estimates:
        """The numbers of estimands at a kind of table; empty where there are none."""
        places = (self._places.get((situation, name, aspect), []) for name in estimands)
        return self.numbers.at([place for found in places for place in found])

    def has(self, situation: Situation, estimand: str) -> bool:
        """Whether an estimand has numbers with an interval at a kind of table."""
        found = (row.estimate for row in self.rows(situation, estimand))
        return any(each is not None and each.low is not None for each in found)

    def rows(self, situation: Situation, estimand: str, aspect: str = "") -> tuple[Row, ...]:
        """The same as rows of a document, one for each name."""
        key = situation, estimand, aspect
        if key not in self._rows:
            part = self.part(situation, estimand, aspect=aspect)
            self._rows[key] = tuple(_rows(part, situation, estimand, aspect))
        return self._rows[key]

    def row(self, situation: Situation, estimand: str, name: str, aspect: str = "") -> Row | None:
        """One number; None where it is not there."""
        found = self.rows(situation, estimand, aspect)
        return next((row for row in found if row["name"] == name), None)

    def number(self, situation: Situation, estimand: str, name: str) -> Estimate | None:
        """The same without its labels; None for one without an interval."""
        row = self.row(situation, estimand, name)
        return row.estimate if row and row.estimate and row.estimate.low is not None else None

    @property
    def every(self) -> Iterator[Row]:
        """All numbers."""
        for key in self._places:
            yield from self.rows(*key)

    @cached_property
    def frame(self) -> pl.DataFrame:
        """All numbers as the table that is stored."""
        rows = [row.stored for row in self.every]
        columns = {name: [row[name] for row in rows] for name in rows[0]} if rows else {}
        return pl.DataFrame(columns, infer_schema_length=None).rename({"measure": "estimand"})


def _rows(part: Estimates, situation: Situation, estimand: str, aspect: str) -> Iterator[Row]:
    """The numbers of one part."""
    comparisons = max(1, int(part.trusted.sum())) if estimand in TOGETHER else 1
    low, high = part.interval(comparisons)
    for place, name in enumerate(part["name"]):
        sure = bool(np.isfinite(low[place]) and np.isfinite(high[place]))
        error = float(part.standard_error[place])
        estimate = Estimate(
            name=str(name),
            definition=estimand,
            value=float(part.value[place]),
            low=float(low[place]) if sure else None,
            high=float(high[place]) if sure else None,
            standard_error=error if sure and np.isfinite(error) else None,
            games=int(part.games[place]),
            blocks=int(part.blocks[place]),
            unit=str(part.unit[place]),
            population=situation.population,
        )
        labels = {**situation.columns, "aspect": aspect, "name": str(name)}
        yield Row(labels, estimate, {"comparisons": comparisons})
