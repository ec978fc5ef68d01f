"""What a test run with several workers needs first: a core for each, everything compiled, once."""

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from compiled_first import SLOWEST, compiled

#: Workers fill the cores; libraries that start threads of their own would only wait for each other.
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "POLARS_MAX_THREADS")


def pytest_configure(config: pytest.Config) -> None:
    """Compile engine and strategies before the workers start; their machine code is kept.

    In a first run the workers would otherwise all compile the same code side by side.
    """
    workers = getattr(config.option, "numprocesses", None)
    if not workers or hasattr(config, "workerinput") or config.option.collectonly:
        return
    for name in ONE_THREAD:
        os.environ.setdefault(name, "1")
    from ethnos_sim.strategies import list_strategies

    names = sorted((each.name for each in list_strategies()), key=lambda name: name not in SLOWEST)
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        list(pool.map(compiled, ["", *names]))
