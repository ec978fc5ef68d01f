"""Situations of powers: what may be chosen or declined, coins, wild cards, second parties."""

from __future__ import annotations

import pytest
from kit import (
    Answer,
    StackedGame,
    decline,
    draw,
    draw_cards,
    gather_and_play,
    keep,
    pass_turn,
    play,
    quiet_game,
    region,
    then_play,
    token,
    win,
)

from ethnos_sim.simulator import IllegalMove

DEER = ("deer:green", "rabbit:green")


def test_with_any_region_one_that_passes_must_be_used() -> None:
    table = quiet_game("deer", "bear").age({0: [*gather_and_play(*DEER), decline("region")]})
    with pytest.raises(IllegalMove, match="declined where a choice must be made"):
        table.play()


def test_with_any_region_a_single_open_one_is_used_without_asking() -> None:
    """Player 0 has a marker everywhere but in the blue region."""
    colors = ("white", "green", "yellow", "black", "red")
    script = [a for color in colors for a in gather_and_play(f"rabbit:{color}")]
    table = quiet_game("deer", "bear").age({0: [*script, *gather_and_play("deer:green")]})
    assert table.play().party(0, -1)["region"] == "blue"


def test_with_any_region_and_none_open_no_marker_is_placed() -> None:
    colors = ("white", "green", "yellow", "black", "red", "blue")
    script = [a for color in colors for a in gather_and_play(f"rabbit:{color}")]
    table = quiet_game("deer", "bear").age({0: [*script, *gather_and_play("deer:green")]})
    assert table.play().party(0, -1)["region"] is None


@pytest.mark.parametrize("answer", [region("green"), decline("region")])
def test_an_optional_marker_is_asked_about_and_may_be_left(answer: Answer) -> None:
    table = quiet_game("fox", "bear", overrides=["optional_marker=true"])
    played = table.age({0: [*gather_and_play("rabbit:green"), answer]}).play()
    placed = "green" if answer.choice else None
    assert played.party(0, 0)["region"] == placed
    assert played.summary.optional["region marker declined"] == (placed is None)


def test_an_optional_marker_of_a_deer_may_be_left() -> None:
    table = quiet_game("deer", "bear", overrides=["optional_marker=true"])
    played = table.age({0: [*gather_and_play(*DEER), decline("region")]}).play()
    assert played.party(0, 0)["region"] is None


def test_an_owl_whose_optional_marker_was_left_is_not_followed() -> None:
    table = quiet_game("fox", "bear", overrides=["optional_marker=true"])
    script = [draw("tiger:red"), draw("owl:red"), play("owl:red"), decline("region")]
    assert not table.age({0: script}).play().party(0, 0)["again"]


HAND = ("tiger:white", "tiger:blue", "tiger:black")


@pytest.mark.parametrize("kept", [(), HAND[:1], HAND[:2]], ids=["none", "one", "two"])
def test_a_red_panda_may_keep_fewer_cards_than_allowed(kept: tuple[str, ...]) -> None:
    script = [*(draw(card) for card in HAND[1:]), *gather_and_play("red_panda:red", "tiger:red")]
    answer = keep(*kept) if kept else decline("keep")
    table = quiet_game("fox", "bear").age({0: [*script, answer]}, hands={0: HAND[0]})
    party = table.play().party(0, 0)
    assert sorted(party["kept"]) == sorted(kept)
    assert sorted(party["discarded"]) == sorted(set(HAND) - set(kept))


def test_a_raven_may_decline_to_draw() -> None:
    script = [*gather_and_play("raven:red", "raven:blue"), decline("draw")]
    played = quiet_game("raven", "bear").age({0: script}).play()
    assert played.party(0, 0)["drawn"] == []
    assert played.summary.optional["drawing declined"] == 1


def test_a_tie_break_token_may_be_declined() -> None:
    script = [*gather_and_play("fox:red"), decline("token")]
    played = quiet_game("fox", "bear").age({0: script}).play()
    assert played.party(0, 0)["token"] is None
    assert played.summary.optional["tie-break token declined"] == 1


def test_a_fox_too_small_for_the_tokens_left_is_not_asked() -> None:
    table = quiet_game("fox", "bear")
    table.age({0: [*gather_and_play("fox:red"), token(1)], 1: gather_and_play("fox:blue")})
    table.age(None)
    played = table.play()
    assert [event["token"] for event in played.of("party")] == [1, None]


