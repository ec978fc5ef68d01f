"""The pages on comparing and on CI name no other option, and every margin and key there is."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from ethnos_sim.commands import check, compare
from ethnos_sim.reports.comparison.differences import WORDS
from ethnos_sim.reports.estimators.catalog import FAMILIES, HEADLINE, margin_of
from ethnos_sim.reports.gate.baseline import BUNDLED, SCALE, TIMES_THE_BUDGET, read_baseline
from ethnos_sim.reports.gate.decision import LEVEL, PASS_ALPHA

DOCS = Path(__file__).resolve().parents[2] / "docs"
COMPARING = (DOCS / "comparing.md").read_text(encoding="utf-8")
CI = (DOCS / "ci.md").read_text(encoding="utf-8")


def options(command: click.Command) -> list[str]:
    """The long options of a command."""
    found = [option for each in command.params for option in each.opts if option.startswith("--")]
    return [option for option in found if option != "--help-all"]


def test_every_option_that_is_used_exists():
    others = {"--out", "--set", "--help", "--quiet"}
    known = {*options(compare.command), *options(check.command), *options(check.record), *others}
    used = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", COMPARING + CI))
    assert used - {"--hook-type"} <= known  # an option of pre-commit


def test_every_word_is_explained():
    assert all(f"**{word}**" in COMPARING for word in WORDS)


def test_every_headline_number_has_a_margin():
    for estimand in HEADLINE:
        assert estimand.family in FAMILIES
        for name in estimand.numbers or ("any",):
            assert estimand.margin_of(name) > 0
    assert margin_of("win_lift", "bear") == 0.02
    assert margin_of("game_shape", "turns") == 2.0
    with pytest.raises(KeyError):
        margin_of("game_shape", "colors")


@pytest.mark.parametrize(
    ("words", "definition", "name"),
    [
        ("0.5 pp", "seat_edge", "first"),
        ("0.02 fair shares", "win_lift", "bear"),
        ("1 pp", "strategy_share", "greedy"),
        ("2", "game_shape", "turns"),
        ("0.1", "game_shape", "parties"),
        ("0.25 pp", "usage", "bear"),
        ("0.02", "game_shape", "lead_changes"),
        ("0.01", "game_shape", "cards_in_party"),
        ("0.25 points", "game_shape", "prestige_spread"),
        ("0.5 points", "game_shape", "mean_prestige"),
        ("1 point", "solo_margin", "greedy"),
    ],
)
def test_the_margins_are_those_of_the_page(words, definition, name):
    cells = {row.split("|")[2].strip() for row in COMPARING.splitlines() if row.startswith("|")}
    assert words in cells
    value = float(words.split()[0]) / (100 if words.endswith("pp") else 1)
    assert margin_of(definition, name) == pytest.approx(value)


def test_the_page_says_what_the_bundled_baseline_guards():
    baseline = read_baseline(BUNDLED)
    assert f"guards {len(baseline.rows)} numbers in {len(baseline.situations)} groups" in CI


def test_the_page_says_the_levels_that_hold():
    assert f"level {LEVEL:g} divided by" in CI
    assert f"at {PASS_ALPHA:.0%} divided by" in CI.replace(" %", "%")
    assert SCALE == 2
    assert "are **twice** those of a comparison" in CI
    assert TIMES_THE_BUDGET == 4
    assert "four times the budget" in CI
