"""The solo mode of the 2nd edition's rulebook, paragraph by paragraph, in played games.

Hands, pools and columns are stacked, and the referee checks every game.
"""

from collections.abc import Sequence

import numpy as np
import pytest
from inside.simulator.kernel import SEA_PREFERENCE, exchange_tokens, preferred_regions
from inside.simulator.kernel import settle as put_on_board
from inside.simulator.tables import hidden_record, view_records
from kit.refereed import PlayedGame
from kit.situations import (
    NEARLY_BLACK,
    POOL,
    KitError,
    bruno_region,
    draw,
    gifts,
    give,
    lead,
    play,
    release,
    sea_region,
    solo_game,
    steal,
    take,
)

from ethnos_sim.simulator import (
    SOLO_CLANS,
    IllegalMove,
    load_rules,
)

COLORS = ("white", "green", "yellow", "black", "red", "blue")


def after_turn(played: PlayedGame, turn: int) -> list[dict]:
    """The events from a turn (counted from 0) up to the next turn."""
    starts = [
        place
        for place, event in enumerate(played.events)
        if event["event"] in ("recruit", "party", "age_end")
    ]
    return played.events[starts[turn] : starts[turn + 1]]


def kinds(played: PlayedGame, turn: int) -> list[str]:
    """The kinds of a turn's events."""
    return [event["event"] for event in after_turn(played, turn)]


def fires(played: PlayedGame, turns: int) -> list[bool]:
    """For each of the first `turns` turns, whether Bruno plays a party."""
    return ["bruno_party" in kinds(played, turn) for turn in range(turns)]


def before_age_end(played: PlayedGame) -> list[dict]:
    """The events of the first age."""
    return played.events[: played.events.index(played.age_end(1))]


def first_party(played: PlayedGame) -> dict:
    """Bruno's first party."""
    return played.of("bruno_party")[0]


# Preparation


def test_solo_is_set_up_for_two_players_with_two_tokens_a_region_and_two_ages() -> None:
    played = solo_game()
    assert {len(lying) for lying in played.traced.trace["prestige_tokens"].values()} == {2}
    assert len(played.of("age_end")) == 2


def test_the_small_side_of_the_koi_board_is_used() -> None:
    """Bruno plays nothing in the first age, so only the player is on the track."""
    script = [play("koi:blue"), *gifts(*POOL, "monkey:white", "monkey:green")]
    deck = ("raccoon:green", None, "monkey:white", None, "monkey:green")
    played = solo_game(*script, hand="koi:blue", deck=deck)
    assert "bruno_party" not in [event["event"] for event in before_age_end(played)]
    assert played.age_end(1)["sea"] == [load_rules("second").value("koi.prestige_2_3")[0], 0]


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


def test_bruno_begins_with_the_decks_three_top_cards_in_the_columns_of_their_colors() -> None:
    cards = ("bear:black", "koi:black", "monkey:black")
    played = solo_game(*gifts("rabbit:black"), columns=cards, pool=("rabbit:black", *POOL[:3]))
    begins = played.of("age")[0]
    assert sorted(begins["columns"]) == sorted(cards)
    assert len(begins["deck"]) == 36 - 1 - 4 - 3 + 3
    assert first_party(played)["column"] == "black"
    assert [len(event["columns"]) for event in played.of("age")] == [3, 3]


# The columns


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


@pytest.mark.parametrize("color", ["red", "blue"])
def test_red_and_blue_fire_as_soon_as_their_marker_can_be_placed(color: str) -> None:
    pool = (f"bear:{color}", f"koi:{color}", f"monkey:{color}", f"rabbit:{color}")
    played = solo_game(*gifts(*pool[:3]), pool=pool)
    assert [len(event["cards"]) for event in played.of("bruno_party")[:2]] == [1, 2]
    assert fires(played, 3) == [True, False, True]
    assert {event["region"] for event in played.of("bruno_party")[:2]} == {color}


def test_the_players_marker_keeps_red_from_firing_with_one_card() -> None:
    pool = ("bear:red", "koi:red", "bear:white", "bear:green")
    script = [play("rabbit:red"), *gifts("bear:red", "koi:red")]
    played = solo_game(*script, hand="rabbit:red", pool=pool, deck=("monkey:white", "koi:green"))
    assert fires(played, 3) == [False, False, True]
    assert len(first_party(played)["cards"]) == 2


