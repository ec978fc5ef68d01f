"""Two sides to compare: the evidence of two results, or of two rule sets played now.

What each side calls its settings may differ (another edition, the Recruitment mode), so settings
are put side by side first, and situations by player count and population within them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from statistics import median

from ethnos_sim.reports.bridge import clans_by_power
from ethnos_sim.reports.comparison.headline import measures_by_situation
from ethnos_sim.reports.comparison.ranks import RankShift, rank_shifts
from ethnos_sim.reports.comparison.situations import Compared, compare_measures, counted
from ethnos_sim.reports.evidence import Evidence, Setting, Situation
from ethnos_sim.reports.labels import setting_label
from ethnos_sim.simulator.errors import WrongInput


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One side: what a reader may call it, and its evidence."""

    label: str
    evidence: Evidence

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds of its deals, a seed a plan."""
        return tuple(plan.seed for plan in self.evidence.plans)


@dataclass(frozen=True, slots=True)
class Matched:
    """A situation on both sides, number by number.

    Attributes:
        first: the situation on the first side.
        second: on the other.
        numbers: every headline number that both have.
        ranked_by: what clans are ranked by; "" where they cannot be.
        ranks: the rank of each clan on both sides.
        paired: whether the deals were shared.
    """

    first: Situation
    second: Situation
    numbers: tuple[Compared, ...]
    ranked_by: str
    ranks: tuple[RankShift, ...]

    @property
    def paired(self) -> bool:
        """Whether the deals were shared: some number says what that achieved."""
        return any(number.variance_ratio is not None for number in self.numbers)

    @property
    def variance_ratio(self) -> float | None:
        """The median over the numbers of what pairing achieved; None without shared deals."""
        ratios = [n.variance_ratio for n in self.numbers if n.variance_ratio is not None]
        return median(ratios) if ratios else None


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Two sides with every situation that both have."""

    first: Side
    second: Side
    matched: tuple[Matched, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many numbers are changed, equivalent and undecided."""
        return counted([number for match in self.matched for number in match.numbers])


def compare_sides(first: Side, second: Side) -> Comparison:
    """Compare every situation that both sides have.

    A setting of the first side stands beside the same one of the second. Where the sides have no
    setting in common and one each, these two stand side by side.

    Raises:
        WrongInput: there is nothing that both sides have.
    """
    ours = measures_by_situation(first.evidence)
    theirs = measures_by_situation(second.evidence)
    beside = _settings(ours, theirs)
    same_deals = len(set(first.seeds)) == 1 and set(first.seeds) == set(second.seeds)
    matched = []
    for situation, measures in ours.items():
        setting = beside.get(situation.setting)
        if setting is None or (other := replace(situation, setting=setting)) not in theirs:
            continue
        renamed = _renamed(first.evidence, second.evidence, situation.setting, setting)
        numbers = compare_measures(measures, theirs[other], same_deals=same_deals, renamed=renamed)
        by, ranks = rank_shifts(measures, theirs[other], renamed)
        matched.append(Matched(situation, other, numbers, by, ranks))
    if not any(match.numbers for match in matched):
        raise WrongInput(
            f"{first.label} and {second.label} have nothing in common to compare: no player count "
            "and population was played on both sides"
        )
    return Comparison(first, second, tuple(matched))


def situation_label(evidence: Evidence, situation: Situation) -> str:
    """A situation as a heading: "2nd edition (2024), 4 players, mixed"."""
    setting = situation.setting
    solo = setting.mode in evidence.solo.modes
    rules = evidence.solo.rules if solo else evidence.rules(setting)
    named = f", {setting.rules}" if setting.rules else ""
    count = f"{situation.players} player{'s' * (situation.players > 1)}"
    return f"{setting_label(rules, setting)}{named}, {count}, {situation.population}"


def _settings(
    ours: Mapping[Situation, object], theirs: Mapping[Situation, object]
) -> dict[Setting, Setting]:
    """The setting of the second side that stands beside each of the first."""
    left = dict.fromkeys(situation.setting for situation in ours)
    right = dict.fromkeys(situation.setting for situation in theirs)
    common = {setting: setting for setting in left if setting in right}
    if not common and len(left) == len(right) == 1:
        return dict(zip(left, right, strict=True))
    return common


def _renamed(
    first: Evidence, second: Evidence, ours: Setting, theirs: Setting
) -> Mapping[str, str]:
    """What the second side calls the first's clans, where the editions differ."""
    if ours.edition == theirs.edition:
        return {}
    return clans_by_power(first.rules(ours), second.rules(theirs))
