"""From win lift to words: on which side of average a clan is, how far, and whether that is sure.

Sure means that the difference from 0 survives Holm's correction over all clans of the family. The
family is one edition and mode on the first screen, and one player count of it further down.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ethnos_sim.reports.bands import WIN_LIFT, WORDS
from ethnos_sim.reports.estimate import Estimate
from ethnos_sim.reports.estimators.measure import Measure
from ethnos_sim.reports.groups import letters, told_apart
from ethnos_sim.reports.intervals import Jackknife, holm

ALPHA = 0.05

TIERS = (
    ("up3", "far above average"),
    ("up2", "above average"),
    ("up1", "slightly above average"),
    ("level", "about average"),
    ("down1", "slightly below average"),
    ("down2", "below average"),
    ("down3", "far below average"),
    ("open", "not settled yet"),
)
"""Tones, as figures and style sheet name them, with what they mean; from strong to weak."""

TIER_WORDS = dict(TIERS)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What can be said of one clan.

    Attributes:
        estimate: its win lift.
        p_value: two-sided, for "no different from the average party", by Holm over the family.
        tone: a key of TIER_WORDS.
        group: letters; clans that share one cannot be told apart. Empty without an interval.
    """

    estimate: Estimate
    p_value: float
    tone: str
    group: str

    @property
    def clan(self) -> str:
        """The clan's name."""
        return self.estimate.name

    @property
    def words(self) -> str:
        """The tier in words."""
        return TIER_WORDS[self.tone]


def verdicts(lift: Measure) -> tuple[Verdict, ...]:
    """A verdict for every clan that led a party, from the strongest to the weakest."""
    known = np.flatnonzero(np.isfinite(lift.jackknife.value))
    known = known[np.argsort(-lift.jackknife.value[known], kind="stable")]
    estimates = [lift.estimates()[i] for i in known]
    adjusted = holm(lift.p_values()[known])
    trusted = [i for i in known if lift.trusted[i]]
    kept = Jackknife(
        lift.jackknife.value[trusted], lift.jackknife.pseudo[:, trusted], lift.jackknife.leverage
    )
    groups = dict(zip(trusted, letters(told_apart(kept)), strict=True))
    return tuple(
        Verdict(estimate, float(p), _tone(estimate, float(p)), groups.get(i, ""))
        for i, estimate, p in zip(known, estimates, adjusted, strict=True)
    )


def policy_dependent(populations: Iterable[Sequence[Verdict]]) -> frozenset[str]:
    """Clans that are surely above average under one population and surely below under another."""
    sides: dict[str, set[str]] = {}
    for found in populations:
        for verdict in found:
            sides.setdefault(verdict.clan, set()).add(verdict.tone.rstrip("123"))
    return frozenset(clan for clan, tones in sides.items() if {"up", "down"} <= tones)


def _tone(estimate: Estimate, p_value: float) -> str:
    """Where a clan stands: by the band of its estimate if its side is sure."""
    value, low, high = estimate.value, estimate.low, estimate.high
    if value is None or low is None or high is None:
        return "open"
    if max(abs(low), abs(high)) < WIN_LIFT.minor:
        return "level"
    if p_value >= ALPHA:
        return "open"
    size = WORDS.index(WIN_LIFT.word(value))
    if size == 0:
        return "level"
    return f"{'up' if value > 0 else 'down'}{size}"
