"""The solo mode of the 2nd edition's rulebook, paragraph by paragraph, in played games.

Hands, pools and columns are stacked, and the referee checks every game.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from inside.simulator.kernel import exchange_tokens
from inside.simulator.kernel import place_settlement as put_on_board
from inside.simulator.tables import hidden_record, view_records
from kit.refereed import PlayedGame
from kit.situations import (
    bruno_region,
    draw,
    gifts,
    give,
    lead,
    play,
    release,
    sea_region,
    solo_game,
    take,
)

from ethnos_sim.simulator import SOLO_CLANS, IllegalMove, load_rules

COLORS = ("white", "green", "yellow", "black", "red", "blue")


def fires(played: PlayedGame, turns: int) -> list[bool]:
    """For each of the first `turns` turns, whether Bruno plays a party."""
    kinds = [event["event"] for event in played.events]
    starts = [place for place, kind in enumerate(kinds) if kind in ("recruit", "party")]
    return ["bruno_party" in kinds[turn:end] for turn, end in pairwise(starts[: turns + 1])]


def first_party(played: PlayedGame) -> dict:
    """Bruno's first party."""
    return played.of("bruno_party")[0]


def test_the_printed_exchange_of_tokens() -> None:
    """Red (4) gets yellow's 12, blue (6) gets black's 10; the end is 8, 10, 10 and 12."""
    tokens = np.zeros((6, 3), np.int16)
    tokens[:, :2] = [(6, 8), (4, 8), (4, 12), (6, 10), (4, 10), (6, 8)]
    before = sorted(tokens[:, :2].ravel().tolist())
    exchange_tokens(tokens, 2, np.uint64(1))
    assert sorted(tokens[4:, :2].ravel().tolist()) == [8, 10, 10, 12]
    assert sorted(tokens[:, :2].ravel().tolist()) == before
    assert (tokens[:, 0] <= tokens[:, 1]).all()
    assert tokens[:, :2].tolist() == [[6, 8], [4, 8], [4, 4], [6, 6], [10, 12], [8, 10]]


@pytest.mark.parametrize(
    ("color", "size"), [("white", 5), ("green", 5), ("yellow", 4), ("black", 4)]
)
def test_a_column_fires_at_its_number_of_cards_and_not_before(color: str, size: int) -> None:
    """The printed example: a black column of four is played after the player's turn."""
    cards = [f"{clan}:{color}" for clan in SOLO_CLANS[:size]]
    pool = [*cards[3:], *(f"raven:{other}" for other in COLORS if other != color)][:4]
    script = gifts(*cards[3:])
    played = solo_game(*script, columns=cards[:3], pool=pool)
    assert fires(played, size - 3) == [*[False] * (size - 4), True]
    party = first_party(played)
    assert (party["column"], sorted(party["cards"])) == (color, sorted(cards))
    assert party["region"] == color


@pytest.mark.parametrize("second", ["koi", "monkey"])
def test_of_six_cards_koi_may_lead_but_not_the_monkey_that_led_before(second: str) -> None:
    """The printed example: the monkey's setup card lies face down."""
    script = [
        *(*gifts("bear:red"), lead("monkey"), release("bear:yellow")),
        *gifts("rabbit:white", "raccoon:white"),
        *(take("koi:blue"), give("raven:white"), give("monkey:white"), lead(second)),
    ]
    stacked = {
        "mode": "solo-hard",
        "columns": ("bear:white", "koi:white", "bear:yellow"),
        "pool": ("bear:red", "rabbit:white", "raccoon:white", "raven:white"),
        "deck": (None, "monkey:white", None, "koi:blue"),
    }
    if second == "monkey":
        with pytest.raises(IllegalMove, match="leader"):
            solo_game(*script, **stacked)
        return
    played = solo_game(*script, **stacked)
    first, then = played.of("bruno_party")[:2]
    assert (first["leader"], first["column"]) == ("monkey", "red")
    assert (then["leader"], then["column"], len(then["cards"])) == ("koi", "white", 6)


