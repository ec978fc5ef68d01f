"""How long a user waits: `--help`, the first games with nothing compiled, and later ones.

    python benchmarks/startup.py [--runs 5]

Each run is a new process. Ten games are a match, at first with an empty folder for compiled code
(`ETHNOS_SIM_CACHE`), timed by the clock, then with the folder that the first run filled. Figures of
later runs and of `--help` are medians of processor time, which other work on the machine moves
little.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from statistics import median

TEN_GAMES = ("match", "--games", "10", "--strategies", "greedy", "--json")


def seconds(words: tuple[str, ...], cache: str) -> tuple[float, float]:
    """Run `ethnos-sim` with these words: seconds by the clock, and of processor time."""
    started, used = time.perf_counter(), _used()
    subprocess.run(
        [sys.executable, "-m", "ethnos_sim", *words],
        env={**os.environ, "ETHNOS_SIM_CACHE": cache},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - started, _used() - used


def _used() -> float:
    """Processor time of all processes that ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Measure and print the waiting times."""
    parser = argparse.ArgumentParser(description="Waiting times of the ethnos-sim command.")
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        helped = median(seconds(("--help",), cache)[1] for _ in range(given.runs))
        first, _ = seconds(TEN_GAMES, cache)
        later = median(seconds(TEN_GAMES, cache)[1] for _ in range(given.runs))
    print(f"--help: {helped:.2f} s of processor time")
    print(f"ten games, nothing compiled: {first:.1f} s")
    print(f"ten games of a later run: {later:.2f} s of processor time")


if __name__ == "__main__":
    main()
