"""A clan loses its star if its word holds for every reading that was tried."""

from dataclasses import replace

import pytest
from inside.reports.page import _moves, holds, spread_holds
from toy_numbers import estimate_of

from ethnos_sim.reports import Situation
from ethnos_sim.simulator import load_rules

AT = Situation("second", "standard", "", 4, "learned")

KOI = estimate_of("koi", 0.1, 0.01)


def test_other_readings_were_played_for_every_clan_with_an_assumed_value() -> None:
    assumed = {name.split(".")[0] for name in load_rules("second").assumed()}
    assert set(_moves()) == {"second"}
    assert set(_moves()["second"]) == assumed - {"prestige_tokens"}
    for by_players in _moves()["second"].values():
        assert set(by_players) == {"2", "3", "4", "5", "6"}
        assert all(low < 0 < high for low, high in by_players.values())


@pytest.mark.parametrize(
    ("value", "half", "said"),
    [(0.1, 0.01, True), (0.03, 0.01, False), (0.0, 0.05, False), (-0.1, 0.01, True)],
)
def test_a_clans_word_holds_if_no_reading_changes_it(value, half, said) -> None:
    worth = replace(KOI, value=value, low=value - half, high=value + half)
    assert holds(AT, worth) is said


@pytest.mark.parametrize(
    "elsewhere", [{"mode": "recruitment"}, {"population": "greedy"}, {"players": 1}]
)
def test_no_word_holds_at_tables_where_no_reading_was_played(elsewhere) -> None:
    assert not holds(AT._replace(**elsewhere), KOI)
    assert not holds(AT, None)


@pytest.mark.parametrize(
    ("low", "high", "said"), [(0.08, 0.1, True), (0.001, 0.1, False), (-0.1, -0.08, True)]
)
def test_a_changed_spread_holds_if_no_reading_reverses_it(low, high, said) -> None:
    worths = [
        replace(KOI, name=clan, value=value, low=None, high=None)
        for clan, value in (("koi", 0.1), ("bear", 0.0), ("monkey", -0.02), ("raccoon", -0.08))
    ]
    change = replace(KOI, value=(low + high) / 2, low=low, high=high)
    assert spread_holds(AT, worths, change) is said
    assert not spread_holds(AT, worths[1:], change)
    assert not spread_holds(AT._replace(mode="recruitment"), worths, change)
