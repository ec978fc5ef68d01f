"""Situations of powers that random games hardly reach; the referee checks them too."""

from itertools import pairwise

import pytest
from kit.situations import (
    decline,
    draw,
    draw_cards,
    empty_board,
    gather_and_play,
    play,
    quiet_game,
    settle,
    take,
    win,
)


def test_with_ten_wild_wins_the_player_may_decline_and_passes() -> None:
    """The rivals play a party, so that they can go on drawing into hands of three."""
    rivals = {1: "rabbit:red", 2: "rabbit:green", 3: "rabbit:black"}
    script = [draw("dog:blue"), draw("dog:green"), decline("ten_wild"), win()]
    table = quiet_game("dog", "fox", overrides=["hand_limit=3", "ten_wild_wins=true"])
    scripts = {player: gather_and_play(card) for player, card in rivals.items()}
    played = table.age({0: script, **scripts}, hands={0: "dog:red"}).play()
    assert [event["player"] for event in played.of("pass")] == [0]
    assert played.winners == [0]


def test_a_raven_larger_than_the_deck_may_still_draw() -> None:
    """Three cards and a dragon are left for a party of five: the draw ends the age (R1, R6)."""
    table = quiet_game("raven", "bear", overrides=["dragons=1", "cards_per_clan=6"])
    party = [f"raven:{color}" for color in ("red", "blue", "green", "white", "black")]
    pool = ["tiger:red", "tiger:blue", "tiger:green"]
    left = ["bear:red", "bear:blue", "bear:green"]
    script = [*(draw(card) for card in party), draw(), play(*party), draw_cards(*left, "dragon")]
    others = {1: [*(take(card) for card in pool), *[draw()] * 3], 2: [draw()] * 6, 3: [draw()] * 6}
    last = table.age({0: script, **others}, pool=pool).play().party(0, 0)
    assert (last["drawn"], last["dragons"]) == (left, 1)


@pytest.mark.parametrize(("mode", "first"), [("recruitment", "refill"), ("standard", "recruit")])
def test_a_short_pool_is_refilled_before_the_first_turn_of_an_age(mode, first):
    """By R28; without the Recruitment variant the pool stays as dealt."""
    events = quiet_game("raven", "bear", mode=mode, overrides=["pool_per_player=0"]).play().events
    begins = [after for event, after in pairwise(events) if event["event"] == "age"]
    assert [event["event"] for event in begins] == [first] * 3
    assert events[1]["player"] == 0
    assert len(events[1].get("cards", [])) == (3 if first == "refill" else 0)


def test_an_optional_power_is_asked_for_where_it_brings_something_and_then_may_be_declined() -> (
    None
):
    """By R6; a settlement marker has its own question."""
    bear = [*gather_and_play("bear:red"), decline("use_power")]
    monkey = [*gather_and_play("monkey:red", "tiger:red"), settle(), empty_board()]
    table = quiet_game("bear", "monkey", overrides=["optional_power=true"])
    played = table.age({0: [*bear, *monkey]}).play()
    parties = [played.party(0, number) for number in range(2)]
    assert [party["largest"] for party in parties] == [False, False]
    assert parties[1]["settled"] == "red"
