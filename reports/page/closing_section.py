"""The last section of a page: the limits of its numbers, and how to make it again."""

from __future__ import annotations

from collections.abc import Iterator

from ethnos_sim.experiments.evidence.evidence import Evidence
from ethnos_sim.experiments.plans.plan import Plan
from ethnos_sim.experiments.specs.spec import bundled_path, bundled_specs, load_spec
from ethnos_sim.reports.estimators.margins import MARGINS, Margin
from ethnos_sim.reports.misplays import misplay_sentences
from ethnos_sim.reports.page.levels import LADDER, strength
from ethnos_sim.reports.rendering.document import Bullets, Details, Section, Text
from ethnos_sim.reports.rendering.numbers import (
    UNITS,
    capitalized,
    clan_label,
    count_text,
    rule_value_text,
    word_list,
)
from ethnos_sim.reports.rendering.table import Column, Table
from ethnos_sim.strategies import list_strategies

LIMITS = (
    "These are computer players. A clan that they misplay looks weak.",
    "All players share one deck: what helps or harms you is which of its clans you may lead.",
    "An interval holds the true value in 95 of 100 cases, for the clan sets that were played.",
)


def closing_section(evidence: Evidence) -> Section:
    """The last section of a page."""
    lines = [
        ("Games", f"{count_text(evidence.games)} of {count_text(evidence.games_planned)} planned"),
        *(pair for plan in evidence.plans for pair in _plan_lines(plan)),
        *(
            (f"Rules: {about.rules.title}{name and ', '}{name}", about.rules_id)
            for (_, name), about in evidence.rule_sets.items()
        ),
    ]
    columns = tuple(map(Column, ("", "Value"), zip(*lines, strict=True)))
    table = Table("What this page was made from", columns)
    limits = Bullets((*LIMITS, *ignored_value_sentences(evidence)))
    parts = (Details("Make it again", (table,)), *_assumed_values(evidence))
    return Section("made", "What to keep in mind", (limits, *parts))


DEFINITIONS = (
    "Each player gives up one clan, each a different one, and may not lead with it. A clan is "
    "worth what those who gave it up win less than a fair share.",
    "± is a 95 % interval. The intervals of a table's clans hold all at once.",
    "A clan is strong or weak if its whole interval lies beyond the margin, average if it lies "
    "within or near it, and open, drawn lighter, if too few games were played.",
)


def numbers_details(evidence: Evidence) -> Details:
    """How to read the numbers of the first screen: definitions, players, and all margins."""
    ideas = {strategy.name: strategy.summary.split(". ")[0] for strategy in list_strategies()}
    names = dict.fromkeys(entry.split(":")[0] for entry in evidence.strategies)
    players = tuple(
        f"{capitalized(LADDER.get(name, name))}: the strategy “{name}”. {ideas[name].rstrip('.')}."
        for name in sorted(names, key=strength, reverse=True)
        if name in ideas
    )
    columns = (
        Column("", [margin.subject for margin in MARGINS]),
        Column("Up to", [margin_text(margin) for margin in MARGINS]),
        Column("Why", [margin.reason for margin in MARGINS]),
    )
    table = Table("Margins: what counts as no difference", columns, stacks=True)
    return Details("Numbers", (Bullets((*DEFINITIONS, *players)), table))


def margin_text(margin: Margin) -> str:
    """A margin with its unit: "2 of 100", "0.08 fair shares", "10"."""
    factor, words = UNITS[margin.unit].factor, UNITS[margin.unit].words
    unit = " of 100" if factor == 100 else f" {words}" if "share" in words else ""
    return f"{factor * margin.size:g}{unit}"


def page_warnings(evidence: Evidence) -> Iterator[str]:
    """Warnings at the top: games are missing, or were not played by the printed rules."""
    planned = evidence.games_planned
    if evidence.games < planned:
        yield (
            f"Partial sweep: {count_text(evidence.games)} of {count_text(planned)} planned games "
            "are played. All numbers are of the games played so far."
        )
    changes = [
        f"{about.rules.title}: {name} = {about.values[name]}"
        for (_, rules), about in evidence.rule_sets.items()
        for name in about.rules.changed_names
        if not rules
    ]
    if changes:
        yield f"Changed rules: {'; '.join(changes)}."


def _plan_lines(plan: Plan) -> Iterator[tuple[str, str]]:
    """Lines on a sweep: its name, the program that played it, and the command that repeats it."""
    yield "Sweep", f"{plan.name}; seed {plan.seed}; plan {plan.plan_id}"
    yield "Played with", f"ethnos-sim {plan.version}, kernel {plan.kernel[:16]}"
    spec = _bundled_spec(plan.name) or "SPEC.toml"
    again = f"ethnos-sim sweep {spec} --games {plan.games} --seed {plan.seed} --out DIR"
    yield "Again", f"{again} && ethnos-sim report DIR"


def _bundled_spec(name: str) -> str:
    """The key of the bundled spec with this name; "" for a user's spec."""
    return next((key for key in bundled_specs() if load_spec(bundled_path(key)).name == name), "")


def ignored_value_sentences(evidence: Evidence) -> Iterator[str]:
    """A sentence for every strategy that ignores changed values of clans."""
    for (_, name), about in evidence.rule_sets.items():
        yield from misplay_sentences(evidence.strategies, about.rules, name)


def _assumed_values(evidence: Evidence) -> Iterator[Details]:
    """A table of the rule values that no source prints, if there are any."""
    lines = [
        (rules.title, name, rule_value_text(rules.values()[name]), rules.stated[name].source)
        for (_, rule_set), about in evidence.rule_sets.items()
        if not rule_set
        for rules in [about.rules]
        for name in rules.assumed_values()
    ]
    if lines:
        headings = ("Edition", "Value", "Used here", "Why")
        columns = tuple(map(Column, headings, zip(*lines, strict=True)))
        table = Table("Values that no source prints", columns, stacks=True)
        note = Text(
            "`ethnos-sim sweep sensitivity --out DIR` plays other plausible values.",
            "note",
        )
        names = dict.fromkeys(clan_label(name.split(".")[0]) for _, name, *_ in lines)
        yield Details(f"Values behind the star: {word_list(names)}", (note, table))
