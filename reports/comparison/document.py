"""A comparison as a document, and as a record for `--json`.

The document says what is compared and whether the second side is more balanced, and shows every
number. Pages and terminals show the same document. A record has every key, with null for no value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ethnos_sim.experiments.statistics.verdict import Verdict
from ethnos_sim.reports.comparison.comparison import Comparison, Side
from ethnos_sim.reports.comparison.differences import ComparedNumber
from ethnos_sim.reports.estimators.catalog import label_of
from ethnos_sim.reports.misplays import misplay_sentences
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
    capitalized,
    count_text,
    decimals_for,
    difference_unit,
    interval_in_words,
    number_text,
    rule_set_label,
    word_list,
)
from ethnos_sim.reports.rendering.table import Column, Table, TableCell
from ethnos_sim.simulator.rules import Value, ValueDifference, value_text

MAX_NAMED_NUMBERS = 8
"""The most numbers that the summary names."""


def as_document(comparison: Comparison) -> Document:
    """The document of a comparison: a summary, the rule values that differ, and every number."""
    first, second = comparison.first, comparison.second
    facts = (
        f"First: {first.label}, {count_text(first.evidence.games)} games. "
        f"Second: {second.label}, {count_text(second.evidence.games)} games."
    )
    sections = (
        Section("summary", "In short", (Bullets(tuple(_summary_sentences(comparison))),)),
        Section("rules", "What is compared", tuple(_rule_blocks(comparison))),
        Section("numbers", situation_label(comparison), (_number_table(comparison),)),
    )
    title = capitalized(f"{second.label} against {first.label}")
    return Document(title, facts, NUMBERS_NOTICE, sections)


def situation_label(comparison: Comparison) -> str:
    """The situation of both sides as a heading: "2nd edition (2024), 4 players, mixed"."""
    sides = comparison.first, comparison.second
    labels = dict.fromkeys(rule_set_label(side.rules, side.situation.rule_set) for side in sides)
    players = comparison.first.situation.players
    count = f"{players} player{'s' * (players > 1)}"
    return f"{word_list(labels)}, {count}, {comparison.first.situation.population}"


def _summary_sentences(comparison: Comparison) -> Iterator[str]:
    """Whether the second side is more balanced, and how many numbers changed."""
    yield balance_sentence(comparison.balance)
    yield counts_sentence(comparison.counts)
    yield from changed_sentences(comparison.numbers)


def changed_sentences(numbers: Sequence[ComparedNumber]) -> Iterator[str]:
    """A sentence on the differences that matter, the clearest first; nothing if none matters."""
    changed = [number for number in numbers if number.verdict is Verdict.MATTERS]
    # The clearest change is the largest, measured in half-widths of its interval.
    changed.sort(
        key=lambda number: -abs(number.difference.value or 0) / (number.difference.half_width or 1)
    )
    named = [
        f"{label_of(*number.labels)} ({interval_in_words(number.difference)})"
        for number in changed[:MAX_NAMED_NUMBERS]
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


def _rule_blocks(comparison: Comparison) -> Iterator[Block]:
    """The rule values that differ, and the clans whose new values strategies ignore."""
    differences = comparison.rule_differences
    if differences:
        several = len(differences) > 1
        count = f"{len(differences)} rule values differ" if several else "One rule value differs"
        names = [_both_names(value) for value in differences]
        yield Table(
            f"{count}.",
            (
                Column("Value", names),
                Column("First", [_value_text(value.first) for value in differences]),
                Column("Second", [_value_text(value.second) for value in differences]),
                Column("Meaning", [capitalized(value.meaning) for value in differences]),
            ),
            stacks=True,
        )
    else:
        yield Text("No rule value differs.")
    yield from map(Text, dict.fromkeys(_ignored_value_sentences(comparison)))


def _ignored_value_sentences(comparison: Comparison) -> Iterator[str]:
    """A sentence for every strategy of a side that ignores changed values of clans."""
    for side in (comparison.first, comparison.second):
        yield from misplay_sentences(side.evidence.strategies, side.rules)


def _both_names(value: ValueDifference) -> str:
    """The names of a rule value on both sides: "bear.on_take / giant.on_take", or only one."""
    return " / ".join(dict.fromkeys(filter(None, (value.first_name, value.second_name))))


def _value_text(value: Value | None) -> str:
    return ABSENT if value is None else value_text(value)


def _number_table(comparison: Comparison) -> Table:
    """A table with the spread of the clans, and with every number that both sides have.

    All numbers of a line have as many decimals as the interval of the difference justifies.
    """
    balance = () if comparison.balance is None else (comparison.balance,)
    numbers = (*balance, *comparison.numbers)
    unsure = any(number.difference.low is None for number in numbers)
    note = "; ? means too few games for an interval" * unsure
    columns = (
        Column("Number", [label_of(*pair.labels) for pair in numbers]),
        Column("First", [_side_cell(pair, pair.first.value) for pair in numbers]),
        Column("Second", [_side_cell(pair, pair.second.value) for pair in numbers]),
        Column("Difference", [pair.difference for pair in numbers]),
        Column("Margin", [_margin_text(pair) for pair in numbers]),
        Column("Verdict", [TableCell(pair.verdict.value, verdict_tone(pair)) for pair in numbers]),
    )
    return Table(f"Every headline number{note}", columns, same_decimals=False)


def counts_sentence(counts: Mapping[str, int]) -> str:
    """How many differences matter, in a sentence."""
    return (
        f"Of {sum(counts.values())} differences {counts[Verdict.MATTERS]} matter, "
        f"{counts[Verdict.ALIKE]} are alike, {counts[Verdict.CLOSE]} close to their margins, and "
        f"{counts[Verdict.OPEN]} open: too few games."
    )


def verdict_tone(compared: ComparedNumber) -> str:
    """The tone of a cell: colored if the difference matters, gray if it is alike."""
    if compared.verdict is Verdict.MATTERS:
        return "up2" if (compared.difference.value or 0) > 0 else "down2"
    return "level" if compared.verdict is Verdict.ALIKE else ""


def _side_cell(compared: ComparedNumber, value: float | None) -> TableCell:
    """The cell of the number on one side, with as many decimals as the difference has."""
    text = number_text(value, compared.first.unit, decimals_for([compared.difference]))
    return TableCell(text, value=value)


def _margin_text(compared: ComparedNumber) -> str:
    unit = UNITS[difference_unit(compared.first.unit)]
    return f"{compared.margin * unit.factor:g}{unit.suffix}"


FORMAT = 4
"""The version of the record's layout. It changes if a key is renamed or removed."""


def as_record(comparison: Comparison) -> dict[str, Any]:
    """The comparison as a record, in types that JSON has."""
    balance = comparison.balance
    return {
        "format": FORMAT,
        "first": _side_record(comparison.first),
        "second": _side_record(comparison.second),
        "rules_that_differ": [asdict(difference) for difference in comparison.rule_differences],
        "counts": comparison.counts,
        "balance": None if balance is None else balance.row(),
        "numbers": [number.row() for number in comparison.numbers],
    }


def _side_record(side: Side) -> dict[str, Any]:
    """A side as a record: its label, number of games, rules and situation."""
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
