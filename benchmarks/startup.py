"""How long a user waits: `--help`, the first game with nothing compiled, and later first games.

    python benchmarks/startup.py [--runs 5]

Each run is a new process. The first game is a match of one game, at first with an empty folder for
compiled code (`ETHNOS_SIM_CACHE`), then with the folder that the first run filled. Later figures
are medians.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from statistics import median

ONE_GAME = ("match", "--games", "1", "--strategies", "greedy", "--json")


def seconds(words: tuple[str, ...], cache: str) -> float:
    """Run `ethnos-sim` with these words and time it."""
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "ethnos_sim", *words],
        env={**os.environ, "ETHNOS_SIM_CACHE": cache},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - started


def main() -> None:
    """Estimates and print the waiting times."""
    parser = argparse.ArgumentParser(description="Waiting times of the ethnos-sim command.")
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        helped = median(seconds(("--help",), cache) for _ in range(given.runs))
        first = seconds(ONE_GAME, cache)
        later = median(seconds(ONE_GAME, cache) for _ in range(given.runs))
    print(f"--help: {helped:.2f} s")
    print(f"first game, nothing compiled: {first:.1f} s")
    print(f"first game of a later run: {later:.2f} s")


if __name__ == "__main__":
    main()
