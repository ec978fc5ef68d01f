"""One-seat line-ups: one entry never leads a clan or always does, beside the null clan."""

from collections import Counter, defaultdict
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from inside.experiments.designs import (
    MAIN,
    NULL_RULES,
    NULLED,
    intervention_of,
    with_null_clan,
)
from inside.experiments.plans import EditionRules
from inside.reports import numbers
from sweeps import plan_of

from ethnos_sim import open_results, sweep
from ethnos_sim.experiments import Threads, plan_text, play_now, read_plan, verify
from ethnos_sim.reports import PlanGatherer
from ethnos_sim.simulator import EDITIONS, load_rules

WILD = {"second": "dog", "first": "skeleton"}


def plan_with(raw: dict, *line_ups: dict, **changes):
    return plan_of({**raw, **changes, "line_ups": list(line_ups)})


def restricted(cell, setting: str = "never_leads") -> tuple[int, str, str]:
    """The restricted entry of a cell: its place, strategy and clan."""
    ((place, name),) = [(place, name) for place, name in enumerate(cell.line_up) if setting in name]
    strategy, _, clan = name.partition(f":{setting}=")
    return place, strategy, clan


def test_every_clan_in_play_that_can_lead_is_restricted_in_one_line_up(small_spec) -> None:
    plan = plan_with(small_spec, {"strategies": ["greedy"], "one_seat": "never_leads"})
    forbidden_at = defaultdict(list)
    for cell in plan.cells:
        place, strategy, clan = restricted(cell)
        assert (place, strategy) == (0, "greedy")
        assert cell.line_up[1:] == ("greedy",) * (cell.partition.players - 1)
        assert cell.rotations == 1
        forbidden_at[cell.partition, cell.clans].append(clan)
    assert len(forbidden_at) == 12
    for (partition, clans), forbidden in forbidden_at.items():
        assert forbidden == [clan for clan in clans if clan != WILD[partition.edition]]


@pytest.mark.parametrize(
    ("strategies", "places"),
    [
        (["greedy"], [0]),
        (["greedy", "random"], [0, 1]),
        (["greedy", "greedy", "random", "random"], [0, 1, 2, 3]),
        (["greedy", "random", "spreader", "warden"], [0, 1, 2, 3]),
    ],
)
def test_each_entry_that_differs_is_restricted_in_turn(small_spec, strategies, places) -> None:
    plan = plan_with(
        small_spec, {"strategies": strategies, "one_seat": "prefers_leading"}, players=[4]
    )
    places_of = defaultdict(list)
    for cell in plan.cells:
        place, strategy, clan = restricted(cell, "prefers_leading")
        assert strategy == strategies[place % len(strategies)]
        places_of[cell.partition, cell.clans, clan].append(place)
    assert set(map(tuple, places_of.values())) == {tuple(places)}


def test_line_ups_that_differ_only_in_the_restriction_are_one_population(small_spec) -> None:
    base = {"strategies": ["greedy"], "named": "one mind"}
    line_ups = [base, {**base, "one_seat": "never_leads"}, {**base, "one_seat": "prefers_leading"}]
    plan = plan_with(small_spec, *line_ups)
    assert {cell.population for cell in plan.cells} == {"one mind"}
    assert [cell.number for cell in plan.cells] == list(range(len(plan.cells)))
    assert read_plan(plan_text(plan)) == plan == plan_with(small_spec, *line_ups)


def test_a_line_up_of_weight_3_plays_three_times_the_games(small_spec) -> None:
    plan = plan_with(
        small_spec, {"strategies": ["greedy"]}, {"strategies": ["random"], "weight": 3}, games=960
    )
    games: Counter = Counter()
    for cell in plan.cells:
        games[cell.line_up[0]] += plan.rounds[cell.partition] * cell.games_per_round
    assert games == {"greedy": 240, "random": 720}


def test_with_by_age_a_clan_is_given_up_in_one_age_at_a_time_with_numbers_by_age(
    small_spec,
) -> None:
    """Two players play two ages and four play three; each age has its own numbers."""
    line_up = {"strategies": ["greedy"], "one_seat": "never_leads", "by_age": True}
    small_spec.update(editions=["second"], players=[2, 4], games=4000, clan_sets={"sample": 1})
    plan = plan_with(small_spec, line_up)
    ages = defaultdict(Counter)
    for cell in plan.cells:
        estimates = intervention_of(cell.line_up)
        assert estimates.line_up == ("greedy",) * cell.partition.players
        (clan,) = estimates.about
        ages[cell.partition.players][clan, estimates.age] += 1
    assert {age for _, age in ages[2]} == {"1", "2"}
    assert {age for _, age in ages[4]} == {"1", "2", "3"}
    assert set(ages[2].values()) == set(ages[4].values()) == {1}
    gatherer = PlanGatherer(plan)
    play_now(plan, gatherer.add, engine=Threads(1))
    estimates = numbers(gatherer.evidence(), "power_by_age")
    assert set(estimates["aspect"]) == {"age 1", "age 2", "age 3"}
    for players, last in ((2, "age 2"), (4, "age 3")):
        power = estimates.where(players=players, aspect=last)
        assert abs(np.nanmean(power.value)) < 1e-12


