"""Rule sets against the reference rules: whether each makes the game more balanced."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ethnos_sim.reports.evidence.evidence import Situation
from ethnos_sim.reports.page.answers import balance_words, compare_tables, needs_sentence
from ethnos_sim.reports.page.balance import LESS, MORE, Balance, Change
from ethnos_sim.reports.page.played import Played
from ethnos_sim.reports.rendering.document import Section, Text
from ethnos_sim.reports.rendering.labels import capital
from ethnos_sim.reports.rendering.table import CellValue, Column, Table, TableCell

TONES = {MORE: "up2", LESS: "down2"}


def rule_sets(played: Played) -> Iterator[Section]:
    """A line for every rule set and number of players; nothing where one rule set was played."""
    lines = [
        line
        for situation in played.variants
        if situation.population == played.population
        for line in _line(played, situation)
    ]
    if not lines:
        return
    varied = any(plan.sensitivity for plan in played.plans)
    told = (
        "Each rule set stands for a value that is not known for sure, or for another reading."
        if varied
        else "Each rule set against the rules beside it, on the same deals."
    )
    headings = ("Rules", "Players", "Balance", "Clans apart", "First seat", "Leader wins")
    columns = tuple(map(Column, headings, zip(*lines, strict=True)))
    caption = "Changes, in games of 100, with 95 % intervals. Below 0 is more balanced."
    table = Table(caption, columns, stacks=True)
    yield Section("rule-sets", "What other rules would change", (Text(told), table))


def _line(played: Played, situation: Situation) -> Iterator[list[CellValue]]:
    """One rule set at one kind of table, where its reference was played too."""
    reference = replace(situation, setting=replace(situation.setting, rules=""))
    if reference not in played.tables:
        return
    found = compare_tables(played, reference, situation)
    if found is None:
        return
    word = balance_words(found, ("the rules", "")).strip()
    shown = f"{capital(word.removeprefix('is '))}.{needs_sentence(found)}"
    edition = played.edition(situation.setting)
    yield [
        f"{edition}: {played.change(situation.setting)}",
        situation.players,
        TableCell(shown, TONES.get(found.word, "")),
        *(_change(found, about) for about in ("clans", "seat", "leader")),
    ]


def _change(found: Balance, about: str) -> str | None:
    """One of the three changes, in games of 100."""
    change: Change | None = next((c for c in found.changes if c.about == about), None)
    if change is None:
        return None
    value = 100 * (change.second - change.first)
    return f"{value:+.1f} ± {100 * change.half:.1f}".replace("-", "\N{MINUS SIGN}")
