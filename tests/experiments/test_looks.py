"""Sweeps that play until their answers are settled: fixed looks that share one error."""

import numpy as np
import polars as pl
import pytest
from inside.experiments.execution import Judged
from inside.experiments.plans import EARLY_ERROR
from inside.reports.page import judge
from sweeps import plan_of
from toy_numbers import numbers_of

from ethnos_sim import Results, sweep
from ethnos_sim.experiments import BLOCKS, plan_text, read_plan
from ethnos_sim.simulator import WrongInput

LOOKS = (128, 256, 512)


def plan_for(**keys):
    raw = {"players": [2, 3], "clan_sets": {"sample": 2}, "line_ups": [["greedy"]]}
    return plan_of(raw | {"looks": list(LOOKS)} | keys)


def open_with(*players: int):
    """A judge for whom the answers at these numbers of players are open."""
    return lambda results: Judged(
        [part for part in results.plan.looks if part.players in players], "some are open"
    )


def rounds_by_players(results: Results) -> dict[int, int]:
    return {part.players: rounds for part, rounds in results.plan.rounds.items()}


def rows_of(results: Results) -> pl.DataFrame:
    frames = [results.of(part, "games").collect() for part in results.plan.cells_of]
    return pl.concat(frames).sort("cell", "game")


def test_looks_are_fixed_before_the_first_game_and_kept_in_the_plan() -> None:
    plan = plan_for()
    looks = {part.players: rounds for part, rounds in plan.looks.items()}
    assert plan.rounds == {part: rounds[0] for part, rounds in plan.looks.items()}
    assert all(list(rounds) == sorted(rounds) for rounds in looks.values())
    assert read_plan(plan_text(plan)) == plan
    assert not plan.with_total(400).looks, "a number of games is played whatever the answers say"
    with pytest.raises(WrongInput, match="have to rise"):
        plan_for(looks=[200, 100])


def test_open_partitions_play_up_to_the_next_look_and_settled_partitions_stop(tmp_path) -> None:
    swept = sweep(plan_for(), tmp_path, jobs=1, quiet=True, judge=open_with(3))
    looks = {part.players: rounds for part, rounds in swept.plan.looks.items()}
    assert rounds_by_players(swept) == {2: looks[2][0], 3: looks[3][-1]}
    assert swept.complete
    assert swept.judged == "some are open"
    shares = {part.players: swept.plan.error_share(part) for part in swept.plan.looks}
    assert shares == {2: EARLY_ERROR, 3: 1 - 2 * EARLY_ERROR}
    again = sweep(plan_for(), tmp_path, jobs=1, quiet=True, judge=open_with(2, 3))
    assert again.played.games == 0, "what has stopped is not taken up again"


def test_a_sweep_that_was_killed_between_looks_continues_unchanged(tmp_path) -> None:
    looked = []

    def dies(results: Results) -> Judged:
        looked.append(results.games_held)
        if len(looked) == 2:
            raise KeyboardInterrupt
        return open_with(3)(results)

    whole = sweep(plan_for(), tmp_path / "whole", jobs=1, quiet=True, judge=open_with(3))
    with pytest.raises(KeyboardInterrupt):
        sweep(plan_for(), tmp_path / "killed", jobs=1, quiet=True, judge=dies)
    spec_again = plan_for().with_at_least(whole.plan.rounds)
    assert spec_again.looks == whole.plan.looks
    resumed = sweep(None, tmp_path / "killed", jobs=1, quiet=True, judge=open_with(3))
    assert rounds_by_players(resumed) == rounds_by_players(whole)
    assert rows_of(resumed).equals(rows_of(whole))


def test_all_looks_together_err_as_often_as_a_single_one() -> None:
    """Without any effect, at most 5 of 100 sweeps have an interval without 0 at any look."""
    plan = plan_for()
    (part, *_) = plan.looks
    parts = (0.25, 0.5, 1.0)
    shares = [plan.with_at_least({part: rounds}).error_share(part) for rounds in plan.looks[part]]
    assert sum(shares) == pytest.approx(1)
    wrong, naive = 0, 0
    for seed in range(2_000):
        games = np.random.default_rng(seed).normal(0, 1, (BLOCKS, 1, 16))
        looks = [numbers_of(games[..., : int(16 * of)].mean(axis=-1)) for of in parts]
        sides = [
            look.estimates(1 / share)[0].side for look, share in zip(looks, shares, strict=True)
        ]
        wrong += any(sides)
        naive += any(look.estimates()[0].side for look in looks)
    assert wrong <= 0.05 * 2_000
    assert naive > 0.08 * 2_000


def test_a_sweep_stops_when_the_answers_of_its_page_are_settled(tmp_path) -> None:
    few, many = (
        sweep(plan_for(players=[2], looks=looks), tmp_path / str(looks[0]), jobs=2, quiet=True)
        for looks in ([400, 800], [8_000, 16_000])
    )
    assert few.judged == judge(few).words
    assert [*judge(few).open] == [*few.plan.looks]
    assert rounds_by_players(few) == {2: 200}, "to the last look, as something is open"
    assert many.judged == "5 of 5 answers are settled"
    assert rounds_by_players(many) == {2: 2_000}, "no further than the first look"
