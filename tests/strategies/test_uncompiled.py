"""A strategy run by Python plays the compiled one's games, and errors name its lines."""

import sys
from pathlib import Path
from types import FrameType
from unittest.mock import Mock

import pytest
from commands import run
from kit.custom import strategy_text
from kit.tables import representatives
from seated import play_seats, same_games, table_of
from watching import covering_clans, quickest

from ethnos_sim.simulator import (
    GameTable,
    NoAnswer,
    PlayedTable,
    TracedGame,
    load_rules,
    play_table,
    trace_game,
)
from ethnos_sim.strategies import (
    Parameter,
    Strategy,
    StrategyError,
    list_strategies,
    load_strategy_file,
    strategy,
)
from ethnos_sim.strategies.toolkit import decline

pytestmark = pytest.mark.long


def load(folder: Path, name: str, body: str) -> Path:
    """Register a strategy from a file whose body begins at line 5."""
    file = folder / f"{name}.py"
    file.write_text(strategy_text(body, name), encoding="utf-8")
    load_strategy_file(file)
    return file


def tables(text: str, ages: int = 2) -> list[GameTable]:
    """Tables with three random players, `ages` ages, and every power in play.

    With a single age the clans have half of their cards.
    """
    cards = 12 if ages > 1 else 6
    rivals = ["random", "random", "random:uncompiled=no"]
    dealt = []
    for edition, half in (("second", 0), ("second", 1), ("first", 0)):
        rules = load_rules(edition, overrides=[f"ages_4_6={ages}", f"cards_per_clan={cards}"])
        clans = tuple(covering_clans(rules, 6))[half]
        dealt.append(table_of(rules, [text, *rivals], clans=clans))
    return dealt


def play(text: str) -> list[PlayedTable]:
    """Play a deal at each table, in all four seatings."""
    return [play_table(table, seed=7, first_deal=0, deals=1) for table in tables(text)]


def traces_of(text: str, *ages: int) -> list[TracedGame]:
    """The trace of a game for each number of ages in `ages`; the strategy changes its seat."""
    chosen = [tables(text, count)[seat] for seat, count in enumerate(ages)]
    return [trace_game(table, seed=7, game=seat) for seat, table in enumerate(chosen)]


@pytest.mark.parametrize("known", representatives(), ids=lambda known: known.name)
def test_a_strategy_plays_the_same_games_compiled_and_uncompiled(known: Strategy) -> None:
    """Python is slow, and slower for nets and imagined games, which play a single age."""
    name = quickest(known)
    quick = known.policy is None and not known.weights
    ages = (2, 1, 1) if quick else (1,)
    compiled, uncompiled = (traces_of(text, *ages) for text in (name, f"{name}:uncompiled=yes"))
    for one, other in zip(compiled, uncompiled, strict=True):
        assert one.trace["events"] == other.trace["events"]


@pytest.mark.parametrize(
    "known",
    [known for known in list_strategies() if known.solo or known.name == "random"],
    ids=lambda known: known.name,
)
def test_a_strategy_plays_the_same_games_against_bruno_compiled_and_uncompiled(
    known: Strategy,
) -> None:
    rules = load_rules("second")
    compiled, uncompiled = (
        # With another seed, `learned` separates equal colors by the last digit of its sums.
        play_seats(rules, text, 1, "solo-hard", seed=1, deals=1)
        for text in (known.name, f"{known.name}:uncompiled=yes")
    )
    assert same_games(compiled, uncompiled)


def test_memory_restrictions_and_helpers_work_uncompiled_as_compiled(tmp_path: Path) -> None:
    body = """\
        KEPT = np.array([0, 3, 1], np.int8)
        @kernel
        def turn_of(memory):
            memory[KEPT[1]] += 7
            return memory[3] % 3
        @strategy()
        def NAME(view, memory, rng):
            wide = np.int64(view.turns) * 127
            if not hand_is_full(view) and turn_of(memory) + (wide & 1) != 1:
                return draw()
            party = largest_party(view)
            if party.leader >= 0 and random_chance(rng, 0.9):
                return play(party)
            return draw() if not hand_is_full(view) else play(party)
    """
    load(tmp_path, "remembers", body)
    text = "remembers:never_optional=yes"
    compiled, uncompiled = play(text), play(f"{text}:uncompiled=yes")
    assert all(same_games(*pair) for pair in zip(compiled, uncompiled, strict=True))


