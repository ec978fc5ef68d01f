"""The gate's texts: TOML that reads back, and Markdown that no name can break."""

import tomllib
from typing import Any

import polars as pl
import pytest
from inside.experiments import RuleSetName, Situation, Verdict, inline_tables, toml_text
from inside.reports import as_markdown
from inside.reports.gate import (
    BalanceResult,
    CheckResult,
    SignatureResult,
    as_document,
)

HOSTILE = '<script>alert("x")</script> | $x$ `a` ]]> & \x00\x1b=1+1 \n# heading'


Line = dict[str, Any]
"""A row of the gate's result, by column."""


def line(verdict: Verdict, name: str = "bear", place: Situation | None = None) -> Line:
    """An outcome of the gate for a number."""
    mixed = Situation(*RuleSetName("second", "standard"), 4, "mixed")
    return {
        **(place or mixed)._asdict(),
        "estimand": "win_lift",
        "name": name,
        "verdict": verdict.value,
        "stored": 0.01,
        "fresh": 0.21,
        "value": 0.2,
        "standard_error": 0.01,
        "margin": 0.04,
        "games": 50_000,
        "unit": "fair_shares",
    }


def checked(*lines: Line, changed: tuple[str, ...] = ()) -> CheckResult:
    """A check with these lines."""
    result = BalanceResult(pl.DataFrame(lines), 50_000)
    return CheckResult(SignatureResult(("second standard 4", *changed), changed), result)


def as_summary(check: CheckResult) -> str:
    """A check as Markdown."""
    return as_markdown(as_document(check))


def test_a_table_on_one_line_and_a_heading_read_back():
    content = {
        "games": 2_000_000,
        "situations": [
            {"name": "a", "numbers": {"win lift": {"bear": inline_tables({"games": 7})}}},
            {"name": HOSTILE, "numbers": {}},
        ],
        "plays": [{"line_ups": inline_tables([{"players": [2]}, ["random"]])}],
    }
    text = toml_text(content, ["What it is for.", ""])
    assert tomllib.loads(text) == content
    assert "bear = {games = 7}" in text
    assert "    {players = [2]},\n" in text


def test_hostile_names_are_escaped_in_markdown():
    place = Situation(*RuleSetName("second", "standard", HOSTILE), 4, HOSTILE)
    text = as_summary(checked(line(Verdict.MATTERS, HOSTILE, place), changed=(HOSTILE,)))
    assert "<script>" not in text
    assert "\n# heading" not in text
    tables = [row for row in text.splitlines() if row.startswith("|")]
    widths = {row.replace("\\|", "").count("|") for row in tables}
    assert widths <= {6, 8}


def test_a_table_that_is_cut_says_how_many_lines_are_left_out():
    summaries = [as_summary(checked(*[line(Verdict.MATTERS)] * count)) for count in (40, 41)]
    assert ["1 more not shown" in text for text in summaries] == [False, True]


@pytest.mark.parametrize(
    ("verdicts", "changed", "code"),
    [
        ([Verdict.ALIKE], (), 0),
        ([Verdict.ALIKE, Verdict.MATTERS], (), 3),
        ([Verdict.ALIKE, Verdict.OPEN], (), 4),
        ([Verdict.MATTERS, Verdict.OPEN], (), 3),
        ([Verdict.ALIKE], ("first standard 2",), 5),
        ([Verdict.OPEN], ("first standard 2",), 4),
        ([Verdict.MATTERS], ("first standard 2",), 3),
    ],
)
def test_the_exit_code_follows_the_outcome(verdicts, changed, code):
    assert checked(*map(line, verdicts), changed=changed).exit_code == code
