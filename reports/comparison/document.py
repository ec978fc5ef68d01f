"""A comparison as a document, and as a record for `--json`.

What is compared, whether it is more balanced, and every number. The page and the terminal both show
this document, so they say the same. In the record every key is always there, with null for no
value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.significance import CHANGED, EQUIVALENT, UNDECIDED
from ethnos_sim.reports.comparison.differences import Compared, RankShift
from ethnos_sim.reports.comparison.sides import Comparison, Matched, Side
from ethnos_sim.reports.estimators.catalog import label_of
from ethnos_sim.reports.estimators.leading import WIN_LIFT
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
    MINUS,
    UNITS,
    aloud,
    capital,
    clan_label,
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

SPREADS = {"restricted_play": "clan power", "win_lift": "win lift"}
"""What spreads over the clans, in words."""

MOST_CHANGED = 8
"""Changed numbers that a sentence names."""

MOST_LEFT_OUT = 4
"""Situations without a counterpart that a sentence names; of more it gives the number."""


def as_document(comparison: Comparison) -> Document:
    """The comparison: in short, the rules of both sides, then every situation."""
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


def match_label(comparison: Comparison, match: Matched) -> str:
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
        found = {match_label(comparison, m): m.balance for m in matched if m.balance is not None}
        if found:
            yield number_table("Spread of the clans", tuple(found.values()), tuple(found))


def changed_sentences(comparison: Comparison) -> list[str]:
    """The numbers that changed in each situation, the clearest first."""
    found = []
    for match in comparison.matched:
        changed = [each for each in match.numbers if each.word == CHANGED]
        # The clearest is the most half-widths of its interval.
        changed.sort(key=lambda e: -abs(e.difference.value or 0) / (e.difference.half_width or 1))
        named = [
            f"{label_of(*each.about)} ({aloud(each.difference)})" for each in changed[:MOST_CHANGED]
        ]
        further = len(changed) - len(named)
        if named:
            where = f"{match_label(comparison, match)}: " if len(comparison.matched) > 1 else ""
            more = f"; and {further} more" if further else ""
            found.append(f"{where}changed, the clearest first: {'; '.join(named)}{more}.")
    return [capital(line) for line in found]


def balance_sentence(match: Matched) -> str:
    """Whether the clans are closer together on the second side, with both spreads."""
    found = match.balance
    if found is None:
        return "Whether the clans are closer together cannot be told from these games."
    first, second, change = map(aloud, (found.first, found.second, found.difference))
    if _by_lift(found):
        return (
            f"{_balance_words(found)}: too few games kept anybody from leading a clan. By who led "
            f"which clan, which is no proof, win lifts spread by {first} on the first side and by "
            f"{second} on the second, a change of {change}."
        )
    return (
        f"{_balance_words(found)}: a typical clan is {first} from the average on the first side "
        f"and {second} on the second, a change of {change}."
    )


def _by_lift(found: Compared) -> bool:
    """Whether clans go by win lift, an association, which says nothing of balance."""
    return found.first.name == WIN_LIFT.name


def _balance_words(found: Compared) -> str:
    if _by_lift(found):
        return "Balance is undecided"
    if found.word == CHANGED:
        return "More balanced" if (found.difference.value or 0) < 0 else "Less balanced"
    return "As balanced as before" if found.word == EQUIVALENT else "Balance is undecided"


def _balance_counts(matched: Sequence[Matched]) -> str:
    """In how many situations the clans are closer together."""
    words = [_balance_words(match.balance) for match in matched if match.balance is not None]
    counts = {word: words.count(word) for word in dict.fromkeys(words)}
    told = [f"{word[:1].lower()}{word[1:]} in {count}" for word, count in counts.items()]
    return f"Of {len(matched)} situations: {listed(told)}." if told else "Too few games with clans."


def deals_sentence(comparison: Comparison, match: Matched) -> str:
    """Whether both sides played the same deals, and what that means for differences."""
    equal_rules = comparison.equal_rules(match.first.setting)
    rules = "play the same rules and " if equal_rules else ""
    if match.paired and match.identical:
        return f"Both sides {rules}played the same deals, and no number differs."
    if match.paired:
        said = f"Both sides {rules}played the same deals"
        if match.variance_ratio is not None:
            said += (
                f", which tells differences as well as {match.variance_ratio:.2g} times the games "
                f"would (median)"
            )
    elif comparison.same_seed:
        said = f"Both sides {rules}dealt by one seed, but not as often, so variances add up"
    else:
        said = f"Both sides {rules}played deals of their own, so variances add up"
    if equal_rules and not match.paired and not comparison.code_differences:
        said += ", and what differs is chance"
    if not any(each.difference.low is not None for each in match.numbers):
        said += ". These are too few games for an interval of any number"
    return f"{said}."


def _rules(comparison: Comparison) -> Iterator[Block]:
    """What stands beside each other, with the rule values and the parts of the code that differ."""
    for setting, other in comparison.beside.items():
        differing = comparison.rule_differences[setting]
        labels = comparison.first.rules_label(setting), comparison.second.rules_label(other)
        if comparison.equal_rules(setting):
            yield Text(f"{listed(dict.fromkeys(labels))}: both sides play the same rules.")
            continue
        sides = f"First: {labels[0]}. Second: {labels[1]}."
        if not differing:
            yield Text(f"{sides} No rule value differs.")
            continue
        several = len(differing) > 1
        count = f"{len(differing)} rule values differ" if several else "One rule value differs"
        yield Table(
            f"{sides} {count}.",
            (
                Column("Value", [_both(" / ", e.first_name, e.second_name) for e in differing]),
                Column("First", [_value(each.first) for each in differing]),
                Column("Second", [_value(each.second) for each in differing]),
                Column("Meaning", [capital(each.meaning) for each in differing]),
            ),
            stacks=True,
        )
    if comparison.code_differences:
        yield Text(f"What played differs too: {listed(comparison.code_differences)}.")
    if left_out := comparison.left_out:
        further = len(left_out) - MOST_LEFT_OUT
        named = left_out if further <= 1 else (*left_out[:MOST_LEFT_OUT], f"{further} more")
        yield Text(f"Left out, without a counterpart: {listed(named)}.")


def _both(between: str, *names: str | None) -> str:
    """The names of both sides, each once."""
    return between.join(dict.fromkeys(filter(None, names)))


def _value(value: Value | None) -> str:
    return ABSENT if value is None else value_text(value)


def _numbers(match: Matched) -> Iterator[Block]:
    """The numbers of a situation, and the ranks of the clans."""
    balance = () if match.balance is None else (match.balance,)
    found = (*balance, *match.numbers)
    unsure = any(" ?" in with_interval(each.difference) for each in found)
    note = "; ? stands where the games are too few for an interval" * unsure
    yield number_table(f"Every headline number{note}", found)
    if match.ranks:
        caption = f"Ranks of the clans by {SPREADS[match.ranked_by]}, the strongest first"
        yield rank_table(caption, match.ranks, match.renamed)


def counts_sentence(counts: Mapping[str, int]) -> str:
    """How many numbers changed, in a sentence."""
    return (
        f"Of {sum(counts.values())} numbers {counts[CHANGED]} changed, {counts[EQUIVALENT]} are "
        f"equivalent within their margins, and {counts[UNDECIDED]} are undecided."
    )


def tone(each: Compared) -> str:
    """Colored where the number changed, gray where it is equivalent."""
    if each.word == CHANGED:
        return "up2" if (each.difference.value or 0) > 0 else "down2"
    return "level" if each.word == EQUIVALENT else ""


def number_table(caption: str, found: Sequence[Compared], names: Sequence[str] = ()) -> Table:
    """Numbers on both sides, a line each: called by `names`, or by what they are.

    All numbers of a line have the decimals that the difference deserves.
    """
    named = names or [label_of(*each.about) for each in found]
    columns = (
        Column("Number" if not names else "Situation", named),
        Column("First", [_written(each, each.first.value) for each in found]),
        Column("Second", [_written(each, each.second.value) for each in found]),
        Column("Difference", [each.difference for each in found]),
        Column("Margin", [_margin(each) for each in found]),
        Column("Result", [TableCell(each.word, tone(each)) for each in found]),
        Column("Variance ratio", [each.variance_ratio for each in found], "{:.2f}".format),
    )
    return Table(caption, columns, alike="none")


def rank_table(caption: str, shifts: Sequence[RankShift], renamed: Mapping[str, str]) -> Table:
    """The rank of every clan on both sides with its letters, and how many places it went up."""
    names = [(clan_label(s.clan), clan_label(renamed.get(s.clan, s.clan))) for s in shifts]
    columns = (
        Column("Clan", [_both(" and ", *clans) for clans in names]),
        Column("First", [f"{s.first} {s.first_group}".rstrip() for s in shifts]),
        Column("Second", [f"{s.second} {s.second_group}".rstrip() for s in shifts]),
        Column("Places up", [shift.first - shift.second for shift in shifts], _places_up),
    )
    told = f"{caption}; clans that share a letter on a side cannot be told apart there."
    return Table(told, columns)


def _written(each: Compared, value: float | None) -> TableCell:
    """The value of one side with the decimals of the difference."""
    text = number(value, each.first.unit, decimals_for([each.difference]))
    return TableCell(text, sort=value)


def _margin(each: Compared) -> str:
    unit = UNITS[difference_unit(each.first.unit)]
    return f"{each.margin * unit.factor:g}{unit.suffix}"


def _places_up(places: int) -> str:
    """Ranks gained, with their sign: "+2", "0"."""
    return f"{places:+d}".replace("-", MINUS) if places else "0"


FORMAT = 1
"""The layout of the record; keys are added without a new one, and none is renamed or removed."""


def as_record(comparison: Comparison) -> dict[str, Any]:
    """The record, made of nothing but what JSON has."""
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


def _situation(comparison: Comparison, match: Matched) -> dict[str, Any]:
    return {
        "first": match.first._asdict(),
        "second": match.second._asdict(),
        "rules_that_differ": [
            asdict(each) for each in comparison.rule_differences[match.first.setting]
        ],
        "paired": match.paired,
        "variance_ratio": match.variance_ratio,
        "balance": None if match.balance is None else _number(match.balance),
        "numbers": [_number(each) for each in match.numbers],
        "ranked_by": match.ranked_by or None,
        "ranks": [asdict(shift) for shift in match.ranks],
    }


def _number(each: Compared) -> dict[str, Any]:
    return {
        "definition": each.first.definition,
        "name": each.first.name,
        "unit": each.first.unit,
        "first": _estimate(each.first),
        "second": _estimate(each.second),
        "difference": _estimate(each.difference),
        "margin": each.margin,
        "result": each.word,
        "variance_ratio": each.variance_ratio,
    }


def _estimate(estimate: Estimate) -> dict[str, Any]:
    names = ("value", "low", "high", "standard_error", "games")
    return {name: getattr(estimate, name) for name in names}