def test_of_several_columns_the_leftmost_is_played_one_a_turn() -> None:
    script = [
        *gifts("monkey:black"),
        *(take("raven:white"), give("rabbit:black"), give("bear:red"), release("bear:yellow")),
        *gifts("koi:white"),
    ]
    played = solo_game(
        *script,
        mode="solo-hard",
        deck=(None, "bear:red"),
        **NEARLY_BLACK,
    )
    columns = [
        [event["column"] for event in after_turn(played, turn) if event["event"] == "bruno_party"]
        for turn in range(3)
    ]
    assert columns == [[], ["black"], ["red"]]


# Bruno's parties


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


def black_party(leader: str, *more, **stacked) -> PlayedGame:
    """Bruno plays four black cards in the first turn; a yellow card stays in his columns."""
    script = [take("raven:white"), give("monkey:black"), give("rabbit:black"), lead(leader), *more]
    return solo_game(*script, mode="solo-hard", **NEARLY_BLACK, **stacked)


def test_rabbit_leads_for_bruno_as_always() -> None:
    played = black_party("rabbit")
    points = load_rules("second").numbers("party_points")
    parties = [event for event in before_age_end(played) if event["event"] == "bruno_party"]
    assert (parties[0]["leader"], len(parties[0]["cards"])) == ("rabbit", 4)
    sizes = [len(event["cards"]) + (event["leader"] == "rabbit") for event in parties]
    assert played.age_end(1)["parties"][1] == sum(points[min(size, 6)] for size in sizes)


def test_bear_leads_for_bruno_as_always() -> None:
    played = black_party("bear")
    rules = load_rules("second")
    assert first_party(played)["largest"]
    assert played.age_end(1)["largest"][1] == rules.value("bear.age_2_3")[0]
    assert (
        played.seats["largest"][1] >= rules.value("bear.on_take") + rules.value("bear.age_2_3")[0]
    )


def test_raven_draws_its_cards_into_brunos_columns() -> None:
    drawn = ("koi:red", "koi:green", "raccoon:white", "koi:yellow")
    played = black_party("raven", release("koi:yellow"), deck=(None, None, *drawn))
    assert first_party(played)["drawn"] == list(drawn)
    assert first_party(played)["released"] == "koi:yellow"


SHORT_SEA = ("koi.symbols=[1, 18]",)


def spread(leader: str, *answer, without: Sequence[str] = (), overrides=SHORT_SEA) -> PlayedGame:
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
        overrides=overrides,
    )


def test_koi_goes_where_the_player_likes_among_the_regions_where_bruno_loses() -> None:
    """The printed example: there are no ties, so any region where he is losing may be chosen."""
    party = first_party(spread("koi", bruno_region("blue")))
    assert (party["region"], party["sea"], party["sea_regions"]) == ("yellow", 4, ["blue"])


def test_koi_goes_to_a_tied_region_before_all_others() -> None:
    assert first_party(spread("koi", without=("blue",)))["sea_regions"] == ["blue"]
    with pytest.raises(IllegalMove, match="region"):
        spread("koi", bruno_region("white"), without=("blue", "red"))


def test_koi_goes_where_bruno_wins_only_where_he_ties_and_loses_nowhere() -> None:
    assert preferred(SEA_PREFERENCE, player=[0, 1, 1, 1, 1, 1], bruno=[1, 1, 0, 2, 2, 2]) == {1}
    assert preferred(SEA_PREFERENCE, player=[0, 1, 1, 1, 1, 1], bruno=[1, 0, 0, 2, 2, 2]) == {1, 2}
    assert preferred(SEA_PREFERENCE, player=[0] * 6, bruno=[1] * 6) == set(range(6))


def solo_view():
    """The open record of a solo table (shape (), VIEW_DTYPE)."""
    return view_records(load_rules("second"), 1, "solo-regular", [SOLO_CLANS])[0]


def preferred(preference, player: list[int], bruno: list[int]) -> set[int]:
    """The regions that Bruno prefers with these markers."""
    view = solo_view()
    view["markers"][:, 0] = player
    view["markers"][:, 1] = bruno
    mask = int(preferred_regions(view, preference))
    return {region for region in range(6) if mask >> region & 1}


