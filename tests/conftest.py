"""Prepare a test run: one core per worker, and all code compiled once beforehand."""

import gc
import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Generator, Mapping
from pathlib import Path

import names
import pytest
from commands import run
from inside import module_with
from sweeps import plan_of

from ethnos_sim import Results, open_results, sweep

#: The workers use all cores, so threads of libraries would only compete with them.
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "POLARS_MAX_THREADS")

#: The code that pages need in tests.
ON_PAGES = {"engine", "defaults", "person"}
ON_PAGES |= {"champion", "evaluator", "greedy", "learned", "lookahead", "random"}


def pytest_configure(config: pytest.Config) -> None:
    """Compile the engine and the strategies, also for pages, before the workers start.

    Otherwise all workers of a first run would compile the same code at the same time.
    """
    workers = getattr(config.option, "numprocesses", None)
    if not workers or hasattr(config, "workerinput") or config.option.collectonly:
        return
    for name in ONE_THREAD:
        os.environ.setdefault(name, "1")
    module = module_with("strategies", "compile_all").__name__
    pages = module_with("simulator.compiler", "UnportableCode").__name__
    program = (
        f"import contextlib, {pages} as pages, {module} as ahead\n"
        "ahead.compile_all()\n"
        "with contextlib.suppress(pages.UnportableCode):  # the plain back end compiles\n"
        f"    ahead._make_missing_webassembly({ON_PAGES})\n"
    )
    subprocess.run([sys.executable, "-c", program], stdout=subprocess.DEVNULL, check=True)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Turn off garbage collection while modules load, and exclude their objects from it afterwards.

    Modules make hundreds of thousands of objects, all of which stay. Later collections are rare,
    which saves a thirtieth of the processor time of the referee's replays.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(50_000, 20)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run long tests first, so that no worker ends late with one of them.

    If a new name still lacks something, run only the test that says so.
    """
    canaries = [item for item in items if item.path.name == "test_names.py"]
    if canaries and len(items) > len(canaries) and names.missing():
        config.hook.pytest_deselected(items=[item for item in items if item not in canaries])
        items[:] = canaries
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.fixture(scope="session")
def in_one_place(pytestconfig: pytest.Config) -> Callable[[str, str], Path]:
    """Return a function that writes a user's code to the same file in every run.

    So its machine code is reused.
    """

    def write(name: str, text: str) -> Path:
        content = hashlib.sha256(text.encode()).hexdigest()[:16]
        file = pytestconfig.cache.mkdir(f"user_code_{content}") / name
        written = file.with_suffix(f".{os.getpid()}")  # another worker may be reading the file
        written.write_text(text, encoding="utf-8")
        return written.replace(file)

    return write


@pytest.fixture(scope="session")
def results_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Results]:
    """Return a function that plays a spec's sweep; tests must not change its folder."""

    def played(spec: Mapping[str, object], **changes: object) -> Results:
        folder = tmp_path_factory.mktemp("played") / "out"
        sweep(plan_of(spec, **changes), folder, jobs=2, quiet=True)
        return open_results(folder)

    return played


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Return a function that runs a command, checks its exit code, and returns its output."""

    def answered(*words: object, code: int = 0) -> str:
        ended = run(*words)
        said = capsys.readouterr()
        assert ended == code, said.err
        return said.out

    return answered


@pytest.fixture
def refusal(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Return a function that runs a command, and returns its refusal after checking the form."""

    def refuse(*words: object, code: int = 2) -> str:
        assert run(*words) == code
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith("Error: ")
        assert said.err.count("\n") == 1
        assert "the program failed" not in said.err
        return said.err

    return refuse


@pytest.fixture(autouse=True)
def asked_here(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check strangers' strategies in the tests' process, as starting another takes a second.

    A test with the marker `second_process` checks them as users do.
    """
    if request.node.get_closest_marker("second_process") is None:
        guard = module_with("experiments.execution", "check_strangers")
        monkeypatch.setattr(guard, "_check_sample", guard._check_in_thread)


@pytest.fixture
def registry_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the strategies that a test registers."""
    registry = module_with("strategies", "list_strategies")
    registry.list_strategies()
    for name in ("_known", "_origins"):
        monkeypatch.setattr(registry, name, dict(getattr(registry, name)))
