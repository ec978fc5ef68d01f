"""A run of the gate: play fresh games, and compare their numbers with those of the baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ethnos_sim.experiments.evidence.evidence import Evidence
from ethnos_sim.experiments.evidence.gathering import join_evidence
from ethnos_sim.experiments.plans.plan import Plan
from ethnos_sim.experiments.specs.spec import NO_CHANGES, SpecChanges
from ethnos_sim.reports.estimators.worth import WORTH
from ethnos_sim.reports.gate.baseline import QUICK_SHARE, Baseline
from ethnos_sim.reports.gate.decision import BalanceResult, judge_numbers, margins_of
from ethnos_sim.reports.gate.plans import FRESH_SEED, gate_plans
from ethnos_sim.reports.numbers import headline_numbers
from ethnos_sim.reports.study import Study

QUICK_MARGIN_FACTOR = 3.0
"""How many times as wide margins are in a quick run; the margin of a clan's worth stays."""


@dataclass(eq=False)
class BalanceCheck(Study[BalanceResult]):
    """Test by fresh games whether a guarded number of a baseline moved.

    Attributes:
        baseline: the baseline to compare with.
        folder: the folder of the baseline's variants and populations.
        quick: play QUICK_SHARE of the games, and widen margins by QUICK_MARGIN_FACTOR. The worth of
            clans keeps its margin and its games (`gate_plans`).
        changes: changes to the baseline's specs.
    """

    baseline: Baseline
    folder: Path
    quick: bool = False
    changes: SpecChanges = NO_CHANGES

    def title(self) -> str:
        """How many numbers are checked, and with how many games."""
        return f"Checking {len(self.baseline.rows)} numbers with {self.game_count():,} fresh games"

    def plans(self) -> tuple[Plan, ...]:
        """The plans of all games, with other deals than the baseline's games had."""
        return gate_plans(
            self.baseline.plays,
            folder=self.folder,
            seed=FRESH_SEED,
            share=QUICK_SHARE if self.quick else 1.0,
            changes=self.changes,
        )

    def numbers(self, evidence: Sequence[Evidence]) -> BalanceResult:
        """The verdict on every guarded number."""
        stored = self.baseline.numbers
        keeps_margin = not self.quick or stored["estimand"] == WORTH.name
        margins = margins_of(stored) * np.where(keeps_margin, 1.0, QUICK_MARGIN_FACTOR)
        outcomes = judge_numbers(stored, headline_numbers(join_evidence(evidence)), margins)
        return BalanceResult(outcomes.frame(), sum(part.games for part in evidence))
