"""Pairs of clans: which do more, or less, together in a deck than each does apart.

An effect of a pair is part of the model of `presence`; here its p values are adjusted over the
whole table of an edition and player count, all pairs times all outcomes, by the false discovery
rate: of the pairs called significant at most one in twenty is expected to be none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ethnos_sim.experiments.statistics.adjustment import false_discovery
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.estimators.estimand import BY_BLOCKS, Estimand
from ethnos_sim.reports.estimators.presence import DeckOutcome, Presence, effects_of
from ethnos_sim.reports.evidence.evidence import Evidence, Situation


def _found(evidence: Evidence, situation: Situation) -> Iterator[Estimates]:
    """What each pair of clans changes beyond both, where the sets can tell pairs apart."""
    effects = effects_of(evidence, situation)
    return (each.pairs for each in effects if each.pairs is not None)


PRESENCE_PAIR = Estimand(
    name="presence_pair",
    title="Pair of clans",
    meaning=(
        "What two clans in one deck change together beyond what each changes by itself. For the "
        "sets that were played."
    ),
    formula="b(X, Y) of the same fit; the b of each clan add up to 0",
    interval=f"{BY_BLOCKS}; p adjusted by Benjamini and Hochberg over all pairs and outcomes of a "
    "table",
    found=_found,
)

DISCOVERIES = 0.05
"""The declared rate of false discoveries among the pairs called significant."""


@dataclass(frozen=True, slots=True)
class PairEffect:
    """What two clans do together to one outcome.

    Attributes:
        outcome: what is changed.
        pair: both clans.
        estimate: b(X, Y).
        p_value: two-sided, for "no more than apart", adjusted over the table.
    """

    outcome: DeckOutcome
    pair: tuple[str, str]
    estimate: Estimate
    p_value: float

    @property
    def significant(self) -> bool:
        """Whether the pair counts as a discovery."""
        return self.estimate.low is not None and self.p_value < DISCOVERIES

    @property
    def size(self) -> float:
        """How large the effect is, in the margins below which a difference counts as none."""
        return abs(self.estimate.value or 0.0) / self.outcome.margin


def pair_effects(found: Sequence[Presence]) -> tuple[PairEffect, ...]:
    """Every pair and outcome of a table, the largest first; empty where pairs cannot be told."""
    measured = [(each.outcome, each.pairs) for each in found if each.pairs is not None]
    if not measured:
        return ()
    adjusted = iter(false_discovery(np.concatenate([pairs.p_values() for _, pairs in measured])))
    effects = [
        PairEffect(outcome, _clans(estimate.name), estimate, float(next(adjusted)))
        for outcome, pairs in measured
        for estimate in pairs.estimates()
    ]
    return tuple(sorted(effects, key=lambda effect: -effect.size))


def _clans(name: str) -> tuple[str, str]:
    """The clans in the name of a pair."""
    one, two = name.split(" + ")
    return one, two
