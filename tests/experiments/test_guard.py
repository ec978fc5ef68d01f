"""A stranger's strategy that cheats, or plays differently twice, is refused before it wins."""

from pathlib import Path

import pytest
from commands import python
from inside import module_with
from inside.experiments import play_match, prepare_match
from inside.experiments.execution import check_strangers
from seated import table_of

from ethnos_sim.simulator import load_rules
from ethnos_sim.strategies import StrategyError, get_strategy, load_strategy_file, strategy

#: Each test loads a strategy named `cheat`.
pytestmark = [pytest.mark.long, pytest.mark.usefixtures("registry_as_before")]

guard = module_with("experiments.execution", "check_strangers")
RULES = load_rules("second")

HEAD = """\
import numpy as np
from numba import from_dtype
from ethnos_sim.strategies import strategy
from ethnos_sim.strategies.toolkit import *
"""

#: A strategy that sees the hidden record, with two gaps: a line, and when it draws.
CHEAT = """\
from ethnos_sim.simulator.custom_powers.call_arguments import _hidden_at as hidden_at
from ethnos_sim.simulator.kernel.memory import address_of, record_loader
from ethnos_sim.simulator.game.records import HIDDEN_DTYPE, OWN_DTYPE

BEFORE, SIZE = HIDDEN_DTYPE.fields["own"][1], OWN_DTYPE.itemsize
CALLS = np.zeros(1, [("made", np.int64)])
AT = CALLS.ctypes.data
calls_at = record_loader(from_dtype(CALLS.dtype))

@strategy()
def cheat(view, memory, rng):
    hidden = hidden_at(address_of(rng) - BEFORE - view.player * SIZE)
    rival = (view.player + 1) % 2
    {}
    if hand_is_full(view):
        return play(best_party(view)[0])
    return draw() if {} else take_or_draw(view)
"""

NEXT_CARD = "hidden.deal.order[view.age - 1, hidden.next_card]"

#: Looks at the next card rarely, and only after so many calls that it was tested before.
LATER = """\
calls_at(AT).made += 1
    looks = calls_at(AT).made > 100_000 and random_chance(rng, 0.02)"""

LEAKS = {
    "the next card": ("", f"{NEXT_CARD} % 6 == 2"),
    "a dragon that comes next": ("", f"{NEXT_CARD} == 63"),
    "a rival's hand": ("", "hidden.hands_once[rival] % 3 == 0"),
    "a later age's deck": ("", "hidden.deal.order[view.ages - 1, 0] % 2 == 0"),
    "a rival's rng": ("", "hidden.own[rival].random_state % 2 == 0"),
    "only what it remembers": ("memory[0] = hidden.next_card + hidden.hands_once[1]", "False"),
}


def cheating(folder: Path, line: str = "", draws: str = "False") -> Path:
    """The file of a strategy `cheat`, which is loaded."""
    file = folder / "cheat.py"
    file.write_text(HEAD + CHEAT.format(line, draws), encoding="utf-8")
    load_strategy_file(file)
    return file


def prepare(*, mode: str = "standard", players: int = 2, strategies: str = "cheat,greedy"):
    return prepare_match(RULES, strategies, players=players, seed=1, mode=mode)


@pytest.mark.parametrize("what", LEAKS)
def test_an_answer_that_changes_with_hidden_cards_is_a_leak(what, tmp_path) -> None:
    cheating(tmp_path, *LEAKS[what])
    with pytest.raises(StrategyError, match="'cheat' cheats: its answer changes when the hidden"):
        prepare()


def test_a_write_to_the_hidden_record_is_reported(tmp_path) -> None:
    cheating(tmp_path, "hidden.seats[view.player].powers += 1")
    with pytest.raises(StrategyError, match="'cheat' cheats: it writes to memory that"):
        prepare()


def test_a_strategy_that_plays_differently_the_second_time_is_named(tmp_path) -> None:
    cheating(tmp_path, "calls_at(AT).made += 1", "calls_at(AT).made % 3 == 0")
    with pytest.raises(StrategyError, match="strategy 'cheat' did not play the same games twice"):
        prepare()


#: Decides by chance, by its memory, and by imagined games.
HONEST = """
@strategy(policy="greedy")
def honest(view, memory, rng):
    games = imagined_games(view, rng, 2)
    guess(view, rng, games[0])
    copy_game(games[1], games[0])
    drawn = make_move(games[1], draw()) and play_on(games[1], 3)
    memory[0] += games[1].open.prestige.sum()
    if drawn and (random_chance(rng, 0.3) or memory[0] % 3 == 0) and not hand_is_full(view):
        return take_or_draw(view)
    party, prestige = best_party(view)
    return play(party) if party.leader >= 0 else draw()
"""


@pytest.mark.parametrize(
    ("mode", "players"),
    [("standard", 2), ("standard", 4), ("recruitment", 3), ("solo-hard", 1)],
)
def test_a_strategy_with_chance_memory_and_imagined_games_is_honest(
    mode: str, players: int, in_one_place
) -> None:
    load_strategy_file(in_one_place("honest.py", HEAD + HONEST))
    prepare(mode=mode, players=players, strategies="honest")


def test_a_cheat_that_was_honest_while_it_was_tested_is_found_among_the_games_that_count(
    tmp_path,
) -> None:
    cheating(tmp_path, LATER, f"not (looks and {NEXT_CARD} % 6 < 3)")
    match = prepare()
    with pytest.raises(StrategyError, match="'cheat'"):
        play_match(match, 8_000)


@pytest.mark.second_process
def test_a_command_ends_with_one_sentence_about_a_cheat(tmp_path) -> None:
    file = cheating(tmp_path, *LEAKS["the next card"])
    words = ["match", "--strategies-from", file, "--strategies", "cheat,greedy", "--games", "40"]
    done = python("-m", "ethnos_sim", *words, code=2)
    assert "win share" not in done.stdout
    assert "Error: strategy 'cheat' cheats: its answer changes" in done.stderr


@pytest.mark.second_process
def test_a_strategy_that_ends_the_process_is_named(tmp_path) -> None:
    cheating(tmp_path, "calls_at(view.turns + 1).made += 1")
    with pytest.raises(StrategyError, match="'cheat' ended the process that"):
        prepare()


def test_a_strategy_of_the_package_with_a_users_function_is_a_stranger(monkeypatch) -> None:
    @strategy()
    def other(view):
        return view

    greedy = get_strategy("greedy")
    assert not table_of(RULES, "greedy").seats[0].strangers
    monkeypatch.setitem(greedy.functions, "turn", other.functions["turn"])
    assert module_with("strategies", "is_from_outside").is_from_outside(greedy)


def test_each_stranger_is_checked_once_before_its_games_count(tmp_path, monkeypatch) -> None:
    checked: list[object] = []
    monkeypatch.setattr(guard, "_check_sample", lambda work: checked.append(work.tables))
    cheating(tmp_path)
    table = table_of(RULES, "cheat,cheat:never_leads=bear")
    for _ in range(2):
        check_strangers([table, table_of(RULES, "greedy")], 1)
    assert checked == [(table,)]
