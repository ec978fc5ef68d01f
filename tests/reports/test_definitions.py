"""Definitions: what the page defines is what the documentation defines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ethnos_sim.reports.estimators.catalog import ESTIMANDS, HEADLINE
from ethnos_sim.reports.estimators.estimand import POWER
from ethnos_sim.reports.rendering.numbers import UNITS, difference_unit, number

WIN_LIFT = ESTIMANDS["win_lift"].bands
DOCUMENT = (Path(__file__).parents[2] / "docs" / "statistics.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("key", ESTIMANDS)
def test_every_measure_has_its_place_in_the_documentation(key):
    headings = re.findall(r"^### (.*)$", DOCUMENT, flags=re.MULTILINE)
    assert any(f"`{key}`" in heading for heading in headings)


def test_the_documentation_defines_nothing_that_no_report_has():
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


def test_the_documentation_has_the_bands_in_force():
    for limit in (POWER.minor, POWER.notable, POWER.strong):
        assert f"{100 * limit:g} pp" in DOCUMENT
    for limit in (WIN_LIFT.minor, WIN_LIFT.notable, WIN_LIFT.strong):
        assert f"{limit:g}" in DOCUMENT


def test_bands_of_win_lift_are_those_of_power_at_four_players():
    for lift, power in zip(
        (WIN_LIFT.minor, WIN_LIFT.notable, WIN_LIFT.strong),
        (POWER.minor, POWER.notable, POWER.strong),
        strict=True,
    ):
        assert lift == pytest.approx(4 * power)
