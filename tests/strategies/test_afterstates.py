"""The net of `learned`: what compiled code finds is what plain NumPy finds, move by move."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from ethnos_sim.experiments.training.lessons import School, learner, net_seat
from ethnos_sim.experiments.training.network import first_weights, forward
from ethnos_sim.experiments.training.trials import play_trial
from ethnos_sim.simulator.batch import play_seats
from ethnos_sim.simulator.identity import identity
from ethnos_sim.simulator.rules import EDITIONS, load_rules
from ethnos_sim.strategies import LineUp, StrategyError, get_strategy
from ethnos_sim.strategies.afterstates import layout as at
from ethnos_sim.strategies.afterstates.recording import (
    MARGIN,
    PLAYER,
    ROW_INPUTS,
    WIN,
    recorder,
    room_for,
    rows_of,
)


def noted(edition: str, players: int, mode: str, barred: str | None = None) -> np.ndarray:
    """Rows that players who play by an untrained net note in a few games."""
    rules = load_rules(edition)
    clans = rules.clans[-6:] if players > 3 else rules.clans[:5]
    room = room_for(first_weights(4), 20_000)
    seats = (dataclasses.replace(learner(room), never_leads=barred), *[learner(room)] * 3)
    play_seats(
        rules, players=players, clans=clans, seats=seats[:players], seed=2, deals=2, mode=mode
    )
    return rows_of(room)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("players", "mode"), [(2, "standard"), (4, "standard"), (4, "recruitment")]
)
def test_sums_shared_by_moves_give_what_numpy_finds_from_all_inputs(
    edition: str, players: int, mode: str
) -> None:
    rows = noted(edition, players, mode)
    assert len(rows) > 300
    outputs = forward(first_weights(4), rows[:, ROW_INPUTS:]).outputs
    assert np.abs(outputs[:, at.WIN] - rows[:, WIN]).max() < 1e-5
    assert np.abs(outputs[:, at.MARGIN] - rows[:, MARGIN]).max() < 1e-5


def test_inputs_are_small_and_one_of_each_kind_is_set() -> None:
    inputs = noted("second", 4, "standard")[:, ROW_INPUTS:]
    assert np.abs(inputs).max() < 10
    kinds = (
        (at.PLAYERS, 5),
        (at.AGES_LEFT, 3),
        (at.DRAGONS, 3),
        (at.CLOCK, len(at.CLOCK_STEPS) + 1),
        (at.LEAD, len(at.LEAD_STEPS) + 1),
        (at.HAND_SIZE, 11),
        (at.CLAN_GROUP, 9),
        (at.COLOR_GROUP, 9),
        (at.WORTH_STEP, len(at.WORTH_STEPS) + 1),
    )
    for start, size in kinds:
        assert (inputs[:, start : start + size].sum(axis=1) == 1).all()
    regions = inputs[:, at.TABLE_INPUTS :].reshape(-1, at.REGION_INPUTS)
    for start, size in ((at.MARKERS, 7), (at.RIVAL_MARKERS, 7), (at.AHEAD, 9), (at.REACH, 7)):
        assert (regions[:, start : start + size].sum(axis=1) == 1).all()


def test_who_may_not_lead_a_clan_knows_it_and_nobody_else_does() -> None:
    rules = load_rules("second")
    clan = rules.clans[-1]
    rows = noted("second", 4, "standard", barred=clan)
    barred = rows[:, ROW_INPUTS + at.BARRED + int(rules.power_of(clan))]
    # Who sits where rotates: in each game one player is barred, the same one throughout it.
    assert 0.15 < barred.mean() < 0.35
    assert set(np.unique(barred)) == {0.0, 1.0}
    assert rows[:, PLAYER].max() == 3


@pytest.mark.parametrize("edition", EDITIONS)
def test_learned_takes_more_than_half_of_the_games_against_three_champions(edition: str) -> None:
    """Even is 25 %; at the shares that it has, 240 games fall below half once in 10,000 runs."""
    rules = load_rules(edition)
    own, champion = (
        entry.seat() for entry in LineUp.parse("learned,champion", 4, rules).entries[:2]
    )
    trial, _ = play_trial(
        School(rules, 11), 0, own, champion, players=4, games=240, sequential=False
    )
    assert trial.share > 0.5


def test_other_weights_are_other_play_and_of_another_size_a_sentence(tmp_path) -> None:
    rules = load_rules("second")
    shipped = LineUp.parse("learned", 1, rules).entries[0].weights
    assert shipped is not None
    assert shipped.size == at.WEIGHTS_SIZE
    first, other = (
        play_seats(
            rules, players=2, clans=rules.clans[:5], seats=(seat, seat), seed=1, deals=2
        ).seats["prestige"]
        for seat in (net_seat(shipped, "a"), net_seat(first_weights(1), "b"))
    )
    assert (first != other).any()
    np.save(tmp_path / "short.npy", shipped[:-1])
    with pytest.raises(StrategyError, match="numbers, and strategy 'learned' needs"):
        LineUp.parse([f"learned:weights={tmp_path / 'short.npy'}"], 1, rules)


def test_what_learned_does_can_be_told_apart_between_runs() -> None:
    """So its machine code is kept, and a sweep knows when it plays otherwise."""
    assert len(identity(get_strategy("learned").functions, recorder.functions)) == 16
