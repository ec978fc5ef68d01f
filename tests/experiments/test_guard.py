"""A stranger's strategy that cheats wins nothing: it is refused before its games count, or then."""

import subprocess
import sys
from pathlib import Path

import pytest
from inside import module_with
from inside.experiments.execution import check_strangers
from seated import table_of

from ethnos_sim.experiments import play_match, prepare_match
from ethnos_sim.simulator import load_rules
from ethnos_sim.strategies import StrategyError, get_strategy, load_strategy_file, strategy

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("registry_as_before")]

guard = module_with("experiments.execution", "check_strangers")

HEAD = """\
import numpy as np
from numba import from_dtype
from ethnos_sim.strategies import strategy
from ethnos_sim.strategies.toolkit import *
from ethnos_sim.simulator.custom_powers.game import _hidden_at as hidden_at
from ethnos_sim.simulator.kernel.memory import address_of, record_at
from ethnos_sim.simulator.game.records import HIDDEN_DTYPE, OWN_DTYPE

BEFORE, SIZE = HIDDEN_DTYPE.fields["own"][1], OWN_DTYPE.itemsize
CALLS = np.zeros(1, [("made", np.int64)])
AT = CALLS.ctypes.data
calls_at = record_at(from_dtype(CALLS.dtype))

@kernel
def next_card(view, rng):
    hidden = hidden_at(address_of(rng) - BEFORE - view.player * SIZE)
    return int(hidden.deal.order[view.age - 1, hidden.next_card])

@strategy()
def cheat(view, memory, rng):
    if hand_is_full(view):
        return play(best_party(view)[0])
    {}
    return take_or_draw(view) if looks and next_card(view, rng) % 6 < 3 else draw()
"""

#: When the cheat looks at the next card.
FIRST_CALLS = 100_000
RARE = "looks = random_chance(rng, 0.02)"
LATER = f"calls_at(AT).made += 1\n    looks = calls_at(AT).made > {FIRST_CALLS}"


def cheating(folder: Path, when: str) -> Path:
    """The file of a strategy `cheat`, which is loaded."""
    file = folder / "cheat.py"
    file.write_text(HEAD.format(when), encoding="utf-8")
    load_strategy_file(file)
    return file


def play(games: int) -> None:
    play_match(prepare_match(load_rules("second"), "cheat,greedy", players=2, seed=1), games)


def test_a_strategy_that_cheats_rarely_is_found_among_games_that_count(tmp_path: Path) -> None:
    """It escapes less than once in ten thousand matches."""
    cheating(tmp_path, RARE)
    with pytest.raises(StrategyError, match="'cheat' cheats: its answer changes"):
        play(4_000)


def test_a_strategy_that_is_honest_while_it_is_tested_is_found(tmp_path: Path) -> None:
    cheating(tmp_path, LATER)
    prepare_match(load_rules("second"), "cheat,greedy", players=2, seed=1)
    with pytest.raises(StrategyError, match="'cheat'"):
        play(8_000)


@pytest.mark.second_process
def test_a_command_ends_with_one_sentence_about_a_cheat(tmp_path: Path) -> None:
    file = cheating(tmp_path, "looks = True")
    words = ["match", "--strategies-from", str(file), "--strategies", "cheat,greedy"]
    done = subprocess.run(
        [sys.executable, "-m", "ethnos_sim", *words, "--games", "40"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "win share" not in done.stdout
    assert "Error: strategy 'cheat' cheats: its answer changes" in done.stderr


@pytest.mark.second_process
def test_a_strategy_that_ends_the_process_is_named(tmp_path: Path) -> None:
    cheating(tmp_path, "calls_at(view.turns + 1).made += 1\n    looks = False")
    with pytest.raises(StrategyError, match="'cheat' ended the process in which it was asked"):
        prepare_match(load_rules("second"), "cheat,greedy", players=2, seed=1)


def test_a_strategy_of_the_package_with_a_users_function_is_a_stranger(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @strategy()
    def other(view):
        return view

    greedy = get_strategy("greedy")
    rules = load_rules("second")
    assert not table_of(rules, "greedy").seats[0].strangers
    monkeypatch.setitem(greedy.functions, "turn", other.functions["turn"])
    assert module_with("strategies", "is_from_outside").is_from_outside(greedy)


def test_each_stranger_is_checked_once_before_its_games_count(tmp_path, monkeypatch) -> None:
    checked: list[object] = []
    monkeypatch.setattr(guard, "_check", lambda work: checked.append(work.tables))
    cheating(tmp_path, "looks = False")
    table = table_of(load_rules("second"), "cheat,cheat:never_leads=bear")
    for _ in range(2):
        check_strangers([table, table_of(load_rules("second"), "greedy")], 1)
    assert checked == [(table,)]
