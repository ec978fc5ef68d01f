"""Promises that hold for all rule values, seeds, numbers of threads and strategies."""

import contextlib
import random
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inside.experiments.execution import map_in_threads
from inside.simulator.game import POWERS
from kit.refereed import refereed
from kit.tables import SETTINGS, choose_clans, choose_table, good_values, quick_strategies
from seated import table_of

from ethnos_sim.simulator import (
    SOLO,
    GameTable,
    InvalidGame,
    Power,
    Rules,
    RulesError,
    load_rules,
    play_table,
    trace_game,
)
from ethnos_sim.strategies import get_strategy


@st.composite
def any_rules(draw: st.DrawFn, edition: str, *, solo: bool = False) -> Rules:
    """Rules with some changed values, and perhaps changed clans.

    If two values do not fit together, the later one stays unchanged.
    """
    overrides: dict[str, Any] = {}
    if not solo:
        for clan in draw(st.sets(st.sampled_from(("auk", "bat", "elk")), max_size=2)):
            overrides[f"clans.{clan}"] = Power(draw(st.integers(0, POWERS - 1))).name.lower()
    rules = load_rules(edition, overrides=overrides)
    for name in sorted(draw(st.sets(st.sampled_from(sorted(rules.fields)), max_size=12))):
        value = draw(good_values(rules.fields[name]))
        with contextlib.suppress(RulesError):
            rules = load_rules(edition, overrides={**overrides, name: value})
            overrides[name] = value
    return rules


@st.composite
def any_table(draw: st.DrawFn) -> GameTable:
    """A table with any setting, rule values, clans and line-up."""
    edition, players, mode = draw(st.sampled_from(SETTINGS))
    rules = draw(any_rules(edition, solo=mode in SOLO))
    dice = random.Random(draw(st.integers(0, 2**32)))
    drawn = choose_table(dice, edition, players, mode, dice.choice(quick_strategies()))
    clans = drawn.clans
    if mode not in SOLO:
        new = [clan for clan in rules.clans if clan in rules.clan_changes]
        rest = [clan for clan in rules.clans if clan not in new]
        clans = dice.sample([*new, *dice.sample(rest, len(rest))], len(rules.clans))
        clans = clans[: rules.clans_in_play(players)]
    try:
        return GameTable.prepare(rules, players, mode, clans, drawn.seats)
    except InvalidGame:  # too many cards for the records, or too few to deal
        return GameTable.prepare(load_rules(edition), players, mode, drawn.clans, drawn.seats)


seeds = st.integers(0, 2**63 - 1)


@settings(max_examples=60)
@given(any_table(), seeds)
def test_the_referee_passes_games_of_any_rule_values(table: GameTable, seed: int) -> None:
    """Cards are conserved, markers are limited, and every award is right."""
    refereed(table, seed=seed, game=0)


@pytest.mark.parametrize(("edition", "players", "mode"), SETTINGS)
def test_the_same_seed_plays_the_same_games_in_any_threads_and_slices(
    edition: str, players: int, mode: str
) -> None:
    dice = random.Random(f"threads {edition} {players} {mode}")
    table = choose_table(dice, edition, players, mode, get_strategy("majority"))
    whole = play_table(table, seed=11, deals=60)
    numbers = np.arange(60 * table.rotations)
    assert (whole.games["game"] == numbers).all()
    assert (whole.games["deal"] * table.rotations + whole.games["rotation"] == numbers).all()
    for threads, deals in ((1, 30), (2, 1), (2, 20)):
        slices = [
            partial(play_table, table, seed=11, first_deal=first, deals=deals)
            for first in range(0, 60, deals)
        ]
        parts = map_in_threads(lambda play: play(), slices, threads)
        assert np.array_equal(np.concatenate([part.games for part in parts]), whole.games)
        assert np.array_equal(np.concatenate([part.seats for part in parts]), whole.seats)
    other = play_table(table, seed=12, deals=60)
    assert not np.array_equal(whole.seats, other.seats)


@settings(max_examples=60)
@given(any_table(), seeds, st.integers(0, 29))
def test_a_game_replayed_alone_equals_its_row_in_the_batch(
    table: GameTable, seed: int, number: int
):
    first = 7
    batch = play_table(table, seed=seed, first_deal=first, deals=30)
    row = number * table.rotations + number % table.rotations
    alone = trace_game(table, seed=seed, game=int(batch.games["game"][row]))
    assert alone.game == batch.games[row]
    assert np.array_equal(alone.seats, batch.seats[row])


def deals(table: GameTable, games: int) -> list[tuple[Any, Any]]:
    """The tokens, the first player, and the first age's hands, pool and deck of games."""
    traces = [trace_game(table, seed=77, game=game).trace for game in range(games)]
    return [(trace["prestige_tokens"], trace["events"][0]) for trace in traces]


@pytest.mark.parametrize(("edition", "players", "mode"), SETTINGS)
def test_deals_are_the_same_in_all_rotations_with_all_strategies_and_without_the_variant(
    edition: str, players: int, mode: str
) -> None:
    clans = choose_clans(random.Random(players), edition, players, mode)
    rules, names = load_rules(edition), [f"random:play=0.{i}" for i in range(1, players + 1)]
    table = table_of(rules, names, players, mode, clans)
    assert table.rotations == players
    rotated = deals(table, 2 * players)
    assert rotated == [rotated[0]] * players + [rotated[players]] * players
    assert rotated[0] != rotated[players]
    usual_mode = "standard" if mode == "recruitment" else mode
    assert deals(table_of(rules, "greedy", players, usual_mode, clans), 2) == rotated[::players]
    strategies = trace_game(table, seed=77, game=1).trace["strategies"]
    assert strategies == [*names[1:], names[0]]
