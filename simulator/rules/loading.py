"""From an edition, a variant and overrides to a checked `Rules` object."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any, cast

from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.rules.errors import RulesError, unknown_name
from ethnos_sim.simulator.rules.fields import FIELDS, Field, Value
from ethnos_sim.simulator.rules.model import Rules, Words
from ethnos_sim.simulator.rules.overrides import Override, overrides_of_table, parse_overrides
from ethnos_sim.simulator.rules.provenance import Provenance
from ethnos_sim.simulator.rules.variant import combined, load_variant

EDITIONS = ("first", "second")

_VALUES = Path(__file__).parent / "values"


def load_rules(
    edition: str,
    variant: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
    overrides: Sequence[str] | Mapping[str, object] = (),
) -> Rules:
    """The rules of an edition, with one or more variants and then overrides on top.

    `variant` is a bundled name or the path of a TOML file, or several of these, which combine where
    no two set a value to different ones. `overrides` are texts such as "bear.on_take=2" or
    "bear.age_4_6[2]=9", or a mapping of dotted names to values.
    RulesError with a sentence for every wrong name and value.
    """
    rules = edition_rules(edition)
    settings: list[Override] = []
    problems: list[str] = []
    if isinstance(overrides, Mapping):
        settings += overrides_of_table(overrides, "the user")
    else:
        for text in overrides:
            try:
                settings += parse_overrides([text])
            except RulesError as error:
                problems += error.problems
    named = (variant,) if isinstance(variant, str | PathLike) else variant
    loaded = [load_variant(each) for each in dict.fromkeys(named)]
    problems += [
        f"the variant '{each.name}' is for the {each.edition} edition, not for the {edition}."
        for each in loaded
        if each.edition not in (None, edition)
    ]
    settled = {setting.name for setting in settings if setting.element is None}
    settings = [*combined(loaded, settled), *settings]
    return _with_overrides(rules, settings, problems) if settings or problems else rules


def parse_rules(text: str) -> Rules:
    """Rules from one word: an edition, then variants and overrides, each after a plus sign.

    Examples: "second", "first+first-alternative-tokens", "second+bear.on_take=2".
    RulesError as `load_rules`.
    """
    return load_rules(*rules_parts(text))


def rules_parts(text: str) -> tuple[str, list[str], list[str]]:
    """The edition, variants and overrides that a word of `parse_rules` names, unchecked."""
    edition, *parts = text.split("+")
    variants = [part for part in parts if "=" not in part]
    return edition, variants, [part for part in parts if "=" in part]


@cache
def edition_rules(edition: str) -> Rules:
    """The rules of an edition as bundled, before any variant or override."""
    if edition not in EDITIONS:
        raise RulesError([unknown_name("edition", edition, EDITIONS)])
    shared, own = (
        tomllib.loads((_VALUES / f"{name}.toml").read_text(encoding="utf-8"))
        for name in ("shared", edition)
    )
    clans = tuple(own["clans"])
    powers = tuple(Power[name.upper()] for name in own["clans"].values())
    clan_of = dict(zip(powers, clans, strict=True)).get
    tables = {**shared["values"], **own["values"]}
    values: dict[str, Any] = {}
    sources = {}
    for field in FIELDS:
        name = field.name(clan_of)
        if name is not None:
            table = _lookup(tables, name)
            raw = table["value"]
            values[field.attribute] = tuple(raw) if isinstance(raw, list) else raw
            sources[name] = Provenance(table["source"], table["confidence"], table.get("note", ""))
    return Rules(
        edition=edition,
        title=own["title"],
        colors=tuple(own["colors"]),
        regions=tuple(own["regions"][color] for color in own["colors"]),
        clans=clans,
        powers=powers,
        words=Words(**own["words"]),
        sources=sources,
        **values,
    )


def _lookup(tables: Mapping[str, Any], dotted: str) -> Mapping[str, Any]:
    """The table at a dotted name in nested tables."""
    for part in dotted.split("."):
        tables = tables[part]
    return tables


def _with_overrides(rules: Rules, settings: Sequence[Override], problems: list[str]) -> Rules:
    """Rules with values replaced, in order; RulesError with all `problems` and those found."""
    printed = rules.values()
    values = dict(printed)
    for setting in settings:
        field = rules.fields.get(setting.name)
        if field is None:
            meant = _name_here(rules, setting.name)
            problems.append(unknown_name(rules.value_kind, setting.name, rules.fields, meant))
        else:
            values[setting.name] = _resolved(field, setting, values[setting.name], problems)
    if problems:
        raise RulesError(problems)
    set_by = {setting.name: setting.set_by for setting in settings}
    sources = dict(rules.sources)
    for name, value in values.items():
        if value != printed[name]:
            sources[name] = Provenance.of_override(set_by[name])
    changed: dict[str, Any] = {rules.fields[name].attribute: values[name] for name in values}
    result = replace(rules, sources=sources, **changed)
    _check_symbols(result)
    return result


def _resolved(field: Field, setting: Override, current: Value, problems: list[str]) -> Value:
    """The value a setting leads to; the current one, and one more problem, where it is wrong."""
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
    if not field.accepts(value):
        shown = json.dumps(value, default=str)
        problems.append(f"{setting.name} must be {field.shape}, not {shown}.")
        return current
    accepted = cast(Value, value)
    return tuple(sorted(accepted)) if field.multiset and isinstance(accepted, tuple) else accepted


def _check_symbols(rules: Rules) -> None:
    """No symbol lies beyond the last space of the sea track; RulesError otherwise."""
    if rules.sea_symbols and rules.sea_symbols[-1] > rules.sea_last_space:
        clan = rules.clan_of(Power.SEA_TRACK)
        raise RulesError(
            [
                f"{clan}.symbols reaches space {rules.sea_symbols[-1]}, beyond "
                f"{clan}.last_space = {rules.sea_last_space}: set both."
            ]
        )


def _name_here(rules: Rules, name: str) -> str | None:
    """This edition's name of a value called by another edition's name, or without its clan."""
    for field in FIELDS:
        elsewhere = {field.name(edition_rules(edition).clan_of) for edition in EDITIONS}
        if name in elsewhere or name in (field.attribute, field.key):
            return field.name(rules.clan_of)
    return None
