"""Code hashes change with what decides games, and with nothing else."""

import importlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from commands import python
from inside.experiments import strategy_hashes
from inside.experiments.plans import kernel_hash
from inside.strategies import generated_code
from kit.custom import strategy_text

from ethnos_sim.simulator import EDITIONS, load_rules
from ethnos_sim.strategies import Strategy, StrategyError, load_strategy_file

TELL = f"""
import json
from {kernel_hash.__module__} import kernel_hash, strategy_hashes
from ethnos_sim.simulator import load_rules
from ethnos_sim.strategies import list_strategies
names = [strategy.name for strategy in list_strategies()]
rules = {{edition: load_rules(edition).rules_id for edition in ("first", "second")}}
print(json.dumps([kernel_hash(), strategy_hashes(names), rules]))
"""

#: Edits that change no game: the file, the old text, and the new text.
WORDS = [
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
    assert kernel == kernel_hash()
    assert strategies == strategy_hashes(list(strategies))
    assert rules == {edition: load_rules(edition).rules_id for edition in EDITIONS}
    for games in (RULE, POWER, DEFAULT):
        edit(package, *games)
    new_kernel, new_strategies, new_rules = hashes_of(package)
    assert new_kernel != kernel
    assert {name for name in rules if new_rules[name] != rules[name]} == {"second"}
    changed = {name for name in strategies if new_strategies[name] != strategies[name]}
    assert "greedy" in changed
    assert changed.isdisjoint({"champion", "evaluator", "majority", "random"})


def test_the_hash_of_look_ahead_depends_on_its_policy_and_not_on_its_numbers() -> None:
    sources = strategy_hashes(["lookahead", "lookahead:samples=3", "lookahead:policy=learned"])
    assert len(set(sources.values())) == 1
    assert strategy_hashes(["lookahead:policy=warden"]).popitem()[1] not in sources.values()


def load(folder: Path, body: str) -> Strategy:
    """Load a strategy from a file with this body, which begins at line 5."""
    file = folder / "mine.py"
    file.write_text(strategy_text(body), encoding="utf-8")
    (strategy,) = load_strategy_file(file)
    return strategy


def test_a_strategy_that_refers_to_what_has_no_hash_is_refused(tmp_path: Path) -> None:
    body = "THING = object()\n@strategy()\ndef mine(view):\n    return take(int(THING is None))\n"
    load(tmp_path, body)
    with pytest.raises(StrategyError, match="'mine' refers to a value that may differ between "):
        strategy_hashes(["mine"])


CHANCY = """\
import ctypes, os, random
from numpy.random import rand
getpid = ctypes.CDLL(None).getpid
@kernel
def helper():
    return {} > 0.5
@strategy()
def mine(view):
    return draw() if helper() else take(0)
"""


@pytest.mark.parametrize(
    ("chance", "said"),
    [
        ("random.random()", r"'random\.random' may"),
        ("rand()", "no random numbers of NumPy"),
        ("getpid()", "'getpid' may"),
        ("os.getpid()", r"'os\.getpid' may"),
    ],
)
def test_code_that_may_differ_between_runs_is_refused_with_its_line(tmp_path, chance, said) -> None:
    strategy = load(tmp_path, CHANCY.format(chance))
    with pytest.raises(StrategyError, match=rf"mine\.py:10: in strategy 'mine', {said}"):
        generated_code(strategy).check()
