"""Inputs spoiled at random: whatever a file contains, a command ends with a sentence."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from inside.strategies import STRATEGIES_FOLDER
from sweeps import sums_in

from ethnos_sim import open_results
from faults.fault import Fault, spoil
from faults.ground import SPEC, Ground

VARIANT = """
name = "mine"
edition = "second"
description = "A little more"

[set]
bear.on_take = 2
party_points = [0, 1, 3, 6, 10, 15]
"""

#: A sweep with few and small files.
SMALL = """
name = "Small"
games = 60
players = [2, 3]
clan_sets = { sample = 1 }
line_ups = [["random"], { strategies = ["random"], gives_up = true }]
"""

#: The weights of the bundled net.
SHIPPED = STRATEGIES_FOLDER / "weights" / "learned.npz"

Strike = Callable[[Ground, int], None]


def spoiled(content: str, *words: str) -> Strike:
    """Spoil a text file in many ways, and run a command on it; `{}` stands for the file."""

    def strike(ground: Ground, inputs: int) -> None:
        path = ground.inside / "spoiled.toml"
        command = [word.format(path) for word in words]
        spoil(path, content.encode(), inputs, lambda: ground.run(*command))

    return strike


def spoiled_in_folder(name: str, codes: set[int]) -> Strike:
    """Spoil a file of a sweep in many ways: `verify` reports it, and no wrong row is ever read.

    Args:
        name: a pattern that finds the file in the sweep's folder.
        codes: the exit codes that `verify` may have for a changed file.
    """

    def strike(ground: Ground, inputs: int) -> None:
        folder = _small_sweep(ground)
        path = min(folder.glob(name))
        whole = path.read_bytes()
        held = open_results(folder).records

        def tried() -> None:
            ended = ground.run("sweep", "--verify", "--out", folder)
            if path.read_bytes() != whole:
                sound = ended.code == 0 and {*open_results(folder).records} <= {*held}
                assert sound or ended.code in codes, ended

        spoil(path, whole, inputs, tried)
        path.write_bytes(whole)
        assert ground.run("sweep", "--verify", "--out", folder).code == 0

    return strike


def spoiled_sums(ground: Ground, inputs: int) -> None:
    """Spoil the sums of a shard in many ways: the numbers of a report still agree with the rows."""
    folder = _small_sweep(ground)
    path = min(folder.glob("sums/**/*.parquet"))
    numbers = sums_in(folder)

    def tried() -> None:
        assert ground.run("sweep", "--verify", "--out", folder).code in (0, 1)
        assert sums_in(folder) == numbers

    spoil(path, path.read_bytes(), inputs, tried)
    assert ground.run("sweep", "--verify", "--out", folder).code == 0


def spoiled_weights(ground: Ground, inputs: int) -> None:
    """Spoil the weights that a line-up names in many ways, and play with them."""
    path = ground.inside / "weights.npz"
    line_up = f"learned:weights={path},random"

    def tried() -> None:
        ended = ground.run("match", "--players", "2", "--strategies", line_up, "--games", "2")
        assert ended.code in (0, 2), ended

    spoil(path, SHIPPED.read_bytes(), inputs, tried)


def _small_sweep(ground: Ground) -> Path:
    """A finished sweep of SMALL."""
    spec, folder = ground.inside / "small.toml", ground.inside / "small"
    spec.write_text(SMALL, encoding="utf-8")
    assert ground.run("sweep", spec, "--out", folder, "--quiet").code == 0
    return folder


def both(name: str, strike: Strike, inputs: int, few: int = 0) -> list[Fault]:
    """A fault with many inputs for `make faults`, and one with `few` inputs for every test run."""
    faults = [Fault("fuzz", name, partial(strike, inputs=inputs))]
    if few:
        faults.append(Fault("fuzz", f"{name} (a few)", partial(strike, inputs=few), short=True))
    return faults


PLANNED = spoiled(SPEC, "sweep", "{}", "--out", "spoiled", "--scheduler", "none")
FAULTS = [
    *both("a spec that is planned", PLANNED, 2500, few=20),
    *both("a variant", spoiled(VARIANT, "rules", "show", "second+{}"), 2000, few=20),
    *both("plan.json", spoiled_in_folder("plan.json", {2}), 2500, few=50),
    *both("manifest.jsonl", spoiled_in_folder("manifest.jsonl", {1}), 2000, few=30),
    *both("a table of seats", spoiled_in_folder("seats/**/*.parquet", {1}), 500),
    *both("sums beside a shard", spoiled_sums, 500, few=20),
    *both("weights of a line-up", spoiled_weights, 500, few=15),
]
