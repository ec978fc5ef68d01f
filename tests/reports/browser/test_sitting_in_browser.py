"""Somebody sits down at the page of a game, in a real browser, and plays to the end."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
import referee
from axe import violations
from inside.experiments.matches import puzzle, traced_match
from inside.reports.viewer import game_page, puzzle_page, sit_down

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


def over(page: Page) -> bool:
    return page.locator("#question").inner_text() == "The game is over."


def take_something(page: Page, dice: random.Random) -> None:
    buttons = page.locator("#hand button, #choices button").all()
    dice.choice(buttons).click()


def test_a_game_is_played_to_its_end_and_saved_for_play_and_referee(seated: Page) -> None:
    dice = random.Random(2)
    page = seated
    while not over(page):
        take_something(page, dice)
    rows = [row.locator("td").all_inner_texts() for row in page.locator(".standing tbody tr").all()]
    assert all(sum(map(int, row[1:-1])) == int(re.sub(r"\D", "", row[-1])) for row in rows)
    saved = page.locator("#save").get_attribute("href")
    trace = json.loads(unquote(saved.split(",", 1)[1]))
    assert referee.replay(trace).prestige == trace["events"][-1]["prestige"]
    assert traced_match(trace).trace(trace["game"]).trace == trace
    page.locator("#cost").click()
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
    told = page.locator("#event").inner_text()
    drawn = [line for line in told.splitlines() if "draws" in line and line[:2] != f"P{SEAT}"]
    assert all(re.fullmatch(r"P\d.* draws (a|no) card\.", line) for line in drawn)


def test_all_is_done_by_keys_and_a_move_is_taken_back(seated: Page) -> None:
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


@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing_and_nothing_is_too_wide(seated: Page, width: int) -> None:
    page = seated
    dice = random.Random(5)
    page.set_viewport_size({"width": width, "height": 844})
    for _ in range(12):
        take_something(page, dice)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("#choices").bounding_box()["y"] < 844
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert violations(page) == []


def test_a_puzzle_hides_hands_and_answer_and_tells_it_after_the_move(
    visit: Callable[..., Page], tmp_path_factory: pytest.TempPathFactory
) -> None:
    asked = puzzle(7)
    file = tmp_path_factory.mktemp("puzzle") / "puzzle.html"
    file.write_text(puzzle_page(asked, 7, 4), encoding="utf-8")
    page = visit(file.as_uri())
    page.locator("#turn").wait_for()
    assert page.locator("#where").inner_text().endswith("turn 17 of 17 · step 18 of 18")
    assert page.locator(".side .back").count() == 2
    assert asked.best not in page.locator("body").inner_text()
    page.locator("#hand button").filter(has_text="orange").last.click()
    page.locator("#choices button").filter(has_text="Band of 3").first.click()
    assert page.locator("#advice").inner_text().startswith("Right. That is the best move.")
    page.locator("#take-back").click()
    page.locator("#choices button").first.click()
    assert f"The best move is: {asked.best}. Yours (draws)" in page.locator("#advice").inner_text()
    assert violations(page) == []
