"""This engine and OpenSpiel's hearts, a card game with bots entirely in C++, on the same core.

    python benchmarks/peers.py [--seconds 10] [--rounds 9]

Four players in both. Hearts is played by OpenSpiel's uniform random bots, Ethnos (2nd edition, full
rules, four clan sets) by `greedy` and by `random` in all seats. The programs take turns, sample by
sample, in one process; rates are medians over the rounds, and so are the ratios, each of two
samples that stand side by side. A decision is a card passed or played in hearts, a turn or a
chained party in Ethnos.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

from throughput import Rate, Workload, sample

from ethnos_sim.experiments.matches.match import prepare_match
from ethnos_sim.simulator.rules import load_rules

PLAYERS = 4
LINE_UPS = ("greedy", "random")


class Hearts:
    """OpenSpiel's hearts with four uniform random bots."""

    def __init__(self, pyspiel: Any) -> None:
        """Set the game and its bots up, and find out how many decisions a game has."""
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

    def sample(self, games: int) -> Rate:
        """Play and time so many games."""
        started = time.perf_counter()
        for seed in range(games):
            self._play(seed)
        rate = games / (time.perf_counter() - started)
        return Rate(rate, rate * self._decisions)


def main() -> None:
    """Estimates and print the rates and their ratios."""
    parser = argparse.ArgumentParser(description="Ethnos and OpenSpiel's hearts on one core.")
    parser.add_argument("--seconds", type=float, default=10.0, help="for all samples together")
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    try:
        import pyspiel
    except ImportError:
        sys.exit("OpenSpiel is not installed; `pip install open_spiel` installs it")
    programs: dict[str, Callable[[int], Rate]] = {"hearts": Hearts(pyspiel).sample}
    rules = load_rules("second")
    for line_up in LINE_UPS:
        workload = Workload(prepare_match(rules, line_up, players=PLAYERS, seed=1), threads=1)
        programs[f"ethnos, {line_up}"] = partial(sample, workload)
    seconds = given.seconds / given.rounds / len(programs)
    games = {}
    for name, play in programs.items():
        play(1)
        games[name] = max(1, int(play(2_000).games_per_s * seconds))
    rounds = [
        {name: play(games[name]) for name, play in programs.items()} for _ in range(given.rounds)
    ]
    headings = ("games/s", "decisions/s", "games ratio", "decisions ratio")
    print(f"{'program':18}" + "".join(f"{heading:>17}" for heading in headings))
    for name in programs:
        rates = [found[name] for found in rounds]
        peers = [found["hearts"] for found in rounds]
        of_games = median(rate.games_per_s for rate in rates)
        of_decisions = median(rate.decisions_per_s for rate in rates)
        pairs = list(zip(rates, peers, strict=True))
        games_ratio = median(rate.games_per_s / peer.games_per_s for rate, peer in pairs)
        ratio = median(rate.decisions_per_s / peer.decisions_per_s for rate, peer in pairs)
        figures = (f"{of_games:,.0f}", f"{of_decisions:,.0f}", f"{games_ratio:.2f}", f"{ratio:.2f}")
        print(f"{name:18}" + "".join(f"{figure:>17}" for figure in figures))


if __name__ == "__main__":
    main()
