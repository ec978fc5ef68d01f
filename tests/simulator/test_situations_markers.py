"""Markers: without any left, on the sea track, on settlement boards."""

from __future__ import annotations

from kit import (
    Answer,
    StackedGame,
    decline,
    empty_board,
    gather_and_play,
    quiet_game,
    sea_region,
    settle,
    token,
)

THREE_MARKERS = ["markers=3"]


def test_without_markers_a_party_places_none_in_a_region() -> None:
    script = [
        answer
        for color in ("red", "blue", "green")
        for answer in gather_and_play(f"rabbit:{color}")
    ]
    played = quiet_game("fox", "bear", overrides=THREE_MARKERS).age({0: script}).play()
    assert [event["region"] for event in played.of("party", 0)] == ["red", "blue", None]
    assert played.seats["markers"][0] == 2


def test_without_markers_a_symbol_of_the_sea_track_asks_nothing() -> None:
    """One marker keeps the score, one is at sea, and the third goes to the region."""
    script = gather_and_play("koi:red", "koi:blue", "koi:green")
    played = quiet_game("koi", "bear", overrides=THREE_MARKERS).age({0: script}).play()
    party = played.party(0, 0)
    assert (party["region"], party["sea"], party["sea_regions"]) == ("red", 3, [])


def test_the_last_marker_goes_to_the_first_of_two_symbols() -> None:
    overrides = ["markers=4", "koi.symbols=[1, 3]"]
    script = [*gather_and_play("koi:red", "koi:blue", "koi:green"), sea_region("white")]
    played = quiet_game("koi", "bear", overrides=overrides).age({0: script}).play()
    party = played.party(0, 0)
    assert (party["region"], party["sea_regions"]) == ("red", ["white"])


def test_without_markers_nothing_is_settled() -> None:
    script = [*gather_and_play("monkey:red"), settle(), *gather_and_play("monkey:blue")]
    table = quiet_game("monkey", "bear", overrides=THREE_MARKERS)
    played = table.age({0: [*script, empty_board()]}).play()
    assert [(e["region"], e["settled"]) for e in played.of("party", 0)] == [
        ("red", "red"),
        (None, None),
    ]


def test_markers_off_the_settlement_board_can_be_placed_again() -> None:
    table = quiet_game("monkey", "bear", overrides=THREE_MARKERS)
    table.age({0: [*gather_and_play("monkey:red"), settle(), empty_board()]})
    table.age({0: gather_and_play("rabbit:blue")})
    played = table.play()
    assert played.party(0, -1)["region"] == "blue"
    assert played.seats["markers"][0] == 2


def test_an_owl_without_a_marker_to_place_is_not_followed() -> None:
    script = [*gather_and_play("rabbit:red"), *gather_and_play("rabbit:blue")]
    script += gather_and_play("owl:green")
    played = quiet_game("fox", "bear", overrides=THREE_MARKERS).age({0: script}).play()
    party = played.party(0, -1)
    assert (party["region"], party["again"]) == (None, False)


SHORT = ["koi.last_space=6", "koi.symbols=[2, 4, 6]"]
FIVE = tuple(f"koi:{color}" for color in ("red", "white", "green", "yellow", "black"))


def short_sea(**settings: object) -> StackedGame:
    """A sea track of six spaces with three symbols."""
    return quiet_game("koi", "fox", overrides=SHORT, **settings)


def test_one_move_over_two_symbols_gives_two_markers() -> None:
    script = [*gather_and_play(*FIVE), sea_region("red"), sea_region("red")]
    played = short_sea().age({0: script}).play()
    party = played.party(0, 0)
    assert (party["region"], party["sea"], party["sea_regions"]) == ("red", 5, ["red", "red"])
    assert played.of("game_end")[0]["markers"][0] == 3


def test_each_extra_marker_may_be_declined_alone() -> None:
    script = [*gather_and_play(*FIVE), decline("sea_region"), sea_region("blue")]
    played = short_sea().age({0: script}).play()
    assert played.party(0, 0)["sea_regions"] == ["blue"]
    assert played.summary.optional["extra sea marker declined"] == 1


def test_a_marker_at_the_end_of_the_track_stays_and_passes_nothing_more() -> None:
    table = short_sea()
    table.age(
        {
            0: [
                *gather_and_play(*FIVE),
                sea_region("red"),
                sea_region("blue"),
                *gather_and_play("koi:blue", "koi:red", "koi:white"),
                sea_region("green"),
            ]
        }
    )
    table.age({0: gather_and_play("koi:red", "koi:white", "koi:green")})
    played = table.play()
    assert [event["sea"] for event in played.of("party", 0)] == [5, 6, 6]
    assert [len(event["sea_regions"]) for event in played.of("party", 0)] == [2, 1, 0]


