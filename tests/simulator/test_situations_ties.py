"""Ties at the end of the game, which random games hardly reach."""

from collections.abc import Sequence

import pytest
from kit.refereed import PlayedGame
from kit.situations import Answer, gather_and_play, quiet_game

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


@pytest.mark.parametrize(("players", "share"), [(2, 30), (3, 20), (4, 15)])
def test_a_tie_at_every_level_shares_the_win(players: int, share: int) -> None:
    played = last_age(*(parties(player, 2, 3) for player in range(players)))
    assert played.winners == list(range(players))
    assert played.traced.game["winners"] == players
    assert played.seats["won"].tolist() == [share] * players + [0] * (4 - players)
