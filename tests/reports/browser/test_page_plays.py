"""The page plays from a file: a table, a fair set, another rule; Escape stops it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from inside.experiments import Plan
from inside.experiments.plans import make_plan
from inside.experiments.specs import parse_spec
from inside.reports import Report, as_html, make_report, numbers, play_evidence
from inside.reports.comparison import Setup, plan_of
from inside.reports.page import play_data
from pages import sat_through, violations
from playwright.sync_api import Locator, expect

from ethnos_sim.simulator import RuleSet

pytestmark = pytest.mark.long

if TYPE_CHECKING:
    from playwright.sync_api import Page

CLANS = ("rabbit", "bear", "monkey", "deer", "raven")
KIND = "#edition=2nd+edition&mode=standard&players=3&who=greedy"
TABLE = "&clan=".join((KIND, *CLANS))
LINE_UP = {"strategies": ["greedy"]}
SPEC = {
    "name": "toy",
    "players": [3],
    "games": 4_000,
    "clan_sets": {"sample": 24},
    "line_ups": [LINE_UP, LINE_UP | {"gives_up": True}],
}
HOSTILE = "<meta http-equiv=refresh content='0;url=x'></script><img src=x onerror=alert(1)> $&"
A_WHILE = 20_000
"""The milliseconds within which even a busy machine shows a first result."""


@pytest.fixture(scope="module")
def report() -> Report:
    return make_report(play_evidence(make_plan(parse_spec(SPEC, "toy"))))


@pytest.fixture(scope="module")
def address(report: Report, tmp_path_factory: pytest.TempPathFactory) -> str:
    page = tmp_path_factory.mktemp("page") / "report.html"
    page.write_text(as_html(report.document, play_data(report.games)), encoding="utf-8")
    return page.as_uri()


@pytest.fixture
def opened(visit: Callable[..., Page], address: str) -> Callable[..., Page]:
    """Return a function that opens the page with a choice."""
    return lambda choice=TABLE, **more: visit(address + choice, **more)


def _line(page: Page, panel: str) -> Locator:
    """The line of a panel that tells how many games it played."""
    return page.locator(f"{panel} progress + .note")


def _games(page: Page, panel: str) -> int:
    """Play until there is a first result, and stop by Escape; return the number of games.

    A fast machine may have played enough before.
    """
    expect(page.locator(f"{panel} .lead")).to_be_visible(timeout=A_WHILE)
    page.keyboard.press("Escape")
    expect(_line(page, panel)).to_contain_text(re.compile(r"Stopped\.|enough\.|is settled\."))
    return int(re.match(r"([\d,]+) games", _line(page, panel).inner_text())[1].replace(",", ""))


def _stopped(page: Page) -> bool:
    """Whether all workers end; the browser reports this with a small delay."""
    for _ in range(50):
        if not page.workers:
            return True
        page.wait_for_timeout(20)
    return False


def _plan(games: int, settings: Sequence[str] = ()) -> Plan:
    """The plan of the command below the numbers."""
    choice = RuleSet(edition="second", mode="standard", values=tuple(settings))
    setup = Setup(players=3, strategies=("greedy",), clans=CLANS, games=games)
    return plan_of(setup, choice, list(CLANS), games=games)


def _near(text: str, value: float) -> bool:
    """Whether a number on the page, in games of 100, is `value` up to rounding."""
    shown = text.split()[0].replace("\N{MINUS SIGN}", "-")
    decimals = len(shown.partition(".")[2])
    return abs(float(shown) - 100 * value) <= 0.501 * 10**-decimals


def test_a_table_plays_until_escape_or_leaving_and_shows_the_numbers_of_the_command(opened):
    page = opened()
    panel = "#your-table"
    games = _games(page, panel)
    words = f"ethnos-sim table --players 3 --strategies greedy --clans {','.join(CLANS)}"
    expect(page.locator(f"{panel} code")).to_have_text(f"{words} --games {games}")
    page.locator(f"{panel} summary").click()
    rows = [row.split("\t") for row in page.locator(f"{panel} tbody tr").all_inner_texts()]
    evidence = play_evidence(_plan(games))
    assert evidence.games == games
    worth = numbers(evidence, "worth")
    values = dict(zip(worth.names, worth.value, strict=True))
    assert len(rows) == len(CLANS)
    assert all(_near(told, values[name.partition(":")[0].lower()]) for name, told in rows)
    said = _line(page, panel).inner_text()
    page.wait_for_timeout(500)
    assert _line(page, panel).inner_text() == said
    if "enough" in said:
        return
    assert _stopped(page)
    with page.expect_event("worker"):
        page.locator(f"{panel} .main").click()
    page.evaluate("window.dispatchEvent(new Event('pagehide'))")
    expect(_line(page, panel)).to_contain_text(re.compile(r"Stopped\.|enough\."))
    assert "enough" in _line(page, panel).inner_text() or _stopped(page)


def test_a_rule_can_be_found_changed_and_played_on_the_deals_of_the_command(opened) -> None:
    page = opened()
    panel = "#change-rule"
    page.get_by_role("button", name="Change a rule").click()
    expect(page.locator(f"{panel} .main")).to_be_disabled()
    page.get_by_label("Find a rule").fill("bear taking")
    page.locator(".hits button").press("Enter")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("200")
    page.keyboard.press("Tab")
    expect(_line(page, panel)).to_contain_text("must be a whole number from 0 to")
    page.keyboard.press("Shift+Tab")
    expect(page.locator(".changes input")).to_be_focused()
    page.locator(".changes input").fill("0")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Leave out bear.on_take")).to_be_focused()
    assert page.url.endswith("&change=bear.on_take%3D0")
    page.reload()
    expect(page.locator(".changes input")).to_have_value("0")
    page.locator(f"{panel} .main").click()
    games = _games(page, panel)
    page.locator(f"{panel} summary").click()
    words = "ethnos-sim compare second+bear.on_take=0 --players 3 --strategies greedy"
    command = f"{words} --clans {','.join(CLANS)} --games {games}"
    expect(page.locator(f"{panel} code")).to_have_text(command)
    rows = {
        row.split("\t")[0]: row.split("\t")[1:4]
        for row in page.locator(f"{panel} tbody tr").all_inner_texts()
    }
    sides = [play_evidence(_plan(games // 2, changes)) for changes in ((), ("bear.on_take=0",))]
    assert sum(side.games for side in sides) == games
    worth, seat = (
        [numbers(side, estimand).rows_named((name,)).value[0] for side in sides]
        for estimand, name in (("worth", "bear"), ("seat_edge", "first"))
    )
    for label, (first, second) in (
        ("The Bear: giving it up costs", worth),
        ("First seat, away from a fair share", [abs(edge) for edge in seat]),
    ):
        told = rows[label]
        wanted = (first, second, second - first)
        assert all(_near(text, value) for text, value in zip(told, wanted, strict=True)), label


def test_a_fair_set_is_found_by_playing_and_measured_on_fresh_deals(opened) -> None:
    page = opened(KIND)
    page.clock.install()
    page.get_by_role("button", name="Your table").click()
    expect(page.locator("#your-table")).to_contain_text("Choose 5 more")
    page.get_by_role("button", name="Deal us a fair set").click()
    expect(page.locator("#your-table")).to_contain_text("12 sets side by side", timeout=A_WHILE)
    page.clock.fast_forward(10_000)
    says = page.locator("#your-table .says")
    expect(says).to_contain_text("The most even of 12 random sets.", timeout=2 * A_WHILE)
    assert _games(page, "#your-table") > 0
    assert page.locator("#your-table :checked").count() == 5
    band = page.locator("#your-table .band")
    assert float(band.get_attribute("width")) > 0, "the margin is drawn"
    assert page.url.count("&clan=") == 5
    page.locator("#your-table :checked").first.click()
    expect(page.locator("#your-table .spoken")).to_be_empty()


def test_at_a_table_of_a_player_that_the_page_lacks_the_nearest_one_plays(opened) -> None:
    page = opened(TABLE.replace("greedy", "spreader"))
    _games(page, "#your-table")
    assert "--strategies greedy" in page.locator("#your-table code").inner_text()


def test_a_browser_that_cannot_play_says_so_and_keeps_the_page(browser, address):
    context = browser.new_context()
    context.add_init_script("delete window.WebAssembly")
    page = context.new_page()
    page.goto(address + TABLE)
    expect(page.locator("#doors")).to_contain_text("WebAssembly")
    assert page.locator("#doors button").count() == 0
    expect(page.locator(".card")).to_be_visible()
    context.close()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_the_panels_that_play_are_accessible_and_never_wider_than_the_screen(
    opened, width: int, scheme: str
) -> None:
    page = opened(
        f"{TABLE}&change=bear.on_take=0",
        viewport={"width": width, "height": 800},
        color_scheme=scheme,
    )
    _games(page, "#your-table")
    page.locator("#change-rule .main").click()
    _games(page, "#change-rule")
    page.get_by_label("Find a rule").fill("hand")
    assert violations(page, "#view") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_hostile_texts_stay_texts_at_a_seat_that_opens_in_this_tab_if_no_other_may(
    report: Report, visit: Callable[..., Page], tmp_path: Path
) -> None:
    live = play_data(report.games)
    for names in (
        held["names"] for tables in live["seat"]["games"].values() for held in tables.values()
    ):
        names["title"] = names["words"]["party"] = HOSTILE
    file = tmp_path / "hostile.html"
    file.write_text(as_html(report.document, live), encoding="utf-8")
    page = visit(file.as_uri() + TABLE)
    page.evaluate("window.open = () => null")
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator("h1")).to_contain_text(HOSTILE)
    page.locator("#sit-down").click()
    assert HOSTILE in page.locator("#asked").inner_text()
    assert page.locator("img, base, meta[http-equiv=refresh]").count() == 0


def test_a_person_sits_at_the_chosen_table_with_the_changed_rules(opened) -> None:
    page = opened(f"{TABLE}&change=bear.on_take=0")
    with page.context.expect_page() as opening:
        page.get_by_role("button", name="Sit down").click()
    table = opening.value
    expect(table.locator("h1")).to_contain_text("2nd edition (2024), with bear.on_take=0")
    levels = table.locator(".level")
    levels.first.select_option("champion")
    table.locator("#sit-down").click()
    table.locator("#hand").wait_for()
    assert "house rule" in table.locator("#rules").text_content()
    deal = re.search(r"deal=(\d+)", table.url)[1]
    page.close()  # a seat does not need the report's tab
    table.reload()
    table.locator("#hand").wait_for()
    assert f"deal={deal}&" in table.url
    trace = sat_through(table)
    assert (sorted(trace["clans"]), trace["rules"]["bear.on_take"]) == (sorted(CLANS), 0)
    assert trace["strategies"][1] == "champion"
    table.locator("#leave").click()
    expect(table.locator("#sit-down")).to_be_focused()
