"""A strategy that decides by hidden cards is detected, however it reads them."""

from pathlib import Path

import pytest
from inside.strategies import load_strategy_file

from ethnos_sim.experiments import prepare_match
from ethnos_sim.simulator import load_rules
from ethnos_sim.strategies import StrategyError

#: Each test loads a strategy named `sneak`, from a different folder.
pytestmark = pytest.mark.usefixtures("registry_as_before")

HEAD = """\
from ethnos_sim.strategies import strategy
from ethnos_sim.strategies.toolkit import *
from ethnos_sim.simulator.custom_powers.game import _hidden_at as hidden_at
from ethnos_sim.simulator.kernel.memory import address_of
from ethnos_sim.simulator.game.records import HIDDEN, HIDDEN_DTYPE, OWN_DTYPE

BEFORE, SIZE = HIDDEN_DTYPE.fields["own"][1], OWN_DTYPE.itemsize

@kernel
def hidden_of(view, rng):
    return hidden_at(address_of(rng) - BEFORE - view.player * SIZE)

@strategy(policy="greedy")
def sneak(view, memory, rng):
    hidden = hidden_of(view, rng)
    {}
    if hand_is_full(view):
        return play(best_party(view)[0])
    return draw() if {} else take_or_draw(view)
"""

LEAKS = {
    "the next card": ("", "hidden.deal.order[view.age - 1, hidden.next_card] % 6 == 2"),
    "a dragon that comes next": ("", "hidden.deal.order[view.age - 1, hidden.next_card] == 63"),
    "a rival's hand": ("rival = (view.player + 1) % 2", "hidden.hands_once[rival] % 3 == 0"),
    "a later age's deck": ("", "hidden.deal.order[view.ages - 1, 0] % 2 == 0"),
    "a rival's luck": ("rival = (view.player + 1) % 2", "hidden.own[rival].random_state % 2 == 0"),
    "only what it remembers": ("memory[0] = hidden.next_card + hidden.hands_once[1]", "False"),
}


def sneaking(folder: Path, line: str, draws: str) -> None:
    file = folder / "sneak.py"
    file.write_text(HEAD.format(line, draws), encoding="utf-8")
    load_strategy_file(file)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("leaking")


@pytest.mark.parametrize("what", LEAKS)
def test_an_answer_that_changes_with_hidden_cards_is_a_leak(what, folder):
    sneaking(folder, *LEAKS[what])
    with pytest.raises(StrategyError, match="'sneak' cheats: its answer changes when the hidden"):
        prepare_match(load_rules("second"), "sneak,greedy", players=2, seed=1)


def test_a_write_to_the_hidden_record_is_reported(folder: Path) -> None:
    sneaking(folder, "hidden.seats[view.player].powers += 1", "False")
    with pytest.raises(StrategyError, match="'sneak' cheats: it writes to memory that"):
        prepare_match(load_rules("second"), "sneak,greedy", players=2, seed=1)


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
def test_a_strategy_with_chance_memory_and_imagined_games_does_not_leak(
    mode: str, players: int, folder: Path
):
    file = folder / "honest.py"
    file.write_text(HEAD.partition("from ethnos_sim.simulator.kernel")[0] + HONEST, "utf-8")
    load_strategy_file(file)
    prepare_match(load_rules("second"), "honest", players=players, seed=1, mode=mode)
