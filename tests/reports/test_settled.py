"""What is said of a number over levels of skill."""

from __future__ import annotations

import pytest

from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.page.levels import settled_size, strength

TURNS = ("longer", "shorter")


def _levels(*values: float) -> list[tuple[str, Estimate]]:
    """Turns at each level of skill, ± 2."""
    known = {"name": "turns", "definition": "game_shape", "unit": "count", "population": ""}
    known |= {"standard_error": 1.0, "games": 1000, "blocks": 32}
    return [
        (str(place), Estimate(value=value, low=value - 2, high=value + 2, **known))
        for place, value in enumerate(values)
    ]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ((310, 300, 290, 270), "shorter with better play"),
        ((270, 290, 289, 310), "longer with better play"),
        ((300, 290, 310, 270), "shorter among the strongest than among the weakest"),
        ((270, 300, 310, 290), "longer among the strongest than among the weakest"),
        ((300, 301, 302, 300), "about the same at all four levels of play"),
    ],
)
def test_better_play_is_named_only_where_no_step_between_levels_goes_back(values, said) -> None:
    assert settled_size(_levels(*values), 5.0, TURNS).words == said


def test_stronger_players_stand_higher_on_the_ladder() -> None:
    assert strength("random") < strength("greedy") < strength("champion") < strength("learned")
    assert strength("mixed") == -1
