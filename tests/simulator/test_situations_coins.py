"""Coins on regions (R13) and the end of their supply."""

from __future__ import annotations

from kit import gather_and_play, quiet_game

COLORS = ("white", "green", "yellow", "black", "red", "blue")


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


def test_coins_enter_the_pool_of_a_shared_first_place() -> None:
    table = quiet_game(
        "raccoon", "bear", tokens={"red": (4, 6, 8)}, overrides=["raccoon.coins=[3]"]
    )
    table.age({0: gather_and_play("raccoon:red"), 1: gather_and_play("rabbit:red")})
    played = table.play()
    # (4 + 3) / 2 rounded down, of which 4 / 2 are the region's own.
    assert played.region_won(1, "red") == [3, 3, 0, 0]
    assert played.seats["coins"].tolist() == [1, 1, 0, 0]


def test_coins_do_not_reach_the_second_place() -> None:
    table = quiet_game(
        "raccoon", "bear", tokens={"red": (4, 6, 8)}, overrides=["raccoon.coins=[0, 3]"]
    )
    table.age({0: gather_and_play("rabbit:red")})
    table.age(
        {
            0: gather_and_play("rabbit:red", "tiger:red"),
            1: [*gather_and_play("raccoon:red"), *gather_and_play("raccoon:white")],
        }
    )
    played = table.play()
    assert played.region_won(2, "red") == [6, 4, 0, 0]


def test_coins_leave_the_game_with_their_age() -> None:
    table = quiet_game(
        "raccoon", "bear", tokens={"red": (4, 6, 8)}, overrides=["raccoon.coins=[2, 7]"]
    )
    table.age({0: gather_and_play("raccoon:red")})
    table.age({0: gather_and_play("raccoon:blue")})
    played = table.play()
    assert [played.region_won(age, "red")[0] for age in (1, 2, 3)] == [4 + 2, 6, 8]
    assert played.party(0, 1)["coin"] == 7


def test_two_coins_on_one_region_add_up() -> None:
    table = quiet_game(
        "raccoon", "bear", tokens={"red": (4, 6, 8)}, overrides=["raccoon.coins=[2, 7]"]
    )
    table.age({0: gather_and_play("raccoon:red"), 1: gather_and_play("raccoon:red", "tiger:red")})
    assert table.play().region_won(1, "red") == [(4 + 9) // 2, (4 + 9) // 2, 0, 0]


def test_the_fifteenth_raccoon_brings_nothing() -> None:
    """Twelve raccoons lead alone in the first age, three in the second; there are 14 coins."""
    table = quiet_game("raccoon", "bear")
    first = [f"raccoon:{color}" for color in COLORS for _ in range(2)]
    table.age(
        {
            player: [
                a for card in first[3 * player : 3 * player + 3] for a in gather_and_play(card)
            ]
            for player in range(4)
        }
    )
    second = [f"raccoon:{color}" for color in COLORS[:3]]
    table.age({player: gather_and_play(card) for player, card in enumerate(second)})
    played = table.play()
    coins = [event["coin"] for event in played.of("party")]
    assert coins == [*([1] * 5), *([2] * 5), *([3] * 4), None]
    assert played.summary.totals["coins"] == played.seats["coins"].tolist()


def test_a_raccoon_places_its_coin_even_where_it_places_no_marker() -> None:
    table = quiet_game("raccoon", "bear", tokens={"red": (4, 6, 8)})
    script = [*gather_and_play("rabbit:red"), *gather_and_play("raccoon:red")]
    played = table.age({0: script}).play()
    assert played.party(0, 1)["region"] is None
    assert played.region_won(1, "red")[0] == 4 + 1
