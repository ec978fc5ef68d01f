"""Ties in regions: token sums, the highest token, and sharing rounded down."""

from __future__ import annotations

from kit import Answer, build_up, gather_and_play, quiet_game, token

TOKENS = {"red": (4, 6, 8)}


def foxes(*takes: tuple[int, str]) -> list[Answer]:
    """For each (token, color): a party of as many cards as the token, led by the color's fox."""
    answers: list[Answer] = []
    for value, color in takes:
        cards = [f"fox:{color}", *(f"{c}:{color}" for c in ("rabbit", "tiger", "bear", "owl"))]
        answers += [*gather_and_play(*cards[:value]), token(value)]
    return answers


def one_marker(clan: str = "rabbit") -> list[Answer]:
    """A marker in the red region."""
    return gather_and_play(f"{clan}:red")


def test_the_higher_sum_of_tokens_is_ahead() -> None:
    """2 + 3 beats 4, although 4 is the highest single token."""
    table = quiet_game("fox", "bear", tokens=TOKENS)
    table.age(
        {
            0: [*one_marker(), *foxes((2, "blue"), (3, "green"))],
            1: [*one_marker("tiger"), *foxes((4, "white"))],
        }
    )
    assert table.play().region_won(1, "red") == [4, 0, 0, 0]


def test_equal_sums_are_decided_by_the_highest_token() -> None:
    """1 + 3 against 4."""
    table = quiet_game("fox", "bear", tokens=TOKENS)
    table.age(
        {
            0: [*one_marker(), *foxes((1, "blue"), (3, "green"))],
            1: [*one_marker("tiger"), *foxes((4, "white"))],
        }
    )
    assert table.play().region_won(1, "red") == [0, 4, 0, 0]


def test_equal_sums_and_equal_highest_tokens_share() -> None:
    """Two tokens of the same value: only a variant has them."""
    table = quiet_game("fox", "bear", tokens=TOKENS, overrides=["fox.tokens=[1, 1, 2, 3, 4, 5]"])
    table.age(
        {
            0: [*one_marker(), *foxes((1, "blue"))],
            1: [*one_marker("tiger"), *foxes((1, "white"))],
        }
    )
    assert table.play().region_won(1, "red") == [2, 2, 0, 0]


def test_tokens_do_not_count_against_more_markers() -> None:
    table = quiet_game("fox", "bear", tokens=TOKENS)
    table.age(
        {0: build_up("red", 2, ("rabbit", "tiger")), 1: [*one_marker("bear"), *foxes((4, "blue"))]}
    )
    assert table.play().region_won(1, "red") == [4, 0, 0, 0]


def test_tokens_go_back_after_the_age() -> None:
    """Player 0 wins the tie in the first age only; in the second the token is taken anew."""
    table = quiet_game("fox", "bear", tokens=TOKENS)
    table.age({0: foxes((1, "red")), 1: one_marker()})
    table.age({1: foxes((1, "blue"))})
    played = table.play()
    assert played.region_won(1, "red") == [4, 0, 0, 0]
    assert played.region_won(2, "red") == [4, 6, 0, 0]
    assert played.region_won(3, "red") == [7, 7, 0, 0]


def test_without_tokens_three_players_share_the_first_age() -> None:
    table = quiet_game("fox", "bear", tokens=TOKENS)
    table.age({player: one_marker(("rabbit", "tiger", "bear")[player]) for player in range(3)})
    played = table.play()
    assert played.region_won(1, "red") == [4 // 3] * 3 + [0]
    assert played.region_won(2, "red") == [(6 + 4) // 3] * 3 + [0]
    assert played.region_won(3, "red") == [(8 + 6 + 4) // 3] * 3 + [0]


def test_all_four_players_share_three_awards() -> None:
    table = quiet_game("fox", "bear", tokens=TOKENS)
    clans = ("rabbit", "tiger", "bear", "rabbit")
    table.age({player: one_marker(clan) for player, clan in enumerate(clans)})
    assert table.play().region_won(3, "red") == [(8 + 6 + 4) // 4] * 4


def test_who_follows_a_tie_stands_on_the_next_place() -> None:
    """Two share first and second place; the third gets the third award, in the third age only."""
    table = quiet_game("fox", "bear", tokens=TOKENS)
    table.age(
        {
            0: build_up("red", 2, ("rabbit", "tiger")),
            1: build_up("red", 2, ("bear", "red_panda")),
            2: one_marker("tiger"),
        }
    )
    played = table.play()
    assert played.region_won(1, "red") == [2, 2, 0, 0]
    assert played.region_won(2, "red") == [5, 5, 0, 0]
    assert played.region_won(3, "red") == [7, 7, 4, 0]


def test_a_tie_for_second_place_shares_what_lies_below() -> None:
    table = quiet_game("fox", "bear", tokens={"red": (4, 6, 8)})
    table.age(
        {
            0: build_up("red", 2, ("rabbit", "tiger")),
            1: one_marker("bear"),
            2: one_marker("tiger"),
        }
    )
    played = table.play()
    assert played.region_won(2, "red") == [6, 2, 2, 0]
    assert played.region_won(3, "red") == [8, 5, 5, 0]


def test_tokens_decide_a_tie_for_second_place() -> None:
    table = quiet_game("fox", "bear", tokens=TOKENS)
    table.age({0: build_up("red", 2, ("rabbit", "tiger")), 1: one_marker("bear")})
    table.age({2: foxes((1, "red"))})
    played = table.play()
    assert played.region_won(2, "red") == [6, 0, 4, 0]
