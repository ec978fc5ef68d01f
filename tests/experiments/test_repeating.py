"""A strategy that does not play the same twice is refused, where it can be seen and where not."""

from __future__ import annotations

from pathlib import Path

import pytest

from ethnos_sim.experiments import prepare_match
from ethnos_sim.simulator import load_rules, reach
from ethnos_sim.simulator.user_code import checking as user_code
from ethnos_sim.strategies import Strategy, StrategyError, checking, load_strategy_file

TEXT = """\
import ctypes, os, random, time
import numba
import numpy as np
from numpy.random import rand
from ethnos_sim.strategies import strategy
from ethnos_sim.strategies.toolkit import *
getpid = ctypes.CDLL(None).getpid
@kernel
def helper(view):
    return {chance} > 0.5
@strategy()
def chancy(view):
    party = largest_party(view)
    if party.leader >= 0 and (hand_is_full(view) or helper(view)):
        return play(party)
    return draw()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the strategy's file lies; a changed file replaces the strategy."""
    return tmp_path_factory.mktemp("chancy")


def chancy(folder: Path, chance: str) -> Strategy:
    """A strategy that decides by something."""
    file = folder / "chancy.py"
    file.write_text(TEXT.format(chance=chance))
    (found,) = load_strategy_file(file)
    return found


@pytest.mark.parametrize(
    "chance",
    ["np.random.random()", "random.random()", "rand()", "getpid()", "time.time()", "os.getpid()"],
)
def test_what_differs_between_runs_is_refused_with_its_line(folder: Path, chance: str) -> None:
    name = chance.strip("()")
    with pytest.raises(StrategyError, match=rf"chancy\.py:10: in strategy 'chancy', '{name}' may"):
        checking.check(chancy(folder, chance))


def test_a_strategy_that_plays_otherwise_the_second_time_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chance that no look at the code finds, as the looking is left out."""
    monkeypatch.setattr(user_code, "_what_differs_between_runs", lambda function, chance: [])
    monkeypatch.setattr(reach, "_complaints", lambda blocks, kinds: [])
    chancy(folder, "np.random.random()")
    with pytest.raises(StrategyError, match="strategy 'chancy' did not play the same games twice"):
        prepare_match(load_rules("second"), "greedy,chancy", players=2, seed=1)
