"""Compare the speed of games with another checkout of this project, in processor time.

    git worktree add /tmp/older REVISION
    python benchmarks/against_older.py /tmp/older

Both checkouts play the same games of the printed rules in their own processes, in turn, so that
other work on the machine slows both. The result is the median ratio of games per second of
processor time, this checkout's over the other's. Everything is compiled before.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from runner import run

PACKAGES = ("simulator", "strategies", "experiments", "reports")

PROGRAM = """\
import json, sys, time
from ethnos_sim.simulator.tables.batch import play_table
from ethnos_sim.simulator.rules import load_rules
try:
    from ethnos_sim.experiments.matches.match import prepare_match
except ModuleNotFoundError:  # where older checkouts have it
    from ethnos_sim.experiments.match import prepare_match

strategy, games, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
match = prepare_match(load_rules("second"), strategy, players=4, seed=1)
table = match.table(0)
play_table(table, seed=seed, first_deal=0, deals=20)
start = time.process_time()
batch = play_table(table, seed=seed, first_deal=0, deals=games)
taken = time.process_time() - start
print(json.dumps([games * table.rotations / taken, int(batch.seats["prestige"].sum())]))
"""


def package_of(checkout: Path, folder: Path) -> Path:
    """A folder from which a checkout's packages can be imported by their installed names."""
    package = folder / "ethnos_sim"
    package.mkdir(parents=True)
    for part in [*(checkout / "cli").iterdir(), *(checkout / name for name in PACKAGES)]:
        (package / part.name).symlink_to(part.resolve())
    return folder


def played(folder: Path, strategy: str, games: int, seed: int) -> tuple[float, int]:
    """Games per second of processor time, and the sum of prestige, which differs if games do."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, strategy, str(games), str(seed)],
        env={"PYTHONPATH": str(folder), "PATH": "/usr/bin:/bin", "HOME": str(Path.home())},
        capture_output=True,
        text=True,
        check=True,
    )
    speed, prestige = json.loads(done.stdout.splitlines()[-1])
    return float(speed), int(prestige)


def compare(
    older: Path, *, rounds: int = 15, games: int = 6000, strategies: str = "greedy,champion"
) -> None:
    """Compare two checkouts and print a line for each strategy."""
    with tempfile.TemporaryDirectory() as folder:
        here = package_of(Path(__file__).resolve().parents[1], Path(folder) / "own")
        other = package_of(older, Path(folder) / "older")
        for strategy in strategies.split(","):
            ratios, equal = [], True
            for seed in range(rounds):
                pair = (other, here) if seed % 2 else (here, other)
                rates = {package: played(package, strategy, games, seed) for package in pair}
                ratios.append(rates[here][0] / rates[other][0])
                equal &= rates[here][1] == rates[other][1]
            spread = f"{min(ratios):.3f} to {max(ratios):.3f}"
            same = "equal games" if equal else "games differ"
            print(f"{strategy}: {median(ratios):.3f} ({spread}, {rounds} rounds, {same})")


if __name__ == "__main__":
    run(compare)
