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
from playwright.sync_api import expect

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


def test_a_reload_goes_on_with_the_game_and_getting_up_offers_to(seated: Page) -> None:
    page = seated
    dice = random.Random(1)
    for _ in range(9):
        take_something(page, dice)
    before = [page.locator(place).inner_text() for place in ("#where", "#question", "#hand")]
    page.reload()
    page.locator("#turn").wait_for()
    assert [
        page.locator(place).inner_text() for place in ("#where", "#question", "#hand")
    ] == before
    page.locator("#leave").click()
    expect(page.locator("#go-on")).to_be_focused()
    page.locator("#go-on").click()
    assert [
        page.locator(place).inner_text() for place in ("#where", "#question", "#hand")
    ] == before


def test_every_arrow_key_moves_to_another_button(seated: Page) -> None:
    page = seated
    focused = set()
    for _ in range(40):
        page.keyboard.press("ArrowRight")
        focused.add(page.evaluate("document.activeElement.outerHTML"))
    shown = page.locator("#table .point button:visible, #turn button:enabled:visible")
    assert len(focused) >= shown.count() - 2  # two equal cards have equal buttons
    assert not any("<body" in button for button in focused)


def test_a_party_button_says_its_marker_and_the_board_shows_it_while_the_power_asks(
    visit: Callable[..., Page], tmp_path: Path
) -> None:
    clans = ("monkey", "owl", "red_panda", "bear", "koi")
    match = prepare_match(load_rules("second"), "greedy", players=3, seed=4, clans=clans)
    trace = match.trace(0).trace
    file = tmp_path / "game.html"
    file.write_text(game_page(trace, seats=sit_down(trace, 0)), encoding="utf-8")
    page = visit(file.as_uri())
    page.locator("#sit-down").click()
    asked = 0
    for turn in range(40):
        monkey = page.locator("#hand button").filter(has_text="monkey")
        if not monkey.count() or page.locator("#question").inner_text()[:9] != "Your turn":
            take_something(page, random.Random(turn))
            continue
        monkey.first.click()
        party = page.locator("#choices .party").filter(has_text="Party of").first
        color = re.search(r"led by (\w+) monkey", party.inner_text())[1]
        said = re.search(r": (?:no marker|a marker in (\w+))$", party.inner_text())
        held = page.locator(f'.region[data-color="{color}"] .count').first.inner_text()
        party.click()
        if page.locator("#question").inner_text() != "Put a marker on your settlement board?":
            continue
        asked += 1
        now = page.locator(f'.region[data-color="{color}"] .count').first.inner_text()
        assert int(now) - int(held) == bool(said[1])
        assert "monkey" in page.locator(".side").first.locator(".cards").last.inner_text()
    assert asked


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
