"""The cost of compiling: each unit that ships, why it was compiled, and its processor time.

    python benchmarks/compiling.py [--only NAME ...]

All units are compiled in this process, one after the other, with an empty folder for machine code.
The first unit's time includes work that all share: starting the compiler, and typing helpers.
"""

from __future__ import annotations

import logging
import os
import sys
import tempfile
import time

from runner import run


def compile_units(*, only: tuple[str, ...] = ()) -> None:
    """Compile, and print a line for each unit."""
    log = logging.getLogger("ethnos_sim")
    log.addHandler(logging.StreamHandler(sys.stdout))
    log.setLevel(logging.DEBUG)
    with tempfile.TemporaryDirectory() as cache:
        os.environ["ETHNOS_SIM_CACHE"] = cache
        from ethnos_sim.strategies.compiling_ahead import ENGINE, all_names, load

        started = time.process_time()
        load(*(only or sorted(all_names(), key=lambda name: (name != ENGINE, name))))
    print(f"in all {time.process_time() - started:.1f} s")


if __name__ == "__main__":
    run(compile_units)
