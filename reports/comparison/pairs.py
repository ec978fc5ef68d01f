"""Which situations of some evidence belong beside each other: editions, modes and rule sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.comparison.bridge import bridges, clans_by_power, edition_pairs
from ethnos_sim.reports.comparison.situations import Compared, compare_numbers, in_words
from ethnos_sim.reports.evidence.evidence import Evidence, Setting, Situation
from ethnos_sim.reports.numbers.table import headline_numbers
from ethnos_sim.simulator.modes import RECRUITMENT, STANDARD
from ethnos_sim.simulator.rules import ValueDifference, value_differences


@dataclass(frozen=True, eq=False)
class Counterparts:
    """A situation on both sides, as one sweep played it: the same clan sets and deals."""

    sweep: Evidence
    first: Situation
    second: Situation

    @cached_property
    def games(self) -> int:
        """The games of the side that has fewer."""
        return min(_games(self.sweep, side) for side in (self.first, self.second))

    @cached_property
    def numbers(self) -> tuple[Estimates, Estimates]:
        """The headline numbers of both sides."""
        first, second = (headline_numbers(self.sweep, side) for side in (self.first, self.second))
        return first, second


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Two settings that differ in one respect, with the situations that both have.

    Attributes:
        first: what the second is compared with.
        second: the other setting.
        tables: the situations that both sides played in one sweep.
        changes: the values that differ, where both are of the same edition.
        renamed: what the second calls the first's clans, where it differs.
    """

    first: Setting
    second: Setting
    tables: tuple[Counterparts, ...]
    changes: tuple[ValueDifference, ...]
    renamed: Mapping[str, str]


def compared(pair: Pair) -> dict[Situation, tuple[Compared, ...]]:
    """The numbers of every situation of a pair, by the first side's situation."""
    return {
        table.first: in_words(compare_numbers(*table.numbers, renamed=pair.renamed))
        for table in pair.tables
    }


def compared_settings(evidence: Evidence) -> tuple[Pair, ...]:
    """Editions, then the Recruitment variant, then rule sets that are changes of the rules."""
    found: list[Pair] = []
    for sweep in evidence.sweeps:
        for earlier, later in edition_pairs(sweep):
            for setting in sweep.settings:
                if setting.edition == later:
                    found.append(_pair(sweep, replace(setting, edition=earlier), setting))
    for sweep in evidence.sweeps:
        for setting in sweep.settings:
            if setting.mode == RECRUITMENT:
                found.append(_pair(sweep, replace(setting, mode=STANDARD), setting))
    for sweep in evidence.sweeps:
        found += [] if _about_sensitivity(sweep) else _rule_sets(sweep)
    return _merged(found)


def varied_assumptions(evidence: Evidence) -> tuple[Pair, ...]:
    """The rule sets that stand for what is not known of the rules."""
    return _merged(
        pair for sweep in evidence.sweeps if _about_sensitivity(sweep) for pair in _rule_sets(sweep)
    )


def _merged(pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    """One pair for two settings, each situation from the sweep that played most of it."""
    found: dict[tuple[Setting, Setting], Pair] = {}
    for pair in pairs:
        if not pair.tables:
            continue
        before = found.setdefault((pair.first, pair.second), pair)
        tables = {table.first: table for table in before.tables}
        for table in pair.tables:
            known = tables.get(table.first)
            if known is None or table.games > known.games:
                tables[table.first] = table
        in_order = sorted(tables.values(), key=lambda table: table.first.players)
        found[pair.first, pair.second] = replace(before, tables=tuple(in_order))
    return tuple(found.values())


def _rule_sets(sweep: Evidence) -> list[Pair]:
    """Each rule set beside its edition's reference; those of an edition bridge are told there."""
    bridged = {s.setting for bridge in bridges(sweep) for s in bridge.situations.values()}
    pairs = [
        _pair(sweep, replace(setting, rules=""), setting)
        for setting in sweep.variants
        if setting not in bridged
    ]
    return [pair for pair in pairs if pair.changes]


def _about_sensitivity(sweep: Evidence) -> bool:
    """Whether the spec of a sweep says that its rule sets are about sensitivity."""
    return any(plan.sensitivity for plan in sweep.plans)


def _pair(sweep: Evidence, first: Setting, second: Setting) -> Pair:
    """The pair of two settings of a sweep; without tables where one was not played."""
    known = frozenset(sweep.all_situations)
    tables = tuple(
        Counterparts(sweep, counterpart, situation)
        for situation in sweep.all_situations
        if situation.setting == second
        for counterpart in [replace(situation, setting=first)]
        if counterpart in known
    )
    if not tables:
        return Pair(first, second, (), (), {})
    before, after = sweep.rules(first), sweep.rules(second)
    if first.edition != second.edition:
        return Pair(first, second, tables, (), clans_by_power(before, after))
    return Pair(first, second, tables, value_differences(before, after), {})


def _games(sweep: Evidence, situation: Situation) -> int:
    """The games of a situation, one-seat line-ups included."""
    ordinary = sweep.strata(situation).values()
    restricted = [sums for (about, _), sums in sweep.interventions.items() if about == situation]
    return sum(sums.games for sums in ordinary) + sum(sums.games for sums in restricted)
