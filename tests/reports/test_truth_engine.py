"""Known truth in the real engine: a grossly strong power is found, and no other."""

import pytest
from inside.reports import numbers
from sweeps import plan_of

from ethnos_sim.experiments import Estimates
from ethnos_sim.reports import Evidence, play_evidence

DECK = ["bear", "deer", "fox", "koi", "owl", "raven"]
STRONG = ["bear.on_take=40"]


def _played(seed: int, **more: object) -> Evidence:
    """The evidence of a small sweep with greedy, played in memory."""
    content = {
        "seed": seed,
        "editions": ["second"],
        "players": [4],
        "clan_sets": {"given": [DECK]},
        "line_ups": [["greedy"]],
        "games_per_cell": 3000,
    } | more
    return play_evidence(plan_of(content))


def _worth(seed: int, settings: list[str]) -> Estimates:
    """The worth of every clan of the deck."""
    line_ups = [{"strategies": ["greedy"], "gives_up": True}]
    rules = [{"name": "played", "set": settings}]
    return numbers(_played(seed, line_ups=line_ups, rules=rules), "worth")


@pytest.fixture(scope="module")
def printed() -> Estimates:
    return _worth(1, [])


def _of(measured: Estimates, clan: str):
    return next(e for e in measured.estimates() if e.name == clan)


def test_a_clan_made_grossly_strong_is_worth_most(printed):
    strong = _worth(1, STRONG)
    assert _of(strong, "bear").low > 0
    assert _of(strong, "bear").low > _of(printed, "bear").high
    powers = {e.name: e.value for e in strong.estimates() if e.value is not None}
    assert max(powers, key=powers.__getitem__) == "bear"


def test_the_same_rules_on_other_deals_do_not_differ(printed):
    again = _worth(2, [])
    difference = printed.minus(again, on=("name",))
    low, high = difference.interval(len(difference))
    assert ((low < 0) & (high > 0)).all()
