"""Two more measures of balance, besides the spread of the clans, to compare two situations by.

One is how far the wins of the first seat are from a fair share. The other is how far the wins of
the leader are from those in a lottery of the last age. A smaller distance is more balanced.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.verdict import Verdict
from ethnos_sim.reports.comparison.differences import ComparedNumber, compare_numbers, with_verdicts
from ethnos_sim.reports.estimators.game_shape import LEADER_ADVANTAGE
from ethnos_sim.reports.estimators.win_shares import ORDINALS, SEAT_EDGE
from ethnos_sim.reports.page.balance import (
    ComparisonQuestion,
    ComparisonWords,
    Sides,
    compare_clan_spreads,
    more_balanced_side,
)
from ethnos_sim.reports.page.games import PageGames
from ethnos_sim.reports.rendering.document import Details
from ethnos_sim.reports.rendering.numbers import MINUS, word_list
from ethnos_sim.reports.rendering.table import Column, Table


class Measure(NamedTuple):
    """A measure of balance.

    Attributes:
        estimand: the name of its estimand.
        name: the name of the number; the measure is its distance from 0.
        label: the heading of the measure in a table.
        better: what is better on the more balanced side: "the first seat is fairer".
    """

    estimand: str
    name: str
    label: str
    better: str


FIRST_SEAT = Measure(
    *(SEAT_EDGE.name, ORDINALS[0]), "First seat, from a fair share", "the first seat is fairer"
)
LEADER = Measure(
    *(LEADER_ADVANTAGE.name, LEADER_ADVANTAGE.name),
    *("Leader, from a lottery", "a lead decides less"),
)


def measure_changes(page: PageGames, sides: Sides) -> dict[Measure, ComparedNumber]:
    """The change of each measure that has an interval; their verdicts hold all at once."""

    def change(measure: Measure) -> Estimates:
        numbers = (page.number_table.estimates(side, measure.estimand) for side in sides)
        sizes = (number.rows_where(name=measure.name).transform(np.abs) for number in numbers)
        return compare_numbers(*sizes, same_deals=page.same_deals)

    known = {
        measure: found
        for measure in (FIRST_SEAT, LEADER)
        if (found := change(measure)).has_interval.any()
    }
    compared = with_verdicts(tuple(known.values())) if known else []
    return {measure: number for measure, (number,) in zip(known, compared, strict=True)}


def disagreement(
    clans: ComparedNumber, others: Mapping[Measure, ComparedNumber], words: ComparisonWords
) -> str:
    """The measures that favor a different side than the clans do; "" if there are none.

    For example: ", but in the 2nd the first seat is fairer".
    """
    favored = more_balanced_side(clans) if clans.verdict is Verdict.MATTERS else None
    parts = [
        f"{words.sides[more_balanced_side(change)]} {measure.better}"
        for measure, change in others.items()
        if change.verdict is Verdict.MATTERS and more_balanced_side(change) != favored
    ]
    return f", but {word_list(parts)}" if parts else ""


def measure_tables(page: PageGames, questions: Iterator[ComparisonQuestion]) -> Iterator[Details]:
    """A table for each comparison, with a line for each measure, in games of 100."""
    for question in questions:
        clans = compare_clan_spreads(page, question.sides)
        others = measure_changes(page, question.sides)
        measures = {measure.label: change for measure, change in others.items()}
        if clans is not None:
            measures = {"Clans, from the average": clans, **measures}
        if measures:
            title = f"{question.question} All measures, in games of 100"
            yield Details(title, (_measure_table(measures, question.words),))


def _measure_table(measures: Mapping[str, ComparedNumber], words: ComparisonWords) -> Table:
    """The table of one comparison, with a line for each measure."""
    lines = []
    for label, change in measures.items():
        numbers = [100 * (number.value or 0.0) for number in (change.first, change.second)]
        difference = change.difference
        moved, half = (100 * (size or 0.0) for size in (difference.value, difference.half_width))
        verdict: str = change.verdict.value
        if change.verdict is Verdict.MATTERS:
            verdict = f"better {words.sides[more_balanced_side(change)]}"
        shown = f"{moved:+.1f} ± {half:.1f}".replace("-", MINUS)
        margin = f"{100 * change.margin:g}"
        lines.append((label, *(f"{number:.1f}" for number in numbers), shown, margin, verdict))
    headings = ("", *words.sides, "Difference", "Margin", "Verdict")
    columns = tuple(map(Column, headings, zip(*lines, strict=True)))
    return Table("Less is more balanced.", columns, stacks=True)
