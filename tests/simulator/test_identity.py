"""A function's identity changes with what can change a game, and with nothing else."""

import itertools
import linecache
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from inside.simulator.compiler import UnidentifiedValue, code_of_module, identity, kernel

_numbers = itertools.count()

SOURCE = f"""
import math
import numpy as np
from numba import njit
from {kernel.__module__} import kernel
from ethnos_sim.simulator import Power

STEPS = (1, 2)
WEIGHTS = np.array([1.0, 2.0])
RECORD = np.dtype([("a", "i1"), ("b", "i8")], align=True)
UNUSED = 5

@kernel
def helper(x):
    return x + STEPS[0] + WEIGHTS[1] + Power.WILD

@kernel
def unused(x):
    return x

@kernel
def turn(view, limit=3):
    total = 0
    for i in range(limit):
        total += helper(i) + math.floor(2.5) + RECORD.itemsize
    return total
"""


def module(text: str, package: str = "", **names: Any) -> ModuleType:
    """A module with this text, available to code that reads functions' source."""
    module = ModuleType(f"{package}module_{next(_numbers)}")
    module.__file__ = f"{module.__name__}.py"
    sys.modules[module.__name__] = module
    linecache.cache[module.__file__] = (len(text), None, text.splitlines(True), module.__file__)
    vars(module).update(names)
    exec(compile(text, module.__file__, "exec", dont_inherit=True), vars(module))
    return module


def of(text: str, **names: Any) -> str:
    """The identity of `turn` in a module's text."""
    return identity(module(text, **names).turn)


def for_machine_code(text: str) -> str:
    """The identity of `turn` for stored machine code, as if it belonged to this package."""
    return identity(module(text, "ethnos_sim.").turn, positions=True)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def helper(x):", 'def helper(x):\n    "Adds, and then some."'),
        ("def helper(x):", "def helper(x: int) -> int:  # a comment"),
        ("    total = 0", "    total: int = 0"),
        ("UNUSED = 5", "UNUSED = 6\n\n\n"),
        ("def unused(x):\n    return x", "def unused(x):\n    return x + 1"),
        ("total += helper(i) +", "total += (helper(i)) + "),
    ],
)
def test_an_edit_that_cannot_change_a_game_keeps_the_identity(old: str, new: str) -> None:
    assert SOURCE.replace(old, new) != SOURCE
    assert of(SOURCE.replace(old, new)) == of(SOURCE)
    assert for_machine_code(SOURCE.replace(old, new)) == for_machine_code(SOURCE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("total = 0", "total = 1"),
        ("return x + STEPS[0]", "return x - STEPS[0]"),
        ("STEPS = (1, 2)", "STEPS = (1, 3)"),
        ("1.0, 2.0", "1.0, 2.5"),
        ('"b", "i8"', '"b", "i2"'),
        ("Power.WILD", "Power.COINS"),
        ("limit=3", "limit=4"),
        ("math.floor", "math.ceil"),
        ("@kernel\ndef helper", "@njit(fastmath=True)\ndef helper"),
    ],
)
def test_an_edit_that_can_change_a_game_changes_the_identity(old: str, new: str) -> None:
    assert SOURCE.replace(old, new) != SOURCE
    assert of(SOURCE.replace(old, new)) != of(SOURCE)
    assert for_machine_code(SOURCE.replace(old, new)) != for_machine_code(SOURCE)


def test_the_identity_covers_everything_that_a_function_imports() -> None:
    """It is reached through a module, through a name, or through a closure."""
    head = "import {name} as other\nfrom {name} import TABLE\n"
    body = "def make(depth):\n    return lambda x: x * depth\n"
    uses = ["other.rate(x)", "TABLE[0]", "other.inner.DEEP"]

    def identity_with(rate: str, table: int, deep: int, use: str) -> str:
        inner = module(f"DEEP = {deep}\n")
        other = module(f"def rate(x):\n    return x * {rate}\nTABLE = [{table}]\n", inner=inner)
        return of(head.format(name=other.__name__) + f"def turn(x):\n    return {use}\n")

    changed = [("3", 1, 1), ("2", 2, 1), ("2", 1, 2)]
    for number, use in enumerate(uses):
        before = identity_with("2", 1, 1, use)
        different = [identity_with(*change, use) != before for change in changed]
        assert different == [i == number for i in range(3)]
    assert identity(module(body).make(2)) != identity(module(body).make(3))


def test_an_inner_and_an_outer_function_can_be_identified_in_any_order() -> None:
    text = "def make(x):\n    y = x\n    def turn():\n        y = 1\n        return y\n"
    text += "    return turn\n"
    outer, inner = (module(text).make for _ in range(2))
    within = identity(inner(1))
    assert (identity(outer), identity(outer(1))) == (identity(inner), within)


def test_functions_that_call_each_other_have_an_identity() -> None:
    text = "def turn(x):\n    return other(x)\ndef other(x):\n    return turn(x) + {}\n"
    assert of(text.format(1)) == of(text.format(1)) != of(text.format(2))


def test_a_function_without_text_is_known_by_its_code() -> None:
    def typed(body: str) -> str:
        names: dict[str, Any] = {}
        exec(body, names)
        return identity(names["f"])

    text = "def f(x):\n    return x + 1\n"
    assert typed(text) == typed("\n\n" + text) != typed(text.replace("1", "2"))


def test_a_set_of_constants_counts_in_one_order() -> None:
    """Python orders a set of texts differently in each run."""
    texts = "def turn(x):\n    return x in {0, 8}\n", "def turn(x):\n    return x in {8, 0}\n"
    first, second = (module(text).turn.__code__.co_consts for text in texts)
    assert repr(first) != repr(second)
    assert for_machine_code(texts[0]) == for_machine_code(texts[1])


def test_line_numbers_count_only_with_positions() -> None:
    first, second = (module("\n" * lines + "def turn(x):\n    return x\n") for lines in (0, 1))
    assert identity(first.turn) == identity(second.turn)
    assert identity(first.turn, positions=True) != identity(second.turn, positions=True)


@pytest.mark.parametrize("value", [object(), np.array([object()]), iter(())])
def test_a_value_that_cannot_be_identified_is_refused(value: Any) -> None:
    with pytest.raises(UnidentifiedValue, match="'THING' in 'turn'"):
        of("def turn(x):\n    return THING\n", THING=value)


def test_compiled_functions_are_known_by_their_python_functions_and_options() -> None:
    plain = module(SOURCE.replace("@kernel\ndef turn", "def turn")).turn
    assert identity(kernel(plain)) == of(SOURCE) != identity(plain)


def test_a_plainer_sentence_does_not_compile_anything_again(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    for name, text in (
        (
            "hard",
            '"""What is of it."""\ndef double(x):\n    """It twice."""\n    return 2 * x\n',
        ),
        ("easy", '"""Numbers."""\ndef double(x):\n    """Twice a number."""\n\n    return 2 * x\n'),
        ("triple", '"""Numbers."""\ndef double(x):\n    return 3 * x\n'),
    ):
        (tmp_path / f"{name}.py").write_text(text)
    assert code_of_module("hard") == code_of_module("easy") != code_of_module("triple")
