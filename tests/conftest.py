"""What a test run needs first: with several workers a core for each, everything compiled, once."""

import gc
import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

#: Workers fill the cores; libraries that start threads of their own would only wait for each other.
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "POLARS_MAX_THREADS")

COMPILE_ALL = (sys.executable, "-m", "ethnos_sim.strategies.compiling_ahead", "--all")


def pytest_configure(config: pytest.Config) -> None:
    """Compile engine and strategies before the workers start; their machine code is kept.

    In a first run the workers would otherwise all compile the same code side by side.
    """
    workers = getattr(config.option, "numprocesses", None)
    if not workers or hasattr(config, "workerinput") or config.option.collectonly:
        return
    for name in ONE_THREAD:
        os.environ.setdefault(name, "1")
    subprocess.run(COMPILE_ALL, stdout=subprocess.DEVNULL, check=True)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage while modules load, nor ever again among what they made.

    Modules make objects by the hundred thousand, which all stay.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that take long come first, so that no worker ends with one of them."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.fixture(scope="session")
def in_one_place(pytestconfig: pytest.Config) -> Callable[[str, str], Path]:
    """Writes a user's code to the same file in every run, where its machine code is found again."""

    def write(name: str, text: str) -> Path:
        content = hashlib.sha256(text.encode()).hexdigest()[:16]
        file = pytestconfig.cache.mkdir(f"user_code_{content}") / name
        written = file.with_suffix(f".{os.getpid()}")  # another worker may be reading the file
        written.write_text(text, encoding="utf-8")
        return written.replace(file)

    return write
