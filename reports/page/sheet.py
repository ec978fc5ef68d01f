"""The table of numbers as a page reads it: by kind of table and estimand, one interval a number.

What is printed as ± is what decides a word: clans are judged together, so their intervals hold
together, and so do those of the seats of a table. Every other number stands by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
import polars as pl

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import NUMBERS, Estimates
from ethnos_sim.reports.estimators.interventions import NULL_CLAN_NAME, RELATIVE_POWER
from ethnos_sim.reports.estimators.leading import WIN_LIFT
from ethnos_sim.reports.estimators.win_shares import SEAT_EDGE
from ethnos_sim.reports.evidence.evidence import Setting, Situation
from ethnos_sim.reports.numbers import LABELS
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
            situation = Situation(edition, mode, rules, int(players), population)
            estimand, aspect, name = about
            if name == NULL_CLAN_NAME:
                aspect = NULL_CLAN_NAME  # It is no clan of the game, and stands apart from them.
            part = situation, estimand, aspect
            if part not in self._places:
                self._places[part] = []
                self._aspects.setdefault((situation, estimand), []).append(aspect)
            self._places[part].append(place)
        ends = accumulate(map(len, self._places.values()))
        self._ends = dict(zip(self._places, ends, strict=True))

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
        part = situation, estimand, aspect
        if part not in self._rows:
            end = self._ends.get(part, 0)
            own = self.frame[end - len(self._places.get(part, ())) : end]
            self._rows[part] = tuple(map(_row, own.iter_rows(named=True)))
        return self._rows[part]

    def row(self, situation: Situation, estimand: str, name: str, aspect: str = "") -> Row | None:
        """One number; None where it is not there."""
        found = self.rows(situation, estimand, aspect)
        return next((row for row in found if row["name"] == name), None)

    def number(self, situation: Situation, estimand: str, name: str) -> Estimate | None:
        """The same without its labels; None for one without an interval."""
        row = self.row(situation, estimand, name)
        return row.estimate if row and row.estimate and row.estimate.low is not None else None

    @cached_property
    def frame(self) -> pl.DataFrame:
        """All numbers as the table that is stored, part by part."""
        numbers = self.numbers.at([place for places in self._places.values() for place in places])
        trusted = iter(np.split(numbers.trusted, list(self._ends.values())))
        comparisons = np.concatenate(
            [
                np.full(len(own), max(1, own.sum()) if estimand in TOGETHER else 1)
                for (_, estimand, _), own in zip(self._places, trusted, strict=False)
            ]
        )
        aspects = [aspect for (_, _, aspect), places in self._places.items() for _ in places]
        frame = numbers.labelled(aspect=aspects).frame(comparisons)
        about = [column for column in LABELS if column != "estimand"]
        return frame.select(*about, "estimand", *NUMBERS).with_columns(
            comparisons=pl.Series(comparisons)
        )


def _row(stored: dict[str, Any]) -> Row:
    """A line of the stored table as a row of the document."""
    labels = {column: stored[column] for column in LABELS if column != "estimand"}
    estimate = Estimate(
        name=stored["name"],
        definition=stored["estimand"],
        population=stored["population"],
        **{column: stored[column] for column in NUMBERS},
    )
    return Row(labels, estimate, {"comparisons": stored["comparisons"]})
