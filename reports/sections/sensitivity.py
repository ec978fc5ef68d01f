"""Sensitivity to assumed values: whether any verdict would change if one of them were wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ethnos_sim.experiments.designs.interventions import RESTRICTED
from ethnos_sim.experiments.statistics.adjustment import holm
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.comparison.pairs import Pair, compared, varied_assumptions
from ethnos_sim.reports.comparison.situations import CHANGED, Compared, counted
from ethnos_sim.reports.comparison.tables import compared_rows
from ethnos_sim.reports.estimators.catalog import label_of
from ethnos_sim.reports.estimators.relative_power import relative_power
from ethnos_sim.reports.estimators.restricted_play import measure_restricted_play
from ethnos_sim.reports.estimators.seat_edge import measure_seat_edge
from ethnos_sim.reports.estimators.win_lift import measure_win_lift
from ethnos_sim.reports.evidence.evidence import Evidence, Situation
from ethnos_sim.reports.rendering.document import Section, Text
from ethnos_sim.reports.rendering.labels import clan_label, setting_label
from ethnos_sim.reports.rendering.numbers import listed, with_interval
from ethnos_sim.reports.rendering.table import (
    CellValue,
    Column,
    Label,
    Row,
    Table,
    TableCell,
)
from ethnos_sim.reports.sections.comparison import change_text
from ethnos_sim.reports.verdicts import ALPHA, verdicts

SIDES = {"up": "above average", "down": "below average", "level": "about average"}


def sensitivity(evidence: Evidence) -> Section | None:
    """A line for every varied value and table; None where none was varied."""
    lines: list[list[CellValue]] = []
    rows: list[Row] = []
    shifted = []
    for pair in varied_assumptions(evidence):
        for table, numbers in zip(pair.tables, compared(pair).values(), strict=True):
            first, second = table.first, table.second
            changed = changed_verdicts(
                situation_verdicts(table.sweep, first), situation_verdicts(table.sweep, second)
            )
            labels: dict[str, Label] = {
                "edition": first.setting.edition,
                "mode": first.setting.mode,
                "rules": second.setting.rules,
                "players": first.players,
                "strategies": first.population,
            }
            rows += compared_rows(labels, numbers)
            lines.append(_line(evidence, pair, first, numbers, changed))
            if changed:
                shifted.append(f"{second.setting.rules}, {first.players} players")
    if not lines:
        return None
    caption = (
        "Each uncertain value, or reading of an open text, set to another plausible one, one at a "
        "time, on the same deals. A verdict changes where a clan or the first seat is settled on "
        "another side than before; what is not settled on either side does not count."
    )
    headings = (
        "Change",
        "Games",
        "Verdicts that change",
        "Changed",
        "Equivalent",
        "Undecided",
        "Largest change (in margins)",
    )
    columns = tuple(map(Column, headings, zip(*lines, strict=True)))
    shown = Table(caption, columns, "sensitivity", unshown=tuple(rows))
    told = Text(_in_words(len(lines), shifted))
    return Section("sensitivity", "Sensitivity to assumed values", (told, shown))


def situation_verdicts(evidence: Evidence, situation: Situation) -> dict[str, str]:
    """The settled side of every clan and the first seat: "up", "down", "level", "open"."""
    found = {v.clan: v.side for v in verdicts(_of_clans(evidence, situation))}
    if situation in evidence.situations:
        edges = measure_seat_edge(evidence.of(situation), situation.population)
        significant = holm(edges.p_values())[0] < ALPHA
        side = "up" if edges.value[0] > 0 else "down"
        found["first seat"] = side if significant else "open"
    return found


def changed_verdicts(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[str, ...]:
    """What is settled on another side than it was settled before, in words."""
    return tuple(
        f"{clan_label(name)} {SIDES[side]} → {SIDES[after[name]]}"
        for name, side in before.items()
        if name in after and side != after[name] and "open" not in (side, after[name])
    )


def _of_clans(evidence: Evidence, situation: Situation) -> Estimates:
    """Power against the average clan where one seat was restricted, else win lift."""
    restricted = evidence.interventions.get((situation, RESTRICTED))
    if restricted is not None:
        return relative_power(measure_restricted_play([restricted], situation.population))
    return measure_win_lift(evidence.of(situation), situation.population)


def _line(
    evidence: Evidence,
    pair: Pair,
    situation: Situation,
    numbers: Sequence[Compared],
    changed: Sequence[str],
) -> list[CellValue]:
    """One varied value at one kind of table."""
    counts = counted(numbers)
    largest = max(
        (each for each in numbers if each.word == CHANGED),
        key=lambda each: abs(each.difference.value or 0) / each.margin,
        default=None,
    )
    told = (
        f"{label_of(largest.definition, largest.name)}: {with_interval(largest.difference)}"
        if largest
        else "none is significant"
    )
    where = setting_label(evidence.rules(pair.first), pair.first)
    return [
        change_text(pair.changes),
        f"{where}, {situation.players} players, {situation.population}",
        TableCell(listed(changed), "down2") if changed else TableCell("none", "level"),
        *counts.values(),
        told,
    ]


def _in_words(rows: int, shifted: Sequence[str]) -> str:
    """Whether any verdict rests on an assumption, in a sentence or two."""
    if not shifted:
        return (
            f"No verdict changes: in none of {rows} comparisons is a clan, or the first seat, "
            "settled on another side than with the values assumed here."
        )
    return (
        f"In {len(shifted)} of {rows} comparisons a verdict changes ({listed(shifted)}): what the "
        "page says of these rests on the assumed value."
    )
