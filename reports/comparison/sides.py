"""Two sides to compare: the evidence of two results, or of two rule sets played now.

The sides may name their settings differently (another edition, the Recruitment mode). So settings
are paired first, and then the situations within them by player count and population. Settings are
paired in this order:

1. settings with equal rules, whatever their names;
2. settings whose rule sets have the same name;
3. settings that are alone in their edition and mode on both sides, if no setting of this edition
   and mode is paired yet;
4. if nothing is paired yet, settings that are alone on their side.

Any other pair would be a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path

import polars as pl

from ethnos_sim.experiments.evidence.evidence import Evidence, Setting, Situation
from ethnos_sim.experiments.evidence.gathering import gather
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.comparison.differences import (
    ComparedNumber,
    balance_change,
    compare_numbers,
    counted,
    with_verdicts,
)
from ethnos_sim.reports.numbers import headline_numbers, situations_of
from ethnos_sim.reports.rendering.numbers import setting_label
from ethnos_sim.simulator.rules import Rules, ValueDifference, clans_by_power, value_differences
from ethnos_sim.simulator.utilities.errors import WrongInput, nearest


@dataclass(frozen=True, eq=False)
class Side:
    """One side: its label, its evidence, and words that narrow its settings.

    Each word of `only` is an edition, a mode or the name of a rule set.
    """

    label: str
    evidence: Evidence
    only: tuple[str, ...] = ()

    @classmethod
    def of_folder(cls, text: str) -> Side:
        """The results in a folder, narrowed by words after plus signs: results+recruitment.

        Raises:
            WrongInput: there are no results, or a word names none of them.
        """
        folder, only = folder_and_words(text)
        side = cls(text, gather(Path(folder)), only)
        _ = side.settings
        return side

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seed of each plan."""
        return tuple(plan.seed for plan in self.evidence.plans)

    @cached_property
    def situations(self) -> tuple[Situation, ...]:
        """The situations of the settings that are compared."""
        return tuple(s for s in situations_of(self.evidence) if s.setting in self.settings)

    @cached_property
    def settings(self) -> dict[Setting, Rules]:
        """The settings that are compared, with their rules; WrongInput if `only` leaves none."""
        played = dict.fromkeys(situation.setting for situation in situations_of(self.evidence))
        remaining = {setting: self._words_for(setting) for setting in played}
        for word in self.only:
            known = sorted({name for names in remaining.values() for name in names})
            remaining = {setting: names for setting, names in remaining.items() if word in names}
            if not remaining:
                raise WrongInput(
                    f"nothing in {self.label} is called '{word}'{nearest(word, known)}"
                )
        return {setting: self.evidence.rules(setting) for setting in remaining}

    def rules_label(self, setting: Setting) -> str:
        """An edition, a mode and a rule set in words: "2nd edition (2024), printed rules"."""
        about = self.evidence.about(setting)
        named = f"rule set “{about.name}”" if about.name else "changed rules"
        return f"{setting_label(self.settings[setting], setting)}, " + (
            named if about.rules.changed else "printed rules"
        )

    def _words_for(self, setting: Setting) -> set[str]:
        """The words that name a setting."""
        about = self.evidence.about(setting)
        names = {setting.edition, setting.mode, about.name}
        return (names if about.rules.changed else {*names, "printed"}) - {""}


@dataclass(frozen=True, slots=True)
class MatchedSituation:
    """A situation on both sides, number by number.

    Attributes:
        first: the situation on the first side.
        second: the same situation on the second side.
        numbers: every headline number that both sides have.
        balance: the spread of the clans on both sides; None if there are too few games.
        paired: whether both sides played the same deals.
    """

    first: Situation
    second: Situation
    numbers: tuple[ComparedNumber, ...]
    balance: ComparedNumber | None
    paired: bool

    @property
    def identical(self) -> bool:
        """Whether no number differs at all."""
        return all(number.difference.value == 0 for number in self.numbers)


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Two sides, and every situation that both have. Made by `compare`.

    Attributes:
        first: the side that the second one is compared with.
        second: the other side.
        setting_pairs: by each compared setting of the first side, its counterpart on the second.
        matched: the situations that both sides have.
    """

    first: Side
    second: Side
    setting_pairs: Mapping[Setting, Setting]
    matched: tuple[MatchedSituation, ...]

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {word}" for word, count in self.counts.items())
        return f"Comparison of {self.first.label} with {self.second.label}: {counts}"

    def _repr_html_(self) -> str:
        """The comparison in a line, and a table of its numbers, for notebooks."""
        return f"<p>{escape(repr(self))}</p>{self.frame()._repr_html_()}"

    def frame(self) -> pl.DataFrame:
        """Every number that both sides have, a row each: both values and their difference.

        `difference` is the second side less the first, with its 95 % interval from `low` to
        `high`; `verdict` says whether it matters, against `margin`.
        """
        return pl.DataFrame(
            [
                {**match.first._asdict(), **number.row()}
                for match in self.matched
                for number in match.numbers
            ],
            infer_schema_length=None,
        )

    @property
    def counts(self) -> dict[str, int]:
        """How many numbers have each verdict."""
        return counted([number for match in self.matched for number in match.numbers])

    @cached_property
    def rule_differences(self) -> dict[Setting, tuple[ValueDifference, ...]]:
        """The rule values that differ, by the first side's setting; empty for equal rules."""
        return {
            setting: value_differences(self.first.settings[setting], self.second.settings[other])
            for setting, other in self.setting_pairs.items()
        }

    def equal_rules(self, setting: Setting) -> bool:
        """Whether a setting of the first side and its counterpart have the same rules."""
        other = self.setting_pairs[setting]
        first, second = self.first.settings[setting], self.second.settings[other]
        return (first.rules_id, setting.mode) == (second.rules_id, other.mode)

    @cached_property
    def left_out(self) -> tuple[str, ...]:
        """The situations without a counterpart on the other side, in words."""
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
        """Whether both sides used one seed, so that deals with the same number are the same."""
        return _same_seed(self.first, self.second)


