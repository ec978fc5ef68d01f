"""Findings of axe-core on a page: barriers for people with a screen reader or weak sight."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page


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
