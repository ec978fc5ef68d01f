"""The pages name every option, margin, measure and band there is, and none else."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from commands import command_line
from inside import module_with
from inside.experiments.statistics import VERDICTS
from inside.reports.estimators import FAMILIES, HEADLINE, POWER
from inside.reports.gate import LEVEL, PASS_ALPHA, SCALE, TIMES_THE_BUDGET
from inside.reports.rendering import UNITS, difference_unit, number

from ethnos_sim.reports import ESTIMANDS, margin_of, read_baseline

BUNDLED = module_with("reports.gate", "read_baseline").BUNDLED

WIN_LIFT = ESTIMANDS["win_lift"].bands
DOCS = Path(__file__).resolve().parents[2] / "docs"
DOCUMENT = (DOCS / "statistics.md").read_text(encoding="utf-8")
COMPARING = (DOCS / "comparing.md").read_text(encoding="utf-8")
CI = (DOCS / "ci.md").read_text(encoding="utf-8")


def test_the_documentation_defines_every_measure_and_none_that_no_report_has():
    headings = " ".join(re.findall(r"^### (.*)$", DOCUMENT, flags=re.MULTILINE))
    assert set(re.findall(r"`(\w+)`", headings)) == set(ESTIMANDS)


def estimand_table() -> str:
    """The table of headline numbers as the documentation has it."""
    rows = ["| name | unit | margin | family |", "|---|---|---|---|"]
    for each in sorted(HEADLINE, key=lambda estimand: estimand.name):
        unit = UNITS[each.unit].words if each.unit else "of each number"
        margin = ""
        if each.margin is not None:
            margin = number(each.margin, difference_unit(each.unit), 2).lstrip("+")
        rows.append(f"| `{each.name}` | {unit} | {margin} | {each.family} |")
    return "\n".join(rows)


def test_the_documentation_lists_every_headline_number_as_it_is_declared():
    assert estimand_table() in DOCUMENT


def test_the_documentation_has_the_bands_in_force_which_for_lift_are_those_of_four_players():
    for name in ("minor", "notable", "strong"):
        power, lift = getattr(POWER, name), getattr(WIN_LIFT, name)
        assert f"{100 * power:g} pp" in DOCUMENT
        assert f"{lift:g}" in DOCUMENT
        assert lift == pytest.approx(4 * power)


def options(command: click.Command) -> list[str]:
    """The long options of a command."""
    found = [option for each in command.params for option in each.opts if option.startswith("--")]
    return [option for option in found if option != "--help-all"]


def test_every_option_that_is_used_exists():
    others = {"--out", "--set", "--help", "--quiet"}
    compare, check = (command_line.get_command(None, name) for name in ("compare", "check"))
    known = {*options(compare), *options(check), *options(check.commands["record"]), *others}
    used = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", COMPARING + CI))
    assert used - {"--hook-type"} <= known  # an option of pre-commit


def test_every_word_is_explained():
    assert all(f"**{word}**" in COMPARING for word in VERDICTS)


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
