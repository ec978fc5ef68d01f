"""A person takes a seat on the page of a game, in a real browser, and plays to the end."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pytest
from pages import GAME_OVER, POINT, result_in_firefox, sat_through, violations
from playwright.sync_api import expect

pytestmark = pytest.mark.long

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

SEAT = 1
JUDGED = "A chance is the share of wins"
PICKS = "#seated [data-pick]:visible"


@pytest.fixture
def seated(visit: Callable[..., Page], game_address: str) -> Page:
    page = visit(game_address)
    page.locator("#chair").select_option(str(SEAT))
    page.locator("#sit-down").click()
    page.locator("#hand").wait_for()
    return page


def take_something(page: Page, dice: random.Random, act: str = "click") -> None:
    picks = page.locator(PICKS).all()
    getattr(dice.choice(picks), act)()


def shown(page: Page) -> list[str]:
    return [
        page.locator(place).inner_text() for place in ("#asked", "#hand", "#seated .tiles", ".roll")
    ]


def test_a_game_is_played_to_its_end_and_saved_for_play_and_referee(seated: Page) -> None:
    page = seated
    trace = sat_through(page)
    rows = [row.locator("td").all_inner_texts() for row in page.locator(".final tbody tr").all()]
    assert all(sum(map(int, row[:-1])) == int(row[-1]) for row in rows)
    end = trace["events"][-1]
    assert {int(row[-1]) for row in rows} == set(end["prestige"])
    assert str(end["prestige"][end["winners"][0]]) in page.locator("#asked").inner_text()
    page.keyboard.press("Home")
    assert "turn 0 of" in page.locator("#where").inner_text()
    page.locator("#leave").click()
    assert "P0" in page.locator("#viewer").inner_text()


def test_no_hidden_card_is_on_the_page_while_somebody_plays(seated: Page) -> None:
    page = seated
    dice = random.Random(3)
    for _ in range(30):
        take_something(page, dice)
    for rival in page.locator(".rivals > ul > li").all():
        text = rival.inner_text()
        held = int(re.search(r"(\d+) in hand", text)[1])
        known = re.search(r"seen: ([^.]*)\.", text)
        assert len(known[1].split(", ") if known else []) <= held
    assert page.locator("#viewer").is_hidden()
    page.locator(".roll summary").click()
    for line in page.locator(".roll li").all_inner_texts():
        does = line.split("\n")[0]
        assert "draws" not in does or does.endswith("draws a card"), line


def test_keys_choose_a_move_ask_for_advice_and_take_the_move_back(seated: Page) -> None:
    page = seated
    before = shown(page)
    for _ in range(30):
        if page.evaluate("document.activeElement.textContent") == "Draw a card":
            break
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert "You draw" in page.locator(".roll").inner_text()
    page.keyboard.press("?")
    assert page.locator("#advice").inner_text().startswith("learned would ")
    page.keyboard.press("z")
    assert shown(page) == before


def test_a_reload_goes_on_with_the_game_and_getting_up_offers_to(seated: Page) -> None:
    page = seated
    dice = random.Random(1)
    for _ in range(12):
        take_something(page, dice)
    page.keyboard.press("z")
    before = shown(page)
    page.reload()
    page.locator("#hand").wait_for()
    assert shown(page) == before
    page.locator("#leave").click()
    expect(page.locator("#go-on")).to_be_focused()
    page.locator("#go-on").click()
    assert shown(page) == before


def test_a_deal_is_random_unless_the_same_is_wanted(seated: Page) -> None:
    page = seated
    hands = [(page.locator(".bar .soft").inner_text(), page.locator("#hand").inner_text())]
    for button in ("#again", GAME_OVER):
        sat_through(page)
        page.locator(button).click()
        page.locator("#hand").wait_for()
        hands.append((page.locator(".bar .soft").inner_text(), page.locator("#hand").inner_text()))
    assert hands[0] == hands[1]
    assert hands[0][0] != hands[2][0]


def test_a_party_says_its_marker_and_the_board_shows_it_while_the_power_asks(seated: Page) -> None:
    page = seated
    dice = random.Random(4)
    asked = 0
    while asked < 2 and not page.locator(GAME_OVER).count():
        monkey = page.locator("#hand button").filter(has_text="monkey")
        if not page.locator("#asked").inner_text().startswith("Take a card") or not monkey.count():
            take_something(page, dice)
            continue
        monkey.first.click()
        if not page.locator("dl").count():
            continue
        led = page.locator(".leads small").inner_text()
        tile = page.locator(f'#seated .tile[data-color="{led}"] li').nth(SEAT).locator(".k")
        promised = page.locator("dd").first.inner_text()
        before = tile.inner_text().split("→")[0]
        page.locator(".acts .go").click()
        if page.locator("#asked").inner_text() != "Put a marker on your own board?":
            continue
        asked += 1
        assert int(tile.inner_text()) - int(before) == (not promised.startswith("none"))
        assert "You play" in page.locator(".roll").inner_text()
    assert asked


def test_a_card_of_the_hand_leads_its_largest_party_at_once(seated: Page) -> None:
    page, dice = seated, random.Random(9)
    for _ in range(200):
        asked = page.locator("#asked").inner_text()
        if asked.startswith("Take a card") and page.locator("#hand button").count() >= 5:
            break
        draw = page.get_by_text("Draw a card", exact=True)
        draw.click() if draw.count() else take_something(page, dice)
    page.locator("#hand button").first.click()
    assert page.locator("dl").count()
    colors = page.locator("#hand .in").evaluate_all("all => all.map((one) => one.dataset.card)")
    assert colors
    page.locator(".pill").filter(has_text="one by one").click()
    assert page.locator("#asked").inner_text() == "Point at the cards that join the party."


def test_an_age_is_accounted_for_and_its_sums_are_those_of_the_game(seated: Page) -> None:
    page = seated
    page.evaluate(POINT, ".account")
    rows = page.locator(".account tbody tr").all()
    points = [[int(cell) for cell in row.locator("td b").all_inner_texts()] for row in rows]
    *points, in_age, in_all = points
    assert [sum(column) for column in zip(*points, strict=True)] == in_age == in_all
    page.keyboard.press("Enter")
    page.locator(GAME_OVER).wait_for()


def test_luck_and_moves_add_up_to_the_result_and_lead_to_their_turns(seated: Page) -> None:
    page = seated
    sat_through(page)
    expect(page.locator("#judging")).to_contain_text(JUDGED, timeout=240_000)
    said = page.locator(".fall > li > b").all_inner_texts()
    fair, *parts, result = [float(value.replace("−", "-")) for value in said]
    assert fair == pytest.approx(33.3, abs=0.1)
    assert fair + sum(parts) == pytest.approx(result, abs=1e-9)
    cost = page.locator("#costly b").first.inner_text()
    page.locator("#costly a").first.click()
    expect(page.locator("#judgement")).to_contain_text(cost)
    expect(page.locator("#judgement")).to_contain_text("learned would")
    turn = page.locator("#where").inner_text()
    page.reload()
    expect(page.locator("#where")).to_have_text(turn)
    page.locator("#take-back").click()
    assert page.locator("#viewer").is_hidden()
    page.keyboard.press("ArrowRight")
    sat_through(page)
    assert page.locator("#where").inner_text() != turn


def test_a_link_seats_somebody_else_at_the_same_deal_with_the_same_rivals(
    seated: Page, visit: Callable[..., Page]
) -> None:
    page = seated
    first = shown(page)[1]
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    trace = sat_through(page)
    points = trace["events"][-1]["prestige"][SEAT]
    page.locator("#challenge").click()
    expect(page.locator("#copied")).not_to_be_empty()
    link = page.locator("#copied a")
    address = (
        link.get_attribute("href")
        if link.count()
        else page.evaluate("navigator.clipboard.readText()")
    )
    other = visit(address)
    other.locator("#hand").wait_for()
    assert shown(other)[1] == first
    assert f"beat {points}" in other.locator(".bar").inner_text()


IN_FIREFOX = """(async () => {
  const wait = (time) => new Promise((done) => setTimeout(done, time));
  const found = (text) => document.querySelector(text);
  while (!found("#sit-down")) await wait(20);
  found("#sit-down").click();
  while (!found("#hand")) await wait(20);
  for (let pick = 0; pick < 12; pick += 1) found("#seated [data-pick]").click();
  found("#hint").click();
  return `${found(".hand h3").textContent}: ${found("#advice").textContent}`;
})()"""
"""Takes a seat, picks something twelve times, and asks for advice."""


def test_firefox_seats_a_person_too(game_address: str, tmp_path: Path) -> None:
    said = result_in_firefox(Path(unquote(urlsplit(game_address).path)), IN_FIREFOX, tmp_path)
    assert re.search(r"You .*: learned would ", said), said


@pytest.fixture
def phone(visit: Callable[..., Page], game_address: str) -> Iterator[Page]:
    page = visit(game_address, {"width": 390, "height": 844}, has_touch=True)
    page.locator("#sit-down").tap()
    page.locator("#hand").wait_for()
    return page


def _inside(place: Locator, width: int, height: int) -> bool:
    box = place.bounding_box()
    return box["x"] >= 0 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= height


def test_a_game_is_played_by_touch_on_a_phone_held_upright_and_turned(phone: Page) -> None:
    page, dice = phone, random.Random(6)
    sizes = [(390, 844), (844, 390)]
    for turn in range(400):
        width, height = sizes[turn // 10 % 2]
        if page.locator(GAME_OVER).count():
            break
        if turn % 10 == 0:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            if page.locator("#hand").count():
                assert _inside(page.locator("#hand .card").first, width, height)
                assert _inside(page.locator("#seated .tile").nth(1), width, height)
        take_something(page, dice, "tap")
    assert page.locator(GAME_OVER).count()


@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_no_violation_and_nothing_is_wider_than_the_screen(
    seated: Page, width: int
) -> None:
    page = seated
    page.set_viewport_size({"width": width, "height": 844})
    for place in ("dl", ".account", GAME_OVER):
        page.evaluate(POINT, place)
        assert page.locator("button button").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if place == "dl":
            page.locator("button[popovertarget=rules]").first.click()
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert violations(page) == []
        if place == "dl":
            page.keyboard.press("Escape")
