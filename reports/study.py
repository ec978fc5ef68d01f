"""A study: a question that games answer, played in memory; the one runner of all of them.

A study says what to play, what the games come to, and whether they are enough. The runner plays,
shows how far that is, and adds up. Whoever needs one plan's games alone takes `play_evidence`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from ethnos_sim.experiments.evidence.evidence import Evidence
from ethnos_sim.experiments.evidence.gathering import PlanGatherer
from ethnos_sim.experiments.execution.engines import Engine, Threads, play_now
from ethnos_sim.experiments.execution.playing import prepare_tables
from ethnos_sim.experiments.execution.progress import shown_progress
from ethnos_sim.experiments.execution.threads import OnGames, tell_nobody
from ethnos_sim.experiments.plans.cells import Partition
from ethnos_sim.experiments.plans.plan import Plan
from ethnos_sim.reports.rendering.document import Document

Numbers = TypeVar("Numbers")
"""What the games of a study come to."""


ONE_THREAD = Threads(1)


class Study(Protocol[Numbers]):
    """A question that games answer."""

    def title(self) -> str:
        """A line that says what is played."""

    def plans(self) -> tuple[Plan, ...]:
        """What is played first."""

    def numbers(self, evidence: Sequence[Evidence]) -> Numbers:
        """What the games so far come to, given the evidence of each plan."""

    def more(self, numbers: Numbers) -> tuple[Plan, ...]:
        """The same plans with more rounds; none where the games are enough."""
        return ()

    def document(self, numbers: Numbers) -> Document:
        """The answer as a document."""

    def budget(self) -> int:
        """How many games are planned in all."""
        return sum(plan.games for plan in self.plans())

    def known(self, numbers: Numbers) -> str:
        """How well the numbers are known so far, in a few words; shown with the progress."""
        return ""


class _Gathered:
    """A plan with what was played of it."""

    def __init__(self, plan: Plan, *, apart: bool = True) -> None:
        """Prepare the tables; `apart` as for `PlanGatherer`."""
        self._tables = prepare_tables(plan)
        self._gatherer = PlanGatherer(plan, apart=apart)
        self._rounds: dict[Partition, int] = {}

    def play(self, plan: Plan, engine: Engine, on_games: OnGames) -> Evidence:
        """Play the rounds that are missing, and give the evidence of all."""
        if plan.rounds != self._rounds:
            add, tables = self._gatherer.add, self._tables
            play_now(plan, add, tables=tables, after=self._rounds, engine=engine, on_games=on_games)
            self._rounds = dict(plan.rounds)
        return replace(self._gatherer.evidence(), plans=(plan,))


def play_evidence(plan: Plan, *, engine: Engine = ONE_THREAD, apart: bool = True) -> Evidence:
    """The evidence of a plan's games, played in memory.

    Args:
        plan: what to play.
        engine: what plays; the numbers do not depend on it.
        apart: as for `PlanGatherer`.
    """
    return _Gathered(plan, apart=apart).play(plan, engine, tell_nobody)


def run_study(study: Study[Numbers], *, engine: Engine = ONE_THREAD, quiet: bool = True) -> Numbers:
    """Play what a study asks for until its games are enough; what they come to.

    Args:
        study: the question.
        engine: what plays; the numbers do not depend on it.
        quiet: do not show how far it is.

    Raises:
        WrongInput: it makes no game.
        IllegalMove: a strategy answered with a move that the rules forbid.
    """
    plans = study.plans()
    with shown_progress(study.title(), study.budget(), 0, quiet=quiet) as shown:
        gathered = [_Gathered(plan) for plan in plans]
        while True:
            numbers = study.numbers(
                [held.play(plan, engine, shown) for held, plan in zip(gathered, plans, strict=True)]
            )
            plans = study.more(numbers)
            if not plans:
                return numbers
            total = max(study.budget(), sum(plan.games for plan in plans))
            shown.go_on(total, study.known(numbers))
