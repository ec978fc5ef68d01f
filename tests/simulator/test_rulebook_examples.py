"""The worked examples of both editions' rulebooks, played with the names of the 2nd edition.

In the 2nd edition's rulebook they are about Hiroshi, Emi and Wilfred. In the 1st edition's they are
about Roderick, Alexis and Wilfred (in Polish Piotr, Ewa and Tomek), with dwarves for rabbits and
Duris for the green region.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

import pytest
from kit.situations import (
    Answer,
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
    then_play,
    token,
    win,
)

HIROSHI, EMI, WILFRED = 0, 1, 2

FOUR_RED = "tiger:red red_panda:red bear:red fox:red"


def game(*others: str, **settings: Any) -> StackedGame:
    """A table with two quiet clans and others."""
    return quiet_game(*(others or ("bear", "fox")), **settings)


def test_hiroshi_places_his_third_green_marker_with_three_rabbits() -> None:
    rabbits = gather_and_play("rabbit:green", "rabbit:red", "rabbit:blue")
    script = [*build_up("green", 2, ("tiger", "owl")), draw("fox:white"), *rabbits]
    played = game().age({HIROSHI: script}).play()
    party = played.party(HIROSHI, -1)
    assert (party["region"], party["discarded"]) == ("green", ["fox:white"])
    assert played.of("game_end")[0]["markers"][HIROSHI] == 3


@pytest.mark.parametrize("tied", [False, True])
def test_hiroshi_emi_and_wilfred_at_the_end_of_the_second_age(tied):
    low, high, _ = tokens = (4, 6, 8)
    three = build_up("green", 3, ("rabbit", "tiger", "red_panda"))
    table = game(tokens={"green": tokens})
    table.age({HIROSHI: three, EMI: build_up("green", 2, ("bear", "owl"))})
    third = gather_and_play("tiger:green", "tiger:red", "tiger:blue")
    table.age({EMI: third if tied else [], WILFRED: gather_and_play("rabbit:green")})
    won = [(low + high) // 2] * 2 if tied else [high, low]
    assert table.play().region_won(2, "green") == [*won, 0, 0]


@pytest.mark.parametrize(
    ("parties", "points"),
    [
        (["tiger:green owl:green", "tiger:white owl:white bear:white", FOUR_RED], 1 + 3 + 6),
        (["tiger:black owl:black", "rabbit:green rabbit:red rabbit:blue", FOUR_RED], 1 + 6 + 6),
        (["rabbit:red tiger:red owl:red fox:red"], 10),
    ],
    ids=["Hiroshi's three parties", "Piotr's three bands", "Emi's four cards with a rabbit"],
)
def test_parties_score_by_their_cards_and_with_a_rabbit_by_one_more(parties, points: int) -> None:
    script = chain(*(gather_and_play(*party.split()) for party in parties))
    assert game().age({HIROSHI: [*script]}).play().age_end(1)["parties"][HIROSHI] == points


@pytest.mark.parametrize(("size", "placed"), [(3, None), (4, "blue")])
@pytest.mark.parametrize("player", [HIROSHI, EMI])
def test_with_two_players_one_needs_more_cards_than_both_have_markers(player, size, placed):
    more = gather_and_play("rabbit:blue", "owl:blue", "tiger:blue")
    table = game("bear", players=2)
    bears = gather_and_play("bear:blue", "bear:red")
    table.age({HIROSHI: [*gather_and_play("rabbit:blue"), *more], EMI: bears})
    blue = ("rabbit:blue", "tiger:blue", "tiger:blue", "red_panda:blue")
    played = table.age({player: gather_and_play(*blue[:size])}).play()
    assert [event["region"] for event in played.of("party")[:3]] == ["blue"] * 3
    assert played.party(player, -1)["region"] == placed


def test_wilfreds_owl_is_followed_by_a_monkey() -> None:
    drawn = [draw(card) for card in ("owl:blue", "rabbit:blue", "monkey:red")]
    parties = [play("owl:blue", "rabbit:blue"), then_play("monkey:red"), settle()]
    played = game("monkey", "fox").age({WILFRED: [*drawn, *parties, empty_board()]}).play()
    owl, monkey = played.of("party", WILFRED)
    assert (owl["region"], owl["again"]) == ("blue", True)
    assert (monkey["region"], monkey["settled"], monkey["again"]) == ("red", "red", False)


def test_hiroshi_keeps_three_of_four_cards_with_a_red_panda() -> None:
    rest = ("tiger:white", "owl:green", "fox:blue", "bear:black")
    pandas = gather_and_play("red_panda:red", "red_panda:blue", "red_panda:green")
    script = [*(draw(card) for card in rest[1:]), *pandas, keep(*rest[:3])]
    played = game().age({HIROSHI: script}, hands={HIROSHI: rest[0]}).play()
    party = played.party(HIROSHI, 0)
    assert sorted(party["kept"]) == sorted(rest[:3])
    assert party["discarded"] == ["bear:black"]


def test_wilfred_takes_the_bear_token_from_hiroshi_with_a_larger_party():
    larger = gather_and_play("bear:white", "bear:red", "bear:yellow", "bear:black")
    scripts = {HIROSHI: gather_and_play("bear:red", "bear:blue", "bear:green"), WILFRED: larger}
    played = game().age(scripts).play()
    on_take = 4
    assert played.party(HIROSHI, 0)["largest"]
    assert played.party(WILFRED, 0)["largest"]
    assert played.age_end(1)["largest"] == [0, 0, on_take, 0]
    assert played.seats["largest"].tolist() == [on_take, 0, on_take + on_take, 0]


def test_wilfreds_coin_raises_the_blue_regions_award_in_the_second_age() -> None:
    table = game("raccoon", "fox", tokens={"blue": (4, 6, 8)})
    table.age({WILFRED: gather_and_play("rabbit:blue")})
    played = table.age({WILFRED: gather_and_play("raccoon:blue", "tiger:blue")}).play()
    party = played.party(WILFRED, -1)
    assert (party["region"], party["coin"]) == ("blue", 1)
    assert [played.region_won(age, "blue")[WILFRED] for age in (1, 2, 3)] == [4, 6 + 1, 8]
    assert played.seats["coins"][WILFRED] == 1


@pytest.mark.parametrize("anywhere", ["white", "green"])
def test_emis_koi_passes_a_symbol_and_adds_a_marker_anywhere(anywhere):
    koi = [*gather_and_play("koi:green", "koi:red", "koi:blue"), sea_region(anywhere)]
    script = [*build_up("green", 2, ("tiger", "owl")), *koi]
    played = game("koi", "fox").age({EMI: script}).play()
    party = played.party(EMI, -1)
    assert (party["region"], party["sea"], party["sea_regions"]) == ("green", 3, [anywhere])
    assert played.age_end(1)["sea"] == [0, 2, 0, 0]
    assert played.of("game_end")[0]["markers"][EMI] == 4


@pytest.mark.parametrize(("leader", "placed"), [("tiger:red", "red"), ("rabbit:red", None)])
def test_wilfreds_fourth_red_marker_takes_three_cards_with_a_tiger(leader, placed):
    table = game().age({WILFRED: build_up("red", 3, ("rabbit", "owl", "red_panda"))})
    played = table.age({WILFRED: gather_and_play(leader, "owl:red", "owl:red")}).play()
    assert played.party(WILFRED, -1)["region"] == placed


@pytest.mark.parametrize("migrate", [True, False])
def test_hiroshi_settles_in_yellow_and_may_migrate(migrate: bool) -> None:
    settlers = gather_and_play("monkey:yellow", "rabbit:yellow", "fox:yellow", "fox:yellow")
    script = [*build_up("yellow", 2, ("tiger", "owl")), *settlers, settle()]
    table = game("monkey", "fox")
    table.age({HIROSHI: [*script, empty_board() if migrate else decline("empty_board")]})
    played = table.age({HIROSHI: [] if migrate else [empty_board()]}).play()
    party = played.party(HIROSHI, -1)
    assert (party["region"], party["settled"]) == ("yellow", "yellow")
    won = [played.age_end(age)["settlement"][HIROSHI] for age in (1, 2)]
    assert won == ([1, 0] if migrate else [0, 1])


def test_ewa_empties_her_horde_board_with_three_orcs_for_six() -> None:
    monkeys = [gather_and_play(f"monkey:{color}") for color in ("yellow", "blue", "red")]
    script = [*chain(*([*party, settle()] for party in monkeys)), empty_board()]
    played = game("monkey", "fox").age({EMI: script}).play()
    first = played.party(EMI, 0)
    assert (first["region"], first["settled"]) == ("yellow", "yellow")
    assert played.age_end(1)["settlement"] == [0, 6, 0, 0]
    assert played.age_end(1)["emptied"] == [False, True, False, False]


def test_emis_two_dogs_leave_before_her_party_scores() -> None:
    script = gather_and_play("tiger:red", "owl:red", "rabbit:red", "dog:blue", "dog:green")
    played = game("dog", "fox").age({EMI: script}).play()
    assert len(played.party(EMI, 0)["cards"]) == 5
    assert played.age_end(1)["parties"][EMI] == 3


def test_ten_skeletons_win_the_game_at_once_in_the_polish_rulebook() -> None:
    dogs = [f"dog:{color}" for color in ("yellow", "blue", "red", "green", "black") for _ in (1, 2)]
    switch = ["ten_wild_wins=true", "hand_limit=10"]
    table = game("dog", "fox", overrides=switch, first_player=WILFRED)
    script = [*(draw(card) for card in dogs[1:]), win()]
    played = table.age({WILFRED: script}, hands={WILFRED: dogs[0]}).play()
    assert played.winners == [WILFRED]
    assert not played.of("age_end")


@pytest.mark.parametrize(
    ("hiroshis", "emis", "first"),
    [
        *(({"blue": value}, {}, HIROSHI) for value in (1, 2, 3, 4)),
        ({"blue": 4}, {"yellow": 2}, HIROSHI),
        ({"blue": 1, "red": 3}, {"yellow": 4}, EMI),
    ],
)
def test_fox_tokens_decide_a_tie_by_their_sum_and_then_by_the_highest(hiroshis, emis, first):
    """Hiroshi and Emi each have a marker in blue; parties of four foxes took their tokens."""

    def taken(tokens: Mapping[str, int]) -> list[Answer]:
        clans = ("fox", "bear", "rabbit", "red_panda")
        parties = {value: [f"{clan}:{color}" for clan in clans] for color, value in tokens.items()}
        return [*chain(*([*gather_and_play(*parties[value]), token(value)] for value in parties))]

    emi = [*taken(emis), *gather_and_play("tiger:blue")]
    table = game(tokens={"blue": (6, 6, 8)}).age({HIROSHI: taken(hiroshis), EMI: emi})
    won = [0, 0, 0, 0]
    won[first] = 6
    assert table.play().region_won(1, "blue") == won


@pytest.mark.parametrize("color", ["green", "red", "white"])
def test_emis_deer_places_where_she_has_two_markers_or_fewer(color: str) -> None:
    deer = [*gather_and_play("deer:green", "rabbit:green", "rabbit:green"), region(color)]
    script = [*build_up("green", 2, ("tiger", "owl")), *deer]
    assert game("deer", "bear").age({EMI: script}).play().party(EMI, -1)["region"] == color


def test_hiroshi_discards_two_cards_and_draws_two_with_a_raven() -> None:
    ravens = [*gather_and_play("raven:red", "raven:blue"), draw_cards("bear:red", "owl:green")]
    scripts = {HIROSHI: [draw("tiger:white"), *ravens]}
    party = game("raven", "bear").age(scripts, hands={HIROSHI: "owl:black"}).play().party(0, 0)
    assert sorted(party["discarded"]) == ["owl:black", "tiger:white"]
    assert party["drawn"] == ["bear:red", "owl:green"]


def test_halflings_place_no_marker_however_large_their_band() -> None:
    """The clan's text has no example, so its one sentence is played here."""
    halflings = [f"halfling:{color}" for color in ("red", "red", "blue", "blue", "grey")]
    table = quiet_game("halfling", "troll", edition="first")
    played = table.age({HIROSHI: gather_and_play(*halflings)}).play()
    party = played.party(HIROSHI, 0)
    assert (party["region"], len(party["cards"])) == (None, 5)
    assert played.age_end(1)["parties"][HIROSHI] == 10
