"""Checks with a known answer: sound games pass them, broken ones do not."""

from __future__ import annotations

import re
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from toy_sweep import Truth, toy_evidence, toy_plan

from ethnos_sim.reports.estimators.checks import (
    FALSE_ALARMS,
    adjusted_p,
    chair_null,
    measure_draws,
    same_strategy_null,
)
from ethnos_sim.reports.evidence.decks import age_draws, deck_cards, expected_draws
from ethnos_sim.reports.evidence.sums import PARTS
from ethnos_sim.simulator.rules import load_rules

RULES = Path(__file__).parents[2] / "docs" / "rules.md"
LINE_UPS = (("alpha", "beta", "beta", "beta"), ("alpha",))


def _nulls(seed: int = 1, draws_off: int = 0):
    evidence = toy_evidence(toy_plan(line_ups=LINE_UPS, rounds=500), Truth(first_edge=0.5), seed)
    setting = evidence.settings[0]
    mixed = evidence.total(setting, 4, "mixed")
    same = evidence.total(setting, 4, "alpha")
    same.arrays["drawn"] += draws_off * same.sizes[:, None]
    return [
        same_strategy_null(same, "alpha"),
        chair_null(mixed, "mixed"),
        measure_draws(same.arrays, 3, "alpha").minus(float(expected_draws(60, 3, 3))),
    ]


def test_expected_draws_are_those_of_the_rules():
    """The means that docs/rules.md gives, with and without the clan of twice the cards."""
    text = RULES.read_text(encoding="utf-8")
    rows = re.findall(r"^\| \d \| ([\d.]+) \| (\d+) \| ([\d.]+) \| (\d+) \|$", text, re.MULTILINE)
    assert len(rows) == 5
    for mean, deck, mean_with_halflings, larger_deck in rows:
        assert expected_draws(int(deck), 3, 3) == float(mean)
        assert expected_draws(int(larger_deck), 3, 3) == float(mean_with_halflings)


@pytest.mark.parametrize(
    ("cards", "players", "deck"), [(60, 2, 54), (60, 3, 51), (72, 4, 60), (72, 6, 54), (84, 4, 72)]
)
def test_a_deck_is_what_the_hands_and_the_pool_leave(cards, players, deck):
    assert deck_cards(cards, players, 2) == deck


def test_an_odd_deck_has_its_larger_half_at_the_bottom():
    assert expected_draws(51, 3, 3) == 25 + 3 * (26 + 3 + 1) / 4 - 3


@pytest.mark.parametrize(
    ("dragons", "last"), [(d, last) for d in range(1, 5) for last in range(1, d + 1)]
)
def test_expected_draws_hold_whichever_dragon_ends_the_age(dragons, last):
    """The mean over all places that the dragons can have in the bottom half."""
    top, bottom = 5, 6
    places = list(combinations(range(bottom + dragons), dragons))
    drawn = [top + ends[last - 1] - (last - 1) for ends in places]
    assert expected_draws(top + bottom, dragons, last) == pytest.approx(np.mean(drawn))


def test_a_deck_is_expected_to_end_with_the_rules_own_dragon():
    rules = load_rules("second", overrides={"dragons": 4, "last_dragon": 2})
    assert age_draws(60, rules) == 30 + 2 * 35 / 5 - 2


def test_nothing_is_expected_where_a_hand_of_wild_cards_may_end_the_game():
    assert age_draws(60, load_rules("second", overrides={"ten_wild_wins": True})) is None


def test_expected_draws_are_whole_numbers_of_the_parts_they_are_counted_in():
    most = load_rules("second").fields["dragons"].high
    for deck, dragons in product(range(20, 90), range(1, most + 1)):
        for last in range(1, dragons + 1):
            assert (PARTS * expected_draws(deck, dragons, last)).denominator == 1


def test_sound_games_hold_every_check():
    assert (adjusted_p(_nulls()) >= FALSE_ALARMS).all()


def test_a_deck_that_ends_a_card_late_is_found():
    found = adjusted_p(_nulls(draws_off=1))
    assert (found[:-3] >= FALSE_ALARMS).all()
    assert (found[-3:] < FALSE_ALARMS).all()


def test_a_place_that_wins_more_is_found():
    evidence = toy_evidence(toy_plan(line_ups=LINE_UPS, rounds=500))
    same = evidence.total(evidence.settings[0], 4, "alpha")
    taken = same.arrays["entry_won"][:, 1] // 5
    same.arrays["entry_won"][:, 1] -= taken
    same.arrays["entry_won"][:, 0] += taken
    found = adjusted_p([same_strategy_null(same, "alpha")])
    assert (found < FALSE_ALARMS).tolist() == [True, True, False, False]


def test_too_few_games_say_nothing():
    evidence = toy_evidence(toy_plan(line_ups=LINE_UPS, rounds=4))
    total = evidence.total(evidence.settings[0], 4, "mixed")
    assert np.isnan(adjusted_p([chair_null(total, "mixed")])).all()


def test_p_values_are_adjusted_over_all_checks_of_a_report():
    nulls = _nulls()
    alone = adjusted_p(nulls[:1])
    assert (adjusted_p(nulls)[: len(alone)] >= alone).all()
