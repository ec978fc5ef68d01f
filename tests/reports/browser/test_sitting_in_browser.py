"""A person takes a seat on the page of a game, in a real browser, and plays to the end."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pytest
from inside.reports.viewer import game_page, sit_down
from pages import result_in_firefox, sat_through, violations

from ethnos_sim import load_rules
from ethnos_sim.experiments import prepare_match

pytestmark = pytest.mark.long

if TYPE_CHECKING:
    from playwright.sync_api import Page

SEAT = 1


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    match = prepare_match(load_rules("second"), "greedy,champion", players=3, seed=4)
    trace = match.trace(0).trace
    page = tmp_path_factory.mktemp("seat") / "game.html"
    page.write_text(game_page(trace, seats=sit_down(trace, 0)), encoding="utf-8")
    return page.as_uri()


@pytest.fixture
def seated(visit: Callable[..., Page], address: str) -> Page:
    page = visit(address)
    page.locator("#chair").select_option(str(SEAT))
    page.locator("#sit-down").click()
    page.locator("#turn").wait_for()
    return page


def take_something(page: Page, dice: random.Random) -> None:
    buttons = page.locator("#hand button, #choices button").all()
    dice.choice(buttons).click()


def test_a_game_is_played_to_its_end_and_saved_for_play_and_referee(seated: Page) -> None:
    page = seated
    sat_through(page)
    rows = [row.locator("td").all_inner_texts() for row in page.locator(".standing tbody tr").all()]
    assert all(sum(map(int, row[1:-1])) == int(re.sub(r"\D", "", row[-1])) for row in rows)
    page.locator("#cost").click()
    assert page.locator("#advice").inner_text().startswith("Your last move (")
    page.keyboard.press("?")
    assert page.locator("#advice").inner_text().startswith("Your last move (")
    page.locator("#leave").click()
    assert page.locator("#step").get_attribute("max") != "1"
    assert page.locator("#told").is_visible()


def test_no_hidden_card_is_on_the_page_while_somebody_plays(seated: Page) -> None:
    page = seated
    dice = random.Random(3)
    for _ in range(30):
        take_something(page, dice)
    for side in page.locator(".side").all():
        hand = int(re.search(r"Hand of (\d+)", side.inner_text())[1])
        who = side.locator("h3").inner_text()
        backs = side.locator(".back").all_inner_texts()
        hidden = int(backs[0].split()[0]) if backs else 0
        assert hidden <= hand
        assert not (hidden and "you" in who)
    assert page.locator("#seat").is_disabled()
    assert page.locator("#story").is_hidden()
    text = page.locator("#event").inner_text()
    drawn = [line for line in text.splitlines() if "draws" in line and line[:2] != f"P{SEAT}"]
    assert all(re.fullmatch(r"P\d.* draws (a|no) card\.", line) for line in drawn)


def test_keys_choose_a_move_ask_for_advice_and_take_the_move_back(seated: Page) -> None:
    page = seated
    before = page.locator("#where").inner_text()
    for _ in range(30):
        focused = page.evaluate("document.activeElement.textContent")
        if focused == "Draw from the deck":
            break
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert page.locator("#where").inner_text() != before
    assert "draws" in page.locator("#event").inner_text()
    page.keyboard.press("?")
    assert page.locator("#advice").inner_text().startswith("learned would answer: ")
    page.keyboard.press("z")
    assert page.locator("#where").inner_text() == before


def test_a_page_asks_before_it_closes_during_a_game(seated: Page) -> None:
    page = seated
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    take_something(page, random.Random(1))
    page.close(run_before_unload=True)
    page.wait_for_timeout(200)
    assert asked == ["beforeunload"]
    assert not page.is_closed()
    page.locator("#leave").click()
    with page.expect_event("close"):
        page.close(run_before_unload=True)
    assert asked == ["beforeunload"]


IN_FIREFOX = """(async () => {
  const wait = (time) => new Promise((done) => setTimeout(done, time));
  const found = (text) => document.querySelector(text);
  found("#sit-down").click();
  while (found("#turn").hidden) await wait(20);
  for (let turn = 0; turn < 12; turn += 1) found("#hand button, #choices button").click();
  found("#hint").click();
  return `${found(".side.acting h3").textContent}: ${found("#advice").textContent}`;
})()"""
"""Takes a seat, answers twelve questions, and asks for advice."""


def test_firefox_seats_a_person_too(address: str, tmp_path: Path) -> None:
    said = result_in_firefox(Path(unquote(urlsplit(address).path)), IN_FIREFOX, tmp_path)
    assert re.match(r"P0 you .*: learned would answer: ", said), said


@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_no_violation_and_nothing_is_wider_than_the_screen(
    seated: Page, width: int
) -> None:
    page = seated
    dice = random.Random(5)
    page.set_viewport_size({"width": width, "height": 844})
    for _ in range(12):
        take_something(page, dice)
    assert page.locator("button button").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("#choices").bounding_box()["y"] < 844
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert violations(page) == []
