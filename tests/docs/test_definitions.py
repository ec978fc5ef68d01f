"""The pages name every option, margin and measure that there is, and no others."""

import re
from pathlib import Path

import pytest
from inside import module_with
from inside.experiments import Verdict
from inside.reports import ESTIMANDS
from inside.reports.estimators import FAMILIES, HEADLINE_ESTIMANDS, MARGINS, margin_of
from inside.reports.gate import ALARM_LEVEL, GAMES_FACTOR, PASS_ALPHA, read_baseline
from inside.reports.page import margin_text
from names import options

BUNDLED = module_with("reports.gate", "read_baseline").BUNDLED

DOCS = Path(__file__).resolve().parents[2] / "docs"
DOCUMENT = (DOCS / "statistics.md").read_text(encoding="utf-8")
COMPARING = (DOCS / "comparing.md").read_text(encoding="utf-8")
CI = (DOCS / "ci.md").read_text(encoding="utf-8")


def test_the_documentation_defines_exactly_the_estimands_of_reports():
    headings = " ".join(re.findall(r"^### (.*)$", DOCUMENT, flags=re.MULTILINE))
    assert set(re.findall(r"`(\w+)`", headings)) == set(ESTIMANDS)


def test_the_documentation_lists_every_margin_with_its_reason():
    rows = ["| what | up to | why |", "|---|---|---|"]
    rows += [f"| {of.subject} | {margin_text(of)} | {of.reason} |" for of in MARGINS]
    assert "\n".join(rows) in DOCUMENT


def test_the_table_of_margins_has_exactly_the_margins_of_estimands():
    used = {
        size
        for estimand in ESTIMANDS.values()
        for size in (estimand.margin, *(number.margin for number in estimand.numbers.values()))
        if size is not None
    }
    assert used == set(MARGINS)


def test_every_option_in_the_documents_exists():
    used = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", COMPARING + CI))
    known = {word for _, word in options()}
    assert used - {"--hook-type"} <= known | {"--help"}  # one is an option of pre-commit


def test_every_verdict_is_explained():
    assert all(f"**{word}**" in COMPARING for word in Verdict)


def test_every_headline_number_has_a_margin():
    for estimand in HEADLINE_ESTIMANDS:
        assert estimand.family in FAMILIES
        for name in estimand.numbers or ("any",):
            assert estimand.margin_of(name, 4) > 0
    with pytest.raises(KeyError):
        margin_of("game_shape", "colors", 4)


def test_the_page_says_what_the_bundled_baseline_guards():
    baseline = read_baseline(BUNDLED)
    assert f"guards {len(baseline.rows)} numbers in {len(baseline.situations)} groups" in CI


def test_the_page_states_the_levels_in_use():
    assert f"with {1 - ALARM_LEVEL:.1%}, on" in CI.replace(" %", "%")
    assert f"at {PASS_ALPHA:.0%} a side" in CI.replace(" %", "%")
    assert GAMES_FACTOR == 5
    assert "five times the games" in CI
