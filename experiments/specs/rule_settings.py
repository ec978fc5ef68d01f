"""The rules of a sweep: variants and single values, resolved for each of its editions.

A sweep over both editions may set a value that only one of them has. The value is then set in this
edition, and the other stays as it is. A value that no edition of the sweep has is an error.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence

from ethnos_sim.simulator.rules import Rules, RulesError, load_rules, load_variant
from ethnos_sim.simulator.rules.overrides import overrides_of_table, parse_overrides


def settings_of_table(table: Mapping[str, object] | Sequence[str]) -> list[str]:
    """The settings of a spec as NAME=VALUE texts.

    Args:
        table: the texts themselves, or names with values; nested tables make dotted names.
    """
    if not isinstance(table, Mapping):
        return list(table)
    return [
        f"{setting.name}={json.dumps(setting.value, default=str)}"
        for setting in overrides_of_table(table, "the spec")
    ]


def resolve_rules(
    editions: Sequence[str], settings: Sequence[str] = (), variants: Sequence[str] = ()
) -> dict[str, Rules]:
    """The rules of each edition with the variants and the settings that belong to it.

    Args:
        editions: the sweep's editions.
        settings: NAME=VALUE texts; a later text replaces an earlier text and a variant's value.
        variants: names of bundled variants or paths of variant files; a variant for a single
            edition leaves the others as they are.

    Raises:
        RulesError: names or values are wrong; the error has a sentence for each, without
            repetitions.
    """
    problems: list[str] = []
    only_for = {variant: _edition_of(variant, editions, problems) for variant in variants}
    home_of = {text: _homes(text, editions, settings, list(only_for)) for text in settings}
    rules = {}
    for edition in editions:
        here = [text for text in settings if edition in home_of[text]]
        try:
            fitting = [variant for variant, only in only_for.items() if only in (None, edition)]
            rules[edition] = load_rules(edition, fitting, here)
        except RulesError as error:
            problems += error.problems
    if problems:
        raise RulesError(list(dict.fromkeys(problems)))
    return rules


def _edition_of(variant: str, editions: Sequence[str], problems: list[str]) -> str | None:
    """The only edition that a variant is for, or None; add a problem if `editions` lack it."""
    try:
        edition = load_variant(variant).edition
    except RulesError:
        # The error is reported when the rules are loaded with the variant.
        return None
    if edition is not None and edition not in editions:
        problems.append(
            f'The variant "{variant}" is for the {edition} edition, which is not played.'
        )
    return edition


def _homes(
    text: str, editions: Sequence[str], settings: Sequence[str], variants: Sequence[str]
) -> Sequence[str]:
    """The editions that have the value in `text`; if none has it, the first, to report the error.

    A user's clan and its values belong to all editions.
    """
    parsed = parse_overrides([text], [])
    if not parsed:
        return editions[:1]
    setting = parsed[0]
    clan, of_clan, _ = setting.name.removeprefix("clans.").partition(".")
    if setting.name.startswith("clans.") and setting.value is not False:
        return editions
    names = {text_set.partition("=")[0].strip() for text_set in settings}
    for variant in variants:
        # The error is reported when the rules are loaded with the variant.
        with contextlib.suppress(RulesError):
            names |= {override.name for override in load_variant(variant).overrides}
    if of_clan and any(
        name == f"clans.{clan}" or name.startswith(f"clans.{clan}.") for name in names
    ):
        return editions
    known = [
        edition
        for edition in editions
        if setting.name in load_rules(edition).fields or clan in load_rules(edition).clans
    ]
    return known or editions[:1]
