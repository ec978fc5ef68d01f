"""The worked examples of the 2nd edition's rulebook, played: Hiroshi, Emi and Wilfred.

Every number is what the kernel made of the situation; each game also passed the referee.
"""

from __future__ import annotations

from typing import Any

import pytest
from kit import (
    PlayedGame,
    StackedGame,
    build_up,
    decline,
    draw,
    draw_cards,
    empty_board,
    gather_and_play,
    keep,
    play,
    quiet_game,
    region,
    sea_region,
    settle,
    take,
    then_play,
    token,
)

HIROSHI, EMI, WILFRED = 0, 1, 2


def game(*others: str, **settings: Any) -> StackedGame:
    """A table of four with quiet clans and two others."""
    return quiet_game(*(others or ("bear", "fox")), **settings)


def test_hiroshi_recruits_the_green_rabbit_of_the_pool() -> None:
    played = game().age({HIROSHI: [take("rabbit:green")]}, pool=["rabbit:green"]).play()
    begin, recruit = played.of("age")[0], played.of("recruit", HIROSHI)[0]
    assert begin["pool"].count("rabbit:green") == 1
    assert recruit == {
        "event": "recruit",
        "player": HIROSHI,
        "source": "pool",
        "card": "rabbit:green",
        "dragons": 0,
    }


def test_emi_draws_from_the_deck_instead() -> None:
    played = game().age({EMI: [draw("fox:green")]}).play()
    recruit = played.of("recruit", EMI)[0]
    assert (recruit["source"], recruit["card"]) == ("deck", "fox:green")


def test_hiroshi_places_his_third_green_marker_with_three_rabbits() -> None:
    rabbits = ("rabbit:green", "rabbit:red", "rabbit:blue")
    script = [
        *build_up("green", 2, ("tiger", "owl")),
        draw("fox:white"),
        *gather_and_play(*rabbits),
    ]
    played = game().age({HIROSHI: script}).play()
    party = played.party(HIROSHI, -1)
    assert party["region"] == "green"
    assert party["discarded"] == ["fox:white"]
    assert played.of("game_end")[0]["markers"][HIROSHI] == 3


def test_emi_places_in_the_red_region_with_a_green_deer() -> None:
    script = [
        *build_up("green", 2, ("tiger", "owl")),
        *gather_and_play("deer:green", "rabbit:green"),
        region("red"),
    ]
    played = game("deer", "bear").age({EMI: script}).play()
    assert played.party(EMI, -1)["region"] == "red"
    assert played.region_won(1, "red")[EMI] > 0


@pytest.mark.parametrize(
    ("emis_markers", "won"), [(2, [6, 4, 0, 0]), (3, [5, 5, 0, 0])], ids=["behind", "tied"]
)
def test_hiroshi_emi_and_wilfred_at_the_end_of_the_second_age(
    emis_markers: int, won: list[int]
) -> None:
    table = game(tokens={"green": (4, 6, 8)})
    table.age(
        {
            HIROSHI: build_up("green", 3, ("rabbit", "tiger", "red_panda")),
            EMI: build_up("green", 2, ("bear", "owl")),
        }
    )
    third = gather_and_play("tiger:green", "tiger:red", "tiger:blue")
    table.age({EMI: third if emis_markers == 3 else [], WILFRED: gather_and_play("rabbit:green")})
    assert table.play().region_won(2, "green") == won


def test_hiroshis_three_parties_score_ten() -> None:
    script = [
        *gather_and_play("tiger:green", "owl:green"),
        *gather_and_play("fox:white", "fox:yellow", "fox:blue"),
        token(1),
        *gather_and_play("tiger:red", "owl:red", "bear:red", "fox:red"),
    ]
    played = game().age({HIROSHI: script}).play()
    assert [len(event["cards"]) for event in played.of("party", HIROSHI)] == [2, 3, 4]
    assert played.age_end(1)["parties"][HIROSHI] == 10


