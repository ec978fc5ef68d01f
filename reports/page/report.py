"""Make a report from a sweep's folder: a page, and the table of its numbers.

The page is one file that opens offline: it contains its style, script and numbers, and names no
address outside. The template, the figures and the CSV writer each escape text from users for their
format. The same games make the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import polars as pl

from ethnos_sim.experiments.evidence.evidence import Evidence
from ethnos_sim.experiments.evidence.gathering import gather_evidence
from ethnos_sim.experiments.storage.files import check_writable, write_files
from ethnos_sim.experiments.storage.results import Results, open_results, sweep_folders
from ethnos_sim.reports.numbers import numbers
from ethnos_sim.reports.page.closing_section import closing_section, page_warnings
from ethnos_sim.reports.page.games import PageGames
from ethnos_sim.reports.page.lower_sections import rule_set_sections, solo_sections
from ethnos_sim.reports.page.number_table import NumberTable
from ethnos_sim.reports.page.play_data import play_data
from ethnos_sim.reports.page.views import choices
from ethnos_sim.reports.plot import card_files, check_plotting, figure_files
from ethnos_sim.reports.rendering.document import NOTICE, Card, Document, Figure
from ethnos_sim.reports.rendering.html import as_html
from ethnos_sim.reports.rendering.numbers import count_text
from ethnos_sim.simulator.utilities.errors import WrongInput

TITLE = "How balanced is Ethnos?"

PICTURE_ENDINGS = (".svg", ".png")
"""The file endings that the picture of a card may have."""

FORMULA_START = r"^\s*[=+\-@|%\t\r\n]"
"""A pattern for texts that a spreadsheet would read as a formula or a command."""


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """A report that is not yet written: the document, the table of numbers, and the games."""

    document: Document
    numbers: pl.DataFrame
    games: PageGames

    @property
    def card(self) -> Card:
        """The card that the page opens with."""
        return next(block for block in self.document.opening_blocks if isinstance(block, Card))


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """The paths of the files of a report: the page, and the table of its numbers as CSV."""

    page: Path
    numbers: Path


def make_report(evidence: Evidence) -> Report:
    """Compute all numbers from the sums of games, and make the page's document from them."""
    number_table = NumberTable(numbers(evidence))
    games = PageGames(evidence, number_table)
    sections = (
        *rule_set_sections(games),
        *solo_sections(number_table),
        closing_section(evidence),
    )
    facts = f"{count_text(evidence.games)} games, played by computer players."
    offered = tuple(choices(games)) if games.situations else ()
    document = Document(TITLE, facts, NOTICE, sections, offered, tuple(page_warnings(evidence)))
    return Report(document, number_table.frame, games)


def write_report(
    results: Results | str | PathLike[str] | Sequence[Results | str | PathLike[str]],
    page: str | PathLike[str] | None = None,
    card: str | PathLike[str] | None = None,
    figures: str | PathLike[str] | None = None,
) -> ReportFiles:
    """Make the report of one sweep, or of several on one page, and write it.

    Args:
        results: a sweep's results, its folder, or a folder of several sweeps; or a sequence of
            these. Sweeps may be incomplete. All of them have to play the same rules.
        page: where the page goes, ending in .html; `report.html` in the folder unless given. The
            table of all numbers goes beside it with the ending `.csv`.
        card: where a picture of the card goes, ending in .svg or .png; none unless given.
        figures: the folder where the figures go that the page opens with, as SVG and PNG; none
            unless given.

    Returns:
        The paths of the page and of the table.

    Raises:
        WrongInput: a folder holds no sweep or no finished games, the sweeps play different rules,
            or the path of the page or the card is missing or has a wrong ending.
        Failed: a file cannot be read or written; all files are written, or none.

    Example:
        >>> from ethnos_sim import sweep, write_report
        >>> spec = {"name": "small", "players": [4], "games": 2000, "clan_sets": {"sample": 6}}
        >>> spec["line_ups"] = [{"strategies": ["greedy", "majority"]}]
        >>> results = sweep(spec, "small-results", quiet=True)
        >>> write_report(results, "small.html").page.name
        'small.html'
    """
    sources = [results] if isinstance(results, Results | str | PathLike) else list(results)
    page = _default_page(sources) if page is None else Path(page)
    if page.suffix.lower() not in (".html", ".htm"):
        raise WrongInput(f"the page's name has to end in .html, not '{page.name}'")
    picture = None if card is None else Path(card)
    if picture is not None and picture.suffix.lower() not in PICTURE_ENDINGS:
        raise WrongInput(f"the card's name has to end in .svg or .png, not '{picture.name}'")
    for path in filter(None, (page, picture)):
        check_writable(path, is_folder=False)
    if picture is not None or figures is not None:
        check_plotting()
    report = make_report(gather_evidence(*_open_sweeps(sources)))
    written = ReportFiles(page, page.with_suffix(".csv"))
    files = {
        written.numbers: _csv_bytes(report.numbers),
        page: as_html(report.document, play_data(report.games)).encode(),
    }
    if picture is not None:
        files[picture] = card_files(report.card, TITLE)[picture.suffix.lower()[1:]]
    if figures is not None:
        files |= {Path(figures) / name: drawn for name, drawn in _figure_contents(report.document)}
    write_files(files.items())
    return written


def _csv_bytes(table: pl.DataFrame) -> bytes:
    """A table as CSV in UTF-8, with an apostrophe before texts that would be formulas."""
    texts = [name for name, kind in table.schema.items() if kind == pl.String]
    guarded = table.with_columns(
        pl.when(pl.col(name).str.contains(FORMULA_START))
        .then(pl.lit("'") + pl.col(name))
        .otherwise(pl.col(name))
        .alias(name)
        for name in texts
    )
    return guarded.write_csv().encode()


def _default_page(sources: Sequence[Results | str | PathLike[str]]) -> Path:
    """The path of the page if none is given: `report.html` in the only folder of results."""
    if len(sources) != 1:
        raise WrongInput("several folders make one page: give its path (`page`, or --out)")
    (only,) = sources
    folder = only.folder if isinstance(only, Results) else Path(only)
    sweep_folders(folder)  # refuses a folder without a sweep
    return folder / "report.html"


def _figure_contents(document: Document) -> Iterable[tuple[str, bytes]]:
    """The names and contents of files: SVG and PNG of every figure that the page opens with."""
    for block in document.opening_blocks:
        if isinstance(block, Figure):
            for kind, drawn in figure_files(block).items():
                yield f"{block.key}.{kind}", drawn


def _open_sweeps(sources: Iterable[Results | str | PathLike[str]]) -> list[Results]:
    """Open the results of all sweeps in `sources`, those of a repeated sweep only once."""
    opened: dict[Path, Results] = {}
    for source in sources:
        if isinstance(source, Results):
            opened.setdefault(source.folder, source)
            continue
        for folder in sweep_folders(Path(source)):
            if folder not in opened:
                opened[folder] = open_results(folder)
    return list(opened.values())
