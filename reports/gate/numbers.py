"""Every number of some evidence under its full name, as rows that can be stored and compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ethnos_sim.reports.estimators.catalog import margin_of
from ethnos_sim.reports.evidence.evidence import Evidence, Situation
from ethnos_sim.reports.gate.decision import NumberArrays
from ethnos_sim.reports.numbers.table import headline_numbers, situations_of


class NumberKey(NamedTuple):
    """The full name of a number."""

    situation: Situation
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
class GateNumber:
    """A number with what it rests on: standard error, blocks of deals, games and events.

    `error` is not a number where the estimate cannot be trusted. Events are what is counted behind
    the number; they are not stored, and 0 in one that was read.
    """

    value: float
    error: float
    blocks: int
    games: int
    unit: str
    events: int = 0


def rows_of(evidence: Evidence) -> dict[NumberKey, GateNumber]:
    """Every headline number of some evidence that has a value."""
    found = {}
    for situation in situations_of(evidence):
        table = headline_numbers(evidence, situation)
        error = np.where(table.trusted, table.standard_error, np.nan)
        for place, (definition, name) in enumerate(table.keys(("estimand", "name"))):
            found[NumberKey(situation, definition, name)] = GateNumber(
                float(table.value[place]),
                float(error[place]),
                int(table.blocks[place]),
                int(table.games[place]),
                table.unit[place],
                int(table.events[place]),
            )
    return found


def renamed(
    rows: Mapping[NumberKey, GateNumber], *, modes: Mapping[str, str], strategies: Mapping[str, str]
) -> dict[NumberKey, GateNumber]:
    """The rows with modes and strategies called by other names: what stood in for them."""
    found = {}
    for key, row in rows.items():
        about = key.situation
        mode = modes.get(about.setting.mode, about.setting.mode)
        called = replace(
            about,
            setting=replace(about.setting, mode=mode),
            population=strategies.get(about.population, about.population),
        )
        found[NumberKey(called, key.definition, strategies.get(key.name, key.name))] = row
    return found


def numbers_of(rows: Mapping[NumberKey, GateNumber], keys: list[NumberKey]) -> NumberArrays:
    """The rows of some keys as arrays; what is missing is not a number."""
    missing = GateNumber(np.nan, np.nan, 2, 0, "")
    chosen = [rows.get(key, missing) for key in keys]
    return NumberArrays(
        np.asarray([row.value for row in chosen]),
        np.asarray([row.error for row in chosen]),
        np.asarray([max(row.blocks - 1, 1) for row in chosen], dtype=np.float64),
    )


def as_stored(row: GateNumber) -> GateNumber:
    """A number as it is written: the error with three figures, the value with as many decimals."""
    if not np.isfinite(row.error) or row.error == 0:
        return replace(row, value=float(f"{row.value:.9g}"), events=0)
    decimals = 2 - int(np.floor(np.log10(row.error)))
    error = float(f"{row.error:.3g}")
    return replace(row, value=round(row.value, decimals), error=error, events=0)
