"""The bar at the top of the report in a real browser: my table, my clans."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from axe import violations
from playwright.sync_api import expect
from toy_companies import Truth
from toy_sweep import toy_evidence, toy_plan

from ethnos_sim.experiments.designs.interventions import RESTRICTED
from ethnos_sim.reports.choices import choices
from ethnos_sim.reports.evidence.evidence import Situation
from ethnos_sim.reports.page import make_report
from ethnos_sim.reports.rendering.html import as_html

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

MINE = ("bear", "deer", "fox", "koi", "owl", "raven")
MY_TABLE = f"#second;4;{','.join(MINE)}"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    evidence = toy_evidence(toy_plan(players=(3, 4), line_ups=(("champion",),)))
    (setting,) = evidence.settings
    sums = {
        (Situation(setting, players, "champion"), RESTRICTED): replace(
            Truth(players).played(sets=40, games=300, size=size), players=players
        )
        for players, size in ((3, 5), (4, 6))
    }
    asked = choices(replace(evidence, interventions=sums))
    document = replace(make_report(evidence).document, choices=asked)
    page = tmp_path_factory.mktemp("mine") / "report.html"
    page.write_text(as_html(document, "report_tables"), encoding="utf-8")
    return page.as_uri()


@pytest.fixture
def opened(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """Opens the page at an address; fails where the page said anything."""
    contexts, said = [], []

    def open_page(part: str = "", width: int = 1280, **more) -> Page:
        context = browser.new_context(viewport={"width": width, "height": 900}, **more)
        context.set_default_timeout(5_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(address + part)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert said == []


def test_at_first_everything_is_shown_and_nothing_chosen(opened) -> None:
    page = opened()
    assert page.locator("#my-table select").count() == 1
    assert page.locator("#my-table select").input_value() == ""
    assert page.locator(".panels > article:visible").count() > 0


def test_choosing_edition_players_and_clans_answers(opened) -> None:
    page = opened()
    page.locator("select[name=setting]").select_option("second")
    page.locator("select[name=players]").select_option("4")
    for number, clan in enumerate(MINE):
        left = 6 - number
        assert f"Choose {left} more of 6" in page.locator("#my-table").inner_text()
        page.locator(f"input[value={clan}]").check()
    expect(page.locator("#my-table tbody tr")).to_have_count(6)
    assert page.evaluate("location.hash") == MY_TABLE


def test_a_link_says_the_whole_choice(opened) -> None:
    page = opened(MY_TABLE)
    assert page.locator("select[name=setting]").input_value() == "second"
    assert page.locator("select[name=players]").input_value() == "4"
    chosen = page.locator("#my-table input:checked")
    assert {box.input_value() for box in chosen.all()} == set(MINE)
    assert page.locator("#my-table tbody tr").count() == 6


def test_clans_stand_from_strong_to_weak_with_intervals(opened) -> None:
    page = opened(MY_TABLE)
    texts = page.locator("#my-table tbody td:nth-child(2)").all_inner_texts()
    values = [float(text.split(" ± ")[0].replace("−", "-")) for text in texts]
    assert values == sorted(values, reverse=True)
    assert all(float(text.split(" ± ")[1]) > 0 for text in texts)


def test_no_more_clans_can_be_chosen_than_a_game_has(opened) -> None:
    page = opened(MY_TABLE)
    assert page.locator("input[value=tiger]").is_disabled()
    page.locator("input[value=owl]").uncheck()
    assert page.locator("input[value=tiger]").is_enabled()
    page.locator("input[value=tiger]").check()
    assert "tiger" in page.evaluate("location.hash")


def test_clans_are_chosen_by_keyboard_and_the_focus_stays(opened) -> None:
    page = opened("#second;4;")
    page.locator("input[value=bear]").focus()
    page.keyboard.press("Space")
    focused = page.evaluate("document.activeElement.value")
    assert focused == "bear"
    assert page.locator("input[value=bear]").is_checked()


def test_the_wild_clan_is_said_to_lead_nothing(opened) -> None:
    page = opened("#second;4;dog,deer,fox,koi,owl,raven")
    assert "Dog never leads" in page.locator("#my-table").inner_text()
    assert page.locator("#my-table tbody tr").count() == 5


def test_every_section_shows_the_chosen_table(opened) -> None:
    page = opened("#second;3;")
    expect(page.locator("#headline")).to_contain_text("3 players, champion in all seats")
    assert page.locator("#headline details").count() == 0
    edges = page.locator("#seats table").first
    assert edges.locator("tbody th").all_inner_texts() == ["3 players"]
    told = page.locator("#seats .plot").get_attribute("aria-label")
    assert "3 players" in told
    assert "4 players" not in told
    assert "With 4 players" not in page.locator("main").inner_text()


def test_without_a_choice_everything_is_as_before(opened) -> None:
    page = opened()
    before = page.locator("main").inner_text()
    page.locator("select[name=setting]").select_option("second")
    page.locator("select[name=players]").select_option("3")
    expect(page.locator("#headline details")).to_have_count(0)
    page.locator("select[name=setting]").select_option("")
    expect(page.locator("#headline details")).not_to_have_count(0)
    assert page.locator("main").inner_text() == before


def test_tables_and_figures_of_the_chosen_table_are_alive(opened) -> None:
    page = opened("#second;3;")
    expect(page.locator("#headline details")).to_have_count(0)
    assert page.locator("#shape thead button").count() > 0
    plot = page.locator("#seats .plot")
    plot.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".tip").is_visible()


def test_on_paper_panels_of_other_settings_are_there_again(opened) -> None:
    page = opened()
    page.locator(".panels > article").first.evaluate("(article) => { article.hidden = true; }")
    assert page.locator(".panels > article").first.is_hidden()
    page.emulate_media(media="print")
    assert page.locator(".panels > article").first.is_visible()
    assert page.locator("#my-table").is_hidden()


def test_another_number_of_players_asks_for_its_number_of_clans(opened) -> None:
    page = opened(MY_TABLE)
    page.locator("select[name=players]").select_option("3")
    assert "Choose 5 more of 5" in page.locator("#my-table").inner_text()


def test_an_address_that_chooses_what_is_not_there_chooses_nothing(opened) -> None:
    page = opened("#third;4;bear")
    assert page.locator("select[name=setting]").input_value() == ""
    page = opened("#second;4;unicorn,bear,<img>")
    assert [box.input_value() for box in page.locator("input:checked").all()] == ["bear"]


def test_a_link_to_a_section_still_leads_there(opened) -> None:
    page = opened("#seats")
    assert page.locator("#seats > h2").bounding_box()["y"] < 300


def test_without_its_script_the_page_has_no_bar(opened) -> None:
    page = opened(java_script_enabled=False)
    assert page.locator("#my-table").is_hidden()
    assert page.locator("#headline > h2").is_visible()


@pytest.mark.parametrize("width", [390, 1920])
def test_the_answer_fits_the_screen(opened, width: int) -> None:
    page = opened(MY_TABLE, width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_bar(opened, scheme: str) -> None:
    """The rest of the page is the same without a choice: `test_page_in_browser.py`."""
    assert violations(opened(MY_TABLE, color_scheme=scheme), "#my-table") == []
