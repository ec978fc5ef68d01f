"""The document on learning agents leaves out no action or observation."""

from __future__ import annotations

from pathlib import Path

from ethnos_sim.simulator.stepping import actions, observations

GUIDE = Path(__file__).resolve().parents[2].joinpath("docs", "environments.md").read_text("utf-8")


def test_every_action_and_every_block_of_an_observation_is_told() -> None:
    for first, size, words in actions.BLOCKS:
        span = f"{first} to {first + size - 1}" if size > 1 else f"{first}"
        assert f"| {span} | {words} |" in GUIDE
    for name, size, words in observations.BLOCKS:
        assert f"| `{name}` | {size} | {words} |" in GUIDE
