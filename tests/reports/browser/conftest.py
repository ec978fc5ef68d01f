"""A headless browser for tests of the page: the Chromium of the system, driven by playwright.

Where there is none these tests are skipped. `.ci/run` sets ETHNOS_SIM_BROWSER=required, so that
there they fail instead.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser of the module's own: while playwright runs, its thread has no other event loop."""
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


def _give_up(reason: str) -> None:
    """Skip the test, or fail it where a browser is required."""
    if os.environ.get("ETHNOS_SIM_BROWSER") == "required":
        pytest.fail(f"ETHNOS_SIM_BROWSER=required, but {reason}")
    pytest.skip(reason)
