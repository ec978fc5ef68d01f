"""Numbers in writing: units, signs, decimals, and verdicts over levels of skill."""

from dataclasses import replace

import pytest
from inside.reports.page import settled_effect, settled_size, settled_words, strength
from inside.reports.rendering import decimals_for, number, with_interval
from toy_numbers import estimate_of

from ethnos_sim.experiments import Estimate

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
    assert with_interval(replace(BASE, **changes)) == said


def test_a_missing_number_is_a_dash_and_zero_has_no_minus_sign():
    assert number(None, "share") == "–"
    assert number(-0.00001, "fair_shares") == "+0.00"


@pytest.mark.parametrize(
    ("half_width", "decimals"), [(0.1, 2), (0.034, 3), (0.04, 2), (0.0094, 3), (0.0001, 5)]
)
def test_decimals_follow_the_half_width(half_width, decimals):
    estimate = replace(BASE, low=BASE.value - half_width, high=BASE.value + half_width)
    assert decimals_for([estimate]) == min(decimals, 5)


@pytest.mark.parametrize(
    "wrong", [{"low": None}, {"low": 0.3, "high": 0.1}, {"value": None}], ids=str
)
def test_an_estimate_with_half_an_interval_cannot_be_made(wrong):
    with pytest.raises(ValueError, match="bear"):
        replace(BASE, **wrong)


TURNS = ("longer", "shorter")


def _levels(*values: float) -> list[tuple[str, Estimate]]:
    """The turns at each level of skill, each ± 2."""
    return [
        (str(place), estimate_of("turns", value, 2, definition="game_shape", unit="count"))
        for place, value in enumerate(values)
    ]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ((310, 300, 290, 270), "shorter with better play"),
        ((270, 290, 289, 310), "longer with better play"),
        ((300, 290, 310, 270), "shorter among the strongest than among the weakest"),
        ((270, 300, 310, 290), "longer among the strongest than among the weakest"),
        ((300, 301, 302, 300), "about the same at all four levels of play"),
    ],
)
def test_better_play_is_named_only_if_the_levels_move_in_one_direction(values, said) -> None:
    levels = _levels(*values)
    assert settled_size(levels[-1][1], levels, 5.0, TURNS).words == said


def _effects(*effects: tuple[float, float]) -> list[tuple[str, Estimate]]:
    """An effect at each level of skill, with the half-width of its interval."""
    return [
        (str(place), estimate_of("first", *effect, definition="seat_edge"))
        for place, effect in enumerate(effects)
    ]


@pytest.mark.parametrize(
    ("effects", "marks", "said"),
    [
        (((1, 0.2), (1.1, 0.2)), "●●", "holds at both levels of play"),
        (((0.4, 3), (1.1, 0.2)), "○●", "too few games of weaker players to tell whether it holds "),
        (((0, 0.05), (1.1, 0.2)), "×●", "shows only among strong players"),
        (((0.4, 0.2), (1.1, 0.2)), "●●", "grows with better play"),
        (((-1, 0.2), (1.1, 0.2)), "×●", "reverses with better play"),
        (((0, 0.05), (0.02, 0.05)), "●●", "holds at both levels of play"),
        (((0.07, 0.06), (0.02, 0.05)), "○●", "too few games of weaker players to tell whether "),
        (((1, 0.2), (0.2, 0.5)), "", "settled where “0” plays"),
        (((1, 2), (0.2, 0.5)), "", "open at every level of play"),
    ],
)
def test_an_undecided_effect_at_a_level_is_not_called_absent(effects, marks, said) -> None:
    levels = _effects(*effects)
    settled = settled_effect(levels[-1][1], levels, 0.1, "a cost")
    assert "".join(settled.levels) == marks
    assert settled.words.startswith(said)


@pytest.mark.parametrize(
    ("effects", "said"),
    [
        (((0, 0.05), (-1.1, 0.2)), "a cost shows only among strong players"),
        (((0.3, 0.4), (-1.1, 0.2)), "a cost grows with better play"),
        (((-1.1, 0.2), (-0.4, 0.2)), "a cost fades with better play"),
        (((-1.1, 0.2), (0, 0.05)), "a cost shows only among weak players"),
        (((1.1, 0.2), (-1, 0.2)), "reverses with better play"),
    ],
)
def test_an_effect_against_the_question_is_named(effects, said) -> None:
    levels = _effects(*effects)
    for _, answer in levels:
        words = settled_effect(answer, levels, 0.1, "a cost").words
        assert words == said or words.startswith("settled where")


@pytest.mark.parametrize(
    ("words", "marks", "said"),
    [
        ("mmm", "●●●", "holds at all three levels of play"),
        ("?mm", "○●●", "too few games of weaker players to tell"),
        ("m?m", "●○●", "too few games at some levels of play to tell"),
        ("=?m", "×○●", "no difference that matters among “0”"),
        ("lmm", "×●●", "not the same at every level of play"),
        ("m=?", "", "settled where “0” and “1” play"),
    ],
)
def test_a_verdict_holds_if_every_level_has_it(words, marks, said) -> None:
    levels = [(str(place), word) for place, word in enumerate(words)]
    settled = settled_words(words[-1], levels, "?", "=")
    assert "".join(settled.levels) == marks
    assert settled.words.startswith(said)


def test_stronger_strategies_have_a_higher_strength() -> None:
    assert strength("random") < strength("greedy") < strength("champion") < strength("learned")
    assert strength("mixed") == -1
