"""A report distinguishes the populations from which a spec draws line-ups."""

from dataclasses import replace

import pytest
from inside.experiments.evidence import MIXED, is_one_strategy
from toy_sweep import Truth, toy_evidence, toy_plan

from ethnos_sim.reports import Setting

SETTING = Setting("second", "standard")


@pytest.fixture(scope="module")
def evidence():
    """A toy sweep with a listed line-up, a single strategy, and two drawn populations."""
    plan = toy_plan(
        line_ups=(("alpha", "beta"), ("alpha",), ("alpha", "beta", "alpha", "alpha"), ("beta",))
    )
    names = {2: "uniform", 3: "strongest"}
    cells = [
        replace(cell, population=names.get(number % 4, ""), weight=2 if number % 4 == 2 else 1)
        for number, cell in enumerate(plan.cells)
    ]
    return toy_evidence(replace(plan, cells=tuple(cells)), Truth(), seed=1)


def test_named_populations_are_separate_from_mixed_and_from_single_strategies(evidence):
    populations = [situation.population for situation in evidence.situations]
    assert populations == [MIXED, "alpha", "uniform population", "strongest population"]
    assert [is_one_strategy(name) for name in populations] == [False, True, False, False]


def test_each_population_has_its_own_games(evidence) -> None:
    games = {situation.population: sums.games for situation, sums in evidence.sums.items()}
    assert sum(games.values()) == evidence.games
    assert games["uniform population"] == 2 * games["strongest population"]


def test_a_population_is_named_with_its_strategies(evidence) -> None:
    assert [evidence.describe(situation) for situation in evidence.situations] == [
        "mixed: alpha, beta",
        "alpha in all seats",
        "uniform population: alpha, beta",
        "strongest population: beta",
    ]
