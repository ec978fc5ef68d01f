"""A comparison as a document, and as a record for `--json`.

The document says what is compared, whether it is more balanced, and shows every number. The page
and the terminal show the same document. In the record every key is always present; a missing value
is null.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ethnos_sim.experiments.statistics.verdict import Verdict
from ethnos_sim.reports.comparison.comparison import Comparison, Side
from ethnos_sim.reports.comparison.differences import ComparedNumber
from ethnos_sim.reports.estimators.catalog import label_of
from ethnos_sim.reports.ignored import ignored_sentences
from ethnos_sim.reports.rendering.document import (
    NUMBERS_NOTICE,
    Block,
    Bullets,
    Document,
    Section,
    Text,
)
from ethnos_sim.reports.rendering.numbers import (
    ABSENT,
    UNITS,
    capital,
    count_text,
    decimals_for,
    difference_unit,
    interval_in_words,
    number_text,
    rule_set_label,
    word_list,
)
from ethnos_sim.reports.rendering.table import Column, Table, TableCell
from ethnos_sim.simulator.rules import Value, value_text

MOST_THAT_MATTER = 8
"""The most numbers that a sentence names."""


def as_document(comparison: Comparison) -> Document:
    """The document: a summary, the rule values that differ, then every number."""
    first, second = comparison.first, comparison.second
    facts = (
        f"First: {first.label}, {count_text(first.evidence.games)} games. "
        f"Second: {second.label}, {count_text(second.evidence.games)} games."
    )
    sections = (
        Section("summary", "In short", (Bullets(tuple(_summary(comparison))),)),
        Section("rules", "What is compared", tuple(_rules(comparison))),
        Section("numbers", situation_label(comparison), (_numbers(comparison),)),
    )
    title = capital(f"{second.label} against {first.label}")
    return Document(title, facts, NUMBERS_NOTICE, sections)


def situation_label(comparison: Comparison) -> str:
    """The situation of both sides as a heading: "2nd edition (2024), 4 players, mixed"."""
    sides = comparison.first, comparison.second
    labels = dict.fromkeys(rule_set_label(side.rules, side.situation.rule_set) for side in sides)
    players = comparison.first.situation.players
    count = f"{players} player{'s' * (players > 1)}"
    return f"{word_list(labels)}, {count}, {comparison.first.situation.population}"


def _summary(comparison: Comparison) -> Iterator[str]:
    """Whether the second side is more balanced, and how many numbers changed."""
    yield balance_sentence(comparison.balance)
    yield counts_sentence(comparison.counts)
    yield from changed_sentences(comparison.numbers)


def changed_sentences(numbers: Sequence[ComparedNumber]) -> Iterator[str]:
    """The differences that matter in a sentence, the clearest first; no sentence if none does."""
    changed = [number for number in numbers if number.verdict is Verdict.MATTERS]
    # The clearest change is the largest, measured in half-widths of its interval.
    changed.sort(
        key=lambda number: -abs(number.difference.value or 0) / (number.difference.half_width or 1)
    )
    named = [
        f"{label_of(*number.about)} ({interval_in_words(number.difference)})"
        for number in changed[:MOST_THAT_MATTER]
    ]
    more_changed = len(changed) - len(named)
    if named:
        more = f"; and {more_changed} more" if more_changed else ""
        yield f"What matters, the clearest first: {'; '.join(named)}{more}."


def balance_sentence(balance: ComparedNumber | None) -> str:
    """Whether the clans are closer together on the second side, with both spreads."""
    if balance is None:
        return "Whether the clans are closer together cannot be told from these games."
    estimates = (balance.first, balance.second, balance.difference)
    first, second, change = map(interval_in_words, estimates)
    return (
        f"{_balance_words(balance)}: a typical clan is {first} from the average on the first side "
        f"and {second} on the second, a change of {change}."
    )


def _balance_words(balance: ComparedNumber) -> str:
    more = "More balanced" if (balance.difference.value or 0) < 0 else "Less balanced"
    return {
        Verdict.MATTERS: more,
        Verdict.ALIKE: "As balanced as before",
        Verdict.CLOSE: f"{more}, a little",
        Verdict.OPEN: "Balance is open",
    }[balance.verdict]


def _rules(comparison: Comparison) -> Iterator[Block]:
    """The rule values that differ, and the clans whose new values strategies ignore."""
    differences = comparison.rule_differences
    if differences:
        several = len(differences) > 1
        count = f"{len(differences)} rule values differ" if several else "One rule value differs"
        names = [_joined(" / ", value.first_name, value.second_name) for value in differences]
        yield Table(
            f"{count}.",
            (
                Column("Value", names),
                Column("First", [_value(value.first) for value in differences]),
                Column("Second", [_value(value.second) for value in differences]),
                Column("Meaning", [capital(value.meaning) for value in differences]),
            ),
            stacks=True,
        )
    else:
        yield Text("No rule value differs.")
    yield from map(Text, dict.fromkeys(_misplayed(comparison)))


def _misplayed(comparison: Comparison) -> Iterator[str]:
    """The clans whose new values the strategies of a side ignore."""
    for side in (comparison.first, comparison.second):
        yield from ignored_sentences(side.evidence.strategies, side.rules)


def _joined(between: str, *names: str | None) -> str:
    """Join the names of both sides with `between`. If the names are equal, write only one."""
    return between.join(dict.fromkeys(filter(None, names)))


def _value(value: Value | None) -> str:
    return ABSENT if value is None else value_text(value)


def _numbers(comparison: Comparison) -> Table:
    """The spread of the clans, and every number of both sides, one per line.

    All numbers of a line have as many decimals as the difference's interval justifies.
    """
    balance = () if comparison.balance is None else (comparison.balance,)
    numbers = (*balance, *comparison.numbers)
    unsure = any(number.difference.low is None for number in numbers)
    note = "; ? means too few games for an interval" * unsure
    columns = (
        Column("Number", [label_of(*pair.about) for pair in numbers]),
        Column("First", [_written(pair, pair.first.value) for pair in numbers]),
        Column("Second", [_written(pair, pair.second.value) for pair in numbers]),
        Column("Difference", [pair.difference for pair in numbers]),
        Column("Margin", [_margin(pair) for pair in numbers]),
        Column("Verdict", [TableCell(pair.verdict.value, tone(pair)) for pair in numbers]),
    )
    return Table(f"Every headline number{note}", columns, same_decimals=False)


def counts_sentence(counts: Mapping[str, int]) -> str:
    """How many differences matter, in a sentence."""
    return (
        f"Of {sum(counts.values())} differences {counts[Verdict.MATTERS]} matter, "
        f"{counts[Verdict.ALIKE]} are alike, {counts[Verdict.CLOSE]} close to their margins, and "
        f"{counts[Verdict.OPEN]} open: too few games."
    )


def tone(compared: ComparedNumber) -> str:
    """The tone of a cell: colored if the difference matters, gray if it is alike."""
    if compared.verdict is Verdict.MATTERS:
        return "up2" if (compared.difference.value or 0) > 0 else "down2"
    return "level" if compared.verdict is Verdict.ALIKE else ""


def _written(compared: ComparedNumber, value: float | None) -> TableCell:
    """Write `value`, the number on one side, with as many decimals as the difference has."""
    text = number_text(value, compared.first.unit, decimals_for([compared.difference]))
    return TableCell(text, value=value)


def _margin(compared: ComparedNumber) -> str:
    unit = UNITS[difference_unit(compared.first.unit)]
    return f"{compared.margin * unit.factor:g}{unit.suffix}"


FORMAT = 4
"""The version of the record's layout. New keys do not change it; none is renamed or removed."""


def as_record(comparison: Comparison) -> dict[str, Any]:
    """The record, in types that JSON has."""
    balance = comparison.balance
    return {
        "format": FORMAT,
        "first": _side(comparison.first),
        "second": _side(comparison.second),
        "rules_that_differ": [asdict(difference) for difference in comparison.rule_differences],
        "counts": comparison.counts,
        "balance": None if balance is None else balance.row(),
        "numbers": [number.row() for number in comparison.numbers],
    }


def _side(side: Side) -> dict[str, Any]:
    """The label, the games, the rules and the situation of a side."""
    situation = side.situation
    return {
        "label": side.label,
        "games": side.evidence.games,
        "rules_id": side.rules.rules_id,
        "edition": situation.edition,
        "mode": situation.mode,
        "players": situation.players,
        "population": situation.population,
    }
