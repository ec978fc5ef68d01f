"""Training: the same bytes despite interruptions, targets checked by hand, and trials."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from inside import module_with
from inside.experiments.training import (
    STATE_FILE,
    Pace,
    SelfPlay,
    Training,
    TrainingState,
    adam_step,
    draw_clans,
    draw_rules,
    gradient,
    initial_weights,
    load_state,
    play_trial,
    train,
)
from inside.simulator.rules import RECRUITMENT, STANDARD
from inside.simulator.tables import check_clans
from inside.strategies import weights_of
from kit.custom import PRINTED, write_power

from ethnos_sim.simulator import EDITIONS, WrongInput, load_rules
from ethnos_sim.strategies import LineUp, get_strategy

self_play = module_with("experiments.training", "SelfPlay")
at = module_with("strategies.net", "TABLE_ROWS")

pytestmark = pytest.mark.long

RULES = load_rules("second")
SHIPPED = weights_of(get_strategy("learned"), RULES, 4)
TINY = Pace(positions=500, minibatch=512, trial_games=32)


@pytest.fixture(autouse=True)
def one_batch_at_a_time(monkeypatch) -> None:
    """Play short batches, one at a time, to save time."""
    monkeypatch.setattr(self_play, "BATCHES_AT_A_TIME", 1)
    monkeypatch.setattr(self_play, "BATCH_SEATS", 12)


def tiny(seed: int = 3) -> Training:
    """A training with a few games per generation."""
    return Training(SelfPlay(RULES, seed), SHIPPED, TINY)


def run(training: Training, folder: Path, generations: int, threads: int = 1) -> TrainingState:
    """Train without reporting progress."""
    return train(training, folder, generations, threads=threads, on_generation=lambda state: None)


def test_a_training_makes_the_same_bytes_again_interrupted_or_not(tmp_path: Path) -> None:
    at_once = run(tiny(), tmp_path / "at once", 2, threads=2)
    run(tiny(), tmp_path / "stopped", 1)
    gone_on = run(tiny(), tmp_path / "stopped", 2)
    assert at_once.history == gone_on.history
    assert at_once.accepted.tobytes() == gone_on.accepted.tobytes()
    files = [(tmp_path / name / STATE_FILE).read_bytes() for name in ("at once", "stopped")]
    assert files[0] == files[1]
    first = at_once.history[0]
    assert first["steps"] >= 12
    assert first["accepted"], "the first new net is accepted, whatever its result"
    assert np.abs(at_once.accepted - SHIPPED).max() > 0.5, "a new net begins at random weights"


def test_a_net_is_trained_on_a_new_clan_and_on_a_custom_power(tmp_path: Path) -> None:
    heron = write_power(tmp_path, "heron", PRINTED["rabbit"])
    overrides = {"clans.phoenix": "second_party", "clans.heron": f"{heron}:heron"}
    rules = load_rules("second", overrides=overrides)
    state = run(Training(SelfPlay(rules, 3), SHIPPED, pace=TINY), tmp_path / "nets", 1)
    assert np.isfinite(state.accepted).all()


def test_a_folder_of_another_training_is_refused_and_unchanged(tmp_path: Path) -> None:
    run(tiny(), tmp_path, 1)
    before = (tmp_path / STATE_FILE).read_bytes()
    with pytest.raises(WrongInput, match="another training"):
        run(tiny(seed=4), tmp_path, 2)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / STATE_FILE).write_bytes(b"PK no")
    with pytest.raises(WrongInput, match="not a training that can be continued"):
        load_state(tmp_path / "broken" / STATE_FILE, tiny())
    assert (tmp_path / STATE_FILE).read_bytes() == before


@pytest.mark.parametrize(
    ("where", "name", "value"),
    [
        (module_with("experiments.training", "PASSES"), "PASSES", 7),
        (module_with("experiments.training", "CHOICE_LOSS_WEIGHT"), "CHOICE_LOSS_WEIGHT", 1.0),
        (module_with("strategies.afterstates", "play_out"), "MARGIN_SCALE", 30.0),
    ],
)
def test_a_changed_constant_of_learning_changes_the_identity(
    monkeypatch, where, name, value
) -> None:
    before = tiny().identity
    monkeypatch.setattr(where, name, value)
    changed = [key for key, current in tiny().identity.items() if current != before[key]]
    assert "learning" in changed


def test_the_gradient_is_the_slope_of_the_loss() -> None:
    random = np.random.default_rng(5)
    inputs = (random.random((64, at.INPUTS)) < 0.2).astype(np.float64)
    wins, margins = random.random(64), random.normal(size=64)
    turns = np.sort(random.integers(0, 20, 64))  # decisions with one to several moves
    weights = initial_weights(2, RULES).astype(np.float64)
    slopes, _ = gradient(weights, inputs, wins, margins, turns, exact=True)
    parts = (
        *(at.TABLE_ROWS, at.TABLE_BIAS, at.REGION_ROWS, at.REGION_BIAS, at.SECOND_ROWS),
        *(at.SECOND_BIAS, at.OUTPUT_ROWS, at.OUTPUT_BIAS, at.PRINTED_PAYS),
    )
    for start, end in pairwise(parts):
        way = np.zeros_like(weights)
        way[start:end] = random.standard_normal(end - start)
        way /= np.linalg.norm(way)
        up, down = (
            gradient(weights + h * way, inputs, wins, margins, turns, exact=True)[1]
            for h in (1e-6, -1e-6)
        )
        assert (up - down) / 2e-6 == pytest.approx(float(slopes @ way), rel=1e-3, abs=1e-7)


def test_steps_along_the_gradient_learn_a_target_from_the_inputs() -> None:
    random = np.random.default_rng(6)
    inputs = (random.random((128, at.INPUTS)) < 0.2).astype(np.float32)
    wins = inputs[:, 3].copy()
    margins = inputs[:, at.TABLE_INPUTS + 1] - 0.5
    weights = initial_weights(2, RULES)
    means, squares = np.zeros_like(weights), np.zeros_like(weights)
    turns = np.arange(128) // 2
    first = gradient(weights, inputs, wins, margins, turns)[1]
    for number in range(1, 41):
        slopes, loss = gradient(weights, inputs, wins, margins, turns)
        adam_step(weights, means, squares, slopes, number, 3e-3)
    assert loss < 0.5 * first


def test_the_better_entry_wins_more_than_its_share_of_a_trial() -> None:
    greedy, random = (entry.seat() for entry in LineUp.parse("greedy,random", 4, RULES).entries[:2])
    self_play = SelfPlay(RULES, 1)
    assert play_trial(self_play, 0, greedy, random, games=100).mean() > 1 / 4
    assert play_trial(self_play, 0, random, greedy, games=100).mean() < 1 / 4


def test_looking_ahead_teaches_all_moves_of_a_turn_at_once() -> None:
    net = initial_weights(9, RULES)
    once, again = (SelfPlay(RULES, 9).play_batch(5, net) for _ in range(2))
    for name, values in vars(once).items():
        assert np.array_equal(values, getattr(again, name)), name
    moves = np.bincount(once.decisions)
    assert len(moves) > 30
    assert moves.min() >= 2
    assert once.wins.min() >= 0
    assert once.wins.max() <= 1
    # The moves of a turn share their guesses, so their values differ less than values of turns do.
    means = np.bincount(once.decisions, once.wins) / moves
    within = np.abs(once.wins - means[once.decisions]).mean()
    assert 0 < within < 0.5 * once.wins.std()


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 4])
def test_drawn_rules_differ_from_printed_ones_can_be_dealt_and_follow_from_the_seed(
    edition, players
):
    printed = load_rules(edition)
    random, again = np.random.default_rng(5), np.random.default_rng(5)
    drawn = [draw_rules(printed, players, random) for _ in range(12)]
    assert drawn == [draw_rules(printed, players, again) for _ in range(12)]
    assert printed not in drawn
    assert len(set(drawn)) > 8
    for rules in drawn:
        clans = draw_clans(rules, players, random)
        for mode in (STANDARD, RECRUITMENT):
            check_clans(rules, players, mode, clans)


def test_batches_by_drawn_rules_are_played_and_differ_from_printed_ones() -> None:
    net = initial_weights(9, RULES)
    printed, drawn = (SelfPlay(RULES, 9, drawn_share=of).play_batch(5, net) for of in (0.0, 1.0))
    assert len(drawn.decisions) > 100
    assert np.isfinite(drawn.inputs).all()
    assert not np.array_equal(printed.inputs, drawn.inputs)
