"""From a clan's number to words: on which side of average it is, how far, and whether that is sure.

Sure means that the difference from average survives Holm's correction over all clans of the family.
The family is one edition and mode on the first screen, and one player count of it further down. Win
lift is a difference from the average party already. Power is held against the mean power of all
clans: whoever may not lead one of them has fewer ways to play, so almost every clan costs something
to lose, and what tells clans apart is how much.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ethnos_sim.experiments.statistics.adjustment import holm
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.groups import letters, told_apart
from ethnos_sim.experiments.statistics.measure import Measure
from ethnos_sim.reports.bands import POWER, WIN_LIFT, WORDS, Bands

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

BANDS = {
    "win_lift": WIN_LIFT,
    "restricted_play": POWER,
    "forced_play": POWER,
    "relative_power": POWER,
}
"""The bands of each measure of clans, by its definition."""

CONTRASTED = ("restricted_play", "forced_play")
"""Measures whose average is not 0 by definition."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What can be said of one clan.

    Attributes:
        estimate: its win lift, or its power by restricted or forced play.
        average: what it is held against: 0 for win lift, else the mean over the clans.
        p_value: two-sided, for "no different from average", by Holm over the family.
        tone: a tone of TIERS.
        group: letters; clans that share one cannot be told apart. Empty without an interval.
    """

    estimate: Estimate
    average: float
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
        return dict(TIERS)[self.tone]


def verdicts(values: Measure) -> tuple[Verdict, ...]:
    """A verdict for every clan with a value, from the strongest to the weakest."""
    known = np.flatnonzero(np.isfinite(values.jackknife.value))
    known = known[np.argsort(-values.jackknife.value[known], kind="stable")]
    trusted = [int(i) for i in known if values.trusted[i]]
    kept = values.jackknife.of(np.asarray(trusted, dtype=np.intp))
    average, contrasts = 0.0, kept
    if values.definition in CONTRASTED and trusted:
        average = float(kept.value.mean())
        contrasts = kept.contrasts()
    raw = np.ones(len(known))
    raw[values.trusted[known]] = np.nan_to_num(contrasts.p_values(), nan=1.0)
    p_values = dict(zip(known, holm(raw), strict=True))
    groups = dict(zip(trusted, letters(told_apart(kept)), strict=True))
    ends = dict(zip(trusted, zip(*contrasts.interval(), strict=True), strict=True))
    bands, estimates = BANDS[values.definition], values.estimates()
    found = []
    for i in map(int, known):
        tone = "open"
        if i in ends:
            tone = _tone((values.jackknife.value[i] - average, *ends[i]), p_values[i], bands)
        found.append(Verdict(estimates[i], average, float(p_values[i]), tone, groups.get(i, "")))
    return tuple(found)


def policy_dependent(populations: Iterable[Sequence[Verdict]]) -> frozenset[str]:
    """Clans that are surely above average under one population and surely below under another."""
    sides: dict[str, set[str]] = {}
    for found in populations:
        for verdict in found:
            sides.setdefault(verdict.clan, set()).add(verdict.tone.rstrip("123"))
    return frozenset(clan for clan, tones in sides.items() if {"up", "down"} <= tones)


def _tone(contrast: tuple[float, float, float], p_value: float, bands: Bands) -> str:
    """Where a clan stands: by the band of its difference from average if its side is sure.

    `contrast` is that difference and both ends of its interval.
    """
    value, low, high = contrast
    if max(abs(low), abs(high)) < bands.minor:
        return "level"
    if p_value >= ALPHA:
        return "open"
    size = WORDS.index(bands.word(value))
    if size == 0:
        return "level"
    return f"{'up' if value > 0 else 'down'}{size}"
