"""The sea track: its end, several symbols in one move, ties (R6, R11)."""

from __future__ import annotations

from kit import StackedGame, decline, gather_and_play, quiet_game, sea_region, token

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
