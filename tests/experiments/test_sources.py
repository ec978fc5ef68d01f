"""Code hashes change with what decides games, and a strategy must play the same twice."""

import importlib
import json
import linecache
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from commands import python
from inside import module_with
from inside.experiments.plans import kernel_source
from inside.strategies import generated

from ethnos_sim.experiments import prepare_match, strategy_sources
from ethnos_sim.simulator import EDITIONS, load_rules
from ethnos_sim.strategies import Strategy, StrategyError, load_strategy_file

user_code = module_with("simulator.user_code", "_what_differs_between_runs")

HEAD = "from ethnos_sim.strategies import strategy\nfrom ethnos_sim.strategies.toolkit import *\n"
FOLLOWED = HEAD + "@strategy()\ndef followed(view):\n    return draw()\n"
AHEAD = HEAD + '@strategy(policy="followed")\ndef ahead(view):\n    return draw()\n'

TELL = f"""
import json
from {kernel_source.__module__} import kernel_source, strategy_sources
from ethnos_sim.simulator import load_rules
from ethnos_sim.strategies import list_strategies
names = [strategy.name for strategy in list_strategies()]
rules = {{edition: load_rules(edition).rules_id for edition in ("first", "second")}}
print(json.dumps([kernel_source(), strategy_sources(names), rules]))
"""

#: Edits that change no game: the file, the old text, and the new text.
WORDS = [
    ("simulator/kernel/scoring.py", '"""', '"""Once more: '),
    ("simulator/kernel/turn.py", "def refill(", "# Cards of the pool.\n\ndef refill("),
    ("simulator/kernel/turn.py", "kind = np.int64(UNANSWERED)", "kind: int = np.int64(UNANSWERED)"),
    ("simulator/kernel/faults.py", "with a full hand", "with a hand, full"),
    ("simulator/narration/game.py", "red panda", "Red Panda"),
    ("strategies/library/greedy.py", "Plays the party", "It plays the party"),
    ("simulator/rules/loading.py", '"""', '"""Once more: '),
]

#: Edits that change games: of a rule in the kernel, of a printed power, and of a strategy.
RULE = ("simulator/kernel/turn.py", "max(view.rules.pool_refill", "max(1 + view.rules.pool_refill")
POWER = (
    "simulator/rules/values/second.toml",
    'deer = "any_region"\ndog = "wild"',
    'deer = "wild"\ndog = "any_region"',
)
DEFAULT = ("strategies/library/greedy.py", '"patience", 4', '"patience", 5')


pytestmark = [pytest.mark.long, pytest.mark.usefixtures("registry_as_before")]


def hashes_of(package: Path) -> Any:
    """The hashes that a copy of the package gives for its simulator, strategies and rules."""
    parent = package.parent
    return json.loads(python("-c", TELL, folder=parent, PYTHONPATH=str(parent)).stdout)


