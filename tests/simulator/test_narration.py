"""A game in words agrees with its trace, uses the edition's words, and names the winner."""

import copy
import re
from collections import defaultdict

import pytest
from inside.simulator.narration import Board, Game, tellers
from kit.custom import WILD
from kit.tables import SETTINGS

from ethnos_sim.experiments import prepare_match
from ethnos_sim.simulator import load_rules
from ethnos_sim.simulator.narration import narrate

#: A party without effects, as in a trace.
PARTY = dict.fromkeys(("region", "sea", "token", "settled", "coin"))
PARTY |= {name: [] for name in ("sea_regions", "kept", "discarded", "drawn")}
PARTY |= {"event": "party", "largest": False, "again": False, "dragons": 0}


def traces(edition="second", players=4, mode="standard", strategies="random", games=3, **given):
    rules = load_rules(edition, overrides=given.pop("overrides", ()))
    match = prepare_match(rules, strategies, players=players, mode=mode, seed=11, **given)
    return [traced.trace for traced in match.traces(games)]


def text(trace, **given) -> str:
    return "\n".join(line.text for line in narrate(trace, **given))


@pytest.mark.parametrize(("edition", "players", "mode"), SETTINGS)
def test_the_board_of_the_narration_agrees_with_the_trace(edition, players, mode) -> None:
    for trace in traces(edition, players, mode, "random,greedy" if players > 1 else "random"):
        board = Board(Game.of(trace))
        tell = tellers(board)
        for event in trace["events"]:
            party = event["event"] == "party"
            held = board.hands[event["player"]].total() if party else 0
            for line in tell[event["event"]](event):
                assert "None" not in line.text
            assert min(board.supply) >= 0
            if party:
                rest = held - len(event["cards"])
                assert rest == len(event["kept"]) + len(event["discarded"])
                after = board.hands[event["player"]].total()
                assert after == len(event["kept"]) + len(event["drawn"])
        end = trace["events"][-1]
        assert end["markers"] == [sum(row) for row in zip(*board.markers.values(), strict=True)]
        assert end["prestige"] == board.prestige


def test_the_first_edition_is_narrated_in_its_own_words() -> None:
    words = re.compile(r"\b(region|clan|party|parties|prestige)s?\b", re.IGNORECASE)
    for trace in traces("first", strategies="greedy,random", games=20):
        story = text(trace)
        assert words.findall(story) == []
        assert "BAND of" in story
        assert "Total glory" in story


def test_the_dragon_that_ends_the_age_need_not_be_the_last_one() -> None:
    story = text(traces(overrides=["dragons=4", "last_dragon=2"], games=1)[0])
    assert "DRAGON 1 of 4" in story
    assert len(re.findall(r"DRAGON 2 of 4.*the age ends at once", story)) == 3
    assert "DRAGON 3" not in story


def test_the_table_of_an_age_adds_up_with_payments_of_custom_powers(in_one_place) -> None:
    overrides = {"clans.phoenix": f"{in_one_place('wild.py', WILD)}:wild"}
    clans = ["phoenix", "koi", "raccoon", "bear", "fox", "monkey"]
    paid = 0
    for trace in traces(overrides=overrides, clans=clans, games=6):
        lines = [line.text for line in narrate(trace)]
        for start in (i for i, line in enumerate(lines) if " End of " in line):
            rule = next(i for i, line in enumerate(lines) if i > start and line.startswith("---"))
            rows = [line for line in lines[start + 2 : rule] if "break ties" not in line]
            cells = [re.split(" {3,}", line)[-4:] for line in rows]
            won = [
                sum(map(int, re.findall(r"[+-]\d+", " ".join(gains))))
                for gains in zip(*cells, strict=True)
            ]
            assert won == [int(cell) for cell in re.split(" {3,}", lines[rule + 1])[-4:]]
            paid += any(line.startswith("Paid (phoenix)") for line in lines[start:rule])
        final = [line for line in lines if re.match(r"\d\. +P", line)]
        for line in final:
            total, *gained = map(int, re.findall(r" ([+-]?\d+)(?= )", f"{line} ")[:4])
            assert sum(gained) == total
    assert paid == 18