def test_a_raccoon_coin_goes_where_bruno_wins_before_all_others() -> None:
    coin = {"region": "black", "value": 1}
    assert first_party(black_party("raccoon"))["coin"] == coin


def test_a_raccoon_coin_goes_to_a_tie_where_bruno_wins_nowhere() -> None:
    party = first_party(spread("raccoon", without=("blue",)))
    assert party["coin"] == {"region": "blue", "value": 1}


def test_a_raccoon_coin_goes_where_the_player_likes_among_equal_regions() -> None:
    party = first_party(spread("raccoon", bruno_region("red")))
    assert party["coin"] == {"region": "red", "value": 1}
    with pytest.raises(IllegalMove, match="region"):
        spread("raccoon", bruno_region("white"), without=("blue", "red"))


def test_nobody_is_asked_where_a_raccoon_coin_goes_if_none_is_left() -> None:
    none_left = (*SHORT_SEA, "raccoon.coins=[]")
    assert first_party(spread("raccoon", overrides=none_left))["coin"] is None
    with pytest.raises(KitError, match="is asked 'turn'"):
        spread("raccoon", bruno_region("red"), overrides=none_left)


def test_a_monkey_settles_a_free_space_of_the_players_choice() -> None:
    party = first_party(black_party("monkey", bruno_region("green")))
    assert (party["region"], party["settled"]) == ("black", "green")


@pytest.mark.parametrize(
    ("settled", "after"), [(0b011111, 0b111111), (0b111011, 0b111111), (0b111111, 0b111111)]
)
def test_a_monkey_takes_the_last_free_space_and_none_of_a_full_board(settled, after) -> None:
    view = solo_view()
    hidden = hidden_record()[0]
    monkey = SOLO_CLANS.index("monkey")
    view["settlements"][monkey, 1] = settled
    supply = int(view["supply"][1])
    assert put_on_board(view, hidden, 1, monkey, 0, 4) == 0
    assert view["settlements"][monkey, 1] == after
    assert supply - view["supply"][1] == (after != settled)


def test_brunos_settlement_board_is_scored_and_emptied_at_every_ages_end() -> None:
    played = black_party("monkey")
    end = played.age_end(1)
    assert end["emptied"][1]
    assert end["settlement"][1] == load_rules("second").value("monkey.settlement")[1]
    assert played.age_end(2)["emptied"][1]


def test_any_card_of_brunos_columns_is_released_after_his_party() -> None:
    pool = ("rabbit:black", *POOL[:3])
    columns = ("bear:black", "koi:black", "bear:yellow")
    script = gifts("rabbit:black", "bear:white", "monkey:black")
    script += [release("bear:white"), take("bear:white")]
    deck = (None, "monkey:black")
    played = solo_game(*script, columns=columns, pool=pool, deck=deck)
    party = first_party(played)
    assert (party["released"], party["released_to"]) == ("bear:white", "pool")
    assert kinds(played, 3)[0] == "recruit"
    assert after_turn(played, 3)[0]["card"] == "bear:white"


def test_nothing_is_released_where_the_columns_are_empty() -> None:
    cards = ("bear:black", "koi:black", "monkey:black")
    played = solo_game(*gifts("rabbit:black"), columns=cards, pool=("rabbit:black", *POOL[:3]))
    assert (first_party(played)["released"], first_party(played)["released_to"]) == (None, None)


# What differs for the player


def test_after_a_recruit_bruno_gets_a_pool_card_and_one_is_turned() -> None:
    script = [*gifts("koi:green"), take("raven:blue"), give("bear:white")]
    played = solo_game(*script, deck=("raven:red", "raven:blue", "rabbit:red"))
    assert kinds(played, 0) == kinds(played, 1) == ["recruit", "bruno_gets", "refill"]
    cards = (("raven:red", "koi:green", "raven:blue"), ("raven:blue", "bear:white", "rabbit:red"))
    for turn, (drawn, given, turned) in enumerate(cards):
        recruit, gets, refilled = after_turn(played, turn)
        assert (recruit["card"], gets["cards"], refilled["cards"]) == (drawn, [given], [turned])
        assert gets["source"] == "pool"


