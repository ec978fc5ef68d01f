"""Every number of stored sweeps equals the recorded one, to twelve digits.

The sweeps with tables in tests/golden are toy sweeps and a small real one. After an intended
change, `PYTHONPATH=tests python tests/reports/test_golden_numbers.py` records all of them again, so
that the difference can be read.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from inside.experiments import Evidence
from inside.reports import numbers, play_evidence
from inside.simulator.game import KINDS
from polars.testing import assert_frame_equal
from sweeps import plan_of
from toy_sweep import Truth, toy_evidence, toy_plan

GOLDEN = Path(__file__).parents[1] / "golden"
RECORD = "the table has other rows: record it, and read the difference (see the top of this file)"
DECK = ("bear", "deer", "fox", "koi", "owl", "raven")
PLANTED = Truth(
    effects={"bear": 0.4, "owl": -0.4},
    ahead={"koi": 0.3},
    skill={"beta": 0.8},
    first_edge=0.2,
)


def ordinary() -> Evidence:
    """Two player counts, with mixed line-ups and a single strategy."""
    plan = toy_plan(players=(3, 4), line_ups=(("alpha", "beta"), ("alpha",)), rounds=64)
    return toy_evidence(plan, PLANTED)


def rule_sets() -> Evidence:
    """The first edition by its own rules and by other rules."""
    rules = {"": (), "larger": ("hand_limit=12",)}
    return toy_evidence(toy_plan(edition="first", rule_sets=rules, rounds=32), PLANTED)


def populations() -> Evidence:
    """A named population with unequal weights, beside line-ups without a name."""
    plan = toy_plan(
        line_ups=(
            ("alpha", "beta"),
            ("alpha", "alpha", "beta", "alpha"),
            ("beta", "alpha", "alpha", "alpha"),
        ),
        rounds=48,
    )
    names = {1: "uniform"}
    cells = [
        replace(cell, population=names.get(number % 3, ""), weight=2 if number % 3 == 1 else 1)
        for number, cell in enumerate(plan.cells)
    ]
    return toy_evidence(replace(plan, cells=tuple(cells)), PLANTED)


def given_up() -> Evidence:
    """Every seat gives up a clan, in all ages and in one, beside ordinary play."""
    return toy_evidence(toy_plan(clan_sets=[DECK], rounds=64, kinds=KINDS), PLANTED)


def few_games() -> Evidence:
    """Too few games for most intervals, with empty blocks of deals."""
    return toy_evidence(toy_plan(players=(2,), line_ups=(("alpha", "beta"),), rounds=7), PLANTED)


def real() -> Evidence:
    """Real games: clans given up in all ages and in one, and solo."""
    raw = {
        "name": "Real",
        "seed": 5,
        "games_per_cell": 320,
        "modes": ["standard", "solo-easy"],
        "players": [1, 2],
        "clan_sets": {"given": [["bear", "fox", "koi", "owl", "deer"]]},
        "line_ups": [
            ["greedy"],
            {"strategies": ["greedy", "random"], "players": [2]},
            {"strategies": ["greedy"], "players": [2], "gives_up": True},
            {"strategies": ["greedy"], "players": [2], "gives_up": True, "by_age": True},
        ],
    }
    return play_evidence(plan_of(raw))


SWEEPS: dict[str, Callable[[], Evidence]] = {
    made.__name__: made for made in (ordinary, given_up, rule_sets, populations, few_games, real)
}
"""The evidence of each sweep, by name."""


@pytest.mark.parametrize("name", SWEEPS)
def test_the_table_of_numbers_equals_the_golden_file(name: str) -> None:
    table = numbers(SWEEPS[name]()).frame()
    kept = pl.read_csv(GOLDEN / f"{name}.tsv", separator="\t", schema=table.schema)
    assert table["estimand"].to_list() == kept["estimand"].to_list(), RECORD
    assert_frame_equal(table, kept, rel_tol=1e-12, abs_tol=1e-12)


if __name__ == "__main__":
    for name, evidence in SWEEPS.items():
        numbers(evidence()).frame().write_csv(GOLDEN / f"{name}.tsv", separator="\t")
