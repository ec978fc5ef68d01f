"""Every number of what was played, as one table: a row a number, each found once.

What is printed as ± is what decides a word: clans are judged together, so their intervals hold
together, and so do those of the seats of a table. Every other number stands by itself.

Labels of a row: `estimand`, then edition, mode, rules ("" for the reference rule set), players and
population of the games, `design` (which seats were told of a clan, where any was; else ""),
`aspect` (the outcome, side or age, where an estimand has several numbers
about one name; else "") and `name` (a clan, a seat, a strategy, a pair of clans). Pages,
comparisons and the gate are views of it; `estimate` filters it for notebooks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import polars as pl

from ethnos_sim.experiments.evidence.evidence import SOLO_POPULATION, Evidence, Situation
from ethnos_sim.experiments.evidence.gathering import gather_results
from ethnos_sim.experiments.matches.batch import Batch
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray, label_column
from ethnos_sim.experiments.statistics.jackknife import of_blocks, together, with_bounds
from ethnos_sim.experiments.storage.results import Results, open_results
from ethnos_sim.reports.estimators.catalog import ESTIMANDS, HEADLINE
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.reports.estimators.interventions import RELATIVE_POWER
from ethnos_sim.reports.estimators.leading import WIN_LIFT
from ethnos_sim.reports.estimators.win_shares import SEAT_EDGE, STRATEGY_SHARE
from ethnos_sim.reports.rating.shares import strategy_shares
from ethnos_sim.reports.rendering.numbers import listed
from ethnos_sim.simulator.rules import clan_key
from ethnos_sim.simulator.tables.modes import SOLO, SOLO_EDITION
from ethnos_sim.simulator.utilities.errors import WrongInput, nearest

LABELS = ("estimand", *Situation._fields, "design", "aspect", "name")
"""The columns that say what a row is about."""


def numbers(evidence: Evidence, *estimands: str) -> Estimates:
    """The numbers of every situation that was played, solo too.

    Args:
        evidence: the sums of what was played.
        estimands: which alone are wanted; all unless given.

    Returns:
        A row a number that has a value, with LABELS; situations in the order of the plans.
    """
    wanted = [ESTIMANDS[name] for name in estimands or ESTIMANDS]
    return _put_together(
        part
        for situation in situations_of(evidence)
        for part in _found(evidence, situation, wanted)
    )


TOGETHER = (RELATIVE_POWER.name, WIN_LIFT.name, SEAT_EDGE.name)
"""Estimands whose intervals hold for all names of a kind of table at once (Bonferroni)."""

Part = tuple[Situation, str, str]
"""A kind of table, an estimand and an aspect."""


def parts_of(table: Estimates) -> dict[Part, list[int]]:
    """The places of the rows of each part, parts in the order of the rows."""
    parts: dict[Part, list[int]] = {}
    for place, (estimand, aspect, *about) in enumerate(
        table.keys(("estimand", "aspect", *Situation._fields))
    ):
        parts.setdefault((Situation(*about), estimand, aspect), []).append(place)
    return parts


ErrorShare = Callable[[Situation], float]
"""Which part of the error the numbers of a kind of table may spend."""


def whole_error(_: Situation) -> float:
    """All of the error belongs to games whose number was fixed beforehand."""
    return 1.0


def comparisons_of(table: Estimates, error_share: ErrorShare = whole_error) -> FloatArray:
    """Over how many intervals the 5 % of each row are shared: those that hold together with it.

    Where a sweep looks several times, those of the other looks count as well (`error_share`).
    """
    comparisons = np.ones(len(table))
    for (situation, estimand, _), places in parts_of(table).items():
        held = max(1, table.trusted[places].sum()) if estimand in TOGETHER else 1
        comparisons[places] = held / error_share(situation)
    return comparisons


COLUMNS = (
    *("name", "value", "low", "high", "standard_error", "games", "blocks", "unit", "comparisons"),
    *("estimand", "design", "aspect", "rules", "population", "edition", "mode", "players"),
)
"""The columns of a table of numbers as it is stored and as `estimate` gives it: those in front and
at the end are what is left of a wide table on a screen."""


def frame_of(table: Estimates, comparisons: FloatArray | None = None) -> pl.DataFrame:
    """Rows with COLUMNS, their intervals by `comparisons_of` the table unless given."""
    held = comparisons_of(table) if comparisons is None else comparisons
    return table.labelled(comparisons=held).frame(held).select(COLUMNS)


def headline_numbers(evidence: Evidence, situation: Situation) -> Estimates:
    """The numbers of a situation that are compared, guarded and summed up first."""
    return _put_together(_found(evidence, situation, HEADLINE))


def situations_of(evidence: Evidence) -> tuple[Situation, ...]:
    """Every situation that was played, solo too, in the order of the plans."""
    modes = (mode for mode in SOLO if evidence.solo_of(mode))
    solo = (Situation(SOLO_EDITION, mode, "", 1, SOLO_POPULATION) for mode in modes)
    return (*evidence.all_situations, *solo)


def _found(
    evidence: Evidence, situation: Situation, estimands: Iterable[Estimand]
) -> Iterable[Estimates]:
    """The rows of a situation with all LABELS, in their order."""
    for estimand in estimands:
        for part in estimand.found(evidence, situation):
            about = {**situation._asdict(), "design": "", "aspect": "", **part.labels}
            own = {column: label_column(about[column], len(part)) for column in LABELS}
            yield replace(part, labels=own)


def _put_together(parts: Iterable[Estimates]) -> Estimates:
    """The rows that have a value as one table, which may be empty."""
    nothing = np.zeros((BLOCKS, 0))
    none = of_blocks(np.zeros(0), nothing, nothing, unit="", games=0, **dict.fromkeys(LABELS, ()))
    table = together([none, *parts])
    return table.at(np.isfinite(table.value))


OF_CELLS = ("edition", "players", "mode", "clans", "strategies")
"""What a slice may ask of the games themselves; anything else is asked of a row's labels."""

