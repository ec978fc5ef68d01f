"""The referee checks 200 games at each solo difficulty.

`test_referee_over_games` plays every setting with every strategy. Here there are enough solo games,
by random and by good players, to reach rare situations with Bruno.
"""

from collections import Counter

import pytest
from kit.refereed import refereed
from seated import table_of

from ethnos_sim.simulator import SOLO, SOLO_CLANS, load_rules

STRATEGIES = ("random", "greedy", "collector", "warden")
GAMES_OF_EACH = 50

RULES = load_rules("second")


@pytest.mark.parametrize("mode", SOLO)
def test_the_referee_passes_every_solo_game(mode: str) -> None:
    assert len(STRATEGIES) * GAMES_OF_EACH >= 200
    optional: Counter[str] = Counter()
    seen: set[tuple[str, object]] = set()
    for strategy in STRATEGIES:
        for game in range(GAMES_OF_EACH):
            played = refereed(table_of(RULES, strategy, 1, mode), seed=5, game=game)
            assert played.seats["columns"].sum() == played.summary.events["bruno_party"]
            optional += played.summary.optional
            for event in played.events:
                if event["event"] == "bruno_party":
                    seen |= {("column", event["column"]), ("leader", event["leader"])}
                    seen.add(("largest", event["largest"]))
                elif event["event"] == "bruno_gets":
                    seen |= {("from", event["source"]), ("cards", len(event["cards"]))}
    assert {("column", color) for color in RULES.colors} <= seen
    assert {("leader", clan) for clan in SOLO_CLANS} <= seen
    assert {("largest", True), ("largest", False)} <= seen
    assert {("from", source) for source in ("pool", "discard", "deck")} <= seen
    most = 2 if mode == "solo-hard" else 1
    assert {("cards", number) for number in range(most + 1)} == {
        option for option in seen if option[0] == "cards"
    }
    assert optional["released to pool"] > 100
    assert (optional["released to hand"] > 100) == (mode == "solo-easy")


def test_the_referee_passes_solo_games_by_the_other_reading_of_ties() -> None:
    """With empty regions not counted as ties (R25), for a player that picks at random for Bruno."""
    rules = load_rules("second", overrides=["bruno.none_is_tie=false"])
    placed = 0
    for game in range(30):
        played = refereed(table_of(rules, "random", 1, "solo-regular"), seed=7, game=game)
        for event in played.of("bruno_party"):
            placed += len(event["sea_regions"]) + (event["coin"] is not None)
    assert placed > 60