FAULTS = {
    "index": (
        """\
        @strategy()
        def NAME(view):
            return take(view.markers[view.turns + 100, 0])
        """,
        7,
        "IndexError: index 1\\d\\d is out of bounds for axis 0 with size 6",
    ),
    "toolkit": (
        """\
        @strategy()
        def NAME(view):
            if best_rival(view, 17) > 2:
                return draw()
            return draw()
        """,
        7,
        "IndexError: index 17 is out of bounds",
    ),
    "writing": (
        """\
        @kernel
        def forget(table):
            table.age = 3
            return 0
        @strategy()
        def NAME(view):
            return take(forget(view))
        """,
        7,
        "ValueError: assignment destination is read-only",
    ),
    "division": (
        """\
        @strategy()
        def NAME(view):
            share = 1 / (view.age - 1)
            return draw() if share > 0 else take(0)
        """,
        7,
        "ZeroDivisionError: ",
    ),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_an_error_names_the_file_and_line_of_the_strategy(tmp_path: Path, kind: str) -> None:
    body, line, said = FAULTS[kind]
    name = f"faulty_{kind}"
    file = load(tmp_path, name, body)
    with pytest.raises(NoAnswer, match=rf"in strategy '{name}:uncompiled=yes', {said}") as caught:
        play(f"{name}:uncompiled=yes")
    assert str(caught.value).startswith(f"{file}:{line}: ")
    assert "question 'turn'" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.fixture
def stopped(tmp_path: Path) -> Path:
    """The file of a strategy that calls a debugger in line 8."""
    body = """\
        @strategy()
        def NAME(view):
            party = largest_party(view)
            breakpoint()
            return play(party) if hand_is_full(view) else draw()
    """
    return load(tmp_path, "stopped", body)


def test_a_debugger_stops_in_the_strategys_own_code(stopped: Path, monkeypatch: pytest.MonkeyPatch):
    seen: list[tuple[str, int, bool]] = []

    def stop() -> None:
        frame: FrameType | None = sys._getframe(1)
        assert frame is not None
        known = "party" in frame.f_locals and frame.f_locals["view"].age >= 1
        seen.append((frame.f_code.co_filename, frame.f_lineno, known))

    monkeypatch.setattr(sys, "breakpointhook", stop)
    play("stopped:uncompiled=yes")
    assert len(seen) > 100
    assert set(seen) == {(str(stopped), 8, True)}


@pytest.mark.usefixtures("stopped")
def test_an_interruption_in_a_strategy_interrupts_the_batch(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "breakpointhook", Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        play("stopped:uncompiled=yes")


def test_no_parameter_may_be_named_uncompiled() -> None:
    with pytest.raises(StrategyError, match="'uncompiled' is a setting of every strategy"):
        strategy(Parameter("uncompiled", 0, 0, 1, "whether it is"))(decline.py_func)


def test_match_with_uncompiled_runs_the_whole_line_up_uncompiled(
    tmp_path: Path, printed, capsys
) -> None:
    file = load(tmp_path, "faulty_at_once", FAULTS["index"][0])
    words = ["--strategies", "greedy,faulty_at_once", "--strategies-from", str(file)]
    assert run("match", *words, "--games", "2", "--uncompiled") == 1
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith(f"Error: {file}:7: in strategy 'faulty_at_once:uncompiled=yes', Index")
    assert "random:uncompiled=yes" in printed(
        "match", "--strategies", "greedy,random", "--games", "2", "--uncompiled"
    )
