"""Who begins a later age: the least prestige, ties clockwise from the last dragon's drawer."""

from __future__ import annotations

import pytest
from kit import PlayedGame, gather_and_play, quiet_game


def begins(played: PlayedGame) -> list[int]:
    """The first player of each age."""
    return [event["first_player"] for event in played.of("age")]


@pytest.mark.parametrize("drawer", range(4))
def test_with_all_tied_who_drew_the_last_dragon_begins(drawer: int) -> None:
    table = quiet_game("fox", "bear").age(last_dragon=drawer).age(last_dragon=(drawer + 1) % 4)
    played = table.play()
    assert [event["third_dragon"] for event in played.of("age_end")[:2]] == [
        drawer,
        (drawer + 1) % 4,
    ]
    assert begins(played) == [0, drawer, (drawer + 1) % 4]


@pytest.mark.parametrize(("drawer", "first"), [(0, 2), (1, 2), (2, 2), (3, 3)])
def test_among_the_tied_the_next_clockwise_begins(drawer: int, first: int) -> None:
    """Players 0 and 1 have prestige, 2 and 3 none."""
    scripts = {
        0: gather_and_play("rabbit:red"),
        1: gather_and_play("rabbit:blue"),
    }
    table = quiet_game("fox", "bear").age(scripts, last_dragon=drawer)
    assert begins(table.play())[1] == first


@pytest.mark.parametrize("drawer", range(4))
def test_the_least_prestige_alone_begins_whoever_drew(drawer: int) -> None:
    scripts = {
        player: gather_and_play(f"rabbit:{color}")
        for player, color in ((0, "red"), (1, "blue"), (3, "green"))
    }
    table = quiet_game("fox", "bear").age(scripts, last_dragon=drawer)
    assert begins(table.play())[1] == 2


@pytest.mark.parametrize("first_player", range(4))
def test_turns_go_clockwise_from_the_deals_first_player(first_player: int) -> None:
    played = quiet_game("fox", "bear", first_player=first_player).play()
    order = [event["player"] for event in played.of("recruit")[:8]]
    assert order == [(first_player + i) % 4 for i in range(8)]
    assert played.traced.game["first_player"] == first_player
