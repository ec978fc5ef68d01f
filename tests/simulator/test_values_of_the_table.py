"""Every value of the table does what it says, shown by a game in which it is another one.

The referee checks each game besides.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

import pytest
from kit import (
    Answer,
    KitError,
    PlayedGame,
    decline,
    draw,
    draw_cards,
    gather_and_play,
    pass_turn,
    play,
    quiet_game,
    token,
    win,
)
from kit.values import Games, ages_of, game, seen, told, winners, won

from ethnos_sim.simulator import GameTable, IllegalMove, InvalidGame, load_rules
from ethnos_sim.simulator.rules import TABLE_FIELDS

GAMES = Games()
of, of_each = GAMES.of, GAMES.of_each


NAMES = [field.key for field in TABLE_FIELDS if field.group != "solo"]


def test_every_value_has_a_game() -> None:
    assert set(GAMES) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_value_does_what_it_says(name: str) -> None:
    GAMES[name]()


ONE = {0: gather_and_play("rabbit:red")}
TWO = {0: gather_and_play("rabbit:red", "tiger:red")}
TWICE = {0: gather_and_play("rabbit:red") + gather_and_play("rabbit:red")}


@of("ages_2_3")
def _() -> None:
    assert seen(ages_of, "ages_2_3=1", players=3) == (2, 1)


@of("ages_4_6")
def _() -> None:
    assert seen(ages_of, "ages_4_6=2") == (3, 2)


@of("clans_2_3")
def _() -> None:
    assert len(quiet_game(players=3, overrides=["clans_2_3=4"]).play().traced.trace["clans"]) == 4
    with pytest.raises(InvalidGame, match="need 4 clans"):
        quiet_game("koi", players=3, overrides=["clans_2_3=4"]).play()


@of("clans_4_6")
def _() -> None:
    assert len(quiet_game("koi", overrides=["clans_4_6=5"]).play().traced.trace["clans"]) == 5
    with pytest.raises(InvalidGame, match="need 5 clans"):
        quiet_game("koi", "fox", overrides=["clans_4_6=5"]).play()


@of("cards_per_clan")
def _() -> None:
    assert seen(lambda played: len(played.of("age")[0]["deck"]), "cards_per_clan=6") == (63, 27)


@of("dragons")
def _() -> None:
    def dragons(played):
        return played.of("age")[0]["deck"].count("dragon")

    assert seen(dragons, "dragons=2") == (3, 2)


@of("last_dragon")
def _() -> None:
    played = quiet_game("koi", "fox", overrides=["last_dragon=2"]).play()
    met = [event["dragons"] for event in played.of("recruit")]
    assert played.of("age")[0]["deck"].count("dragon") == 3
    assert sum(met) == 2 * 3


@of("hand_limit")
def _() -> None:
    """R7: a full hand cannot recruit, and a power that draws stops at the limit."""
    with pytest.raises(KitError, match="its hand is full"):
        quiet_game("koi", "fox", overrides=["hand_limit=2"]).play()
    cards = [
        f"{clan}:{color}" for clan in ("tiger", "owl") for color in load_rules("second").colors
    ]
    scripts = {0: [*gather_and_play("raven:red"), draw_cards(*cards)]}
    also = ["raven.per_card=3", "raven.more=9"]
    also.append("cards_per_clan=6")
    change = "hand_limit=11"
    assert seen(
        lambda played: len(played.party(0, 0)["drawn"]),
        change,
        scripts,
        clans=("raven", "fox"),
        overrides=also,
    ) == (12, 11)


@of("party_limit")
def _() -> None:
    assert game(TWO).party(0, 0)["region"] == "red"
    with pytest.raises(IllegalMove, match="party"):
        game(TWO, overrides=["party_limit=1"])


@of("pool_per_player")
def _() -> None:
    assert seen(lambda played: len(played.of("age")[0]["pool"]), "pool_per_player=1") == (8, 4)


def first_refill(played: PlayedGame) -> int:
    return len(next(iter(played.of("refill")), {"cards": []})["cards"])


EMPTY_POOL = ["pool_per_player=0"]


@of("pool_refill")
def _() -> None:
    assert seen(first_refill, "pool_refill=2", overrides=EMPTY_POOL) == (0, 2)


@pytest.mark.parametrize(
    ("mode", "players"),
    [("recruitment", 4), ("solo-easy", 1), ("solo-regular", 1), ("solo-hard", 1)],
)
def test_r35_where_recruitment_refills_the_pool_another_number_is_refused(
    mode: str, players: int
) -> None:
    rules = load_rules("second", overrides="pool_refill=2")
    with pytest.raises(InvalidGame, match=f"pool_refill = 2 has no place in mode '{mode}'"):
        GameTable.prepare(rules, players, mode, (), [])


@of("recruitment_pool")
def _() -> None:
    settings = {"mode": "recruitment", "overrides": EMPTY_POOL}
    assert seen(first_refill, "recruitment_pool=5", **settings) == (3, 5)


@of("markers")
def _() -> None:
    assert seen(told("region"), "markers=3", ONE, clans=("koi", "fox")) == ("red", "red")
    more = {0: gather_and_play("rabbit:red") + gather_and_play("rabbit:blue")}
    assert seen(told("region", 1), "markers=3", more) == ("blue", None)


@of("markers_needed")
def _() -> None:
    assert seen(told("region"), "markers_needed=2", ONE) == ("red", None)
    assert seen(told("region", 1), "markers_needed=0", TWICE) == (None, "red")


@of("two_players.both_markers")
def _() -> None:
    scripts = {0: gather_and_play("rabbit:red"), 1: gather_and_play("tiger:red", "owl:red")}
    also = ["tiger.marker_bonus=-1"]
    change = "two_players.both_markers=false"
    assert seen(told("region", 0, 1), change, scripts, players=2, overrides=also) == (None, "red")


@of("party_points")
def _() -> None:
    change = "party_points=0,7,1,3,6,10,15"
    assert seen(won("parties"), change, {0: gather_and_play("tiger:red")}) == (
        [0, 0, 0, 0],
        [7, 0, 0, 0],
    )


def won_in_red(age: int) -> Callable[[PlayedGame], list[int]]:
    """What the red region brought each player at an age's end."""
    return lambda played: played.region_won(age, "red")


