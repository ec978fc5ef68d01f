"""What differs between two sets of rules, lined up by power and not by clan name."""

from dataclasses import dataclass, fields

from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.rules.fields import FIELDS, Value
from ethnos_sim.simulator.rules.model import Rules, Words


@dataclass(frozen=True, slots=True)
class ValueDifference:
    """A value that differs; name and value are None on the side that has no such value."""

    meaning: str
    first_name: str | None
    second_name: str | None
    first: Value | None
    second: Value | None


@dataclass(frozen=True, slots=True)
class PowerNames:
    """The clans that have a power; None where an edition has no such clan."""

    power: Power
    first: str | None
    second: str | None


def value_differences(first: Rules, second: Rules) -> tuple[ValueDifference, ...]:
    """Values and switches that differ, or that only one of the two has, in the order of FIELDS."""
    values = first.values(), second.values()
    differences = []
    for field in FIELDS:
        names = field.name(first.clan_of), field.name(second.clan_of)
        here, there = (
            None if name is None else of[name] for name, of in zip(names, values, strict=True)
        )
        if here != there:
            differences.append(ValueDifference(field.meaning, *names, here, there))
    return tuple(differences)


def power_names(first: Rules, second: Rules) -> tuple[PowerNames, ...]:
    """Each power that either has, with the clan's name on both sides, in the order of Power."""
    pairs = (PowerNames(power, first.clan_of(power), second.clan_of(power)) for power in Power)
    return tuple(pair for pair in pairs if pair.first is not None or pair.second is not None)


def name_differences(first: Rules, second: Rules) -> tuple[tuple[str, str, str], ...]:
    """Words and region names that differ, each as (what it names, first's, second's)."""
    rows = [
        (word.name, getattr(first.words, word.name), getattr(second.words, word.name))
        for word in fields(Words)
    ]
    rows.append(("colors", ", ".join(first.colors), ", ".join(second.colors)))
    rows.append(("region names", ", ".join(first.regions), ", ".join(second.regions)))
    return tuple(row for row in rows if row[1] != row[2])
