"""The bridge from one edition to a later one: how much each change of the rules changed a number.

The editions differ in groups of values and in powers. A sweep can play every combination of these
groups, each group with the earlier or the later values. Then the difference between the printed
editions can be divided among the groups. Groups are recognized by their values, not by names:
values that always change together form one group.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from ethnos_sim.experiments.evidence.evidence import Evidence, Situation
from ethnos_sim.reports.estimators.shapley import Corner, corners
from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.rules import EDITIONS, Field, Rules, lined_up, load_rules, power_names


@dataclass(frozen=True, slots=True, eq=False)
class Bridge:
    """A full set of combinations of the changes between the editions.

    Attributes:
        sweep: the evidence of the sweep that played all combinations, on the same deals.
        printed: the printed rules of both editions, the earlier edition first.
        changes: each change in words.
        situations: the situation of every combination, which has 1 for each change that is made
            and 0 for each other change. Only zeros are the earlier edition as printed, only ones
            the later edition. The last change is the edition itself.
    """

    sweep: Evidence
    printed: tuple[Rules, Rules]
    changes: tuple[str, ...]
    situations: Mapping[Corner, Situation]


def bridges(evidence: Evidence) -> tuple[Bridge, ...]:
    """All bridges of the evidence: one for each pair of editions and kind of table."""
    candidates = []
    for sweep in evidence.sweeps:
        tables = dict.fromkeys((s.mode, s.players, s.population) for s in sweep.situations)
        for earlier, later in edition_pairs(sweep):
            printed = load_rules(earlier), load_rules(later)
            candidates += [_bridge(sweep, printed, *table) for table in tables]
    return tuple(bridge for bridge in candidates if bridge is not None)


def edition_pairs(evidence: Evidence) -> tuple[tuple[str, str], ...]:
    """Every pair of editions that were played: bundled editions by year, then users' editions."""
    played = dict.fromkeys(setting.edition for setting in evidence.all_settings)
    of_users = [name for name in played if name not in EDITIONS]
    return tuple(combinations((*(name for name in EDITIONS if name in played), *of_users), 2))


def clans_by_power(first: Rules, second: Rules) -> dict[str, str]:
    """Map each clan of `first` to the clan of `second` that has the same power, if there is one."""
    pairs = power_names(first, second)
    return {pair.first: pair.second for pair in pairs if pair.first and pair.second}


def _bridge(
    evidence: Evidence, printed: tuple[Rules, Rules], mode: str, players: int, population: str
) -> Bridge | None:
    """The bridge at one kind of table; None if a combination is missing."""
    editions = [rules.edition for rules in printed]
    situation_of = {
        situation.setting: situation
        for situation in evidence.situations
        if (situation.mode, *situation[3:]) == (mode, players, population)
        and situation.edition in editions
    }
    shared = [pair for pair in lined_up(*printed) if None not in pair[1:]]
    # The values that matter at this table and differ between the editions.
    differing = [
        (field, first_name, second_name)
        for field, first_name, second_name in shared
        if field.players[0] <= players <= field.players[1]
        and printed[0].value(str(first_name)) != printed[1].value(str(second_name))
    ]
    states = {
        setting: _states(evidence.rules(setting), differing, *printed) for setting in situation_of
    }
    usable = {setting: state for setting, state in states.items() if state is not None}
    groups: dict[tuple[int, ...], list[Field]] = {}
    for place, (field, *_) in enumerate(differing):
        groups.setdefault(tuple(state[place] for state in usable.values()), []).append(field)
    situations: dict[Corner, Situation] = {}
    for number, setting in enumerate(usable):
        corner = (*(column[number] for column in groups), editions.index(setting.edition))
        situations[corner] = situation_of[setting]
    if len(groups) < 1 or set(situations) != set(corners(len(groups) + 1)):
        return None
    names = [" and ".join(_subjects(fields)) for fields in groups.values()]
    # The clans that only one edition has. This change is left if all shared values are equal.
    unshared = [
        [clan for clan in rules.clans if clan not in clans_by_power(rules, other)]
        for rules, other in (printed[::-1], printed)
    ]
    names.append(" for ".join(", ".join(clans).title() for clans in unshared if clans) or "edition")
    return Bridge(evidence, printed, tuple(names), situations)


#: A value that both editions have: its field, and its dotted name in each edition.
SharedValue = tuple[Field, str | None, str | None]


def _states(
    rules: Rules,
    differing: list[SharedValue],
    first: Rules,
    second: Rules,
) -> tuple[int, ...] | None:
    """For each value in `differing`: 0 if `rules` and `first` agree, 1 if `rules` and `second` do.

    None if `rules` changes the clans, has a third value, or changes a value that is not listed.
    """
    earlier = rules.edition == first.edition
    printed = first if earlier else second
    if rules.clan_changes:
        return None
    states = []
    for _, first_name, second_name in differing:
        value = rules.value(str(first_name if earlier else second_name))
        if value == first.value(str(first_name)):
            states.append(0)
        elif value == second.value(str(second_name)):
            states.append(1)
        else:
            return None
    moved = {(shared_value[1] if earlier else shared_value[2]) for shared_value in differing}
    if any(rules.value(name) != printed.value(name) for name in rules.fields if name not in moved):
        return None
    return tuple(states)


_SUBJECTS = {
    Power.SEA_TRACK: "sea track awards",
    Power.LARGEST_TOKEN: "largest-party token",
    None: "prestige tokens",
}


def _subjects(fields: list[Field]) -> list[str]:
    """The subjects of a group of values, without repetitions."""
    return list(
        dict.fromkeys(
            _SUBJECTS.get(field.powers[0] if field.powers else None, field.meaning)
            for field in fields
        )
    )