def lowest_tokens(played: PlayedGame) -> list[int]:
    """The six lowest tokens that were dealt."""
    return sorted(chain(*played.traced.trace["prestige_tokens"].values()))[:6]


@of("prestige_tokens.base")
def _() -> None:
    change = f"prestige_tokens.base={[9] * 12}"
    assert seen(lowest_tokens, change, players=3) == ([4, 4, 4, 6, 6, 6], [9] * 6)
    assert seen(won_in_red(1), change, ONE, players=3)[1] == [9, 0, 0]


@of("prestige_tokens.four_plus")
def _() -> None:
    assert seen(lowest_tokens, f"prestige_tokens.four_plus={[1] * 6}") == ([4] * 6, [1] * 6)


#: Tokens of the red region, so that what a place wins tells which of them it got.
RED = {"red": (4, 6, 12)}


@of("pays.age_1")
def _() -> None:
    assert seen(won_in_red(1), "pays.age_1=2,", ONE, tokens=RED) == ([4, 0, 0, 0], [6, 0, 0, 0])


@of("pays.age_2")
def _() -> None:
    assert seen(won_in_red(2), "pays.age_2=1,0", ONE, tokens=RED) == ([6, 0, 0, 0], [4, 0, 0, 0])


@of("pays.age_3")
def _() -> None:
    assert seen(won_in_red(3), "pays.age_3=2,0,1", ONE, tokens=RED) == ([12, 0, 0, 0], [6, 0, 0, 0])


@of("two_players.winner_takes_all")
def _() -> None:
    """Alone in a region, its only player gets both tokens in the last age, or the higher one."""
    change, tokens = "two_players.winner_takes_all=false", {"red": (4, 10)}
    assert seen(won_in_red(2), change, ONE, players=2, tokens=tokens) == ([14, 0], [10, 0])


@of("ten_wild_wins")
def _() -> None:
    table = quiet_game("dog", "fox", overrides=["hand_limit=2", "ten_wild_wins=true"])
    scripts = {0: [draw("dog:red"), win()]}
    assert table.age(scripts, hands={0: "dog:red"}).play().winners == [0]
    assert stuck().of("pass")


def stuck() -> PlayedGame:
    """A first age in which everybody comes to hold two dogs, player 0, who began, last of all."""
    hands = {0: "tiger:red", 1: "dog:blue", 2: "dog:green", 3: "dog:white"}
    scripts = {player: [draw(card), pass_turn()] for player, card in hands.items() if player}
    scripts[0] = [play("tiger:red"), draw("dog:red"), draw("dog:red")]
    scripts[1].append(pass_turn())
    table = quiet_game("dog", "fox", overrides=["hand_limit=2", "ages_4_6=1"])
    return table.age(scripts, hands=hands).play()


def test_r30_where_all_would_pass_for_ever_the_age_is_booked_on_who_passed_last() -> None:
    played = stuck()
    assert [event["player"] for event in played.of("pass")] == [1, 2, 3, 1]
    assert played.age_end(1)["third_dragon"] == 1