def folder_and_words(text: str) -> tuple[str, tuple[str, ...]]:
    """Split a folder from the words after plus signs; an existing folder may contain plus signs."""
    if Path(text).is_dir():
        return text, ()
    folder, *words = text.split("+")
    return folder, tuple(words)


def compare_sides(first: Side, second: Side) -> Comparison:
    """Compare every situation that both sides have, in settings that are paired.

    Raises:
        WrongInput: the sides have no situation in common, or it is unclear which settings to pair.
    """
    setting_pairs = paired_settings(first.settings, second.settings)
    if not setting_pairs:
        raise WrongInput(
            "it is unclear which rules to compare: "
            f"{_choices(first)}, and {_choices(second)}; name one of each side, as in "
            f"{second.label}+NAME"
        )
    known = set(second.situations)
    pairs = [
        (situation, counterpart)
        for situation in first.situations
        if situation.setting in setting_pairs
        and (counterpart := Situation(*setting_pairs[situation.setting], *situation[3:])) in known
    ]
    matched = _matched(first, second, pairs)
    if not any(match.numbers for match in matched):
        raise WrongInput(
            f"{first.label} and {second.label} have nothing in common to compare: no player count "
            "and population was played on both sides"
        )
    return Comparison(first, second, setting_pairs, matched)


def _matched(
    first: Side, second: Side, pairs: Sequence[tuple[Situation, Situation]]
) -> tuple[MatchedSituation, ...]:
    """Compare situations number by number; Holm's correction is made over all of them together."""
    same_seed = _same_seed(first, second)
    paired, differences = [], []
    for here, there in pairs:
        numbers = headline_numbers(first.evidence, here)
        others = headline_numbers(second.evidence, there)
        if here.edition != there.edition:
            renamed = clans_by_power(first.settings[here.setting], second.settings[there.setting])
            others = others.renamed({other: name for name, other in renamed.items()}, "name")
        differences += [
            compare_numbers(numbers, others, same_deals=same_seed),
            balance_change(numbers, others, same_deals=same_seed),
        ]
        paired.append(same_seed and _blocks(numbers) == _blocks(others))
    tables = iter(with_verdicts(differences) if differences else ())
    return tuple(
        MatchedSituation(*pair, next(tables), next(iter(next(tables)), None), same_deals)
        for pair, same_deals in zip(pairs, paired, strict=True)
    )


def _same_seed(first: Side, second: Side) -> bool:
    return len(set(first.seeds)) == 1 and set(first.seeds) == set(second.seeds)


def _blocks(estimates: Estimates) -> set[bytes]:
    """The different columns of leverages, as bytes; they show how games are divided into blocks."""
    return {column.tobytes() for column in estimates.leverage.T}


def _choices(side: Side) -> str:
    """List a side's settings by the words that would choose them, for an error message."""
    names = [
        "+".join(filter(None, (setting.edition, setting.mode, side.evidence.about(setting).name)))
        for setting in side.settings
    ]
    return f"{side.label} has {', '.join(names)}"


PairingKey = Callable[[Setting, Rules], Hashable]
"""A function that gives a setting's key. Settings with equal keys are paired, except for None."""


def paired_settings(
    first: Mapping[Setting, Rules], second: Mapping[Setting, Rules]
) -> dict[Setting, Setting]:
    """Pair settings of the first side with settings of the second; empty if that is unclear."""
    pairs: dict[Setting, Setting] = {}

    def pair(key: PairingKey) -> None:
        ours = _alone_by_key(first, key, pairs)
        theirs = _alone_by_key(second, key, pairs.values())
        pairs.update(
            {setting: theirs[shared] for shared, setting in ours.items() if shared in theirs}
        )

    pair(lambda setting, rules: (rules.rules_id, setting.mode))
    pair(lambda setting, rules: setting if setting.rules else None)
    taken = {(setting.edition, setting.mode) for setting in (*pairs, *pairs.values())}
    pair(lambda setting, rules: None if setting[:2] in taken else setting[:2])
    if not pairs:
        pair(lambda setting, rules: "alone")
    return {setting: pairs[setting] for setting in first if setting in pairs}


def _alone_by_key(
    settings: Mapping[Setting, Rules], key: PairingKey, taken: Collection[Setting]
) -> dict[Hashable, Setting]:
    """The settings that are not in `taken`, by the value of `key` that each of them alone has."""
    by_key: dict[Hashable, list[Setting]] = {}
    for setting, rules in settings.items():
        value = key(setting, rules)
        if setting not in taken and value is not None:
            by_key.setdefault(value, []).append(setting)
    return {value: alone[0] for value, alone in by_key.items() if len(alone) == 1}
