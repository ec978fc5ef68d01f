"""A comparison as rows for a table, as a record for `--json`, and as a page."""

from __future__ import annotations

from typing import Any

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.comparison.sides import Comparison, Matched, Side, situation_label
from ethnos_sim.reports.comparison.situations import Compared
from ethnos_sim.reports.document import Document, Section, Text
from ethnos_sim.reports.numbers import (
    ABSENT,
    UNITS,
    decimals_for,
    difference_unit,
    number,
    whole,
    with_interval,
)
from ethnos_sim.reports.page import NOTICE
from ethnos_sim.reports.sections.comparison import tone
from ethnos_sim.reports.table import Column, Shown, Table

FORMAT = 1
"""The layout of the record; keys are added without a new one, and none is renamed or removed."""

COLUMNS = ("number", "first", "second", "difference", "margin", "result", "variance ratio")


def number_rows(match: Matched) -> list[tuple[str, ...]]:
    """Every number of a situation as COLUMNS."""
    return [_row(each) for each in match.numbers]


def rank_columns(comparison: Comparison) -> tuple[str, ...]:
    """The headings of `rank_rows`."""
    first, second = comparison.first.label, comparison.second.label
    return ("clan", "first", "second", "shift", f"alike in {first}", f"alike in {second}")


def rank_rows(match: Matched) -> list[tuple[str, ...]]:
    """The ranks of every clan: on both sides, the shift, and the clans it cannot be told from."""
    rows: list[tuple[str, ...]] = []
    for shift in match.ranks:
        moved = shift.first - shift.second
        first = _alike(match, shift.clan, "first_group")
        second = _alike(match, shift.clan, "second_group")
        arrow = "=" if moved == 0 else f"{'up' if moved > 0 else 'down'} {abs(moved)}"
        rows.append((shift.clan, str(shift.first), str(shift.second), arrow, first, second))
    return rows


def sentences(comparison: Comparison, match: Matched) -> tuple[str, ...]:
    """What a reader has to know to read a situation's table."""
    said = ["Differences are second less first, with 95 % intervals."]
    if match.variance_ratio is not None:
        said.append(
            f"Both sides played the same deals: the variance of a difference is that of separate "
            f"deals divided by {match.variance_ratio:.2f} (median)."
        )
    elif any(number.difference.low is not None for number in match.numbers):
        said.append("The deals of both sides differ, so their variances add up.")
    else:
        said.append("These are too few games for an interval of any number.")
    return tuple(said)


def as_record(comparison: Comparison) -> dict[str, Any]:
    """The comparison for `--json`; every key is always there, with null where there is no value."""
    return {
        "format": FORMAT,
        "first": _side(comparison.first),
        "second": _side(comparison.second),
        "counts": comparison.counts,
        "situations": [_situation(comparison, match) for match in comparison.matched],
    }


def as_document(comparison: Comparison) -> Document:
    """The comparison as a page."""
    counts = comparison.counts
    total = sum(counts.values())
    sections = []
    for place, match in enumerate(comparison.matched, 1):
        label = situation_label(comparison.first.evidence, match.first)
        lines = [
            (*of[:-2], Shown(of[-2], tone(each)), of[-1])
            for each, of in zip(match.numbers, number_rows(match), strict=True)
        ]
        blocks: list[Text | Table] = [Text(" ".join(sentences(comparison, match)))]
        columns = tuple(map(Column, COLUMNS, zip(*lines, strict=True)))
        blocks.append(Table(f"Every headline number: {label}", columns))
        if match.ranks:
            caption = f"Ranks of the clans by {match.ranked_by}, the strongest first"
            ranks = zip(*rank_rows(match), strict=True)
            blocks.append(Table(caption, tuple(map(Column, rank_columns(comparison), ranks))))
        sections.append(Section(f"situation-{place}", label, tuple(blocks)))
    facts = (
        f"First: {comparison.first.label}, {whole(comparison.first.evidence.games)} games. "
        f"Second: {comparison.second.label}, {whole(comparison.second.evidence.games)} games. "
        f"Of {total} numbers {counts['changed']} changed, {counts['equivalent']} are equivalent "
        f"within their margins, and {counts['undecided']} are undecided."
    )
    title = f"{comparison.second.label} against {comparison.first.label}"
    return Document(title, facts, NOTICE, tuple(sections))


def _row(each: Compared) -> tuple[str, ...]:
    """One number as COLUMNS."""
    decimals = decimals_for([each.difference])
    unit = each.first.unit
    shown = difference_unit(unit)
    return (
        f"{each.definition} {each.name}",
        number(each.first.value, unit, decimals),
        number(each.second.value, unit, decimals),
        with_interval(each.difference, decimals),
        f"{each.margin * UNITS[shown].factor:g}{UNITS[shown].suffix}",
        each.word,
        ABSENT if each.variance_ratio is None else f"{each.variance_ratio:.2f}",
    )


def _alike(match: Matched, clan: str, group: str) -> str:
    """The clans that share a letter with one on a side, or a dash."""
    letters = {shift.clan: set(getattr(shift, group)) for shift in match.ranks}
    others = [name for name in letters if name != clan and letters[name] & letters[clan]]
    return ", ".join(others) if others else ABSENT


def _side(side: Side) -> dict[str, Any]:
    """A side in the record."""
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
    """A situation in the record."""
    return {
        "first": _place(match, "first"),
        "second": _place(match, "second"),
        "paired": match.paired,
        "variance_ratio": match.variance_ratio,
        "numbers": [_number(each) for each in match.numbers],
        "ranked_by": match.ranked_by or None,
        "ranks": [
            {
                "clan": shift.clan,
                "first": shift.first,
                "second": shift.second,
                "first_group": shift.first_group,
                "second_group": shift.second_group,
            }
            for shift in match.ranks
        ],
    }


def _place(match: Matched, side: str) -> dict[str, Any]:
    """What a side's situation is."""
    situation = match.first if side == "first" else match.second
    setting = situation.setting
    return {
        "edition": setting.edition,
        "mode": setting.mode,
        "rules": setting.rules,
        "players": situation.players,
        "population": situation.population,
    }


def _number(each: Compared) -> dict[str, Any]:
    """One number in the record."""
    return {
        "definition": each.definition,
        "name": each.name,
        "unit": each.first.unit,
        "first": _estimate(each.first),
        "second": _estimate(each.second),
        "difference": _estimate(each.difference),
        "margin": each.margin,
        "result": each.word,
        "variance_ratio": each.variance_ratio,
    }


def _estimate(estimate: Estimate) -> dict[str, Any]:
    """An estimate in the record."""
    return {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "standard_error": estimate.standard_error,
        "games": estimate.games,
    }
