"""The page of a game in a real browser: what a viewer can do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from inside.experiments.matches import chances_of_turns
from inside.reports.viewer import game_page, turn_steps
from pages import violations
from playwright.sync_api import expect

from ethnos_sim import load_rules
from ethnos_sim.experiments import Match, prepare_match

pytestmark = pytest.mark.long

if TYPE_CHECKING:
    from playwright.sync_api import Page

WIDTHS = (390, 768, 1280, 1920)
GUESSES = 8
PLAYERS = ".rivals > ul > li"


@pytest.fixture(scope="module")
def match() -> Match:
    return prepare_match(load_rules("second"), "greedy,champion", players=3, seed=4)


@pytest.fixture(scope="module")
def trace(match: Match) -> dict[str, Any]:
    return match.trace(0).trace


@pytest.fixture(scope="module")
def address(match: Match, trace: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> str:
    page = tmp_path_factory.mktemp("game") / "game.html"
    chances = chances_of_turns(match, 0, guesses=GUESSES)
    page.write_text(game_page(trace, chances, GUESSES), encoding="utf-8")
    return page.as_uri()


@pytest.fixture
def opened(visit: Callable[..., Page], address: str) -> Callable[..., Page]:
    """Return a function that opens the page at a part of it, and waits until the page answers."""

    def open_page(part: str = "", where: str = address, **more: Any) -> Page:
        page = visit(where + part, **more)
        expect(page.locator("#where")).not_to_be_empty()
        return page

    return open_page


def _step(page: Page) -> int:
    return int(page.locator("#step").input_value())


def test_the_page_opens_with_the_first_deal(opened, trace) -> None:
    page = opened()
    assert _step(page) == 1
    assert page.locator("#where").inner_text().startswith("Age 1 of 2 · turn 0 of")
    assert page.locator(".tile").count() == 6
    assert page.locator(PLAYERS).count() == 3
    assert page.locator(f"{PLAYERS} .card").count() == 3
    pool = trace["events"][0]["pool"]
    assert page.locator(".pool .card").count() == len(pool)
    assert page.locator("h1").inner_text() == "Ethnos, 2nd edition (2024): 2 × greedy, champion"
    assert re.match(r"Age 1 of 2\s+P\d begins\.", page.locator("#event").inner_text())


def test_buttons_step_and_the_address_follows(opened) -> None:
    page = opened()
    for button, step in (("forward", 2), ("forward", 3), ("back", 2)):
        page.locator(f"#{button}").click()
        assert _step(page) == step
        assert page.url.endswith(f"#step={step}")
    page.locator("#last").click()
    assert _step(page) == int(page.locator("#step").get_attribute("max"))
    page.locator("#first").click()
    assert _step(page) == 1


def test_keys_step_turns_and_ends_and_move_the_slider(opened, trace) -> None:
    page = opened()
    for step in turn_steps(trace)[:12]:
        page.keyboard.press("PageDown")
        assert _step(page) == step
    for key, step in (("End", len(trace["events"])), ("Home", 1), ("ArrowRight", 2)):
        page.keyboard.press(key)
        assert _step(page) == step
    page.keyboard.press("ArrowLeft")
    slider = page.locator("#step")
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert _step(page) == 2
    assert slider.get_attribute("aria-valuetext").startswith("step 2 of")


def test_a_bad_address_opens_the_first_step_and_a_link_moves(opened) -> None:
    page = opened("#step=%3Cscript%3E&seat=99")
    assert _step(page) == 1
    assert page.locator("#seat").input_value() == "all"
    page.evaluate("location.hash = '#step=23'")
    expect(page.locator("#step")).to_have_value("23")


def test_the_end_shows_the_final_standing_and_chances_that_equal_the_result(opened, trace) -> None:
    page = opened()
    assert page.locator(".final").count() == 0
    page.locator("#last").click()
    end = trace["events"][-1]
    shown = re.findall(r"(\d+) %", page.locator("#legend").inner_text())
    won = [player in end["winners"] for player in range(3)]
    assert list(map(int, shown)) == [wins * 100 // len(end["winners"]) for wins in won]
    points = page.locator(f"{PLAYERS} strong").all_inner_texts()
    assert list(map(int, points)) == end["prestige"]
    rows = [row.locator("td").all_inner_texts() for row in page.locator(".final tbody tr").all()]
    totals = [int(row[-1]) for row in rows]
    assert totals == sorted(end["prestige"], reverse=True)
    assert all(sum(map(int, row[:-1])) == int(row[-1]) for row in rows)
    assert page.locator(".final tbody th").filter(has_text="★").count() == len(end["winners"])


def test_the_board_stays_on_the_screen_while_the_game_plays(opened, trace) -> None:
    page = opened()
    for (width, height), step in product(
        ((800, 800), (390, 844)), (1, len(trace["events"]) // 2, len(trace["events"]) - 1)
    ):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(page.url.split("#")[0] + f"#step={step}")
        assert _step(page) == step
        regions = page.locator(".tiles").bounding_box()
        assert regions["y"] + regions["height"] <= height
        assert page.locator(".pool").bounding_box()["y"] <= height
        assert page.locator("#chances").bounding_box()["y"] >= regions["y"] + regions["height"]


def test_a_desktop_screen_shows_the_curve_and_the_whole_event(opened) -> None:
    page = opened()
    page.set_viewport_size({"width": 1280, "height": 800})
    curve = page.locator("#legend").bounding_box()
    assert curve["y"] + curve["height"] <= page.locator(".tiles").bounding_box()["y"]
    assert page.locator(".watching .keys").is_visible()


def test_every_marker_is_drawn(opened) -> None:
    page = opened("#step=60")
    for row in page.locator(".tile li").all():
        assert len(row.locator(".m").text_content()) == int(row.locator(".k").inner_text())


def test_playback_runs_by_itself_and_pauses(opened) -> None:
    page = opened()
    page.locator("#speed").select_option("10")
    page.locator("#play").click()
    assert page.locator("#play").inner_text() == "Pause"
    expect(page.locator("#where")).not_to_contain_text("step 1 of")
    page.locator("#play").click()
    step = _step(page)
    page.wait_for_timeout(300)
    assert _step(page) == step


def test_space_plays_and_the_end_stops(opened, trace) -> None:
    page = opened(f"#step={len(trace['events']) - 1}")
    page.locator("#speed").select_option("10")
    page.locator("h1").click()
    page.keyboard.press(" ")
    expect(page.locator("#play")).to_have_text("Play")
    assert _step(page) == len(trace["events"])


def test_a_click_on_the_curve_jumps(opened, trace) -> None:
    page = opened()
    page.locator("#curve").scroll_into_view_if_needed()
    box = page.locator("#curve").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 12, box["y"] + 50)
    assert _step(page) == len(trace["events"])
    page.locator("#curve").scroll_into_view_if_needed()  # boards differ in height
    box = page.locator("#curve").bounding_box()
    page.mouse.click(box["x"] + 45, box["y"] + 50)
    assert _step(page) == 1


def test_chances_are_shown_at_each_step_and_under_the_pointer(opened) -> None:
    page = opened("#step=60")
    here = page.locator("#legend").inner_text()
    assert sum(map(int, re.findall(r"(\d+) %", here))) == 100
    page.locator("#curve").scroll_into_view_if_needed()
    box = page.locator("#curve").bounding_box()
    page.mouse.move(box["x"] + box["width"] - 14, box["y"] + 40)
    assert page.locator("#legend").inner_text() != here
    page.mouse.move(5, 5)
    assert page.locator("#legend").inner_text() == here


def test_a_costly_turn_leads_to_its_step_with_a_better_move(opened) -> None:
    page = opened()
    page.locator("#costs summary").click()
    link = page.locator("#costly a").first
    step = int(re.search(r"step=(\d+)", link.get_attribute("href"))[1])
    link.click()
    expect(page.locator("#step")).to_have_value(str(step))
    assert "Better was:" in page.locator("#judgement").inner_text()


def test_from_a_seat_the_other_hands_stay_hidden(opened, trace) -> None:
    page = opened("#step=40&seat=1")
    assert page.locator("#seat").input_value() == "1"
    assert page.locator("#told").is_hidden()
    assert page.locator("#curve polyline").count() == 1
    assert page.locator("#legend b").all_inner_texts().count("") == 2
    page.locator("#seat").select_option("all")
    assert page.locator("#told").is_visible()
    assert page.locator("#curve polyline").count() == 3


def test_from_a_seat_no_card_is_named_that_its_player_cannot_see(opened, trace) -> None:
    events = trace["events"]
    drawn = next(
        i for i, e in enumerate(events) if e["event"] == "recruit" and e["source"] == "deck"
    )
    player, card = events[drawn]["player"], events[drawn]["card"].split(":")[0]
    page = opened(f"#step={drawn + 1}&seat={(player + 1) % 3}")
    assert "draws a card\n" in page.locator("#event").inner_text()
    side = page.locator(PLAYERS).nth(player)
    assert side.locator(".card").count() == 0
    page.locator("#seat").select_option(str(player))
    assert card.replace("_", " ") in page.locator("#event").inner_text()
    assert side.locator(".card").count() > 0


def test_a_line_of_the_story_leads_to_its_step(opened) -> None:
    page = opened()
    page.locator("#story a").nth(30).click()
    expect(page.locator("#step")).to_have_value("31")
    assert page.locator("#story .now").count() == 1
    assert page.url.endswith("#step=31")


def test_nothing_is_wider_than_the_screen(opened) -> None:
    page = opened("#step=80")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        wide = page.evaluate(
            """(names) => [...document.querySelectorAll(names)]
                 .filter((e) => e.getBoundingClientRect().right > innerWidth + 0.5)
                 .map((e) => e.outerHTML.slice(0, 60))""",
            ".tile, .box, .card, h1, #event, svg, button",
        )
        assert wide == []


def test_axe_finds_no_violation(opened) -> None:
    page = opened("#step=80")
    page.locator("#costs summary").click()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert violations(page) == []


def test_without_its_script_the_game_can_be_read(visit, address) -> None:
    page = visit(address, java_script_enabled=False)
    assert page.locator("#viewer").is_hidden()
    assert page.locator("#story a").nth(40).is_visible()


def test_a_page_without_chances_has_no_curve(opened, trace, tmp_path: Path) -> None:
    plain = tmp_path / "plain.html"
    plain.write_text(game_page(trace), encoding="utf-8")
    page = opened("#step=9", where=plain.as_uri())
    assert _step(page) == 9
    assert page.locator("#chances").is_hidden()


def test_a_name_in_a_trace_is_shown_as_plain_text(opened, trace, tmp_path: Path) -> None:
    hostile = json.loads(json.dumps(trace))
    hostile["strategies"][0] = "</script><img src=x onerror=alert(1)>"
    place = tmp_path / "hostile.html"
    place.write_text(game_page(hostile), encoding="utf-8")
    page = opened(where=place.as_uri())
    assert page.locator("img").count() == 0
    assert "<img" in page.locator("#told").inner_text()
    assert _step(page) == 1
