"""Custom clans and powers: how a variant or a user changes an edition's clans and table.

A clan is changed like a value: `clans.phoenix = "second_party"` adds a clan with that power, or
gives an existing clan another power; `clans.bear = false` removes a clan. In a file a clan may be a
table, `[clans.phoenix]`, with its `power` and any of its values.

House rules in Python that belong to no clan are custom powers of the table,
`table.powers = ["house.py:two_if_empty"]`. The table has the powers of all variants, then the
user's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ethnos_sim.simulator.game.limits import TABLE_POWERS
from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.rules.editions import (
    check_clan_name,
    counterpart,
    model_clan,
    power_named,
)
from ethnos_sim.simulator.rules.fields import clan_fields
from ethnos_sim.simulator.rules.model import Rules
from ethnos_sim.simulator.rules.settings import POWERS_OF_TABLE, Setting, is_custom_power
from ethnos_sim.simulator.utilities.errors import RulesError, name_refusal

_CLANS = "clans."
_POWER = "power"


def with_clans(
    rules: Rules, settings: Sequence[Setting], problems: list[str]
) -> tuple[Rules, list[Setting]]:
    """Rules with clans added, changed and removed, and the settings that change no power.

    New clans come last, in alphabetical order. A wrong power adds a problem and changes nothing.
    A new clan without a power adds a problem, and settings of its values are dropped.
    """
    split = [(setting, *_clan_and_key(setting)) for setting in settings]
    known = {*rules.clans, *(clan for _, clan, key in split if key == _POWER)}
    powerless = dict.fromkeys(clan for _, clan, _ in split if clan and clan not in known)
    problems += [
        f"the clan '{clan}' needs a power, as in clans.{clan} = \"draws_cards\"."
        for clan in powerless
    ]
    values = [
        replace(setting, name=f"{clan}.{key}" if clan else setting.name)
        for setting, clan, key in split
        if key != _POWER and clan not in powerless
    ]
    powers: dict[str, Power | None] = {}
    custom = dict(rules.custom_powers)
    for setting, clan, key in split:
        if key == _POWER:
            try:
                powers[clan] = _chosen_power(rules, clan, setting.value, custom)
            except RulesError as error:
                problems += error.problems
    return _with_powers(rules, powers, custom) if powers else rules, values


def _clan_and_key(setting: Setting) -> tuple[str, str]:
    """The clan and the key in the name `clans.CLAN.KEY`; two empty texts for other names."""
    clan, _, key = setting.name.removeprefix(_CLANS).partition(".")
    if not setting.name.startswith(_CLANS):
        return "", ""
    return clan, key if key or isinstance(setting.value, Mapping) else _POWER


def _chosen_power(rules: Rules, clan: str, value: object, custom: dict[str, str]) -> Power | None:
    """The power that `value` gives a clan, None to remove the clan; RulesError for a wrong value.

    `custom` has the custom powers' references by clan; the clan's entry is written or removed.
    """
    if value is False:
        if clan not in rules.clans:
            known = counterpart(clan, rules)
            raise RulesError([name_refusal("clan to remove", clan, rules.clans, known)])
        return None
    power = power_named(check_clan_name(clan), value, rules)
    custom.pop(clan, None)
    if is_custom_power(value):
        custom[clan] = _custom_reference(str(value))
    return power


def _custom_reference(text: str) -> str:
    """The reference of a custom power; its file is run if the text has no hash."""
    if "@" in text:
        return text
    # Import only if needed: most rules have no custom power, and these modules are large.
    from ethnos_sim.simulator.custom_powers.registry import power_reference

    return power_reference(text)


def _with_powers(rules: Rules, powers: Mapping[str, Power | None], custom: dict[str, str]) -> Rules:
    """Rules with the clans' new `powers`; None removes a clan. New powers bring default values."""
    clans = {
        clan: power
        for clan, power in (dict(rules.powers) | dict(sorted(powers.items()))).items()
        if power is not None
    }
    stated = {name: rules.stated[name] for name, field in rules.fields.items() if not field.powers}
    for clan, power in clans.items():
        model_rules, model = model_clan(rules, clan, power)
        for field in clan_fields(power):
            stated[f"{clan}.{field.key}"] = model_rules.stated[f"{model}.{field.key}"]
    changes: dict[str, str | bool] = {clan: False for clan in rules.clans if clan not in clans}
    changes |= {
        clan: custom.get(clan, power.name.lower())
        for clan, power in clans.items()
        if rules.powers.get(clan) is not power or clan in custom
    }
    return replace(
        rules,
        powers=clans,
        stated=stated,
        custom_powers=tuple((clan, custom[clan]) for clan in clans if clan in custom),
        clan_changes={clan: changes[clan] for clan in sorted(changes)},
    )


def with_table_powers(
    rules: Rules, settings: Sequence[Setting], problems: list[str]
) -> tuple[Rules, list[Setting]]:
    """Rules with the powers that settings give to the table, and all other settings.

    A wrong power adds a problem.
    """
    references: list[str] = []
    for setting in settings:
        if setting.name == POWERS_OF_TABLE:
            try:
                references += map(_table_power_reference, _powers_in_setting(setting))
            except RulesError as error:
                problems += error.problems
    different = tuple(dict.fromkeys((*rules.table_powers, *references)))
    if len(different) > TABLE_POWERS:
        problems.append(f"the table has {len(different)} powers; at most {TABLE_POWERS} fit.")
    others = [setting for setting in settings if setting.name != POWERS_OF_TABLE]
    return replace(rules, table_powers=different) if different else rules, others


def _powers_in_setting(setting: Setting) -> tuple[object, ...]:
    """The powers that a setting names, one or several."""
    return setting.value if isinstance(setting.value, tuple) else (setting.value,)


def _table_power_reference(power: object) -> str:
    """The reference of a power of the table; RulesError if it is no custom power."""
    if not is_custom_power(power):
        raise RulesError([f"a power of the table is FILE.py:NAME, not {power!r}."])
    return _custom_reference(str(power))
