"""A run of the gate: play fresh games and test them until every situation is decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ethnos_sim.experiments.evidence.evidence import Evidence, Situation
from ethnos_sim.experiments.evidence.gathering import put_together
from ethnos_sim.experiments.plans.plan import Partition, Plan
from ethnos_sim.experiments.specs.spec import Changes
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.verdict import Verdict
from ethnos_sim.reports.estimators.catalog import HEADLINE
from ethnos_sim.reports.estimators.worth import WORTH
from ethnos_sim.reports.gate.baseline import QUICK_SHARE, Baseline
from ethnos_sim.reports.gate.check_result import CheckResult, as_document
from ethnos_sim.reports.gate.decision import (
    SITUATION,
    Decision,
    GateResult,
    RunSize,
    margins_of,
)
from ethnos_sim.reports.gate.plans import UNCHANGED, gate_plans, situations_in
from ethnos_sim.reports.numbers import numbers
from ethnos_sim.reports.rendering.document import Document
from ethnos_sim.reports.study import Study
from ethnos_sim.simulator.utilities.errors import WrongInput

FULL = RunSize(1.0, 1.0, (1 / 8, 1 / 4, 1 / 2, 1.0))
QUICK = RunSize(3.0, QUICK_SHARE, (1 / 2, 1.0))
"""A quick run has margins three times as wide, so a ninth of the games is enough. What clans are
worth keeps its margins and its games (`gate_plans`)."""


@dataclass(eq=False)
class Check(Study[GateResult]):
    """Test by fresh games whether a guarded number of a baseline moved.

    The run ends with the look that finds the first failures, when all situations have passed, or
    when the budget is played.

    Attributes:
        baseline: the baseline to compare with.
        folder: the folder of the baseline's variants and populations.
        seed: the seed of the fresh games, which must differ from the seed of the baseline.
        size: how thorough the run is.
        changes: changes to the baseline's specs.
    """

    baseline: Baseline
    folder: Path
    seed: int
    size: RunSize
    changes: Changes = UNCHANGED

    def __post_init__(self) -> None:
        """Make the plans of the whole budget.

        Raises:
            WrongInput: the seed is the baseline's, or a spec cannot be played.
        """
        if self.seed == self.baseline.seed:
            raise WrongInput(f"seed {self.seed} is the baseline's own; the gate needs fresh games")
        self.whole = gate_plans(
            self.baseline.plays,
            folder=self.folder,
            seed=self.seed,
            share=self.size.share,
            changes=self.changes,
        )
        played = {
            situation
            for plan in self.whole
            for part in plan.rounds
            for situation in situations_in(plan, part)
        }
        stored = self.baseline.numbers
        situations = map(Situation._make, stored.keys(SITUATION))
        stored = stored.at([situation.by_reference in played for situation in situations])
        if not len(stored):
            raise WrongInput("with these changes none of the baseline's games are played")
        scale = np.where(stored["estimand"] == WORTH.name, 1.0, self.size.scale)
        self.decision = Decision(stored, scale * margins_of(stored), self.size.looks)

    def title(self) -> str:
        """The number of guarded numbers, and the whole budget."""
        return (
            f"Checking {len(self.baseline.rows)} numbers with up to {self.budget():,} fresh games"
        )

    def budget(self) -> int:
        """The number of games of all looks together."""
        return sum(plan.games for plan in self.whole)

    def plans(self) -> tuple[Plan, ...]:
        """The plans up to the first look."""
        return tuple(
            replace(plan, rounds={part: self._rounds(plan, part) for part in plan.rounds})
            for plan in self.whole
        )

    def _rounds(self, plan: Plan, part: Partition) -> int:
        """The rounds up to the next look."""
        share = self.size.looks[self.decision.looked]
        return max(1, round(plan.rounds[part] * share))

    def numbers(self, evidence: Sequence[Evidence]) -> GateResult:
        """Test the numbers of all situations that are open."""
        self.decision.look(headlines(evidence))
        self._played = [part.plans[0] for part in evidence]
        return GateResult(
            lines=self.decision.outcomes().frame(),
            seed=self.seed,
            games=sum(plan.games for plan in self._played),
            budget=self.budget(),
        )

    def more(self, numbers: GateResult) -> tuple[Plan, ...]:
        """The plans up to the next look; only open situations get more games."""
        if numbers.outcome is not Verdict.OPEN or self.decision.looked == len(self.size.looks):
            return ()
        running = {situation.by_reference for situation in self.decision.open_situations}
        return tuple(
            replace(
                before,
                rounds={
                    part: rounds
                    if situations_in(plan, part).isdisjoint(running)
                    else self._rounds(plan, part)
                    for part, rounds in before.rounds.items()
                },
            )
            for plan, before in zip(self.whole, self._played, strict=True)
        )

    def document(self, numbers: GateResult) -> Document:
        """The balance as a document."""
        return as_document(CheckResult(None, numbers))


def headlines(evidence: Sequence[Evidence]) -> Estimates:
    """Every headline number in `evidence`, which holds the evidence of each plan."""
    return numbers(put_together(evidence), *(estimand.name for estimand in HEADLINE))
