"""Strategies and powers that go on for ever within functions of Python and NumPy.

No loop of their own takes long. The game is ended with a sentence that names the line.
"""

import re
from collections.abc import Callable

from faults.fault import Fault
from faults.ground import Ground

#: Calls and operations that take long, or that are repeated: `ones`, `many` and `text` are a list,
#: an array and a text of 100,000 elements.
CALLS = {
    "the least of a range": "found = min(range(10**13 + view.age))",
    "the sum of a range": "found = sum(range(0, 10**13 + view.age, 1 + view.age))",
    "a set of a range": "found = len(set(range(10**13 + view.age)))",
    "a list that grows by a range": "ones.extend(range(10**13 + view.age))",
    "the order of a range": "found = sorted(range(10**13 + view.age))[0]",
    "pairs of two ranges": "for pair in zip(range(10**13), range(10**13)):\n    found = pair[0]",
    "counting in a list": "for _ in range(9000):\n    found += ones.count(view.age)",
    "copies of a list": "for _ in range(9000):\n    found += len(ones.copy())",
    "parts of a list": "for _ in range(9000):\n    found += len(ones[1:])",
    "two lists in one": "for _ in range(9000):\n    found += len(ones + ones)",
    "a list many times": "for _ in range(9000):\n    found += len([1, view.age] * 50_000)",
    "a text many times": "for _ in range(9000):\n    found += len('ab' * (50_000 + view.age))",
    "comparing texts": "for _ in range(9000):\n    found += text == text + 'a'",
    "the sum of an array": "for _ in range(9000):\n    found += int(many.sum())",
    "the largest of an array": "for _ in range(9000):\n    found += int(np.max(many))",
    "adding arrays": "for _ in range(9000):\n    found += int((many + many)[0])",
    "adding to an array": "for _ in range(9000):\n    many += 1",
    "the opposite of an array": "for _ in range(9000):\n    found += int((-many)[0])",
    "filling an array": "for _ in range(9000):\n    many[:] = view.age",
    "choosing from an array": "for _ in range(9000):\n    found += many[many > 0].size",
    "new arrays": "for _ in range(9000):\n    found += np.zeros(100_000 + view.age).size",
    "products of all with all": "found = int(np.outer(many[:9000], many[:9000])[0, 0])\n"
    "found += int(np.outer(many[:9000], many[:9000])[0, 0])",
}

STRATEGY = """\
import numpy as np
from ethnos_sim.strategies import Parameter, strategy
from ethnos_sim.strategies.toolkit import *
@strategy(Parameter("kind", 0, 0, 99, "which call"))
def going_on(view, memory, parameters):
    ones = [1] * 100_000
    many = np.ones(100_000)
    text = "a" * 100_000
    found = 0
{}
    memory[0] = found % 5
    return play(best_party(view)[0]) if hand_is_full(view) else draw()
"""

POWER = """\
from ethnos_sim.simulator.custom_powers import *
@power("going_on")
def turn_end(game, player):
    remember(game, player, 0, min(range(10**13 + game.age)))
"""

#: The rounds of a decision end in a function, or in the loop that calls it.
SAID = r"(functions went over more than 160,000,000 elements|a loop went round 10,000,000 times)"


def _file() -> str:
    """The text of a file with one strategy, whose parameter chooses the call."""
    lines = []
    for number, call in enumerate(CALLS.values()):
        lines.append(f"    if parameters.kind == {number}:")
        lines += [f"        {line}" for line in call.splitlines()]
    return STRATEGY.format("\n".join(lines))


def strategy_ended(number: int, call: str) -> Callable[[Ground], None]:
    """The game of a strategy with this call is ended; the sentence names the line."""

    def strike(ground: Ground) -> None:
        file, text = ground.outside.parents[1] / "going_on.py", _file()
        file.write_text(text, encoding="utf-8")
        first = text.splitlines().index(f"    if parameters.kind == {number}:") + 2
        last = first + call.count("\n")
        words = ("--strategies", f"going_on:kind={number},greedy", "--games", 2, "--jobs", 1)
        ended = ground.run("match", "--strategies-from", file, "--players", 2, *words)
        assert ended.code == 1
        told = re.search(rf"{file}:(\d+): in strategy 'going_on.*', {SAID}", ended.err)
        assert told, ended.err
        assert first <= int(told.group(1)) <= last

    return strike


def power_ended(ground: Ground) -> None:
    """The game of a power with such a call is ended; the sentence names the line."""
    (ground.inside / "going_on.py").write_text(POWER, encoding="utf-8")
    words = ("--clans", "bear,deer,koi,owl,fox,monkey", "--strategies", "greedy", "--games", 2)
    ended = ground.run("match", "--set", "clans.bear=going_on.py:going_on", *words)
    assert ended.code == 1
    assert re.search(rf"going_on\.py:4: in power 'going_on', {SAID}", ended.err), ended.err


SHORT = {"the least of a range"}

FAULTS = [
    Fault("code that goes on", name, strategy_ended(number, call), short=name in SHORT)
    for number, (name, call) in enumerate(CALLS.items())
]
FAULTS.append(Fault("code that goes on", "a power's range", power_ended))
