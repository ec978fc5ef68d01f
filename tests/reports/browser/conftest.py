"""A headless browser for tests of the page: the system's Chromium, driven by playwright.

Without it these tests are skipped. `.ci/run` sets ETHNOS_SIM_BROWSER=required, so that they fail
there instead.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from inside.experiments import Match, prepare_match
from inside.experiments.matches import answers_by_seat
from inside.reports.viewer import game_page

from ethnos_sim import load_rules

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CLANS = ("monkey", "owl", "red_panda", "bear", "koi")

DESK = {"width": 1280, "height": 900}
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The module's browser; while playwright runs, its thread can have no other event loop."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _give_up("playwright is not installed; it is in the extra 'test'")
    if program is None:
        _give_up(f"no browser is installed ({', '.join(PROGRAMS)})")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def match() -> Match:
    """A match of short games: one age, with half of the cards."""
    rules = load_rules("second", overrides={"ages_2_3": 1, "cards_per_clan": 6})
    return prepare_match(rules, "greedy,champion", players=3, seed=4, clans=CLANS)


@pytest.fixture(scope="session")
def game_address(match: Match, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a page that shows the match's first game and offers a seat at it."""
    page = tmp_path_factory.mktemp("game") / "game.html"
    text = game_page(match.trace(0).trace, match.rotations, answers_by_seat(match, 0))
    page.write_text(text, encoding="utf-8")
    return page.as_uri()


def _give_up(reason: str) -> None:
    """Skip the test, or fail if a browser is required."""
    if os.environ.get("ETHNOS_SIM_BROWSER") == "required":
        pytest.fail(f"ETHNOS_SIM_BROWSER=required, but {reason}")
    pytest.skip(reason)


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Return a function that opens an address.

    The test fails if a page writes to the console or asks for anything from another address.
    """
    contexts, said = [], []

    def open_page(address: str, viewport=DESK, **more) -> Page:
        context = browser.new_context(viewport=viewport, **more)
        context.set_default_timeout(8_000)
        contexts.append(context)
        page, allowed = context.new_page(), (address.partition("#")[0], "data:,", "blob:")
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda asked: asked.url.startswith(allowed) or said.append(asked.url))
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert said == []
