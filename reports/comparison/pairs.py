"""Which situations of some evidence belong beside each other: editions, modes and rule sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ethnos_sim.reports.bridge import FIRST, SECOND, bridges, clans_by_power
from ethnos_sim.reports.comparison.situations import Compared, compare_measures
from ethnos_sim.reports.evidence import Evidence, Setting, Situation
from ethnos_sim.reports.headline_numbers import headline_measures
from ethnos_sim.simulator.modes import RECRUITMENT, STANDARD
from ethnos_sim.simulator.rules import Rules

UNCERTAIN = ("assumed", "medium")
"""How sure a value is that a sensitivity analysis may vary: no source states it, or only one."""


@dataclass(frozen=True, slots=True)
class Change:
    """A value that a rule set changes: its name, what it was and what it became."""

    name: str
    before: object
    after: object


@dataclass(frozen=True, slots=True)
class Pair:
    """Two settings that differ in one respect, with the situations that both have.

    Attributes:
        first: what the second is compared with.
        second: the other setting.
        situations: each situation of the first with its counterpart.
        changes: the values that differ, where both are of the same edition.
        renamed: what the second calls the first's clans, where it differs.
    """

    first: Setting
    second: Setting
    situations: tuple[tuple[Situation, Situation], ...]
    changes: tuple[Change, ...]
    renamed: Mapping[str, str]


def compared(evidence: Evidence, pair: Pair) -> dict[Situation, tuple[Compared, ...]]:
    """The numbers of every situation of a pair, by the first side's situation."""
    return {
        first: compare_measures(
            headline_measures(evidence, first),
            headline_measures(evidence, second),
            renamed=pair.renamed,
        )
        for first, second in pair.situations
    }


def compared_settings(evidence: Evidence) -> tuple[Pair, ...]:
    """Editions, then the Recruitment variant, then rule sets that change a value that is known."""
    found = []
    for setting in evidence.settings:
        if setting.edition == SECOND:
            found.append(_pair(evidence, replace(setting, edition=FIRST), setting))
        if setting.mode == RECRUITMENT:
            found.append(_pair(evidence, replace(setting, mode=STANDARD), setting))
    found += [pair for pair in _rule_sets(evidence) if not _varies_uncertain(evidence, pair)]
    return tuple(pair for pair in found if pair.situations)


def varied_assumptions(evidence: Evidence) -> tuple[Pair, ...]:
    """The rule sets that change nothing but values that are not known for sure."""
    return tuple(pair for pair in _rule_sets(evidence) if _varies_uncertain(evidence, pair))


def _rule_sets(evidence: Evidence) -> list[Pair]:
    """Each rule set beside its edition's reference; those of an edition bridge are told there."""
    bridged = {s.setting for bridge in bridges(evidence) for s in bridge.situations.values()}
    pairs = [
        _pair(evidence, replace(setting, rules=""), setting)
        for setting in evidence.variants
        if setting not in bridged
    ]
    return [pair for pair in pairs if pair.situations and pair.changes]


def _varies_uncertain(evidence: Evidence, pair: Pair) -> bool:
    """Whether all values that differ are uncertain ones."""
    rules = evidence.rules(pair.first)
    return all(rules.provenance(c.name).confidence in UNCERTAIN for c in pair.changes)


def _pair(evidence: Evidence, first: Setting, second: Setting) -> Pair:
    """The pair of two settings; without situations where one was not played."""
    known = dict.fromkeys(evidence.situations)
    known |= dict.fromkeys(situation for situation, _ in evidence.one_seat)
    situations = tuple(
        (counterpart, situation)
        for situation in known
        if situation.setting == second
        for counterpart in [replace(situation, setting=first)]
        if counterpart in known
    )
    if not situations:
        return Pair(first, second, (), (), {})
    before, after = evidence.rules(first), evidence.rules(second)
    if first.edition != second.edition:
        return Pair(first, second, situations, (), clans_by_power(before, after))
    return Pair(first, second, situations, _changes(before, after), {})


def _changes(before: Rules, after: Rules) -> tuple[Change, ...]:
    """The values of an edition that differ between two of its rule sets."""
    new = after.values()
    return tuple(
        Change(name, value, new[name])
        for name, value in before.values().items()
        if new[name] != value
    )
