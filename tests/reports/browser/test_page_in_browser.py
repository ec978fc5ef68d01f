"""The page in a real browser: silent, without requests, readable, and true to the choice."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from inside.experiments.evidence import join_evidence
from inside.reports import as_html, make_report
from pages import violations
from playwright.sync_api import expect
from toy_sweep import Truth, toy_evidence, toy_plan

pytestmark = pytest.mark.long

if TYPE_CHECKING:
    from playwright.sync_api import Page

SCRIPT, MATH, FORMULA = "<script>alert(1)</script>", "$x$", "=1+1"
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 800}
SCREENS = 6
SMALLEST = 11
"""The least height of text in a figure, in pixels."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    truth = Truth(effects={"bear": 0.6, "deer": -0.6, "giant": 0.6})
    ups = (("learned",), (SCRIPT, MATH), (FORMULA,))
    plans = [
        toy_plan(edition=name, line_ups=ups, rounds=240, kinds=("ordinary", "gives_up"))
        for name in ("second", "first")
    ]
    more = toy_plan(players=(3,), line_ups=ups[:1], rounds=240, kinds=("ordinary", "gives_up"))
    evidence = join_evidence([toy_evidence(plan, truth) for plan in (*plans, more)])
    page = tmp_path_factory.mktemp("page") / "report.html"
    page.write_text(as_html(make_report(evidence).document), encoding="utf-8")
    return page.as_uri()


Open = Callable[..., "Page"]


@pytest.fixture
def opened(visit: Open, address: str) -> Open:
    """Return a function that opens the page.

    The test fails if the page writes to the console or asks for anything outside.
    """

    def open_page(viewport=DESK, **more) -> Page:
        page = visit(address, viewport, **more)
        if more.get("java_script_enabled", True):
            page.wait_for_selector("#figure-seats svg")
        return page

    return open_page


@pytest.mark.parametrize(("viewport", "scheme"), [(PHONE, "dark"), (DESK, "light")])
def test_the_page_is_accessible_and_never_wider_than_the_screen(opened, viewport, scheme):
    page = opened(viewport, color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    assert violations(page) == []


COLORS = """([name, shown, part]) => [...document.querySelectorAll(name)].map(
  (element) => getComputedStyle(element, part)[shown])"""


def test_choices_and_legends_stay_distinct_if_the_system_sets_the_colors(opened: Open):
    page = opened(forced_colors="active")
    chosen, others = (
        page.evaluate(COLORS, [f'button[aria-pressed="{pressed}"]', "backgroundColor", None])
        for pressed in ("true", "false")
    )
    assert chosen
    assert not set(chosen) & set(others)
    keys = page.evaluate(COLORS, ["#figure-seats .key", "color", "::before"])
    assert len(set(keys)) == 2


def test_the_card_is_the_first_screen(opened: Open) -> None:
    page = opened()
    box = page.locator(".card").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= DESK["height"]
    assert page.evaluate("document.documentElement.scrollHeight") <= SCREENS * DESK["height"]
    phone = opened(PHONE)
    for part in ("#answer-clans", ".ranking tbody tr:nth-child(4)"):
        place = phone.locator(part).first.bounding_box()
        assert place is not None
        assert place["y"] + place["height"] <= PHONE["height"]


def test_every_figure_is_drawn_large_enough_with_its_table_behind_it(opened: Open) -> None:
    page = opened(PHONE)
    for figure in page.locator("figure").all():
        svg = figure.locator(".plot svg")
        assert svg.locator(".mark title").count() > 1
        sizes = svg.locator("text").evaluate_all(
            "(texts) => texts.map((text) => parseFloat(getComputedStyle(text).fontSize))"
        )
        assert min(sizes) >= SMALLEST
        figure.locator("summary").click()
        expect(figure.locator("table tbody tr").first).to_be_visible()


def test_a_clan_tells_its_power_and_worth_to_pointer_focus_and_touch(opened: Open) -> None:
    page = opened()
    clan = page.get_by_role("button", name="Bear", exact=False).first
    tip = page.locator(".ranking .tip:visible")
    clan.hover()
    expect(tip).to_contain_text("The largest party of this clan pays")
    expect(tip).to_contain_text("Without it you win")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    page.mouse.move(0, 0)
    clan.focus()
    page.keyboard.press("Tab")
    expect(tip).to_contain_text("Without it you win")
    phone = opened(PHONE, has_touch=True)
    phone.get_by_role("button", name="Bear", exact=False).first.tap()
    expect(phone.locator(".ranking .tip:visible")).to_contain_text("Without it you win")


def test_the_whole_page_follows_the_choice(opened: Open) -> None:
    page = opened()
    before = page.locator("#view").inner_text()
    page.get_by_role("button", name="1st edition").click()
    expect(page.locator("#card > h2")).to_have_text("1st edition, 4 players")
    assert page.locator("#view").inner_text() != before
    page.locator("select").select_option(FORMULA)
    page.reload()
    expect(page.locator("#card > h2")).to_have_text("1st edition, 4 players")
    expect(page.locator("select")).to_have_value(FORMULA)


def test_hostile_names_are_shown_as_plain_text(opened: Open) -> None:
    page = opened()
    for name in ("mixed", FORMULA):
        page.locator("select").select_option(name)
        page.wait_for_selector("#figure-seats svg")
    page.locator("select").select_option("mixed")
    expect(page.locator("#figure-who svg")).to_contain_text("<script>")


def test_without_its_script_the_page_shows_the_card_and_its_ranking(opened: Open) -> None:
    page = opened(java_script_enabled=False)
    question = page.get_by_role("heading", name="Which edition is more balanced?")
    expect(question).to_be_visible()
    page.get_by_role("button", name="Bear", exact=False).first.hover()
    expect(page.locator(".ranking .tip:visible")).to_contain_text("Without it you win")
