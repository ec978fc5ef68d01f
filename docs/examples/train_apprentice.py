"""Train a small policy from the environment with torch, and export it as a compiled strategy.

    python docs/examples/train_apprentice.py [--games 256] [--steps 400] [--epochs 8]

An `Advisor` plays the champion in one seat of stepped games. torch trains a net to score the
champion's action highest among the legal ones. The weights are saved in `apprentice.npz`. The
strategy in `apprentice.py` reads them, and `match`, `strategies rate` and `sweep` can play it.
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from apprentice import HIDDEN, INPUTS, put_inputs
from numba import njit

from ethnos_sim import LineUp, estimate, load_rules, load_strategy_file, make_env, play_batch
from ethnos_sim.simulator.game.records import DECISIONS
from ethnos_sim.simulator.stepping.actions import LEAD_ALONE
from ethnos_sim.simulator.stepping.advisor import Advisor

FOLDER = Path(__file__).parent
MOST = 48
"""The most legal actions that are used for a question; few questions have more."""

ANSWERED = [DECISIONS.index(question) for question in ("turn", "second_party", "region")]
"""The questions that the apprentice answers; the defaults answer all others."""


@njit
def fill(observations, legal, counts, chosen, inputs, allowed):
    """Write inputs of legal actions, the chosen action first; return which games have a choice."""
    learns = np.zeros(len(chosen), np.bool_)
    for i in range(len(chosen)):
        allowed[i, :] = False
        place = 1
        for k in range(counts[i]):
            action = legal[i, k]
            if action >= LEAD_ALONE or place == allowed.shape[1]:
                continue
            position = 0 if action == chosen[i] else place
            put_inputs(observations[i], action, inputs[i, position])
            allowed[i, position] = True
            place += position > 0
        learns[i] = allowed[i, 0] and place > 1
    return learns


def watch(games: int, steps: int, teacher: str) -> tuple[torch.Tensor, torch.Tensor]:
    """The teacher's questions: inputs, (n, MOST, INPUTS), and legal actions, (n, MOST)."""
    rules = load_rules("second")
    env = make_env(rules, opponents="greedy", games=games)
    line_up = LineUp.parse([teacher, "greedy", "greedy", "greedy"], players=4, rules=rules)
    advisor = Advisor(env, line_up.seats())
    env.start(seed=1)
    inputs = np.zeros((games, MOST, INPUTS), np.float32)
    allowed = np.zeros((games, MOST), np.bool_)
    seen, masks = [], []
    for _ in range(steps):
        actions = advisor.actions()
        learns = fill(env.observations, env.legal, env.legal_counts, actions, inputs, allowed)
        learns &= env.observations[:, ANSWERED].any(axis=1)
        seen.append(torch.from_numpy(inputs[learns]))
        masks.append(torch.from_numpy(allowed[learns]))
        env.step(actions)
    return torch.cat(seen), torch.cat(masks)


def train(seen: torch.Tensor, masks: torch.Tensor, epochs: int) -> torch.nn.Sequential:
    """Train a net that scores the teacher's action, the first of each question, highest."""
    net = torch.nn.Sequential(
        torch.nn.Linear(INPUTS, HIDDEN), torch.nn.ReLU(), torch.nn.Linear(HIDDEN, 1, bias=False)
    )
    batch = 512
    updates = epochs * -(-len(seen) // batch)
    adam = torch.optim.Adam(net.parameters(), lr=1e-2)
    pace = torch.optim.lr_scheduler.OneCycleLR(adam, 1e-2, total_steps=updates)
    for _ in range(epochs):
        right = 0
        for rows in torch.randperm(len(seen)).split(batch):
            scores = net(seen[rows]).squeeze(-1).masked_fill(~masks[rows], -torch.inf)
            loss = torch.nn.functional.cross_entropy(
                scores, torch.zeros(len(rows), dtype=torch.long)
            )
            adam.zero_grad()
            loss.backward()
            adam.step()
            pace.step()
            right += int((scores.argmax(dim=1) == 0).sum())
        print(f"equal to the teacher's action: {right / len(seen):.1%}")
    return net


def export(net: torch.nn.Sequential, path: Path) -> None:
    """Write the weights in the order in which the strategy reads them: layer, bias, output."""
    with torch.no_grad():
        parts = [part.numpy().ravel() for part in (net[0].weight, net[0].bias, net[2].weight)]
    np.savez(path, any=np.concatenate(parts).astype(np.float32))


def main() -> None:
    """Watch, train, export and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=256)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--teacher", default="champion")
    parser.add_argument("--measure", type=int, default=20_000)
    options = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    seen, masks = watch(options.games, options.steps, options.teacher)
    print(f"watched {len(seen):,} answers")
    export(train(seen, masks, options.epochs), FOLDER / "apprentice.npz")
    load_strategy_file(FOLDER / "apprentice.py")
    batch = play_batch("second", "apprentice,greedy,greedy,greedy", games=options.measure, seed=2)
    print(estimate(batch, "strategy_share").select("name", "value", "low", "high", "games"))


if __name__ == "__main__":
    main()
