"""The strategies play as their prose says, against other strategies and against Bruno.

All games are seeded, and the numbers are far from the limits.
"""

import functools
from itertools import pairwise

import numpy as np
import pytest
from inside.experiments.statistics import wilson_interval
from seated import play_seats
from watching import covering_clans

from ethnos_sim.simulator import SIXTIETHS, SOLO, load_rules
from ethnos_sim.strategies import get_strategy, list_strategies


@pytest.mark.parametrize("name", [s.name for s in list_strategies() if s.name != "random"])
@pytest.mark.parametrize("edition", ["first", "second"])
def test_every_idea_beats_random_play_by_far(name: str, edition: str) -> None:
    deals = 2 if get_strategy(name).looks_ahead else 25  # imagined games take long
    rules = load_rules(edition)
    won = []
    for clans in covering_clans(rules, 6):
        batch = play_seats(rules, [name, *["random"] * 3], clans=clans, seed=11, deals=deals)
        won.append(batch.seats["won"][batch.seats["entry"] == 0])
    assert np.concatenate(won).mean() > 0.8 * SIXTIETHS


@pytest.mark.parametrize("edition", ["first", "second"])
def test_the_specialist_leads_its_clan_most_and_far_more_often_than_greedy(edition: str):
    rules = load_rules(edition)
    for clans in covering_clans(rules, 6):
        for clan in clans:
            line_up = [f"specialist:clan={clan}", *["greedy"] * 3]
            batch = play_seats(rules, line_up, clans=clans, seed=2, deals=20)
            slot = batch.table.slots.index(clan)
            is_specialist = batch.seats["entry"] == 0
            led = batch.seats["led"][is_specialist].mean(axis=0)
            by_greedy = batch.seats["led"][~is_specialist][:, slot].mean()
            if clan in ("dog", "skeleton"):
                assert led[slot] == 0
            else:
                assert led[slot] > 1.5 * by_greedy
                assert led[slot] == led.max()


PLAY_WELL = ("duelist", "warden")
#: Strategies to compare with Bruno. Random players are left out: they hardly ever win.
BEAT_BRUNO = ("collector", "greedy", "majority", "spreader", *PLAY_WELL)


@functools.cache
def interval(name: str, mode: str) -> tuple[float, float]:
    """The 95 % interval of a strategy's win rate against Bruno."""
    batch = play_seats(load_rules("second"), name, 1, mode, seed=21, deals=1500)
    return wilson_interval(batch.seats["won"][:, 0].sum() / SIXTIETHS, 1500)


@pytest.mark.parametrize("name", BEAT_BRUNO)
def test_every_difficulty_is_harder_than_the_one_before(name: str) -> None:
    rates = [interval(name, mode) for mode in SOLO]
    assert all(easier[0] > harder[1] for easier, harder in pairwise(rates)), rates


def test_strategies_that_look_at_brunos_columns_beat_bruno_and_others_lose() -> None:
    for plain in ("greedy", "majority", "spreader", "collector"):
        assert interval(plain, "solo-hard")[1] < 0.1
        for name in PLAY_WELL:
            assert interval(plain, "solo-regular")[1] < interval(name, "solo-regular")[0]
    assert all(interval(name, "solo-hard")[0] > 0.8 for name in PLAY_WELL)
