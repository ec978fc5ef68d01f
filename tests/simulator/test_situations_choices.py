"""What must be done and what may be left: regions, markers, keeping, drawing (R5, R6)."""

from __future__ import annotations

import pytest
from kit import (
    Answer,
    decline,
    draw,
    gather_and_play,
    keep,
    play,
    quiet_game,
    region,
    token,
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
