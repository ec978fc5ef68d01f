"""`estimate`: the numbers of the report by the name of what is estimated, for notebooks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from os import PathLike
from typing import Any
from weakref import WeakKeyDictionary

import polars as pl

from ethnos_sim.experiments.matches.batch import Batch
from ethnos_sim.experiments.storage.results import Results, open_results
from ethnos_sim.reports.estimators.catalog import ESTIMANDS
from ethnos_sim.reports.evidence.evidence import Evidence
from ethnos_sim.reports.evidence.gathering import gather_results
from ethnos_sim.reports.headline_numbers import measures_of, situations_of
from ethnos_sim.reports.page import make_report
from ethnos_sim.reports.rating.match import strategy_shares
from ethnos_sim.simulator.errors import WrongInput, nearest
from ethnos_sim.simulator.rules import clan_key

OF_CELLS = ("edition", "players", "mode", "clans", "strategies")
"""What a slice may ask of the games themselves; anything else is asked of a row's labels."""

DIGESTS = ("headline", "verdicts", "ladder", "rule_sets", "sensitivity", "half_widths")
"""Tables that repeat numbers of others."""

NUMBERS = ("value", "low", "high", "standard_error")
"""What an estimate says, in its unit."""

CONDITIONS = ("games", "blocks", "unit")
"""What it rests on, and its unit."""

Slice = str | int | Sequence[str | int]
"""What is wanted of a label: a value, or any of several."""

_gathered: WeakKeyDictionary[Results, dict[str, _SliceNumbers]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class _SliceNumbers:
    """The sums of a slice, and the tables of its report once they were asked for."""

    evidence: Evidence

    @cached_property
    def tables(self) -> Mapping[str, pl.DataFrame]:
        """The stored tables of the report of these games."""
        return make_report(self.evidence).tables

    def rows(self, estimand: str) -> pl.DataFrame:
        """The rows of an estimand: of every situation, or as the report's tables have them."""
        if estimand in self.headline["measure"]:
            return self.headline.filter(measure=estimand)
        found = {
            name: table.filter(pl.col("measure") == estimand).with_columns(table=pl.lit(name))
            for name, table in self.tables.items()
            if {"measure", "value"} <= set(table.columns)
            and not {"first", "second"} & set(table.columns)
        }
        held = {name: rows for name, rows in found.items() if not rows.is_empty()}
        chosen = {name: rows for name, rows in held.items() if name not in DIGESTS} or held
        if not chosen:
            return pl.DataFrame()
        together = pl.concat(chosen.values(), how="diagonal_relaxed")
        return together.select(
            column.name
            for column in together
            if column.name in NUMBERS or column.null_count() < len(column)
        )

    @cached_property
    def headline(self) -> pl.DataFrame:
        """The headline numbers of every situation that was played."""
        return pl.DataFrame(
            [
                asdict(situation.setting)
                | {"players": situation.players, "population": situation.population}
                | {"measure": each.definition, "name": each.name}
                | {name: getattr(each, name) for name in (*NUMBERS, *CONDITIONS)}
                for situation in situations_of(self.evidence)
                for measure in measures_of(self.evidence, situation)
                for each in measure.estimates()
                if each.value is not None
            ],
            infer_schema_length=None,
        )


def estimate(
    source: Results | Batch | str | PathLike[str], estimand: str, **asked: Slice
) -> pl.DataFrame:
    """Estimates of one estimand of the report, with intervals, for a slice of the games.

    Args:
        source: a sweep's results, or its folder; of a batch, `strategy_share` alone is estimated.
        estimand: its name in stored tables, as in "restricted_play", "win_lift" or "seat_edge"
            (docs/statistics.md has them all).
        asked: which games: `edition`, `players` and `mode`; `clans`, all of which have to be in
            play; `strategies`, all of which have to sit at the table. Then which rows, by any
            column of the frame, as in name="bear" or population="mixed". Several values stand for
            any of them.

    Returns:
        A row an estimate: what it is about (`name` is a clan, a seat, a strategy; tables of the
        report have columns of their own, and `table` says which table), then `value` with its 95 %
        interval from `low` to `high` (null where too few games were played for one),
        `standard_error`, `games`, `blocks`, and `unit`: shares and their differences are fractions
        of 1.

    Raises:
        WrongInput: there is no such estimand or column, no such game, or the games do not say.

    Example:
        >>> from ethnos_sim import estimate, sweep
        >>> results = sweep("seats", "seats-results", games=2000, quiet=True)
        >>> edges = estimate(results, "seat_edge", edition="second", players=4)
        >>> edges.select("name", "value", "low", "high").shape
        (8, 4)
    """
    if estimand not in ESTIMANDS:
        raise WrongInput(f"there is no estimand '{estimand}'{nearest(estimand, ESTIMANDS)}")
    if isinstance(source, Batch):
        found = _of_batch(source, estimand)
    else:
        results = source if isinstance(source, Results) else open_results(source)
        games = {name: _several(asked.pop(name)) for name in OF_CELLS if name in asked}
        found = _gather(results, games).rows(estimand)
    for column, wanted in asked.items():
        if found.is_empty():
            break
        if column not in found.columns:
            raise WrongInput(f"'{estimand}' has no '{column}'{nearest(column, found.columns)}")
        found = found.filter(pl.col(column).is_in(_several(wanted)))
    if found.is_empty():
        raise WrongInput(f"these games say nothing of '{estimand}'")
    return found


def _several(wanted: Slice) -> list[str | int]:
    """A value, or several, as several."""
    return [wanted] if isinstance(wanted, str | int) else list(wanted)


def _gather(results: Results, games: Mapping[str, Collection[str | int]]) -> _SliceNumbers:
    """The sums of some games, gathered once for as long as the results live."""
    made = _gathered.setdefault(results, {})
    key = repr(sorted(games.items()))
    if key not in made:
        sliced = results if not games else _sliced(results, games)
        made[key] = _SliceNumbers(gather_results([sliced]))
    return made[key]


def _sliced(results: Results, games: Mapping[str, Collection[Any]]) -> Results:
    """The results of the games that a slice asks for."""
    clans = set(map(clan_key, games.get("clans", ())))
    strategies = set(games.get("strategies", ()))
    parts = [name for name in ("edition", "players", "mode") if name in games]
    return results.of_cells(
        [
            cell
            for cell in results.plan.cells
            if all(getattr(cell.partition, name) in games[name] for name in parts)
            and clans <= set(cell.clans)
            and strategies <= {name.partition(":")[0] for name in cell.line_up} | {*cell.line_up}
        ]
    )


def _of_batch(batch: Batch, estimand: str) -> pl.DataFrame:
    """The shares of a batch's strategies, as `ethnos-sim match` shows them."""
    if estimand != "strategy_share":
        raise WrongInput(
            f"of a batch 'strategy_share' is estimated, not '{estimand}'; play a sweep for that"
        )
    return pl.DataFrame(
        [
            {
                "strategy": share.name,
                "seats": share.seats,
                "measure": estimand,
                "value": share.win_share,
                "low": share.low,
                "high": share.high,
                "mean_prestige": share.mean_prestige,
                "games": len(batch),
                "unit": "share",
            }
            for share in strategy_shares(batch.by_deal)
        ]
    )
