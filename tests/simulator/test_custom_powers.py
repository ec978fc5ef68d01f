"""Custom powers can play the printed powers' games, and cannot break the game."""

import itertools
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import referee
import seated
from inside.simulator.custom_powers import load_powers
from inside.simulator.tables import ACTIONS, PreparedTables
from kit.custom import CLANS, PRINTED, WILD, power_text, rules_with, write_power
from kit.refereed import refereed
from seated import same_games

from ethnos_sim.simulator import GameTable, NoAnswer, Rules, load_rules, play_table, trace_game
from ethnos_sim.simulator import PlayedTable as Batch
from ethnos_sim.simulator.custom_powers import PowerError
from ethnos_sim.simulator.narration import narrate


def table_of(
    rules: Rules, text: str = "random", players: int = 4, mode: str = "standard", clans=CLANS
) -> GameTable:
    """A table with the first of the clans."""
    return seated.table_of(rules, text, players, mode, clans[: rules.clans_in_play(players)])


def play(table: GameTable, deals: int = 60) -> Batch:
    return play_table(table, seed=5, first_deal=0, deals=deals)


@pytest.fixture(scope="session")
def power(in_one_place) -> Callable[[str, str], Path]:
    """Return a function that writes a file with a power."""
    return lambda name, body: in_one_place(f"{name}.py", power_text(name, body))


@pytest.fixture(scope="module")
def wild(in_one_place) -> Rules:
    return rules_with(in_one_place("wild.py", WILD))


@pytest.mark.parametrize("clan", PRINTED)
def test_a_printed_power_written_in_python_plays_the_same_games(clan: str, power) -> None:
    printed = load_rules("second")
    custom = rules_with(power(clan, PRINTED[clan]), clan)
    clans = (clan, *[other for other in CLANS if other != clan][:5])
    # The raven's question has another name in Python, so strategies answer it by default.
    line_up = "greedy" if clan == "raven" else "random"
    for players in (2, 4):
        games = [
            play(table_of(rules, line_up, players, clans=clans)) for rules in (printed, custom)
        ]
        assert same_games(*games)
        assert games[0].seats["led"].any(axis=(0, 1))[clans.index(clan)]


def test_the_games_do_not_depend_on_whether_they_are_traced(wild: Rules) -> None:
    table = table_of(wild)
    batch = play(table, 4)
    done: set[str] = set()
    for game in range(4):
        traced = trace_game(table, seed=5, game=game)
        assert (traced.seats == batch.seats[game]).all()
        done |= {
            action["action"]
            for event in traced.trace["events"]
            for action in event.get("actions", ())
        }
    assert done == {name for name, _ in ACTIONS.values()}


def test_two_clans_may_have_custom_powers_with_separate_states(power) -> None:
    body = (
        "def turn_end(game, player):\n    remember(game, player, 1, recall(game, player, 1) + {})"
    )
    one = power("one", body.format(1) + "\n    pay_prestige(game, player, 1)\n")
    two = power("two", body.format(2) + "\n")
    text = [f"clans.{clan}={file}:{file.stem}" for clan, file in (("rabbit", one), ("koi", two))]
    table = table_of(load_rules("second", overrides=text))
    traced = trace_game(table, seed=1, game=0)
    kept = {"rabbit": 0, "koi": 0}
    for event in traced.trace["events"]:
        if event["event"] == "power" and event["player"] == 2:
            kept[event["clan"]] = event["actions"][0]["value"]
    assert kept["koi"] == 2 * kept["rabbit"] > 20
    assert traced.seats["powers"][2] == kept["rabbit"]


def test_a_player_who_looks_ahead_sees_the_payments_of_a_custom_power(power) -> None:
    body = "def after_party(game, party):\n    pay_prestige(game, party.player, 15)\n"
    rules = rules_with(power("rich", body))
    line_up = "lookahead:samples=8,evaluator"
    batch = play(table_of(rules, line_up, 2), 6)
    led = np.array([batch.seats["led"][..., 0][batch.seats["entry"] == e].sum() for e in (0, 1)])
    assert led[0] > 1.5 * led[1]


def test_powers_never_pay_beyond_the_largest_total(power) -> None:
    body = "def turn_end(game, player):\n    pay_prestige(game, player, 1000)\n"
    played = play(table_of(rules_with(power("golden", body))), 2)
    assert played.seats["prestige"].min() >= played.seats["powers"].min() > 19_000
    assert played.seats["prestige"].max() < 21_000


@pytest.mark.parametrize("moment", ["after_recruit(game, player, card)", "turn_end(game, player)"])
def test_no_power_is_called_after_another_power_drew_the_last_dragon(moment, power) -> None:
    draws = power("drawer", f"def {moment}:\n    draw_cards(game, player, 3)\n")
    pays = power("payer", f"def {moment}:\n    pay_prestige(game, player, 1 + game.age_over)\n")
    overrides = [f"clans.rabbit={draws}:drawer", f"clans.koi={pays}:payer"]
    table = table_of(load_rules("second", overrides=overrides), "greedy")
    ended = 0
    for game in range(3):
        events = refereed(table, seed=5, game=game).events
        for event, after in itertools.pairwise(events):
            if event["event"] == "power":
                assert {action.get("prestige", 1) for action in event["actions"]} == {1}
                ended += after["event"] == "age_end"
    assert ended > 2


