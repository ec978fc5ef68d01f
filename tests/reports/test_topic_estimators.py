"""Spread and words of clans, and the expected length of an age."""

from itertools import combinations, product

import numpy as np
import pytest
from inside.experiments import Estimates, Verdict
from inside.experiments.evidence import LUCK_UNITS, expected_draws, expected_game_draws
from inside.reports.estimators import (
    CLAN,
    CLAN_WORDS,
    STRONG,
    WEAK,
    clan_word,
    ranked_clans,
    spread_of,
    verdict_on,
)
from toy_numbers import numbers_of

from ethnos_sim.simulator import load_rules

BLOCKS, CLANS = 32, 11


def worth_of(blocks: np.ndarray) -> Estimates:
    """The worth of clans among four players from block values (blocks, clans)."""
    return numbers_of(blocks, estimand="worth", unit="share_difference")


@pytest.mark.parametrize("spread", [0.02, 0.06])
def test_the_spread_of_clans_is_unbiased_whatever_the_noise(spread) -> None:
    truth = spread * np.linspace(-1, 1, CLANS) / np.linspace(-1, 1, CLANS).std(ddof=1)
    squares, covered = [], []
    for seed in range(300):
        noise = np.random.default_rng(seed).normal(0, 0.15, (BLOCKS, CLANS))
        (estimate,) = next(spread_of(worth_of(truth + noise))).estimates()
        squares.append(estimate.value**2)
        covered.append(estimate.low <= spread <= estimate.high)
    assert np.sqrt(np.mean(squares)) == pytest.approx(spread, rel=0.12)
    assert 0.93 <= np.mean(covered) <= 0.99


def test_clans_that_are_equal_have_a_spread_whose_interval_holds_zero() -> None:
    held = []
    for seed in range(300):
        noise = np.random.default_rng(seed).normal(0, 0.15, (BLOCKS, CLANS))
        held.append(next(spread_of(worth_of(noise))).given_interval[0, 0] == 0)
    assert np.mean(held) >= 0.95
    assert not list(spread_of(worth_of(np.zeros((BLOCKS, 1))))), "one clan has no spread"


def test_at_most_one_table_in_twenty_has_a_wrong_word_for_any_clan() -> None:
    """400 tables of clans at many distances from average; the test fails by chance in 0.1 %."""
    truth = np.asarray([-6, -3.1, -2.8, -1.6, -0.7, -0.4, 0.2, 0.6, 1.4, 4.9, 7.5]) / 100
    wrong, settled = [], []
    for seed in range(400):
        noise = np.random.default_rng(seed).normal(0, 0.012, (BLOCKS, CLANS))
        ranking = ranked_clans(worth_of(truth + noise))
        verdicts = {estimate.name: verdict_on(estimate) for estimate in ranking}
        settled.append(sum(verdict is not Verdict.OPEN for verdict in verdicts.values()))
        wrong.append(
            any(
                verdicts[f"clan {number}"] in false
                for number, value in enumerate(truth)
                for false in [{Verdict.ALIKE} if abs(value) > CLAN.size / 4 else {Verdict.MATTERS}]
            )
        )
    assert np.mean(wrong) <= 0.05 + 3.1 * np.sqrt(0.05 * 0.95 / 400)
    assert np.mean(settled) > 5


def test_a_clan_is_strong_only_if_its_whole_interval_lies_beyond_the_margin() -> None:
    blocks = np.zeros((BLOCKS, 2))
    words = []
    for mean, spread in ((0.08, 0.01), (0.062, 0.009), (0.05, 0.03), (0.002, 0.2), (0.002, 0.002)):
        blocks[:, 0] = (mean + spread * np.tile([-1, 1], BLOCKS // 2)) / 2
        blocks[:, 1] = -blocks[:, 0]
        words.append([clan_word(estimate) for estimate in ranked_clans(worth_of(blocks))])
    near, few = CLAN_WORDS[Verdict.CLOSE], CLAN_WORDS[Verdict.OPEN]
    assert words == [[STRONG, WEAK], [near] * 2, [near] * 2, [few] * 2, ["average"] * 2]


@pytest.mark.parametrize(
    ("dragons", "last"), [(d, last) for d in range(1, 5) for last in range(1, d + 1)]
)
def test_expected_draws_hold_whichever_dragon_ends_the_age(dragons, last):
    """The mean over all places of the dragons in the end of the deck."""
    top, bottom = 5, 6
    places = list(combinations(range(bottom + dragons), dragons))
    drawn = [top + ends[last - 1] - (last - 1) for ends in places]
    assert expected_draws(top + bottom, top, dragons, last) == pytest.approx(np.mean(drawn))


def test_expected_draws_follow_the_dragon_that_ends_the_age_and_are_unknown_with_ten_wild_cards():
    clans = load_rules("second").clans[:6]
    rules = load_rules("second", overrides={"dragons": 4, "last_dragon": 2})
    assert expected_game_draws(clans, rules, 4) == 3 * (30 + 2 * 35 / 5 - 2)
    deep = load_rules("second", overrides={"dragons_in": 4})
    assert expected_game_draws(clans, deep, 5) == 3 * (42 + 3 * 19 / 4 - 3)
    wild = load_rules("second", overrides={"ten_wild_wins": True})
    assert expected_game_draws(clans, wild, 4) is None


def test_expected_draws_are_whole_numbers_of_parts():
    most = load_rules("second").fields["dragons"].high
    for deck, dragons in product(range(20, 90), range(1, most + 1)):
        for last in range(1, dragons + 1):
            assert (LUCK_UNITS * expected_draws(deck, deck // 2, dragons, last)).denominator == 1
