"""Ties at the end of the game, which random games hardly reach, and ties for who begins."""

from collections.abc import Sequence

import pytest
from kit.refereed import PlayedGame
from kit.situations import (
    Answer,
    draw,
    gather_and_play,
    play,
    quiet_game,
    settle,
)

#: Nothing scores, so that prestige is equal and later tie-breaks decide.
NOTHING_SCORES = [
    f"prestige_tokens.base={[0] * 12}",
    f"prestige_tokens.four_plus={[0] * 6}",
    f"party_points={[0] * 7}",
]
NO_BEARS_PRESTIGE = ["bear.on_take=0", "bear.age_4_6=[0, 0, 0]"]

COLOR_OF_PLAYER = ("red", "blue", "green", "white")


def parties(player: int, *sizes: int, leader: str = "rabbit", wild: int = 0) -> list[Answer]:
    """Parties of these sizes in the player's color; the last cards of the first party are dogs."""
    color = COLOR_OF_PLAYER[player]
    clans = (leader, "tiger", "bear", "red_panda", "owl", leader, "tiger", "bear")
    answers: list[Answer] = []
    cards = [f"{clan}:{color}" for clan in clans]
    for size in sizes:
        answers += gather_and_play(*cards[: size - wild], *[f"dog:{color}"] * wild)
        cards = cards[size - wild :]
        wild = 0
    return answers


def last_age(*by_player: Sequence[Answer], switches: Sequence[str] = ()) -> PlayedGame:
    """A game in which nothing scores, with parties in the last age only."""
    overrides = [*NOTHING_SCORES, *NO_BEARS_PRESTIGE, *switches]
    table = quiet_game("dog", "bear", overrides=overrides)
    played = table.age().age().age(dict(enumerate(by_player))).play()
    assert played.events[-1]["prestige"] == [0, 0, 0, 0]
    return played


@pytest.mark.parametrize(
    ("first", "second", "markers", "winners"),
    [
        # More markers in the regions, although the other party is larger.
        (parties(0, 4), parties(1, 1, 2), [1, 2], [1]),
        # The largest party of the last age, then the second largest, then the third.
        (parties(0, 3), parties(1, 4), [1, 1], [1]),
        (parties(0, 1, 3), parties(1, 2, 3), [2, 2], [1]),
        # A missing party counts nothing; a party of one card is too small for a marker.
        (parties(0, 2, 3, 1), parties(1, 2, 3), [2, 2], [0]),
        # Neither the rabbit's larger score nor wild cards count as cards.
        (parties(0, 3, leader="rabbit"), parties(1, 3, leader="tiger"), [1, 1], [0, 1]),
        (parties(0, 5, wild=2), parties(1, 4), [1, 1], [1]),
    ],
)
def test_equal_prestige_is_decided_by_markers_and_then_by_parties(first, second, markers, winners):
    played = last_age(first, second)
    assert played.events[-1]["markers"] == [*markers, 0, 0]
    assert played.winners == winners


def test_with_wild_breaks_ties_wild_cards_count_for_the_tie() -> None:
    scripts = parties(0, 5, wild=2), parties(1, 4)
    assert last_age(*scripts, switches=["wild_breaks_ties=true"]).winners == [0]


def test_parties_as_large_as_a_hand_can_be_count_for_the_tie() -> None:
    """Fifteen cards, seven of them wild, are more than thirteen."""
    wild = [f"dog:{color}" for color in ("white", "green", "yellow", "black", "red", "blue")] * 2
    laid = {
        player: [
            *[f"{clan}:{color}" for clan in ("rabbit", "tiger", "red_panda", "owl")] * 2,
            *dogs,
        ]
        for player, color, dogs in ((0, "red", wild[:7]), (1, "blue", wild[7:]))
    }
    table = quiet_game(
        "dog", players=2, overrides=[*NOTHING_SCORES, "wild_breaks_ties=true", "party_limit=15"]
    )
    scripts = {player: [*map(draw, cards[1:]), play(*cards)] for player, cards in laid.items()}
    hands = {player: cards[0] for player, cards in laid.items()}
    played = table.age().age(scripts, hands=hands).play()
    assert [len(party["cards"]) for party in played.of("party")[-2:]] == [13, 15]
    assert played.events[-1]["markers"] == [1, 1]
    assert played.winners == [0]


def test_parties_of_earlier_ages_do_not_count_for_the_tie() -> None:
    table = quiet_game("dog", "bear", overrides=[*NOTHING_SCORES, *NO_BEARS_PRESTIGE])
    table.age({0: parties(0, 5)}).age().age({0: parties(0, 1), 1: parties(1, 1)})
    played = table.play()
    assert played.events[-1]["markers"] == [1, 1, 0, 0]
    assert played.winners == [0, 1]


def test_markers_off_the_regions_do_not_count_for_the_tie() -> None:
    """Nobody has more region markers, though one is at sea and one on a settlement board."""
    overrides = [*NOTHING_SCORES, f"monkey.settlement={[0] * 7}", "koi.prestige_4_6=[0, 0, 0]"]
    table = quiet_game("koi", "monkey", overrides=overrides)
    settler = [*gather_and_play("monkey:red"), settle()]
    sailor, neither = gather_and_play("koi:blue"), gather_and_play("rabbit:green")
    table.age().age().age({0: settler, 1: sailor, 2: neither})
    assert table.play().winners == [0, 1, 2]


@pytest.mark.parametrize(("players", "share"), [(2, 30), (3, 20), (4, 15)])
def test_a_tie_at_every_level_shares_the_win(players: int, share: int) -> None:
    played = last_age(*(parties(player, 2, 3) for player in range(players)))
    assert played.winners == list(range(players))
    assert played.traced.game["winners"] == players
    assert played.seats["won"].tolist() == [share] * players + [0] * (4 - players)


def begins(played: PlayedGame) -> list[int]:
    """The first player of each age."""
    return [event["first_player"] for event in played.of("age")]


@pytest.mark.parametrize(("drawer", "first"), [(0, 2), (1, 2), (2, 2), (3, 3)])
def test_of_tied_players_the_next_one_clockwise_begins(drawer: int, first: int) -> None:
    """Players 0 and 1 have prestige, 2 and 3 have none."""
    scripts = {0: gather_and_play("rabbit:red"), 1: gather_and_play("rabbit:blue")}
    table = quiet_game("fox", "bear").age(scripts, last_dragon=drawer)
    assert begins(table.play())[1] == first
