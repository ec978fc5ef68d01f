"""The page of a game in a real browser: what somebody who watches it can do."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from inside.experiments import Match
from inside.experiments.matches import answers_by_seat
from inside.reports.viewer import game_facts, seat_data, table_page
from inside.simulator.narration import Game
from pages import violations
from playwright.sync_api import expect

pytestmark = pytest.mark.long

if TYPE_CHECKING:
    from playwright.sync_api import Page

WIDTHS = (390, 768, 1280, 1920)
PLAYERS = ".rivals > ul > li"
JUDGED = "#course polyline"


@pytest.fixture(scope="module")
def trace(match: Match) -> dict[str, Any]:
    return match.trace(0).trace


@pytest.fixture
def opened(visit: Callable[..., Page], game_address: str) -> Callable[..., Page]:
    """Return a function that opens the page at a part of it, and waits until the page answers."""

    def open_page(part: str = "") -> Page:
        page = visit(game_address + part)
        expect(page.locator("#where")).not_to_be_empty()
        return page

    return open_page


def _turn(page: Page) -> int:
    return int(page.locator("#turn").input_value())


def _last(page: Page) -> int:
    return int(page.locator("#turn").get_attribute("max"))


def test_the_page_opens_with_the_first_deal(opened, trace) -> None:
    page = opened()
    assert _turn(page) == 0
    assert page.locator("#where").inner_text().startswith("Age 1 of 1 · turn 0 of")
    assert page.locator(".tile").count() == 6
    assert page.locator(PLAYERS).count() == 3
    assert page.locator(f"{PLAYERS} .card").count() == 3
    assert page.locator(".pool .card").count() == len(trace["events"][0]["pool"])
    assert page.locator("h1").inner_text() == "Ethnos, 2nd edition (2024): 2 × greedy, champion"
    assert re.match(r"Age 1 of 1\s+P\d begins\.", page.locator("#event").inner_text())


def test_buttons_keys_and_addresses_move_through_the_game(opened) -> None:
    page = opened("#turn=%3Cscript%3E")
    assert _turn(page) == 0
    last = _last(page)
    for button, turn in (("forward", 1), ("forward", 2), ("back", 1), ("last", last), ("first", 0)):
        page.locator(f"#{button}").click()
        assert _turn(page) == turn
        assert page.url.endswith(f"#turn={turn}")
    for key, turn in (("End", last), ("ArrowLeft", last - 1), ("Home", 0), ("ArrowRight", 1)):
        page.keyboard.press(key)
        assert _turn(page) == turn
    page.locator("#turn").focus()
    page.keyboard.press("ArrowRight")
    assert _turn(page) == 2
    page.evaluate("location.hash = '#turn=23'")
    expect(page.locator("#turn")).to_have_value("23")


def test_the_end_shows_the_account_the_final_standing_and_the_result(opened, trace) -> None:
    page = opened()
    assert page.locator(".final").count() == 0
    page.locator("#last").click()
    end = trace["events"][-1]
    points = page.locator(f"{PLAYERS} strong").all_inner_texts()
    assert list(map(int, points)) == end["prestige"]
    rows = [row.locator("td").all_inner_texts() for row in page.locator(".final tbody tr").all()]
    totals = [int(row[-1]) for row in rows]
    assert totals == sorted(end["prestige"], reverse=True)
    assert all(sum(map(int, row[:-1])) == int(row[-1]) for row in rows)
    assert page.locator(".final tbody th").filter(has_text="★").count() == len(end["winners"])
    assert page.locator(".account caption").inner_text().startswith("Points of age 1")


def test_every_marker_is_drawn_and_the_board_stays_on_the_screen(opened) -> None:
    page = opened("#turn=30")
    for row in page.locator(".tile li").all():
        assert len(row.locator(".m").text_content()) == int(row.locator(".k").inner_text())
    for (width, height), turn in product(((800, 800), (390, 844)), (0, 30)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(page.url.split("#")[0] + f"#turn={turn}")
        assert _turn(page) == turn
        regions = page.locator(".tiles").bounding_box()
        assert regions["y"] + regions["height"] <= height


def test_the_game_plays_by_itself_and_stops_at_the_end(opened) -> None:
    page = opened()
    page.goto(page.url + f"#turn={_last(page) - 1}")
    page.locator("h1").click()
    page.keyboard.press(" ")
    assert page.locator("#play").inner_text() == "Pause"
    expect(page.locator("#play")).to_have_text("Play")
    assert _turn(page) == _last(page)


def test_the_page_judges_the_game_while_it_is_used(opened, trace) -> None:
    page = opened("#turn=30")
    expect(page.locator("#judging")).to_contain_text("Judging every turn of the game")
    page.locator("#forward").click()
    assert _turn(page) == 31
    expect(page.locator("#judging")).to_contain_text("600 around", timeout=240_000)
    assert page.locator(JUDGED).count() == 3
    assert page.locator("rect.bar").count() > 0
    box = page.locator("#course").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 12, box["y"] + 50)
    assert _turn(page) == _last(page)
    winners = trace["events"][-1]["winners"]
    wanted = [f"{100 // len(winners) * (player in winners)} %" for player in range(3)]
    assert page.locator("#legend b:not(.person)").all_inner_texts() == wanted
    link = page.locator("#costly a").first
    turn = int(link.get_attribute("href").removeprefix("#turn="))
    cost = link.locator("b").inner_text()
    assert cost.startswith("−")
    link.click()
    expect(page.locator("#turn")).to_have_value(str(turn))
    told = page.locator("#judgement").inner_text()
    assert cost in told
    assert "learned would: " in told


def test_nothing_is_wider_than_the_screen_and_axe_finds_no_violation(opened) -> None:
    page = opened("#turn=30")
    page.locator(JUDGED).first.wait_for(state="attached", timeout=240_000)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        wide = page.evaluate(
            """(names) => [...document.querySelectorAll(names)]
                 .filter((e) => e.getBoundingClientRect().right > innerWidth + 0.5)
                 .map((e) => e.outerHTML.slice(0, 60))""",
            ".tile, .box, .card, h1, #event, svg, button, select",
        )
        assert wide == []
    page.locator("#last").click()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert violations(page) == []


def test_without_its_script_the_page_says_why_it_shows_nothing(visit, game_address) -> None:
    page = visit(game_address, java_script_enabled=False)
    assert page.locator("#viewer").is_hidden()
    assert "does not run" in page.locator("#unseated").inner_text()


HOSTILE = (
    "</script><img src=x onerror=alert(1)><meta http-equiv=refresh content='0;url=x'>"
    "$& $` {{ 7 * 7 }}<!--"
)


def hostile_page(match: Match, trace: dict[str, Any]) -> str:
    """The page of a game in which every text that somebody may set is hostile."""
    game = Game.from_trace(trace | {"strategies": [f"{HOSTILE}:weights={HOSTILE}"] * 3})
    facts = game_facts(game)
    facts["title"] = HOSTILE
    facts["powers"] = dict.fromkeys(facts["powers"], HOSTILE)
    facts["regions"] = [HOSTILE] * len(facts["regions"])
    facts["words"] = dict.fromkeys(facts["words"], HOSTILE)
    live = seat_data(game, match.rotations) | {"answers": answers_by_seat(match, 0)}
    return table_page(HOSTILE, [HOSTILE], facts, live)


def test_no_text_on_the_page_or_at_its_seat_becomes_anything_but_text(
    visit: Callable[..., Page], match: Match, trace: dict[str, Any], tmp_path: Path
) -> None:
    place = tmp_path / "hostile.html"
    place.write_text(hostile_page(match, trace), encoding="utf-8")
    page = visit(place.as_uri() + f"#turn=9&rivals={HOSTILE}")
    expect(page.locator("#where")).not_to_be_empty()
    assert page.locator("h1").inner_text() == HOSTILE
    texts = [page.locator("#viewer").inner_text(), page.locator("#sit").inner_text()]
    page.locator("#sit-down").click()
    assert HOSTILE in page.locator("#asked").inner_text()
    page.locator("button[popovertarget=rules]").first.click()
    texts.append(page.locator("#rules").inner_text())
    texts.append(page.locator("#seated .tiles").inner_text())
    assert all("onerror" in text for text in texts)
    assert page.locator("img, main meta, main script").count() == 0
    assert page.locator("meta[http-equiv=refresh]").count() == 0
