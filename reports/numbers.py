"""All numbers of some games in one table, with one number in each row.

The interval of a number is the same wherever it is shown, and decides its verdict. The intervals of
all clans in a situation are simultaneous, because clans are judged together.

The labels of a row are `estimand`; the situation, which is edition, mode, rules ("" for the
reference rule set), players and population; `aspect` (the outcome or age, if an estimand has
several numbers of one name; else ""); and `name` (a clan, a seat, a strategy). Pages, comparisons
and the gate show parts of this table, and `estimate` filters it for notebooks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import polars as pl

from ethnos_sim.experiments.evidence.evidence import SOLO_POPULATION, Evidence, Situation
from ethnos_sim.experiments.evidence.gathering import gather_evidence
from ethnos_sim.experiments.matches.batch import Batch
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray, label_column
from ethnos_sim.experiments.statistics.jackknife import from_intervals, join_tables
from ethnos_sim.experiments.storage.results import Results, open_results
from ethnos_sim.reports.estimators.catalog import ESTIMANDS, HEADLINE_ESTIMANDS
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.reports.estimators.leading import WIN_LIFT
from ethnos_sim.reports.estimators.win_shares import STRATEGY_SHARE
from ethnos_sim.reports.estimators.worth import WORTH, WORTH_BY_AGE
from ethnos_sim.reports.rating.shares import strategy_shares
from ethnos_sim.reports.rendering.numbers import word_list
from ethnos_sim.simulator.rules import clan_key
from ethnos_sim.simulator.tables.modes import SOLO, SOLO_EDITION
from ethnos_sim.simulator.utilities.errors import WrongInput, name_hint

LABELS = ("estimand", *Situation._fields, "aspect", "name")
"""The columns that identify a row."""


def numbers(evidence: Evidence, *estimands: str) -> Estimates:
    """The numbers of all situations, including solo.

    Args:
        evidence: the sums of the games.
        estimands: names of estimands; all unless given.

    Returns:
        A row for each number that has a value, labelled by LABELS, in the order of the plans.
    """
    wanted = [ESTIMANDS[name] for name in estimands or ESTIMANDS]
    return _join_rows(
        part
        for situation in situations_of(evidence)
        for part in _labelled_rows(evidence, situation, wanted)
    )


SIMULTANEOUS_ESTIMANDS = (WORTH.name, WORTH_BY_AGE.name, WIN_LIFT.name)
"""Estimands whose intervals hold for all clans of a `Part` at once (Bonferroni)."""

Part = tuple[Situation, str, str]
"""A part of the table: the rows of a situation, an estimand and an aspect."""


def parts_of(table: Estimates) -> dict[Part, list[int]]:
    """The indices of the rows of each part; parts are in the order of the rows."""
    parts: dict[Part, list[int]] = {}
    for place, (estimand, aspect, *about) in enumerate(
        table.row_labels(("estimand", "aspect", *Situation._fields))
    ):
        parts.setdefault((Situation(*about), estimand, aspect), []).append(place)
    return parts


def comparisons_of(table: Estimates) -> FloatArray:
    """For each row, the number of intervals that hold at once with 95 %, this row's included."""
    comparisons = np.ones(len(table))
    for (_, estimand, _), places in parts_of(table).items():
        if estimand in SIMULTANEOUS_ESTIMANDS:
            comparisons[places] = max(1, table.has_interval[places].sum())
    return comparisons


COLUMNS = (
    *("name", "value", "low", "high", "standard_error", "games", "blocks", "unit", "comparisons"),
    *("estimand", "aspect", "rules", "population", "edition", "mode", "players"),
)
"""The columns of a stored table and of `estimate`. A screen cuts a wide table in the middle, so the
most important columns come first and last."""


def frame_of(table: Estimates, comparisons: FloatArray | None = None) -> pl.DataFrame:
    """A table as a frame with COLUMNS; `comparisons` come from `comparisons_of` unless given."""
    shared = comparisons_of(table) if comparisons is None else comparisons
    return table.with_labels(comparisons=shared).frame(shared).select(COLUMNS)


def headline_numbers(evidence: Evidence) -> Estimates:
    """The numbers of HEADLINE_ESTIMANDS, which are compared and guarded."""
    return numbers(evidence, *(estimand.name for estimand in HEADLINE_ESTIMANDS))


def situations_of(evidence: Evidence) -> tuple[Situation, ...]:
    """All situations in the order of the plans, then one for each solo mode with games."""
    modes = (mode for mode in SOLO if evidence.solo_sums_of(mode))
    solo = (Situation(SOLO_EDITION, mode, "", 1, SOLO_POPULATION) for mode in modes)
    return (*evidence.all_situations, *solo)


def _labelled_rows(
    evidence: Evidence, situation: Situation, estimands: Iterable[Estimand]
) -> Iterable[Estimates]:
    """The tables of a situation's numbers, with LABELS as their columns."""
    for estimand in estimands:
        for part in estimand.estimates_in(evidence, situation):
            about = {**situation._asdict(), "aspect": "", **part.labels}
            labels = {column: label_column(about[column], len(part)) for column in LABELS}
            yield replace(part, labels=labels)


def _join_rows(parts: Iterable[Estimates]) -> Estimates:
    """One table of all rows that have a value; it may be empty."""
    none = from_intervals([], [], [], unit="", games=0, **dict.fromkeys(LABELS, ()))
    table = join_tables([none, *parts])
    return table.rows_at(np.isfinite(table.value))


GAME_KEYS = ("edition", "players", "mode", "clans", "strategies")
"""The labels of `estimate` that select games; all other labels select rows."""

LabelChoice = str | int | Sequence[str | int]
"""The values of a label that `estimate` selects: one value, or any of several."""

