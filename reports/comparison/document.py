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
from ethnos_sim.reports.comparison.differences import ComparedNumber
from ethnos_sim.reports.comparison.sides import Comparison, MatchedSituation, Side
from ethnos_sim.reports.estimators.catalog import label_of
from ethnos_sim.reports.estimators.leading import WIN_LIFT
from ethnos_sim.reports.ignored import ignored_sentences
from ethnos_sim.reports.rendering.document import (
    DEFINED,
    NOTICE,
    Block,
    Document,
    Items,
    Section,
    Text,
)
from ethnos_sim.reports.rendering.numbers import (
    ABSENT,
    UNITS,
    aloud,
    capital,
    decimals_for,
    difference_unit,
    listed,
    number,
    setting_label,
    whole,
    with_interval,
)
from ethnos_sim.reports.rendering.table import Column, Table, TableCell
from ethnos_sim.simulator.rules import Value, value_text

MOST_THAT_MATTER = 8
"""The most numbers that a sentence names."""

MOST_LEFT_OUT = 4
"""The most situations without a counterpart that a sentence names; it counts the others."""


def as_document(comparison: Comparison) -> Document:
    """The document: a summary, the rules of both sides, then every situation."""
    first, second = comparison.first, comparison.second
    facts = (
        f"First: {first.label}, {whole(first.evidence.games)} games. "
        f"Second: {second.label}, {whole(second.evidence.games)} games."
    )
    sections = (
        Section("summary", "In short", tuple(_summary(comparison))),
        Section("rules", "What is compared", tuple(_rules(comparison))),
        *(
            Section(f"situation-{place}", match_label(comparison, match), tuple(_numbers(match)))
            for place, match in enumerate(comparison.matched, 1)
        ),
    )
    return Document(
        capital(f"{second.label} against {first.label}"), facts, f"{NOTICE} {DEFINED}", sections
    )


def match_label(comparison: Comparison, match: MatchedSituation) -> str:
    """A situation as a heading: "2nd edition (2024), 4 players, mixed"."""
    sides = (comparison.first, match.first.setting), (comparison.second, match.second.setting)
    named = any(setting.rules for _, setting in sides)
    labels = dict.fromkeys(
        side.rules_label(setting) if named else setting_label(side.settings[setting], setting)
        for side, setting in sides
    )
    count = f"{match.first.players} player{'s' * (match.first.players > 1)}"
    return f"{listed(labels)}, {count}, {match.first.population}"


def _summary(comparison: Comparison) -> Iterator[Block]:
    """Whether the second side is more balanced, how many numbers changed, and on what deals."""
    matched = comparison.matched
    lines = [balance_sentence(matched[0]) if len(matched) == 1 else _balance_counts(matched)]
    lines.append(counts_sentence(comparison.counts))
    lines += changed_sentences(comparison)
    lines += dict.fromkeys(deals_sentence(comparison, match) for match in matched)
    yield Items(tuple(lines))
    if len(matched) > 1:
        balances = {match_label(comparison, m): m.balance for m in matched if m.balance is not None}
        if balances:
            yield number_table("Spread of the clans", tuple(balances.values()), tuple(balances))


def changed_sentences(comparison: Comparison) -> list[str]:
    """The differences that matter in each situation, the clearest first."""
    sentences = []
    for match in comparison.matched:
        changed = [number for number in match.numbers if number.verdict is Verdict.MATTERS]
        # The clearest change is the largest, measured in half-widths of its interval.
        changed.sort(
            key=lambda number: (
                -abs(number.difference.value or 0) / (number.difference.half_width or 1)
            )
        )
        named = [
            f"{label_of(*number.about)} ({aloud(number.difference)})"
            for number in changed[:MOST_THAT_MATTER]
        ]
        more_changed = len(changed) - len(named)
        if named:
            where = f"{match_label(comparison, match)}: " if len(comparison.matched) > 1 else ""
            more = f"; and {more_changed} more" if more_changed else ""
            sentences.append(f"{where}what matters, the clearest first: {'; '.join(named)}{more}.")
    return [capital(line) for line in sentences]


