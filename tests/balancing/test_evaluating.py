"""Evaluations: who is kept from which clan, and that numbers depend on nothing but the seed."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from inside.reports.balancing import evaluations_of, prepare

from ethnos_sim.experiments import Threads, intervention_of, parse_balance_spec

STRATEGIES = ["greedy", "warden", "clock"]


def _evaluations(jobs: int = 1, **more: object):
    content = {
        "values": [{"name": "bear.on_take"}],
        "strategies": STRATEGIES,
        "search_games": 10_000,
    }
    return evaluations_of(prepare(parse_balance_spec(content | more, "test")), Threads(jobs))


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_every_strategy_is_kept_from_every_clan_of_a_set_equally_often(players: int) -> None:
    evaluations = _evaluations(players=players, strategies=STRATEGIES[:players])
    plan = evaluations.plan(0, [evaluations.space.start])
    kept: dict[int, Counter[tuple[int, str]]] = {}
    for cell in plan.cells:
        given_up = intervention_of(cell.line_up)
        assert given_up is not None
        assert set(given_up.about) <= set(cell.clans)
        told = [(entry, clan) for entry, clan in enumerate(given_up.clans) if clan is not None]
        kept.setdefault(cell.clan_set, Counter()).update(told)
    for counts in kept.values():
        assert set(counts.values()) == {1}


def test_numbers_do_not_depend_on_threads_and_other_looks_are_other_deals() -> None:
    rounds = [range(2), range(2, 4)]
    one, two = _evaluations(), _evaluations(2)
    points = [one.space.start, (0,)]
    found = one.play(0, points, rounds)
    again = two.play(0, points, rounds)
    for first, second in zip(found, again, strict=True):
        assert np.array_equal(first.pseudo, second.pseudo, equal_nan=True)
    seeds = {one.plan(number, points).seed for number in range(20)}
    assert len(seeds) == 20
    assert seeds.isdisjoint(
        {_evaluations(seed=2).plan(number, points).seed for number in range(20)}
    )


def test_a_strategys_share_is_of_all_its_seats_whatever_they_are_kept_from() -> None:
    targets = [{"number": f"strategy_share:{name}", "goal": 0.25} for name in ("greedy", "clock")]
    evaluations = _evaluations(strategies=["greedy", "clock", "clock", "clock"], targets=targets)
    (measured,) = evaluations.play(0, [evaluations.space.start], [range(4)])
    greedy, clock = measured.value[-2:]
    assert 0 < greedy < 1
    assert greedy + 3 * clock == pytest.approx(1)
