"""Solo situations that ordinary games hardly reach, and illegal answers.

In a small deck the dragons may lie from its 15th card on. Seven draws bring a game there, because
each takes a card for the player and one for the pool.
"""

import pytest
from inside.experiments.matches import record_game
from kit.refereed import PlayedGame, refereed
from kit.situations import (
    NEARLY_BLACK,
    POOL,
    Answer,
    bruno_region,
    gifts,
    lead,
    release,
    solo_game,
)
from seated import table_of

from ethnos_sim.experiments import prepare_match
from ethnos_sim.simulator import DECISIONS, IllegalMove, load_rules

DRAGON = "dragon"
DRAGONS = (DRAGON, DRAGON, DRAGON)

#: The cards that seven draws add to the pool: first three for Bruno, then four that stay.
TURNED = ("monkey:white", "monkey:green", "rabbit:white")
TURNED += ("koi:red", "bear:red", "koi:blue", "rabbit:green")
GIFTS = (*POOL, "monkey:white", "monkey:green", "rabbit:white")


def late(*script, drawn=(), deck=(), mode: str = "solo-regular", **stacked) -> PlayedGame:
    """Play the script after seven quiet draws, when dragons may be on top of the deck.

    Bruno then has four white, three green and two yellow cards and a black one. The pool holds a
    red koi (or `turned`), a red bear, a blue koi and a green rabbit.
    """
    cards = [*drawn, *[None] * (7 - len(drawn))]
    turned = [*TURNED[:3], stacked.pop("turned", TURNED[3]), *TURNED[4:]]
    top = [card for pair in zip(cards, turned, strict=True) for card in pair]
    return solo_game(*gifts(*GIFTS), *script, mode=mode, deck=[*top, *deck], **stacked)


def last_events(played: PlayedGame, number: int) -> list[dict]:
    """The last events before the end of the first age."""
    end = played.events.index(played.age_end(1))
    return played.events[end - number : end]


# R26: the last dragon


def test_the_last_dragon_may_come_among_the_cards_of_brunos_raven() -> None:
    """Bruno's party and its marker stay, and nothing is released."""
    script = [*gifts("raccoon:white"), lead("raven")]
    deck = ("koi:black", None, "monkey:black", *DRAGONS)
    played = late(*script, deck=deck, turned="raccoon:white")
    (party,) = last_events(played, 1)
    assert (party["column"], party["region"], len(party["cards"])) == ("white", "white", 5)
    assert (party["drawn"], party["dragons"]) == (["monkey:black"], 3)
    assert (party["released"], party["released_to"]) == (None, None)


# When a column fires (R19)


def test_red_does_not_fire_if_bruno_has_no_marker_left() -> None:
    """Of three markers one keeps the score, one is on the sea track, and the last goes to red."""
    script = [*gifts("bear:red"), release("bear:yellow"), *gifts("koi:blue", "bear:white")]
    pool = ("bear:red", "koi:blue", "bear:white", "koi:white")
    played = solo_game(*script, overrides=("markers=3",), pool=pool)
    kinds = [event["event"] for event in played.events[1:9]]
    turn = ["recruit", "bruno_gets", "refill"]
    assert kinds == [*turn, "bruno_party", *turn, "recruit"]
    assert played.of("bruno_party")[0]["region"] == "red"


# Bruno's choices, counted anew (R25)


def tied_in_five(*regions: str) -> PlayedGame:
    """Bruno plays a black party that brings four extra markers; all other regions are empty."""
    script = [*gifts("monkey:black", "rabbit:black"), lead("koi")]
    return solo_game(
        *(*script, *map(bruno_region, regions)),
        overrides=("koi.symbols=[1, 2, 3, 18]",),
        **NEARLY_BLACK,
    )


def test_each_extra_sea_marker_is_placed_by_the_standing_after_the_one_before() -> None:
    """Black is Bruno's after his own marker; the five ties are broken one after another."""
    (party, *_) = tied_in_five("red", "white", "blue").of("bruno_party")
    assert (party["region"], party["sea_regions"]) == ("black", ["red", "white", "blue"])


