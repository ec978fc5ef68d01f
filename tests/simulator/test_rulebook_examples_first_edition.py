"""The worked examples of the 1st edition's rulebooks, played.

The English rulebook tells of Roderick, Alexis and Wilfred, the Polish one of Piotr, Ewa and Tomek;
where both tell the same story, the test is named after the Polish players' clan examples or both.
Duris is the purple kingdom, Rhea the red, Straton the blue, Althea the green, Ithys the orange one.
"""

from __future__ import annotations

from typing import Any

import pytest
from kit import (
    Answer,
    PlayedGame,
    StackedGame,
    build_up,
    decline,
    draw,
    draw_cards,
    empty_board,
    gather_and_play,
    keep,
    play,
    quiet_game,
    region,
    sea_region,
    settle,
    take,
    then_play,
    token,
    win,
)

RODERICK, ALEXIS, WILFRED = 0, 1, 2
PIOTR, EWA, TOMEK = 0, 1, 2


def game(*others: str, **settings: Any) -> StackedGame:
    """A table of four with quiet clans and two others."""
    return quiet_game(*(others or ("giant", "troll")), edition="first", **settings)


def test_roderick_and_piotr_recruit_the_purple_dwarf_of_the_pool() -> None:
    played = game().age({RODERICK: [take("dwarf:purple")]}, pool=["dwarf:purple"]).play()
    recruit = played.of("recruit", RODERICK)[0]
    assert (recruit["source"], recruit["card"], recruit["dragons"]) == ("pool", "dwarf:purple", 0)


def test_alexis_and_ewa_draw_from_the_deck_instead() -> None:
    played = game().age({ALEXIS: [draw("elf:purple")]}).play()
    recruit = played.of("recruit", ALEXIS)[0]
    assert (recruit["source"], recruit["card"]) == ("deck", "elf:purple")


def test_roderick_and_piotr_place_a_third_marker_in_duris_with_three_dwarves() -> None:
    script = [
        *build_up("purple", 2, ("minotaur", "elf")),
        draw("troll:grey"),
        *gather_and_play("dwarf:purple", "dwarf:red", "dwarf:blue"),
    ]
    played = game().age({RODERICK: script}).play()
    party = played.party(RODERICK, -1)
    assert (party["region"], party["discarded"]) == ("purple", ["troll:grey"])
    assert played.of("game_end")[0]["markers"][RODERICK] == 3


def test_alexis_and_ewa_place_in_rhea_with_a_purple_wingfolk() -> None:
    script = [
        *build_up("purple", 2, ("minotaur", "elf")),
        *gather_and_play("wingfolk:purple", "dwarf:purple"),
        region("red"),
    ]
    played = game("wingfolk", "giant").age({ALEXIS: script}).play()
    assert played.party(ALEXIS, -1)["region"] == "red"


@pytest.mark.parametrize(
    ("seconds_markers", "won"), [(2, [4, 2, 0, 0]), (3, [3, 3, 0, 0])], ids=["behind", "tied"]
)
def test_three_players_in_duris_at_the_end_of_the_second_age(
    seconds_markers: int, won: list[int]
) -> None:
    """Roderick, Alexis and Wilfred; in Polish Piotr, Ewa and Tomek."""
    table = game(tokens={"purple": (2, 4, 6)})
    table.age(
        {
            RODERICK: build_up("purple", 3, ("dwarf", "minotaur", "elf")),
            ALEXIS: build_up("purple", 2, ("giant", "centaur")),
        }
    )
    third = gather_and_play("minotaur:purple", "minotaur:red", "minotaur:blue")
    table.age(
        {ALEXIS: third if seconds_markers == 3 else [], WILFRED: gather_and_play("dwarf:purple")}
    )
    assert table.play().region_won(2, "purple") == won


def test_piotrs_three_bands_score_thirteen() -> None:
    script = [
        *gather_and_play("minotaur:green", "elf:green"),
        *gather_and_play("dwarf:purple", "dwarf:red", "dwarf:blue"),
        *gather_and_play("minotaur:red", "elf:red", "giant:red", "troll:red"),
    ]
    played = game().age({PIOTR: script}).play()
    assert played.age_end(1)["parties"][PIOTR] == 1 + 6 + 6


