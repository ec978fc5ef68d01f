"""What is measured: targets, and evaluations that depend only on the seed."""

import numpy as np
import pytest
from inside.experiments import Threads
from inside.reports.balancing import Evaluations, check_request

from ethnos_sim.simulator import RuleSet


def _request(*values: str, **more: object):
    keys = {"target": "clan-spread", "strategies": ["greedy"], "players": 4, "seed": 1}
    keys |= {"rule_set": RuleSet(edition="second"), "validators": ["clock"], "games": 20_000}
    return check_request(values or ["bear.on_take"], **keys | more)


def test_numbers_do_not_depend_on_threads_or_files_and_every_round_plays_other_deals(
    tmp_path,
) -> None:
    asked = _request(strategies=["greedy", "warden", "clock"])
    one = Evaluations(asked, Threads(1), 10_000)
    two = Evaluations(asked, Threads(2), 10_000, tmp_path / "evaluations")
    points = [asked.space.baseline, (0,)]
    for first, second in zip(one.evaluate(0, points, 2), two.evaluate(0, points, 2), strict=True):
        assert np.array_equal(first.pseudo_values, second.pseudo_values, equal_nan=True)
    other = Evaluations(_request(seed=2), Threads(1), 10_000)
    seeds = [player.plan(n, points, 1).seed for player in (one, other) for n in range(20)]
    assert len(set(seeds)) == 40


@pytest.mark.parametrize(
    ("target", "rows"),
    [
        ("clan-spread", 11),
        ("clan_spread=0", 11),
        ("worth:bear", 1),
        ("seat-edge=0", 4),
        ("turns=250", 1),
        ("leader_after_age_2=0.5", 1),
    ],
)
def test_a_target_names_the_numbers_that_are_measured(target: str, rows: int) -> None:
    asked = _request(target=target)
    (measured,) = Evaluations(asked, Threads(1), 10_000).evaluate(0, [asked.space.baseline], 2)
    assert len(measured) == rows
    assert np.isfinite(measured.value).all()
