"""The ladder of players, from weak to strong."""

from __future__ import annotations

from ethnos_sim.reports.page.levels import strength


def test_stronger_players_stand_higher_on_the_ladder() -> None:
    assert strength("random") < strength("greedy") < strength("champion") < strength("learned")
    assert strength("mixed") == -1
