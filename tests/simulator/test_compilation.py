"""Stored machine code is reused only for the same functions, never required, never trusted."""

import os
import platform
import runpy
import sys
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from commands import python
from inside import module_with
from llvmlite.binding import get_host_cpu_features
from numba import types
from numba.core import event

from ethnos_sim.simulator import WrongInput

code_files = module_with("simulator.compiler", "cache_folder")
compilation = module_with("simulator.compiler", "compile_callback")
code_cache = module_with("simulator.compiler", "EntryCache")


PROGRAM = f"""
from numba import types
import {compilation.__name__} as compilation
ANSWER = {{answer}}
def answer(x):
    return x * ANSWER
compiled = []
code = compilation.compile_callback(
    "mine", types.int64(types.int64), answer, lambda: compiled.append(1)
)
found = len(compiled) == 1, code.ctypes(1)
"""

Found = tuple[bool, int]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Found]]:
    """Return a function that runs a small program as a new process would; its code is stored.

    The function returns whether the program was compiled, and its answer.
    """
    program = tmp_path / "program.py"

    def run(answer: int = 1, cache: Path | None = None) -> Found:
        program.write_text(PROGRAM.format(answer=answer))
        monkeypatch.setenv("ETHNOS_SIM_CACHE", str(cache or tmp_path / "cache"))
        forget_the_folder()
        found: Found = runpy.run_path(str(program))["found"]
        return found

    assert run() == (True, 1)
    yield run
    monkeypatch.undo()
    forget_the_folder()


def forget_the_folder() -> None:
    """Let the next function look where code is kept, and which code the package carries."""
    code_files.cache_folder.cache_clear()
    code_files.can_store_code.cache_clear()
    code_cache._runs_shipped_code.cache_clear()
    code_cache._compiler_text.cache_clear()


def kept(tmp_path: Path) -> list[Path]:
    """The files of machine code, which begin as pickles do; each has its bitcode beside it."""
    files = sorted((tmp_path / "cache").iterdir())
    begin = slice(code_cache._CHECKSUM_SIZE, code_cache._CHECKSUM_SIZE + 1)
    return [file for file in files if file.is_dir() or file.read_bytes()[begin] == b"\x80"]


def test_machine_code_is_kept_for_each_version_of_a_function(run, tmp_path: Path) -> None:
    (file,) = kept(tmp_path)
    assert run() == (False, 1)
    assert file in code_files.loaded_files
    assert run(answer=2) == (True, 2)
    (other,) = set(kept(tmp_path)) - {file}
    assert other not in code_files.loaded_files


def test_machine_code_of_another_user_is_read_and_nothing_is_kept(run, tmp_path, monkeypatch):
    def refused(file: Path, content: bytes) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(code_cache, "_write_file", refused)
    monkeypatch.setattr("os.access", lambda path, mode: not mode & os.W_OK)
    assert run() == (False, 1)
    assert [run(answer=2), run(answer=2)] == [(True, 2), (True, 2)]
    assert code_files.compile_frequency() == (
        f"in every run, because nothing can be kept in '{tmp_path / 'cache'}'"
    )


@pytest.mark.parametrize("module", ["failures", "passes"])
def test_kept_code_is_not_used_after_a_change_of_the_compiling_modules(run, monkeypatch, module):
    assert run() == (False, 1)
    told = code_cache.code_of_module
    changed = f"{code_cache.__package__}.{module}"
    monkeypatch.setattr(
        code_cache, "code_of_module", lambda name: told(name) + "changed" * (name == changed)
    )
    assert run() == (True, 1)


@pytest.mark.parametrize("spoil", ["", "cut", "bit"])
def test_damaged_machine_code_is_discarded_and_compiled_again(
    run, tmp_path: Path, spoil: str
) -> None:
    (file,) = kept(tmp_path)
    content = file.read_bytes()
    damaged = {"": b"", "cut": content[:-7], "bit": content[:-9] + b"x" + content[-8:]}[spoil]
    file.write_bytes(damaged)
    assert run() == (True, 1)
    assert run() == (False, 1)


def test_without_a_folder_for_machine_code_everything_is_compiled(run, tmp_path: Path) -> None:
    """A file takes the place of the folder."""
    blocked = tmp_path / "blocked"
    blocked.write_text("")
    assert run(cache=blocked) == run(cache=blocked) == (True, 1)


@pytest.mark.skipif(
    platform.machine() != "x86_64"
    or not {name for name, known in get_host_cpu_features().items() if known}
    >= code_cache.SHIPPED_FEATURES,
    reason="machine code is carried for processors that know more",
)
def test_packaged_machine_code_is_used_if_the_processor_can_run_it(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    carried, cache = tmp_path / "carried", tmp_path / "nothing kept"
    made_for = {"NUMBA_CPU_NAME": code_cache.SHIPPED_PROCESSOR, "NUMBA_CPU_FEATURES": ""}
    program = f"import runpy; runpy.run_path({str(tmp_path / 'program.py')!r})"
    python("-c", program, **made_for, ETHNOS_SIM_CACHE=str(carried))
    monkeypatch.setattr(code_cache, "SHIPPED_CODE", carried)
    assert run(cache=cache) == (False, 1)
    assert not list(cache.iterdir())
    assert run(answer=2, cache=cache) == (True, 2)
    monkeypatch.setattr(code_cache, "get_host_cpu_features", lambda: {"sse2": True})
    assert run(cache=cache) == (True, 1)


HELPERS = f"""
from {compilation.__name__} import kernel
@kernel
def added(x):
    return x + 4
@kernel
def applied(function, x):
    return function(x)
def helper(x):
    return applied(added, x)
"""


def test_helpers_that_users_code_calls_are_not_compiled_again_after_an_edit(tmp_path, monkeypatch):
    monkeypatch.setattr(code_files, "cache_folder", lambda: tmp_path)
    name, file = "ethnos_sim.helpers_of_this_test", tmp_path / "helpers_of_this_test.py"
    file.write_text(HELPERS)
    spec = spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    helpers = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, helpers)
    spec.loader.exec_module(helpers)

    def answered_and_compiled(factor: int) -> tuple[int, set[str]]:
        # As in a new run that has compiled nothing.
        called = compilation.tool(helpers.helper)

        @compilation.kernel
        def mine(x):
            return called(x) * factor

        def answer(x):
            return mine(x)

        with event.install_recorder("numba:run_pass") as recorder:
            code = compilation.compile_callback("mine", types.int64(types.int64), answer)
        passed = {happened.data["qualname"].rpartition(".")[2] for _, happened in recorder.buffer}
        return code.ctypes(1), passed

    assert answered_and_compiled(2) == (10, {"answer", "mine", "helper", "applied", "added"})
    assert answered_and_compiled(3) == (15, {"answer", "mine"})


def test_an_unknown_back_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once a week `check` compares the games of both back ends with the stored signatures."""
    monkeypatch.setenv("ETHNOS_SIM_COMPILER", "quick")
    with pytest.raises(WrongInput, match="ETHNOS_SIM_COMPILER is 'quick'; it may be fast or plain"):
        compilation._chosen_back_end()