def test_equal_bears_do_not_move_the_largest_party_token() -> None:
    table = quiet_game("fox", "bear")
    table.age({0: gather_and_play("bear:red"), 1: gather_and_play("bear:blue")})
    played = table.play()
    assert [event["largest"] for event in played.of("party")] == [True, False]
    assert played.seats["largest"].tolist() == [4 + 4, 0, 0, 0]


def test_the_own_larger_bear_party_scores_again() -> None:
    table = quiet_game("fox", "bear")
    table.age({0: [*gather_and_play("bear:red"), *gather_and_play("bear:blue", "bear:green")]})
    assert table.play().seats["largest"][0] == 4 + 4 + 4


def test_the_largest_party_counts_wild_cards_after_they_are_gone() -> None:
    """The holder is fixed when the party is played (R14)."""
    table = quiet_game("dog", "bear")
    table.age(
        {
            0: gather_and_play("bear:red", "dog:red", "dog:blue"),
            1: gather_and_play("bear:blue", "bear:green"),
        }
    )
    assert table.play().age_end(1)["largest"] == [4, 0, 0, 0]


@pytest.mark.parametrize("value", range(1, 7))
def test_a_fox_may_take_every_token_up_to_its_size(value: int) -> None:
    party = ("fox:red", "fox:red", "fox:blue", "fox:blue", "fox:green", "fox:green")
    table = quiet_game("fox", "bear").age({0: [*gather_and_play(*party), token(value)]})
    assert table.play().party(0, 0)["token"] == value


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
    first = [f"raccoon:{color}" for color in REGION_COLORS for _ in range(2)]
    table.age(
        {
            player: [
                a for card in first[3 * player : 3 * player + 3] for a in gather_and_play(card)
            ]
            for player in range(4)
        }
    )
    second = [f"raccoon:{color}" for color in REGION_COLORS[:3]]
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


TEN_DOGS = tuple(f"dog:{color}" for color in REGION_COLORS[:5] for _ in range(2))
WITH_SWITCH = ["hand_limit=10", "ten_wild_wins=true"]


def ten_dogs(*after: Answer, overrides: list[str]) -> StackedGame:
    """Player 0, who goes first, gathers ten dogs; the others play a party on the way."""
    others = {player: gather_and_play(f"rabbit:{REGION_COLORS[player]}") for player in (1, 2, 3)}
    script = [*(draw(dog) for dog in TEN_DOGS[1:]), *after]
    table = quiet_game("dog", "fox", overrides=overrides)
    return table.age({0: script, **others}, hands={0: TEN_DOGS[0]}, last_dragon=1)


def test_a_full_hand_of_wild_cards_passes_without_being_asked() -> None:
    played = ten_dogs(pass_turn(), pass_turn(), overrides=["hand_limit=10"]).play()
    assert len(played.of("pass", 0)) >= 2
    assert {event["player"] for event in played.of("pass")} == {0}


def test_with_the_switch_ten_wild_cards_may_be_played_and_win_at_once() -> None:
    played = ten_dogs(win(), overrides=WITH_SWITCH).play()
    party = played.party(0, 0)
    assert sorted(party["cards"]) == sorted(TEN_DOGS)
    assert played.events[-2] == party
    assert played.winners == [0]
    assert played.traced.game["winners"] == 1
    assert played.seats["won"].tolist() == [60, 0, 0, 0]


def test_ten_wild_cards_win_against_more_prestige() -> None:
    table = quiet_game("dog", "bear", overrides=WITH_SWITCH)
    table.age(
        {0: [*(draw(dog) for dog in TEN_DOGS[1:]), win()], 1: gather_and_play("bear:red")},
        hands={0: TEN_DOGS[0]},
    )
    played = table.play()
    assert played.events[-1]["prestige"] == [0, 4, 0, 0]
    assert played.winners == [0]


def test_with_the_switch_the_player_may_decline_and_passes() -> None:
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


def test_a_party_of_wild_cards_alone_is_not_legal() -> None:
    table = quiet_game("dog", "fox").age({0: gather_and_play("dog:red", "dog:blue")})
    with pytest.raises(IllegalMove, match="let a wild card lead"):
        table.play()


def test_wild_cards_join_a_party_of_one_clan_in_many_colors() -> None:
    cards = ("rabbit:red", "rabbit:blue", "dog:green", "dog:white")
    played = quiet_game("dog", "fox").age({0: gather_and_play(*cards)}).play()
    assert played.party(0, 0)["region"] == "red"
    # Two rabbits are left, and a rabbit leads: they score as three.
    assert played.age_end(1)["parties"][0] == 3


