"""Turn an edition, variants and settings into a checked `Rules` object."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import cast

from ethnos_sim.simulator.rules.clans import with_clans, with_table_powers
from ethnos_sim.simulator.rules.editions import check_consistency, counterpart, edition_rules
from ethnos_sim.simulator.rules.fields import Field, Value
from ethnos_sim.simulator.rules.model import OVERRIDE, Rules, StatedValue
from ethnos_sim.simulator.rules.settings import (
    SHUFFLED,
    Setting,
    load_variant,
    parse_settings,
    settings_in_table,
)
from ethnos_sim.simulator.utilities.errors import RulesError, name_hint, name_refusal


def load_rules(
    edition: str,
    variant: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
    overrides: str | Sequence[str] | Mapping[str, object] = (),
) -> Rules:
    """The rules of an edition, with one or more variants and then overrides on top.

    `edition` is an edition's name or its number; variants and overrides may follow after plus
    signs, as in "second+mine.toml+bear.on_take=2". `variant` is a bundled name or the path of a
    TOML file, or several of these. The last of several settings of a value holds. `overrides` are
    settings: texts such as "bear.on_take=2" or "bear.age_4_6[2]=9", or a mapping of dotted names
    to values. RulesError with a sentence for every wrong name and value.

    Example:
        >>> from ethnos_sim import load_rules
        >>> load_rules("second+bear.on_take=2").values()["bear.on_take"]
        2
    """
    name, variants, values = split_rule_set(edition)
    rules = edition_rules(name)
    problems: list[str] = []
    settings = parse_settings(values, problems)
    if isinstance(overrides, Mapping):
        settings += settings_in_table(overrides, "the user")
    else:
        settings += parse_settings(
            [overrides] if isinstance(overrides, str) else overrides, problems
        )
    given = (variant,) if isinstance(variant, str | PathLike) else variant
    loaded = [load_variant(named) for named in dict.fromkeys([*variants, *given])]
    problems += [
        f"the variant '{other.name}' is for the {other.edition} edition, "
        f"not for the {rules.edition}."
        for other in loaded
        if other.edition not in (None, rules.edition)
    ]
    settings = [*(change for variant in loaded for change in variant.settings), *settings]
    rules, settings = with_table_powers(rules, settings, problems)
    rules, settings = with_clans(rules, settings, problems)
    return _with_settings(rules, settings, problems)


def split_rule_set(text: str) -> tuple[str, list[str], list[str]]:
    """Split a rule set in one word into its edition, names of variants and modes, and values."""
    edition, *parts = text.split("+")
    named = [part for part in parts if "=" not in part]
    return edition, named, [part for part in parts if "=" in part]


def _with_settings(rules: Rules, settings: Sequence[Setting], problems: list[str]) -> Rules:
    """Rules with values replaced, in order; RulesError with `problems` and all new problems."""
    printed = rules.values()
    values = dict(printed)
    for setting in settings:
        field = rules.fields.get(setting.name)
        if field is None:
            problems.append(_unknown_value_sentence(rules, setting.name))
        else:
            values[setting.name] = _changed_value(field, setting, values[setting.name], problems)
    if problems:
        raise RulesError(problems)
    set_by = {setting.name: setting.set_by for setting in settings}
    changed = {
        name: StatedValue(value, OVERRIDE, OVERRIDE, f"set by {set_by[name]}")
        for name, value in values.items()
        if value != printed[name]
    }
    return check_consistency(replace(rules, stated={**rules.stated, **changed}))


def _changed_value(field: Field, setting: Setting, current: Value, problems: list[str]) -> Value:
    """The value that a setting gives; for a wrong setting, add a problem and return `current`."""
    value = setting.value
    if setting.element is not None:
        length = len(current) if isinstance(current, tuple) else 0
        if not isinstance(current, tuple) or setting.element >= length:
            problems.append(
                f"{setting.name} has no element {setting.element}: "
                + (f"its elements are 0 to {length - 1}." if length else "it is no list.")
            )
            return current
        value = (*current[: setting.element], value, *current[setting.element + 1 :])
    if value == SHUFFLED:
        value = ()
    if not field.accepts(value):
        problems.append(field.refusal(setting.name, value))
        return current
    kept = cast(Value, value)
    return tuple(sorted(kept)) if field.multiset and isinstance(kept, tuple) else kept


def _unknown_value_sentence(rules: Rules, name: str) -> str:
    """The sentence about an unknown value: it suggests a name, or says where all names are."""
    clan, _, key = name.partition(".")
    here = f"{counterpart(clan, rules)}.{key}"
    meant = here if here in rules.fields else None
    if meant or "did you mean" in name_hint(name, rules.fields):
        return name_refusal(rules.value_kind, name, rules.fields, meant)
    return (
        f"unknown {rules.value_kind} '{name}'; `ethnos-sim rules show {rules.edition}` lists them, "
        "and docs/recipes.md says what a power of the table can do instead."
    )
