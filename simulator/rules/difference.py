"""Compare two sets of rules, with clans matched by power instead of name."""

from dataclasses import dataclass
from itertools import zip_longest

from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.rules.fields import TABLE_FIELDS, Field, Value, clan_fields
from ethnos_sim.simulator.rules.model import Rules


@dataclass(frozen=True, slots=True)
class ValueDifference:
    """A value that two sets of rules state differently; None stands for a missing name or value."""

    meaning: str
    first_name: str | None
    second_name: str | None
    first: Value | None
    second: Value | None


ClanPair = tuple[Power, str | None, str | None]
"""A power, its clan in the first rules and its clan in the second; None if there is no clan."""


def value_differences(first: Rules, second: Rules) -> tuple[ValueDifference, ...]:
    """Values and switches that differ, or that only `first` or only `second` has."""
    before, after = first.values(), second.values()
    lined = (
        ValueDifference(field.meaning, name, peer, before.get(name or ""), after.get(peer or ""))
        for field, name, peer in _paired_values(first, second)
    )
    return tuple(difference for difference in lined if difference.first != difference.second)


def _paired_values(first: Rules, second: Rules) -> list[tuple[Field, str | None, str | None]]:
    """Every value with its dotted name in `first` and its dotted name in `second`.

    Values of the table come first, then values of clans, by power. A name is None if the rules do
    not have the value.
    """
    named = [(field, field.key, field.key) for field in TABLE_FIELDS]
    for power, clan, counterpart in clan_pairs(first, second):
        named += [
            (field, f"{clan}.{field.key}", f"{counterpart}.{field.key}")
            for field in clan_fields(power)
        ]
    lined = [
        (field, name if name in first.fields else None, peer if peer in second.fields else None)
        for field, name, peer in named
    ]
    return [line for line in lined if line[1:] != (None, None)]


def clan_pairs(first: Rules, second: Rules) -> tuple[ClanPair, ...]:
    """Pair the clans of two rules by power, in the order of the powers.

    If several clans have one power, clans of the same name are paired first, other clans in order.
    """
    pairs: list[ClanPair] = []
    for power in Power:
        first_clans, second_clans = (
            [clan for clan, clan_power in rules.powers.items() if clan_power is power]
            for rules in (first, second)
        )
        pairs += [(power, clan, clan) for clan in first_clans if clan in second_clans]
        only_first = [clan for clan in first_clans if clan not in second_clans]
        only_second = [clan for clan in second_clans if clan not in first_clans]
        pairs += [(power, *names) for names in zip_longest(only_first, only_second)]
    return tuple(pairs)


def clan_counterparts(first: Rules, second: Rules) -> dict[str, str]:
    """For clans of `first`: the clan of `second` that has the same power, if there is one."""
    return {clan: other for _, clan, other in clan_pairs(first, second) if clan and other}
