"""Solo games: how often Bruno is beaten at each difficulty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ethnos_sim.reports.estimators.solo import SOLO_WIN_RATE
from ethnos_sim.reports.page.sheet import Sheet
from ethnos_sim.reports.page.words import of_100
from ethnos_sim.reports.rendering.document import Answer, Card, Figure, Mark, Section
from ethnos_sim.reports.rendering.labels import DIFFICULTIES
from ethnos_sim.reports.rendering.table import Row


def solo_sections(sheet: Sheet) -> Iterator[Section]:
    """The card of the solo games; nothing where none were played."""
    rows = {
        mode: [
            row
            for table in sheet.situations
            if table.setting.mode == mode
            for row in sheet.rows(table, SOLO_WIN_RATE.name)
        ]
        for mode in DIFFICULTIES
    }
    rows = {mode: found for mode, found in rows.items() if found}
    if not rows:
        return
    answers = tuple(_answer(mode, found) for mode, found in rows.items())
    marks = tuple(
        Mark(row["population"], row, DIFFICULTIES[mode])
        for mode, found in rows.items()
        for row in found
    )
    title = "How often each player beats Bruno"
    figure = Figure("solo", title, "intervals", marks, "wins of 100", middle=0.5)
    foot = "Each player against Bruno alone; every game has a deal of its own."
    yield Section("solo", "Solo games", (Card("Solo games", answers, figure, foot),))


def _answer(mode: str, rows: Sequence[Row]) -> Answer:
    """How hard a difficulty is for the player who does best."""
    rates = [row.estimate for row in rows if row.estimate is not None]
    best = max(rates, key=lambda each: each.value or 0.0)
    rate = best.value or 0.0
    word = "Hard." if rate < 0.4 else "Even." if rate < 0.6 else "Beatable."
    text = f"“{best.population}” beats Bruno in {of_100(best)}."
    return Answer(mode, f"How hard is Bruno, {DIFFICULTIES[mode]}?", word, text)
