"""Every value of the solo mode and of its clans does for Bruno what it says.

The referee checks each game besides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from kit import Answer, PlayedGame, SoloGame, draw, lead, play
from kit.values import CLAN, EFFECT, Games, names_of

from ethnos_sim.simulator import Power, load_rules
from ethnos_sim.simulator.rules import TABLE_FIELDS

GAMES = Games()
of, of_each = GAMES.of, GAMES.of_each


#: The powers that Bruno's six clans have.
OF_BRUNO = [load_rules("second").power_of(clan) for clan in load_rules("second").solo_clans]

NAMES = [field.key for field in TABLE_FIELDS if field.group == "solo"]
NAMES += [name for name in names_of(OF_BRUNO) if not name.endswith(".times_cards")]


def test_every_value_has_a_game() -> None:
    """But for how many cards a clan has, which is the deck's."""
    assert set(GAMES) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_value_does_what_it_says(name: str) -> None:
    GAMES[name]()


#: Every column is played with a card, white first; the first deck cards are the player's.
EAGER = "bruno.fires_at=1,1,1,1,1,1"
COLUMNS = ("bear:white", "koi:yellow", "monkey:black")


def solo(*script: Answer, change: Sequence[str] = (), **stacked: Any) -> PlayedGame:
    """A solo game in which Bruno plays his white card first, after the player drew."""
    stacked = {"columns": COLUMNS, **stacked}
    return SoloGame("solo-regular", [EAGER, *change]).age(script, **stacked).play()


def bruno(clan: str, *change: str, blocked: bool = False) -> dict[str, Any]:
    """Bruno's first party, a white card led by a clan; `blocked` by the player's marker there."""
    changed = [f"{clan}.{each}" for each in change]
    if not blocked:
        return solo(draw(), lead(clan), change=changed).of("bruno_party")[0]
    # The white column is played in the turn in which the player's marker goes there.
    script = [play("rabbit:white"), lead(clan)]
    return solo(*script, change=changed, hand="rabbit:white").of("bruno_party")[0]


@of_each(names_of(OF_BRUNO, "places_marker"))
def _(power: Power, key: str) -> None:
    clan = CLAN[power]
    assert bruno(clan)["region"] == "white"
    assert bruno(clan, "places_marker=false")["region"] is None


@of_each(names_of(OF_BRUNO, "marker_bonus"))
def _(power: Power, key: str) -> None:
    clan = CLAN[power]
    assert bruno(clan, blocked=True)["region"] is None
    assert bruno(clan, "marker_bonus=1", blocked=True)["region"] == "white"


@of_each(names_of(OF_BRUNO, "score_bonus"))
def _(power: Power, key: str) -> None:
    """One party a game: the other columns are not played."""
    clan = CLAN[power]
    only = "bruno.fires_at=1,12,12,12,12,12"
    scored = [
        solo(draw(), lead(clan), change=[only, f"{clan}.score_bonus={bonus}"]) for bonus in (0, 5)
    ]
    leads = [
        sum(event["leader"] == clan for event in played.of("bruno_party")) for played in scored
    ]
    assert all(leads)
    parties = [sum(event["parties"][1] for event in played.of("age_end")) for played in scored]
    assert parties[0] < parties[1]


@of_each(names_of(OF_BRUNO, "needs_marker"))
def _(power: Power, key: str) -> None:
    effect, nothing = EFFECT[power]
    clan = CLAN[power]
    assert bruno(clan, blocked=True)[effect] != nothing
    assert bruno(clan, "needs_marker=true", blocked=True)[effect] == nothing
    assert bruno(clan, "needs_marker=true")[effect] != nothing


@of_each(names_of([Power.SEA_TRACK, Power.DRAWS_CARDS], "per_card", "more"))
def _(power: Power, key: str) -> None:
    clan, effect = CLAN[power], EFFECT[power][0]
    value = {"per_card": 3, "more": 2}[key]
    reached = [
        found if power is Power.SEA_TRACK else len(found)
        for found in (bruno(clan)[effect], bruno(clan, f"{key}={value}")[effect])
    ]
    assert reached == [1, 3]


@of("sea_track.last_space")
def _() -> None:
    change = ["per_card=3", "symbols=[]"]
    assert bruno("koi", *change)["sea"] == 3
    assert bruno("koi", *change, "last_space=2")["sea"] == 2


