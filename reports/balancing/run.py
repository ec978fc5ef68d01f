"""Run a search from its spec to its report, in a folder where it can be continued.

A budget is a number of games, or a time. Half of it goes to the search; the rest is divided evenly
among the populations that validate. A validation needs at least one block of deals for every rule
set, so there is a least budget.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from ethnos_sim.experiments.balancing.search import MOST_FINALISTS, Search
from ethnos_sim.experiments.balancing.space import variant_values
from ethnos_sim.experiments.balancing.spec import (
    LEAST_GAMES,
    parse_balance_spec,
    read_balance_spec,
)
from ethnos_sim.experiments.execution.engines import Engine, Threads
from ethnos_sim.experiments.execution.progress import in_words
from ethnos_sim.experiments.storage.files import write_all, write_whole
from ethnos_sim.experiments.toml_text import toml_text
from ethnos_sim.reports.balancing.document import BalanceReport, as_document
from ethnos_sim.reports.balancing.evaluations import Evaluations, Journal, clan_sets_of, open_folder
from ethnos_sim.reports.balancing.numbers import PreparedSearch, prepare
from ethnos_sim.reports.balancing.outcome import NONE, Outcome, outcome_of
from ethnos_sim.reports.balancing.validations import (
    Validation,
    Validator,
    can_be_tuned,
    validation_plan,
)
from ethnos_sim.reports.rendering.document import Document
from ethnos_sim.reports.rendering.html import as_html
from ethnos_sim.reports.rendering.storage import stored_tables, table_files
from ethnos_sim.simulator.utilities.errors import WrongInput
from ethnos_sim.simulator.utilities.processes import allowed_processes, at_most

VARIANT_FILE = "variant.toml"
PAGE_FILE = "balance.html"
TABLES_FOLDER = "tables"


def evaluations_of(prepared: PreparedSearch, engine: Engine) -> Evaluations:
    """The player of a search's evaluations."""
    return Evaluations(prepared, engine, clan_sets_of(prepared.spec.search_games))


def search_of(
    prepared: PreparedSearch, on_best: Callable[[str], None] = lambda line: None
) -> Search:
    """The search that a spec describes; its `run` may be called once.

    Args:
        prepared: from `prepare`.
        on_best: called with a line about the best point so far.
    """
    return Search(
        space=prepared.space,
        goals=prepared.goals,
        groups=prepared.numbers.groups,
        near=prepared.numbers.near(prepared.space),
        budget=prepared.spec.search_games,
        seed=prepared.spec.seed,
        on_best=on_best,
    )


def balance(
    spec: str | PathLike[str] | Mapping[str, Any],
    folder: str | PathLike[str] = "balance-results",
    *,
    jobs: int | None = None,
    quiet: bool = False,
) -> BalanceReport:
    """Search the values that make the clans equal, or bring other numbers to their goals.

    Finalists are validated on fresh deals by several populations, and nothing is recommended that
    may be luck. An interrupted search continues where it stopped when it is called again.

    Args:
        spec: the search: a TOML file, or its keys as a table; `ethnos-sim balance` takes the same.
        folder: where evaluations, validations and the variant go.
        jobs: threads to play with, all cores unless given; the result does not depend on it.
        quiet: show no progress.

    Returns:
        The report, which a notebook shows; its `outcome` has the numbers. If a rule set is
        recommended, it is in `variant.toml` in the folder.

    Raises:
        WrongInput: a value, a number or a strategy is not known, or nothing moves.
        IllegalMove: a strategy answered with a move that the rules forbid.

    Example:
        >>> from ethnos_sim import balance
        >>> spec = {"values": [{"name": "bear.on_take", "low": 2, "high": 5}]}
        >>> spec |= {"search_games": 10_000, "validation_games": 10_000, "tuning_games": 0}
        >>> spec |= {"validators": [], "strategies": ["greedy", "clock"]}
        >>> report = balance(spec, "balance", quiet=True)
        >>> report.outcome.word in ("found", "none", "depends on who plays")
        True
    """
    keys = dict(spec) if isinstance(spec, Mapping) else read_balance_spec(Path(spec))
    prepared = prepare(parse_balance_spec(keys, "spec" if isinstance(spec, Mapping) else str(spec)))

    def say(line: str) -> None:
        if not quiet:
            print(line, file=sys.stderr, flush=True)

    with at_most(jobs):
        workers = allowed_processes()
        engine = Threads(workers)
        return run_search(prepared, Path(folder), engine=engine, jobs=workers, quiet=quiet, say=say)


def run_search(
    prepared: PreparedSearch,
    folder: Path,
    *,
    engine: Engine,
    jobs: int,
    quiet: bool,
    say: Callable[[str], None],
) -> BalanceReport:
    """Search, validate, and write the variant and the page.

    Args:
        prepared: from `prepare`.
        folder: the folder of the search; games that it holds are not played again.
        engine: what plays; the result does not depend on it.
        jobs: threads that tune players.
        quiet: show no progress of validations.
        say: called with a line about the best point so far, and about each step.
    """
    spec, space = prepared.spec, prepared.space
    open_folder(folder, spec, space)
    journal = Journal(folder, evaluations_of(prepared, engine), prepared.numbers.labels)
    result = search_of(prepared, say).run(journal)
    points = list(dict.fromkeys([space.start, result.single, result.best, *result.front]))
    validator = Validator(folder, prepared, engine, jobs, quiet)
    say(f"validating {len(points)} rule sets on fresh deals")
    validations: list[Validation] = [validator.by("search", spec.strategies, points)]
    chosen = list(dict.fromkeys([space.start, result.single, result.best]))
    if result.best != space.start:
        if not prepared.numbers.needs_different_strategies:
            others = [name for name in spec.validators if [name] != spec.strategies]
            validations += [
                validator.by(f"strategy-{place}", [name], chosen)
                for place, name in enumerate(others)
            ]
        if spec.tuning_games:
            tuned = validator.by_tuned(chosen, lambda name: say(f"tuning {name} for each rule set"))
            validations += [] if tuned is None else [tuned]
    outcome = outcome_of(space, prepared.goals, result.best, result.single, validations)
    write_variant(folder / VARIANT_FILE, outcome)
    title = f"Balance of {space.base.title}, {spec.players} players: {spec.name}"
    report = BalanceReport(title, result, outcome, prepared.numbers.labels)
    write_page(as_document(report), folder)
    return report