@pytest.mark.parametrize(("size", "placed"), [(3, None), (4, "blue")])
def test_with_two_players_ewa_needs_more_cards_than_both_have_markers(
    size: int, placed: str | None
) -> None:
    table = quiet_game("giant", edition="first", players=2)
    table.age(
        {
            PIOTR: [
                *gather_and_play("dwarf:blue"),
                *gather_and_play("dwarf:blue", "centaur:blue", "minotaur:blue"),
            ],
            EWA: gather_and_play("giant:blue", "giant:red"),
        }
    )
    blue = ("dwarf:blue", "minotaur:blue", "minotaur:blue", "elf:blue")
    table.age({EWA: gather_and_play(*blue[:size])})
    played = table.play()
    assert [event["region"] for event in played.of("party")[:3]] == ["blue"] * 3
    assert played.party(EWA, -1)["region"] == placed


def test_piotrs_centaur_is_followed_by_an_orc() -> None:
    cards = ("centaur:blue", "dwarf:blue", "orc:red")
    script = [
        *(draw(card) for card in cards),
        play("centaur:blue", "dwarf:blue"),
        then_play("orc:red"),
        settle(),
        empty_board(),
    ]
    played = game("orc", "troll").age({PIOTR: script}).play()
    centaur, orc = played.of("party", PIOTR)
    assert (centaur["region"], centaur["again"]) == ("blue", True)
    assert (orc["region"], orc["settled"]) == ("red", "red")


def test_piotrs_four_cards_with_a_dwarf_score_as_five() -> None:
    script = gather_and_play("dwarf:red", "minotaur:red", "elf:red", "giant:red")
    assert game().age({PIOTR: script}).play().age_end(1)["parties"][PIOTR] == 10


def test_ewa_keeps_three_of_four_cards_with_an_elf() -> None:
    rest = ("minotaur:grey", "centaur:green", "troll:blue", "giant:purple")
    script = [
        *(draw(card) for card in rest[1:]),
        *gather_and_play("elf:red", "elf:blue", "elf:green"),
        keep(*rest[:3]),
    ]
    party = game().age({EWA: script}, hands={EWA: rest[0]}).play().party(EWA, 0)
    assert sorted(party["kept"]) == sorted(rest[:3])
    assert party["discarded"] == ["giant:purple"]


def test_piotr_takes_the_giant_token_from_ewa_with_a_larger_band() -> None:
    played = (
        game(first_player=EWA)
        .age(
            {
                EWA: gather_and_play("giant:red", "giant:blue", "giant:green"),
                PIOTR: gather_and_play("giant:grey", "giant:red", "giant:orange", "giant:purple"),
            }
        )
        .play()
    )
    assert played.age_end(1)["largest"] == [2, 0, 0, 0]
    assert played.seats["largest"].tolist() == [2 + 2, 2, 0, 0]


@pytest.mark.parametrize("anywhere", ["grey", "green"])
def test_piotrs_merfolk_reach_the_symbol_on_space_three(anywhere: str) -> None:
    script = [
        *build_up("green", 2, ("minotaur", "elf")),
        *gather_and_play("merfolk:green", "merfolk:red", "merfolk:blue"),
        sea_region(anywhere),
    ]
    played = game("merfolk", "giant").age({PIOTR: script}).play()
    party = played.party(PIOTR, -1)
    assert (party["region"], party["sea"], party["sea_regions"]) == ("green", 3, [anywhere])
    assert played.age_end(1)["sea"] == [1, 0, 0, 0]
    assert played.of("game_end")[0]["markers"][PIOTR] == 4


@pytest.mark.parametrize(("leader", "placed"), [("minotaur:red", "red"), ("dwarf:red", None)])
def test_ewas_fourth_marker_in_rhea_takes_three_cards_with_a_minotaur(
    leader: str, placed: str | None
) -> None:
    table = game()
    table.age({EWA: build_up("red", 3, ("dwarf", "centaur", "elf"))})
    table.age({EWA: gather_and_play(leader, "centaur:red", "centaur:red")})
    assert table.play().party(EWA, -1)["region"] == placed


def test_ewa_empties_her_horde_board_with_three_orcs_for_six() -> None:
    script: list[Answer] = []
    for color in ("orange", "blue", "grey"):
        script += [*gather_and_play(f"orc:{color}"), settle()]
    played = game("orc", "troll").age({EWA: [*script, empty_board()]}).play()
    first = played.party(EWA, 0)
    assert (first["region"], first["settled"]) == ("orange", "orange")
    assert played.age_end(1)["settlement"] == [0, 6, 0, 0]
    assert played.age_end(1)["emptied"] == [False, True, False, False]