def balance_sentence(match: MatchedSituation) -> str:
    """Whether the clans are closer together on the second side, with both spreads."""
    balance = match.balance
    if balance is None:
        return "Whether the clans are closer together cannot be told from these games."
    first, second, change = map(aloud, (balance.first, balance.second, balance.difference))
    if _by_lift(balance):
        return (
            f"{_balance_words(balance)}: in too few games clans were given up. By who led which "
            f"clan, which is no proof, win lifts spread by {first} on the first side and "
            f"by {second} on the second, a change of {change}."
        )
    return (
        f"{_balance_words(balance)}: a typical clan is {first} from the average on the first side "
        f"and {second} on the second, a change of {change}."
    )


def _by_lift(balance: ComparedNumber) -> bool:
    """Whether clans are compared by win lift, an association that is no proof of balance."""
    return balance.first.name == WIN_LIFT.name


OPEN_BALANCE = "Balance is open"


def _balance_words(balance: ComparedNumber) -> str:
    if _by_lift(balance):
        return OPEN_BALANCE
    more = "More balanced" if (balance.difference.value or 0) < 0 else "Less balanced"
    return {
        Verdict.MATTERS: more,
        Verdict.ALIKE: "As balanced as before",
        Verdict.CLOSE: f"{more}, a little",
        Verdict.OPEN: OPEN_BALANCE,
    }[balance.verdict]


def _balance_counts(matched: Sequence[MatchedSituation]) -> str:
    """In how many situations the clans are closer together."""
    words = [_balance_words(match.balance) for match in matched if match.balance is not None]
    counts = {word: words.count(word) for word in dict.fromkeys(words)}
    parts = [f"{word[:1].lower()}{word[1:]} in {count}" for word, count in counts.items()]
    return (
        f"Of {len(matched)} situations: {listed(parts)}." if parts else "Too few games with clans."
    )


def deals_sentence(comparison: Comparison, match: MatchedSituation) -> str:
    """Whether both sides played the same deals, and what that means for differences."""
    equal_rules = comparison.equal_rules(match.first.setting)
    rules = "play the same rules and " if equal_rules else ""
    if match.paired and match.identical:
        return f"Both sides {rules}played the same deals, and no number differs."
    if match.paired:
        sentence = f"Both sides {rules}played the same deals"
    elif comparison.same_seed:
        sentence = (
            f"Both sides {rules}used one seed, but different numbers of games, so variances add up"
        )
    else:
        sentence = f"Both sides {rules}played different deals, so variances add up"
    if not any(number.difference.low is not None for number in match.numbers):
        sentence += ". These are too few games for an interval of any number"
    return f"{sentence}."


def _rules(comparison: Comparison) -> Iterator[Block]:
    """The settings that are compared, with the rule values that differ."""
    for setting, counterpart in comparison.setting_pairs.items():
        differences = comparison.rule_differences[setting]
        labels = comparison.first.rules_label(setting), comparison.second.rules_label(counterpart)
        if comparison.equal_rules(setting):
            yield Text(f"{listed(dict.fromkeys(labels))}: both sides play the same rules.")
            continue
        sides = f"First: {labels[0]}. Second: {labels[1]}."
        if not differences:
            yield Text(f"{sides} No rule value differs.")
            continue
        several = len(differences) > 1
        count = f"{len(differences)} rule values differ" if several else "One rule value differs"
        names = [_joined(" / ", value.first_name, value.second_name) for value in differences]
        yield Table(
            f"{sides} {count}.",
            (
                Column("Value", names),
                Column("First", [_value(value.first) for value in differences]),
                Column("Second", [_value(value.second) for value in differences]),
                Column("Meaning", [capital(value.meaning) for value in differences]),
            ),
            stacks=True,
        )
    yield from map(Text, dict.fromkeys(_misplayed(comparison)))
    if left_out := comparison.left_out:
        more = len(left_out) - MOST_LEFT_OUT
        named = left_out if more <= 1 else (*left_out[:MOST_LEFT_OUT], f"{more} more")
        yield Text(f"Left out, without a counterpart: {listed(named)}.")