def edit(package: Path, name: str, old: str, new: str) -> None:
    """Replace the first occurrence of a text in a file."""
    text = (package / name).read_text(encoding="utf-8")
    assert old in text, name
    (package / name).write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package that a new Python process imports before the installed one."""
    copy = tmp_path / "ethnos_sim"
    for name in ("", ".simulator", ".strategies", ".experiments"):
        module = importlib.import_module(f"ethnos_sim{name}")
        target = copy / name.strip(".")
        shutil.copytree(Path(str(module.__file__)).parent, target, dirs_exist_ok=True)
    return copy


def test_new_wording_changes_no_hash_and_a_new_rule_or_default_changes_its_own(
    package: Path,
) -> None:
    for words in WORDS:
        edit(package, *words)
    kernel, strategies, rules = hashes_of(package)
    assert kernel == kernel_source()
    assert strategies == strategy_sources(list(strategies))
    assert rules == {edition: load_rules(edition).rules_id for edition in EDITIONS}
    for games in (RULE, POWER, DEFAULT):
        edit(package, *games)
    new_kernel, new_strategies, new_rules = hashes_of(package)
    assert new_kernel != kernel
    assert {name for name in rules if new_rules[name] != rules[name]} == {"second"}
    changed = {name for name in strategies if new_strategies[name] != strategies[name]}
    assert "greedy" in changed
    assert changed.isdisjoint({"champion", "evaluator", "majority", "random"})


def test_the_hash_of_a_strategy_covers_the_modules_that_its_file_imports(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    text = (
        "from ethnos_sim.strategies.toolkit import kernel\n"
        "@kernel\ndef wanted(view):\n    return {}\n"
    )
    (tmp_path / "wanted_elsewhere.py").write_text(text.format(3))
    mine = tmp_path / "mine.py"
    mine.write_text(
        HEAD + "import wanted_elsewhere\n@strategy()\ndef mine(view):\n"
        "    return take(wanted_elsewhere.wanted(view))\n"
    )
    load_strategy_file(mine)
    before = strategy_sources(["mine"])
    (tmp_path / "wanted_elsewhere.py").write_text(text.format(44))
    linecache.checkcache()
    importlib.reload(sys.modules["wanted_elsewhere"])
    assert strategy_sources(["mine"]) != before
    vars(sys.modules["wanted_elsewhere"])["wanted"] = object()
    with pytest.raises(StrategyError, match=r"'wanted_elsewhere\.wanted' in 'mine'"):
        strategy_sources(["mine"])


def test_the_hash_of_a_strategy_that_looks_ahead_covers_its_policy(tmp_path: Path) -> None:
    (tmp_path / "ahead.py").write_text(AHEAD)
    (tmp_path / "followed.py").write_text(FOLLOWED)
    load_strategy_file(tmp_path / "followed.py")
    load_strategy_file(tmp_path / "ahead.py")
    names = ["ahead", "ahead:policy=greedy", "greedy"]
    before = strategy_sources(names)
    assert before["ahead"] != before["ahead:policy=greedy"]
    other = FOLLOWED.replace("return draw()", "return take(0)")
    (tmp_path / "followed.py").write_text(other)
    load_strategy_file(tmp_path / "followed.py")
    after = strategy_sources(names)
    assert after["ahead"] != before["ahead"]
    assert after["ahead:policy=greedy"] == before["ahead:policy=greedy"]
    assert after["greedy"] == before["greedy"]


def test_the_hash_of_look_ahead_depends_on_its_policy_and_not_on_its_numbers() -> None:
    sources = strategy_sources(["lookahead", "lookahead:samples=3", "lookahead:policy=learned"])
    assert len(set(sources.values())) == 1
    assert strategy_sources(["lookahead:policy=warden"]).popitem()[1] not in sources.values()


TEXT = """\
import ctypes, os, random, time
import numba
import numpy as np
from numpy.random import rand
from ethnos_sim.strategies import strategy
from ethnos_sim.strategies.toolkit import *
getpid = ctypes.CDLL(None).getpid
@kernel
def helper(view):
    return {chance} > 0.5
@strategy()
def chancy(view):
    party = largest_party(view)
    if party.leader >= 0 and (hand_is_full(view) or helper(view)):
        return play(party)
    return draw()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the strategy's file; a changed file replaces the strategy."""
    return tmp_path_factory.mktemp("chancy")


def chancy(folder: Path, chance: str) -> Strategy:
    """Load a strategy that decides by the expression `chance`."""
    file = folder / "chancy.py"
    file.write_text(TEXT.format(chance=chance))
    (strategy,) = load_strategy_file(file)
    return strategy


@pytest.mark.parametrize(
    "chance",
    ["np.random.random()", "random.random()", "rand()", "getpid()", "time.time()", "os.getpid()"],
)
def test_code_that_may_differ_between_runs_is_refused_with_its_line(
    folder: Path, chance: str
) -> None:
    said = "no random numbers of NumPy" if "rand" in chance else f"'{chance.strip('()')}' may"
    said = f"'{chance.strip('()')}' may" if chance == "random.random()" else said
    with pytest.raises(StrategyError, match=rf"chancy\.py:10: in strategy 'chancy', {said}"):
        generated(chancy(folder, chance)).check()


def test_a_strategy_that_plays_differently_the_second_time_is_named(folder, monkeypatch):
    """No check of the code finds its source of chance, because the check is turned off."""
    monkeypatch.setattr(user_code, "_what_differs_between_runs", lambda function, chance: [])
    chancy(folder, "np.random.random()")
    with pytest.raises(StrategyError, match="strategy 'chancy' did not play the same games twice"):
        prepare_match(load_rules("second"), "greedy,chancy", players=2, seed=1)
