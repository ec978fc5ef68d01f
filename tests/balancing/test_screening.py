"""What each value does: a screening design finds what is there, and nothing where nothing is."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from balancing_truth import CLANS, KnownTruth

from ethnos_sim.experiments.balancing.screening import screening
from ethnos_sim.experiments.balancing.spec import parse_balance_spec
from ethnos_sim.reports.balancing.effects import screen
from ethnos_sim.reports.balancing.numbers import Screened

VALUES = (
    "bear.on_take",
    "hand_limit",
    "party_limit",
    "markers",
    "raccoon.coins",
    "optional_marker",
)
SPREAD = Screened("Spread of the clans", tuple(range(CLANS)), True, "share_difference")
ONE = Screened("Bear: power", (0,), False, "share_difference")


def _screened(space, power, seed: int, *, sets: float = 0.0):
    spec = parse_balance_spec({"budget": 600_000, "strategies": ["greedy"]}, "test")
    prepared = SimpleNamespace(space=space, spec=spec)
    return screen(prepared, [SPREAD, ONE], KnownTruth(space, power, seed, sets))


def test_values_are_moved_up_as_often_as_down_and_independently(space_over) -> None:
    design = screening(space_over(*VALUES))
    terms = design.terms
    moves = terms[:, 1:-1]  # The switch has no level below its own.
    assert moves.sum(axis=0) == pytest.approx(0)
    assert moves.T @ moves == pytest.approx(len(terms) * np.eye(moves.shape[1]))
    assert all(design.space.rules(point) is not None for point in design.points)


def test_rule_sets_that_are_none_give_up_moves(space_over) -> None:
    design = screening(space_over("koi.symbols", "koi.last_space", "koi.prestige_4_6"))
    assert all(design.space.rules(point) is not None for point in design.points)
    assert np.linalg.matrix_rank(design.terms) == design.terms.shape[1]


def test_values_that_cannot_move_together_take_turns(space_over) -> None:
    clans = ("owl", "fox", "dog", "tiger")
    design = screening(space_over(*(f"{clan}.times_cards" for clan in clans), *VALUES))
    moves = design.terms[:, 1 : 1 + len(clans)]
    assert (moves.sum(axis=1) == 1).sum() > len(moves) / 2
    assert (moves.sum(axis=0) >= 3).all()


def test_effects_are_estimated_by_their_size(space_over) -> None:
    space = space_over(*VALUES)
    rng = np.random.default_rng(3)
    stands, does = rng.normal(0, 0.04, CLANS), rng.normal(0, 0.04, CLANS)
    reach = screening(space).reach[0]
    place = space.start[0] + reach
    scaled = space.scaled([(place, *space.start[1:])])[0][0]
    found = _screened(space, lambda at: stands + at[0] / scaled * does, seed=1)
    strongest = found.of(ONE)[0]
    assert strongest.factor.label == "bear.on_take"
    assert strongest.steps == reach
    low, high = strongest.change.interval(found.comparisons)
    assert low < does[0] < high
    # What the spread gains from it, to the first order.
    off = stands - stands.mean()
    expected = (off * does).sum() / (CLANS - 1) / stands.std(ddof=1)
    (spread,) = (each for each in found.of(SPREAD) if each.factor.label == "bear.on_take")
    low, high = spread.change.interval(found.comparisons)
    assert low < expected < high


def test_where_no_value_has_an_effect_none_is_told(space_over) -> None:
    space = space_over(*VALUES)
    constant = np.random.default_rng(1).normal(0, 0.04, CLANS)
    alarms = sum(
        any(effect.p < 0.05 for effect in _screened(space, lambda at: constant, seed).found)
        for seed in range(40)
    )
    # One in twenty by the definition of the correction; 7 and more of 40 come up in 0.5 %.
    assert alarms < 7


def test_what_clan_sets_alone_do_is_taken_for_no_values_doing(space_over) -> None:
    space = space_over(*VALUES, "koi.last_space", "pool_per_player", "fox.tokens", "koi.per_card")
    constant = np.random.default_rng(1).normal(0, 0.04, CLANS)
    alarms = sum(
        any(effect.p < 0.05 for effect in _screened(space, lambda at: constant, s, sets=0.03).found)
        for s in range(10)
    )
    assert alarms < 4
