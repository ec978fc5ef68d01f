"""The page: self-contained, inert, the same in HTML and Markdown, every number stored."""

from __future__ import annotations

import html
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import polars as pl
import pytest
from toy_sweep import Truth, toy_evidence, toy_plan, write_toy_sweep

from ethnos_sim.experiments.designs.clan_sets import balanced_sample
from ethnos_sim.experiments.plans.plan import make_plan
from ethnos_sim.experiments.specs.spec import parse_spec
from ethnos_sim.reports.estimators.catalog import ESTIMANDS
from ethnos_sim.reports.evidence.gathering import put_together
from ethnos_sim.reports.page import Report, make_report, write_report
from ethnos_sim.reports.rendering.document import Details, Figure, Panels, Table
from ethnos_sim.reports.rendering.html import TEMPLATES, as_html
from ethnos_sim.reports.rendering.markdown import as_markdown
from ethnos_sim.reports.rendering.scripts import joined
from ethnos_sim.reports.rendering.storage import as_csv
from ethnos_sim.simulator.errors import WrongInput
from ethnos_sim.simulator.rules import load_rules

SCRIPT, MATH, FORMULA = "<script>alert(1)</script>", "$x$", "=1+1"
HOSTILE = (SCRIPT, MATH, FORMULA)
POLICY = ("meta", "content")
LINE_UPS = ((SCRIPT, MATH, FORMULA), (FORMULA,))
NUMBER = re.compile(r"[+−]?\d[\d,]*(?:\.\d+)?")


@pytest.fixture(scope="module")
def report() -> Report:
    plan = toy_plan(players=(3, 4), line_ups=LINE_UPS, rounds=96, name=f"{SCRIPT} {MATH}")
    return make_report(toy_evidence(plan, Truth(effects={"bear": 0.6, "deer": -0.6})))


@pytest.fixture(scope="module")
def page(report: Report) -> str:
    return as_html(report.document, "toy_tables")


@pytest.fixture(scope="module")
def markdown(report: Report) -> str:
    return as_markdown(report.document, "toy_tables")


