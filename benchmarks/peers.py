"""Compare this engine with OpenSpiel's hearts, a card game with bots in C++, on the same core.

    python benchmarks/peers.py [--seconds 10] [--rounds 9]

Both games have four players. OpenSpiel's uniform random bots play hearts. `greedy`, and then
`random`, play all seats of Ethnos (2nd edition, full rules, four clan sets). The programs take
turns, sample by sample, in one process. Rates and ratios are medians over the rounds; each ratio
compares two neighbouring samples. A decision is a card passed or played in hearts, a turn or a
chained party in Ethnos.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from runner import run
from throughput import Rate, Workload, medians, sample_in_turn

from ethnos_sim.experiments.matches.match import prepare_match
from ethnos_sim.simulator.rules import load_rules

PLAYERS = 4
LINE_UPS = ("greedy", "random")


class Hearts:
    """OpenSpiel's hearts with four uniform random bots."""

    def __init__(self, pyspiel: Any) -> None:
        """Set up the game and its bots, and count the decisions of a game."""
        self._pyspiel = pyspiel
        self._game = pyspiel.load_game("hearts")
        self._bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(PLAYERS)]
        played = [self._play(seed) for seed in range(2_000)]
        decisions = sum(step.player >= 0 for state in played for step in state.full_history())
        self._decisions = decisions / len(played)

    def _play(self, seed: int) -> Any:
        state = self._game.new_initial_state()
        self._pyspiel.evaluate_bots(state, self._bots, seed)
        return state

    def sample(self, games: int, _number: int) -> Rate:
        """Play `games` games, and return their rate."""
        started = time.perf_counter()
        for seed in range(games):
            self._play(seed)
        rate = games / (time.perf_counter() - started)
        return Rate(rate, rate * self._decisions)


def measure(*, seconds: float = 10.0, rounds: int = 9) -> None:
    """Measure and print rates and ratios; `seconds` is the time of all samples together."""
    try:
        import pyspiel
    except ImportError:
        sys.exit("OpenSpiel is not installed; `pip install open_spiel` installs it")
    programs: dict[str, Callable[[int, int], Rate]] = {"hearts": Hearts(pyspiel).sample}
    for line_up in LINE_UPS:
        match = prepare_match(load_rules("second"), line_up, players=PLAYERS, seed=1)
        programs[f"ethnos, {line_up}"] = Workload(match).sample
    measured = sample_in_turn(programs, seconds / len(programs), rounds)
    headings = ("games/s", "decisions/s", "games ratio", "decisions ratio")
    print(f"{'program':18}" + "".join(f"{heading:>17}" for heading in headings))
    for name, rates in measured.items():
        rate, ratio = medians(rates, measured["hearts"])
        figures = [*(f"{number:,.0f}" for number in rate), *(f"{number:.2f}" for number in ratio)]
        print(f"{name:18}" + "".join(f"{figure:>17}" for figure in figures))


if __name__ == "__main__":
    run(measure)
