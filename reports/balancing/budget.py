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
from ethnos_sim.experiments.balancing.spec import LEAST_GAMES, parse_balance_spec
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


def divided_games(
    raw: Mapping[str, Any], source: str, budget: float, engine: Engine | None, *, effects: bool
) -> Divided:
    """A spec with the games that a budget pays for; those of effects are all spent on evaluations.

    Args:
        raw: the spec's keys.
        source: what to call the spec in errors.
        budget: games in all, or seconds where there is an engine.
        engine: what plays a moment of each population, for how long a game of it takes.
        effects: whether only effects are asked for.

    Raises:
        WrongInput: it is too small, with the least that is needed.
    """
    spec = parse_balance_spec(raw, source)
    prepared = prepare(spec, effects=effects)

    def price(strategies: Sequence[str]) -> float:
        """What a game of these players takes of the budget."""
        return 1.0 if engine is None else _seconds_a_game(prepared, strategies, engine) / SPARE

    searched = price(spec.strategies)
    if effects:
        return {**raw, "search_games": max(int(budget / searched), LEAST_GAMES if engine else 0)}
    parts = [(price(names), points) for names, points in _parts(prepared)]
    needed = [each * (spec.validation_games or _least(prepared, points)) for each, points in parts]
    least = searched * LEAST_GAMES + sum(needed)
    if budget < least:
        few, enough = f"{budget:,.0f} games are too few", f"{least:,.0f}"
        if engine is not None:
            few, enough = f"{in_words(budget)} are too short", f"about {in_words(least)}"
            enough += " on this machine"
        raise WrongInput(f"{few}: the search and its {len(parts)} validations need {enough}")
    half = budget * (1 - SEARCH_PART) / sum(each for each, _ in parts)
    fresh = max(LEAST_GAMES, spec.validation_games or int(half))
    spent = sum(max(fresh * each, own) for (each, _), own in zip(parts, needed, strict=True))
    return {
        **raw,
        "search_games": max(LEAST_GAMES, int((budget - spent) / searched)),
        "validation_games": fresh,
        "tuning_games": fresh // CHOSEN if spec.tuning_games else 0,
    }


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
        prepared.spec, prepared.space, prepared.spec.strategies, [prepared.space.start], 1
    )
    (partition,) = plan.cells_of
    return points * BLOCKS * plan.games_per_round(partition)


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