@pytest.mark.parametrize(("size", "placed"), [(3, None), (4, "blue")])
def test_with_two_players_hiroshi_needs_more_cards_than_both_have_markers(
    size: int, placed: str | None
) -> None:
    blue = ("rabbit:blue", "tiger:blue", "tiger:blue", "red_panda:blue")
    table = quiet_game("bear", players=2)
    table.age(
        {
            HIROSHI: [
                *gather_and_play("rabbit:blue"),
                *gather_and_play("rabbit:blue", "owl:blue", "tiger:blue"),
            ],
            EMI: gather_and_play("bear:blue", "bear:red"),
        }
    )
    table.age({HIROSHI: gather_and_play(*blue[:size])})
    played = table.play()
    assert [p["region"] for p in played.of("party")[:3]] == ["blue"] * 3
    assert played.party(HIROSHI, -1)["region"] == placed


def test_wilfreds_owl_is_followed_by_a_monkey() -> None:
    cards = ("owl:blue", "rabbit:blue", "monkey:red")
    script = [
        *(draw(card) for card in cards),
        play("owl:blue", "rabbit:blue"),
        then_play("monkey:red"),
        settle(),
        empty_board(),
    ]
    played = game("monkey", "fox").age({WILFRED: script}).play()
    owl, monkey = played.of("party", WILFRED)
    assert (owl["region"], owl["again"]) == ("blue", True)
    assert (monkey["region"], monkey["settled"], monkey["again"]) == ("red", "red", False)


def test_emis_four_cards_with_a_rabbit_score_as_five() -> None:
    script = gather_and_play("rabbit:red", "tiger:red", "owl:red", "fox:red")
    assert game().age({EMI: script}).play().age_end(1)["parties"][EMI] == 10


def test_hiroshi_keeps_three_of_four_cards_with_a_red_panda() -> None:
    rest = ("tiger:white", "owl:green", "fox:blue", "bear:black")
    script = [
        *(draw(card) for card in rest[1:]),
        *gather_and_play("red_panda:red", "red_panda:blue", "red_panda:green"),
        keep(*rest[:3]),
    ]
    played = game().age({HIROSHI: script}, hands={HIROSHI: rest[0]}).play()
    party = played.party(HIROSHI, 0)
    assert sorted(party["kept"]) == sorted(rest[:3])
    assert party["discarded"] == ["bear:black"]


def test_wilfred_takes_the_bear_token_from_hiroshi_with_a_larger_party() -> None:
    played = (
        game()
        .age(
            {
                HIROSHI: gather_and_play("bear:red", "bear:blue", "bear:green"),
                WILFRED: gather_and_play("bear:white", "bear:red", "bear:yellow", "bear:black"),
            }
        )
        .play()
    )
    assert played.party(HIROSHI, 0)["largest"]
    assert played.party(WILFRED, 0)["largest"]
    assert played.age_end(1)["largest"] == [0, 0, 4, 0]
    assert played.seats["largest"].tolist() == [4, 0, 4 + 4, 0]


def test_wilfreds_coin_raises_the_blue_regions_award_in_the_second_age() -> None:
    table = game("raccoon", "fox", tokens={"blue": (4, 6, 8)})
    table.age({WILFRED: gather_and_play("rabbit:blue")})
    table.age({WILFRED: gather_and_play("raccoon:blue", "tiger:blue")})
    played = table.play()
    party = played.party(WILFRED, -1)
    assert (party["region"], party["coin"]) == ("blue", 1)
    assert played.region_won(1, "blue")[WILFRED] == 4
    assert played.region_won(2, "blue")[WILFRED] == 6 + 1
    assert played.region_won(3, "blue")[WILFRED] == 8
    assert played.seats["coins"][WILFRED] == 1


