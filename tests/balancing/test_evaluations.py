"""Evaluations: numbers that depend only on the seed, and budgets."""

import numpy as np
import pytest
from inside.experiments.balancing import moved_value
from inside.reports.balancing import divided_games, evaluations_of, prepare

from ethnos_sim.experiments import Threads, parse_balance_spec
from ethnos_sim.simulator import WrongInput

STRATEGIES = ["greedy", "warden", "clock"]


def _evaluations(jobs: int = 1, **more: object):
    content = {
        "values": [{"name": "bear.on_take"}],
        "strategies": STRATEGIES,
        "search_games": 10_000,
    }
    return evaluations_of(prepare(parse_balance_spec(content | more, "test")), Threads(jobs))


def test_numbers_do_not_depend_on_threads_and_every_round_plays_other_deals() -> None:
    one, two = _evaluations(), _evaluations(2)
    points = [one.prepared.space.start, (0,)]
    evaluations = one.play(0, points, 2)
    again = two.play(0, points, 2)
    for first, second in zip(evaluations, again, strict=True):
        assert np.array_equal(first.pseudo, second.pseudo, equal_nan=True)
    seeds = {one.plan(number, points, 1).seed for number in range(20)}
    assert len(seeds) == 20
    assert seeds.isdisjoint(
        {_evaluations(seed=2).plan(number, points, 1).seed for number in range(20)}
    )


def test_the_share_of_a_strategy_counts_all_its_seats() -> None:
    targets = [{"number": f"strategy_share:{name}", "goal": 0.25} for name in ("greedy", "clock")]
    evaluations = _evaluations(strategies=["greedy", "clock", "clock", "clock"], targets=targets)
    (measured,) = evaluations.play(0, [evaluations.prepared.space.start], 4)
    greedy, clock = measured.value[-2:]
    assert 0 < greedy < 1
    assert greedy + 3 * clock == pytest.approx(1)


VALUES = [moved_value("bear.on_take=-2..4"), moved_value("hand_limit=8..12")]
SPEC = {
    "values": VALUES,
    "strategies": ["greedy"],
    "validators": ["random", "champion"],
    "tuning_games": 0,
}


def test_search_and_validations_spend_exactly_the_budget() -> None:
    divided = divided_games(SPEC, "test", 1_000_000, None)
    assert divided["search_games"] + 3 * divided["validation_games"] == pytest.approx(
        1_000_000, abs=3
    )


def test_a_search_gets_the_games_that_stated_validations_leave() -> None:
    divided = divided_games(SPEC | {"validation_games": 200_000}, "test", 1_000_000, None)
    assert divided["validation_games"] == 200_000
    assert divided["search_games"] == 1_000_000 - 3 * 200_000


def test_a_budget_too_small_for_the_blocks_of_deals_is_refused_with_the_least_budget() -> None:
    with pytest.raises(WrongInput, match=r"1,000 games are too few.* 3 validations need [0-9,]+$"):
        divided_games(SPEC, "test", 1_000, None)
