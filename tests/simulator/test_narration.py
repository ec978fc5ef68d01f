"""A game in words agrees with its trace, uses the edition's words, and names the winner."""

import re
from typing import Any

import pytest
from inside.experiments import prepare_match
from inside.simulator.narration import Board, Game, narrate_event
from kit.custom import WILD
from kit.tables import SETTINGS

from ethnos_sim.simulator import load_rules
from ethnos_sim.simulator.narration import narrate


def traces(edition="second", players=4, mode="standard", strategies="random", games=3, **given):
    rules = load_rules(edition, overrides=given.pop("overrides", ()))
    match = prepare_match(rules, strategies, players=players, mode=mode, seed=11, **given)
    return [traced.trace for traced in match.traces(games)]


def text(trace: dict[str, Any]) -> str:
    return "\n".join(narrate(trace))


@pytest.mark.parametrize(("edition", "players", "mode"), SETTINGS)
def test_the_board_of_the_narration_agrees_with_the_trace(edition, players, mode) -> None:
    for trace in traces(edition, players, mode, "random,greedy" if players > 1 else "random"):
        board = Board(Game.from_trace(trace))
        for event in trace["events"]:
            party = event["event"] == "party"
            held = board.hands[event["player"]].total() if party else 0
            for line in narrate_event(board, event):
                assert "None" not in line
            if party:
                rest = held - len(event["cards"])
                assert rest == len(event["kept"]) + len(event["discarded"])
                after = board.hands[event["player"]].total()
                assert after == len(event["kept"]) + len(event["drawn"])
        end = trace["events"][-1]
        assert end["markers"] == [sum(row) for row in zip(*board.markers.values(), strict=True)]
        assert end["prestige"] == board.prestige
        assert all(board.game.side_names[winner] in text(trace) for winner in end["winners"])


def test_the_first_edition_is_narrated_in_its_own_words() -> None:
    words = re.compile(r"\b(region|clan|party|parties|prestige)s?\b", re.IGNORECASE)
    for trace in traces("first", strategies="greedy,random", games=5):
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
        lines = list(narrate(trace))
        for start in (i for i, line in enumerate(lines) if " End of " in line):
            end = next(i for i, line in enumerate(lines) if i > start and "This age" in line)
            cells = [re.split(" {3,}", line)[-4:] for line in lines[start + 2 : end]]
            won = [
                sum(map(int, re.findall(r"[+-]\d+", " ".join(gains))))
                for gains in zip(*cells, strict=True)
            ]
            assert won == [int(cell) for cell in re.split(" {3,}", lines[end])[-4:]]
            paid += any(line.startswith("Custom powers") for line in lines[start:end])
    assert paid == 18


def test_a_shared_win_names_all_winners() -> None:
    trace = traces(games=1)[0]
    trace["events"][-1] |= {"winners": [1, 3]}
    assert text(trace).endswith("P1 and P3 share the win.")