def write_page(document: Document, folder: Path) -> Path:
    """Write a document as a page with its tables as CSV and Parquet; return the page's path."""
    page = folder / PAGE_FILE
    html = as_html(document, TABLES_FOLDER).encode()
    tables = table_files(folder / TABLES_FOLDER, stored_tables(document.sections))
    write_all([(page, html), *tables])
    return page


def write_variant(path: Path, outcome: Outcome) -> None:
    """Write the recommended rule set as a variant file; remove the file if there is none."""
    if outcome.word == NONE:
        path.unlink(missing_ok=True)
        return
    changed = variant_values(outcome.space, outcome.best)
    content = {
        "description": f"Found by a search for balance: {outcome.space.text(outcome.best)}"[:200],
        "edition": outcome.space.base.edition,
        "set": dict(changed),
    }
    write_whole(path, toml_text(content).encode())


SEARCH_PART = 0.5
"""The search's part of the budget; the populations that validate share the rest."""

FINALISTS = MOST_FINALISTS + 2
"""The most rule sets that the search's players validate: the front, the baseline, and the best
single change."""

CHOSEN = 3
"""The number of rule sets that every other population validates."""

SPARE = 0.8
"""The part of a budget of time that games may take; fits, tables and pages take the rest."""

ENOUGH_SECONDS = 1.0
"""The least time that a measurement of speed plays for."""


def divided_games(
    raw: Mapping[str, Any], source: str, budget: float, engine: Engine | None
) -> dict[str, Any]:
    """Divide a budget among the parts of a spec.

    Args:
        raw: the spec's keys.
        source: the name that errors give the spec.
        budget: games in all; seconds if there is an engine.
        engine: plays each population for a moment to measure the time of a game.

    Returns:
        The keys with their numbers of games.

    Raises:
        WrongInput: the budget is too small; the message names the least budget.
    """
    spec = parse_balance_spec(raw, source)
    prepared = prepare(spec)

    def price(strategies: Sequence[str]) -> float:
        """What a game of these players costs: 1 game, or its seconds if the budget is a time."""
        return 1.0 if engine is None else _seconds_a_game(prepared, strategies, engine) / SPARE

    searched = price(spec.strategies)
    parts = [(price(names), points) for names, points in _line_ups_to_validate(prepared)]
    needed = [
        cost * (spec.validation_games or _least_games(prepared, points)) for cost, points in parts
    ]
    least = searched * LEAST_GAMES + sum(needed)
    if budget < least:
        problem, demand = f"{budget:,.0f} games are too few", f"{least:,.0f}"
        if engine is not None:
            problem, demand = f"{in_words(budget)} are too short", f"about {in_words(least)}"
            demand += " on this machine"
        raise WrongInput(f"{problem}: the search and its {len(parts)} validations need {demand}")
    half = budget * (1 - SEARCH_PART) / sum(cost for cost, _ in parts)
    fresh = max(LEAST_GAMES, spec.validation_games or int(half))
    spent = sum(max(fresh * cost, need) for (cost, _), need in zip(parts, needed, strict=True))
    return {
        **raw,
        "search_games": max(LEAST_GAMES, int((budget - spent) / searched)),
        "validation_games": fresh,
        "tuning_games": fresh // CHOSEN if spec.tuning_games else 0,
    }


def _line_ups_to_validate(prepared: PreparedSearch) -> list[tuple[list[str], int]]:
    """Each line-up that validates, with the most rule sets that it may play.

    The tuned line-up is listed twice, because tuning it costs about as much as playing with it.
    """
    spec = prepared.spec
    parts = [(spec.strategies, FINALISTS)]
    if not prepared.numbers.needs_different_strategies:
        parts += [([name], CHOSEN) for name in spec.validators if [name] != spec.strategies]
    if spec.tuning_games and can_be_tuned(spec):
        parts += [(spec.strategies, CHOSEN), (spec.strategies, CHOSEN)]
    return parts


def _least_games(prepared: PreparedSearch, points: int) -> int:
    """The fewest games that validate `points` rule sets: one block of deals for each."""
    spec, start = prepared.spec, prepared.space.start
    return points * validation_plan(prepared, spec.strategies, [start], spec.fresh_games).games


def _seconds_a_game(prepared: PreparedSearch, strategies: Sequence[str], engine: Engine) -> float:
    """The seconds of play per game with these players; compilation does not count."""
    spec = prepared.spec.model_copy(update={"strategies": list(strategies)})
    evaluations = evaluations_of(replace(prepared, spec=spec), engine)
    evaluations.play(0, [prepared.space.start], 1)
    rounds = 2
    while True:
        started = time.perf_counter()
        evaluations.play(0, [prepared.space.start], rounds)
        elapsed = time.perf_counter() - started
        if elapsed > ENOUGH_SECONDS:
            return elapsed / (rounds * evaluations.games_per_round)
        rounds *= 2