def _misplayed(comparison: Comparison) -> Iterator[str]:
    """The clans whose new values the strategies of a side ignore."""
    for side in (comparison.first, comparison.second):
        for setting in side.settings:
            yield from ignored_sentences(side.evidence.strategies, side.settings[setting])


def _joined(between: str, *names: str | None) -> str:
    """Join the names of both sides with `between`. If the names are equal, write only one."""
    return between.join(dict.fromkeys(filter(None, names)))


def _value(value: Value | None) -> str:
    return ABSENT if value is None else value_text(value)


def _numbers(match: MatchedSituation) -> Iterator[Block]:
    """The numbers of a situation."""
    balance = () if match.balance is None else (match.balance,)
    numbers = (*balance, *match.numbers)
    unsure = any(" ?" in with_interval(number.difference) for number in numbers)
    note = "; ? means too few games for an interval" * unsure
    yield number_table(f"Every headline number{note}", numbers)


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


def number_table(
    caption: str, numbers: Sequence[ComparedNumber], names: Sequence[str] = ()
) -> Table:
    """A table of numbers on both sides, one per line, labelled by `names` or by their estimands.

    All numbers of a line have as many decimals as the difference's interval justifies.
    """
    labels = names or [label_of(*pair.about) for pair in numbers]
    columns = (
        Column("Number" if not names else "Situation", labels),
        Column("First", [_written(pair, pair.first.value) for pair in numbers]),
        Column("Second", [_written(pair, pair.second.value) for pair in numbers]),
        Column("Difference", [pair.difference for pair in numbers]),
        Column("Margin", [_margin(pair) for pair in numbers]),
        Column("Verdict", [TableCell(pair.verdict.value, tone(pair)) for pair in numbers]),
    )
    return Table(caption, columns, alike="none")


def _written(compared: ComparedNumber, value: float | None) -> TableCell:
    """Write `value`, the number on one side, with as many decimals as the difference has."""
    text = number(value, compared.first.unit, decimals_for([compared.difference]))
    return TableCell(text, sort=value)


def _margin(compared: ComparedNumber) -> str:
    unit = UNITS[difference_unit(compared.first.unit)]
    return f"{compared.margin * unit.factor:g}{unit.suffix}"


FORMAT = 3
"""The version of the record's layout. New keys do not change it; none is renamed or removed."""


def as_record(comparison: Comparison) -> dict[str, Any]:
    """The record, in types that JSON has."""
    return {
        "format": FORMAT,
        "first": _side(comparison.first),
        "second": _side(comparison.second),
        "counts": comparison.counts,
        "left_out": list(comparison.left_out),
        "situations": [_situation(comparison, match) for match in comparison.matched],
    }


def _side(side: Side) -> dict[str, Any]:
    return {
        "label": side.label,
        "games": side.evidence.games,
        "seeds": list(side.seeds),
        "rules": [
            {"edition": about.edition, "name": name, "rules_id": about.rules_id}
            for (_, name), about in side.evidence.rule_sets.items()
        ],
    }


def _situation(comparison: Comparison, match: MatchedSituation) -> dict[str, Any]:
    return {
        "first": match.first._asdict(),
        "second": match.second._asdict(),
        "rules_that_differ": [
            asdict(difference) for difference in comparison.rule_differences[match.first.setting]
        ],
        "paired": match.paired,
        "balance": None if match.balance is None else match.balance.row(),
        "numbers": [number.row() for number in match.numbers],
    }