@of("optional_marker")
def _() -> None:
    scripts = {0: [*gather_and_play("rabbit:red"), decline("region")]}
    assert game(scripts, overrides=["optional_marker=true"]).party(0, 0)["region"] is None
    with pytest.raises(KitError, match="asked 'turn', but its script goes on with decline"):
        game(scripts)


@pytest.mark.parametrize(
    ("clan", "key", "nothing", "used"),
    [("raccoon", "coin", None, 1), ("koi", "sea", None, 1), ("bear", "largest", False, True)],
)
def test_a_power_stated_as_a_fact_may_be_declined_with_the_switch(
    clan: str, key: str, nothing: object, used: object
) -> None:
    scripts = {0: [*gather_and_play(f"{clan}:red"), decline("use_power")]}
    declined = game(scripts, clans=(clan, "fox"), overrides=["optional_power=true"])
    assert declined.party(0, 0)[key] is nothing
    assert game({0: gather_and_play(f"{clan}:red")}, clans=(clan, "fox")).party(0, 0)[key] == used


@of("optional_power")
def _() -> None:
    test_a_power_stated_as_a_fact_may_be_declined_with_the_switch("raccoon", "coin", None, 1)


def foxes(*taken: int) -> list[Answer]:
    """Parties of a fox in colors of no worth, each of which takes a token."""
    colors = ("white", "green", "yellow", "black")
    return [
        answer
        for color, value in zip(colors, taken, strict=False)
        for answer in (*gather_and_play(f"fox:{color}"), token(value))
    ]


#: Nothing scores, and a fox may take any token and places no marker.
LEVEL = [
    f"prestige_tokens.base={[0] * 12}",
    f"prestige_tokens.four_plus={[0] * 6}",
    f"party_points={[0] * 7}",
    "fox.more=9",
    "fox.places_marker=false",
]


@pytest.mark.parametrize(
    ("first", "second", "better"),
    [
        ((1,), (2,), [1]),  # the higher sum
        ((3,), (1, 2), [0]),  # equal sums: the highest token
        ((1, 4), (2, 3), [0]),
        ((1, 2), (4,), [1]),  # the sum comes before the number of tokens
        ((), (), [0, 1, 2, 3]),  # no tokens: level
    ],
)
def test_r31_tokens_decide_who_wins_and_who_begins(
    first: tuple[int, ...], second: tuple[int, ...], better: list[int]
) -> None:
    """The sum, then the highest token; players without one stand behind those with one."""
    switch = [*LEVEL, "tokens_break_all_ties=true"]
    scripts = {0: foxes(*first), 1: foxes(*second)}
    clans = ("bear", "fox")
    assert game({}, {}, scripts, clans=clans, overrides=switch).winners == better
    table = quiet_game(*clans, overrides=switch).age(scripts, last_dragon=2)
    begins = [event["first_player"] for event in table.play().of("age")]
    assert begins[:2] == [0, better[0] if first else 2]


def test_r31_tokens_come_before_the_markers() -> None:
    scripts = {0: [*foxes(1), *gather_and_play("owl:red")], 1: foxes(2)}
    change = "tokens_break_all_ties=true"
    assert seen(
        winners,
        change,
        {},
        {},
        scripts,
        clans=("bear", "fox"),
        overrides=LEVEL,
    ) == (
        [0],
        [1],
    )


def test_r31_who_holds_equal_tokens_follows_the_last_dragon_clockwise() -> None:
    """Of six tokens of 2, players 1 and 2 hold one each."""
    also = [*LEVEL, f"fox.tokens={[2] * 6}", "tokens_break_all_ties=true"]
    scripts = {player: foxes(2) for player in (1, 2)}
    for drawer, first in ((0, 1), (2, 2), (3, 1)):
        table = quiet_game("bear", "fox", overrides=also).age(scripts, last_dragon=drawer)
        assert table.play().of("age")[1]["first_player"] == first


@of("tokens_break_all_ties")
def _() -> None:
    test_r31_tokens_decide_who_wins_and_who_begins((3,), (1, 2), [0])


@of("wild_breaks_ties")
def _() -> None:
    scripts = {
        0: gather_and_play("tiger:red", "dog:red", "dog:white"),
        1: gather_and_play("tiger:blue", "owl:blue"),
    }
    also = LEVEL[:3]
    change = "wild_breaks_ties=true"
    assert seen(
        winners,
        change,
        {},
        {},
        scripts,
        clans=("bear", "dog"),
        overrides=also,
    ) == (
        [1],
        [0],
    )
