"""`ethnos-sim rules`: show the rule values in force, differences, and sources."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby

import click

from ethnos_sim.commands.options import json_option
from ethnos_sim.commands.tables import print_json, print_table
from ethnos_sim.simulator.rules import (
    Rules,
    RuleSet,
    bundled_variants,
    clan_pairs,
    load_variant,
    value_differences,
    value_text,
)
from ethnos_sim.simulator.user_code.loading import without_running_files

NOTHING = "–"

#: The note after the id of rules whose custom powers did not run.
_NOT_RUN = " (another id where games are played: its custom powers were not run)"


@click.group("rules")
def command() -> None:
    """Show rule values, their sources, and what differs between editions.

    RULES are an edition (first or second), followed by variants, a mode and values
    after plus signs: second+mine.toml+bear.on_take=2. These commands do not run the Python of
    custom powers.
    """
    click.get_current_context().with_resource(without_running_files())


def _load_rules(context: click.Context, argument: click.Parameter, word: str) -> Rules:
    """Load the rules that a word such as second+recruitment means; RulesError if it is wrong."""
    return RuleSet.parse(word).rules()


@command.command("show")
@click.argument("rules", metavar="[RULES]", callback=_load_rules, default="second")
@json_option
def show(rules: Rules, as_json: bool) -> None:
    """Show the clans and every value in force.

    By default, RULES is second. One number of a list is changed as in second+bear.age_4_6[2]=9,
    which is the third number, as the first number has the index 0.
    """
    if as_json:
        print_json(_rules_record(rules))
        return
    words = rules.words
    click.echo(f"{rules.title}, rules {rules.rules_id}{_NOT_RUN * bool(rules.all_custom_powers)}")
    click.echo(f"{words.regions.capitalize()}: {', '.join(map(rules.region, rules.colors))}\n")
    powers = (
        (clan, power.label, words.translate(power.description))
        for clan, power in rules.powers.items()
    )
    print_table(words.clans.capitalize(), (words.clan, "power", "what it does"), powers)
    for title, rows in groupby(_value_rows(rules), key=lambda row: row[0]):
        print_table(title, ("name", "value", "confidence", "meaning"), [row[1:] for row in rows])


def _value_rows(rules: Rules) -> Iterator[tuple[str, str, str, str, str]]:
    """Every value as a row, which begins with the title of its table: a group or a clan."""
    for name, value in rules.values().items():
        field = rules.fields[name]
        clan = name.partition(".")[0]
        title = GROUP_TITLES.get(field.group)
        if title is None:  # As in "Red panda: keeps cards".
            title = f"{clan.replace('_', ' ').capitalize()}: {rules.power_of(clan).label}"
        meaning = rules.words.translate(field.meaning)
        confidence = rules.stated[name].confidence
        yield rules.words.translate(title), name, value_text(value), confidence, meaning


GROUP_TITLES = {
    "table": "The table",
    "cards": "Cards",
    "markers": "Markers",
    "prestige": "Prestige",
    "readings": "Readings of an open text",
    "solo": "Solo mode",
}


@command.command("diff")
@click.argument("first")
@click.argument("second")
def diff(first: str, second: str) -> None:
    """List what differs between two rule sets, matched by power.

    FIRST and SECOND are editions, which variants and changed values may follow after plus
    signs: first+first-alternative-tokens, second+my-variant.toml, second+bear.on_take=2.
    """
    rules = RuleSet.parse(first).rules(), RuleSet.parse(second).rules()
    values = value_differences(*rules)
    if not values:
        click.echo("No value differs.")
        return
    powers = [
        (power.label, clan or NOTHING, counterpart or NOTHING)
        for power, clan, counterpart in clan_pairs(*rules)
    ]
    if any(first_name != second_name for _, first_name, second_name in powers):
        print_table("Clans by power", ("power", first, second), powers)
    rows = [
        (
            " / ".join(dict.fromkeys(filter(None, (value.first_name, value.second_name)))),
            *(
                NOTHING if side is None else value_text(side)
                for side in (value.first, value.second)
            ),
            value.meaning,
        )
        for value in values
    ]
    print_table("Values", ("name", first, second, "meaning"), rows)


@command.command("sources")
@click.argument("rules", metavar="RULES", callback=_load_rules)
def sources(rules: Rules) -> None:
    """List sources and confidence of values, and bundled variants."""
    rows = []
    for name, stated in rules.stated.items():
        source = " – ".join(filter(None, (stated.source, rules.words.translate(stated.note))))
        rows.append((name, value_text(stated.value), stated.confidence, source))
    columns = ("name", "value", "confidence", "source and note")
    print_table(f"{rules.title}: values and their sources", columns, rows)
    variants = map(load_variant, bundled_variants())
    fitting = [
        (variant.name, variant.description)
        for variant in variants
        if variant.edition in (None, rules.edition)
    ]
    print_table("Bundled variants", ("name", "description"), fitting)


def _rules_record(rules: Rules) -> dict[str, object]:
    """The rules for `--json`."""
    return {
        "edition": rules.edition,
        "title": rules.title,
        "rules_id": rules.rules_id,
        "words": asdict(rules.words),
        "regions": dict(zip(rules.colors, rules.regions, strict=True)),
        "clans": {clan: power.name.lower() for clan, power in rules.powers.items()},
        "values": rules.trace_values(),
        "provenance": {
            name: {"source": stated.source, "confidence": stated.confidence, "note": stated.note}
            for name, stated in rules.stated.items()
        },
    }