def test_no_party_follows_once_a_power_has_drawn_the_last_dragon(power) -> None:
    """The power draws when it is asked whether another party follows, and says yes."""
    body = "def another_party(game, party):\n    draw_cards(game, party.player, 2)\n    return 1\n"
    table = table_of(rules_with(power("drawing", body)), "greedy")
    ended = 0
    for game in range(12):
        for event, after in itertools.pairwise(refereed(table, seed=2, game=game).events):
            dragons = sum(action.get("dragons", 0) for action in event.get("actions", ()))
            if event["event"] == "party" and after["event"] == "age_end" and dragons:
                assert not event["again"]
                ended += 1
    assert ended > 0


def test_an_error_at_a_party_of_brunos_names_the_power(power) -> None:
    body = """\
        def after_party(game, party):
            if party.player == 1:
                place_marker(game, party.player, 6)
    """
    rules = rules_with(power("at_bruno", body))
    table = table_of(rules, "warden", 1, "solo-regular", rules.solo_clans)
    with pytest.raises(NoAnswer, match=r"in power 'at_bruno', .* does not exist: game .* seat 1"):
        play(table, 20)


@pytest.mark.parametrize("moment", ["scoring_size", "marker_size", "marker_regions"])
def test_a_function_that_is_asked_about_a_party_may_not_act(moment: str, power) -> None:
    """Actions there would stand in the trace before the party."""
    body = f"def {moment}(game, party):\n    remember(game, 0, 0, 1)\n    return 3\n"
    with pytest.raises(NoAnswer, match="only answer; act in after_party"):
        play(table_of(rules_with(power("early", body))), 2)


#: A power that takes back discarded cards as long as the hand has room.
TAKER = """\
@power("taker")
def after_discard(game, party):
    for card in range(6 * game.slots):
        while take_card(game, party.player, card):
            pass
"""


@pytest.mark.parametrize("mode", ["solo-regular", "solo-hard", "recruitment"])
def test_cards_that_a_power_takes_back_are_no_longer_discarded(mode: str, power) -> None:
    """If no discarded card is left, Bruno gets the deck's top card; the pool is filled to three."""
    rules = rules_with(power("taker", TAKER))
    solo = mode != "recruitment"
    clans = rules.solo_clans if solo else CLANS
    table = table_of(rules, "greedy", 1 if solo else 3, mode, clans)
    taken_back = 0
    for game in range(8):
        for event, after in itertools.pairwise(refereed(table, seed=3, game=game).events):
            if event["event"] == "power" and after["event"] in ("bruno_gets", "refill"):
                assert after.get("source", "deck") == "deck"
                taken_back += 1
    assert taken_back > 5


BROKEN = {
    "index": ("pay_prestige(game, party.player, game.prestige[party.size + 90])", "IndexError"),
    "region": ("place_marker(game, party.player, 6)", "a region that does not exist"),
    "player": ("draw_cards(game, 4, 1)", "a player who does not play"),
    "card": ("take_card(game, party.player, 60)", "a card that is not in play"),
    "place": ("remember(game, party.player, 4, 1)", "keeps 4 numbers for each player"),
    "smallest": ("remember(game, party.player, 0, -(2**63))", "at most 30,000"),
    "fraction": ("random_below(game, 2.5)", "not whole"),
    "prestige": ("pay_prestige(game, party.player, 5000)", "at most 1,000"),
    "options": ("choose(game, party.player, 1 << 50, 50)", "numbers below 42"),
    "suggestion": ("choose(game, party.player, 6, 0)", "not among the options"),
    "bound": ("random_below(game, 0)", "a bound above 0"),
    "half_an_answer": ("choose(game, party.player, 7, 1.5)", "a number that is not whole"),
    "question": ("choose(game, party.player, 7, 0, question=128)", "a question is 0 to 127"),
    "division": ("remember(game, party.player, 0, 5 // (party.color * 0))", "ZeroDivisionError"),
    "raised": ("raise ValueError('no')", "ValueError: no"),
}


@pytest.fixture(scope="module")
def broken(in_one_place) -> Path:
    """A power with every fault; the largest party chooses one."""
    body = "def after_party(game, party):\n"
    for number, (line, _) in enumerate(BROKEN.values(), 1):
        body += f"    if game.rules.party_limit == {number}:\n        {line}\n"
    return in_one_place("broken.py", power_text("broken", body))


@pytest.mark.parametrize("fault", BROKEN)
def test_an_error_in_a_power_names_file_line_game_and_moment(fault: str, broken: Path) -> None:
    (line, said), number = BROKEN[fault], [*BROKEN].index(fault) + 1
    chosen = [f"clans.rabbit={broken}:broken", f"party_limit={number}"]
    with pytest.raises(NoAnswer) as caught:
        play(table_of(load_rules("second", overrides=chosen)))
    text = str(caught.value)
    at = broken.read_text(encoding="utf-8").splitlines().index(f"        {line}") + 1
    assert text.startswith(f"{broken}:{at}: ")
    assert said in text
    assert "in power 'broken'" in text
    assert "game 0, seat " in text
    assert "moment 'after_party'" in text


