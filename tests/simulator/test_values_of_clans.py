"""Every value that clans have, by their power, does what it says in a game of players.

The referee checks each game besides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import pytest
from kit import (
    Answer,
    PlayedGame,
    decline,
    draw,
    draw_cards,
    empty_board,
    gather_and_play,
    keep,
    play,
    region,
    sea_region,
    settle,
    then_play,
    token,
)
from kit.values import (
    CLAN,
    EFFECT,
    LEADING,
    Games,
    ages_of,
    game,
    names_of,
    seen,
    told,
    won,
)

from ethnos_sim.simulator import IllegalMove, Power, load_rules

GAMES = Games()
of, of_each = GAMES.of, GAMES.of_each


NAMES = names_of([*LEADING, Power.WILD])


def test_every_value_has_a_game() -> None:
    assert set(GAMES) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_value_does_what_it_says(name: str) -> None:
    GAMES[name]()


#: What a leader's power asks of a player with an empty hand.
ASKS: dict[Power, list[Answer]] = {
    Power.SETTLEMENT_BOARD: [settle()],
    Power.TIE_BREAK_TOKENS: [token(1)],
    Power.DRAWS_CARDS: [draw_cards()],
}

ACTING = list(EFFECT)
QUIET = {"rabbit", "tiger", "red_panda", "owl", "dwarf", "minotaur", "elf", "centaur"}


def of_clan(
    look: Callable[[PlayedGame], Any],
    power: Power,
    change: str,
    *ages: dict[int, Sequence[Answer]],
) -> Any:
    """What is seen in an age with values of the power's clan changed, in an edition that has it."""
    clan = CLAN[power]
    edition = "first" if power is Power.NO_MARKER else "second"
    others = [each for each in (clan, "giant", "orc", "bear", "koi") if each not in QUIET]
    known = [each for each in dict.fromkeys(others) if each in load_rules(edition).clans][:2]
    changed = [f"{clan}.{each}" for each in change.split() if each]
    return look(game(*ages, clans=known, edition=edition, overrides=["ages_4_6=1", *changed]))


def led(
    power: Power, color: str = "red", *, places: bool = True, first: bool = True
) -> list[Answer]:
    """A party of the power's clan alone, with what it asks; the player's first leaves a card."""
    clan = CLAN[power]
    answers = [draw(f"{clan}:{color}"), play(f"{clan}:{color}")]
    if power is Power.ANY_REGION and places:
        answers.append(region(color))
    if power is Power.SECOND_PARTY and places and first:
        answers.append(decline("second_party"))
    if power is Power.KEEPS_CARDS and first:
        answers.append(decline("keep"))
    return [*answers, *ASKS.get(power, [])]


@of_each(names_of(LEADING, "places_marker"))
def _(power: Power, key: str) -> None:
    for places, there in ((True, "red"), (False, None)):
        scripts = {0: led(power, places=places)}
        change = f"places_marker={str(places).lower()}"
        assert of_clan(told("region"), power, change, scripts) == there


@of_each(names_of(LEADING, "marker_bonus"))
def _(power: Power, key: str) -> None:
    """A second party of one card in red: one card more makes two, enough beside one marker."""
    for bonus, there in ((0, None), (1, "red")):
        second = led(power, first=False)
        if power in (Power.SETTLEMENT_BOARD, Power.TIE_BREAK_TOKENS):
            second = second[:-1]  # The board's red space is taken, the token of 1 gone.
        if power is Power.ANY_REGION and not bonus:
            second, there = [*second[:-1], region("blue")], "blue"
        change = f"marker_bonus={bonus} places_marker=true"
        scripts = {0: [*led(power), *second]}
        assert of_clan(told("region", 1), power, change, scripts) == there
    if power is Power.ANY_REGION:
        with pytest.raises(IllegalMove, match="region"):
            of_clan(told("region", 1), power, "marker_bonus=0", scripts)


@of_each(names_of(LEADING, "score_bonus"))
def _(power: Power, key: str) -> None:
    scripts = {0: led(power, places=power is not Power.NO_MARKER)}
    points = [of_clan(won("parties"), power, f"score_bonus={bonus}", scripts) for bonus in (0, 2)]
    assert points == [[0, 0, 0, 0], [3, 0, 0, 0]]