def test_with_every_seat_each_entry_gives_up_each_clan_once_and_one_entry_is_free(small_spec):
    plan = plan_with(small_spec, {"strategies": ["greedy", "random"], "every_seat": "never_leads"})
    given_up_at = defaultdict(list)
    for cell in plan.cells:
        intervention = intervention_of(cell.line_up)
        assert len(set(intervention.about)) == len(intervention.about)
        assert (
            intervention.line_up
            == ("greedy", "random", *("greedy", "random") * 2)[: len(intervention.clans)]
        )
        assert cell.rotations == 1
        given_up_at[cell.partition, cell.clans].append(intervention.clans)
    for (partition, clans), given_up in given_up_at.items():
        able = [clan for clan in clans if clan != WILD[partition.edition]]
        free = max(1, partition.players - len(able))
        for of_entry in zip(*given_up, strict=True):
            assert Counter(of_entry) == {**dict.fromkeys(able, 1), None: free}


def test_over_all_clan_sets_each_pair_of_clans_is_given_up_together(small_spec) -> None:
    small_spec.update(editions=["second"], players=[4], clan_sets={"sample": 32})
    plan = plan_with(small_spec, {"strategies": ["greedy"], "every_seat": "never_leads"})
    met: Counter = Counter()
    for cell in plan.cells:
        met.update(combinations(sorted(intervention_of(cell.line_up).about), 2))
    clans = [clan for clan in load_rules("second").clans if clan != "dog"]
    assert set(met) == set(combinations(sorted(clans), 2))


def test_with_every_seat_each_deal_is_played_once_in_each_cell(small_spec, tmp_path):
    small_spec.update(editions=["second"], players=[4], games=200, clan_sets={"sample": 1})
    plan = plan_with(small_spec, {"strategies": ["greedy"], "every_seat": "never_leads"})
    sweep(plan, tmp_path, jobs=1, quiet=True)
    assert not verify(tmp_path).faults
    seats = open_results(tmp_path).seats(kind="restricted").collect()
    assert seats.filter(pl.col("seat") != pl.col("entry")).is_empty()
    games = seats.filter(seat=0)
    assert games.group_by("cell").agg(pl.col("deal").n_unique() == pl.len())["deal"].all()


RESTRICTED = {"strategies": ["greedy"], "one_seat": "never_leads"}


def plan_beside(line_up: dict):
    """A plan of restricted play beside ordinary games."""
    raw = {"editions": list(EDITIONS), "players": [2, 4], "clan_sets": {"sample": 6}}
    return plan_with(raw, {"strategies": ["greedy"]}, line_up, games_per_cell=8)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_null_clan_brings_no_prestige_and_nothing_else_changes(edition) -> None:
    printed = load_rules(edition)
    null = with_null_clan(printed)
    changed = {name for name, value in printed.values().items() if null.values()[name] != value}
    clan = printed.clan_of(NULLED)
    assert changed == {f"{clan}.on_take", f"{clan}.age_4_6", f"{clan}.age_2_3"}
    clan = null.clan_of(NULLED)
    assert all(not any(null.numbers(clan, key)) for key in ("age_4_6", "age_2_3"))
    assert null.number(clan, "on_take") == 0
    # A plan keeps the values, and describes them as they are.
    assert EditionRules.of(null, NULL_RULES).rules.changed == null.changed


def test_only_line_ups_with_the_null_clan_restricted_are_played_with_it() -> None:
    plan = plan_beside({**RESTRICTED, "null_clan": True})
    null = [cell for cell in plan.cells if cell.partition.rules == NULL_RULES]
    assert {cell.partition.rules for cell in plan.cells} == {MAIN, NULL_RULES}
    for cell in null:
        clan = load_rules(cell.partition.edition).clan_of(NULLED)
        assert clan in cell.clans
        assert intervention_of(cell.line_up).about == (clan,)
    asked = {(cell.partition.edition, cell.partition.players) for cell in null}
    assert asked == {(edition, players) for edition in EDITIONS for players in (2, 4)}
    assert read_plan(plan_text(plan)) == plan


def test_a_null_clan_leaves_the_other_cells_of_a_sweep_unchanged() -> None:
    """The cells, their numbers and the rules stay the same."""
    alone, beside = plan_beside(RESTRICTED), plan_beside({**RESTRICTED, "null_clan": True})
    main_cells = [cell for cell in beside.cells if cell.partition.rules == MAIN]
    key = [(cell.number, cell.clans, cell.line_up, cell.weight) for cell in main_cells]
    assert key == [(cell.number, cell.clans, cell.line_up, cell.weight) for cell in alone.cells]
    assert beside.rules_of(main_cells[0].partition) == load_rules(main_cells[0].partition.edition)
