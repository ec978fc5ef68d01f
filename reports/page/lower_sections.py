"""The sections below the figures of a page: rule sets and solo games.

Each rule set is compared with the reference rules: does it make the game more balanced? The solo
section shows how often each strategy beats Bruno at each difficulty.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ethnos_sim.experiments.evidence.evidence import Situation
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.statistics.verdict import Verdict
from ethnos_sim.reports.estimators.solo import SOLO_WIN_RATE
from ethnos_sim.reports.page.balance import (
    RULE_CHANGE_WORDS,
    TOO_FEW_GAMES,
    compare_clan_spreads,
    more_balanced_side,
)
from ethnos_sim.reports.page.games import PageGames
from ethnos_sim.reports.page.number_table import NumberTable
from ethnos_sim.reports.page.rule_effects import effect_sentence, house_rule_summary
from ethnos_sim.reports.rendering.document import Answer, Card, Figure, Mark, Section, Text
from ethnos_sim.reports.rendering.numbers import DIFFICULTIES, games_of_100
from ethnos_sim.reports.rendering.table import CellValue, Column, Table, TableCell

BALANCE_TONES = "down2", "up2"
"""The tones for a rule set: the first if it is less balanced, the second if it is more."""


def rule_set_sections(page: PageGames) -> Iterator[Section]:
    """The section that compares changed rules with the reference rules, if any were played."""
    lines = [
        line
        for situation in page.variant_situations
        if situation.population == page.main_population
        for line in _rule_set_line(page, situation)
    ]
    if not lines:
        return
    varied = any(plan.sensitivity for plan in page.evidence.plans)
    intro = (
        "Each rule set tries another value for an uncertain one, or another reading of a rule."
        if varied
        else "Each rule set is compared with the reference rules, on the same deals."
    )
    headings = ("Rules", "Players", "What it does", "Balance")
    columns = tuple(map(Column, headings, zip(*lines, strict=True)))
    known = all(house_rule_summary(page.rules[table.rule_set]) for table in page.variant_situations)
    title = "What house rules do" if known and not varied else "What other rules would change"
    yield Section(
        "rule-sets",
        title,
        (
            Text(intro),
            Table("What changes, with intervals for all clans at once.", columns, stacks=True),
        ),
    )


def _rule_set_line(page: PageGames, situation: Situation) -> Iterator[list[CellValue]]:
    """The table's line for a situation, if it was also played by the reference rules."""
    reference = situation._replace(rules="")
    if reference not in page.situations:
        return
    compared = compare_clan_spreads(page, (reference, situation))
    word = TOO_FEW_GAMES if compared is None else RULE_CHANGE_WORDS.answer(compared)
    tone = ""
    if compared is not None and compared.verdict is Verdict.MATTERS:
        tone = BALANCE_TONES[more_balanced_side(compared)]
    rule_set = situation.rule_set
    several = len({table.edition for table in page.situations}) > 1
    name = house_rule_summary(page.rules[rule_set]) or page.rule_changes(rule_set)
    yield [
        f"{page.edition_name(rule_set)}: {name}" if several else name,
        situation.players,
        effect_sentence(page, reference, situation),
        TableCell(f"{word}.", tone),
    ]


def solo_sections(number_table: NumberTable) -> Iterator[Section]:
    """The section with the card of the solo games, if any were played."""
    rates = {
        mode: estimates
        for mode in DIFFICULTIES
        for table in number_table.situations
        if table.mode == mode and (estimates := number_table.numbers(table, SOLO_WIN_RATE.name))
    }
    if not rates:
        return
    answers = tuple(_solo_answer(mode, estimates) for mode, estimates in rates.items())
    marks = tuple(
        Mark(rate.name, rate, DIFFICULTIES[mode])
        for mode, estimates in rates.items()
        for rate in estimates
    )
    title = "How often each player beats Bruno"
    figure = Figure("solo", title, marks, "wins of 100", middle=0.5)
    foot = "Each player against Bruno alone; every game has a deal of its own."
    yield Section("solo", "Solo games", (Card("Solo games", answers, figure, foot),))


def _solo_answer(mode: str, rates: Sequence[Estimate]) -> Answer:
    """How hard a difficulty is, by the wins of the best strategy."""
    best = max(rates, key=lambda number: number.value or 0.0)
    rate = best.value or 0.0
    word = "Hard." if rate < 0.4 else "Even." if rate < 0.6 else "Beatable."
    text = f"“{best.name}” beats Bruno in {games_of_100(best)}."
    return Answer(mode, f"How hard is Bruno, {DIFFICULTIES[mode]}?", word, text)
