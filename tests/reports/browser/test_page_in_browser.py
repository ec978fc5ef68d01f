"""The page in a real browser: silent, alone, inert, and readable on a phone, a desk and paper."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from axe import violations
from playwright.sync_api import expect
from toy_sweep import Truth, toy_evidence, toy_plan

from ethnos_sim import load_rules
from ethnos_sim.experiments.matches.match import prepare_match
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.experiments.storage.files import write_all
from ethnos_sim.reports.figures.distribution import distribution
from ethnos_sim.reports.figures.heat_map import heat_map
from ethnos_sim.reports.page import make_report
from ethnos_sim.reports.rendering.document import (
    Details,
    Document,
    Figure,
    GamePage,
    Panels,
    Section,
    Story,
    Text,
)
from ethnos_sim.reports.rendering.html import as_html
from ethnos_sim.reports.rendering.storage import as_csv, table_files
from ethnos_sim.reports.rendering.table import Column, Table, TableCell
from ethnos_sim.reports.viewer.page import game_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SCRIPT, MATH, FORMULA = "<script>alert(1)</script>", "$x$", "=1+1"
IMAGE = "<img src=x onerror=alert(2)>"
HOSTILE = (SCRIPT, MATH, FORMULA, IMAGE)
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
OPEN_ALL = "document.querySelectorAll('details').forEach((part) => { part.open = true; })"
SMALLEST = 8
"""Pixels of the height of the smallest text of a figure on a phone."""


def _looks() -> Section:
    """A section with what the toy sweep's page may lack: every kind of block, hostile names."""
    estimate = Estimate(
        name=SCRIPT,
        definition="win_lift",
        value=0.1234,
        low=0.1,
        high=0.15,
        standard_error=0.01,
        games=4321,
        blocks=32,
        unit="fair_shares",
        population=MATH,
    )
    numbers = (300.0, None, 2.0, 10.0, -1.0, 7.0, 0.5, 1e9, 4.0)
    words = ("third", "–", "b", "e", "a", "d", "c", "first", "f")
    columns = (
        Column(SCRIPT, [f"{(HOSTILE * 3)[i]} {i}" for i in range(9)]),
        Column(MATH, [TableCell(w, sort=number) for w, number in zip(words, numbers, strict=True)]),
        Column(FORMULA, range(-4, 5), lambda i: f"{i} ± 1".replace("-", "−")),
    )
    way = (Column("Name", [IMAGE]), Column("Way", [TableCell("to it " * 30, target="hidden-part")]))
    few = Table("Few.", way, stacks=True)
    map_ = heat_map(
        "map", "Map.", HOSTILE, ("Fox", "Owl"), [[estimate, None]] * 4, "fair_shares", about=SCRIPT
    )
    bars = distribution("bars", "Bars.", SCRIPT, range(6), {SCRIPT: [1, 2, 3, 2, 1]})
    story = Story((("heading", SCRIPT), ("party", f"   {IMAGE}"), ("table", "wide " * 40)))
    part = Details(f"More of {IMAGE}", (Text("Hidden words."), few, story), "hidden-part")
    return Section("looks", SCRIPT, (Table(MATH, columns), map_, bars, part))


@pytest.fixture(scope="module")
def document() -> Document:
    plan = toy_plan(players=(3, 4), line_ups=((SCRIPT, MATH), (FORMULA,)), rounds=96, name=SCRIPT)
    report = make_report(toy_evidence(plan, Truth(effects={"bear": 0.6, "deer": -0.6})))
    assert any("'=1+1" in as_csv(table).decode() for table in report.tables.values())
    return replace(report.document, sections=(*report.document.sections, _looks()))


