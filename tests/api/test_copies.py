"""What the API returns is copied and pickled right, or refuses with a sentence."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from commands import python
from inside.experiments.matches import prepare_match
from inside.simulator.stepping import person_seat
from kit.custom import strategy_file

from ethnos_sim import (
    LineUp,
    compare,
    load_rules,
    load_strategy_file,
    make_env,
    play_batch,
    rate_strategies,
    trace_games,
)
from ethnos_sim.simulator.game.records import MOVE_DTYPE
from ethnos_sim.strategies import StrategyError, get_strategy, strategy
from ethnos_sim.strategies.toolkit import draw

WAYS = (copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value)))


@pytest.mark.parametrize("way", WAYS)
def test_games_in_memory_are_copied_with_their_line_up(way: Callable) -> None:
    batch = play_batch("second", "greedy:patience=3,learned,random", players=3, games=12)
    again = way(batch)
    assert repr(again) == repr(batch)
    assert again.seats().equals(batch.seats())
    assert again.trace(5).trace == batch.trace(5).trace
    line_up, rules = batch.match.line_up, batch.match.tables[0].rules
    assert (way(line_up), way(rules)) == (line_up, rules)
    assert way(line_up).entries[1].weights.tolist() == line_up.entries[1].weights.tolist()
    assert way(get_strategy("greedy")) is get_strategy("greedy")


def test_other_answers_are_pickled() -> None:
    (traced,) = trace_games("second", "greedy", games=1, seed=1)
    compared = compare("second", "second+bear.on_take=9", strategies="greedy", games=2000)
    rating = rate_strategies("greedy,random", games=200, quiet=True)
    for answer in (traced, compared, rating):
        for way in WAYS:
            assert type(way(answer)) is type(answer)
    assert pickle.loads(pickle.dumps(traced)).trace == traced.trace
    assert pickle.loads(pickle.dumps(rating)).frame().equals(rating.frame())


def test_games_are_read_in_another_process_that_has_the_strategy(
    tmp_path: Path, registry_as_before: None
) -> None:
    file = strategy_file(tmp_path, "kept_in_a_cache")
    load_strategy_file(file)
    batch = play_batch("second", "kept_in_a_cache,greedy", games=8)
    (tmp_path / "batch").write_bytes(pickle.dumps(batch))
    program = (
        "import pickle, sys\n"
        "from ethnos_sim import load_strategy_file\n"
        "content = open(sys.argv[1], 'rb').read()\n"
        "try:\n    pickle.loads(content)\n"
        "except Exception as error:\n    print(error)\n"
        "load_strategy_file(sys.argv[2])\n"
        "print(pickle.loads(content).seats()['prestige'].sum())\n"
    )
    refused, total = python("-c", program, tmp_path / "batch", file).stdout.splitlines()
    assert "unknown strategy 'kept_in_a_cache'" in refused
    assert int(total) == batch.seats()["prestige"].sum()


def test_a_strategy_whose_code_changed_is_refused(tmp_path: Path, registry_as_before: None) -> None:
    file = strategy_file(tmp_path, "changed")
    (before,) = load_strategy_file(file)
    pickled = pickle.dumps(before)
    file.write_text(file.read_text().replace("draw()", "decline()"))
    load_strategy_file(file)
    with pytest.raises(StrategyError, match="has other code now"):
        pickle.loads(pickled)


@strategy(name="of_this_module")
def of_this_module(view):
    return draw()


def test_what_only_this_process_has_is_refused_in_plain_words() -> None:
    match = prepare_match("second", "greedy", players=2, seed=1)
    sitting = match.tables[0].seats[0], person_seat(np.zeros(0, MOVE_DTYPE))
    for value, words in (
        (of_this_module, "neither in a strategy file nor in the running program"),
        (LineUp.parse([of_this_module], 1, load_rules("second")), "cannot be copied or pickled"),
        (match.tables[0], "the seat of 'greedy' cannot be pickled"),
        (sitting, "cannot be pickled, because it holds addresses"),
    ):
        with pytest.raises(TypeError, match=words):
            pickle.dumps(value)


@pytest.mark.parametrize("kind", ["arrays", "single", "aec"])
@pytest.mark.parametrize("way", WAYS[1:])
def test_a_game_that_is_stepped_is_neither_copied_nor_pickled(kind: str, way: Callable) -> None:
    with pytest.raises(TypeError, match="call make_env again"):
        way(make_env(kind=kind, opponents="greedy", players=2))
