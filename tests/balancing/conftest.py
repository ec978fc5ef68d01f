"""A small search space, and the target of a search."""

from collections.abc import Callable, Sequence

import pytest
from inside.experiments.balancing import Dimension, Space, Target, make_space

from ethnos_sim.simulator import load_rules


@pytest.fixture
def space_over() -> Callable[..., Space]:
    """Return a function that makes a space over values of the 2nd edition."""

    def made(*words: str, players: int = 4, settings: Sequence[str] = ()) -> Space:
        return make_space(
            load_rules("second", (), settings), list(map(Dimension.parse, words)), players
        )

    return made


@pytest.fixture
def spread() -> Target:
    """An even spread of the clans of `KnownTruth`; the margin is half a point."""
    return Target(wants_equality=True, margin=0.005)
