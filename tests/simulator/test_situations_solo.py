"""Solo: illegal answers, other values of rules, and what Bruno's questions show."""

import pytest
from inside.experiments import prepare_match
from inside.experiments.matches import record_positions
from kit.refereed import refereed
from kit.situations import Answer, gifts, lead, release, solo_game
from seated import table_of

from ethnos_sim.simulator import DECISIONS, IllegalMove, load_rules

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
    for game in range(20):
        tokens = refereed(table, seed=3, game=game).traced.trace["prestige_tokens"]
        assert sorted(tokens["red"] + tokens["blue"]) == values[-2 * count :]
        assert all(held == sorted(held) and len(held) == count for held in tokens.values())


@pytest.mark.parametrize(("mode", "cards"), [("solo-easy", {1}), ("solo-hard", {1, 2})])
def test_a_question_about_bruno_shows_its_options_their_number_and_whether_it_can_be_declined(
    mode: str, cards: set[int]
) -> None:
    """Cards are chosen among the offered cards, not by a mask; only stealing may be declined."""
    match = prepare_match(load_rules("second"), "random", players=1, mode=mode, seed=2)
    shown = record_positions(match, 0)["open"]
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
