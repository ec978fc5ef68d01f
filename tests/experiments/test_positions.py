"""Recorded positions agree with the games that `trace` tells, move by move and hand by hand."""

import pytest
from inside.experiments.matches import record_game
from inside.simulator.game import TURN

from ethnos_sim.experiments import Match, prepare_match
from ethnos_sim.simulator import load_rules

KINDS = {1: "recruit", 2: "recruit", 3: "party"}


@pytest.fixture(scope="module")
def match() -> Match:
    return prepare_match(load_rules("second"), "greedy,random", players=4, seed=2)


def test_recorded_turns_equal_the_turns_of_the_trace(match: Match) -> None:
    for game in range(match.rotations):
        positions, traced = record_game(match, game), match.trace(game)
        events = [e for e in traced.trace["events"] if e["event"] in ("recruit", "party")]
        chained = [e["event"] == "party" and e["again"] for e in events]
        told = [e for e, after in zip(events, [False, *chained], strict=False) if not after]
        turns = positions[positions["open"]["decision"] == TURN]
        assert turns["open"]["player"].tolist() == [event["player"] for event in told]
        for move, event in zip(turns["move"], told, strict=True):
            assert KINDS[move["kind"]] == event["event"]
            if move["kind"] == 2:
                assert match.table(0).card_name(int(move["choice"])) == event["card"]


def test_recorded_hands_have_the_visible_sizes_and_the_view_of_the_asked_player(match: Match):
    for position in record_game(match, 0):
        hands = zip(position["hands_once"], position["hands_twice"], strict=True)
        sizes = [int(once).bit_count() + int(twice).bit_count() for once, twice in hands]
        view = position["open"]
        assert sizes == view["hand_cards"].tolist()
        assert position["hands_once"][view["player"]] == view["hand_once"]
