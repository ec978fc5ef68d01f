"""Single rules as the referee reads them: halves, wild hands, markers, places and ties."""

import json
from collections import Counter

import pytest
from kit.situations import (
    draw,
    quiet_game,
    win,
)
from kit.tables import random_game

from referee import Fault, replay
from referee.cards import DRAGON
from referee.helpers import fault_of, table_of
from referee.scoring import shares
from referee.solo import preferred


def test_r2_an_odd_deck_has_its_larger_half_at_the_bottom() -> None:
    trace = random_game(6, players=3)
    event = trace["events"][0]
    cards = [card for card in event["deck"] if card != DRAGON]
    assert len(cards) == 51
    for place, legal in ((25, True), (24, False)):
        event["deck"] = cards[:place] + [DRAGON] + cards[place:] + [DRAGON, DRAGON]
        table = table_of(trace)
        if legal:
            table.deal_age(event, 1, None)
        else:
            with pytest.raises(Fault, match="R2"):
                table.deal_age(event, 1, None)


@pytest.mark.parametrize("kind", ["gives_up", "gives_up_by_age"])
def test_a_seat_does_not_lead_with_the_clan_that_it_gave_up(kind) -> None:
    """Two seats exchange what they gave up, so at least one of them led with it."""
    for seed in range(3):
        trace = random_game(seed, kind=kind)
        replay(trace)
        trace["gave_up"][:2] = trace["gave_up"][1::-1]
        assert fault_of(trace).rule == "a clan given up does not lead"


WILD = ["hand_limit=2", "ten_wild_wins=true"]


@pytest.mark.parametrize(
    ("place", "change", "rule"),
    [
        (-1, {"winners": [1]}, "winners"),
        (-1, {"prestige": [1, 2, 3, 4]}, "prestige"),
        (-2, {"cards": ["dog:red"]}, "R3"),
        (-2, {"leader": "tiger:red"}, "R3"),
        (-2, {"region": "red"}, "R3"),
        (-2, {"largest": True}, "R3"),
        (-2, {"sea_regions": ["red"]}, "R3"),
        (None, {"hand_limit": 4}, "R3: a full hand"),
        (None, {"ten_wild_wins": False}, "R4"),
    ],
)
def test_r3_a_win_with_a_full_hand_of_wild_cards_has_only_its_own_effects(place, change, rule):
    table = quiet_game("dog", "fox", overrides=WILD)
    won = table.age({0: [draw("dog:blue"), win()]}, hands={0: "dog:red"}).play()
    trace = json.loads(json.dumps(won.traced.trace))
    assert won.winners == [0]
    (trace["rules"] if place is None else trace["events"][place]).update(change)
    assert rule in fault_of(trace).rule


def test_r17_no_marker_is_placed_once_none_is_left() -> None:
    caught = 0
    for seed in range(6):
        text = json.dumps(random_game(seed, overrides=["markers=3"]))
        trace = json.loads(text)
        for index, event in enumerate(trace["events"]):
            led = event["event"] == "party" and event["leader"].split(":")
            if led and event["region"] is None and len(event["cards"]) > 2:
                wrong = json.loads(text)
                wrong["events"][index]["region"] = led[1]
                assert "step 1" in fault_of(wrong).rule
                caught += 1
                break
    assert caught >= 3


def test_r17_no_extra_sea_marker_is_placed_once_none_is_left() -> None:
    clans = ["koi", "tiger", "rabbit", "raven", "bear", "deer"]
    trace = random_game(1, clans=clans, overrides=["markers=3", "koi.symbols=1,2,3"])
    replay(trace)
    placed: Counter[int] = Counter()
    for event in trace["events"]:
        if event["event"] == "party":
            placed[event["player"]] += (event["region"] is not None) + len(event["sea_regions"])
            if event["sea"] == 3 and placed[event["player"]] == 1 and not event["sea_regions"]:
                event["sea_regions"] = ["red"]
                break
    assert "R17, extra sea marker" in fault_of(trace).rule


def test_r25_bruno_prefers_regions_by_his_standing() -> None:
    table = table_of(random_game(1, players=1, mode="solo-hard"))
    player, bruno = table.markers
    player.update(white=2, green=1)
    bruno.update(green=2, yellow=1, black=3)
    player["black"] = 3
    assert preferred(table, ("tied", "losing", "winning")) == ["black", "red", "blue"]
    assert preferred(table, ("winning", "tied", "losing")) == ["green", "yellow"]
    assert preferred(table, ("losing", "tied", "winning")) == ["white"]


NO_TOKENS: list[list[int]] = [[], [], [], []]


@pytest.mark.parametrize(
    ("strength", "tokens", "prizes", "coins", "two", "won"),
    [
        ([3, 2, 1, 0], NO_TOKENS, [8], 0, False, [8, 0, 0, 0]),
        ([3, 2, 1, 0], NO_TOKENS, [10, 6, 4], 0, False, [10, 6, 4, 0]),
        ([3, 3, 1, 0], NO_TOKENS, [6, 4], 0, False, [5, 5, 0, 0]),
        ([3, 3, 1, 0], NO_TOKENS, [10, 5, 4], 0, False, [7, 7, 4, 0]),
        ([4, 2, 2, 2], NO_TOKENS, [10, 6, 5], 0, False, [10, 3, 3, 3]),
        ([2, 2, 2, 2], NO_TOKENS, [7], 0, False, [1, 1, 1, 1]),
        ([2, 2, 2, 0], [[1], [3], [2], [6]], [10, 6, 4], 0, False, [4, 10, 6, 0]),
        ([2, 2, 0, 0], [[1, 3], [4], [], []], [10, 6, 4], 0, False, [6, 10, 0, 0]),
        ([2, 2, 2, 0], [[], [1], [], []], [10, 6, 5], 0, False, [5, 10, 5, 0]),
        ([1, 1, 0, 0], NO_TOKENS, [6, 4], 3, False, [6, 6, 0, 0]),
        ([2, 1, 1, 0], NO_TOKENS, [6, 4], 3, False, [9, 2, 2, 0]),
        ([0, 0, 0, 0], NO_TOKENS, [6, 4], 3, False, [0, 0, 0, 0]),
        ([2, 1], [[], []], [8, 4], 0, True, [8, 0]),
        ([2, 0], [[], []], [8, 4], 2, True, [14, 0]),
        ([2, 2], [[], []], [9, 4], 0, True, [4, 4]),
        ([2, 2], [[1], [2]], [9, 4], 1, True, [0, 10]),
        ([0, 0], [[], []], [9, 4], 1, True, [0, 0]),
        ([1, 1], [[], []], [5], 0, False, [2, 2]),
    ],
)
def test_places_ties_tokens_coins_and_the_two_player_rule(
    strength, tokens, prizes, coins, two, won
) -> None:
    assert shares(strength, tokens, prizes, coins, two) == won
