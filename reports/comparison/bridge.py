"""The bridge from one edition to a later one: the rule sets that make it, and what each changed.

The editions differ in groups of values and in powers. Where a sweep played both editions with
every combination of these groups, each set to the earlier's or to the later's values, the
difference between the printed editions can be shared out among the groups. They are found from the
values in force, not from names: values that never change apart belong to one group.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from ethnos_sim.experiments.evidence.evidence import Evidence, Situation
from ethnos_sim.reports.estimators.shapley import Corner, corners
from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.rules import EDITIONS, Field, Rules, lined_up, load_rules, power_names


@dataclass(frozen=True, slots=True, eq=False)
class Bridge:
    """A full set of combinations of the changes between the editions.

    Attributes:
        sweep: the evidence of the sweep that played them all, on the same deals.
        printed: the printed rules of both editions, the earlier's first.
        changes: what each change is, in words.
        situations: the situation at every combination; all 0 is the earlier edition as printed, all
            1 the later. The last change is the edition itself.
    """

    sweep: Evidence
    printed: tuple[Rules, Rules]
    changes: tuple[str, ...]
    situations: Mapping[Corner, Situation]


def bridges(evidence: Evidence) -> tuple[Bridge, ...]:
    """The bridges of each sweep: by two editions, mode, player count and population."""
    found = []
    for sweep in evidence.sweeps:
        tables = dict.fromkeys((s.mode, s.players, s.population) for s in sweep.situations)
        for earlier, later in edition_pairs(sweep):
            printed = load_rules(earlier), load_rules(later)
            found += [_bridge(sweep, printed, *table) for table in tables]
    return tuple(bridge for bridge in found if bridge is not None)


def edition_pairs(evidence: Evidence) -> tuple[tuple[str, str], ...]:
    """Every two editions that were played: the bundled ones by year, then those of users."""
    played = dict.fromkeys(setting.edition for setting in evidence.all_settings)
    of_users = [name for name in played if name not in EDITIONS]
    return tuple(combinations((*(name for name in EDITIONS if name in played), *of_users), 2))


def clans_by_power(first: Rules, second: Rules) -> dict[str, str]:
    """What the second rules call each clan of the first that has a power there."""
    pairs = power_names(first, second)
    return {pair.first: pair.second for pair in pairs if pair.first and pair.second}


def _bridge(
    evidence: Evidence, printed: tuple[Rules, Rules], mode: str, players: int, population: str
) -> Bridge | None:
    """The bridge at one kind of table; None where a combination is missing."""
    editions = [rules.edition for rules in printed]
    at = {
        situation.setting: situation
        for situation in evidence.situations
        if (situation.mode, *situation[3:]) == (mode, players, population)
        and situation.edition in editions
    }
    shared = [each for each in lined_up(*printed) if None not in each[1:]]
    # What matters at this table, and is not the same in both editions.
    differing = [
        (field, here, there)
        for field, here, there in shared
        if field.players[0] <= players <= field.players[1]
        and printed[0].value(str(here)) != printed[1].value(str(there))
    ]
    states = {setting: _states(evidence.rules(setting), differing, *printed) for setting in at}
    kept = {setting: state for setting, state in states.items() if state is not None}
    groups: dict[tuple[int, ...], list[Field]] = {}
    for place, (field, *_) in enumerate(differing):
        groups.setdefault(tuple(state[place] for state in kept.values()), []).append(field)
    situations: dict[Corner, Situation] = {}
    for number, setting in enumerate(kept):
        corner = (*(column[number] for column in groups), editions.index(setting.edition))
        situations[corner] = at[setting]
    if len(groups) < 1 or set(situations) != set(corners(len(groups) + 1)):
        return None
    names = [" and ".join(_subjects(fields)) for fields in groups.values()]
    # The clans that only one edition has: what is left when all values are the same.
    only = [
        [clan for clan in own.clans if clan not in clans_by_power(own, other)]
        for own, other in (printed[::-1], printed)
    ]
    names.append(" for ".join(", ".join(clans).title() for clans in only if clans) or "edition")
    return Bridge(evidence, printed, tuple(names), situations)


#: A value that both editions have: what it is, and its dotted name in each.
SharedValue = tuple[Field, str | None, str | None]


def _states(
    rules: Rules,
    differing: list[SharedValue],
    first: Rules,
    second: Rules,
) -> tuple[int, ...] | None:
    """For each differing value 0 where it is the first rules', 1 where the second's; else None."""
    earlier = rules.edition == first.edition
    printed = first if earlier else second
    if rules.clan_changes:
        return None
    states = []
    for _, here, there in differing:
        value = rules.value(str(here if earlier else there))
        if value == first.value(str(here)):
            states.append(0)
        elif value == second.value(str(there)):
            states.append(1)
        else:
            return None
    moved = {(each[1] if earlier else each[2]) for each in differing}
    if any(rules.value(name) != printed.value(name) for name in rules.fields if name not in moved):
        return None
    return tuple(states)


_SUBJECTS = {
    Power.SEA_TRACK: "sea track awards",
    Power.LARGEST_TOKEN: "largest-party token",
    None: "prestige tokens",
}


def _subjects(fields: list[Field]) -> list[str]:
    """What a group of values is about, each subject once."""
    return list(
        dict.fromkeys(
            _SUBJECTS.get(field.powers[0] if field.powers else None, field.meaning)
            for field in fields
        )
    )
