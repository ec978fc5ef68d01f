"""The cost of compiling: each unit that ships, why it was compiled, and its processor time.

    python benchmarks/compiling.py [--only NAME ...]

All units are compiled in this process, one after the other, with an empty folder for machine code.
The first one also pays for what all share: the start of the compiler, and the types of helpers.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import tempfile
import time


def main() -> None:
    """Compile, and print a line for each unit."""
    parser = argparse.ArgumentParser(description="What compiling costs, unit by unit.")
    parser.add_argument("--only", nargs="+", default=[], help="names, as 'engine' or 'champion'")
    given = parser.parse_args()
    log = logging.getLogger("ethnos_sim")
    log.addHandler(logging.StreamHandler(sys.stdout))
    log.setLevel(logging.DEBUG)
    with tempfile.TemporaryDirectory() as cache:
        os.environ["ETHNOS_SIM_CACHE"] = cache
        from ethnos_sim.strategies.compiling_ahead import ENGINE, all_names, load

        started = time.process_time()
        load(*(given.only or sorted(all_names(), key=lambda name: (name != ENGINE, name))))
    print(f"in all {time.process_time() - started:.1f} s")


if __name__ == "__main__":
    main()