class _Reader(HTMLParser):
    """Collects what the tests ask for from a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.ids: list[str] = []
        self.cells: list[str] = []
        self._open = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            self.attributes.append((tag, name, value or ""))
            if name == "id":
                self.ids.append(value or "")
        self._open = tag if tag in ("td", "th") else ""
        if self._open:
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open:
            self.cells[-1] += data


@pytest.fixture(scope="module")
def read(page: str) -> _Reader:
    reader = _Reader()
    reader.feed(page)
    return reader


def _shown(page: str) -> str:
    """What a reader sees of a page: neither style nor script."""
    return re.sub(r"<(style|script)\b.*?</\1>", "", page, flags=re.DOTALL)


def _inside(blocks) -> list:
    """Blocks in the order of the page, those of panels and collapsed parts included."""
    found = []
    for block in blocks:
        found.append(block)
        if isinstance(block, Panels):
            for panel in block.panels:
                found += _inside(panel.blocks)
        if isinstance(block, Details):
            found += _inside(block.blocks)
    return found


def _blocks(report: Report, kind: type) -> list:
    return [
        block
        for section in report.document.sections
        for block in _inside(section.blocks)
        if isinstance(block, kind)
    ]


def test_the_page_names_no_address(page):
    assert not re.search(r"https?:|//[a-z]", page)


def test_the_page_loads_nothing(read):
    assert not {"iframe", "object", "embed", "img"} & set(read.tags)
    for tag, name, value in read.attributes:
        if name in ("src", "href", "xlink:href", "action"):
            local = value.startswith(("#", "toy_tables/")) or (tag, value) == ("link", "data:,")
            assert local, (tag, name, value)


def test_the_page_has_one_script_of_its_own(read, page):
    script = joined(TEMPLATES / "page.js")
    assert read.tags.count("script") == 1
    assert f'<script type="module">{script}</script>' in page
    assert [name for tag, name, _ in read.attributes if tag == "script"] == ["type"]


def test_the_policy_of_the_page_lets_that_script_run_and_nothing_else(read, page):
    policy = next(value for tag, name, value in read.attributes if (tag, name) == POLICY)
    script = re.search(r'<script type="module">(.*?)</script>', page, re.DOTALL)[1]
    hashed = b64encode(sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{hashed}'" in policy
    assert "default-src 'none'" in policy


def test_the_page_has_each_identifier_once(read):
    assert len(read.ids) == len(set(read.ids))


def test_links_inside_the_page_lead_somewhere(read):
    targets = {
        value[1:] for _, name, value in read.attributes if name == "href" and value[0] == "#"
    }
    assert targets
    assert targets <= set(read.ids)


def test_no_handler_or_script_can_come_from_a_name(read):
    assert not [name for _, name, _ in read.attributes if name.startswith("on")]
    assert not [value for _, _, value in read.attributes if value.startswith("javascript")]


def test_hostile_names_are_shown_as_they_are(page):
    assert SCRIPT not in page
    assert html.escape(SCRIPT) in page
    assert MATH in page


def test_a_dollar_sign_in_a_figure_is_a_dollar_sign():
    """A population called $x$ stands in the legend of the lead figure, and is not set as math."""
    plan = toy_plan(players=(4,), line_ups=((SCRIPT, "calm"), (MATH,), (SCRIPT,)), rounds=96)
    report = make_report(toy_evidence(plan))
    lead = _blocks(report, Figure)[0]
    assert f"{MATH} in all seats" in lead.svg
    assert "<script" not in lead.svg
    assert "&lt;script&gt;" in lead.svg


def test_hostile_names_are_inert_in_markdown(markdown):
    assert "<script>" not in re.sub(r"\\<", "", markdown)
    assert not re.search(r"(?<!\\)\$", markdown)


def test_formulas_are_inert_in_csv(report):
    for name, table in report.tables.items():
        text = as_csv(table).decode()
        read = pl.read_csv(text.encode(), infer_schema=False)
        for column in read.columns:
            if table.schema[column] == pl.String:
                for value in read[column].drop_nulls():
                    assert not re.match(r"[=+\-@\t\r|%]", value), (name, column, value)
    assert any("'=1+1" in as_csv(table).decode() for table in report.tables.values()), (
        "the hostile name stands in no table"
    )


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", " =", "|", "%"])
def test_every_start_of_a_formula_gets_an_apostrophe(start):
    table = pl.DataFrame({"name": [f"{start}cmd", "calm"], "value": [-1.5, 2.0]})
    lines = as_csv(table).decode().splitlines()
    assert lines[1].strip('"').startswith("'")
    assert lines[1].endswith(",-1.5")
    assert lines[2] == "calm,2.0"


def test_every_table_about_rules_names_the_rule_set(report):
    about = {name: t for name, t in report.tables.items() if {"edition", "mode"} & set(t.columns)}
    assert about
    for name, table in about.items():
        assert not set(table["rules"]) & {"", None}, name


def test_parquet_keeps_names_as_they_are(report):
    assert FORMULA in report.tables["strategies"]["strategy"].to_list()


def test_markdown_and_html_have_the_same_tables(report, read, markdown):
    shown = [html.unescape(cell) for cell in read.cells]
    expected = [
        text
        for table in _blocks(report, Table)
        for text in (*table.headings, *(cell.text for row in table.shown for cell in row))
    ]
    assert shown == expected
    unescaped = re.sub(r"\\(.)", r"\1", markdown)
    for table in _blocks(report, Table):
        for row in table.shown:
            line = "| " + " | ".join(" ".join(cell.text.split()) for cell in row) + " |"
            assert line in unescaped


def test_markdown_and_html_have_the_same_numbers(page, markdown):
    body = page[page.index("<body>") :]
    alts = " ".join(re.findall(r'aria-label="([^"]*)"', body))
    body = re.sub(r"<(svg|nav|script).*?</\1>", " ", body, flags=re.DOTALL)
    text = html.unescape(re.sub(r"<[^>]*>", " ", body) + " " + alts)
    in_page = set(NUMBER.findall(text))
    in_markdown = set(NUMBER.findall(re.sub(r"\\(.)", r"\1", markdown)))
    assert len(in_page) > 300
    assert in_page == in_markdown


def test_every_figure_says_its_numbers_in_words(report):
    figures = _blocks(report, Figure)
    assert len(figures) == 1 + 2 + 1 + 3 + 1
    for figure in figures:
        assert len(NUMBER.findall(figure.alt)) >= 8, figure.key


def test_every_table_is_stored_with_intervals(report):
    for table in _blocks(report, Table):
        assert table.stored in report.tables, table.caption
    for name in ("headline", "clans", "seats", "prestige", "strategies", "clan_in_play", "checks"):
        columns = report.tables[name].columns
        for wanted in ("value", "low", "high", "games", "blocks", "population", "unit"):
            assert wanted in columns, (name, wanted)


def test_every_measure_is_defined(report):
    for table in report.tables.values():
        if "value" in table.columns and "measure" in table.columns:
            assert set(table["measure"]) <= set(ESTIMANDS)


def test_the_first_screen_says_what_is_strong_how_sure_and_that_it_is_not_cause(report, page):
    first = page[: page.index('<section id="clans"')]
    assert "Which clans are strong, and how sure are we?" in first
    assert re.search(r"Far above average</dt>\s*<dd><span>Bear\* \+0\.\d\d", first)
    assert re.search(
        r"Far below average</dt>\s*<dd>(<span>[^<]*</span>)*<span>Deer −0\.\d\d", first
    )
    assert "How sure:" in first
    assert "not causal power" in first


def test_clans_that_were_not_in_play_with_every_number_of_players_are_named(page):
    first = page[: page.index('<section id="clans"')]
    assert "not led with every number of players: Monkey and Owl." in first


def test_assumed_values_are_named(report, page):
    assert "bear.age_4_6" in page
    assert "bear.age_4_6" in report.tables["assumed_values"]["name"]


def test_the_wild_clan_is_left_out_of_clan_tables(report):
    clans = report.tables["clans"]
    assert "dog" not in clans["clan"].to_list()
    assert "bear" in clans["clan"].to_list()


def test_too_few_deals_give_question_marks_and_no_verdict():
    report = make_report(toy_evidence(toy_plan(rounds=6)))
    page = as_html(report.document, "toy_tables")
    assert "Too few for any verdict" in page
    assert "±" not in page[: page.index("<nav")]
    assert report.tables["clans"]["low"].null_count() == len(report.tables["clans"])
    assert set(report.tables["headline"]["verdict"]) == {"too few games"}
    assert report.tables["clans"].schema["low"] == pl.Float64


def test_the_first_edition_speaks_of_tribes_and_knows_halflings():
    plan = toy_plan(
        edition="first", clan_sets=[("elf", "giant", "halfling", "orc", "troll", "wizard")]
    )
    page = as_html(make_report(toy_evidence(plan)).document, "toy_tables")
    assert "Which tribes are strong" in page
    assert "Halfling" in page
    assert "mean glory of a seat" in page


def test_the_same_sweep_gives_the_same_page(report, page):
    plan = toy_plan(players=(3, 4), line_ups=LINE_UPS, rounds=96, name=f"{SCRIPT} {MATH}")
    again = make_report(toy_evidence(plan, Truth(effects={"bear": 0.6, "deer": -0.6})))
    assert as_html(again.document, "toy_tables") == page


def test_a_partial_sweep_is_marked_and_reported(tmp_path: Path):
    plan = toy_plan(rounds=400)
    write_toy_sweep(tmp_path / "sweep", plan, shards=20)
    written = write_report([tmp_path / "sweep"], tmp_path / "out" / "page.html")
    text = written.page.read_text(encoding="utf-8")
    assert f"of {plan.games:,} planned games" in text
    assert text.index("Partial sweep") < text.index("<main>")
    assert "Partial sweep" in written.markdown.read_text(encoding="utf-8")
    names = {path.name for path in written.tables.iterdir()}
    assert {"clans.csv", "clans.parquet", "definitions.csv", "provenance.parquet"} <= names


def test_a_complete_sweep_is_not_marked(tmp_path: Path):
    write_toy_sweep(tmp_path, toy_plan(rounds=40))
    written = write_report([tmp_path], tmp_path / "report.html")
    assert "Partial" not in _shown(written.page.read_text(encoding="utf-8"))
    assert "Partial" not in written.markdown.read_text(encoding="utf-8")


@pytest.mark.parametrize("rounds", [1, 9])
def test_a_page_is_made_of_however_few_games(rounds):
    clans = load_rules("second").clans
    sets = balanced_sample(clans, 6, 24, 1)
    plan = toy_plan(players=(4,), clan_sets=sets, line_ups=(("alpha",),), rounds=rounds)
    text = as_html(make_report(toy_evidence(plan)).document, "tables")
    assert "?" in text


def test_sweeps_by_other_rules_do_not_come_onto_one_page():
    printed, changed = (
        make_plan(
            parse_spec(
                {
                    "games_per_cell": 64,
                    "players": [4],
                    "clan_sets": {"sample": 2},
                    "line_ups": [["greedy"]],
                    "rules": {"set": settings},
                },
                "toy.toml",
            )
        )
        for settings in ({}, {"bear.on_take": 9})
    )
    with pytest.raises(WrongInput, match="the rules of the second edition are not the same"):
        put_together([toy_evidence(printed), toy_evidence(changed)])
