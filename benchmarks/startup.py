"""Measure a user's waiting times: `--help`, first games with nothing compiled, and later games.

    python benchmarks/startup.py [--runs 5]

Each run is a new process. It plays a match of ten games: first with an empty folder for compiled
code (`ETHNOS_SIM_CACHE`), timed by the clock, then with the folder that the first run filled, and
with a user's strategy, on its first use and after each edit. Figures of later runs and of `--help`
are medians of processor time, which other work on the machine changes little.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from runner import run

TEN_GAMES = ("match", "--games", "10", "--strategies", "greedy", "--json")

#: A strategy of a user, with a number that an edit changes.
MINE = """
from ethnos_sim.strategies import strategy
from ethnos_sim.strategies.toolkit import (
    draw, fitting_pool_card, hand_is_full, last_dragon_next, play, take, worthiest_party
)

@strategy(looks_at_rivals=True)
def mine(view):
    party, worth = worthiest_party(view, 0.75, 1.0)
    ready = worth >= {edit} or hand_is_full(view) or last_dragon_next(view)
    if party.leader >= 0 and ready:
        return play(party)
    card, companions = fitting_pool_card(view)
    return take(card) if companions > 0 else draw()
"""


def seconds(words: tuple[str, ...], cache: str) -> tuple[float, float]:
    """Run `ethnos-sim` with these words; return seconds by the clock and of processor time."""
    started, used = time.perf_counter(), _used()
    subprocess.run(
        [sys.executable, "-m", "ethnos_sim", *words],
        env={**os.environ, "ETHNOS_SIM_CACHE": cache},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - started, _used() - used


def edited(edit: int, folder: str) -> float:
    """The seconds of processor time that ten games take after an edit of a user's strategy."""
    file = Path(folder, "mine.py")
    file.write_text(MINE.format(edit=edit))
    words = ("match", "--games", "10", "--strategies", "mine,greedy", "--json")
    return seconds((*words, "--strategies-from", str(file)), folder)[1]


def _used() -> float:
    """The processor time of all processes that ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(*, runs: int = 5) -> None:
    """Measure and print the waiting times."""
    with tempfile.TemporaryDirectory() as cache:
        helped = median(seconds(("--help",), cache)[1] for _ in range(runs))
        first, _ = seconds(TEN_GAMES, cache)
        later = median(seconds(TEN_GAMES, cache)[1] for _ in range(runs))
        mine = edited(5, cache)
        again = median(edited(6 + number, cache) for number in range(runs))
    print(f"--help: {helped:.2f} s of processor time")
    print(f"ten games, nothing compiled: {first:.1f} s")
    print(f"ten games of a later run: {later:.2f} s of processor time")
    print(f"a user's first strategy adds: {mine - later:.2f} s of processor time")
    print(f"each edit of it adds: {again - later:.2f} s of processor time")


if __name__ == "__main__":
    run(measure)
