"""Strategies are declared, found and refused; every error is one sentence."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from inside import module_with
from inside.simulator.tables import seating_count
from inside.strategies import compiled_strategy
from kit.custom import strategy_text, turn
from seated import play_seats

from ethnos_sim.simulator import Rules, load_rules
from ethnos_sim.strategies import (
    LineUp,
    Parameter,
    StrategyError,
    get_strategy,
    list_strategies,
    load_strategy_file,
    strategy,
)

registry = module_with("strategies", "get_strategy")

PATIENT = """\
@strategy(Parameter("size", 4, 1, 10, "cards in hand that make a party"))
def patient(view, parameters):
    "Draws until it can play a party of `size` cards."
    party = largest_party(view)
    if party.size >= parameters.size or hand_is_full(view):
        return play(party)
    return draw()
"""


@pytest.fixture(scope="module")
def rules() -> Rules:
    return load_rules("second")


def write(folder: Path, body: str, name: str = "mine.py") -> Path:
    """Write a strategy file: the usual imports, then the body from line 5; NAME becomes `a`."""
    file = folder / name
    file.write_text(strategy_text(body, "a"), encoding="utf-8")
    return file


def sentence(error: pytest.ExceptionInfo[StrategyError]) -> str:
    """The message, which must be one line without a traceback."""
    text = str(error.value)
    assert "\n" not in text
    assert "Traceback" not in text
    assert len(text) < 400
    return text


def test_a_strategy_file_plays(in_one_place: Callable[[str, str], Path], rules: Rules) -> None:
    (patient,) = load_strategy_file(in_one_place("mine.py", strategy_text(PATIENT)))
    assert get_strategy("patient") is patient
    assert patient in list_strategies()
    assert patient.summary == "Draws until it can play a party of `size` cards."
    batch = play_seats(rules, "patient:size=6,patient:size=1", seed=1, deals=5)
    sizes = batch.seats["cards"] / batch.seats["parties"]
    large = batch.seats["entry"] % 2 == 0
    assert sizes[large].min() > sizes[~large].max()


@pytest.mark.parametrize(
    ("body", "line", "said"),
    [
        ("@strategy()\ndef a(view, hand):\n    return draw()\n", 5, "unknown argument 'hand'"),
        (
            "@strategy()\ndef a(view, parameters):\n    return draw()\n",
            5,
            "no parameters: leave out",
        ),
        (PATIENT + "@patient.kep\ndef b(view):\n    return 1\n", 12, "did you mean 'keep'?"),
        (PATIENT + "@patient.keep\ndef b(veiw):\n    return 1\n", 12, "did you mean 'view'?"),
        ("@strategy\ndef a(view):\n    return draw()\n", 5, "write @strategy() with its"),
        ("@strategy(3)\ndef a(view):\n    return draw()\n", 5, "as Parameter(...), not 3"),
        ("@strategy(name='a b')\ndef a(view):\n    return draw()\n", 5, "strategy name 'a b'"),
        (PATIENT.replace('"size"', '"si ze"'), 5, "'si ze' cannot be a parameter's name"),
        (PATIENT.replace("4, 1, 10", "0, 1, 10"), 5, "default 0 of parameter 'size' is outside"),
        ("P = Parameter('p', 1, 0, 2, 'm')\n@strategy(P, P)\ndef a(view):\n    pass\n", 6, "twice"),
        ("1 + 'one'\n", 5, "TypeError: unsupported operand"),
        ("import sys\nsys.exit(0)\n", 6, "the file ends the program when it is loaded"),
        ("@strategy()\nclass A:\n    pass\n", 5, "decorate a function, not <class"),
        (PATIENT + "patient.keep(3)\n", 12, "decorate a function, not 3"),
        ("import nothing_of_this_name\n", 5, "No module named 'nothing_of_this_name'"),
        ("def half(\n", 5, "was never closed"),
    ],
)
def test_a_file_that_cannot_be_loaded_is_reported_with_file_and_line(tmp_path, body, line, said):
    before = list_strategies()
    with pytest.raises(StrategyError) as error:
        load_strategy_file(write(tmp_path, body))
    text = sentence(error)
    assert text.startswith(f"{tmp_path / 'mine.py'}:{line}: ")
    assert said in text
    assert list_strategies() == before


HOOK = PATIENT + "@patient.{}\ndef b(view):\n    {}\n"
HELPER = "@kernel\ndef help(view):\n    view.age = 3\n    return 0\n"


@pytest.mark.parametrize(
    ("body", "line", "said"),
    [
        (turn("if view.marker[0, 0] > 1:", "    return draw()", "return draw()"), 7, "'marker'"),
        (turn("return take(view.hand)"), 7, "the view has no field 'hand'; did you mean 'hand"),
        (turn("view.markers[0, 0] += 1", "return draw()"), 7, "writes to read-only data"),
        (turn("sea = view.sea", "sea[0] = 5", "return draw()"), 8, "writes to read-only data"),
        (HELPER + turn("help(view)", "return draw()"), 7, "writes to read-only data"),
        (turn("return 3"), 5, "'a' must return a move"),
        (turn("return largest_party(view)"), 5, "play(party), not Party"),
        (turn("largest_party(view)"), 5, "not nothing"),
        (turn("if view.age > 1:", "    return draw()"), 5, "on one path and nothing on another"),
        (turn("return drew()"), 7, "name 'drew' is not defined"),
        (turn("return play(largest_party(view, 3))"), 7, "a call has too many"),
        (turn("return draw(view.age)"), 7, "too many positional arguments"),
        (turn("return largest_party(view).moves"), 7, "'moves'"),
        (turn("x = {1: 2}; x['a'] = 3.0", "return draw()"), 7, "a dictionary has keys of one type"),
        (turn("x = lambda: yes", "return take(x())"), 7, "yes"),
        (turn("yield draw()"), 5, "must return a move"),
        (HOOK.format("settle", "return draw()"), 12, "must return True or False, not Move"),
        (HOOK.format("keep", "return True"), 12, "must return Cards, not True or False"),
        (HOOK.format("region", "return 2.5"), 12, "or -1, not a number with decimals"),
        (HOOK.format("token", "return None"), 12, "view.options, or -1, not nothing"),
        ("def plain(view):\n    return 1\n" + turn("return take(plain(view))"), 9, "@kernel"),
    ],
)
def test_a_strategy_that_cannot_be_compiled_is_reported_with_file_and_line(
    tmp_path: Path, rules: Rules, body: str, line: int, said: str
) -> None:
    (strategy,) = load_strategy_file(write(tmp_path, body))
    with pytest.raises(StrategyError) as error:
        compiled_strategy(strategy)
    text = sentence(error)
    assert f"strategy '{strategy.name}'" in text
    assert f"{tmp_path / 'mine.py'}:{line}:" in text
    assert said in text


def test_a_missing_file_a_folder_and_a_file_without_strategies_are_refused(tmp_path: Path) -> None:
    for path, said in (
        (tmp_path / "none.py", "no strategy file"),
        (tmp_path, "no strategy file"),
        (write(tmp_path, "x = 1\n"), "declares no strategy"),
    ):
        with pytest.raises(StrategyError, match=said) as error:
            load_strategy_file(path)
        assert str(path) in sentence(error)


def test_two_strategies_of_one_name_are_refused(tmp_path: Path) -> None:
    body = PATIENT.replace("patient", "greedy")
    with pytest.raises(StrategyError) as error:
        load_strategy_file(write(tmp_path, body))
    assert "strategy 'greedy' exists already, from ethnos_sim.strategies.library" in sentence(error)
    load_strategy_file(write(tmp_path, PATIENT))
    with pytest.raises(StrategyError, match=r"exists already, from .*mine\.py"):
        load_strategy_file(write(tmp_path, PATIENT, "other.py"))
    twice = PATIENT + PATIENT.replace("def patient", "def again").replace(
        'party"))', 'party"), name="patient")'
    )
    with pytest.raises(StrategyError, match="two strategies named 'patient'"):
        load_strategy_file(write(tmp_path, twice, "twice.py"))


def test_an_edited_file_replaces_its_own_strategies(tmp_path: Path) -> None:
    (old,) = load_strategy_file(write(tmp_path, PATIENT))
    assert load_strategy_file(tmp_path / "mine.py") == (old,)
    (new,) = load_strategy_file(write(tmp_path, PATIENT.replace("4, 1, 10", "6, 1, 10")))
    assert get_strategy("patient") is new
    assert new.parameters[0].default == 6


def test_a_file_declares_only_strategies_of_its_own_not_imported_ones(tmp_path: Path) -> None:
    body = f"from {get_strategy('greedy').module} import greedy\n" + PATIENT
    assert [strategies.name for strategies in load_strategy_file(write(tmp_path, body))] == [
        "patient"
    ]


def test_more_parameters_than_fit_are_refused() -> None:
    many = [Parameter(f"p{i}", 0, 0, 1, "one of many") for i in range(25)]
    with pytest.raises(StrategyError, match="has 25 parameters; at most 24 fit"):
        strategy(*many, name="many")(lambda view: 0)


def test_a_strategy_of_the_running_program_is_known_and_replaced(monkeypatch, rules):
    for _ in range(2):
        cell = {"__name__": "__main__"}
        exec(strategy_text(PATIENT), cell)
        monkeypatch.setattr(sys.modules["__main__"], "patient", cell["patient"], raising=False)
        assert get_strategy("patient") is cell["patient"]
        assert LineUp.parse([cell["patient"], "greedy"], 2, rules).names == ("patient", "greedy")


def test_a_short_line_up_repeats_until_the_seats_are_full(rules: Rules) -> None:
    line_up = LineUp.parse("greedy, random", 5, rules)
    assert line_up.names == ("greedy", "random", "greedy", "random", "greedy")
    assert LineUp.parse(["greedy"], 3, rules).names == ("greedy",) * 3


@pytest.mark.parametrize(
    ("text", "players", "rotations"),
    [
        ("greedy", 6, 1),
        ("greedy,random", 4, 2),
        ("greedy,random", 5, 5),
        ("greedy,greedy,random", 6, 3),
        ("greedy,random,random", 3, 3),
        ("greedy,greedy:patience=3", 2, 2),
    ],
)
def test_rotations_are_the_different_seatings(rules, text, players, rotations):
    assert seating_count(LineUp.parse(text, players, rules).seats()) == rotations


@pytest.mark.parametrize("edition", ["first", "second"])
def test_a_clan_parameter_is_the_number_of_the_clan_of_that_name(edition: str) -> None:
    rules = load_rules(edition)
    for clan in rules.clans:
        (entry,) = LineUp.parse(f"specialist:clan={clan}", 1, rules).entries
        assert entry.values[0] == rules.clans.index(clan)
