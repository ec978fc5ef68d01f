"""Every kind of illegal answer stops the batch with a message: who, where and what."""

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from inside import module_with
from inside.simulator.game import CARDS, CHOICE, FROM_DECK, FROM_POOL, UNANSWERED
from inside.strategies import Entry
from kit.custom import write_power
from kit.situations import (
    Answer,
    decline,
    draw,
    gather_and_play,
    keep,
    play,
    quiet_game,
    raw,
    region,
    settle,
    take,
    then_play,
    token,
)
from seated import table_of

from ethnos_sim.simulator import PARTY, IllegalMove, load_rules, play_table, trace_game
from ethnos_sim.strategies import strategy
from ethnos_sim.strategies.toolkit import Party, random_chance
from ethnos_sim.strategies.toolkit import draw as recruit
from ethnos_sim.strategies.toolkit import play as lay

faults = module_with("simulator.kernel", "SENTENCES")

#: How player 0 is asked each question: the other clans, the script, and the overrides.
ASKED: dict[str, tuple[tuple[str, str], list[Answer], list[str]]] = {
    "turn": (("fox", "bear"), [], []),
    "second_party": (("fox", "bear"), gather_and_play("owl:red"), []),
    "region": (("deer", "bear"), gather_and_play("deer:green"), []),
    "sea_region": (("koi", "bear"), gather_and_play("koi:green", "koi:red", "koi:blue"), []),
    "token": (("fox", "bear"), gather_and_play("fox:green"), []),
    "settle": (("monkey", "bear"), gather_and_play("monkey:green"), []),
    "keep": (("fox", "bear"), gather_and_play("red_panda:green"), []),
    "draw": (("raven", "bear"), gather_and_play("raven:green"), []),
    "empty_board": (("monkey", "bear"), [*gather_and_play("monkey:green"), settle()], []),
    "ten_wild": (
        ("dog", "bear"),
        [draw(f"dog:{color}") for color in ("red", "green", "white") for _ in range(2)],
        ["hand_limit=7", "ten_wild_wins=true"],
    ),
}

#: The first card in the hand, if it matters.
FIRST = {"turn": "owl:blue", "ten_wild": "dog:blue"}


def refused(
    fault: int,
    *script: Answer,
    others: Sequence[str] = ("fox", "bear"),
    hand: str = "tiger:blue",
    overrides: Sequence[str] = (),
    pool: Sequence[str] = (),
) -> str:
    """Play a batch that player 0's last answer stops; return the error's message.

    It has the fault's sentence, and names the strategy, game, seat, turn and question.
    """
    table = quiet_game(*others, overrides=overrides).age({0: script}, hands={0: hand}, pool=pool)
    with pytest.raises(IllegalMove) as caught:
        table.play()
    message = str(caught.value)
    start = f"strategy 'script 0' {faults.SENTENCES[fault]}: game 0, seat 0, age 1, turn "
    assert message.startswith(start)
    assert f"question '{script[-1].question}'" in message
    return message


def refused_when_asked(fault: int, answer: Answer) -> str:
    """The message if the batch stops at an answer to its question."""
    others, script, overrides = ASKED[answer.question]
    hand = FIRST.get(answer.question, "tiger:blue")
    return refused(fault, *script, answer, others=others, hand=hand, overrides=overrides)


#: A kind of answer that belongs to another question.
OTHER_KIND = {"turn": CARDS, "second_party": FROM_DECK, "keep": CHOICE}

#: For each fault, wrong answers to a question of ASKED.
WRONG = {
    faults.NO_ANSWER: [raw(question, UNANSWERED) for question in ASKED],
    faults.WRONG_KIND: [raw(question, OTHER_KIND.get(question, PARTY)) for question in ASKED],
    faults.NOT_IN_POOL: [raw("turn", FROM_POOL, choice=card) for card in (-1, 36, 63, 64, 1000)],
    faults.NOT_IN_HAND: [
        play("rabbit:red"),
        play("owl:blue", "owl:blue"),
        play("owl:blue", "owl:red"),
        raw("turn", PARTY, leader="owl:blue", planes=(0, 1 << 23)),  # a second copy of no first
        raw("turn", PARTY, leader="owl:blue", planes=(1 << 23 | 1 << 62, 0)),  # no card
        then_play("rabbit:red"),
        keep("tiger:red"),
    ],
    faults.EMPTY_PARTY: [raw("turn", PARTY, leader="owl:blue")],
    faults.LEADER_NOT_IN_PARTY: [
        play("owl:blue", leader="owl:red"),
        play("owl:blue", leader="tiger:blue"),
        raw("turn", PARTY, planes=(1 << 23, 0)),
    ],
    faults.REGION_NOT_OPEN: [
        *(
            raw(question, CHOICE, choice=color)
            for question in ("region", "sea_region", "settle")
            for color in (-1, 6, 64)
        ),
        raw("settle", CHOICE, choice=5),  # another space of the settlement board
    ],
    faults.TOKEN_NOT_OPEN: [raw("token", CHOICE, choice=index) for index in (-1, 1, 6, 64)],
    faults.MUST_CHOOSE: [decline("region")],
}


@pytest.mark.parametrize(
    ("fault", "answer"), [(fault, answer) for fault in WRONG for answer in WRONG[fault]]
)
def test_a_wrong_answer_stops_the_batch_and_the_message_says_what_is_wrong(fault, answer) -> None:
    refused_when_asked(fault, answer)