def spread(leader: str, *answer, without: Sequence[str] = ()) -> PlayedGame:
    """Bruno plays four yellow cards while he loses in every region that is not in `without`.

    The player has two markers in yellow and one in each of the other regions. This party places
    Bruno's first marker.
    """
    placed = [color for color in COLORS if color != "yellow" and color not in without]
    to_bruno = [f"{clan}:white" for clan in ("bear", "koi", "monkey", "raccoon")]
    to_bruno += [f"{clan}:green" for clan in ("bear", "koi", "monkey", "raccoon")]
    to_bruno += [f"{clan}:yellow" for clan in ("bear", "monkey", "raccoon")]
    from_pool = [to_bruno.pop() for _ in placed]
    script = [play("koi:yellow"), sea_region("yellow")]
    deck = [to_bruno.pop()]
    for number, color in enumerate(placed):
        script += [draw(), give(from_pool[number]), play(f"rabbit:{color}")]
        refilled = "raven:yellow" if number == 0 else None
        deck += [f"rabbit:{color}", from_pool[4] if number == 1 and len(placed) > 4 else refilled]
        deck.append(to_bruno.pop())
    script += [draw(), give("raven:yellow"), lead(leader), *answer]
    deck += [None, None]
    return solo_game(
        *script,
        hand="koi:yellow",
        columns=("bear:black", "koi:black", "monkey:black"),
        pool=[*from_pool[:4], *["raven:white"] * (4 - len(from_pool[:4]))],
        deck=deck,
        overrides=("koi.symbols=[1, 18]",),
    )


def test_koi_goes_where_the_player_likes_among_the_regions_where_bruno_loses() -> None:
    """The printed example: there are no ties, so any region where he is losing may be chosen."""
    party = first_party(spread("koi", bruno_region("blue")))
    assert (party["region"], party["sea"], party["sea_regions"]) == ("yellow", 4, ["blue"])


def test_koi_goes_to_a_tied_region_before_all_others() -> None:
    assert first_party(spread("koi", without=("blue",)))["sea_regions"] == ["blue"]
    with pytest.raises(IllegalMove, match="region"):
        spread("koi", bruno_region("white"), without=("blue", "red"))


def test_a_raccoon_coin_goes_where_the_player_likes_among_equal_regions() -> None:
    party = first_party(spread("raccoon", bruno_region("red")))
    assert party["coin"] == {"region": "red", "value": 1}
    with pytest.raises(IllegalMove, match="region"):
        spread("raccoon", bruno_region("white"), without=("blue", "red"))


@pytest.mark.parametrize(
    ("settled", "after"), [(0b011111, 0b111111), (0b111011, 0b111111), (0b111111, 0b111111)]
)
def test_a_monkey_takes_the_last_free_space_and_none_of_a_full_board(settled, after) -> None:
    view = view_records(load_rules("second"), 1, "solo-regular", [SOLO_CLANS])[0]
    hidden = hidden_record()[0]
    monkey = SOLO_CLANS.index("monkey")
    view["settlements"][monkey, 1] = settled
    supply = int(view["supply"][1])
    assert put_on_board(view, hidden, 1, monkey, 0, 4) == 0
    assert view["settlements"][monkey, 1] == after
    assert supply - view["supply"][1] == (after != settled)


def test_a_clan_with_tie_break_tokens_leads_for_bruno_without_a_choice_of_one() -> None:
    columns = ("bear:black", "koi:black", "bear:yellow")
    pool = ("monkey:black", "rabbit:black", "raven:white", "koi:white")
    script = [take("raven:white"), give("monkey:black"), give("rabbit:black"), lead("rabbit")]
    overrides = ["clans.rabbit=tie_break_tokens"]
    played = solo_game(*script, mode="solo-hard", overrides=overrides, columns=columns, pool=pool)
    assert first_party(played)["leader"] == "rabbit"
