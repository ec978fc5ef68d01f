"""Balance by every measure: the small table behind the two answers that compare tables."""

from __future__ import annotations

from collections.abc import Iterator

from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.statistics.verdict import Verdict
from ethnos_sim.reports.page.answers import compare_tables, comparisons_at
from ethnos_sim.reports.page.games import PageGames
from ethnos_sim.reports.page.sentences import measure_words, numbers_of
from ethnos_sim.reports.rendering.document import Details
from ethnos_sim.reports.rendering.numbers import MINUS
from ethnos_sim.reports.rendering.table import Column, Table


def balance_tables(page: PageGames, situation: Situation) -> Iterator[Details]:
    """A table for each comparison. Each line is a measure: both sides, change, margin, verdict.

    A measure without an interval is open, and its line has no numbers.
    """
    for question in comparisons_at(page, situation):
        balance = compare_tables(page, *question.sides)
        if balance is None:
            continue
        first, second = question.words.sides
        lines = []
        for about in (*balance.changes, *balance.without_interval):
            measure = measure_words(balance, about)
            label = f"{measure.name} ({measure.unit})"
            if about in balance.without_interval:
                lines.append((label, *["–"] * 4, Verdict.OPEN.value))
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
                    _verdict(balance.verdict(about), question.words.sides[balance.better(about)]),
                )
            )
        headings = ("", first, second, "Difference", "Margin", "Verdict")
        columns = tuple(map(Column, headings, zip(*lines, strict=True)))
        table = Table("Less is more balanced.", columns, stacks=True)
        yield Details(f"{question.question} By every measure", (table,))


def _verdict(verdict: Verdict, better: str) -> str:
    """A verdict, with the better side if the difference matters."""
    return f"better {better}" if verdict is Verdict.MATTERS else verdict.value
