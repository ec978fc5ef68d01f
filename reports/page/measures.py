"""Balance by every measure: the small table behind the two answers that compare tables."""

from __future__ import annotations

from collections.abc import Iterator

from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.reports.page.answers import compare_tables, comparisons_at
from ethnos_sim.reports.page.balance import LESS, MORE, OPEN, SAME
from ethnos_sim.reports.page.games import PageGames
from ethnos_sim.reports.page.sentences import NAMES, measure_words, numbers_of
from ethnos_sim.reports.rendering.document import Details
from ethnos_sim.reports.rendering.numbers import MINUS, capital
from ethnos_sim.reports.rendering.table import Column, Table

VERDICTS = {SAME: "no difference that matters", OPEN: "open"}


def balance_tables(page: PageGames, situation: Situation) -> Iterator[Details]:
    """A table for each comparison. Each line is a measure: both sides, change, margin, verdict.

    A measure without an interval is open, and its line has no numbers.
    """
    for question in comparisons_at(page, situation):
        balance = compare_tables(page, *question.sides)
        if balance is None:
            continue
        first, second = question.words.sides
        better = {LESS: f"better {first}", MORE: f"better {second}"} | VERDICTS
        lines = []
        for about in (*balance.changes, *balance.without_interval):
            measure = measure_words(balance, about)
            label = f"{capital(NAMES[about])} ({measure.unit})"
            if about in balance.without_interval:
                lines.append((label, *["–"] * 4, better[OPEN]))
                continue
            change = balance.changes[about]
            (before, after), half = numbers_of(measure, change)
            margin = f"{measure.scale * change.margin:g}"
            moved = measure.scale * (change.difference.value or 0.0)
            lines.append(
                (
                    label,
                    before,
                    after,
                    f"{moved:+.{measure.decimals}f} ± {half}".replace("-", MINUS),
                    margin,
                    better[balance.words[about]],
                )
            )
        headings = ("", first, second, "Difference", "Margin", "Verdict")
        columns = tuple(map(Column, headings, zip(*lines, strict=True)))
        table = Table("Less is more balanced.", columns, stacks=True)
        yield Details(f"{question.question} By every measure", (table,))
