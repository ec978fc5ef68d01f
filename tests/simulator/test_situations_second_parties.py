"""Chains of second parties (R10)."""

from __future__ import annotations

import pytest
from kit import (
    Answer,
    decline,
    draw,
    draw_cards,
    gather_and_play,
    keep,
    play,
    quiet_game,
    then_play,
)

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
