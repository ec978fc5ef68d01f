"""Ties in regions: token sums, the highest token, and sharing rounded down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from kit import Answer, build_up, gather_and_play, quiet_game, token

#: A region's prestige tokens: a place gets the highest of an age, or the next ones below it.
LOW, MIDDLE, HIGH = TOKENS = (4, 6, 8)

Scripts = Mapping[int, Sequence[Answer]]


def foxes(*takes: tuple[int, str]) -> list[Answer]:
    """For each (token, color): a party of as many cards as the token, led by the color's fox."""
    answers: list[Answer] = []
    for value, color in takes:
        cards = [f"fox:{color}", *(f"{c}:{color}" for c in ("rabbit", "tiger", "bear", "owl"))]
        answers += [*gather_and_play(*cards[:value]), token(value)]
    return answers


def one(clan: str) -> list[Answer]:
    """A marker in the red region."""
    return gather_and_play(f"{clan}:red")


RABBIT, TIGER, BEAR = one("rabbit"), one("tiger"), one("bear")
TWO, OTHER_TWO = (build_up("red", 2, clans) for clans in (("rabbit", "tiger"), ("bear", "owl")))

#: What is played in the ages, and what the red region brings at the end of some of them.
TIES: dict[str, tuple[list[Scripts], dict[int, list[int]]]] = {
    "the higher sum of tokens is ahead: 2 and 3 of 4": (
        [{0: [*RABBIT, *foxes((2, "blue"), (3, "green"))], 1: [*TIGER, *foxes((4, "white"))]}],
        {1: [LOW, 0, 0, 0]},
    ),
    "of equal sums the one with the highest token: 4 of 1 and 3": (
        [{0: [*RABBIT, *foxes((1, "blue"), (3, "green"))], 1: [*TIGER, *foxes((4, "white"))]}],
        {1: [0, LOW, 0, 0]},
    ),
    "tokens do not count against more markers": (
        [{0: TWO, 1: [*BEAR, *foxes((4, "blue"))]}],
        {1: [LOW, 0, 0, 0]},
    ),
    "tokens go back after the age and are taken anew": (
        [{0: foxes((1, "red")), 1: RABBIT}, {1: foxes((1, "blue"))}],
        {1: [LOW, 0, 0, 0], 2: [LOW, MIDDLE, 0, 0], 3: [(HIGH + MIDDLE) // 2] * 2 + [0, 0]},
    ),
    "without tokens three players share": (
        [{0: RABBIT, 1: TIGER, 2: BEAR}],
        {
            1: [LOW // 3] * 3 + [0],
            2: [(MIDDLE + LOW) // 3] * 3 + [0],
            3: [sum(TOKENS) // 3] * 3 + [0],
        },
    ),
    "all four players share three awards": (
        [{0: RABBIT, 1: TIGER, 2: BEAR, 3: RABBIT}],
        {3: [sum(TOKENS) // 4] * 4},
    ),
    "who follows a tie of two stands third, which pays in the third age only": (
        [{0: TWO, 1: OTHER_TWO, 2: TIGER}],
        {1: [2, 2, 0, 0], 2: [5, 5, 0, 0], 3: [7, 7, LOW, 0]},
    ),
    "a tie for second place shares what lies below": (
        [{0: TWO, 1: BEAR, 2: TIGER}],
        {2: [MIDDLE, 2, 2, 0], 3: [HIGH, 5, 5, 0]},
    ),
    "tokens decide a tie for second place": (
        [{0: TWO, 1: BEAR}, {2: foxes((1, "red"))}],
        {2: [MIDDLE, 0, LOW, 0]},
    ),
}


@pytest.mark.parametrize("tie", TIES)
def test_a_tie_in_a_region(tie: str) -> None:
    ages, won = TIES[tie]
    table = quiet_game("fox", "bear", tokens={"red": TOKENS})
    for scripts in ages:
        table.age(scripts)
    played = table.play()
    assert {age: played.region_won(age, "red") for age in won} == won


def test_equal_sums_and_equal_highest_tokens_share() -> None:
    """Two tokens of the same value: only a variant has them."""
    overrides = ["fox.tokens=[1, 1, 2, 3, 4, 5]"]
    table = quiet_game("fox", "bear", tokens={"red": TOKENS}, overrides=overrides)
    table.age({0: [*RABBIT, *foxes((1, "blue"))], 1: [*TIGER, *foxes((1, "white"))]})
    assert table.play().region_won(1, "red") == [2, 2, 0, 0]