OWLS = tuple(f"owl:{color}" for color in ("red", "blue", "green", "white"))


def gather(*cards: str) -> list[Answer]:
    """Draw the cards one a turn."""
    return [draw(card) for card in cards]


def test_four_owls_chain_to_a_fifth_party() -> None:
    script = [*gather(*OWLS, "rabbit:black"), play(OWLS[0])]
    script += [then_play(card) for card in (*OWLS[1:], "rabbit:black")]
    played = quiet_game("fox", "bear").age({0: script}, hands={0: "tiger:white"}).play()
    parties = played.of("party", 0)
    assert [event["region"] for event in parties] == ["red", "blue", "green", "white", "black"]
    assert [event["again"] for event in parties] == [True, True, True, True, False]
    assert [event["discarded"] for event in parties] == [[], [], [], [], ["tiger:white"]]


def test_a_second_party_that_placed_no_marker_does_not_chain() -> None:
    """The second owl leads one card into a region with a marker; the rest is discarded."""
    script = [
        *gather_and_play("rabbit:blue"),
        *gather(*OWLS[:2], "rabbit:black"),
        play("owl:red"),
        then_play("owl:blue"),
    ]
    played = quiet_game("fox", "bear").age({0: script}).play()
    second = played.party(0, -1)
    assert (second["region"], second["again"]) == (None, False)
    assert second["discarded"] == ["rabbit:black"]


def test_an_owl_that_placed_no_marker_is_not_followed() -> None:
    script = [
        *gather_and_play("rabbit:red"),
        *gather("owl:red", "tiger:blue"),
        play("owl:red"),
    ]
    played = quiet_game("fox", "bear").age({0: script}).play()
    assert (played.party(0, 1)["region"], played.party(0, 1)["again"]) == (None, False)


def test_a_second_party_may_be_declined() -> None:
    script = [*gather("owl:red", "tiger:blue"), play("owl:red"), decline("second_party")]
    played = quiet_game("fox", "bear").age({0: script}, hands={0: "tiger:red"}).play()
    assert sorted(played.party(0, 0)["discarded"]) == ["tiger:blue", "tiger:red"]
    assert played.summary.optional["second party declined"] == 1


def test_with_only_wild_cards_left_no_second_party_is_asked() -> None:
    script = [*gather("dog:blue"), play("owl:red")]
    played = quiet_game("dog", "bear").age({0: script}, hands={0: "owl:red"}).play()
    assert played.party(0, 0)["discarded"] == ["dog:blue"]


def test_the_last_leaders_power_decides_what_is_kept() -> None:
    script = [
        *gather("owl:red", "red_panda:blue", "tiger:green"),
        play("owl:red"),
        then_play("red_panda:blue"),
        keep("tiger:green"),
    ]
    played = quiet_game("fox", "bear").age({0: script}, hands={0: "tiger:white"}).play()
    last = played.party(0, -1)
    assert (last["kept"], last["discarded"]) == (["tiger:green"], ["tiger:white"])


def test_the_last_leaders_power_decides_what_is_drawn() -> None:
    script = [
        *gather("owl:red", "raven:blue"),
        play("owl:red"),
        then_play("raven:blue"),
        draw_cards("tiger:green"),
    ]
    played = quiet_game("raven", "bear").age({0: script}, hands={0: "tiger:white"}).play()
    last = played.party(0, -1)
    assert (last["discarded"], last["drawn"]) == (["tiger:white"], ["tiger:green"])


@pytest.mark.parametrize(("size", "region"), [(2, None), (3, "red")])
def test_with_two_players_each_party_counts_the_regions_markers_afresh(
    size: int, region: str | None
) -> None:
    """A rival's marker and that of the owl's own party are in the second party's way."""
    others = ("rabbit:red", "rabbit:red", "red_panda:red")[:size]
    script = [
        *gather("owl:red", "tiger:red", *others),
        play("owl:red", "tiger:red"),
        then_play(*others),
    ]
    table = quiet_game("bear", players=2, first_player=1)
    played = table.age({0: script, 1: gather_and_play("bear:red")}, hands={0: "tiger:blue"}).play()
    assert played.party(1, 0)["region"] == "red"
    assert [event["region"] for event in played.of("party", 0)] == ["red", region]