def test_piotrs_two_skeletons_leave_before_his_band_scores() -> None:
    cards = ("minotaur:red", "elf:red", "dwarf:red", "skeleton:blue", "skeleton:green")
    played = game("skeleton", "troll").age({PIOTR: gather_and_play(*cards)}).play()
    assert len(played.party(PIOTR, 0)["cards"]) == 5
    assert played.age_end(1)["parties"][PIOTR] == 3


def test_ten_skeletons_win_the_game_at_once_in_the_polish_rulebook() -> None:
    colors = ("orange", "blue", "red", "purple", "green")
    skeletons = [f"skeleton:{color}" for color in colors for _ in range(2)]
    script = [*(draw(card) for card in skeletons[1:]), win()]
    table = game(
        "skeleton", "troll", overrides=["ten_wild_wins=true", "hand_limit=10"], first_player=TOMEK
    )
    played = table.age({TOMEK: script}, hands={TOMEK: skeletons[0]}).play()
    assert played.winners == [TOMEK]
    assert not played.of("age_end")


def _troll_game(piotrs: dict[str, int], ewas: dict[str, int]) -> PlayedGame:
    """Piotr and Ewa have a marker each in Straton; their bands of four took tokens, by leader."""
    rests = {
        "troll:blue": ("giant:blue", "dwarf:blue", "elf:blue"),
        "troll:red": ("giant:red", "dwarf:red", "elf:red"),
        "troll:orange": ("giant:orange", "dwarf:orange", "elf:orange"),
    }

    def take_tokens(values: dict[str, int]) -> list[Answer]:
        return [
            answer
            for leader, value in values.items()
            for answer in (*gather_and_play(leader, *rests[leader]), token(value))
        ]

    table = game(tokens={"blue": (6, 6, 8)})
    ewa = [*take_tokens(ewas), *gather_and_play("minotaur:blue")]
    return table.age({PIOTR: take_tokens(piotrs), EWA: ewa}).play()


def test_piotrs_troll_token_of_four_beats_ewas_of_two() -> None:
    assert _troll_game({"troll:blue": 4}, {"troll:orange": 2}).region_won(1, "blue") == [6, 0, 0, 0]


def test_ewas_single_troll_token_of_four_beats_piotrs_one_and_three() -> None:
    played = _troll_game({"troll:blue": 1, "troll:red": 3}, {"troll:orange": 4})
    tokens = [event["token"] for event in played.of("party") if event["token"]]
    assert sorted(tokens) == [1, 3, 4]
    assert played.region_won(1, "blue")[EWA] == 6


@pytest.mark.parametrize("color", ["purple", "red", "grey"])
def test_ewas_wingfolk_place_where_she_has_two_markers_or_fewer(color: str) -> None:
    script = [
        *build_up("purple", 2, ("minotaur", "elf")),
        *gather_and_play("wingfolk:purple", "dwarf:purple", "dwarf:purple"),
        region(color),
    ]
    played = game("wingfolk", "giant").age({EWA: script}).play()
    assert played.party(EWA, -1)["region"] == color


def test_piotr_discards_two_cards_and_draws_two_with_a_wizard() -> None:
    script = [
        draw("minotaur:grey"),
        *gather_and_play("wizard:red", "wizard:blue"),
        draw_cards("giant:red", "elf:green"),
    ]
    table = game("wizard", "giant")
    party = table.age({PIOTR: script}, hands={PIOTR: "elf:purple"}).play().party(PIOTR, 0)
    assert sorted(party["discarded"]) == ["elf:purple", "minotaur:grey"]
    assert party["drawn"] == ["giant:red", "elf:green"]


def test_halflings_place_no_marker_however_large_their_band() -> None:
    """The clan's text has no example; its one sentence is played here."""
    halflings = tuple(f"halfling:{color}" for color in ("red", "red", "red", "red", "blue"))
    played = game("halfling", "troll").age({PIOTR: gather_and_play(*halflings)}).play()
    party = played.party(PIOTR, 0)
    assert (party["region"], len(party["cards"])) == (None, 5)
    assert played.age_end(1)["parties"][PIOTR] == 10


def test_a_horde_board_may_be_left_for_a_later_age() -> None:
    table = game("orc", "troll")
    table.age({EWA: [*gather_and_play("orc:orange"), settle(), decline("empty_board")]})
    table.age({EWA: [*gather_and_play("orc:blue"), settle(), empty_board()]})
    played = table.play()
    assert played.age_end(1)["settlement"][EWA] == 0
    assert played.age_end(2)["settlement"][EWA] == 3