SNEAKING = """\
@kernel
def sneak(table, player):
    table[player] += 3

@power("sneak")
def after_party(game, party):
    sneak(game.{}, party.player)
"""


@pytest.mark.parametrize("field", ["prestige", "sea[0]"])
def test_a_power_that_writes_past_the_toolkit_is_refused(field: str, power) -> None:
    rules = rules_with(power("sneak", SNEAKING.format(field)))
    with pytest.raises(PowerError, match=r"sneak\.py:\d+: this writes to read-only data"):
        play(table_of(rules))


def test_too_many_actions_of_a_power_stop_the_game(power) -> None:
    """A game of four has twelve calls: 833 actions in each are allowed, and 834 are too many."""
    body = "def age_end(game, player):\n    for i in range({}):\n        remember(game, 0, 0, i)\n"
    trace_game(table_of(rules_with(power("bold", body.format(833)))), seed=1, game=0)
    with pytest.raises(NoAnswer, match="more than 10,000 actions"):
        trace_game(table_of(rules_with(power("busy", body.format(834)))), seed=1, game=0)


@pytest.mark.parametrize("hook", ["age_end(game, player)", "after_recruit(game, player, card)"])
def test_an_endless_loop_in_a_power_is_ended_and_its_line_named(hook: str, power) -> None:
    body = f"""\
        def {hook}:
            number = 1
            while number > 0:
                number += 1 if number < 5 else -1
    """
    with pytest.raises(NoAnswer, match=r"endless\.py:6: in power 'endless', a loop went round"):
        play(table_of(rules_with(power("endless", body))), 1)


def test_a_changed_file_is_another_power(tmp_path: Path) -> None:
    first = rules_with(write_power(tmp_path, "moving", PRINTED["rabbit"]))
    before = play(table_of(first), 2)
    second = rules_with(write_power(tmp_path, "moving", PRINTED["tiger"]))
    assert first.rules_id != second.rules_id
    assert not same_games(before, play(table_of(second), 2))
    with pytest.raises(PowerError, match="has changed; its code was"):
        PreparedTables([table_of(first)])


def test_a_power_whose_file_was_not_loaded_is_refused_with_the_option_to_load_it(power) -> None:
    rules = rules_with(power("gone", PRINTED["rabbit"]))
    reference = "elsewhere.py:gone@0123456789abcdef"
    strange = replace(rules, custom_powers=(("rabbit", reference),))
    with pytest.raises(PowerError, match=r"--strategies-from elsewhere\.py"):
        PreparedTables([table_of(strange)])


def test_one_file_may_declare_several_powers(tmp_path: Path) -> None:
    body = '@power("a")\ndef cards_kept(game, party):\n    return 1\n'
    file = write_power(tmp_path, "pair", body + body.replace('"a"', '"b"').replace("1", "2"))
    assert [power.name for power in load_powers(file)] == ["a", "b"]


@pytest.fixture(scope="module")
def phoenix(in_one_place) -> Rules:
    """Rules with the example power of the guide."""
    guide = (Path(__file__).resolve().parents[2] / "docs" / "powers.md").read_text("utf-8")
    power = guide.partition("```python\n")[2].partition("```")[0]
    return rules_with(in_one_place("phoenix.py", power))


@pytest.mark.parametrize("known", [True, False], ids=["phoenix", "wild"])
@pytest.mark.parametrize(
    ("players", "mode"),
    [(1, "solo-regular"), (2, "recruitment"), (4, "standard"), (6, "standard")],
)
def test_the_referee_passes_games_with_custom_powers(known, players, mode, wild, phoenix):
    """The guide's example is checked in full; of other powers only that actions are possible."""
    rules = phoenix if known else wild
    clans = rules.solo_clans if players == 1 else CLANS
    table = table_of(rules, "random,greedy" if players > 1 else "random", players, mode, clans)
    done = 0
    for game in range(6):
        played = refereed(table, seed=3, game=game)
        done += played.summary.events["power"]
        assert "".join(narrate(played.traced.trace))
    assert done > 10


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (lambda action: action.update(value=action["value"] + 1), "custom power"),
        (lambda action: action.update(player=(action["player"] + 1) % 4), "custom power"),
        (lambda action: action.update(place=1), "custom power"),
        (lambda action: action.update(note=1), "keys of an action"),
    ],
)
def test_the_referee_sees_a_wrong_action(change, rule: str, phoenix: Rules) -> None:
    table = table_of(phoenix)
    trace = json.loads(json.dumps(trace_game(table, seed=3, game=1).trace))
    action = next(
        action
        for event in trace["events"]
        for action in event.get("actions", ())
        if action["action"] == "remember"
    )
    change(action)
    with pytest.raises(referee.Fault, match=rule):
        referee.replay(trace)
