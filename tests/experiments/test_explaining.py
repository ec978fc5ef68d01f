"""Explanations: the moves of a turn, with the chance to win after each."""

import pytest
from commands import python
from inside.experiments.matches import turns_of

from ethnos_sim.experiments import Match, explain, prepare_match
from ethnos_sim.simulator import InvalidGame, load_rules

GAME = ["--strategies", "evaluator:danger=0,greedy", "--seed", "4"]


@pytest.fixture(scope="module")
def match() -> Match:
    return prepare_match(load_rules("second"), "evaluator:danger=0,greedy", players=4, seed=4)


def test_chances_lie_between_0_and_1_and_the_best_move_is_first(match: Match) -> None:
    explanation = explain(match, 1, 40, guesses=12)
    assert explanation.imagined
    assert explanation.guesses == 12
    chances = [move.chance for move in explanation.moves]
    assert chances == sorted(chances, reverse=True)
    assert all(0 <= chance <= 1 for chance in chances)
    assert explanation.moves[0].behind == 0
    assert [move.behind for move in explanation.moves] == pytest.approx(
        [chances[0] - c for c in chances]
    )
    assert sum(move.played for move in explanation.moves) == 1


def test_another_strategy_can_explain_a_turn_by_its_own_chances(match: Match) -> None:
    explanation = explain(match, 1, 40, by="lookahead:rounds=1", guesses=8)
    assert not explanation.imagined
    assert explanation.strategy == "lookahead:rounds=1"
    assert {move.card for move in explanation.moves} == {
        move.card for move in explain(match, 1, 40, guesses=2).moves
    }


def test_an_explanation_does_not_depend_on_old_contents_of_memory() -> None:
    """The allocator overwrites freed memory, so any later use of it shows."""
    script = (
        "import threading\n"
        "from ethnos_sim import load_rules\n"
        "from ethnos_sim.experiments import explain, prepare_match\n"
        "def judge():\n"
        "    match = prepare_match(load_rules('second'), 'champion', players=4, seed=5)\n"
        "    print(explain(match, 0, 20, by='lookahead', guesses=8))\n"
        "thread = threading.Thread(target=judge)\n"
        "thread.start(); thread.join()\n"
    )
    match = prepare_match(load_rules("second"), "champion", players=4, seed=5)
    done = python("-c", script, MALLOC_PERTURB_="165")
    assert done.stdout.strip() == str(explain(match, 0, 20, by="lookahead", guesses=8))


def test_look_ahead_without_rounds_values_positions_by_the_net_whatever_the_policy(
    match: Match,
) -> None:
    """The position after taking a card is known, so its value is the net's, whoever plays on."""
    compared = 0
    for turn in (8, 24, 40, 56):
        chances = {
            by: {m.card: m.chance for m in explain(match, 1, turn, by=by, guesses=2).moves}
            for by in ("learned", "lookahead:rounds=0", "lookahead:policy=greedy:rounds=0")
        }
        net, leaf, by_greedy = chances.values()
        taken = [m.card for m in explain(match, 1, turn, guesses=2).moves if m.kind == "take"]
        for card in taken:
            assert leaf[card] == pytest.approx(net[card], abs=1e-5)
            assert by_greedy[card] == leaf[card]
        compared += len(taken)
    assert compared > 10


def test_a_game_that_is_imagined_to_its_end_is_won_or_lost(match: Match) -> None:
    last = int(turns_of(match, 0)[-1]["open"]["turns"])
    for turn in range(last - 20, last, 5):
        explanation = explain(match, 0, turn, by="lookahead:rounds=30", guesses=1)
        assert {move.chance for move in explanation.moves} <= {0, 1}


@pytest.mark.parametrize("turn", [0, 5000])
def test_a_turn_that_does_not_exist_is_refused_in_a_sentence(match: Match, turn: int) -> None:
    with pytest.raises(InvalidGame, match="turns are 1 to"):
        explain(match, 0, turn)


def test_the_command_prints_the_editions_words(printed) -> None:
    words = ["play", "--explain", "40", "--guesses", "4", "--edition", "first"]
    text = printed(*words, "--strategies", "evaluator", *GAME[2:])
    assert "band of" in text
    assert "chance to win" in text


def test_a_game_of_a_file_is_explained_as_the_game_itself(tmp_path, printed) -> None:
    traces = tmp_path / "games.jsonl"
    printed("play", *GAME, "--games", "2", "--out", traces)
    words = ["play", "--explain", "40", "--guesses", "4", "--game", "1"]
    assert printed(*words, traces) == printed(*words, *GAME)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{}", "not a trace of a game"),
        ("no", "not a file of traces"),
        ('{"game": 1}', "not a trace"),
    ],
)
def test_a_file_that_holds_no_trace_is_refused(text, sentence, tmp_path, refusal) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(text)
    assert sentence in refusal("play", path, "--explain", "1")
