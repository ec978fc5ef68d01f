"""Two more measures of balance, behind the comparison of two kinds of tables by their clans.

They are how far the first seat is from a fair share, and how far the leader is from what a lottery
of the last age would give. Of both, less is more balanced.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.verdict import Verdict
from ethnos_sim.reports.comparison.differences import (
    ComparedNumber,
    compare_numbers,
    with_verdicts,
)
from ethnos_sim.reports.estimators.game_shape import LEADER_ADVANTAGE
from ethnos_sim.reports.estimators.win_shares import ORDINALS, SEAT_EDGE
from ethnos_sim.reports.page.balance import (
    ComparisonQuestion,
    ComparisonWords,
    Sides,
    better_side,
    compare_tables,
)
from ethnos_sim.reports.page.games import PageGames
from ethnos_sim.reports.rendering.document import Details
from ethnos_sim.reports.rendering.numbers import MINUS, listed
from ethnos_sim.reports.rendering.table import Column, Table


class Measure(NamedTuple):
    """A measure of balance.

    Attributes:
        estimand: the name of its estimand.
        name: the name of the number, whose distance from 0 is measured.
        label: the measure in a table.
        better: what is said of the more balanced table.
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


def changes(page: PageGames, sides: Sides) -> dict[Measure, ComparedNumber]:
    """The change of every measure that has an interval; their verdicts are one family."""

    def change(measure: Measure) -> Estimates:
        numbers = (page.number_table.part(side, measure.estimand) for side in sides)
        sizes = (number.where(name=measure.name).through(np.abs) for number in numbers)
        return compare_numbers(*sizes, same_deals=page.same_deals)

    known = {
        measure: found
        for measure in (FIRST_SEAT, LEADER)
        if (found := change(measure)).trusted.any()
    }
    compared = with_verdicts(tuple(known.values())) if known else []
    return {measure: number for measure, (number,) in zip(known, compared, strict=True)}


def disagreement(
    clans: ComparedNumber, others: Mapping[Measure, ComparedNumber], words: ComparisonWords
) -> str:
    """The measures that favor a different side than the clans do; "" if there are none.

    For example: ", but in the 2nd the first seat is fairer".
    """
    favored = better_side(clans) if clans.verdict is Verdict.MATTERS else None
    parts = [
        f"{words.sides[better_side(change)]} {measure.better}"
        for measure, change in others.items()
        if change.verdict is Verdict.MATTERS and better_side(change) != favored
    ]
    return f", but {listed(parts)}" if parts else ""


def measure_tables(page: PageGames, questions: Iterator[ComparisonQuestion]) -> Iterator[Details]:
    """For every comparison a table with a line for each measure, in games of 100."""
    for question in questions:
        clans = compare_tables(page, question.sides)
        others = changes(page, question.sides)
        measures = {measure.label: change for measure, change in others.items()}
        if clans is not None:
            measures = {"Clans, from the average": clans, **measures}
        if measures:
            title = f"{question.question} All measures, in games of 100"
            yield Details(title, (_table(measures, question.words),))


def _table(measures: Mapping[str, ComparedNumber], words: ComparisonWords) -> Table:
    """The measures of one comparison; less is more balanced."""
    lines = []
    for label, change in measures.items():
        numbers = [100 * (number.value or 0.0) for number in (change.first, change.second)]
        difference = change.difference
        moved, half = (100 * (size or 0.0) for size in (difference.value, difference.half_width))
        verdict: str = change.verdict.value
        if change.verdict is Verdict.MATTERS:
            verdict = f"better {words.sides[better_side(change)]}"
        shown = f"{moved:+.1f} ± {half:.1f}".replace("-", MINUS)
        margin = f"{100 * change.margin:g}"
        lines.append((label, *(f"{number:.1f}" for number in numbers), shown, margin, verdict))
    headings = ("", *words.sides, "Difference", "Margin", "Verdict")
    columns = tuple(map(Column, headings, zip(*lines, strict=True)))
    return Table("Less is more balanced.", columns, stacks=True)
