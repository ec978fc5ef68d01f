"""Numbers in writing: units, signs, decimals, and lines on levels of play."""

from dataclasses import replace

import pytest
from inside.experiments import Verdict
from inside.reports.page import Finding, level_line, strength
from inside.reports.rendering import decimals_for, interval_text, number_text
from toy_numbers import estimate_of

BASE = estimate_of("bear", 0.2004, 0.01, unit="fair_shares")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "+0.200 ± 0.010"),
        ({"value": -0.2004, "low": -0.2104, "high": -0.1904}, "−0.200 ± 0.010"),
        ({"unit": "share", "value": 0.01, "low": 0.005, "high": 0.03}, "1.0 % [0.5, 3.0]"),
        ({"low": None, "high": None}, "+0.20 ?"),
        ({"value": None, "low": None, "high": None}, "–"),
    ],
)
def test_a_number_is_written_with_its_interval(changes, said):
    assert interval_text(replace(BASE, **changes)) == said


def test_a_missing_number_is_a_dash_and_zero_has_no_minus_sign():
    assert number_text(None, "share") == "–"
    assert number_text(-0.00001, "fair_shares") == "+0.00"


@pytest.mark.parametrize(
    ("half_width", "decimals"), [(0.1, 2), (0.034, 3), (0.04, 2), (0.0094, 3), (0.0001, 5)]
)
def test_decimals_follow_the_half_width(half_width, decimals):
    estimate = replace(BASE, low=BASE.value - half_width, high=BASE.value + half_width)
    assert decimals_for([estimate]) == min(decimals, 5)


MARGIN = 0.02


def finding(word: str, value: float, half: float = 0.005, *, known: bool = True) -> Finding:
    """What a level of play finds, with the half-width of its number's interval."""
    verdict = Verdict.MATTERS if known else Verdict.OPEN
    return Finding(word, verdict, estimate_of("first", value, half), MARGIN)


NO, YES = finding("No", 0.0), finding("Yes", 0.1)
UNKNOWN = finding("Too few games to tell", 0.0, 0.5, known=False)


@pytest.mark.parametrize(
    ("answer", "others", "said"),
    [
        (NO, [NO, NO], "At every level of play."),
        (NO, [], ""),
        (NO, [YES, NO], "Beginners: yes."),
        (NO, [YES, YES], "Beginners and good players: yes."),
        (NO, [YES, finding("A little", 0.04)], "Beginners: yes; good players: a little."),
        (NO, [UNKNOWN, UNKNOWN], ""),
        (NO, [UNKNOWN, NO], ""),
        (NO, [None, NO], ""),
        (UNKNOWN, [YES, NO], ""),
        (YES, [finding("A little", 0.101)], "At every level of play."),
        (YES, [finding("A little", 0.05, 0.06)], ""),
    ],
)
def test_a_line_names_the_levels_with_another_answer_and_no_others(answer, others, said) -> None:
    names = ("greedy", "champion")
    assert level_line(answer, list(zip(names, others, strict=False))) == said


def test_stronger_strategies_have_a_higher_strength() -> None:
    assert strength("random") < strength("greedy") < strength("champion") < strength("learned")
    assert strength("mixed") == -1
