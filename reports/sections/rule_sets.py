"""Rule sets side by side: the power of the clans and the verdicts of each in absolute numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from ethnos_sim.reports.evidence.evidence import Evidence
from ethnos_sim.reports.rendering.document import Block, Details, Section
from ethnos_sim.reports.rendering.table import Row, Table, cross
from ethnos_sim.reports.sections.chapter import Chapter, counted_players, starred
from ethnos_sim.reports.sections.glance import QUESTIONS, answer_rows
from ethnos_sim.reports.sections.headline import by_power
from ethnos_sim.reports.verdicts import verdicts


def rule_sets(evidence: Evidence) -> Section | None:
    """Two tables for every edition and mode that was played by several rule sets."""
    groups: dict[tuple[str, str], list[Chapter]] = {}
    for setting in evidence.all_settings:
        chapter = Chapter(evidence, setting)
        groups.setdefault((setting.edition, setting.mode), []).append(chapter)
    parts = tuple(
        Details(f"{chapters[0].title}: every rule set in absolute numbers", _tables(chapters))
        for chapters in groups.values()
        if len(chapters) > 1
    )
    return Section("rule-sets", "Every rule set", parts, level=3) if parts else None


def _tables(chapters: Sequence[Chapter]) -> tuple[Block, ...]:
    """Clans and verdicts of the rule sets of one edition and mode."""
    blocks: list[Block] = []
    power = [chapter for chapter in chapters if by_power(chapter)]
    if power:
        blocks.append(_clans(power, "Power, percentage points", _power(power), "power"))
    else:
        blocks.append(_clans(chapters, "Win lift", _lift(chapters), "clans"))
    played = [chapter for chapter in chapters if chapter.players]
    rows = [row for chapter in played for row in answer_rows(chapter)]
    usual = [row for row in rows if row["players"] == played[0].usual]
    if usual:
        order = list(QUESTIONS)
        usual.sort(key=lambda row: order.index(row["question"]))
        columns = cross(usual, "Question", partial(_asked, chapters[0]), lambda row: row["rules"])
        caption = (
            f"The numbers of the verdicts by rule set, {counted_players([played[0].usual])}, with "
            f"95 % intervals; other numbers of players stand in the stored table."
        )
        table = Table(caption, columns, "verdicts", unshown=tuple(rows), alike="line")
        blocks.append(table)
    return tuple(blocks)


def _asked(chapter: Chapter, row: Row) -> str:
    """What a line of verdicts is about: the question, the seat where it asks for one, who plays."""
    question = QUESTIONS[row["question"]].format(clans=chapter.rules.words.clans)
    about = [row["name"]] if row["question"] == "seats" else []
    return f"{question} ({', '.join([*about, row['strategies']])})"


def _clans(chapters: Sequence[Chapter], what: str, rows: Iterable[Row], stored: str) -> Table:
    """A line a clan, a column a rule set; means over player counts are shown."""
    every = tuple(rows)
    caption = (
        f"{what} by rule set, mean over the numbers of players, with 95 % intervals. Blue: settled "
        f"above average; orange: below.{starred(chapters[0])}"
    )
    columns = cross(
        [row for row in every if row["players"] is None],
        chapters[0].rules.words.clan.capitalize(),
        chapters[0].clan_label,
        lambda row: row["rules"],
    )
    return Table(caption, columns, stored, unshown=every)


def _power(chapters: Iterable[Chapter]) -> Iterable[Row]:
    """The power of every clan, averaged and at each number of players."""
    for chapter in chapters:
        population = chapter.power_population
        assert population is not None, "judged by restricted play"
        for players in (None, *chapter.power_counts(population)):
            found = chapter.clan_verdicts(population, players)
            yield from chapter.verdict_rows(found, population, players)


def _lift(chapters: Iterable[Chapter]) -> Iterable[Row]:
    """The win lift of every clan, averaged over the numbers of players."""
    for chapter in chapters:
        population = chapter.lift_population
        found = verdicts(chapter.mean_win_lift(population))
        yield from chapter.verdict_rows(found, population, None)
