"""The last dragon in every kind of event, and the dragons before it (R1, R8, R9)."""

from itertools import pairwise

import pytest
from kit.refereed import PlayedGame
from kit.situations import (
    StackedGame,
    draw,
    draw_cards,
    play,
    quiet_game,
    take,
)

DRAGON = "dragon"
RAVENS = ("raven:red", "raven:blue", "raven:green")


def waiting(rounds: int) -> list:
    """Draws of any card."""
    return [draw()] * rounds


def late_game(*script: object, **settings: object) -> StackedGame:
    """Player 0 acts after eight rounds of draws, when dragons may be on top of the deck."""
    table = quiet_game("raven", "bear", overrides=["pool_per_player=2"], **settings)
    everyone = {player: waiting(8) for player in range(4)}
    everyone[0] = [*waiting(8), *script]
    return table.age(everyone)


def ends_at_once(played: PlayedGame, kind: str) -> dict:
    """Check the kind of the last event before the first age ends; return this event."""
    at = next(i for i, event in enumerate(played.events) if event["event"] == "age_end")
    before: dict = played.events[at - 1]
    assert before["event"] == kind
    return before


@pytest.mark.parametrize(
    ("draws", "recruited"),
    [
        (
            [draw(DRAGON, "bear:red"), draw(DRAGON, "bear:blue"), draw(DRAGON)],
            [("bear:red", 1), ("bear:blue", 1), (None, 1)],
        ),
        ([draw(DRAGON, DRAGON, "bear:red"), draw(DRAGON)], [("bear:red", 2), (None, 1)]),
        ([draw(DRAGON, "bear:red"), draw(DRAGON, DRAGON)], [("bear:red", 1), (None, 2)]),
        ([draw(DRAGON, DRAGON, DRAGON)], [(None, 3)]),
    ],
    ids=["one by one", "two at once", "the last two at once", "all at once"],
)
def test_a_recruit_passes_dragons_and_the_last_one_ends_the_age_without_a_card(draws, recruited):
    played = late_game(*draws).play()
    met = [(event["card"], event["dragons"]) for event in played.of("recruit", 0)[8:]]
    assert met[: len(draws)] == recruited
    last = ends_at_once(played, "recruit")
    assert (last["card"], last["dragons"]) == recruited[-1]
    assert last["player"] == played.age_end(1)["third_dragon"] == 0


def test_the_last_dragon_partway_through_a_ravens_draw() -> None:
    """The party, its marker and the cards drawn so far stay (R8)."""
    ravens = [draw(card) for card in RAVENS]
    power = draw_cards(DRAGON, "bear:red", DRAGON, DRAGON)
    played = late_game(*ravens, play(*RAVENS), power).play()
    last = ends_at_once(played, "party")
    assert (last["region"], last["drawn"], last["dragons"]) == ("red", ["bear:red"], 3)
    assert played.age_end(1)["third_dragon"] == 0
    assert played.age_end(1)["parties"][0] == 3
    assert played.region_won(1, "red")[0] > 0


def test_the_last_dragon_as_the_first_card_of_a_ravens_draw() -> None:
    ravens = [draw(DRAGON, DRAGON, RAVENS[0]), *(draw(card) for card in RAVENS[1:])]
    played = late_game(*ravens, play(*RAVENS), draw_cards(DRAGON)).play()
    last = ends_at_once(played, "party")
    assert (last["drawn"], last["dragons"]) == ([], 1)


def test_a_ravens_draw_passes_two_dragons_and_goes_on() -> None:
    ravens = [draw(card) for card in RAVENS]
    power = draw_cards("bear:red", DRAGON, "bear:blue", DRAGON, "bear:green")
    played = late_game(*ravens, play(*RAVENS), power).play()
    party = played.party(0, 0)
    assert (len(party["drawn"]), party["dragons"]) == (3, 2)


def recruitment_game(*turned: str) -> PlayedGame:
    """Player 0 takes two of the pool's four cards; a refill to three follows the second."""
    table = quiet_game("raven", "bear", mode="recruitment", overrides=["pool_per_player=1"])
    everyone = {player: waiting(8) for player in range(4)}
    everyone[0] = [*waiting(8), take("bear:red"), take("bear:blue", *turned)]
    return table.age(everyone, pool=["bear:red", "bear:blue"]).play()


def test_a_refill_replaces_dragons_that_are_not_the_last() -> None:
    played = recruitment_game(DRAGON, DRAGON, "bear:green")
    event = played.of("refill", 0)[0]
    assert (event["cards"], event["dragons"]) == (["bear:green"], 2)


def test_the_last_dragon_in_a_refill_ends_the_age_for_the_active_player() -> None:
    """A turn takes one pool card, so a refill below the top half never adds two."""
    played = recruitment_game(DRAGON, DRAGON, DRAGON)
    last = ends_at_once(played, "refill")
    assert (last["player"], last["cards"], last["dragons"]) == (0, [], 3)
    assert played.age_end(1)["third_dragon"] == 0


def test_a_raven_larger_than_the_deck_may_still_draw() -> None:
    """Three cards and a dragon are left for a party of five: the draw ends the age (R1, R6)."""
    table = quiet_game("raven", "bear", overrides=["dragons=1", "cards_per_clan=6"])
    party = [f"raven:{color}" for color in ("red", "blue", "green", "white", "black")]
    pool = ["tiger:red", "tiger:blue", "tiger:green"]
    left = ["bear:red", "bear:blue", "bear:green"]
    script = [*(draw(card) for card in party), draw(), play(*party), draw_cards(*left, DRAGON)]
    others = {1: [*(take(card) for card in pool), *waiting(3)], 2: waiting(6), 3: waiting(6)}
    last = ends_at_once(table.age({0: script, **others}, pool=pool).play(), "party")
    assert (last["drawn"], last["dragons"]) == (left, 1)


@pytest.mark.parametrize(("mode", "first"), [("recruitment", "refill"), ("standard", "recruit")])
def test_a_short_pool_is_refilled_before_the_first_turn_of_an_age(mode, first):
    """By R28; without the Recruitment variant the pool stays as dealt."""
    events = quiet_game("raven", "bear", mode=mode, overrides=["pool_per_player=0"]).play().events
    begins = [after for event, after in pairwise(events) if event["event"] == "age"]
    assert [event["event"] for event in begins] == [first] * 3
    assert events[1]["player"] == 0
    assert len(events[1].get("cards", [])) == (3 if first == "refill" else 0)