@pytest.mark.parametrize("recruit", [draw(), take("fox:red")], ids=["deck", "pool"])
def test_recruiting_with_a_full_hand(recruit: Answer) -> None:
    script = [*[draw()] * 6, recruit]
    refused(faults.HAND_FULL, *script, overrides=["hand_limit=7"], pool=["fox:red"])


@pytest.mark.parametrize(("size", "limit"), [(11, 10), (4, 3)])
def test_a_party_above_the_limit_of_cards(size: int, limit: int) -> None:
    """A hand may hold more cards than a party; the rulebooks print a limit of ten cards."""
    cards = [f"tiger:{color}" for color in load_rules("second").colors for _ in range(2)][:size]
    overrides = [] if limit == 10 else [f"party_limit={limit}"]
    script = gather_and_play(*cards)
    refused(faults.PARTY_TOO_LARGE, *script, overrides=overrides, hand="owl:blue")
    table = quiet_game("fox", "bear", overrides=overrides)
    table.age({0: gather_and_play(*cards[:limit])})
    assert len(table.play().party(0, 0)["cards"]) == limit


def test_taking_a_card_that_is_not_in_the_pool() -> None:
    refused(faults.NOT_IN_POOL, take("fox:red"), overrides=["pool_per_player=0"])


def test_the_message_names_the_cards() -> None:
    message = refused_when_asked(faults.NOT_IN_HAND, play("rabbit:red", "tiger:red"))
    assert message.endswith("cards [rabbit:red, tiger:red]")


@pytest.mark.parametrize(
    "others",
    [("tiger:red",), ("owl:red", "tiger:red"), ("owl:red", "tiger:blue"), ("dog:red", "tiger:red")],
    ids=["two cards", "two of a color", "two of a clan", "a wild card that unites nothing"],
)
def test_a_party_of_neither_one_clan_nor_one_color(others: tuple[str, ...]) -> None:
    script = [*(draw(card) for card in others), play("owl:blue", *others)]
    refused(faults.MIXED_PARTY, *script, others=("dog", "bear"), hand="owl:blue")


def test_a_wild_card_cannot_lead_though_another_card_is_there() -> None:
    script = gather_and_play("dog:red", "owl:blue")
    refused(faults.WILD_LEADER, *script, others=("dog", "bear"))


def test_choosing_a_region_that_is_closed_to_the_marker() -> None:
    script = [*gather_and_play("rabbit:red"), *gather_and_play("deer:green"), region("red")]
    refused(faults.REGION_NOT_OPEN, *script, others=("deer", "bear"))


def test_a_token_that_is_taken() -> None:
    scripts = {0: gather_and_play("fox:red"), 1: gather_and_play("fox:blue", "fox:green")}
    table = quiet_game("fox", "bear")
    table.age({player: [*script, token(1)] for player, script in scripts.items()})
    with pytest.raises(IllegalMove, match=faults.SENTENCES[faults.TOKEN_NOT_OPEN]):
        table.play()


def test_keeping_more_cards_than_the_party_has() -> None:
    script = [draw("tiger:red"), *gather_and_play("red_panda:green")]
    refused(faults.KEPT_TOO_MANY, *script, keep("tiger:red", "tiger:blue"))


@pytest.mark.parametrize("option", [-1, 0, 3, 63, 64])
def test_choosing_an_option_that_a_custom_power_does_not_offer(option: int, tmp_path: Path) -> None:
    body = "def after_party(game, party):\n    choose(game, party.player, 6, 2)\n"
    power = write_power(tmp_path, "asking", body)
    script = [*gather_and_play("fox:green"), raw("choose", CHOICE, choice=option)]
    overrides = [f"clans.fox={power}:asking"]
    refused(faults.NOT_AN_OPTION, *script, overrides=overrides)


#: Tests of other topics cover the faults of solo games, of restricted players, and of powers that
#: fail (which are no moves of a player).
ELSEWHERE = {"NOT_OFFERED", "LEADER_NOT_UP", "RESTRICTED_LEADER", "NO_FAULT", "POWER_FAILED"}


def test_every_fault_of_a_game_between_players_is_tried_here() -> None:
    tried = set(re.findall(r"faults\.([A-Z_]+)", Path(__file__).read_text(encoding="utf-8")))
    names = {name for name, value in vars(faults).items() if isinstance(value, int)}
    assert names - ELSEWHERE <= tried


#: FAR_CARD is the plane of a card that no table has; NO_CARDS is the empty plane.
FAR_CARD, NO_CARDS = np.uint64(1 << 60), np.uint64(0)


@strategy()
def stumbler(view, rng):
    """Draws, and now and then plays a party that it does not have."""
    if random_chance(rng, 0.001) or view.hand_cards[view.player] >= view.rules.hand_limit:
        return lay(Party(0, FAR_CARD, NO_CARDS, 1))
    return recruit()


def test_a_batch_stops_at_the_first_illegal_move_and_names_the_game() -> None:
    rules = load_rules("second", overrides=["hand_limit=15", "dragons=1"])
    order = ("left", "right", "across", "last")
    table = table_of(rules, [Entry(name, stumbler, ()).seat() for name in order])
    with pytest.raises(IllegalMove) as caught:
        play_table(table, seed=3, deals=500)
    pattern = r"strategy '(\w+)' used cards that are not in its hand: game (\d+), seat (\d)"
    ((name, game, seat),) = re.findall(pattern, str(caught.value))
    assert order[(int(seat) + int(game)) % 4] == name
    with pytest.raises(IllegalMove) as again:
        trace_game(table, seed=3, game=int(game))
    assert str(again.value) == str(caught.value)
