"""How many games a search may play in all, or in how long a time, and how they are divided.

Half of them search; the rest validate what was found, under each population alike. A validation
cannot have fewer games than a block of deals for every rule set, so there is a least for all.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ethnos_sim.experiments.balancing.search import MOST_FINALISTS
from ethnos_sim.experiments.balancing.spec import LEAST_GAMES, BalanceSpec, parse_balance_spec
from ethnos_sim.experiments.execution.engines import Engine
from ethnos_sim.experiments.execution.progress import in_words
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.reports.balancing.run import Prepared, evaluations_of, prepare
from ethnos_sim.reports.balancing.validating import can_be_tuned, validation_plan
from ethnos_sim.simulator.errors import WrongInput

SEARCH_PART = 0.5
"""The part of what is spent that searches; the populations that validate share the rest."""

FINALISTS = MOST_FINALISTS + 2
"""Rule sets at most that the players of the search validate: the front and what it began with."""

CHOSEN = 3
"""Rule sets that every other population validates."""

SPARE = 0.8
"""The part of a time that is spent on games; fits, tables and pages take the rest."""

ENOUGH_SECONDS = 1.0
"""How long a moment of play is that tells a speed."""

Divided = dict[str, Any]
"""A spec's keys with the games of search, validation and adaptation."""


def divided_games(raw: Mapping[str, Any], source: str, games: int, *, effects: bool) -> Divided:
    """A spec with so many games in all; those of effects are all spent on evaluations.

    Raises:
        WrongInput: they are too few, with the least that is needed.
    """
    spec = parse_balance_spec(raw, source)
    if effects:
        return {**raw, "search_games": games}
    prepared = prepare(spec)
    parts = _parts(prepared)
    each = [spec.validation_games or _least(prepared, points) for _, points in parts]
    least = LEAST_GAMES + sum(each)
    if games < least:
        raise WrongInput(
            f"{games:,} games are too few: the search and its {len(parts)} validations need "
            f"{least:,}"
        )
    fresh = spec.validation_games or int(games * (1 - SEARCH_PART) / len(parts))
    spent = sum(max(fresh, own) for own in each)
    return {**raw, **_shares(spec, max(LEAST_GAMES, games - spent), fresh)}


def timed_games(
    raw: Mapping[str, Any], source: str, seconds: float, engine: Engine, *, effects: bool
) -> Divided:
    """A spec with the games that fit into a time, by the speed of a moment of each population.

    Raises:
        WrongInput: the time is too short, with the least that is needed.
    """
    spec = parse_balance_spec(raw, source)
    prepared = prepare(spec, effects=effects)
    a_game = _seconds_a_game(prepared, spec.strategies, engine)
    if effects:
        return {**raw, "search_games": max(LEAST_GAMES, int(SPARE * seconds / a_game))}
    parts = _parts(prepared)
    costs = [_seconds_a_game(prepared, names, engine) for names, _ in parts]
    needed = [
        cost * _least(prepared, points) for cost, (_, points) in zip(costs, parts, strict=True)
    ]
    least = (a_game * LEAST_GAMES + sum(needed)) / SPARE
    if seconds < least:
        raise WrongInput(
            f"{in_words(seconds)} are too short: the search and its {len(parts)} validations need "
            f"about {in_words(least)} on this machine"
        )
    spent = SPARE * seconds
    fresh = max(LEAST_GAMES, int(spent * (1 - SEARCH_PART) / sum(costs)))
    validating = sum(max(fresh * cost, own) for cost, own in zip(costs, needed, strict=True))
    return {**raw, **_shares(spec, max(LEAST_GAMES, int((spent - validating) / a_game)), fresh)}


def _parts(prepared: Prepared) -> list[tuple[list[str], int]]:
    """Who validates, and how many rule sets at most.

    Players that are tuned for each rule set count twice: for tuning, and for what they play.
    """
    spec = prepared.spec
    parts = [(spec.strategies, FINALISTS)]
    if not prepared.numbers.needs_different_strategies:
        parts += [([name], CHOSEN) for name in spec.validators if [name] != spec.strategies]
    if spec.tuning_games and can_be_tuned(spec):
        parts += [(spec.strategies, CHOSEN), (spec.strategies, CHOSEN)]
    return parts


def _least(prepared: Prepared, points: int) -> int:
    """The fewest games that validate so many rule sets: a block of deals each."""
    plan = validation_plan(
        prepared.spec, prepared.space, prepared.spec.strategies, [prepared.space.start]
    )
    (partition,) = plan.cells_of
    return points * BLOCKS * plan.games_per_round(partition)


def _shares(spec: BalanceSpec, search: int, fresh: int) -> dict[str, int]:
    """The spec's keys for the games of search, validation, and adaptation a rule set."""
    fresh = max(LEAST_GAMES, fresh)
    return {
        "search_games": search,
        "validation_games": fresh,
        "tuning_games": fresh // CHOSEN if spec.tuning_games else 0,
    }


def _seconds_a_game(prepared: Prepared, strategies: Sequence[str], engine: Engine) -> float:
    """How long a game takes with these players in the seats, once all is compiled."""
    spec = prepared.spec.model_copy(update={"strategies": list(strategies)})
    evaluations = evaluations_of(replace(prepared, spec=spec), engine)
    evaluations.play(0, [prepared.space.start], [range(1)])
    rounds = 2
    while True:
        started = time.perf_counter()
        (played,) = evaluations.play(0, [prepared.space.start], [range(rounds)])
        took = time.perf_counter() - started
        if took > ENOUGH_SECONDS:
            return took / played.games
        rounds *= 2
