"""Two sides to compare: the evidence of two results, or of two rule sets played now.

What each side calls its settings may differ (another edition, the Recruitment mode), so settings
are put side by side first, and situations by player count and population within them. Equal rules
go first, whatever each side calls them. Then a rule set of the same name; then what is alone in its
edition and mode on both sides, where nothing of these is paired yet; and where nothing is paired at
all, what is alone in its mode, or alone. Everything else would be a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from html import escape
from pathlib import Path
from statistics import median

import polars as pl

from ethnos_sim.experiments.evidence.evidence import Evidence, Setting, Situation
from ethnos_sim.experiments.evidence.gathering import gather
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.comparison.bridge import clans_by_power
from ethnos_sim.reports.comparison.code import Code
from ethnos_sim.reports.comparison.differences import (
    ON,
    Compared,
    RankShift,
    balance_change,
    compare_numbers,
    counted,
    in_words,
    rank_shifts,
)
from ethnos_sim.reports.numbers import headline_numbers, situations_of
from ethnos_sim.reports.rendering.numbers import setting_label
from ethnos_sim.simulator.errors import WrongInput, nearest
from ethnos_sim.simulator.rules import Rules, ValueDifference, value_differences


@dataclass(frozen=True, eq=False)
class Side:
    """One side: what a reader may call it, its evidence, and words that narrow its settings.

    Each of `only` is an edition, a mode or the name of a rule set.
    """

    label: str
    evidence: Evidence
    only: tuple[str, ...] = ()

    @classmethod
    def of_folder(cls, text: str) -> Side:
        """The results in a folder, narrowed by words after plus signs: results+recruitment.

        Raises:
            WrongInput: there are no results, or nothing of them is called so.
        """
        folder, only = folder_and_words(text)
        side = cls(text, gather(Path(folder)), only)
        _ = side.settings
        return side

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds of its deals, a seed a plan."""
        return tuple(plan.seed for plan in self.evidence.plans)

    @cached_property
    def situations(self) -> tuple[Situation, ...]:
        """What is compared."""
        return tuple(s for s in situations_of(self.evidence) if s.setting in self.settings)

    @cached_property
    def settings(self) -> dict[Setting, Rules]:
        """The settings that are compared, with their rules; WrongInput where `only` leaves none."""
        played = dict.fromkeys(situation.setting for situation in situations_of(self.evidence))
        left = {setting: self._names(setting) for setting in played}
        for word in self.only:
            known = sorted({name for names in left.values() for name in names})
            left = {setting: names for setting, names in left.items() if word in names}
            if not left:
                raise WrongInput(
                    f"nothing in {self.label} is called '{word}'{nearest(word, known)}"
                )
        return {setting: self.evidence.rules(setting) for setting in left}

    def rules_label(self, setting: Setting) -> str:
        """An edition, a mode and a rule set in words: "2nd edition (2024), printed rules"."""
        about = self.evidence.about(setting)
        named = f"rule set “{about.name}”" if about.name else "changed rules"
        return f"{setting_label(self.settings[setting], setting)}, " + (
            named if about.rules.changed else "printed rules"
        )

    def _names(self, setting: Setting) -> set[str]:
        """What a word may call a setting."""
        about = self.evidence.about(setting)
        names = {setting.edition, setting.mode, about.name}
        return (names if about.rules.changed else {*names, "printed"}) - {""}