@pytest.mark.parametrize("again", ["red", "black"])
def test_a_region_that_bruno_has_just_won_is_no_longer_tied(again: str) -> None:
    with pytest.raises(IllegalMove, match="region that is not open"):
        tied_in_five("red", again)


# Illegal answers


LED_BY_THE_BEAR = [*gifts("bear:red"), lead("bear"), release("bear:yellow")]


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        (gifts("raven:red"), "not on offer"),
        ([*gifts("bear:red"), release("bear:white")], "not on offer"),
        ([*LED_BY_THE_BEAR, *gifts("bear:blue"), lead("bear")], "lies face down"),
    ],
    ids=["a gift out of the hand", "a released card of the pool", "a leader that led before"],
)
def test_a_card_or_leader_that_is_not_offered_is_refused(script: list[Answer], fault: str) -> None:
    pool = ("bear:red", "bear:blue", "bear:white", "bear:green")
    with pytest.raises(IllegalMove, match=fault):
        solo_game(*script, pool=pool, hand="raven:red")


# More rulings


def test_r33_an_empty_column_is_no_party_whatever_a_marker_needs() -> None:
    """Bruno has no red or blue card, and markers need no card: he plays nothing."""
    overrides = ["markers_needed=0", "ages_2_3=1"]
    played = solo_game(overrides=overrides)
    assert all(event["cards"] for event in played.of("bruno_party"))


@pytest.mark.parametrize(("ages", "count"), [(1, 1), (1, 2), (3, 2), (3, 3)])
def test_r34_red_and_blue_hold_the_highest_tokens_however_many_a_region_has(ages: int, count: int):
    """The referee also checks each deal."""
    values = [2, 3, 4, 4, 5, 6, 6, 7, 7, 8, 9, 9, 10, 11, 12, 12, 14, 15][-6 * count :]
    rules = load_rules(
        "second",
        overrides=[
            f"ages_2_3={ages}",
            f"prestige_tokens.base={values}",
            "prestige_tokens.four_plus=[]" if count == 3 else "markers=26",
            "pays.age_1=1,",
            f"pays.age_2={min(count, 2)},1",
            f"pays.age_3={count},2,1",
            "bear.age_2_3=1,2,3",
            "koi.prestige_2_3=1,2,3",
        ],
    )
    table = table_of(rules, "random", 1, "solo-easy")
    lying = set()
    for game in range(20):
        tokens = refereed(table, seed=3, game=game).traced.trace["prestige_tokens"]
        assert sorted(tokens["red"] + tokens["blue"]) == values[-2 * count :]
        assert all(held == sorted(held) and len(held) == count for held in tokens.values())
        lying.add(str(tokens))
    assert len(lying) > 10


# What Bruno's questions show beside the cards that they offer


@pytest.mark.parametrize(("mode", "cards"), [("solo-easy", {1}), ("solo-hard", {1, 2})])
def test_a_question_about_bruno_shows_its_options_their_number_and_whether_it_can_be_declined(
    mode: str, cards: set[int]
) -> None:
    """Cards are chosen among the offered cards, not by a mask; only stealing may be declined."""
    match = prepare_match(load_rules("second"), "random", players=1, mode=mode, seed=2)
    shown = record_game(match, 0)["open"]
    asked: dict[str, set[tuple[int, int, int]]] = {}
    fields = zip(shown["options"], shown["limit"], shown["may_decline"], strict=True)
    for decision, question in zip(shown["decision"], fields, strict=True):
        asked.setdefault(DECISIONS[decision], set()).add(tuple(map(int, question)))
    assert asked["bruno_card"] == {(0, limit, 0) for limit in cards}
    assert asked["bruno_release"] == {(0, 1, 0)}
    assert asked.get("bruno_steal", set()) == ({(1, 1, 1)} if mode == "solo-easy" else set())
    for options, limit, may_decline in asked["bruno_leader"] | asked["bruno_region"]:
        assert options & (options - 1), "a forced choice is not asked"
        assert limit >= 1
        assert not may_decline
