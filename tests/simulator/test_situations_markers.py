"""A player who has no marker left places none anywhere (R17); three markers is the fewest a set."""

from __future__ import annotations

import pytest
from kit import empty_board, gather_and_play, quiet_game, sea_region, settle

from ethnos_sim.simulator import RulesError, load_rules

THREE_MARKERS = ["markers=3"]


def test_three_is_the_smallest_number_of_markers() -> None:
    assert load_rules("second", overrides=THREE_MARKERS).number("markers") == 3
    with pytest.raises(RulesError):
        load_rules("second", overrides=["markers=2"])


def test_without_markers_a_party_places_none_in_a_region() -> None:
    script = [
        answer
        for color in ("red", "blue", "green")
        for answer in gather_and_play(f"rabbit:{color}")
    ]
    played = quiet_game("fox", "bear", overrides=THREE_MARKERS).age({0: script}).play()
    assert [event["region"] for event in played.of("party", 0)] == ["red", "blue", None]
    assert played.seats["markers"][0] == 2


def test_without_markers_a_symbol_of_the_sea_track_asks_nothing() -> None:
    """One marker keeps the score, one is at sea, and the third goes to the region."""
    script = gather_and_play("koi:red", "koi:blue", "koi:green")
    played = quiet_game("koi", "bear", overrides=THREE_MARKERS).age({0: script}).play()
    party = played.party(0, 0)
    assert (party["region"], party["sea"], party["sea_regions"]) == ("red", 3, [])


def test_the_last_marker_goes_to_the_first_of_two_symbols() -> None:
    overrides = ["markers=4", "koi.symbols=[1, 3]"]
    script = [*gather_and_play("koi:red", "koi:blue", "koi:green"), sea_region("white")]
    played = quiet_game("koi", "bear", overrides=overrides).age({0: script}).play()
    party = played.party(0, 0)
    assert (party["region"], party["sea_regions"]) == ("red", ["white"])


def test_without_markers_nothing_is_settled() -> None:
    script = [*gather_and_play("monkey:red"), settle(), *gather_and_play("monkey:blue")]
    table = quiet_game("monkey", "bear", overrides=THREE_MARKERS)
    played = table.age({0: [*script, empty_board()]}).play()
    assert [(e["region"], e["settled"]) for e in played.of("party", 0)] == [
        ("red", "red"),
        (None, None),
    ]


def test_markers_off_the_settlement_board_can_be_placed_again() -> None:
    table = quiet_game("monkey", "bear", overrides=THREE_MARKERS)
    table.age({0: [*gather_and_play("monkey:red"), settle(), empty_board()]})
    table.age({0: gather_and_play("rabbit:blue")})
    played = table.play()
    assert played.party(0, -1)["region"] == "blue"
    assert played.seats["markers"][0] == 2


def test_an_owl_without_a_marker_to_place_is_not_followed() -> None:
    script = [*gather_and_play("rabbit:red"), *gather_and_play("rabbit:blue")]
    script += gather_and_play("owl:green")
    played = quiet_game("fox", "bear", overrides=THREE_MARKERS).age({0: script}).play()
    party = played.party(0, -1)
    assert (party["region"], party["again"]) == (None, False)
