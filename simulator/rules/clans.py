"""Custom clans: changes that a variant or a user makes to an edition's clans.

A clan is changed like a value: `clans.phoenix = "second_party"` adds a clan with that power, or
gives an existing clan another power; `clans.bear = false` removes a clan. In a file a clan may be a
table, `[clans.phoenix]`, with its `power` or the clan that it `replaces`, and any of its values.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.rules.editions import (
    check_clan_name,
    counterpart,
    model_of,
    power_named,
)
from ethnos_sim.simulator.rules.errors import unknown_name
from ethnos_sim.simulator.rules.fields import clan_fields
from ethnos_sim.simulator.rules.model import Rules
from ethnos_sim.simulator.rules.settings import Override, is_custom
from ethnos_sim.simulator.utilities.errors import RulesError

_CLANS = "clans."


def clan_settings(
    rules: Rules, settings: Sequence[Override], problems: list[str]
) -> tuple[list[Override], list[Override]]:
    """Split settings into settings of clans (`CLAN`, `CLAN.replaces`) and settings of values.

    A new clan without a power is added to the problems, and its values are left out.
    """
    clans: list[Override] = []
    values: list[Override] = []
    split = [(setting, *_clan_and_key(setting.name)) for setting in settings]
    named = {*rules.clans, *(clan for setting, clan, key in split if _says_power(setting, key))}
    nameless = dict.fromkeys(clan for _, clan, _ in split if clan and clan not in named)
    problems += [
        f"the clan '{clan}' needs a power, or the clan that it replaces." for clan in nameless
    ]
    for setting, clan, key in split:
        if not clan:
            values.append(setting)
        elif clan not in nameless:
            says_power = key in ("", "power", "replaces")
            name = clan if key in ("", "power") else f"{clan}.{key}"
            (clans if says_power else values).append(replace(setting, name=name))
    return clans, values


def _clan_and_key(name: str) -> tuple[str, str]:
    """The clan and the key of a setting under `clans`; an empty clan for other settings."""
    clan, _, key = name.removeprefix(_CLANS).partition(".")
    return (clan, key) if name.startswith(_CLANS) else ("", "")


def _says_power(setting: Override, key: str) -> bool:
    """Whether a setting is about a clan's power, even if the setting is not valid."""
    return key in ("power", "replaces") or (key == "" and not isinstance(setting.value, Mapping))


def with_clans(rules: Rules, settings: Sequence[Override], problems: list[str]) -> Rules:
    """Rules with clans added, changed and removed; new clans follow in alphabetical order.

    A wrong setting is added to the problems and changes nothing.
    """
    powers: dict[str, Power | None] = {}
    custom = dict(rules.custom_powers)
    models: dict[str, str] = {}
    problems += _replaced_twice(settings)
    for setting in settings:
        try:
            _settle(rules, setting, powers, models, custom)
        except RulesError as error:
            problems += error.problems
    if not powers:
        return rules
    changed = {**rules.powers, **dict(sorted(powers.items()))}
    clans = {clan: power for clan, power in changed.items() if power is not None}
    return _of_clans(rules, clans, models, custom)


def _replaced_twice(settings: Sequence[Override]) -> list[str]:
    """Problems: a clan replaces itself, or a replaced clan is replaced or set once more."""
    by: dict[str, str] = {}
    problems = []
    for setting in settings:
        clan, _, replaces = setting.name.partition(".")
        old = str(setting.value)
        if not replaces:
            continue
        if clan == old:
            problems.append(f"the clan '{clan}' cannot replace itself.")
        elif by.setdefault(old, clan) != clan:
            problems.append(f"'{old}' is replaced by '{by[old]}' and by '{clan}'.")
    problems += [
        f"'{setting.name}' is replaced by '{by[setting.name]}' and set to '{setting.value}'."
        for setting in settings
        if setting.name in by
    ]
    return problems


def _settle(
    rules: Rules,
    setting: Override,
    powers: dict[str, Power | None],
    models: dict[str, str],
    custom: dict[str, str],
) -> None:
    """Record the effect of one setting on a clan; RulesError if it makes no sense."""
    clan, _, replaces = setting.name.partition(".")
    if replaces:
        old = str(setting.value)
        if old not in rules.clans:
            raise RulesError([_no_clan(f"clan that '{clan}' replaces", old, rules)])
        check_clan_name(clan)
        powers[old] = None
        powers.setdefault(clan, rules.power_of(old))
        models[clan] = old
    elif setting.value is False:
        if clan not in rules.clans:
            raise RulesError([_no_clan("clan to take out", clan, rules)])
        powers[clan] = None
    else:
        powers[check_clan_name(clan)] = power_named(clan, setting.value, rules)
        custom.pop(clan, None)
        if is_custom(setting.value):
            custom[clan] = custom_reference(str(setting.value))


def _no_clan(kind: str, clan: str, rules: Rules) -> str:
    """The sentence that the rules have no such clan, with the name to suggest."""
    return unknown_name(kind, clan, rules.clans, counterpart(clan, rules))


def custom_reference(text: str) -> str:
    """The reference of a custom power; its file is run if the text has no hash."""
    if "@" in text:
        return text
    # Import only if needed: most rules have no custom power, and these modules are large.
    from ethnos_sim.simulator.custom_powers.registry import reference_of

    return reference_of(text)


def _of_clans(
    rules: Rules, clans: dict[str, Power], models: dict[str, str], custom: dict[str, str]
) -> Rules:
    """Rules whose clans are `clans`; a new clan takes the values of its model."""
    stated = {name: rules.stated[name] for name, field in rules.fields.items() if not field.powers}
    for clan, power in clans.items():
        model_rules, model = model_of(rules, models.get(clan, clan), power)
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
