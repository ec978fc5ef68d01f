"""A small search space, and the goal of a search."""

from collections.abc import Callable, Sequence

import pytest
from balancing_truth import CLANS
from inside.experiments.balancing import Goal, Goals, Space, make_space, moved_value

from ethnos_sim.experiments import parse_balance_spec
from ethnos_sim.simulator import load_rules


@pytest.fixture
def space_over() -> Callable[..., Space]:
    """Return a function that makes a space over values of the 2nd edition."""

    def made(*words: str, players: int = 4, settings: Sequence[str] = ()) -> Space:
        spec = parse_balance_spec({"values": [moved_value(word) for word in words]}, "test")
        rules = load_rules("second", (), settings)
        return make_space(rules, spec.values, players, spec.cost)

    return made


@pytest.fixture
def spread() -> Goals:
    """The goal of an even spread of the clans of `KnownTruth`; the margin is half a point."""
    places = tuple(range(CLANS))
    goal = Goal(number="clan-spread", places=places, spread=True, goal=0.0, margin=0.005)
    return Goals((goal,), ())
