"""Whether a sweep that is killed again and again ends as one that was left in peace.

    python benchmarks/kills.py [--kills 20] [--games 300000] [--engine threads] [--seed 1]

The sweep is ended by SIGKILL at random moments and begun again each time, then played to its end
and compared with an undisturbed run, byte by byte: what the manifests say, and every file.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ethnos_sim.experiments.execution.verification import verify
from ethnos_sim.experiments.storage.results import open_results

COMMAND = [sys.executable, "-m", "ethnos_sim", "sweep", "--quiet", "--jobs", "2"]


def contents(folder: Path) -> dict[str, object]:
    """Every file that a manifest names, and what the manifest says of it."""
    return {
        record.path(table): (file, (folder / record.path(table)).read_bytes())
        for record in open_results(folder).records
        for table, file in record.files.items()
    }


def main() -> int:
    """Kill, go on, compare; 1 where something differs."""
    parser = argparse.ArgumentParser(description="A sweep killed at random moments.")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--games", type=int, default=300_000)
    parser.add_argument("--engine", choices=["threads", "processes"], default="threads")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    words = [*COMMAND, "--games", str(given.games), "--shard-games", str(given.games // 100)]
    dice = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as folder:
        peaceful, killed = Path(folder) / "peaceful", Path(folder) / "killed"
        whole, startup = _seconds(words, peaceful), _seconds(words, peaceful)
        longest = startup + 1.5 * (whole - startup) / given.kills
        kills, fruitless = 0, 0
        while kills < given.kills:
            held = _lines(killed)
            playing = subprocess.Popen(
                [*words, "--engine", given.engine, "--out", killed], stdout=subprocess.DEVNULL
            )
            try:
                playing.wait(timeout=dice.uniform(0.5, 1.0) * longest)
                break
            except subprocess.TimeoutExpired:
                playing.kill()
                playing.wait()
                kills += 1
                fruitless += _lines(killed) == held
        finished = _lines(killed)
        subprocess.run([*words, "--out", killed], check=True, stdout=subprocess.DEVNULL)
        same = contents(peaceful) == contents(killed)
        faults = verify(killed).faults
        print(
            f"{kills} kills ({fruitless} before a shard was finished), {finished} of "
            f"{_lines(killed)} shards played by killed runs; files equal: {same}; "
            f"faults: {len(faults)}"
        )
        return 0 if same and not faults and kills == given.kills else 1


def _seconds(words: list[str], folder: Path) -> float:
    """How long the sweep takes into a folder; where all is there, how long it takes to begin."""
    began = time.perf_counter()
    subprocess.run([*words, "--out", str(folder)], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def _lines(folder: Path) -> int:
    """How many shards a folder's manifest has."""
    path = folder / "manifest.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


if __name__ == "__main__":
    sys.exit(main())
