"""A strategy that would never answer is stopped with one sentence that names the loop."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from inside import module_with
from inside.simulator.compiler import MOST_ITERATIONS
from kit.custom import strategy_text, turn
from seated import play_seats

from ethnos_sim.simulator import NoAnswer, load_rules
from ethnos_sim.strategies import StrategyError, load_strategy_file

pytestmark = pytest.mark.long

#: A strategy with three endless loops, and one that ends; a parameter chooses the loop.
ENDLESS = f"""\
from {module_with("simulator.game", "popcount").__name__} import lowest

@kernel
def count(view):
    rounds = 0
    while view.turns >= 0:  # a helper's
        rounds += 1
    return rounds

@strategy(Parameter("kind", 1, 0, 9, "which loop"))
def endless(view, parameters):
    rounds = 0
    if parameters.kind == 1:
        for _ in range(2**60):  # for
            if view.turns > 5000:
                rounds += 1
    elif parameters.kind == 2:
        rounds = count(view)
    elif parameters.kind == 9:
        for _ in range(MOST_ITERATIONS // 20):
            rounds += 1 + (view.turns > 5000)
    return draw() if not hand_is_full(view) else play(largest_party(view))

@endless.region
def region(view, parameters):
    rounds = 0
    while parameters.kind == 3 and view.turns >= 0:  # another question's
        rounds += 1
    return lowest(view.options)
"""
NONE = 0
KINDS = {"for": 1, "a helper's": 2, "another question's": 3}


@pytest.fixture(scope="session")
def write(in_one_place: Callable[[str, str], Path]) -> Callable[[str, str], Path]:
    """Return a function that writes a strategy file whose body begins at line 5."""

    def write(name: str, body: str) -> Path:
        return in_one_place(f"{name}.py", strategy_text(body, name))

    return write


@pytest.fixture
def endless(write: Callable[[str, str], Path]) -> Path:
    """The file of the strategy `endless`, which is loaded."""
    file = write("endless", ENDLESS.replace("MOST_ITERATIONS", str(MOST_ITERATIONS)))
    load_strategy_file(file)
    return file


def play(line_up: str, deals: int = 2) -> None:
    """Play a few games of four players."""
    play_seats(load_rules("second"), line_up, seed=1, deals=deals)


def opening_words(file: Path, kind: str, entry: str = "endless") -> str:
    """The beginning of the sentence that tells of the endless loop `kind` in a strategy."""
    lines = file.read_text(encoding="utf-8").splitlines()
    line = next(i for i, line in enumerate(lines, 1) if line.endswith(f"  # {kind}"))
    return f"{file}:{line}: in strategy '{entry}', a loop went round {MOST_ITERATIONS:,} times"


@pytest.mark.parametrize("kind", KINDS)
def test_an_endless_loop_is_reported_with_file_line_and_moment(endless: Path, kind: str) -> None:
    entry = f"endless:kind={KINDS[kind]}"
    with pytest.raises(NoAnswer) as caught:
        play(f"{entry},greedy")
    question = "region" if kind == "another question's" else "turn"
    assert re.fullmatch(
        rf"{re.escape(opening_words(endless, kind, entry))} and does not seem to end: "
        rf"game \d+, seat \d, age \d, turn \d+, question '{question}'",
        str(caught.value),
    )


def test_a_policy_that_does_not_end_stops_the_player_who_looks_ahead(endless: Path) -> None:
    entry = "lookahead:policy=endless:samples=1"
    with pytest.raises(NoAnswer, match=re.escape(opening_words(endless, "for", entry))):
        play(f"{entry},greedy")


def test_a_batch_after_an_endless_loop_plays_normally(endless: Path) -> None:
    with pytest.raises(NoAnswer):
        play("endless")
    play(f"endless:kind={NONE}")


def test_each_decision_has_its_own_limit_of_rounds(endless: Path) -> None:
    """Each question takes a twentieth of the rounds; a game has more than twenty questions."""
    play_seats(load_rules("second"), "endless:kind=9,greedy", 2, seed=1, deals=1)


COUNTING = turn("return take(count(view.turns))")
UNBOUNDED = f"""\
@njit
def count(turns):
    while turns >= 0:
        turns += 1
    return turns
{COUNTING}"""
COMES_BACK = f"""\
@kernel
def count(turns):
    if turns < 0:
        return 0
    return 1 + count(turns + 1)
{COUNTING}"""
RAISING = turn("if view.turns > 3:", "    raise ValueError('no idea')", "return draw()")
NEGATIVE = turn("return take(np.zeros(3 - view.turns).size)")
MISSHAPEN = turn(
    "numbers = np.zeros(2)",
    "numbers = numbers + np.zeros(view.turns + 4)",
    "return take(numbers.size)",
)
DIVIDING = turn("cards = view.turns", "cards = 7 % (view.age - 1)", "return take(cards)")


@pytest.mark.parametrize(
    ("body", "error", "line", "said"),
    [
        (UNBOUNDED, StrategyError, 12, "the loops of 'count' have no bound; put @kernel above"),
        (COMES_BACK, StrategyError, 9, "'count' calls 'count' again without a bound; use a loop"),
        (RAISING, NoAnswer, 8, "ValueError: no idea: game 0"),
        (NEGATIVE, NoAnswer, 7, "ValueError: negative dimensions not allowed: game 0"),
        (MISSHAPEN, NoAnswer, 8, "ValueError: unable to broadcast argument 1 to output array: "),
        (DIVIDING, NoAnswer, 8, "ZeroDivisionError: integer modulo by zero: game 0"),
    ],
    ids=["unbounded", "comes_back", "raising", "negative", "misshapen", "dividing"],
)
def test_unbounded_loops_and_exceptions_are_reported_with_file_and_line(
    write, request: pytest.FixtureRequest, body: str, error: type[Exception], line: int, said: str
) -> None:
    """The error comes before the game or during it."""
    name = request.node.callspec.id
    file = write(name, body)
    load_strategy_file(file)
    with pytest.raises(error) as caught:
        play(f"greedy,greedy,{name}")
    assert str(caught.value).startswith(f"{file}:{line}: in strategy '{name}', {said}")
