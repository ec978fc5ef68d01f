"""The settlement board: full, emptied, kept, and at the game's end (R6, R15)."""

from __future__ import annotations

from kit import Answer, StackedGame, decline, empty_board, gather_and_play, quiet_game, settle

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
