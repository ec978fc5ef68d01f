"""Inputs spoiled at random: whatever a file holds, a command ends with a sentence."""

from __future__ import annotations

from collections.abc import Callable

from faults.fault import SPOILING, Fault, Spoiling, for_each
from faults.ground import SPEC, Ground


def spoiled(content: str, name: str, *words: str, inputs: int) -> Callable[[Ground], None]:
    """Spoil a text file in many ways, and run a command on it each time.

    Args:
        content: what the file holds when it is sound.
        name: what the file is called in the folder to work in.
        words: the command; `{}` stands for the file.
        inputs: how many ways.
    """

    def strike(ground: Ground) -> None:
        path = ground.inside / name

        def tried(spoiling: Spoiling) -> None:
            path.write_bytes(spoiling.of(content.encode()))
            ground.run(*(word.format(path) for word in words))

        for_each(inputs, SPOILING, tried)

    return strike


def both(kind: str, name: str, strike: Callable[[int], Callable[[Ground], None]], inputs: int):
    """A fault with many inputs for `make faults`, and the same with a few for every test run."""
    return [
        Fault(kind, name, strike(inputs), inputs=inputs),
        Fault(kind, f"{name} (a few)", strike(20), inputs=20, short=True),
    ]


FAULTS = [
    *both(
        "fuzz",
        "a spec",
        lambda inputs: spoiled(
            SPEC, "spoiled.toml", "sweep", "{}", "--dry-run", "--games", "9", inputs=inputs
        ),
        500,
    ),
]
