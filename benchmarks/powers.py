"""Measure the cost of a custom power: games with one and games with printed powers, in turn.

    python benchmarks/powers.py [--strategies greedy] [--seconds 20] [--rounds 9]

Four players, 2nd edition, six clans. One clan has the rabbit's printed power, the same power
written in Python, or the example of docs/powers.md. The figures are medians over the rounds, in
processor time; a ratio is of two neighbouring samples.
"""

from __future__ import annotations

import re
import tempfile
import time
from pathlib import Path

from runner import run
from throughput import Workload, in_turn, medians

from ethnos_sim.experiments.matches.match import Match, prepare_match
from ethnos_sim.simulator.rules import load_rules

CLANS = ("bear", "fox", "koi", "owl", "tiger", "rabbit")
RABBIT = """\
from ethnos_sim.simulator.custom_powers import power


@power("rabbit")
def scoring_size(game, party):
    return party.members + 1
"""
GUIDE = Path(__file__).resolve().parents[1] / "docs" / "powers.md"


def measure(*, strategies: str = "greedy", seconds: float = 20.0, rounds: int = 9) -> None:
    """Measure and print rates and ratios; `seconds` is the time of all samples together."""
    example = re.search(r"^```python\n(.*?)^```", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    assert example is not None, "the guide has an example"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "rabbit.py").write_text(RABBIT)
        (folder / "phoenix.py").write_text(example[1])
        matches = {
            "printed powers": _match(strategies),
            "the rabbit's in Python": _match(strategies, f"{folder}/rabbit.py:rabbit"),
            "the phoenix": _match(strategies, f"{folder}/phoenix.py:phoenix"),
        }
        programs = {
            name: Workload(match, clock=time.process_time).sample for name, match in matches.items()
        }
        rates_of = in_turn(programs, seconds / len(programs), rounds)
    for label, rates in rates_of.items():
        rate, ratio = medians(rates, rates_of["printed powers"])
        speed = f"{rate.games_per_s:,.0f} games a second of processor time"
        print(f"{label}: {speed}, ratio {ratio.games_per_s:.3f}")


def _match(strategies: str, power: str = "scores_larger") -> Match:
    """A match in which the rabbit has this power."""
    rules = load_rules("second", overrides=[f"clans.rabbit={power}"])
    return prepare_match(rules, strategies, players=4, seed=1, clans=CLANS)


if __name__ == "__main__":
    run(measure)
