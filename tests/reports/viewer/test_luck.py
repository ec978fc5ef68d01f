"""A result is a fair share, luck and moves: they add up, and luck is worth nothing on average."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inside.reports.viewer import seat_engine, table_data
from inside.simulator.narration import Game
from pages import by_node, evaluated

from ethnos_sim.simulator import SOLO, SOLO_CLANS, load_rules, trace_game
from ethnos_sim.simulator.tables.table import GameTable
from ethnos_sim.strategies import LineUp

pytestmark = pytest.mark.long

HERE = Path(__file__).parent
REPORTS = HERE.parents[2] / "reports"
SCRIPTS = [REPORTS / place for place in ("live/engine.js", "viewer/sitting.js", "viewer/luck.js")]

DRAGON = 63
ORDER = [*range(20), DRAGON, *range(20, 30), DRAGON, *range(30, 40)]


def told(
    strategies: list[str], mode: str, deals: range, each: int, edition: str = "second"
) -> list[dict[str, Any]]:
    """What changed the chances to win in games of strategies, by seat."""
    rules, players = load_rules(edition), len(strategies)
    clans = SOLO_CLANS if mode in SOLO else rules.clans[-rules.clans_in_play(players) :]
    seats = LineUp.parse(",".join(strategies), players, rules).seats()
    table = GameTable.prepare(rules, players, mode, clans, seats)
    seating = table_data(Game.from_trace(trace_game(table, seed=9, game=0).trace), strategies, 0)
    game = {"live": 0, "seats": seating, "strategies": strategies}
    given = {
        "lives": [seat_engine(rules, [players], strategies)],
        "games": [{**game, "deals": list(deals), "each": each}],
    }
    words = (HERE / "luck.mjs", *(script.as_uri() for script in SCRIPTS))
    return [json.loads(line) for line in by_node(*words, given=given).splitlines()]


@pytest.mark.parametrize(
    ("strategies", "mode"),
    [
        (["greedy", "learned", "champion", "warden"], "standard"),
        (["learned", "greedy"], "recruitment"),
        (["greedy"], "solo-regular"),
    ],
)
def test_fair_share_luck_and_moves_add_up_to_the_result(strategies: list[str], mode: str) -> None:
    for game in told(strategies, mode, range(2), 2):
        for seat in game["sums"]:
            *parts, result = seat.values()
            assert sum(parts) == pytest.approx(result, abs=1e-9)
        assert sum(seat["cards"] + seat["dragons"] for seat in game["sums"]) == pytest.approx(0)


@pytest.mark.parametrize("edition", ["second", "second+dragons_in=4+first_cards=2"])
def test_dragons_are_guessed_in_the_part_of_the_deck_that_holds_them(edition: str) -> None:
    games = told(["greedy", "greedy"], "standard", range(25), 0, edition)
    assert min(spare for game in games for spare in game["spare"]) == 0


def test_learned_makes_no_mistake_by_its_own_measure() -> None:
    for game in told(["greedy", "learned", "learned"], "standard", range(3), 1):
        assert game["erring"] == [0]


def test_luck_is_worth_nothing_on_average() -> None:
    """Seeded; on 16,000 other deals no mean was two standard errors from 0."""
    players = ["greedy", "warden", "champion", "learned"]
    games = told(players, "standard", range(40), 1, "second+ages_4_6=1")
    for kind in ("cards", "dragons"):
        luck = np.array([[seat[kind] for seat in game["sums"]] for game in games])
        errors = luck.std(axis=0, ddof=1) / np.sqrt(len(luck))
        assert (np.abs(luck.mean(axis=0)) < 3 * errors).all()


def test_another_order_keeps_what_was_seen_and_lays_dragons_as_the_rules_do() -> None:
    given = {"order": ORDER, "fixed": {"known": 18, "dragons": 18, "bottom": 15}}
    orders, safe = evaluated(
        "(() => { let state = 1; const roll = () => (state = (state * 48271) % 2147483647)"
        " / 2147483647; return [Array.from({ length: 2000 }, () =>"
        " [...reordered(given.order, given.fixed, roll)]), safe(given.order, 18, 3, 15)]; })()",
        "reordered, safe",
        SCRIPTS[2],
        given,
    )
    orders = np.array(orders)
    assert (orders[:, :18] == ORDER[:18]).all()
    assert (np.sort(orders, axis=1) == np.sort(ORDER)).all()
    without = (orders[:, 18:21] != DRAGON).all(axis=1).mean()
    assert without == pytest.approx(safe, abs=4 * np.sqrt(safe * (1 - safe) / 2000))
    assert safe == pytest.approx(np.prod([(24 - 3 - i) / (24 - i) for i in range(2)]))