def test_the_track_keeps_its_markers_and_scores_every_age() -> None:
    table = quiet_game("koi", "fox")
    table.age({0: gather_and_play("koi:red", "koi:blue"), 1: gather_and_play("koi:green")})
    played = table.play()
    assert [played.age_end(age)["sea"] for age in (1, 2, 3)] == [
        [2, 0, 0, 0],
        [4, 2, 0, 0],
        [8, 4, 0, 0],
    ]


def test_equal_spaces_share_and_space_zero_takes_no_place() -> None:
    table = quiet_game("koi", "fox")
    table.age({player: gather_and_play(f"koi:{FIVE[player][4:]}") for player in (0, 1)})
    played = table.play()
    assert [played.age_end(age)["sea"] for age in (1, 2, 3)] == [
        [1, 1, 0, 0],
        [3, 3, 0, 0],
        [6, 6, 0, 0],
    ]


def test_tie_break_tokens_decide_at_sea_too() -> None:
    table = quiet_game("koi", "fox")
    table.age(
        {
            0: gather_and_play("koi:red"),
            1: [*gather_and_play("koi:blue"), *gather_and_play("fox:blue"), token(1)],
        }
    )
    assert table.play().age_end(1)["sea"] == [0, 2, 0, 0]


COLORS = ("white", "green", "yellow", "black", "red", "blue")


def settle_in(*colors: str) -> list[Answer]:
    """A monkey alone for each color, each settling."""
    return [a for color in colors for a in (*gather_and_play(f"monkey:{color}"), settle())]


def full_board(*last: Answer) -> StackedGame:
    """Player 0 fills the board in the first age."""
    return quiet_game("monkey", "bear").age({0: [*settle_in(*COLORS), *last]})


def test_a_full_board_is_emptied_for_twenty() -> None:
    played = full_board(empty_board()).play()
    assert played.age_end(1)["settlement"] == [20, 0, 0, 0]
    assert played.age_end(2)["settlement"] == [0, 0, 0, 0]


def test_a_full_board_kept_takes_no_marker_and_scores_at_the_games_end() -> None:
    table = full_board(decline("empty_board"))
    table.age({0: [*gather_and_play("monkey:red"), decline("empty_board")]})
    played = table.play()
    assert played.party(0, -1)["settled"] is None
    assert [played.age_end(age)["settlement"][0] for age in (1, 2, 3)] == [0, 0, 20]
    assert played.age_end(3)["emptied"] == [True] * 4


def test_a_board_is_filled_across_ages() -> None:
    table = quiet_game("monkey", "bear")
    table.age({0: [*settle_in("red", "blue"), decline("empty_board")]})
    table.age({0: [*settle_in("green", "black"), empty_board()]})
    played = table.play()
    assert [played.age_end(age)["settlement"][0] for age in (1, 2)] == [0, 10]


def test_after_emptying_the_same_space_is_free_again() -> None:
    table = quiet_game("monkey", "bear")
    table.age({0: [*settle_in("red"), empty_board()]})
    table.age({0: [*settle_in("red"), empty_board()]})
    played = table.play()
    assert [event["settled"] for event in played.of("party", 0)] == ["red", "red"]
    assert played.party(0, 1)["region"] is None
    assert played.seats["settlement"][0] == 1 + 1


def test_settling_may_be_declined() -> None:
    script = [*gather_and_play("monkey:red"), decline("settle")]
    played = quiet_game("monkey", "bear").age({0: script}).play()
    party = played.party(0, 0)
    assert (party["region"], party["settled"]) == ("red", None)
    assert played.summary.optional["settlement marker declined"] == 1


def test_every_player_decides_about_an_own_board() -> None:
    table = quiet_game("monkey", "bear")
    table.age(
        {
            1: [*settle_in("red"), empty_board()],
            2: [*settle_in("red", "blue"), decline("empty_board")],
            3: [*settle_in("green"), empty_board()],
        }
    )
    table.age({2: [empty_board()]})
    played = table.play()
    assert played.age_end(1)["settlement"] == [0, 1, 0, 1]
    assert played.age_end(1)["emptied"] == [False, True, False, True]
    assert played.age_end(2)["settlement"] == [0, 0, 3, 0]
