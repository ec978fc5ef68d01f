"""Restrictions hold for every strategy, break no rule, and change nothing but what they forbid."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import referee
from kit.tables import bundled_strategies
from own_strategy import strategy_file
from watching import CALL, covering_clans

from ethnos_sim.simulator import (
    CARDS,
    CHOICE,
    DECISIONS,
    DECLINE,
    EDITIONS,
    FROM_DECK,
    FROM_POOL,
    MOVE_DTYPE,
    OWN_DTYPE,
    PARTY,
    TURN,
    UNANSWERED,
    GameTable,
    IllegalMove,
    Power,
    load_rules,
    play_seats,
    trace_game,
    view_record,
)
from ethnos_sim.simulator.records import NEVER_DRAWS, NEVER_OPTIONAL
from ethnos_sim.strategies import (
    LineUp,
    Parameter,
    StrategyError,
    load_strategy_file,
    strategy,
)
from ethnos_sim.strategies.restrictions import compiled_filter
from ethnos_sim.strategies.toolkit import decline

NAMES = [strategy.name for strategy in bundled_strategies()]
OPTIONAL = ("second_party", "sea_region", "token", "settle", "keep", "draw", "use_power", "choose")

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
def test_who_never_draws_draws_only_from_an_empty_pool(name: str, edition: str) -> None:
    taken = 0
    for trace, player in traces(f"{name}:never_draws=yes", edition):
        for event, pool in pool_sizes(trace):
            if event["event"] == "recruit" and event["player"] == player:
                taken += event["source"] == "pool"
                assert event["source"] == "pool" or pool == 0
    assert taken > 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_who_never_takes_what_is_optional_takes_nothing_of_it(name: str, edition: str) -> None:
    parties = 0
    for trace, player in traces(f"{name}:never_optional=yes", edition):
        for event in trace["events"]:
            if event["event"] == "party" and event["player"] == player:
                parties += 1
                assert not event["again"]
                assert event["kept"] == event["drawn"] == event["sea_regions"] == []
                assert event["token"] is None
                assert event["settled"] is None
    assert parties > 20


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_who_never_leads_a_clan_does_so_only_where_a_full_hand_leaves_nothing_else(
    name: str, edition: str
) -> None:
    rules = load_rules(edition)
    wild = rules.clan_of(Power.WILD)
    for clan in rules.clans[:2]:
        for trace, player in traces(f"{name}:never_leads={clan}", edition):
            own = [e for e in trace["events"] if e["event"] == "party" and e["player"] == player]
            for event in own:
                if event["leader"].startswith(f"{clan}:"):
                    held = event["cards"] + event["kept"] + event["discarded"]
                    assert len(held) >= rules.number("hand_limit")
                    assert {card.split(":")[0] for card in held} <= {clan, wild}


@pytest.mark.parametrize("mode", ["recruitment", "standard"])
def test_all_restrictions_hold_at_once(mode: str) -> None:
    text = "random:never_draws=yes:never_optional=yes:never_leads=bear:prefers_leading=deer"
    assert sum(1 for _ in traces(text, "second", mode)) > 0


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


def filtered(
    restrictions: int,
    decision: int,
    kind: int,
    *,
    hand: int = 3,
    pool: int = 0b1001,
    may_decline: bool = False,
) -> tuple[np.ndarray, bool]:
    """What becomes of an answer, and whether the player's own record stayed as it was."""
    rules = load_rules("second")
    views = view_record(rules, 4, "standard", rules.clans[:6])
    view = views[0]
    view["decision"] = decision
    view["may_decline"] = may_decline
    view["hand_once"] = 0b100001
    view["hand_cards"][0] = hand
    view["pool_once"] = pool
    owns = np.zeros(1, OWN_DTYPE)
    owns["restrictions"] = restrictions
    owns["random_state"] = 77
    moves = np.zeros(1, MOVE_DTYPE)
    moves["kind"] = kind
    before = views.tobytes(), owns.tobytes()
    function = CALL(ctypes.cast(compiled_filter().address, ctypes.c_void_p).value)
    function(views.ctypes.data, moves.ctypes.data, owns.ctypes.data)
    return moves[0], (views.tobytes(), owns.tobytes()) == before


@pytest.mark.parametrize("question", OPTIONAL)
@pytest.mark.parametrize("kind", [PARTY, CHOICE, CARDS])
def test_taking_what_is_optional_becomes_declining(question: str, kind: int) -> None:
    move, untouched = filtered(NEVER_OPTIONAL, DECISIONS.index(question), kind, may_decline=True)
    assert move["kind"] == DECLINE
    assert untouched, "memory and random stream are what they would have been"


def test_a_draw_becomes_the_pool_card_that_fits_best() -> None:
    move, untouched = filtered(NEVER_DRAWS, TURN, FROM_DECK)
    assert (move["kind"], move["choice"]) == (FROM_POOL, 0)
    assert untouched


@pytest.mark.parametrize(
    ("restrictions", "decision", "kind", "more"),
    [
        (NEVER_DRAWS, "turn", FROM_DECK, {"pool": 0}),
        (NEVER_DRAWS, "turn", FROM_DECK, {"hand": 10}),
        (NEVER_DRAWS, "turn", PARTY, {}),
        (NEVER_DRAWS, "draw", CHOICE, {}),
        (NEVER_OPTIONAL, "turn", FROM_DECK, {}),
        (NEVER_OPTIONAL, "region", CHOICE, {"may_decline": True}),
        (NEVER_OPTIONAL, "choose", CHOICE, {"may_decline": False}),
        (NEVER_OPTIONAL, "empty_board", CHOICE, {"may_decline": True}),
        (NEVER_OPTIONAL, "keep", UNANSWERED, {"may_decline": True}),
        (NEVER_OPTIONAL, "token", DECLINE, {"may_decline": True}),
    ],
)
def test_other_answers_stay_as_they_are(restrictions, decision, kind, more) -> None:
    move, untouched = filtered(restrictions, DECISIONS.index(decision), kind, **more)
    assert move["kind"] == kind
    assert untouched


def test_an_illegal_answer_stays_illegal(tmp_path) -> None:
    load_strategy_file(strategy_file(tmp_path, "stubborn_drawer", "return draw()"))
    table = table_of("stubborn_drawer:never_draws=yes", "second", NOTHING_OPTIONAL)
    with pytest.raises(IllegalMove, match="stubborn_drawer:never_draws=yes"):
        trace_game(table, seed=1, game=0)


def test_no_parameter_may_be_called_like_a_restriction() -> None:
    with pytest.raises(StrategyError, match="'never_draws' is a setting of every strategy"):
        strategy(Parameter("never_draws", 0, 0, 1, "whether it draws at all"))(decline.py_func)
