"""Two players' own scoring, at sea too (R12), and three players without it."""

from __future__ import annotations

import pytest
from kit import build_up, gather_and_play, quiet_game, token

RED = {"red": (4, 8)}
THREE_RED = ("rabbit:red", "tiger:red", "tiger:red")


def test_the_first_age_scores_the_first_place_alone() -> None:
    table = quiet_game("bear", players=2, tokens=RED)
    table.age({0: gather_and_play("rabbit:red", "tiger:red"), 1: gather_and_play("tiger:blue")})
    played = table.play()
    assert played.region_won(1, "red") == [4, 0]


def test_alone_in_a_region_a_player_wins_both_awards_in_the_second_age() -> None:
    played = quiet_game("bear", players=2, tokens=RED).age({1: gather_and_play("rabbit:red")})
    assert played.play().region_won(2, "red") == [0, 4 + 8]


def test_in_the_second_age_the_second_place_wins_nothing() -> None:
    table = quiet_game("bear", players=2, tokens=RED)
    table.age(
        {
            0: [*gather_and_play("rabbit:red"), *gather_and_play(*THREE_RED)],
            1: gather_and_play("bear:red", "bear:blue"),
        }
    )
    played = table.play()
    assert played.of("game_end")[0]["markers"] == [2, 1]
    assert played.region_won(2, "red") == [8, 0]


def test_a_tie_in_the_second_age_shares_the_higher_award_alone() -> None:
    table = quiet_game("bear", players=2, tokens=RED)
    table.age({0: gather_and_play("rabbit:red"), 1: gather_and_play("bear:red", "bear:blue")})
    played = table.play()
    assert played.region_won(1, "red") == [2, 2]
    assert played.region_won(2, "red") == [4, 4]


def test_a_tie_of_an_odd_award_is_rounded_down() -> None:
    overrides = [f"prestige_tokens.base={[5] * 12}"]
    table = quiet_game("bear", players=2, overrides=overrides)
    table.age({0: gather_and_play("rabbit:red"), 1: gather_and_play("bear:red", "bear:blue")})
    assert table.play().region_won(2, "red") == [2, 2]


def test_tie_break_tokens_decide_and_leave_the_loser_nothing() -> None:
    table = quiet_game("fox", players=2, tokens=RED)
    table.age({0: gather_and_play("rabbit:red")})
    table.age({1: [*gather_and_play("fox:red", "fox:blue"), token(2)]})
    assert table.play().region_won(2, "red") == [0, 8]


@pytest.mark.parametrize(
    ("spaces", "second_age"),
    [((2, 0), [2 + 6, 0]), ((2, 1), [6, 0]), ((2, 2), [3, 3])],
    ids=["alone", "ahead", "tied"],
)
def test_the_sea_track_follows_the_two_player_rule(
    spaces: tuple[int, int], second_age: list[int]
) -> None:
    scripts = {
        player: gather_and_play(*[("koi:red", "koi:blue"), ("koi:green", "koi:white")][player][:n])
        for player, n in enumerate(spaces)
        if n
    }
    played = quiet_game("koi", players=2).age(scripts).play()
    assert played.age_end(2)["sea"] == second_age


def test_three_players_score_the_second_age_as_usual() -> None:
    table = quiet_game("bear", players=3, tokens=RED)
    table.age(
        {
            0: build_up("red", 2, ("rabbit", "tiger")),
            1: gather_and_play("bear:red"),
            2: gather_and_play("bear:blue"),
        }
    )
    played = table.play()
    assert played.region_won(1, "red") == [4, 0, 0]
    assert played.region_won(2, "red") == [8, 4, 0]
    assert played.region_won(2, "blue")[2] > 0


def test_three_players_alone_in_a_region_win_one_award() -> None:
    played = quiet_game("bear", players=3, tokens=RED).age({0: gather_and_play("rabbit:red")})
    assert played.play().region_won(2, "red") == [8, 0, 0]


def test_three_players_need_only_outnumber_their_own_markers() -> None:
    table = quiet_game("bear", players=3, tokens=RED)
    table.age({0: gather_and_play("rabbit:red"), 1: gather_and_play("bear:red")})
    assert table.play().region_won(1, "red") == [2, 2, 0]


@pytest.mark.parametrize(("players", "ages"), [(2, 2), (3, 2), (4, 3), (5, 3), (6, 3)])
def test_two_and_three_players_play_two_ages(players: int, ages: int) -> None:
    others = ("bear",) if players <= 3 else ("bear", "fox")
    played = quiet_game(*others, players=players).play()
    assert len(played.of("age_end")) == ages
    assert len(played.events[0]["pool"]) == (8 if players == 2 else 2 * players)
