"""The first run compiles in parallel, and leaves nothing to compile, now or later."""

import os
from contextlib import nullcontext
from pathlib import Path
from unittest.mock import Mock

import pytest
from commands import MODULE, python
from inside import module_with
from inside.simulator.compiler import cache_folder
from inside.strategies import compiled_strategy, entry_strategies
from joblib.externals.loky.process_executor import BrokenProcessPool

from ethnos_sim import play_batch
from ethnos_sim.strategies import get_strategy

compiling_ahead = module_with("strategies", "compile_ahead")

pytestmark = pytest.mark.long

SCRIPT = f"""
import logging
from {compiling_ahead.__name__} import compile_ahead
from {compiled_strategy.__module__} import compiled_strategy
from ethnos_sim.strategies import get_strategy
from {cache_folder.__module__} import without_compiling

logging.basicConfig(format="%(message)s", level=logging.INFO)
compile_ahead(map(get_strategy, ["hoarder", "random", "hoarder"]))
with without_compiling():
    compiled_strategy(get_strategy("hoarder")), compiled_strategy(get_strategy("random"))
compile_ahead(map(get_strategy, ["random", "hoarder"]))
"""

FEW = """
name = "Few"
seed = 1
games = 240
editions = ["second"]
players = [4]
clan_sets = { sample = 3 }
line_ups = [["greedy", "random"]]
"""

#: Run commands in a separate process, then print what it compiled.
COUNTING = f"""
import sys
from numba.core import event
import {MODULE} as main
with event.install_recorder("numba:run_pass") as recorder:
    for words in {{commands}}:
        assert main.run(words) == 0, words
print({{{{happened.data["qualname"] for _, happened in recorder.buffer}}}}, file=sys.stderr)
"""


def kept_alone(folder: Path, *beginnings: str) -> None:
    """Link stored machine code with these names into a folder."""
    kept = cache_folder()
    assert kept is not None
    for file in kept.glob("*.code"):
        if file.name.startswith(tuple(f"{name}-" for name in beginnings)):
            (folder / file.name).symlink_to(file)


def run_alone(cache: Path, *words: str) -> str:
    """Run Python with the machine code of a folder; return its error output."""
    return python(*words, ETHNOS_SIM_CACHE=str(cache)).stderr


def test_a_match_and_a_first_page_compile_what_they_play_and_nothing_else(tmp_path: Path) -> None:
    """They compile the engine, the default answers, the strategies, and the page's own code."""
    rivals = ("greedy", "warden", "champion", "learned")  # of a person who sits down at the page
    played = ("engine", "defaults", *rivals, "random")
    compiling_ahead.load_code(*played, "person")
    cache = tmp_path / "cache"
    cache.mkdir()
    kept_alone(cache, "run_games", "prepare_tables", *played[1:], "person", "continue_answer")
    spec, results = tmp_path / "few.toml", str(tmp_path / "results")
    spec.write_text(FEW)
    commands = [
        ["match", "--strategies", "greedy,random", "--games", "10"],
        ["sweep", str(spec), "--out", results, "--quiet"],
        ["report", results],
    ]
    said = run_alone(cache, "-c", COUNTING.format(commands=commands))
    assert said.splitlines()[-1] == "set()"


def test_code_that_no_run_has_kept_is_compiled_by_workers_once(tmp_path: Path) -> None:
    play_batch("second", "greedy", games=4)  # stores engine and default answers
    kept_alone(tmp_path, "run_games", "prepare_tables", "defaults")
    said = run_alone(tmp_path, "-c", SCRIPT)
    expected = "compiling the engine and strategies, once, in 2 processes\n"
    assert said == (expected if os.cpu_count() != 1 else "")
    names = {file.name.partition("-")[0] for file in tmp_path.iterdir()}
    assert names == {"run_games", "prepare_tables", "defaults", "hoarder", "random"}


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """The function that starts workers, replaced; two are allowed, and no code is kept."""
    monkeypatch.setattr(compiling_ahead, "allowed_processes", lambda: 2)
    monkeypatch.setattr(compiling_ahead, "_is_cached", lambda name: False)
    started = Mock()
    monkeypatch.setattr(compiling_ahead, "worker_processes", started)
    return started


@pytest.mark.parametrize("error", [OSError, ImportError, BrokenProcessPool])
def test_without_workers_nothing_is_compiled_ahead(workers: Mock, error: type[Exception]) -> None:
    """This happens on a system without semaphores, or if a worker is killed."""
    workers.side_effect = error("none")
    compiling_ahead.compile_ahead([])
    workers.assert_called_once()


@pytest.mark.parametrize("reason", ["one job", "a cache that cannot be written"])
def test_no_worker_compiles_where_one_job_is_allowed_or_nothing_can_be_kept(
    workers: Mock, monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    jobs = 1 if reason == "one job" else 2
    monkeypatch.setattr(compiling_ahead, "allowed_processes", lambda: jobs)
    monkeypatch.setattr(compiling_ahead, "can_store_code", lambda: reason == "one job")
    compiling_ahead.compile_ahead([])
    workers.assert_not_called()


def test_strategies_by_the_net_are_compiled_together_and_the_slowest_first(
    workers: Mock, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit = Mock()
    workers.return_value = nullcontext(Mock(submit=submit))
    monkeypatch.setattr(compiling_ahead, "wait", lambda futures: None)
    compiling_ahead.compile_ahead([*entry_strategies("lookahead"), get_strategy("greedy")])
    tasks = [call.args[1:] for call in submit.call_args_list]
    assert tasks == [("learned", "lookahead"), ("engine",), ("defaults",), ("greedy",)]


def test_copy_cached_code_copies_all_bundled_code(tmp_path, monkeypatch):
    kept_files: set[Path] = set()

    def found_as(name: str) -> bool:
        file = tmp_path / f"{name}.code"
        file.write_text(name)
        kept_files.add(file)
        return True

    monkeypatch.setattr(compiling_ahead, "_is_cached", found_as)
    monkeypatch.setattr(
        compiling_ahead, "_has_webassembly", lambda name: found_as(f"{name} in pages")
    )
    monkeypatch.setattr(compiling_ahead, "loaded_files", kept_files)
    monkeypatch.setattr(compiling_ahead, "compiled_functions", lambda name: (name,))
    compiling_ahead.copy_cached_code(str(tmp_path / "copied"))
    copied = {file.stem for file in (tmp_path / "copied").iterdir()}
    names = compiling_ahead.shipped_names()
    pages = {f"{name} in pages" for name in names}
    assert copied == names | pages
    assert copied > {"engine", "greedy", "learned"}