def test_after_a_party_bruno_gets_one_of_the_discarded_cards() -> None:
    script = [*gifts("bear:white", "koi:white"), play("rabbit:yellow"), give("raven:green")]
    deck = ("rabbit:yellow", None, "raven:green", None)
    played = solo_game(*script, hand="raven:white", deck=deck)
    party, gets = after_turn(played, 2)[:2]
    assert sorted(party["discarded"]) == ["raven:green", "raven:white"]
    assert (gets["source"], gets["cards"]) == ("discard", ["raven:green"])


def test_bruno_gets_no_card_of_the_pool_after_a_party() -> None:
    script = [draw(), draw(), play("rabbit:yellow"), give("bear:green")]
    with pytest.raises(IllegalMove, match="not on offer"):
        solo_game(*script, hand="raven:white", deck=("rabbit:yellow", None, "raven:green"))


def test_after_a_party_without_discards_bruno_gets_the_decks_top_card() -> None:
    played = solo_game(play("rabbit:red"), hand="rabbit:red", deck=("monkey:green",))
    gets = after_turn(played, 0)[1]
    assert (gets["source"], gets["cards"]) == ("deck", ["monkey:green"])


# Difficulties


def test_in_an_easy_game_the_released_card_may_be_taken_into_hand() -> None:
    script = gifts("monkey:black", "rabbit:black")
    script += [lead("bear"), steal(), play("bear:yellow")]
    played = solo_game(*script, mode="solo-easy", hand="raven:red", **NEARLY_BLACK)
    party = first_party(played)
    assert (party["released"], party["released_to"]) == ("bear:yellow", "hand")
    assert after_turn(played, 2)[0]["cards"] == ["bear:yellow"]


def full_hand(*answer) -> PlayedGame:
    """Bruno fires when the player's sixth draw fills a hand of seven (in place of ten)."""
    script = gifts(*POOL, "monkey:black", "rabbit:black")
    script += [lead("bear"), release("bear:yellow"), *answer, play("raccoon:red")]
    return solo_game(
        *script,
        mode="solo-easy",
        overrides=("hand_limit=7",),
        hand="raccoon:red",
        columns=("bear:black", "koi:black", "bear:yellow"),
        deck=(None, "monkey:black", None, "rabbit:black"),
        second_age=[*[draw()] * 4, draw("raccoon:red"), play("raccoon:red")],
    )


def test_in_an_easy_game_a_full_hand_takes_nothing() -> None:
    party = first_party(full_hand())
    assert (party["released"], party["released_to"]) == ("bear:yellow", "pool")
    with pytest.raises(KitError, match="steal"):
        full_hand(steal())


@pytest.mark.parametrize("mode", ["solo-regular", "solo-hard"])
def test_in_other_games_nothing_is_taken_into_hand(mode: str) -> None:
    script = [*gifts("monkey:black", "rabbit:black"), lead("bear")]
    with pytest.raises(KitError, match="steal"):
        solo_game(*script, steal(), mode=mode, **NEARLY_BLACK)


def test_in_a_hard_game_two_pool_cards_go_to_bruno_when_the_player_takes_one() -> None:
    script = [take("bear:white"), give("koi:white"), give("koi:green"), take("bear:green")]
    played = solo_game(*script, mode="solo-hard", deck=("raven:green", "raven:white"))
    first, second = (after_turn(played, turn)[1] for turn in (0, 1))
    assert first["cards"] == ["koi:white", "koi:green"]
    assert sorted(second["cards"]) == ["raven:green", "raven:white"]
    assert [len(after_turn(played, turn)[2]["cards"]) for turn in (0, 1)] == [2, 3]


def test_in_a_hard_game_a_card_from_the_deck_gives_bruno_one() -> None:
    played = solo_game(*gifts("koi:white"), mode="solo-hard")
    assert after_turn(played, 0)[1]["cards"] == ["koi:white"]


def test_a_clan_with_tie_break_tokens_leads_for_bruno_without_a_choice_of_one() -> None:
    played = black_party("rabbit", overrides=("clans.rabbit=tie_break_tokens",))
    assert first_party(played)["leader"] == "rabbit"