@dataclass(frozen=True, slots=True)
class Matched:
    """A situation on both sides, number by number.

    Attributes:
        first: the situation on the first side.
        second: on the other.
        numbers: every headline number that both have.
        balance: the spread of the clans on both sides; None where it cannot be told.
        ranked_by: what clans are ranked by; "" where they cannot be.
        ranks: the rank of each clan on both sides.
        paired: whether both sides played the same deals.
        renamed: what the second side calls a clan of the first, where the editions differ.
    """

    first: Situation
    second: Situation
    numbers: tuple[Compared, ...]
    balance: Compared | None
    ranked_by: str
    ranks: tuple[RankShift, ...]
    paired: bool
    renamed: Mapping[str, str]

    @property
    def variance_ratio(self) -> float | None:
        """The median over the numbers of what pairing achieved; None without shared deals."""
        ratios = [n.variance_ratio for n in self.numbers if n.variance_ratio is not None]
        return median(ratios) if ratios else None

    @property
    def identical(self) -> bool:
        """Whether no number differs at all."""
        return all(number.difference.value == 0 for number in self.numbers)


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Two sides with every situation that both have. Made by `compare`.

    Attributes:
        first: what the second side is compared with.
        second: the other side.
        beside: the setting of the second side beside each of the first's that are compared.
        matched: the situations that both sides have.
    """

    first: Side
    second: Side
    beside: Mapping[Setting, Setting]
    matched: tuple[Matched, ...]

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {word}" for word, count in self.counts.items())
        return f"Comparison of {self.first.label} with {self.second.label}: {counts}"

    def _repr_html_(self) -> str:
        """The comparison in a line, and its numbers, for notebooks."""
        return f"<p>{escape(repr(self))}</p>{self.frame()._repr_html_()}"

    def frame(self) -> pl.DataFrame:
        """Every number that both sides have, a row each: both values and their difference.

        `difference` is the second side less the first, with its 95 % interval from `low` to
        `high`; `result` is changed, equivalent (within `margin`) or undecided.
        """
        return pl.DataFrame(
            [
                {
                    **match.first._asdict(),
                    **dict(zip(ON, each.about, strict=True)),
                    "first": each.first.value,
                    "second": each.second.value,
                    "difference": each.difference.value,
                    "low": each.difference.low,
                    "high": each.difference.high,
                    "margin": each.margin,
                    "result": each.word,
                    "unit": each.first.unit,
                }
                for match in self.matched
                for each in match.numbers
            ],
            infer_schema_length=None,
        )

    @property
    def counts(self) -> dict[str, int]:
        """How many numbers are changed, equivalent and undecided."""
        return counted([number for match in self.matched for number in match.numbers])

    @cached_property
    def rule_differences(self) -> dict[Setting, tuple[ValueDifference, ...]]:
        """The rule values that differ, by the first side's setting; none where rules are equal."""
        return {
            setting: value_differences(self.first.settings[setting], self.second.settings[other])
            for setting, other in self.beside.items()
        }

    def equal_rules(self, setting: Setting) -> bool:
        """Whether a setting of the first side is played by the rules of the one beside it."""
        other = self.beside[setting]
        ours, theirs = self.first.settings[setting], self.second.settings[other]
        return (ours.rules_id, setting.mode) == (theirs.rules_id, other.mode)

    @cached_property
    def left_out(self) -> tuple[str, ...]:
        """What only one of the sides has, or nothing stands beside, in words."""
        compared = (
            (self.first, {match.first for match in self.matched}),
            (self.second, {match.second for match in self.matched}),
        )
        return tuple(
            f"{side.rules_label(situation.setting)}, {situation.players} players, "
            f"{situation.population} ({side.label})"
            for side, known in compared
            for situation in side.situations
            if situation not in known
        )

    @property
    def same_seed(self) -> bool:
        """Whether both sides dealt by one seed, so that their deals are the same by number."""
        return _same_seed(self.first, self.second)

    @cached_property
    def code_differences(self) -> tuple[str, ...]:
        """What the second side was played with and the first was not, in words."""
        ours, theirs = (Code.of(side.evidence.plans) for side in (self.first, self.second))
        return ours.differences(theirs)


def folder_and_words(text: str) -> tuple[str, tuple[str, ...]]:
    """A folder and the words after plus signs; a folder may have plus signs in its own name."""
    if Path(text).is_dir():
        return text, ()
    folder, *words = text.split("+")
    return folder, tuple(words)