@of_each(names_of([*LEADING, Power.WILD], "times_cards"))
def _(power: Power, key: str) -> None:
    def cards(played: PlayedGame) -> int:
        age = played.of("age")[0]
        dealt = [*age["deck"], *age["pool"], *chain(*age["hands"])]
        return sum(card.startswith(f"{CLAN[power]}:") for card in dealt)

    assert [of_clan(cards, power, f"times_cards={times}") for times in (1, 2)] == [12, 24]


@of_each(names_of(ACTING, "needs_marker"))
def _(power: Power, key: str) -> None:
    """A party that places no marker: with the switch its power does nothing."""
    effect, nothing = EFFECT[power]
    clan = CLAN[power]
    cards = gather_and_play(f"{clan}:red")
    used = ASKS.get(power, [])
    if power in (Power.SECOND_PARTY, Power.KEEPS_CARDS):
        cards = [draw("rabbit:blue"), *cards]
        used = [then_play("rabbit:blue")] if power is Power.SECOND_PARTY else [keep("rabbit:blue")]
    for needs, answers in (("false", used), ("true", [])):
        change = f"marker_bonus=-1 needs_marker={needs}"
        found = of_clan(told(effect), power, change, {0: [*cards, *answers]})
        assert (found == nothing) == (needs == "true"), needs


@of_each(names_of([Power.KEEPS_CARDS, Power.SEA_TRACK, Power.DRAWS_CARDS], "per_card", "more"))
def _(power: Power, key: str) -> None:
    """A party of two: X, 3X and X + 3; a hand of seven cards to keep some of."""
    clan = CLAN[power]
    held = [f"{each}:{color}" for color in ("blue", "green") for each in ("owl", "tiger", "koi")]
    party = [draw(f"{clan}:red"), draw(f"{clan}:white"), play(f"{clan}:red", f"{clan}:white")]
    for value, reached in (
        (f"{key}={int(key == 'per_card')}", 2),
        (f"{key}=3", 6 - (key == "more")),
    ):
        asks = {
            Power.KEEPS_CARDS: [keep(*held[:reached])],
            Power.SEA_TRACK: [],
            Power.DRAWS_CARDS: [draw_cards()],
        }[power]
        before = [draw(card) for card in held] if power is Power.KEEPS_CARDS else []
        scripts = {0: [*before, *party, *asks]}
        effect = EFFECT[power][0]
        also = f"{value} symbols=[60] last_space=60" if power is Power.SEA_TRACK else value
        found = of_clan(told(effect), power, also, scripts)
        assert (found if power is Power.SEA_TRACK else len(found)) == reached
    if power is Power.KEEPS_CARDS:
        too_many = {0: [*(draw(card) for card in held), *party, keep(*held[:3])]}
        with pytest.raises(IllegalMove, match="keep"):
            of_clan(ages_of, power, "", too_many)


@of_each(names_of([Power.TIE_BREAK_TOKENS], "per_card", "more"))
def _(power: Power, key: str) -> None:
    def look(played):
        return played.party(0, 0)["token"]

    reach = {0: [*gather_and_play("fox:red"), token(3)]}
    with pytest.raises(IllegalMove, match="token"):
        of_clan(look, power, "", reach)
    assert of_clan(look, power, f"{key}={3 if key == 'per_card' else 2}", reach) == 3


@of("second_party.follow_ups")
def _() -> None:
    parties = [draw("owl:white"), draw("owl:blue"), draw("owl:red"), play("owl:white")]
    parties.append(then_play("owl:blue"))

    def follows(played):
        return played.party(0, 1)["again"]

    script = {0: [*parties, then_play("owl:red"), decline("second_party")]}
    assert of_clan(follows, Power.SECOND_PARTY, "", script)
    assert not of_clan(follows, Power.SECOND_PARTY, "follow_ups=1", {0: parties})


@of("wild.scored")
def _() -> None:
    scripts = {0: gather_and_play("tiger:red", "dog:red")}
    clans = ("dog", "fox")
    assert seen(won("parties"), "dog.scored=true", scripts, clans=clans) == (
        [0, 0, 0, 0],
        [1, 0, 0, 0],
    )


@of("settlement_board.settlement")
def _() -> None:
    change = "monkey.settlement=0,9,9,9,9,9,9"
    scripts = {0: [*gather_and_play("monkey:red"), settle(), empty_board()]}
    assert seen(won("settlement"), change, scripts, clans=("monkey", "fox")) == (
        [1, 0, 0, 0],
        [9, 0, 0, 0],
    )


