"""Every number of some evidence under its full name, as rows that can be stored and compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ethnos_sim.reports.comparison.headline import measures_of, situations_of
from ethnos_sim.reports.estimators.catalog import margin_of
from ethnos_sim.reports.evidence import Evidence, Situation
from ethnos_sim.reports.gate.decision import Numbers


class SituationName(NamedTuple):
    """The situation of a number, in words that can be stored."""

    edition: str
    mode: str
    rules: str
    players: int
    population: str

    @classmethod
    def of(cls, situation: Situation) -> SituationName:
        """The place of a situation."""
        setting = situation.setting
        return cls(
            setting.edition, setting.mode, setting.rules, situation.players, situation.population
        )

    def __str__(self) -> str:
        """As in "second standard, 4 players, mixed"."""
        rules = f" {self.rules}" if self.rules else ""
        count = f"{self.players} player{'s' * (self.players > 1)}"
        return f"{self.edition} {self.mode}{rules}, {count}, {self.population}"


class Key(NamedTuple):
    """The full name of a number."""

    place: SituationName
    definition: str
    name: str

    @property
    def margin(self) -> float:
        """The margin within which a difference of it counts as none, before any scale."""
        return margin_of(self.definition, self.name)


class Needed(NamedTuple):
    """Why a number is not guarded: its games in a run of the gate, and how many it would need.

    `games` is None for a number that never came up, of which nothing can be told.
    """

    run: int
    games: int | None

    @property
    def times(self) -> float:
        """How many times the games of a run it needs."""
        return np.inf if self.games is None else self.games / self.run


@dataclass(frozen=True, slots=True)
class Row:
    """A number with what it rests on: standard error, blocks of deals, games and events.

    `error` is not a number where the estimate cannot be trusted. Events are what is counted behind
    the number; they are not stored, and 0 in a row that was read.
    """

    value: float
    error: float
    blocks: int
    games: int
    unit: str
    events: int = 0


def rows_of(evidence: Evidence) -> dict[Key, Row]:
    """Every headline number of some evidence that has a value."""
    found = {}
    for situation in situations_of(evidence):
        place = SituationName.of(situation)
        for measure in measures_of(evidence, situation):
            error = np.where(measure.trusted, measure.jackknife.standard_error, np.nan)
            for index, name in enumerate(measure.names):
                value = float(measure.jackknife.value[index])
                if np.isfinite(value):
                    found[Key(place, measure.definition, name)] = Row(
                        value,
                        float(error[index]),
                        measure.jackknife.blocks,
                        int(measure.games[index]),
                        measure.unit,
                        int(measure.events[index]),
                    )
    return found


def renamed(
    rows: Mapping[Key, Row], *, modes: Mapping[str, str], strategies: Mapping[str, str]
) -> dict[Key, Row]:
    """The rows with modes and strategies called by other names: what stood in for them."""
    found = {}
    for key, row in rows.items():
        place = key.place._replace(
            mode=modes.get(key.place.mode, key.place.mode),
            population=strategies.get(key.place.population, key.place.population),
        )
        found[Key(place, key.definition, strategies.get(key.name, key.name))] = row
    return found


def numbers_of(rows: Mapping[Key, Row], keys: list[Key]) -> Numbers:
    """The rows of some keys as arrays; what is missing is not a number."""
    missing = Row(np.nan, np.nan, 2, 0, "")
    chosen = [rows.get(key, missing) for key in keys]
    return Numbers(
        np.asarray([row.value for row in chosen]),
        np.asarray([row.error for row in chosen]),
        np.asarray([max(row.blocks - 1, 1) for row in chosen], dtype=np.float64),
    )


def as_stored(row: Row) -> Row:
    """A row as it is written: the error with three figures, the value with as many decimals."""
    if not np.isfinite(row.error) or row.error == 0:
        return replace(row, value=float(f"{row.value:.9g}"), events=0)
    decimals = 2 - int(np.floor(np.log10(row.error)))
    error = float(f"{row.error:.3g}")
    return replace(row, value=round(row.value, decimals), error=error, events=0)
