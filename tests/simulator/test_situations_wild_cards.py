"""Ten wild cards in hand (R3), and wild cards in parties."""

from __future__ import annotations

import pytest
from kit import (
    Answer,
    StackedGame,
    decline,
    draw,
    gather_and_play,
    pass_turn,
    play,
    quiet_game,
    win,
)

from ethnos_sim.simulator import IllegalMove

COLORS = ("white", "green", "yellow", "black", "red")
TEN_DOGS = tuple(f"dog:{color}" for color in COLORS for _ in range(2))
WITH_SWITCH = ["hand_limit=10", "ten_wild_wins=true"]


def ten_dogs(*after: Answer, overrides: list[str]) -> StackedGame:
    """Player 0, who goes first, gathers ten dogs; the others play a party on the way."""
    others = {player: gather_and_play(f"rabbit:{COLORS[player]}") for player in (1, 2, 3)}
    script = [*(draw(dog) for dog in TEN_DOGS[1:]), *after]
    table = quiet_game("dog", "fox", overrides=overrides)
    return table.age({0: script, **others}, hands={0: TEN_DOGS[0]}, last_dragon=1)


def test_a_full_hand_of_wild_cards_passes_without_being_asked() -> None:
    played = ten_dogs(pass_turn(), pass_turn(), overrides=["hand_limit=10"]).play()
    assert len(played.of("pass", 0)) >= 2
    assert {event["player"] for event in played.of("pass")} == {0}


def test_with_the_switch_ten_wild_cards_may_be_played_and_win_at_once() -> None:
    played = ten_dogs(win(), overrides=WITH_SWITCH).play()
    party = played.party(0, 0)
    assert sorted(party["cards"]) == sorted(TEN_DOGS)
    assert played.events[-2] == party
    assert played.winners == [0]
    assert played.traced.game["winners"] == 1
    assert played.seats["won"].tolist() == [60, 0, 0, 0]


def test_ten_wild_cards_win_against_more_prestige() -> None:
    table = quiet_game("dog", "bear", overrides=WITH_SWITCH)
    table.age(
        {0: [*(draw(dog) for dog in TEN_DOGS[1:]), win()], 1: gather_and_play("bear:red")},
        hands={0: TEN_DOGS[0]},
    )
    played = table.play()
    assert played.events[-1]["prestige"] == [0, 4, 0, 0]
    assert played.winners == [0]


def test_with_the_switch_the_player_may_decline_and_passes() -> None:
    played = ten_dogs(decline("ten_wild"), win(), overrides=WITH_SWITCH).play()
    assert len(played.of("pass", 0)) == 1
    assert played.winners == [0]


def test_nine_wild_cards_and_another_make_a_party_of_ten() -> None:
    script = [*(draw(dog) for dog in TEN_DOGS[1:9]), draw("fox:red")]
    script += [play("fox:red", *TEN_DOGS[:9]), decline("token")]
    played = quiet_game("dog", "fox").age({0: script}, hands={0: TEN_DOGS[0]}).play()
    assert len(played.party(0, 0)["cards"]) == 10
    assert played.age_end(1)["parties"][0] == 0
    assert played.of("game_end")[0]["markers"][0] == 1


def test_a_party_of_wild_cards_alone_is_not_legal() -> None:
    table = quiet_game("dog", "fox").age({0: gather_and_play("dog:red", "dog:blue")})
    with pytest.raises(IllegalMove, match="let a wild card lead"):
        table.play()


def test_wild_cards_join_a_party_of_one_clan_in_many_colors() -> None:
    cards = ("rabbit:red", "rabbit:blue", "dog:green", "dog:white")
    played = quiet_game("dog", "fox").age({0: gather_and_play(*cards)}).play()
    assert played.party(0, 0)["region"] == "red"
    # Two rabbits are left, and a rabbit leads: they score as three.
    assert played.age_end(1)["parties"][0] == 3