@of("tie_break_tokens.tokens")
def _() -> None:
    scripts = {0: [*gather_and_play("fox:red"), token(1)]}
    taken = {0: gather_and_play("fox:red")}
    assert game(scripts).party(0, 0)["token"] == 1
    assert (
        lambda played: (
            played.party(0, 0)["token"](game(taken, overrides=["fox.tokens=2,3"])) is None
        )
    )


@of("coins.coins")
def _() -> None:
    change = "raccoon.coins=7,8"

    def coins(played):
        return [event["coin"] for event in played.of("party", 0)]

    three = {
        0: [a for color in ("red", "blue", "red") for a in gather_and_play(f"raccoon:{color}")]
    }
    assert seen(coins, change, three, clans=("raccoon", "fox")) == ([1, 1, 1], [7, 8, None])


def koi(*colors: str) -> list[Answer]:
    """A party of koi; the leader's color gives no symbol a reason to stop at."""
    return gather_and_play(*(f"koi:{color}" for color in colors))


@of("sea_track.last_space")
def _() -> None:
    scripts = {0: koi("red", "blue")}
    change, also = "koi.last_space=1", ["koi.symbols=[]"]
    assert seen(told("sea"), change, scripts, overrides=also) == (2, 1)


@of("sea_track.symbols")
def _() -> None:
    def extra(played):
        return played.party(0, 0)["sea_regions"]

    assert extra(game({0: koi("red")})) == []
    assert extra(game({0: [*koi("red"), sea_region("blue")]}, overrides=["koi.symbols=1,"])) == [
        "blue"
    ]


@of("sea_track.each_symbol")
def _() -> None:
    def extra(played):
        return len(played.party(0, 0)["sea_regions"])

    also = ["koi.symbols=1,2"]
    once = [*koi("red", "blue"), sea_region("blue")]
    assert extra(game({0: [*once, sea_region("green")]}, overrides=also)) == 2
    assert extra(game({0: once}, overrides=[*also, "koi.each_symbol=false"])) == 1


@of("sea_track.winner_only")
def _() -> None:
    """R32: later places score nothing; of two players the one at sea alone gets I, not all."""
    scripts = {0: koi("red", "blue"), 1: koi("green")}
    change = "koi.winner_only=true"
    assert seen(won("sea", 2), change, scripts) == ([4, 2, 0, 0], [4, 0, 0, 0])
    alone_at_sea = {0: koi("red")}
    assert seen(won("sea", 2), change, alone_at_sea, players=2) == ([8, 0], [6, 0])
    level = {0: koi("red"), 1: koi("green")}
    assert seen(won("sea", 2), change, level) == ([3, 3, 0, 0], [2, 2, 0, 0])


@of("sea_track.prestige_4_6")
def _() -> None:
    change = "koi.prestige_4_6=5,6,7"
    assert seen(won("sea"), change, {0: koi("red")}) == ([2, 0, 0, 0], [5, 0, 0, 0])


@of("sea_track.prestige_2_3")
def _() -> None:
    change = "koi.prestige_2_3=5,6"
    assert seen(won("sea"), change, {0: koi("red")}, players=3) == ([2, 0, 0], [5, 0, 0])


BEARS = ("bear", "fox")


@of("largest_token.on_take")
def _() -> None:
    also = ["bear.age_4_6=24,0,0"]
    assert seen(
        lambda played: played.seats["largest"][0] - 24,
        "bear.on_take=7",
        {0: gather_and_play("bear:red")},
        clans=BEARS,
        overrides=also,
    ) == (4, 7)


@of("largest_token.margin")
def _() -> None:
    scripts = {
        0: gather_and_play("bear:red", "bear:white"),
        1: gather_and_play("bear:blue", "bear:green", "bear:black"),
    }
    assert seen(told("largest", 0, 1), "bear.margin=2", scripts, clans=BEARS) == (True, False)
    assert seen(told("largest"), "bear.margin=3", scripts, clans=BEARS) == (True, False)


@of("largest_token.age_4_6")
def _() -> None:
    holds = won("largest")
    assert seen(holds, "bear.age_4_6=9,8,12", {0: gather_and_play("bear:red")}, clans=BEARS) == (
        [4, 0, 0, 0],
        [9, 0, 0, 0],
    )


@of("largest_token.age_2_3")
def _() -> None:
    holds = won("largest")
    settings = {"clans": BEARS, "players": 3}
    assert seen(holds, "bear.age_2_3=9,10", {0: gather_and_play("bear:red")}, **settings) == (
        [4, 0, 0],
        [9, 0, 0],
    )
