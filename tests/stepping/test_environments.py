"""The environments keep the promises of the libraries whose interfaces they have."""

import importlib
import sys

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from inside import module_with
from inside.simulator.game import EMPTY_BOARD, SETTLE, TOKEN
from inside.simulator.stepping import block_columns

from ethnos_sim import load_rules, make_env
from ethnos_sim.simulator import WrongInput

at = module_with("simulator.stepping", "LEAD_CLAN")

#: The strategy of the other seats if any will do: learned takes twenty times as long per game.
RIVALS = "greedy"

MODES = (("standard", 4), ("standard", 2), ("recruitment", 3), ("solo-hard", 1))


def any_legal(stepper: object, draw: np.random.Generator) -> np.ndarray:
    counts = stepper.legal_counts
    return stepper.legal[np.arange(counts.size), (draw.random(counts.size) * counts).astype(int)]


def test_arrays_need_no_other_library(monkeypatch) -> None:
    for name in ("gymnasium", "pettingzoo"):
        monkeypatch.setitem(sys.modules, name, None)
    environments = make_env.__module__.rpartition(".")[0]
    for name in [module for module in sys.modules if module.startswith(f"{environments}.")]:
        monkeypatch.delitem(sys.modules, name)
    fresh = importlib.import_module(make_env.__module__).make_env
    assert fresh(opponents=RIVALS, games=2).players.size == 2
    with pytest.raises(ModuleNotFoundError, match="gymnasium"):
        fresh(kind="single", opponents=RIVALS)


@pytest.mark.parametrize(("mode", "players"), MODES)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_gymnasium_checks_the_environment_of_one_game(mode: str, players: int) -> None:
    check_env(make_env(kind="single", mode=mode, players=players, opponents=RIVALS))


def test_an_illegal_action_ends_the_game_of_its_player_with_a_loss() -> None:
    env = make_env(kind="single", opponents=RIVALS)
    first, _ = env.reset(seed=1)
    row, reward, over, truncated, info = env.step(at.YES)
    assert (reward, over, truncated, info["illegal_action"]) == (-1.0, True, False, True)
    assert np.array_equal(row, first)
    _, info = env.reset()
    assert "illegal_action" not in info

    table = make_env(kind="aec", players=3)
    table.reset(seed=1)
    wrong = table.agent_selection
    table.step(at.YES)
    assert all(table.terminations.values())
    assert table.infos[wrong]["illegal_action"]
    assert sorted(table.rewards.values()) == [-1.0, 0.0, 0.0]
    assert table.rewards[wrong] == -1.0


def test_the_end_of_a_game_brings_the_share_of_the_win() -> None:
    env, table = make_env(kind="single", opponents=RIVALS), make_env(kind="aec", players=3)
    for seed in (1, 2, 3):
        _, info = env.reset(seed=seed)
        over, rewards = False, []
        while not over:
            _, reward, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
            rewards.append(reward)
        seat = env.stepper.seats[0][env.stepper.seats["entry"][0] == 0][0]
        assert rewards == [*[0.0] * (len(rewards) - 1), seat["won"] / 60]
        assert not info["action_mask"].any()
        table.reset(seed=seed)
        while not any(table.terminations.values()):
            table.step(int(table.stepper.legal[0, 0]))
        assert list(table.rewards.values()) == (table.stepper.seats["won"][0] / 60).tolist()


def test_resets_without_a_seed_play_the_next_games_of_the_last_seed() -> None:
    env, games = make_env(kind="single", opponents=RIVALS), make_env(opponents=RIVALS, games=3)
    games.start(seed=9)
    rows = [env.reset(seed=seed)[0] for seed in (9, None, None)]
    assert np.array_equal(rows, games.observations)


@pytest.mark.parametrize(("mode", "players"), MODES)
@pytest.mark.filterwarnings("ignore")
def test_pettingzoo_checks_the_environment_of_a_whole_table(mode: str, players: int) -> None:
    from pettingzoo.test import api_test, seed_test  # warns when it is imported

    api_test(make_env(kind="aec", mode=mode, players=players), num_cycles=300)
    seed_test(lambda: make_env(kind="aec", mode=mode, players=players), num_cycles=50)


def test_the_strongest_player_sits_in_the_other_seats_unless_others_are_named() -> None:
    assert [seat.name for seat in make_env(games=1).table.seats[1:]] == ["learned"] * 3