Slice = str | int | Sequence[str | int]
"""What is wanted of a label: a value, or any of several."""

_gathered: WeakKeyDictionary[Results, dict[str, Evidence]] = WeakKeyDictionary()


def estimate(
    source: Results | Batch | str | PathLike[str], estimand: str, **asked: Slice
) -> pl.DataFrame:
    """Estimates of one estimand of the report, with intervals, for a slice of the games.

    Args:
        source: a sweep's results, or its folder; of a batch, `strategy_share` alone is estimated.
        estimand: its name, as in "restricted_play", "win_lift" or "seat_edge" (docs/statistics.md
            has them all).
        asked: which games: `edition`, `players` and `mode`; `clans`, all of which have to be in
            play; `strategies`, all of which have to sit at the table. Then which rows, by any
            column of the frame, as in name="bear" or population="mixed". Several values stand for
            any of them.

    Returns:
        A row a number, as the page's `numbers.csv` has it: the `name` of what it is about (a clan,
        a seat, a strategy), `value` with its 95 % interval from `low` to `high` (null where too few
        games were played for one), `standard_error`, `games`, `blocks`, and `unit`: shares and
        their differences are fractions of 1. Of `comparisons` > 1, so many intervals cover
        together. Then what else the row is about: `estimand`, `design` (which seats were told of
        a clan), `aspect`, `rules`, `population`, `edition`, `mode`, `players`. The columns are the
        same for every estimand.

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
    error_share: ErrorShare = whole_error
    if isinstance(source, Batch):
        found = _of_batch(source, estimand)
    else:
        results = source if isinstance(source, Results) else open_results(source)
        games = {name: _several(asked.pop(name)) for name in OF_CELLS if name in asked}
        evidence = _gather(results, games)
        found, error_share = numbers(evidence, estimand), evidence.error_share
    if not len(found):
        raise WrongInput(f"these games say nothing of '{estimand}'")
    found = found.labelled(comparisons=comparisons_of(found, error_share))
    for column, wanted in asked.items():
        if column not in found.labels:
            raise WrongInput(f"'{estimand}' has no '{column}'{nearest(column, found.labels)}")
        held = list(dict.fromkeys(found[column]))
        found = found.where(**{column: _several(wanted)})
        if not len(found):
            raise WrongInput(
                f"these games say nothing of '{estimand}' where {column} is {wanted!r}; "
                f"here it is {listed(map(str, held))}"
            )
    return frame_of(found, found["comparisons"].astype(np.float64))


def _several(wanted: Slice) -> list[str | int]:
    return [wanted] if isinstance(wanted, str | int) else list(wanted)


def _gather(results: Results, games: Mapping[str, Collection[str | int]]) -> Evidence:
    """The sums of some games, gathered once for as long as the results live."""
    made = _gathered.setdefault(results, {})
    key = repr(sorted(games.items()))
    if key not in made:
        sliced = results if not games else _sliced(results, games)
        made[key] = gather_results([sliced])
    return made[key]


def _sliced(results: Results, games: Mapping[str, Collection[Any]]) -> Results:
    """The results of the games that a slice asks for."""
    clans = set(map(clan_key, games.get("clans", ())))
    strategies = set(games.get("strategies", ()))
    parts = [name for name in ("edition", "players", "mode") if name in games]
    for name in parts:
        held = list(dict.fromkeys(getattr(part, name) for part in results.plan.cells_of))
        for wanted in games[name]:
            if wanted not in held:
                if str(wanted) in map(str, held):
                    raise WrongInput(f"{name} is a number: {wanted}, not {wanted!r}")
                hint = nearest(str(wanted), map(str, held))
                raise WrongInput(f"these games have no {name} {wanted!r}{hint}")
    return results.of_cells(
        [
            cell
            for cell in results.plan.cells
            if all(getattr(cell.partition, name) in games[name] for name in parts)
            and clans <= set(cell.clans)
            and strategies <= {name.partition(":")[0] for name in cell.line_up} | {*cell.line_up}
        ]
    )


def _of_batch(batch: Batch, estimand: str) -> Estimates:
    """The shares of a batch's strategies, as `ethnos-sim match` shows them."""
    if estimand != STRATEGY_SHARE.name:
        raise WrongInput(
            f"of a batch '{STRATEGY_SHARE.name}' is estimated, not '{estimand}'; "
            "play a sweep for that"
        )
    shares = strategy_shares(batch.by_deal)
    table = batch.match.tables[0]
    return with_bounds(
        [share.win_share for share in shares],
        [share.low for share in shares],
        [share.high for share in shares],
        games=len(batch),
        unit=STRATEGY_SHARE.unit,
        estimand=estimand,
        edition=table.rules.edition,
        mode=table.mode,
        rules="",
        design="",
        players=table.players,
        population=", ".join(batch.match.line_up.names),
        aspect="",
        name=[share.name for share in shares],
    )
