"""From a sweep's folder to a report: one page, the same as Markdown, and every table beside it.

The page is one file that opens offline: style and figures stand in it and it names no address
outside. What comes from users is escaped by the template, by the Markdown writer, in figures and
in CSV, each in its own way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from ethnos_sim.experiments.store import write_whole
from ethnos_sim.reports.document import Document, Section
from ethnos_sim.reports.evidence import Evidence
from ethnos_sim.reports.gathering import gather
from ethnos_sim.reports.html import as_html
from ethnos_sim.reports.labels import setting_label
from ethnos_sim.reports.markdown import as_markdown
from ethnos_sim.reports.numbers import listed, whole
from ethnos_sim.reports.sections.chapter import Chapter
from ethnos_sim.reports.sections.clans import clans_at_a_glance, clans_with_players
from ethnos_sim.reports.sections.headline import headline
from ethnos_sim.reports.sections.limits import changed_rules_sentence, limits, partial_sentence
from ethnos_sim.reports.sections.meaning import meaning
from ethnos_sim.reports.sections.prestige import prestige, shape
from ethnos_sim.reports.sections.quality import quality
from ethnos_sim.reports.sections.seats import seats
from ethnos_sim.reports.sections.solo import solo_details
from ethnos_sim.reports.sections.solo_chapter import SoloChapter
from ethnos_sim.reports.sections.solo_headline import solo_headline
from ethnos_sim.reports.sections.strategies import strategies
from ethnos_sim.reports.storage import Ledger, write_tables

NOTICE = (
    "An unofficial analysis tool. Ethnos is a game of its publishers, who have no part in this."
)


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """A report before it is written: the document, and the stored tables by name."""

    document: Document
    tables: Mapping[str, pl.DataFrame]


@dataclass(frozen=True, slots=True)
class Written:
    """Where a report was written."""

    page: Path
    markdown: Path
    tables: Path


def make_report(evidence: Evidence) -> Report:
    """Estimate everything and put the page together."""
    ledger = Ledger()
    chapters = [Chapter(evidence, ledger, setting) for setting in evidence.settings]
    solo = SoloChapter(evidence.solo, ledger)
    sections = [headline(chapters) if chapters else solo_headline(solo, alone=True)]
    sections.append(limits(evidence, ledger, chapters, solo))
    for chapter in chapters:
        sections.append(clans_at_a_glance(chapter))
        sections += [seats(chapter), prestige(chapter), shape(chapter)]
        sections += [clans_with_players(chapter, players) for players in chapter.players]
    if chapters:
        sections.append(strategies(chapters))
    if solo.modes:
        sections += [solo_headline(solo, alone=False)] if chapters else []
        sections += solo_details(solo)
    sections += [quality(ledger, chapters, solo), meaning(ledger, chapters)]
    return Report(_document(evidence, chapters, solo, tuple(sections)), ledger.tables())


def write_report(folders: Sequence[Path], page: Path) -> Written:
    """Make the report of a sweep's folder, or of several on one page, and write it.

    Args:
        folders: the folders of sweeps, complete or not.
        page: where the page goes; the Markdown goes beside it with the ending `.md` and the tables
            into a folder beside it, `<name>_tables`.

    Raises:
        WrongInput: a folder holds no sweep or no finished games, or the sweeps do not fit together.
        Failed: a file cannot be read or written.
    """
    report = make_report(gather(*folders))
    written = Written(page, page.with_suffix(".md"), page.with_name(f"{page.stem}_tables"))
    folder_name = written.tables.name
    write_tables(written.tables, report.tables)
    write_whole(written.markdown, as_markdown(report.document, folder_name).encode())
    write_whole(page, as_html(report.document, folder_name).encode())
    return written


def _document(
    evidence: Evidence, chapters: list[Chapter], solo: SoloChapter, sections: tuple[Section, ...]
) -> Document:
    """The document around its sections."""
    facts = []
    if chapters:
        counts = sorted({players for chapter in chapters for players in chapter.players})
        editions = listed(setting_label(chapter.rules, chapter.setting) for chapter in chapters)
        facts.append(f"{editions}. {listed(map(str, counts))} players.")
    if solo.modes:
        facts.append(f"{solo.rules.title}, solo: {listed(map(solo.difficulty, solo.modes))}.")
    facts.append(f"{whole(evidence.games)} games by {listed(evidence.strategies())}.")
    facts += [partial_sentence(evidence), changed_rules_sentence(evidence)]
    return Document(
        f"Ethnos balance report: {evidence.name}",
        " ".join(sentence for sentence in facts if sentence),
        NOTICE,
        sections,
    )