_evidence_cache: WeakKeyDictionary[Results, dict[str, Evidence]] = WeakKeyDictionary()


def estimate(
    source: Results | Batch | str | PathLike[str], estimand: str, **labels: LabelChoice
) -> pl.DataFrame:
    """Estimates of an estimand, with intervals, from all games or from selected ones.

    Args:
        source: a sweep's results, or its folder; for a batch, only `strategy_share` is estimated.
        estimand: its name, as in "worth", "win_lift" or "seat_edge" (docs/statistics.md
            lists all of them).
        labels: `edition`, `players`, `mode`, `clans` (all must be in play) and `strategies` (all
            must sit at the table) select games. Any column of the frame selects rows, as in
            name="bear" or population="mixed". Of several values, any may match.

    Returns:
        A row for each number, as in the file `report.csv` of a page: its `name` (a clan, a seat, a
        strategy), its `value` with the 95 % interval from `low` to `high` (null if there are too
        few games for an interval), `standard_error`, `games`, `blocks`, and `unit`: shares and
        their differences are fractions of 1. `comparisons` says how many intervals hold at once
        with 95 %. The other labels follow: `estimand`, `aspect`, `rules`, `population`, `edition`,
        `mode`, `players`. All estimands have the same columns.

    Raises:
        WrongInput: there is no such estimand or column, no such game, or the games have no number.

    Example:
        >>> from ethnos_sim import estimate, sweep
        >>> results = sweep("seats", "seats-results", games=2000, quiet=True)
        >>> edges = estimate(results, "seat_edge", edition="second", players=4)
        >>> edges.select("name", "value", "low", "high").shape
        (8, 4)
    """
    if estimand not in ESTIMANDS:
        raise WrongInput(f"there is no estimand '{estimand}'{_suggestion(estimand)}")
    if isinstance(source, Batch):
        estimates = _batch_shares(source, estimand)
    else:
        results = source if isinstance(source, Results) else open_results(source)
        games = {name: _as_list(labels.pop(name)) for name in GAME_KEYS if name in labels}
        evidence = _cached_evidence(results, games)
        estimates = numbers(evidence, estimand)
    if not len(estimates):
        raise WrongInput(f"these games say nothing of '{estimand}'")
    estimates = estimates.with_labels(comparisons=comparisons_of(estimates))
    for column, wanted in labels.items():
        if column not in estimates.labels:
            raise WrongInput(f"'{estimand}' has no '{column}'{name_hint(column, estimates.labels)}")
        known = list(dict.fromkeys(estimates[column]))
        estimates = estimates.rows_where(**{column: _as_list(wanted)})
        if not len(estimates):
            raise WrongInput(
                f"these games say nothing of '{estimand}' where {column} is {wanted!r}; "
                f"here it is {word_list(map(str, known))}"
            )
    return frame_of(estimates, estimates["comparisons"].astype(np.float64))


def _suggestion(estimand: str) -> str:
    """What to add to the message about an unknown estimand: the name that may be meant."""
    if estimand in ("win_rate", "win_share", "wins"):
        return f"; did you mean '{STRATEGY_SHARE.name}', a strategy's share of the wins?"
    solo = "solo" in estimand
    return name_hint(estimand, [name for name in ESTIMANDS if ("solo" in name) == solo])


def _as_list(wanted: LabelChoice) -> list[str | int]:
    """The values as a list, also a single value."""
    return [wanted] if isinstance(wanted, str | int) else list(wanted)


def _cached_evidence(results: Results, labels: Mapping[str, Collection[str | int]]) -> Evidence:
    """The evidence of the games with these labels, which is cached as long as the results exist."""
    evidence_by_slice = _evidence_cache.setdefault(results, {})
    key = repr(sorted(labels.items()))
    if key not in evidence_by_slice:
        sliced = results if not labels else _select_games(results, labels)
        evidence_by_slice[key] = gather_evidence(sliced)
    return evidence_by_slice[key]


def _select_games(results: Results, labels: Mapping[str, Collection[Any]]) -> Results:
    """The results of the cells whose games have these labels."""
    clans = set(map(clan_key, labels.get("clans", ())))
    strategies = set(labels.get("strategies", ()))
    parts = [name for name in ("edition", "players", "mode") if name in labels]
    for name in parts:
        played = list(dict.fromkeys(getattr(part, name) for part in results.plan.cells_of))
        for wanted in labels[name]:
            if wanted not in played:
                if str(wanted) in map(str, played):
                    raise WrongInput(f"{name} is a number: {wanted}, not {wanted!r}")
                hint = name_hint(str(wanted), map(str, played))
                raise WrongInput(f"these games have no {name} {wanted!r}{hint}")
    return results.only_cells(
        [
            cell
            for cell in results.plan.cells
            if all(getattr(cell.partition, name) in labels[name] for name in parts)
            and clans <= set(cell.clans)
            and strategies <= {name.partition(":")[0] for name in cell.line_up} | {*cell.line_up}
        ]
    )


def _batch_shares(batch: Batch, estimand: str) -> Estimates:
    """The win shares of a batch's strategies, which `ethnos-sim match` prints too."""
    if estimand != STRATEGY_SHARE.name:
        raise WrongInput(
            f"a batch gives only '{STRATEGY_SHARE.name}', not '{estimand}'; play a sweep for that"
        )
    shares = strategy_shares(batch.deal_sums)
    table = batch.match.tables[0]
    return from_intervals(
        [share.win_share for share in shares],
        [share.low for share in shares],
        [share.high for share in shares],
        games=len(batch),
        unit=STRATEGY_SHARE.unit,
        estimand=estimand,
        edition=table.rules.edition,
        mode=table.mode,
        rules="",
        players=table.players,
        population=", ".join(batch.match.line_up.names),
        aspect="",
        name=[share.name for share in shares],
    )