@pytest.mark.parametrize(
    ("keywords", "sentence"),
    [
        ({"kind": "singel"}, "did you mean 'single'"),
        ({"kind": "single", "opponents": None}, "name the opponents"),
        ({"kind": "aec", "games": 4}, "plays one game at a time"),
        ({"clans": ["bear"]}, "need 6 clans"),
        ({"opponents": "greedi"}, "did you mean 'greedy'"),
        ({"games": 0}, "0 games"),
    ],
)
def test_an_impossible_environment_is_refused_in_one_sentence(
    keywords: dict[str, object], sentence: str
):
    with pytest.raises(WrongInput, match=sentence):
        make_env("second", **{"opponents": RIVALS, **keywords})


def test_an_action_that_is_not_legal_changes_nothing() -> None:
    stepper = make_env(opponents=RIVALS, games=4)
    stepper.start(seed=3)
    rows = stepper.observations.copy()
    for wrong in (at.YES, -1, at.ACTIONS):
        actions = stepper.legal[:, 0].astype(int)
        actions[2] = wrong
        with pytest.raises(WrongInput, match=f"action {wrong}.* is not legal in game slot 2"):
            stepper.step(actions)
    assert np.array_equal(rows, stepper.observations)


def test_an_observation_shows_exactly_what_the_acting_player_sees() -> None:
    stepper = make_env(opponents=None, games=40)
    stepper.start(seed=4)
    draw = np.random.default_rng(4)
    for _ in range(60):
        stepper.step(any_legal(stepper, draw))
    for slot in range(40):
        view = stepper.slots["public"][slot]
        row = stepper.observations[slot]
        for name in ("hand", "pool", "played"):
            once, twice = int(view[f"{name}_once"]), int(view[f"{name}_twice"])
            copies = [(once >> card & 1) + (twice >> card & 1) for card in range(42)]
            assert row[block_columns(name)].tolist() == copies
        me = int(view["player"])
        turned = [(me + step) % 4 for step in range(4)]
        assert row[block_columns("prestige")][:4].tolist() == view["prestige"][turned].tolist()
        markers = row[block_columns("markers")].reshape(6, 6)[:, :4]
        assert np.array_equal(markers, view["markers"][:, turned])
        known = row[block_columns("known")].reshape(5, 42)[:3].sum(axis=1)
        hands = row[block_columns("hand_cards")][1:4]
        assert (known <= hands).all()


def test_an_observation_shows_the_parts_of_every_clan() -> None:
    """There are two clans of each power that has a track, boards, tokens or coins."""
    pairs = [("koi", "carp", "bear", "elk"), ("monkey", "ape", "fox", "cat", "raccoon", "magpie")]
    new = {"carp": "sea_track", "elk": "largest_token", "ape": "settlement_board"}
    new |= {"cat": "tie_break_tokens", "magpie": "coins"}
    overrides: dict[str, object] = {f"clans.{clan}": power for clan, power in new.items()}
    rules = load_rules("second", overrides={**overrides, "clans.tiger": False})
    seen = np.zeros(6, bool)
    for clans in ([*pairs[0], "monkey", "ape"], pairs[1]):
        stepper = make_env(rules, opponents="random", games=30, clans=clans)
        stepper.start(seed=4)
        draw = np.random.default_rng(4)
        for _ in range(40):
            stepper.step(any_legal(stepper, draw))
            for view, row in zip(stepper.slots["public"], stepper.observations, strict=True):
                turned = [(int(view["player"]) + step) % 4 for step in range(4)]
                sea = row[block_columns("sea")].reshape(7, 6)[:, :4]
                assert np.array_equal(sea, view["sea"][:, turned])
                boards = row[block_columns("settlements")].reshape(7, 6, 6)[:, :4] @ (
                    1 << np.arange(6)
                )
                assert np.array_equal(boards, view["settlements"][:, turned])
                assert np.array_equal(row[block_columns("largest_size")], view["largest_size"])
                holders = row[block_columns("largest_holder")].reshape(7, 6)[:, :4]
                held = view["largest_holder"][:, None] == np.array(turned)
                assert np.array_equal(holders.astype(bool), held)
                count = view["rules"]["tie_break_tokens_count"][:, None]
                free = (view["token_owner"] == -1) & (np.arange(6) < count)
                assert np.array_equal(row[block_columns("token_free")].reshape(7, 6), free)
                assert np.array_equal(row[block_columns("coins_used")], view["coins_used"])
                asking = row[block_columns("asking")]
                asked = view["decision"] in (TOKEN, SETTLE, EMPTY_BOARD)
                assert asking.tolist() == [asked and i == view["asking_slot"] for i in range(7)]
                coins = row[block_columns("coins_used")]
                shown = (sea, boards, holders, free, coins[:, None])
                seen |= [*((part.any(axis=1).sum() > 1) for part in shown), asking.any()]
    assert seen.all()
