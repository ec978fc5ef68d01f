"""Studies: questions that are answered by games in memory.

A study has plans, estimates numbers from the games, and decides whether the games are enough.
`run_study` plays the plans, shows progress and adds up the games. `play_evidence` plays one plan.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from ethnos_sim.experiments.evidence.evidence import Evidence
from ethnos_sim.experiments.evidence.gathering import PlanGatherer
from ethnos_sim.experiments.execution.engines import Engine, Threads, play_in_memory
from ethnos_sim.experiments.execution.playing import prepare_plan
from ethnos_sim.experiments.execution.progress import show_progress
from ethnos_sim.experiments.execution.threads import OnGames, ignore_progress
from ethnos_sim.experiments.plans.cells import Partition
from ethnos_sim.experiments.plans.plan import Plan

Numbers = TypeVar("Numbers")
"""The numbers that a study estimates, in any type."""

ONE_THREAD = Threads(1)


class Study(Protocol[Numbers]):
    """A question that games answer."""

    def title(self) -> str:
        """The title of the progress bar."""

    def plans(self) -> tuple[Plan, ...]:
        """The plans to play first."""

    def numbers(self, evidence: Sequence[Evidence]) -> Numbers:
        """Estimate the numbers from the games so far, given the evidence of each plan."""

    def next_plans(self, numbers: Numbers) -> tuple[Plan, ...]:
        """The same plans with more rounds to play; empty if the games are enough."""
        return ()

    def game_count(self) -> int:
        """The expected number of games, for the progress bar."""
        return sum(plan.games for plan in self.plans())


class _PlayedPlan:
    """The games of a plan so far, whose number of rounds may grow."""

    def __init__(self, plan: Plan) -> None:
        """Prepare the tables."""
        self._tables = prepare_plan(plan)
        self._gatherer = PlanGatherer(plan)
        self._rounds: dict[Partition, int] = {}

    def play(self, plan: Plan, engine: Engine, on_games: OnGames) -> Evidence:
        """Play the rounds of `plan` that were not played; return the evidence of all rounds."""
        if plan.rounds != self._rounds:
            add, tables = self._gatherer.add, self._tables
            play_in_memory(
                plan, add, tables=tables, skipped=self._rounds, engine=engine, on_games=on_games
            )
            self._rounds = dict(plan.rounds)
        return replace(self._gatherer.evidence(), plans=(plan,))


def play_evidence(plan: Plan, *, engine: Engine = ONE_THREAD) -> Evidence:
    """Play a plan in memory and return its evidence.

    Args:
        plan: the plan.
        engine: the engine that plays; the numbers do not depend on it.
    """
    return _PlayedPlan(plan).play(plan, engine, ignore_progress)


def run_study(study: Study[Numbers], *, engine: Engine = ONE_THREAD, quiet: bool = True) -> Numbers:
    """Play a study until its games are enough, and return its numbers.

    Args:
        study: the study.
        engine: the engine that plays; the numbers do not depend on it.
        quiet: show no progress.

    Raises:
        WrongInput: the study's plans make no game.
        IllegalMove: a strategy answered with a move that the rules forbid.
    """
    plans = study.plans()
    with show_progress(study.title(), study.game_count(), 0, quiet=quiet) as progress:
        played_plans = [_PlayedPlan(plan) for plan in plans]
        while True:
            numbers = study.numbers(
                [
                    played_plan.play(plan, engine, progress)
                    for played_plan, plan in zip(played_plans, plans, strict=True)
                ]
            )
            plans = study.next_plans(numbers)
            if not plans:
                return numbers
            progress.set_total(max(study.game_count(), sum(plan.games for plan in plans)))
