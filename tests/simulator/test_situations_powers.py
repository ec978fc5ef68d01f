"""Situations of powers that random games hardly reach; the referee checks them too."""

from itertools import chain, pairwise

import pytest
from kit.situations import (
    Answer,
    StackedGame,
    decline,
    draw,
    draw_cards,
    empty_board,
    gather_and_play,
    play,
    quiet_game,
    sea_region,
    settle,
    take,
    win,
)

REGION_COLORS = ("white", "green", "yellow", "black", "red", "blue")


def test_a_coin_in_a_region_without_markers_is_lost() -> None:
    """Player 0 has placed the last marker, so the raccoon leads into an empty region."""
    script = [*gather_and_play("rabbit:red"), *gather_and_play("rabbit:blue")]
    script += gather_and_play("raccoon:green")
    table = quiet_game("raccoon", "bear", overrides=["markers=3", "raccoon.coins=[5, 6]"])
    played = table.age({0: script}).play()
    party = played.party(0, -1)
    assert (party["region"], party["coin"]) == (None, 5)
    assert [played.region_won(age, "green") for age in (1, 2, 3)] == [[0, 0, 0, 0]] * 3
    assert played.seats["coins"].tolist() == [0, 0, 0, 0]


def test_the_fifteenth_raccoon_brings_nothing() -> None:
    """Twelve raccoons lead alone in the first age and three in the second; there are 14 coins."""
    first = [gather_and_play(f"raccoon:{color}") for color in REGION_COLORS for _ in range(2)]
    table = quiet_game("raccoon", "bear")
    table.age({player: [*chain(*first[3 * player :][:3])] for player in range(4)})
    played = table.age(dict(enumerate(first[:6:2]))).play()
    coins = [event["coin"] for event in played.of("party")]
    assert coins == [*([1] * 5), *([2] * 5), *([3] * 4), None]


TEN_DOGS = tuple(f"dog:{color}" for color in REGION_COLORS[:5] for _ in range(2))
WITH_SWITCH = ["hand_limit=10", "ten_wild_wins=true"]


def ten_dogs(*after: Answer, overrides: list[str]) -> StackedGame:
    """Player 0 gathers ten dogs; the others play a party each, and then draw while he waits."""
    others = {
        player: [*gather_and_play(f"rabbit:{REGION_COLORS[player]}"), *[draw()] * 8]
        for player in (1, 2, 3)
    }
    script = [*(draw(dog) for dog in TEN_DOGS[1:]), *after]
    table = quiet_game("dog", "fox", overrides=overrides)
    return table.age({0: script, **others}, hands={0: TEN_DOGS[0]}, last_dragon=1)


def test_a_full_hand_of_wild_cards_passes_without_being_asked() -> None:
    played = ten_dogs(overrides=["hand_limit=10"]).play()
    assert len(played.of("pass", 0)) >= 2
    assert {event["player"] for event in played.of("pass")} == {0}


def test_with_ten_wild_wins_the_player_may_decline_and_passes() -> None:
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


SHORT = ["koi.last_space=6", "koi.symbols=[2, 4, 6]"]
FIVE = tuple(f"koi:{color}" for color in ("red", "white", "green", "yellow", "black"))


def short_sea() -> StackedGame:
    """A sea track with six spaces and three symbols."""
    return quiet_game("koi", "fox", overrides=SHORT)


def test_a_marker_at_the_end_of_the_track_stays_and_passes_no_symbol() -> None:
    script = [*gather_and_play(*FIVE), sea_region("red"), sea_region("blue")]
    script += [*gather_and_play("koi:blue", "koi:red", "koi:white"), sea_region("green")]
    table = short_sea().age({0: script})
    played = table.age({0: gather_and_play("koi:red", "koi:white", "koi:green")}).play()
    assert [event["sea"] for event in played.of("party", 0)] == [5, 6, 6]
    assert [len(event["sea_regions"]) for event in played.of("party", 0)] == [2, 1, 0]


def settle_in(*colors: str) -> list[Answer]:
    """Play a lone monkey of each color, and place a settlement marker each time."""
    return [a for color in colors for a in (*gather_and_play(f"monkey:{color}"), settle())]


def full_board(*last: Answer) -> StackedGame:
    """Player 0 fills the board in the first age."""
    return quiet_game("monkey", "bear").age({0: [*settle_in(*REGION_COLORS), *last]})


def test_a_full_board_is_emptied_for_twenty() -> None:
    played = full_board(empty_board()).play()
    assert played.age_end(1)["settlement"] == [20, 0, 0, 0]
    assert played.age_end(2)["settlement"] == [0, 0, 0, 0]


def test_a_full_board_that_is_kept_takes_no_marker_and_scores_at_the_games_end() -> None:
    table = full_board(decline("empty_board"))
    table.age({0: [*gather_and_play("monkey:red"), decline("empty_board")]})
    played = table.play()
    assert played.party(0, -1)["settled"] is None
    assert [played.age_end(age)["settlement"][0] for age in (1, 2, 3)] == [0, 0, 20]
    assert played.age_end(3)["emptied"] == [True] * 4


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