@of("sea_track.symbols")
def _() -> None:
    assert bruno("koi")["sea_regions"] == []
    assert len(bruno("koi", "symbols=1,")["sea_regions"]) == 1


@of("sea_track.each_symbol")
def _() -> None:
    change = ["per_card=2", "symbols=1,2"]
    assert len(bruno("koi", *change)["sea_regions"]) == 2
    assert len(bruno("koi", *change, "each_symbol=false")["sea_regions"]) == 1


def bruno_won(key: str, clan: str, change: str, *also: str) -> list[int]:
    """What Bruno won at the first age's end, as printed and with a value changed."""
    only = "bruno.fires_at=1,12,12,12,12,12"
    return [
        solo(draw(), lead(clan), change=[only, *also, *changed]).age_end(1)[key][1]
        for changed in ((), (f"{clan}.{change}",))
    ]


@of("sea_track.winner_only")
def _() -> None:
    """Level with the player at sea, Bruno shares two places' awards, or the first one's alone."""
    change = ["koi.per_card=0", "koi.more=1", "koi.symbols=[]", "pays.age_1=2,1"]
    script = [play("koi:red"), lead("bear"), draw(), lead("koi")]
    for switch, won in (("false", [4, 4]), ("true", [3, 3])):
        changed = [*change, f"koi.winner_only={switch}"]
        assert solo(*script, change=changed, hand="koi:red").age_end(1)["sea"] == won


@of("sea_track.prestige_2_3")
def _() -> None:
    assert bruno_won("sea", "koi", "prestige_2_3=9,10") == [2, 9]


@of("sea_track.prestige_4_6")
def _() -> None:
    """Bruno makes a table of two: the long list is not used."""
    assert bruno_won("sea", "koi", "prestige_4_6=9,9,9") == [2, 2]


@of("largest_token.age_2_3")
def _() -> None:
    assert bruno_won("largest", "bear", "age_2_3=9,10") == [4, 9]


@of("largest_token.age_4_6")
def _() -> None:
    assert bruno_won("largest", "bear", "age_4_6=9,9,9") == [4, 4]


@of("largest_token.on_take")
def _() -> None:
    only = "bruno.fires_at=1,12,12,12,12,12"
    totals = [
        solo(draw(), lead("bear"), change=[only, f"bear.on_take={on_take}"]).age_end(1)["prestige"]
        for on_take in (4, 7)
    ]
    assert totals[1][1] - totals[0][1] == 3


@of("largest_token.margin")
def _() -> None:
    assert bruno("bear")["largest"]
    assert not bruno("bear", "margin=2")["largest"]


@of("settlement_board.settlement")
def _() -> None:
    """Bruno empties his board at every age's end."""
    assert bruno_won("settlement", "monkey", "settlement=0,9,9,9,9,9,9") == [1, 9]


@of("coins.coins")
def _() -> None:
    assert bruno("raccoon")["coin"]["value"] == 1
    assert bruno("raccoon", "coins=7,8")["coin"]["value"] == 7


@of("bruno.fires_at")
def _() -> None:
    for fires_at in (1, 2):
        change = f"bruno.fires_at={[fires_at] * 6}"
        played = SoloGame("solo-regular", [change]).age(columns=COLUMNS).play()
        assert len(played.of("bruno_party")[0]["cards"]) == fires_at


@of("bruno.cards")
def _() -> None:
    def columns(played):
        return [len(event["columns"]) for event in played.of("age")]

    assert columns(SoloGame().age().play()) == [3, 3]
    assert columns(SoloGame(overrides=["bruno.cards=5"]).age().play()) == [5, 5]


@of("bruno.cards_each_age")
def _() -> None:
    played = SoloGame(overrides=["bruno.cards_each_age=false"]).age().play()
    assert [len(event["columns"]) for event in played.of("age")] == [3, 0]


@of("bruno.none_is_tie")
def _() -> None:
    """The player has the only marker, in white: Bruno's extra one goes elsewhere, or there."""
    script = [play("rabbit:white"), lead("koi")]
    for none_is_tie in (True, False):
        change = ["koi.symbols=1,", f"bruno.none_is_tie={str(none_is_tie).lower()}"]
        party = solo(*script, change=change, hand="rabbit:white").of("bruno_party")[0]
        assert (party["sea_regions"] != ["white"]) == none_is_tie
