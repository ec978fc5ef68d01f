"""Restrictions hold for every strategy, break no rule, and change nothing but what they forbid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import referee
from kit.tables import bundled_strategies
from own_strategy import strategy_file
from seated import play_seats
from watching import covering_clans

from ethnos_sim.simulator import EDITIONS, GameTable, IllegalMove, Power, load_rules, trace_game
from ethnos_sim.strategies import LineUp, Parameter, StrategyError, load_strategy_file, strategy
from ethnos_sim.strategies.toolkit import decline

NAMES = [strategy.name for strategy in bundled_strategies()]

#: Clans of the second edition whose powers offer nothing that can be declined.
NOTHING_OPTIONAL = ("bear", "deer", "dog", "rabbit", "raccoon", "tiger")


def table_of(text: str, edition: str, clans: tuple[str, ...], mode: str = "standard") -> GameTable:
    """A table of four: the strategy, and three that play at random."""
    rules = load_rules(edition)
    line_up = LineUp.parse([text, *["random"] * 3], 4, rules)
    return GameTable.prepare(rules, 4, mode, clans, line_up.seats())


def traces(text: str, edition: str, mode: str = "standard") -> Iterator[tuple[dict[str, Any], int]]:
    """Traces that the referee passed, over every clan, with the seat of the first strategy."""
    for clans in covering_clans(load_rules(edition), 6):
        table = table_of(text, edition, clans, mode)
        traced = trace_game(table, seed=5, game=1)
        referee.replay(traced.trace)
        yield traced.trace, traced.trace["strategies"].index(text)


def pool_sizes(trace: dict[str, Any]) -> Iterator[tuple[dict[str, Any], int]]:
    """Every event with the number of cards that lay in the pool before it."""
    pool = 0
    for event in trace["events"]:
        yield event, pool
        if event["event"] == "age":
            pool = len(event["pool"])
        elif event["event"] == "recruit":
            pool -= event["source"] == "pool"
        elif event["event"] == "party":
            pool += len(event["discarded"])
        elif event["event"] == "refill":
            pool += len(event["cards"])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_player_keeps_to_all_restrictions_at_once(name: str, edition: str) -> None:
    """It draws from an empty pool only, takes nothing optional, and leads the clan if it must."""
    rules = load_rules(edition)
    wild = rules.clan_of(Power.WILD)
    taken = parties = 0
    for clan, mode in zip(rules.clans[:2], ("standard", "recruitment"), strict=True):
        told = f"{name}:never_draws=yes:never_optional=yes:never_leads={clan}"
        for trace, player in traces(told, edition, mode):
            for event, pool in pool_sizes(trace):
                if event.get("player") != player:
                    continue
                if event["event"] == "recruit":
                    taken += event["source"] == "pool"
                    assert event["source"] == "pool" or pool == 0
                elif event["event"] == "party":
                    parties += 1
                    assert not event["again"]
                    assert event["kept"] == event["drawn"] == event["sea_regions"] == []
                    assert event["token"] is event["settled"] is None
                    if event["leader"].startswith(f"{clan}:"):
                        held = event["cards"] + event["discarded"]
                        assert len(held) >= rules.number("hand_limit")
                        assert {card.split(":")[0] for card in held} <= {clan, wild}
    assert taken > 20
    assert parties > 20


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "restriction", ["never_leads=fox", "prefers_leading=fox", "never_optional=yes"]
)
def test_a_restriction_that_is_never_met_changes_no_game(name: str, restriction: str) -> None:
    rules = load_rules("second")
    rival = "random" if name == "greedy" else "greedy"
    games = [
        play_seats(
            rules,
            players=4,
            clans=NOTHING_OPTIONAL,
            seats=LineUp.parse([text, rival] * 2, 4, rules).seats(),
            seed=3,
            deals=3,
        )
        for text in (name, f"{name}:{restriction}")
    ]
    assert (games[0].games == games[1].games).all()
    assert (games[0].seats == games[1].seats).all()


@pytest.mark.parametrize(
    "restriction", ["never_draws=yes", "never_optional=yes", "never_leads=bear"]
)
def test_a_restricted_player_meets_the_deals_of_the_free_one(restriction: str) -> None:
    """Deck, pool and first player are the deal's; only play differs, so results can be paired."""
    clans = load_rules("second").clans[:6]
    free, restricted = (
        trace_game(table_of(text, "second", clans), seed=8, game=2).trace
        for text in ("greedy", f"greedy:{restriction}")
    )
    assert free["prestige_tokens"] == restricted["prestige_tokens"]
    assert free["events"][0] == restricted["events"][0]
    ages = [[e for e in trace["events"] if e["event"] == "age"] for trace in (free, restricted)]
    for one, other in zip(*ages, strict=True):
        dealt = [[*age["hands"], age["pool"], age["deck"]] for age in (one, other)]
        flat = [[c for part in age for c in part] for age in dealt]
        assert sorted(flat[0]) == sorted(flat[1])
    assert free["events"] != restricted["events"]


def test_an_illegal_answer_stays_illegal(tmp_path) -> None:
    load_strategy_file(strategy_file(tmp_path, "stubborn_drawer", "return draw()"))
    table = table_of("stubborn_drawer:never_draws=yes", "second", NOTHING_OPTIONAL)
    with pytest.raises(IllegalMove, match="stubborn_drawer:never_draws=yes"):
        trace_game(table, seed=1, game=0)


def test_no_parameter_may_be_called_like_a_restriction() -> None:
    with pytest.raises(StrategyError, match="'never_draws' is a setting of every strategy"):
        strategy(Parameter("never_draws", 0, 0, 1, "whether it draws at all"))(decline.py_func)