def stories_of(trace, kind: str) -> list[tuple[dict, str]]:
    """The events of a kind, each with its story on one line."""
    tell = tellers(Board(Game.of(trace)))
    stories = [
        (event, " ".join(" ".join(line.text for line in tell[event["event"]](event)).split()))
        for event in trace["events"]
    ]
    return [(event, story) for event, story in stories if event["event"] == kind]


def test_brunos_columns_are_narrated_with_the_cards_at_which_they_fire() -> None:
    (trace,) = traces(players=1, mode="solo-regular", strategies="greedy", games=1)
    stories = [story for event, story in stories_of(trace, "bruno_gets") if event["cards"]]
    columns = [story.split("columns: ")[1] for story in stories]
    limits = defaultdict(set)
    for color, size, limit in re.findall(r"(\w+) (\d+)/(\d+)", " ".join(columns)):
        limits[color].add(int(limit))
        assert int(size) > 0
    red, blue = limits.pop("red"), limits.pop("blue")
    assert limits == {"white": {5}, "green": {5}, "yellow": {4}, "black": {4}}
    assert min(red) == min(blue) == 1 < max(red | blue)


def test_the_possible_leaders_of_brunos_next_party_are_narrated() -> None:
    (trace,) = traces(players=1, mode="solo-easy", games=1)
    face_up: list[str] = []
    for number, (event, story) in enumerate(stories_of(trace, "bruno_party"), 1):
        face_up = [clan for clan in face_up or trace["clans"] if clan != event["leader"]]
        named = ", ".join(face_up) if number % 6 else "any, all face up again"
        assert f"next leader: {named}" in story
        assert ("into hand" in story) == (event["released_to"] == "hand")


def final(trace, prestige, markers, winners, parties=None) -> str:
    """The last line of a story after its final numbers are changed."""
    changed = copy.deepcopy(trace)
    changed["events"][-1] |= {"prestige": prestige, "markers": markers, "winners": winners}
    if parties is not None:
        last_age = max(i for i, event in enumerate(changed["events"]) if event["event"] == "age")
        asking = ("dog", "bear", "koi", "monkey", "fox", "raccoon")
        card = next(f"{clan}:red" for clan in trace["clans"] if clan not in asking)
        laid = [
            {**PARTY, "player": player, "cards": [card] * size, "leader": card}
            for player, sizes in enumerate(parties)
            for size in sizes
        ]
        end = changed["events"][-2:]
        changed["events"][last_age + 1 :] = laid + end
    return text(changed).splitlines()[-1]


def test_the_winner_is_named_with_the_tie_break_that_decided() -> None:
    trace = traces(strategies="greedy", games=1)[0]
    prestige, markers = [50, 70, 60, 70], [20, 15, 20, 12]
    ahead = final(trace, [50, 75, 60, 70], markers, [1])
    assert ahead == "P1 wins by prestige: 75 to 70 of P3."
    with_markers = final(trace, prestige, markers, [1])
    assert with_markers == "P1 wins by markers in the regions: 15 to 12 of P3."
    assert final(trace, prestige, [20, 12, 20, 12], [3], [[], [4, 3], [], [4, 3, 1]]) == (
        "P3 wins by parties of the last age: 4 3 1 to 4 3 of P1."
    )
    assert final(trace, prestige, [20, 12, 20, 12], [1, 3]) == (
        "P1 and P3 share the win: equal in prestige, markers in the regions and parties of the "
        "last age."
    )


def test_a_win_by_ten_wild_cards_is_narrated() -> None:
    clans = ("bear", "deer", "dog", "owl", "rabbit", "tiger")
    trace = traces(games=1, overrides=["ten_wild_wins=true"], clans=clans)[0]
    wild = [f"dog:{color}" for color in ("white", "red", "blue", "black", "green")] * 2
    age = next(event for event in trace["events"] if event["event"] == "age")
    party = {**PARTY, "player": 2, "cards": wild, "leader": wild[0]}
    end = {"event": "game_end", "prestige": [0] * 4, "markers": [0] * 4, "winners": [2]}
    story = text({**trace, "events": [age, party, end]})
    assert "plays 10 wild cards and wins the game at once" in story
    assert story.endswith("P2 wins at once with a full hand of wild cards.")
