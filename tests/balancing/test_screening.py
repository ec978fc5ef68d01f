"""Screening designs: true effects are found, and no false ones."""

from types import SimpleNamespace

import numpy as np
from balancing_truth import CLANS, KnownTruth
from inside.experiments.balancing import Goal, Goals
from inside.reports.balancing import Numbers, prepare, screen, screening, screening_evaluations

from ethnos_sim.experiments import Threads, parse_balance_spec

VALUES = (
    "bear.on_take", "hand_limit", "party_limit", "markers", "raccoon.coins", "optional_marker",
)  # fmt: skip
NUMBERS = Numbers(("bear", "eagle", "fox", "koi", "owl", "rabbit"))
SPREAD, ONE = "Spread of the clans", "Bear: power"
TARGETS = tuple(
    Goal(number=name, places=places, spread=name == SPREAD, goal=0.0, margin=0.005)
    for name, places in ((SPREAD, tuple(range(CLANS))), (ONE, (0,)))
)


def _screened(space, power, seed: int, *, sets: float = 0.0):
    spec = parse_balance_spec({"search_games": 600_000, "strategies": ["greedy"]}, "test")
    wanted = SimpleNamespace(space=space, spec=spec, numbers=NUMBERS, goals=Goals(TARGETS, ()))
    return screen(wanted, KnownTruth(space, power, seed, sets))


def test_each_value_is_moved_alone_up_and_down_as_far_as_the_rules_allow(space_over) -> None:
    space = space_over(*VALUES, "koi.prestige_4_6", "owl.times_cards")
    design = screening(space)
    assert [values.factor for values in design] == list(space.factors)
    for place, values in enumerate(design):
        assert values.up or values.down
        for point, steps in ((values.up, values.steps), (values.down, -values.steps)):
            if point:
                off = np.subtract(point, space.start)
                assert off[place] == steps
                assert np.count_nonzero(off) == 1
                assert space.rules(point) is not None


def test_a_value_that_the_table_does_not_use_has_an_effect_of_exactly_zero() -> None:
    spec = {
        "values": [{"name": "recruitment_pool"}, {"name": "hand_limit"}],
        "targets": [{"number": "clan-spread"}, {"number": "length"}],
        "strategies": ["greedy"],
        "search_games": 10_000,
    }
    prepared = prepare(parse_balance_spec(spec, "test"), effects=True)
    numbers = screen(prepared, screening_evaluations(prepared, Threads(1))).numbers
    for name, value, p in zip(numbers.names, numbers.value, numbers["p_holm"], strict=True):
        assert (value == 0) == (name == "recruitment_pool")
        assert p == 1 or name == "hand_limit"


def test_a_joint_effect_of_three_values_is_not_taken_for_the_effect_of_one(space_over) -> None:
    constant = np.random.default_rng(1).normal(0, 0.04, CLANS)
    together = np.random.default_rng(2).normal(0, 5.0, CLANS)

    def power(at: np.ndarray) -> np.ndarray:
        return constant + at[1] * at[2] * at[3] * together

    screened = _screened(space_over(*VALUES), power, seed=1)
    assert min(screened.numbers["p_holm"]) > 0.05


def test_effects_are_estimated_by_their_size(space_over) -> None:
    space = space_over(*VALUES)
    rng = np.random.default_rng(3)
    stands, does = rng.normal(0, 0.04, CLANS), rng.normal(0, 0.04, CLANS)
    reach = screening(space)[0].steps
    place = space.start[0] + reach
    scaled = space.scaled([(place, *space.start[1:])])[0][0]
    screened = _screened(space, lambda at: stands + at[0] / scaled * does, seed=1)
    strongest = screened.of(ONE).at([0])
    assert strongest.only("value_moved") == "bear.on_take"
    assert strongest.only("steps") == reach
    low, high = strongest.interval(len(screened.numbers))
    assert low < does[0] < high
    # The change of the spread, to first order.
    off = stands - stands.mean()
    expected = (off * does).sum() / (CLANS - 1) / stands.std(ddof=1)
    spread = screened.of(SPREAD).where(value_moved="bear.on_take")
    low, high = spread.interval(len(screened.numbers))
    assert low < expected < high


def test_effects_are_seldom_reported_where_no_value_has_any(space_over) -> None:
    space = space_over(*VALUES)
    constant = np.random.default_rng(1).normal(0, 0.04, CLANS)
    alarms = sum(
        min(_screened(space, lambda at: constant, seed).numbers["p_holm"]) < 0.05
        for seed in range(40)
    )
    # The correction allows one in twenty. 7 or more of 40 have a chance of 0.5 %.
    assert alarms < 7


def test_luck_of_the_clan_sets_is_not_taken_for_the_effect_of_a_value(space_over) -> None:
    space = space_over(*VALUES, "koi.last_space", "pool_per_player", "fox.tokens", "koi.per_card")
    constant = np.random.default_rng(1).normal(0, 0.04, CLANS)
    alarms = sum(
        min(_screened(space, lambda at: constant, s, sets=0.03).numbers["p_holm"]) < 0.05
        for s in range(10)
    )
    assert alarms < 4
