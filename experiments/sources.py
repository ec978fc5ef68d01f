"""What the games of a plan come from, as hashes: the kernel's and the strategies' source code.

A sweep that goes on tomorrow must play with the same program as today; these hashes tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from ethnos_sim.simulator.compilation import KERNEL_FOLDER
from ethnos_sim.strategies import Strategy, get_strategy
from ethnos_sim.strategies.api import WEIGHTS
from ethnos_sim.strategies.compiling import STRATEGIES_FOLDER
from ethnos_sim.strategies.tuned_parameters import tuned_file
from ethnos_sim.strategies.weights import weights_file

_LIBRARY_MODULE = re.compile(r"ethnos_sim\.strategies\.library(?:\.| import )(\w+)")


def package_version() -> str:
    """The version of the installed program."""
    return version("ethnos-sim")


@cache
def kernel_source() -> str:
    """Sixteen hex digits for the source code of the simulator, which decides what a game is."""
    return hash_of_files(KERNEL_FOLDER.rglob("*.py"))


def strategy_sources(names: Iterable[str]) -> dict[str, str]:
    """Sixteen hex digits for the source code behind each strategy, by name as in a line-up.

    The code is the strategy's own file, files of the library that this one names, the same of the
    policy that it looks ahead with, and all that strategies share; tuned parameters and weights
    count as code.
    What a strategy file of a user imports from elsewhere is not followed.

    Raises:
        StrategyError: a strategy is not known.
    """
    library = STRATEGIES_FOLDER / "library"
    shared = [path for path in STRATEGIES_FOLDER.rglob("*.py") if library not in path.parents]
    sources = {}
    for name in names:
        files = {file for part in _played_by(name) for file in _own_files(*part, library)}
        sources[name] = hash_of_files(files, shared)
    return sources


def _played_by(name: str) -> list[tuple[Strategy, str | None]]:
    """What a line-up's entry plays with: itself and its policy, each with weights it is given."""
    own, *settings = name.split(":")
    strategy = get_strategy(own.strip())
    given = {key.strip(): value.strip() for key, _, value in (s.partition("=") for s in settings)}
    played = [(strategy, given.get(WEIGHTS))]
    if strategy.policy is not None:
        played.append((get_strategy(given.get("policy", strategy.policy)), None))
    return played


def _own_files(strategy: Strategy, weights: str | None, library: Path) -> list[Path]:
    """The files of a strategy: its own, its data's, and those of the library that it names."""
    own = Path(strategy.functions["turn"].__code__.co_filename)
    data = (tuned_file(strategy), weights_file(strategy, weights))
    return [own, *(file for file in data if file is not None), *_library_files(own, library)]


def _library_files(file: Path, library: Path) -> list[Path]:
    """The files of the library that a file names, and those that these name in turn."""
    found: list[Path] = []
    waiting = [file]
    while waiting:
        named = _LIBRARY_MODULE.findall(waiting.pop().read_text(encoding="utf-8"))
        fresh = {library / f"{name}.py" for name in named} - {file, *found}
        waiting += sorted(path for path in fresh if path.is_file())
        found += sorted(path for path in fresh if path.is_file())
    return found


def hash_of_files(*files: Iterable[Path]) -> str:
    """Sixteen hex digits for the names and contents of files, in any order."""
    digest = sha256()
    for name, path in sorted((path.name, path) for group in files for path in group):
        digest.update(name.encode())
        digest.update(sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]
