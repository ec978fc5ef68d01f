"""From a sweep's folder to a report: one page, the same as Markdown, and every table beside it.

The page is one file that opens offline: style and figures stand in it and it names no address
outside. What comes from users is escaped by the template, by the Markdown writer, in figures and
in CSV, each in its own way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from os import PathLike
from pathlib import Path

import polars as pl

from ethnos_sim.experiments.storage.files import check_writable, write_all
from ethnos_sim.experiments.storage.results import Results, open_results, sweeps_in
from ethnos_sim.reports.choices import choices
from ethnos_sim.reports.evidence.evidence import Evidence
from ethnos_sim.reports.evidence.gathering import gather_results
from ethnos_sim.reports.following import clans_of, games_of, panels
from ethnos_sim.reports.rendering.document import NOTICE, Document, Section, Text
from ethnos_sim.reports.rendering.html import as_html
from ethnos_sim.reports.rendering.markdown import as_markdown
from ethnos_sim.reports.rendering.numbers import listed, whole
from ethnos_sim.reports.rendering.storage import stored_rows, stored_tables, table_files
from ethnos_sim.reports.sections.better import decisions
from ethnos_sim.reports.sections.bridge import edition_bridge
from ethnos_sim.reports.sections.chapter import Chapter, counted_players
from ethnos_sim.reports.sections.comparison import comparisons
from ethnos_sim.reports.sections.ladder import ladder
from ethnos_sim.reports.sections.limits import changed_rules_sentence, limits, partial_sentence
from ethnos_sim.reports.sections.meaning import meaning
from ethnos_sim.reports.sections.pairs import pairs
from ethnos_sim.reports.sections.quality import quality
from ethnos_sim.reports.sections.replays import GamesWorthReading
from ethnos_sim.reports.sections.rule_sets import rule_sets
from ethnos_sim.reports.sections.sensitivity import sensitivity
from ethnos_sim.reports.sections.solo import solo_details
from ethnos_sim.reports.sections.solo_chapter import SoloChapter
from ethnos_sim.reports.sections.solo_headline import solo_headline
from ethnos_sim.reports.sections.strategies import strategies
from ethnos_sim.simulator.errors import WrongInput

MOST_NAMED = 5
"""Strategies and sweeps that the head of the page names; of more it gives the number."""


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """A report before it is written: the document, and the stored tables by name."""

    document: Document
    tables: Mapping[str, pl.DataFrame]


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """Where a report was written."""

    page: Path
    markdown: Path
    tables: Path


def make_report(evidence: Evidence, worth_reading: GamesWorthReading | None = None) -> Report:
    """Estimate everything and put the page together, topic by topic.

    Args:
        evidence: what was played.
        worth_reading: single games that were found on the way, to be told on the page.
    """
    everyone = tuple(s for s in evidence.all_settings if not s.rules)
    chapters = [Chapter(evidence, setting) for setting in everyone]
    solo = SoloChapter(evidence.solo)
    sections = [limits(evidence, chapters, solo)]
    if chapters:
        sections += clans_of(chapters)
        skill = ladder(chapters)
        sections += [] if skill is None else [skill]
        sections += _of_games(chapters)
    else:
        sections.append(solo_headline(solo, alone=True))
    sections += _of_rules(evidence)
    if solo.modes:
        sections += [solo_headline(solo, alone=False)] if chapters else []
        sections += solo_details(solo)
    if worth_reading is not None:
        sections += worth_reading.sections()
    sections.append(quality(chapters, solo))
    rows = (row for of_table in stored_rows(sections).values() for row in of_table)
    measures = {row.estimate.definition for row in rows if row.estimate is not None}
    sections.append(meaning(measures, chapters))
    document = _document(evidence, chapters, solo, tuple(sections))
    return Report(document, stored_tables(sections))


def _of_games(chapters: list[Chapter]) -> list[Section]:
    """What ordinary games tell, in which nobody is restricted."""
    played = [chapter for chapter in chapters if chapter.players]
    if not played:
        return []
    sections = games_of(played)
    together = panels("pairs", played, pairs)
    if together is not None:
        after = [section.key for section in sections].index("presence") + 1
        sections.insert(after, together)
    return [decisions(played), *sections, strategies(played)]


def _of_rules(evidence: Evidence) -> list[Section]:
    """Rules against rules, and what the assumed values change."""
    bridge = edition_bridge(evidence)
    parts = [*comparisons(evidence), *filter(None, (rule_sets(evidence), bridge))]
    sections = []
    if parts:
        intro = Text("The second less the first, paired by deal wherever both play the same deals.")
        sections = [Section("comparison", "Rule comparisons", (intro,)), *parts]
    sensitive = sensitivity(evidence)
    return sections + ([] if sensitive is None else [sensitive])


def write_report(
    results: Results | str | PathLike[str] | Sequence[Results | str | PathLike[str]],
    page: str | PathLike[str] | None = None,
) -> ReportFiles:
    """Make the report of one sweep, or of several on one page, and write it.

    Args:
        results: a sweep's results or folder, complete or not; a folder of sweeps counts as all of
            them. Or several of these, where they play the same rules.
        page: where the page goes, ending in .html; `report.html` in the folder unless given. The
            Markdown goes beside it with the ending `.md` and the tables into a folder beside it,
            `<name>_tables`.

    Returns:
        Where everything was written.

    Raises:
        WrongInput: a folder holds no sweep or no finished games, the sweeps do not fit together,
            or the page has no place or no name of a page.
        Failed: a file cannot be read or written; all files are written, or none.

    Example:
        >>> from ethnos_sim import sweep, write_report
        >>> spec = {"name": "small", "players": [4], "games": 2000, "clan_sets": {"sample": 6}}
        >>> spec["line_ups"] = [{"strategies": ["greedy", "majority"]}]
        >>> results = sweep(spec, "small-results", quiet=True)
        >>> write_report(results, "small.html").page.name
        'small.html'
    """
    given = [results] if isinstance(results, Results | str | PathLike) else list(results)
    if page is None and len(given) != 1:
        raise WrongInput("say where the page of several folders goes")
    page = _default_page(given[0]) if page is None else Path(page)
    if page.suffix.lower() not in (".html", ".htm"):
        raise WrongInput(f"the page's name has to end in .html, not '{page.name}'")
    check_writable(page, folder=False)
    opened = _opened(given)
    worth_reading = GamesWorthReading(opened)
    evidence = gather_results(opened, worth_reading.watch)
    report = make_report(evidence, worth_reading)
    written = ReportFiles(page, page.with_suffix(".md"), page.with_name(f"{page.stem}_tables"))
    folder_name = written.tables.name
    tables = dict(table_files(written.tables, report.tables))
    csv = {path.stem: data for path, data in tables.items() if path.suffix == ".csv"}
    pages = {
        written.markdown: as_markdown(report.document, folder_name),
        page: as_html(report.document, folder_name, csv),
    }
    write_all(chain(tables.items(), ((path, text.encode()) for path, text in pages.items())))
    return written


def _default_page(results: Results | str | PathLike[str]) -> Path:
    """The page of a sweep where no place is given."""
    folder = results.folder if isinstance(results, Results) else Path(results)
    return folder / "report.html"


def _opened(given: Iterable[Results | str | PathLike[str]]) -> list[Results]:
    """The results of every sweep that is meant, each once."""
    opened: dict[Path, Results] = {}
    for each in given:
        if isinstance(each, Results):
            opened.setdefault(each.folder, each)
            continue
        for folder in sweeps_in(Path(each)):
            if folder not in opened:
                opened[folder] = open_results(folder)
    return list(opened.values())


def _document(
    evidence: Evidence, chapters: list[Chapter], solo: SoloChapter, sections: tuple[Section, ...]
) -> Document:
    """The document around its sections."""
    facts = []
    if chapters:
        counts = sorted(
            {n for chapter in chapters for n in (*chapter.players, *chapter.power_counts())}
        )
        editions = listed(chapter.title for chapter in chapters)
        facts.append(f"{editions}. {counted_players(counts)}.")
    if solo.modes:
        facts.append(f"{solo.rules.title}, solo: {listed(map(solo.difficulty, solo.modes))}.")
    names = evidence.strategies() or {name for c in chapters for name in c.power_populations()}
    who = listed(sorted(names)) if len(names) <= MOST_NAMED else f"{len(names)} strategies"
    facts.append(f"{whole(evidence.games)} games by {who}.")
    facts += [partial_sentence(evidence), changed_rules_sentence(evidence)]
    sweeps = len(evidence.plans)
    name = evidence.name if sweeps <= MOST_NAMED else f"{sweeps} sweeps"
    return Document(
        f"Ethnos balance report: {name}",
        " ".join(sentence for sentence in facts if sentence),
        NOTICE,
        sections,
        choices(evidence),
    )