@pytest.fixture(scope="module")
def address(document: Document, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("page")
    page = folder / "report.html"
    page.write_text(as_html(document, "report_tables"), encoding="utf-8")
    return page.as_uri()


@dataclass
class Heard:
    """What a page did beside being shown."""

    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    refused: dict[str, str | None] = field(default_factory=dict)


@pytest.fixture
def opened(browser: Browser, address: str) -> Iterator[Callable[..., tuple[Page, Heard]]]:
    """Opens the page; closes all it opened."""
    contexts = []

    def open_page(viewport=DESK, part: str = "", **more) -> tuple[Page, Heard]:
        context = browser.new_context(viewport=viewport, **more)
        context.set_default_timeout(5_000)
        contexts.append(context)
        page, heard = context.new_page(), Heard()
        page.on("console", lambda message: heard.said.append(message.text))
        page.on("pageerror", lambda error: heard.said.append(str(error)))
        page.on("dialog", lambda dialog: (heard.said.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: heard.asked.append(request.url))
        page.on("requestfailed", lambda asked: heard.refused.update({asked.url: asked.failure}))
        page.goto(address + part)
        return page, heard

    yield open_page
    for context in contexts:
        context.close()


def _figures(blocks) -> list[Figure]:
    found = []
    for block in blocks:
        if isinstance(block, Figure):
            found.append(block)
        for inner in block.panels if isinstance(block, Panels) else ():
            found += _figures(inner.blocks)
        if isinstance(block, Details):
            found += _figures(block.blocks)
    return found


def _column(page: Page, section: str, column: int) -> list[str]:
    """The texts of a column of a section's first table, rows that are hidden left out."""
    rows = page.locator(f"#{section} table").first.locator("tbody tr:visible")
    return [row.locator("th, td").nth(column).inner_text() for row in rows.all()]


def test_the_page_is_silent_and_asks_for_nothing_outside(opened, address: str) -> None:
    page, heard = opened()
    page.wait_for_load_state("networkidle")
    page.evaluate("document.querySelectorAll('thead button').forEach((one) => one.click())")
    page.mouse.wheel(0, 20_000)
    assert heard.said == []
    assert [url for url in heard.asked if url not in (address, "data:,")] == []
    assert address in heard.asked


def test_an_outside_address_that_came_onto_the_page_would_be_blocked(opened) -> None:
    """The page's own policy holds even where escaping should fail one day."""
    page, heard = opened()
    page.evaluate(
        """() => { document.body.insertAdjacentHTML("beforeend",
             "<img src='https://example.org/a.png' onerror='alert(3)'>"); }"""
    )
    page.wait_for_timeout(100)
    assert heard.refused == {"https://example.org/a.png": "csp"}
    assert heard.said
    assert all("Content Security Policy" in message for message in heard.said)


def test_every_figure_is_there_and_drawn(opened, document: Document) -> None:
    page, _ = opened()
    page.evaluate(OPEN_ALL)
    figures = [figure for section in document.sections for figure in _figures(section.blocks)]
    assert page.locator("figure").count() == len(figures) > 5
    for figure in figures:
        plot = page.locator(f"#figure-{figure.key} .plot")
        box = plot.locator("svg").bounding_box()
        assert box is not None, figure.key
        assert box["width"] > 200, figure.key
        assert box["height"] > 80, figure.key
        assert plot.locator("svg text").count() > 3, figure.key
        assert plot.locator("svg .mark").count() > 0, figure.key
        assert plot.get_attribute("aria-label") == figure.alt


def test_a_table_is_saved_from_inside_the_page(opened, tmp_path: Path) -> None:
    table = b"clan,value\nbear,1\n"
    section = Section("t", "T", (Table("Few.", (Column("Clan", ["bear"]),), "few"),))
    place = tmp_path / "sent.html"
    document = Document("Sent", "", "", (section,))
    place.write_text(as_html(document, "not_sent", {"few": table}), encoding="utf-8")
    page, heard = opened()
    page.goto(place.as_uri())
    with page.expect_download() as saved:
        page.locator("a", has_text="CSV").click()
    assert saved.value.suggested_filename == "few.csv"
    assert Path(saved.value.path()).read_bytes() == table
    assert "Parquet" in page.locator("header").inner_text()
    assert heard.said == []


def test_a_game_is_watched_from_inside_the_page(opened, tmp_path: Path) -> None:
    match = prepare_match(load_rules("second"), "greedy", players=2, seed=1)
    game = GamePage("game.html", game_page(match.trace(0).trace))
    place = tmp_path / "sent.html"
    sections = (Section("t", "T", (Details("Game", (game,)),)),)
    place.write_text(as_html(Document("Sent", "", "", sections), "x"), encoding="utf-8")
    page, heard = opened()
    page.goto(place.as_uri())
    page.locator("summary").click()
    with page.context.expect_page() as told:
        page.get_by_role("button", name="Watch").click()
    tab = told.value
    tab.on("console", lambda message: heard.said.append(message.text))
    expect(tab.locator("h1")).to_contain_text("Ethnos, 2nd edition")
    tab.locator("#forward").click()
    expect(tab.locator("#step")).to_have_value("2")
    assert heard.said == []


def test_a_click_on_a_heading_sorts_and_a_third_restores(opened) -> None:
    page, _ = opened()
    section = "win-lift"
    table = page.locator(f"#{section} table").first
    before = [_column(page, section, column) for column in (0, 1)]
    head = table.locator("thead th").nth(1)
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    values = _numbers(_column(page, section, 1))
    assert len(set(values)) > 5
    assert values == sorted(values, reverse=True)
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    values = _numbers(_column(page, section, 1))
    assert values == sorted(values)
    table.locator("thead th").nth(0).locator("button").click()
    assert head.get_attribute("aria-sort") is None
    assert _column(page, section, 0) == sorted(before[0])
    table.locator("thead th").nth(0).locator("button").click()
    assert _column(page, section, 0) == sorted(before[0], reverse=True)
    table.locator("thead th").nth(0).locator("button").click()
    assert [_column(page, section, column) for column in (0, 1)] == before


def _numbers(texts: list[str]) -> list[float]:
    """The numbers that texts begin with, but for the dashes, which have to come last."""
    present = [text for text in texts if text != "–"]
    assert texts[: len(present)] == present
    return [float(re.match(r"[+-]?[\d.]+", text.replace("−", "-"))[0]) for text in present]


def test_the_keyboard_sorts_too(opened) -> None:
    page, _ = opened()
    head = page.locator("#looks thead th").nth(2)
    head.locator("button").focus()
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "descending"
    page.keyboard.press("Space")
    assert head.get_attribute("aria-sort") == "ascending"
    assert _column(page, "looks", 2) == [f"{i} ± 1".replace("-", "−") for i in range(-4, 5)]


def test_a_column_sorts_by_its_hidden_numbers_with_empty_cells_last(opened) -> None:
    page, _ = opened()
    page.locator("#looks thead button").nth(1).click()
    by_number = ["first", "third", "e", "d", "f", "b", "c", "a", "–"]
    assert _column(page, "looks", 1) == by_number
    page.locator("#looks thead button").nth(1).click()
    assert _column(page, "looks", 1) == [*by_number[-2::-1], "–"]


def test_a_box_filters_long_tables_and_only_those(opened) -> None:
    page, _ = opened()
    box = page.locator("#looks .filter input")
    assert box.count() == 1
    box.fill("IMG 7")
    assert [text.split()[-1] for text in _column(page, "looks", 0)] == ["7"]
    assert page.locator("#looks .filter output").inner_text() == "1 of 9 rows"
    box.fill("nobody")
    assert _column(page, "looks", 0) == []
    box.fill("")
    assert len(_column(page, "looks", 0)) == 9
    assert page.locator("#looks .filter output").inner_text() == "9 rows"


def test_hostile_names_are_words_and_nothing_else(opened) -> None:
    page, heard = opened()
    assert page.locator("script").count() == 1
    assert page.locator("img").count() == 0
    for name in HOSTILE:
        assert page.locator("#looks tbody th", has_text=name).count() > 0
        assert page.locator("#figure-map svg text", has_text=name).count() == 1
    assert page.locator("#looks > h2").inner_text() == SCRIPT
    assert page.locator("h1").inner_text().endswith(SCRIPT)
    assert page.title().endswith(SCRIPT)
    assert heard.said == []


def test_formulas_are_inert_in_the_files_of_tables(document: Document, tmp_path: Path) -> None:
    plan = toy_plan(players=(3,), line_ups=((FORMULA,),), rounds=48)
    write_all(table_files(tmp_path, make_report(toy_evidence(plan)).tables))
    lines = [line for path in tmp_path.glob("*.csv") for line in path.read_text().splitlines()]
    assert any(f"'{FORMULA}" in line for line in lines)
    starts = [field for line in lines for field in line.split(",") if field.startswith("=")]
    assert starts == []


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_nothing_is_wider_than_the_screen(opened, viewport) -> None:
    page, _ = opened(viewport)
    page.evaluate(OPEN_ALL)
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    wide = page.evaluate(
        """() => [...document.querySelectorAll("h1, h2, h3, p, li, figure, .scroll, details, dl")]
             .filter((e) => e.getBoundingClientRect().right > innerWidth + 0.5)
             .map((e) => `${e.localName} ${e.textContent.slice(0, 40)}`)"""
    )
    assert wide == []


def test_figures_can_be_read_on_a_phone(opened) -> None:
    page, _ = opened(PHONE)
    sizes = page.evaluate(
        """() => [...document.querySelectorAll(".plot svg")].flatMap((svg) => {
             const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
             return [...svg.querySelectorAll("text")]
               .map((text) => scale * parseFloat(getComputedStyle(text).fontSize)); })"""
    )
    assert len(sizes) > 100
    assert min(sizes) >= SMALLEST


def test_a_mark_tells_value_interval_and_games_under_the_pointer(opened) -> None:
    page, _ = opened()
    tip = page.locator(".tip")
    assert tip.is_hidden()
    page.locator("#figure-map .mark").first.hover()
    assert tip.inner_text() == f"{SCRIPT}, Fox: +0.123 [0.100, 0.150]\nsignificant\n4,321 games"
    page.locator("#looks h2").hover()
    assert tip.is_hidden()


def test_a_finger_is_told_the_nearest_mark_inside_the_screen(opened) -> None:
    page, _ = opened(PHONE, has_touch=True)
    mark = page.locator("figure[id^=figure-lift] .mark").last
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 + 9)
    tip = page.locator(".tip")
    assert re.search(r"[+−]\d.*\n[\d,]+ games", tip.inner_text(), re.DOTALL)
    told = tip.bounding_box()
    assert 0 <= told["x"] <= PHONE["width"] - told["width"]


def test_a_link_opens_the_collapsed_part_it_leads_to(opened) -> None:
    page, _ = opened()
    part = page.locator("#hidden-part")
    words = part.get_by_text("Hidden words.")
    assert words.is_hidden()
    part.locator("summary").click()
    assert words.is_visible()
    part.locator("summary").click()
    assert words.is_hidden()
    page.evaluate("location.hash = 'hidden-part'")
    words.wait_for(state="visible")
    there, _ = opened(part="#hidden-part")
    assert there.get_by_text("Hidden words.").is_visible()
    assert there.locator("#hidden-part").is_visible()


def test_on_paper_everything_is_there_and_no_box(opened) -> None:
    page, _ = opened()
    page.locator("#looks .filter input").fill("nobody")
    assert _column(page, "looks", 0) == []
    page.emulate_media(media="print")
    assert len(_column(page, "looks", 0)) == 9
    assert page.get_by_text("Hidden words.").is_visible()
    assert page.locator(".filter:visible").count() == 0
    assert page.locator(".tip").is_hidden()
    assert page.locator("nav").is_hidden()
    page.emulate_media(media="screen")
    assert page.get_by_text("Hidden words.").is_hidden()
    assert page.pdf()[:5] == b"%PDF-"
    assert page.get_by_text("Hidden words.").is_hidden()


def test_without_its_script_the_page_holds_the_same(opened, document: Document) -> None:
    page, heard = opened(java_script_enabled=False)
    assert heard.said == []
    assert page.locator(".filter").count() == 0
    assert page.locator("thead button").count() == 0
    assert len(_column(page, "looks", 0)) == 9
    assert "4,321 games" in page.locator("#figure-map .mark title").first.text_content()
    page.locator("#hidden-part summary").click()
    assert page.get_by_text("Hidden words.").is_visible()


def test_tables_of_sentences_become_cards_on_a_phone_and_stay_tables_elsewhere(opened) -> None:
    page, _ = opened(PHONE)
    page.evaluate(OPEN_ALL)
    table = page.locator("#hidden-part table")
    assert table.locator("thead").is_hidden()
    name = table.locator("td").evaluate("(cell) => getComputedStyle(cell, '::before').content")
    assert name.strip('"').startswith("Way")
    box = table.evaluate("(e) => [e.parentElement.scrollWidth, e.parentElement.clientWidth]")
    assert box[0] <= box[1]
    page.set_viewport_size(DESK)
    assert table.locator("thead").is_visible()


@pytest.mark.parametrize("width", [390, 768, 1280, 1920])
def test_no_table_is_cut_off_at_any_width(opened, width: int) -> None:
    page, _ = opened({"width": width, "height": 900})
    page.evaluate(OPEN_ALL)
    page.wait_for_timeout(100)
    cut = page.evaluate(
        """() => [...document.querySelectorAll(".scroll")]
             .filter((place) => place.scrollWidth > place.clientWidth + 1)
             .map((place) => place.getAttribute("aria-label"))"""
    )
    assert cut == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(opened, scheme: str) -> None:
    page, _ = opened(color_scheme=scheme)
    page.evaluate(OPEN_ALL)
    assert violations(page) == []


def test_the_title_is_the_largest_heading(opened) -> None:
    page, _ = opened()
    size = "(e) => parseFloat(getComputedStyle(e).fontSize)"
    others = page.locator("h2, h3, h4").evaluate_all(f"(all) => all.map({size})")
    assert page.locator("h1").evaluate(size) > max(others)


def test_the_contents_stay_on_the_screen(opened) -> None:
    page, _ = opened()
    page.locator("#definitions").scroll_into_view_if_needed()
    page.mouse.wheel(0, 5_000)
    box = page.locator("nav").bounding_box()
    assert box["y"] == pytest.approx(0, abs=1)
    page.locator("nav a", has_text="Seats").click()
    heading = page.locator("#seats > h2").bounding_box()
    assert box["height"] <= heading["y"] < 300


def test_the_keyboard_goes_from_mark_to_mark_of_a_figure(opened) -> None:
    page, _ = opened()
    tip = page.locator(".tip")
    page.locator("#figure-map .plot").focus()
    page.keyboard.press("ArrowRight")
    first = tip.inner_text()
    assert "games" in first
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert tip.inner_text() == first
    page.keyboard.press("Escape")
    assert tip.is_hidden()


def test_it_is_said_where_the_links_to_tables_lead(opened) -> None:
    page, _ = opened()
    assert "lead into the folder report_tables" in page.locator("header").inner_text()
