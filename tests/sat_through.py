"""Play a game at a seat of a page to its end, by a script that clicks on what is offered."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import referee
from inside.experiments.matches import traced_match

if TYPE_CHECKING:
    from playwright.sync_api import Page

POINT = """() => {
  for (let dice = 1; !document.querySelector(".standing"); dice = (dice * 75 + 74) % 65537) {
    const offered = document.querySelectorAll("#hand button, .point button, #choices button");
    offered[dice % offered.length].click();
  }
}"""


def sat_through(page: Page) -> dict[str, Any]:
    """Play a game; the trace that the page saves, after the referee and native replay pass it."""
    page.evaluate(POINT)
    saved = page.locator("#save").get_attribute("href") or ""
    trace = json.loads(unquote(saved.partition(",")[2]))
    assert referee.replay(trace).prestige == trace["events"][-1]["prestige"]
    assert traced_match(trace).trace(trace["game"]).trace == trace
    return trace
