"""Measure the cost of a page for its reader: its size, and the time until a browser can use it.

    python benchmarks/page.py report.html [--choose "#second;3;"]

The page is opened from disk in a fresh window, several times. It is interactive when its script has
run and a frame is shown, counted from the start of the navigation. Processor time is the time of
the page's main thread, which other work on the machine changes little. `--choose` also measures the
time from a choice in the bar until the sections of the chosen table are shown.
"""

from __future__ import annotations

import shutil
import statistics
from pathlib import Path
from typing import TYPE_CHECKING

from runner import run

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROUNDS = 7
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")

SHOWN = """() => new Promise((done) => requestAnimationFrame(() => setTimeout(() =>
  done(performance.now()))))"""

CHOSEN = """async (hash) => {
  const before = document.querySelector("#headline").textContent;
  const started = performance.now();
  location.hash = hash;
  while (document.querySelector("#headline").textContent === before)
    await new Promise((done) => requestAnimationFrame(done));
  return performance.now() - started;
}"""


def opened(browser: Browser, address: str, choice: str) -> tuple[float, float, float]:
    """Milliseconds: until a page is interactive, its main thread's work, until a choice shows."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(address, wait_until="load")
    interactive = page.evaluate(SHOWN)
    metrics = {m["name"]: m["value"] for m in session.send("Performance.getMetrics")["metrics"]}
    chosen = page.evaluate(CHOSEN, choice) if choice else float("nan")
    context.close()
    return interactive, 1000 * metrics["TaskDuration"], chosen


def measure(page: Path, *, choose: str = "") -> None:
    """Measure and print."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        address = page.resolve().as_uri()
        rounds = [opened(browser, address, choose) for _ in range(ROUNDS)]
        browser.close()
    interactive, busy, chosen = (statistics.median(times) for times in zip(*rounds, strict=True))
    print(f"{page.stat().st_size / 1e6:.2f} MB, median of {ROUNDS} openings")
    print(f"interactive after {interactive:.0f} ms, processor time {busy:.0f} ms")
    if choose:
        print(f"{choose} shown after {chosen:.0f} ms")


if __name__ == "__main__":
    run(measure)
