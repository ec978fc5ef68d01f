"""Headless Firefox: read what a page says in it."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from node import node_program

PROGRAMS = ("firefox-esr", "firefox")
ASKED = Path(__file__).parent / "reports" / "live" / "firefox.js"


def firefox_program() -> str:
    """The system's Firefox; without it the test is skipped, or fails if browsers are required.

    WebDriver BiDi drives it, a protocol that Firefox has built in.
    """
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        if os.environ.get("ETHNOS_SIM_BROWSER") == "required":
            pytest.fail("ETHNOS_SIM_BROWSER=required, but there is no Firefox")
        pytest.skip("Firefox is not installed")
    return program


@contextmanager
def _running(profile: Path) -> Iterator[str]:
    """Run Firefox with its own profile; the address of its WebDriver."""
    options = ["--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port=0"]
    with subprocess.Popen(
        [firefox_program(), *options], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stderr is not None
            listening = (re.search(r"listening on (ws://\S+)", line) for line in process.stderr)
            yield next(found[1] for found in listening if found)
        finally:
            process.terminate()


def told_by_firefox(page: Path, expression: str, profile: Path) -> str:
    """The text that a promise on a page from disk resolves to."""
    with _running(profile) as server:
        command = [node_program(), str(ASKED), server, page.as_uri(), expression]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
