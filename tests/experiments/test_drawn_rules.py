"""Rules drawn by chance around others: allowed, other than those, and the same again by seed."""

from __future__ import annotations

import numpy as np
import pytest

from ethnos_sim.experiments.training.drawn_rules import (
    MOST_MOVED,
    NEW_CLAN,
    drawn_rules,
    with_any_null_clan,
    with_moved_values,
    with_new_clan,
)
from ethnos_sim.experiments.training.network import first_weights
from ethnos_sim.experiments.training.self_play import SelfPlay, draw_clans
from ethnos_sim.simulator import EDITIONS, Power, load_rules
from ethnos_sim.simulator.modes import RECRUITMENT, STANDARD
from ethnos_sim.simulator.table import check_clans, check_refill

SECOND = load_rules("second")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 4])
def test_drawn_rules_are_others_that_can_be_dealt_and_follow_from_the_seed(edition, players):
    printed = load_rules(edition)
    random, again = np.random.default_rng(5), np.random.default_rng(5)
    drawn = [drawn_rules(printed, players, random) for _ in range(12)]
    assert drawn == [drawn_rules(printed, players, again) for _ in range(12)]
    assert printed not in drawn
    assert len(set(drawn)) > 8
    for rules in drawn:
        clans = draw_clans(rules, players, random)
        for mode in (STANDARD, RECRUITMENT):
            check_clans(rules, players, mode, clans)


def test_moved_values_are_few_and_hold_in_every_mode() -> None:
    random = np.random.default_rng(0)
    printed = SECOND.values()
    for _ in range(12):
        rules = with_moved_values(SECOND, 4, random)
        check_refill(rules, RECRUITMENT)
        moved = rules.values()
        assert list(moved) == list(printed)
        assert 1 <= sum(moved[name] != printed[name] for name in printed) <= MOST_MOVED


def test_a_clan_more_has_the_power_of_one_there_and_the_usual_cards() -> None:
    random = np.random.default_rng(7)
    found = [with_new_clan(SECOND, random) for _ in range(12)]
    assert all(rules.clans == (*SECOND.clans, NEW_CLAN) for rules in found)
    assert {rules.cards_of(NEW_CLAN) for rules in found} == {SECOND.number("cards_per_clan")}
    powers = {rules.power_of(NEW_CLAN) for rules in found}
    assert len(powers) > 3
    assert powers < set(SECOND.powers) - {Power.WILD}


def test_any_clan_can_be_null_and_then_brings_nothing() -> None:
    random = np.random.default_rng(8)
    nulls = set()
    for _ in range(12):
        rules = with_any_null_clan(SECOND, random)
        (clan,) = (
            clan
            for clan in rules.clans
            if rules.power_of(clan) is Power.LARGEST_TOKEN and rules.number(clan, "on_take") == 0
        )
        assert not any(rules.numbers(clan, "age", players=4))
        assert not any(rules.numbers(clan, "age", players=2))
        others = [name for name in SECOND.values() if not name.startswith(f"{clan}.")]
        assert all(rules.value(name) == SECOND.value(name) for name in others)
        nulls.add(clan)
    assert len(nulls) > 3


def test_self_play_draws_the_rules_of_as_many_tables_as_it_is_told() -> None:
    random = np.random.default_rng(9)
    for part, low, high in ((0.0, 0, 0), (0.5, 20, 40), (1.0, 60, 60)):
        self_play = SelfPlay(SECOND, 1, drawn=part)
        drawn = sum(self_play.table_rules(4, random) != SECOND for _ in range(60))
        assert low <= drawn <= high


def test_batches_by_drawn_rules_are_played_and_differ_from_printed_ones() -> None:
    nets = dict.fromkeys(range(2, 7), first_weights(9, SECOND))
    printed, drawn = (SelfPlay(SECOND, 9, drawn=part).taught(5, nets) for part in (0.0, 1.0))
    assert len(drawn.turns) > 100
    assert np.isfinite(drawn.inputs).all()
    assert not np.array_equal(printed.inputs, drawn.inputs)