def compare_sides(first: Side, second: Side) -> Comparison:
    """Compare every situation that both sides have, in settings that belong beside each other.

    Raises:
        WrongInput: there is nothing that both sides have, or it is unclear what belongs together.
    """
    beside = settings_beside(first.settings, second.settings)
    if not beside:
        raise WrongInput(
            "it is unclear which rules to compare: "
            f"{_choices(first)}, and {_choices(second)}; name one of each side, as in "
            f"{second.label}+NAME"
        )
    theirs = set(second.situations)
    pairs = [
        (situation, other)
        for situation in first.situations
        if situation.setting in beside
        and (other := Situation(*beside[situation.setting], *situation[3:])) in theirs
    ]
    matched = _matched(first, second, pairs)
    if not any(match.numbers for match in matched):
        raise WrongInput(
            f"{first.label} and {second.label} have nothing in common to compare: no player count "
            "and population was played on both sides"
        )
    return Comparison(first, second, beside, matched)


def _matched(
    first: Side, second: Side, pairs: Iterable[tuple[Situation, Situation]]
) -> tuple[Matched, ...]:
    """Situations number by number, with words that hold together over all that is told."""
    same_seed = _same_seed(first, second)
    found, changes = [], []
    for one, two in pairs:
        renamed: Mapping[str, str] = {}
        if one.edition != two.edition:
            renamed = clans_by_power(first.settings[one.setting], second.settings[two.setting])
        ours, theirs = headline_numbers(first.evidence, one), headline_numbers(second.evidence, two)
        theirs = theirs.renamed({other: name for name, other in renamed.items()}, "name")
        changes += [
            compare_numbers(ours, theirs, same_deals=same_seed),
            balance_change(ours, theirs, same_deals=same_seed),
        ]
        paired = same_seed and _blocks(ours) == _blocks(theirs)
        by, ranks = rank_shifts(ours, theirs)
        found.append(
            partial(Matched, one, two, ranked_by=by, ranks=ranks, paired=paired, renamed=renamed)
        )
    told = iter(in_words(changes) if changes else ())
    return tuple(match(numbers=next(told), balance=next(iter(next(told)), None)) for match in found)


def _same_seed(first: Side, second: Side) -> bool:
    return len(set(first.seeds)) == 1 and set(first.seeds) == set(second.seeds)


def _blocks(table: Estimates) -> set[bytes]:
    """The shares of games in the blocks of deals, for each way in which they were filled."""
    return {column.tobytes() for column in table.leverage.T}


def _choices(side: Side) -> str:
    """The settings of a side by the words that choose them."""
    names = [
        "+".join(filter(None, (setting.edition, setting.mode, side.evidence.about(setting).name)))
        for setting in side.settings
    ]
    return f"{side.label} has {', '.join(names)}"


PairingKey = Callable[[Setting, Rules], Hashable]
"""What settings have to share to be paired; None pairs with nothing."""


def settings_beside(
    first: Mapping[Setting, Rules], second: Mapping[Setting, Rules]
) -> dict[Setting, Setting]:
    """The setting of the second side for each of the first that has one; empty where unclear."""
    found: dict[Setting, Setting] = {}

    def pair(kind: PairingKey, *, alone: bool = True) -> None:
        left = _by_kind(first, kind, found)
        right = _by_kind(second, kind, set(found.values()))
        for shared, own in left.items():
            other = right.get(shared, [])
            if len(own) == len(other) == 1 or not alone:
                found.update(zip(own, other, strict=False))

    pair(lambda setting, rules: (rules.rules_id, setting.mode), alone=False)
    pair(lambda setting, rules: setting if setting.rules else None)
    taken = {(each.edition, each.mode) for each in (*found, *found.values())}
    pair(
        lambda setting, rules: (
            None if (setting.edition, setting.mode) in taken else (setting.edition, setting.mode)
        )
    )
    if not found:
        pair(lambda setting, rules: setting.mode)
    if not found:
        pair(lambda setting, rules: "alone")
    return {setting: found[setting] for setting in first if setting in found}


def _by_kind(
    settings: Mapping[Setting, Rules], kind: PairingKey, taken: Collection[Setting]
) -> dict[Hashable, list[Setting]]:
    """The settings that are not taken, by what they share."""
    found: dict[Hashable, list[Setting]] = {}
    for setting, rules in settings.items():
        shared = kind(setting, rules)
        if setting not in taken and shared is not None:
            found.setdefault(shared, []).append(setting)
    return found
