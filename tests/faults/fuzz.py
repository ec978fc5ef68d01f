"""Inputs spoiled at random: whatever a file contains, a command ends with a sentence."""

from collections.abc import Callable
from pathlib import Path

from inside.strategies import STRATEGIES_FOLDER
from sweeps import sums_in

from ethnos_sim import open_results
from faults.fault import SPOILING, Fault, Spoiling, for_each
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

Strike = Callable[[Ground], None]


def spoiled(content: str, name: str, *words: str, inputs: int) -> Strike:
    """Spoil a text file in many ways, and run a command on each result.

    Args:
        content: the sound content.
        name: the name of the file in the working folder.
        words: the command; `{}` stands for the file.
        inputs: the number of ways.
    """

    def strike(ground: Ground) -> None:
        path = ground.inside / name

        def tried(spoiling: Spoiling) -> None:
            path.write_bytes(spoiling.of(content.encode()))
            ground.run(*(word.format(path) for word in words))

        for_each(inputs, SPOILING, tried)

    return strike


def spoiled_in_folder(name: str, codes: set[int], inputs: int) -> Strike:
    """Spoil a file of a sweep in many ways: `verify` reports it, and no wrong row is ever read.

    Args:
        name: a pattern that finds the file in the sweep's folder.
        codes: the exit codes that `verify` may have for a changed file.
        inputs: the number of ways.
    """

    def strike(ground: Ground) -> None:
        folder = _small_sweep(ground)
        path = min(folder.glob(name))
        whole = path.read_bytes()
        held = open_results(folder).records

        def tried(spoiling: Spoiling) -> None:
            content = spoiling.of(whole)
            path.write_bytes(content)
            ended = ground.run("sweep", "--verify", "--out", folder)
            if content != whole:
                sound = ended.code == 0 and {*open_results(folder).records} <= {*held}
                assert sound or ended.code in codes, ended

        for_each(inputs, SPOILING, tried)
        path.write_bytes(whole)
        assert ground.run("sweep", "--verify", "--out", folder).code == 0

    return strike


def spoiled_sums(inputs: int) -> Strike:
    """Spoil the sums of a shard in many ways: the numbers of a report still agree with the rows."""

    def strike(ground: Ground) -> None:
        folder = _small_sweep(ground)
        path = min(folder.glob("sums/**/*.parquet"))
        whole, numbers = path.read_bytes(), sums_in(folder)

        def tried(spoiling: Spoiling) -> None:
            path.write_bytes(spoiling.of(whole))
            assert ground.run("sweep", "--verify", "--out", folder).code in (0, 1)
            assert sums_in(folder) == numbers

        for_each(inputs, SPOILING, tried)
        assert ground.run("sweep", "--verify", "--out", folder).code == 0

    return strike


def spoiled_weights(inputs: int) -> Strike:
    """Spoil the weights that a line-up names in many ways, and play with them."""

    def strike(ground: Ground) -> None:
        whole = SHIPPED.read_bytes()
        path = ground.inside / "weights.npz"

        def tried(spoiling: Spoiling) -> None:
            path.write_bytes(spoiling.of(whole))
            line_up = f"learned:weights={path},random"
            ended = ground.run("match", "--players", "2", "--strategies", line_up, "--games", "2")
            assert ended.code in (0, 2), ended

        for_each(inputs, SPOILING, tried)

    return strike


def _small_sweep(ground: Ground) -> Path:
    """A finished sweep of SMALL."""
    spec, folder = ground.inside / "small.toml", ground.inside / "small"
    spec.write_text(SMALL, encoding="utf-8")
    assert ground.run("sweep", spec, "--out", folder, "--quiet").code == 0
    return folder


def both(name: str, strike: Callable[[int], Strike], inputs: int, few: int = 0) -> list[Fault]:
    """A fault with many inputs for `make faults`, and one with `few` inputs for every test run."""
    faults = [Fault("fuzz", name, strike(inputs))]
    if few:
        faults.append(Fault("fuzz", f"{name} (a few)", strike(few), short=True))
    return faults


FAULTS = [
    *both(
        "a spec that is planned",
        lambda inputs: spoiled(
            SPEC, "spoiled.toml", "sweep", "{}", "--out", "spoiled", "--scheduler", "none",
            inputs=inputs,
        ),
        2500,
        few=20,
    ),
    *both(
        "a variant",
        lambda inputs: spoiled(
            VARIANT, "spoiled.toml", "rules", "show", "second+{}", inputs=inputs
        ),
        2000,
        few=20,
    ),
    *both("plan.json", lambda n: spoiled_in_folder("plan.json", {2}, n), 2500, few=50),
    *both("manifest.jsonl", lambda n: spoiled_in_folder("manifest.jsonl", {1}, n), 2000, few=30),
    *both("a table of seats", lambda n: spoiled_in_folder("seats/**/*.parquet", {1}, n), 500),
    *both("sums beside a shard", spoiled_sums, 500, few=20),
    *both("weights of a line-up", spoiled_weights, 500, few=15),
]  # fmt: skip
