"""Decisions judged by look-ahead: their choices, and costs that sum to what the move cost."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from ethnos_sim import load_rules
from ethnos_sim.experiments.matches.decisions import (
    CARD,
    CARDS,
    CLAN,
    EARLY,
    KINDS,
    REGION,
    WHOLE,
    JudgedTurn,
    judge_games,
    judge_turn,
)
from ethnos_sim.experiments.matches.explaining import turns_of
from ethnos_sim.experiments.matches.match import Match, prepare_match
from ethnos_sim.reports.estimators.decision_cost import (
    ALL,
    measure_decision_cost,
    measure_decision_cost_per_turn,
    sum_decisions,
)
from ethnos_sim.simulator.records import FROM_DECK, FROM_POOL, PARTY


def turns_by(strategy: str, games: int = 8) -> list[JudgedTurn]:
    """Some turns of games in which one strategy plays in every seat."""
    match = prepare_match(load_rules("second"), strategy, players=4, seed=5)
    judged = judge_games([(match, game) for game in range(games)], every=8)
    return [turn for turns in judged for turn in turns]


@pytest.fixture(scope="module")
def match() -> Match:
    return prepare_match(load_rules("second"), "random", players=4, seed=5)


@pytest.fixture(scope="module")
def by_chance() -> list[JudgedTurn]:
    return turns_by("random")


def test_what_is_found_does_not_depend_on_the_threads(match: Match) -> None:
    games = [(match, game) for game in range(3)]
    assert judge_games(games, every=40, jobs=2) == judge_games(games, every=40)


def test_what_is_found_does_not_depend_on_what_lies_in_memory() -> None:
    """The allocator fills what is freed, so a use of it afterwards shows."""
    script = (
        "import threading\n"
        "from ethnos_sim import load_rules\n"
        "from ethnos_sim.experiments.matches.decisions import judge_games\n"
        "from ethnos_sim.experiments.matches.match import prepare_match\n"
        "def judge():\n"
        "    match = prepare_match(load_rules('second'), 'champion', players=4, seed=5)\n"
        "    print(judge_games([(match, 0)], every=20)[0])\n"
        "thread = threading.Thread(target=judge)\n"
        "thread.start(); thread.join()\n"
    )
    match = prepare_match(load_rules("second"), "champion", players=4, seed=5)
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "MALLOC_PERTURB_": "165"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == str(judge_games([(match, 0)], every=20)[0])


def test_only_choices_that_came_up_cost_anything(by_chance: list[JudgedTurn]) -> None:
    for turn in by_chance:
        assert all(asked or not cost for asked, cost in zip(turn.asked, turn.costs, strict=True))
        assert abs(sum(turn.costs)) <= WHOLE


def test_every_kind_of_move_asks_for_its_choices(match: Match) -> None:
    seen = {}
    for position in turns_of(match, 0):
        kind = int(position["move"]["kind"])
        if kind not in seen:
            turn = judge_turn(match, position)
            seen[kind] = {name for name, asked in zip(KINDS, turn.asked, strict=True) if asked}
    assert seen[PARTY] == {EARLY, CLAN, REGION, CARDS}
    assert CARD in seen[FROM_POOL]
    assert CARD not in seen[FROM_DECK]


def test_who_plays_at_random_loses_more_by_it_than_a_champion(by_chance: list[JudgedTurn]) -> None:
    def cost(turns: list[JudgedTurn]) -> float:
        return float(np.mean([sum(turn.costs) / WHOLE for turn in turns]))

    assert cost(by_chance) > 0.03
    assert cost(by_chance) > 2 * cost(turns_by("champion"))


def turn_of(deal: int, entry: int, **costs: float) -> JudgedTurn:
    """A turn at which choices cost so much."""
    asked = tuple(int(name in costs) for name in KINDS)
    return JudgedTurn(
        deal, entry, asked, tuple(round(WHOLE * costs.get(name, 0)) for name in KINDS)
    )


def test_costs_are_those_of_the_turns_that_were_judged() -> None:
    turns = [
        [turn_of(0, 0, clan=0.04, region=0.02), turn_of(0, 1, clan=0.0, region=0.02)],
        [turn_of(1, 0, card=0.03)],
    ]
    sums = sum_decisions([("a", "b"), ("a", "b")], turns)
    assert (sums.games, sums.turns) == (2, 3)
    each = {e.name: e.value for e in measure_decision_cost(sums, "").estimates()}
    assert each["clan"] == pytest.approx(0.02)
    assert each["card"] == pytest.approx(0.03)
    assert each["leads_early"] is None
    assert each[ALL] == pytest.approx(0.11 / 3)
    of_a = measure_decision_cost_per_turn(sums, "", "a").estimates()
    assert {e.name: e.value for e in of_a}[ALL] == pytest.approx(0.09 / 2)
    of_all = {e.name: e.value for e in measure_decision_cost_per_turn(sums, "").estimates()}
    assert of_all[ALL] == pytest.approx(0.11 / 3)
    assert of_all["region"] == pytest.approx(0.04 / 3)
