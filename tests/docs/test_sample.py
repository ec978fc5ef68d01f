"""The sample page of the repository and the card of the README are one report."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST_BYTES = 1_200_000


def test_the_card_of_the_readme_is_that_of_the_sample_page() -> None:
    page = (ROOT / "docs" / "examples" / "report.html").read_text(encoding="utf-8")
    card = (ROOT / "docs" / "figures" / "card.svg").read_text(encoding="utf-8")
    answers = re.findall(r'font-weight="bold"[^>]*>([^<]+)</text>', card)
    assert len(answers) >= 7
    assert [answer for answer in answers if answer not in page] == []
    assert len(page.encode()) <= MOST_BYTES