@pytest.mark.parametrize("anywhere", ["white", "green"])
def test_emis_koi_passes_a_symbol_and_adds_a_marker_anywhere(anywhere: str) -> None:
    script = [
        *build_up("green", 2, ("tiger", "owl")),
        *gather_and_play("koi:green", "koi:red", "koi:blue"),
        sea_region(anywhere),
    ]
    played = game("koi", "fox").age({EMI: script}).play()
    party = played.party(EMI, -1)
    assert (party["region"], party["sea"], party["sea_regions"]) == ("green", 3, [anywhere])
    assert played.age_end(1)["sea"] == [0, 2, 0, 0]
    assert played.of("game_end")[0]["markers"][EMI] == 4


@pytest.mark.parametrize(("leader", "placed"), [("tiger:red", "red"), ("rabbit:red", None)])
def test_wilfreds_fourth_red_marker_takes_three_cards_with_a_tiger(
    leader: str, placed: str | None
) -> None:
    table = game("fox", "bear")
    table.age({WILFRED: build_up("red", 3, ("rabbit", "owl", "red_panda"))})
    table.age({WILFRED: gather_and_play(leader, "owl:red", "owl:red")})
    assert table.play().party(WILFRED, -1)["region"] == placed


@pytest.mark.parametrize("migrate", [True, False])
def test_hiroshi_settles_in_yellow_and_may_migrate(migrate: bool) -> None:
    script = [
        *build_up("yellow", 2, ("tiger", "owl")),
        *gather_and_play("monkey:yellow", "rabbit:yellow", "fox:yellow", "fox:yellow"),
        settle(),
    ]
    table = game("monkey", "fox")
    table.age({HIROSHI: [*script, empty_board() if migrate else decline("empty_board")]})
    table.age({HIROSHI: [] if migrate else [empty_board()]})
    played = table.play()
    party = played.party(HIROSHI, -1)
    assert (party["region"], party["settled"]) == ("yellow", "yellow")
    assert played.age_end(1)["settlement"][HIROSHI] == (1 if migrate else 0)
    assert played.age_end(2)["settlement"][HIROSHI] == (0 if migrate else 1)


def test_emis_two_dogs_leave_before_her_party_scores() -> None:
    script = gather_and_play("tiger:red", "owl:red", "rabbit:red", "dog:blue", "dog:green")
    played = game("dog", "fox").age({EMI: script}).play()
    assert len(played.party(EMI, 0)["cards"]) == 5
    assert played.age_end(1)["parties"][EMI] == 3


def _fox_game(wilfreds_token: int) -> PlayedGame:
    """Wilfred and Emi tie in the blue region; Wilfred's party of four foxes took a token."""
    foxes = ("fox:blue", "fox:red", "fox:green", "fox:white")
    table = game("fox", "bear", tokens={"blue": (6, 6, 8)})
    table.age(
        {
            WILFRED: [*gather_and_play(*foxes), token(wilfreds_token)],
            EMI: gather_and_play("rabbit:blue"),
        }
    )
    return table.play()


@pytest.mark.parametrize("value", [1, 2, 3, 4])
def test_wilfreds_fox_token_decides_the_tie(value: int) -> None:
    played = _fox_game(value)
    assert played.party(WILFRED, 0)["token"] == value
    assert played.region_won(1, "blue") == [0, 0, 6, 0]


@pytest.mark.parametrize("color", ["green", "red", "white"])
def test_emis_deer_places_where_she_has_two_markers_or_fewer(color: str) -> None:
    script = [
        *build_up("green", 2, ("tiger", "owl")),
        *gather_and_play("deer:green", "rabbit:green", "rabbit:green"),
        region(color),
    ]
    assert game("deer", "bear").age({EMI: script}).play().party(EMI, -1)["region"] == color


def test_hiroshi_discards_two_cards_and_draws_two_with_a_raven() -> None:
    script = [
        draw("tiger:white"),
        *gather_and_play("raven:red", "raven:blue"),
        draw_cards("bear:red", "owl:green"),
    ]
    played = game("raven", "bear").age({HIROSHI: script}, hands={HIROSHI: "owl:black"}).play()
    party = played.party(HIROSHI, 0)
    assert sorted(party["discarded"]) == ["owl:black", "tiger:white"]
    assert party["drawn"] == ["bear:red", "owl:green"]
