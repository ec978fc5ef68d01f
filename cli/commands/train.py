"""`ethnos-sim strategies train`: train a new net of `learned`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ethnos_sim.commands.interruption import CONTINUE_MESSAGE, interruption_message
from ethnos_sim.commands.options import jobs_option, rules_option, writable_folder

if TYPE_CHECKING:
    from ethnos_sim.experiments.training.generations import TrainingState
    from ethnos_sim.simulator.rules import RuleSet

WEIGHTS_FILE = "learned.npz"
"""The file of the accepted weights, in the folder of the training."""


@click.command("train")
@rules_option
@click.option(
    "--generations",
    metavar="N",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Train until this generation is finished.",
)
@click.option(
    "--out",
    metavar="DIR",
    required=True,
    type=writable_folder,
    help=f"Folder of the training and its weights, {WEIGHTS_FILE}; a training in it is continued.",
)
@jobs_option
def train(rule_set: RuleSet, generations: int, out: Path, jobs: int) -> None:
    """Train a new net of `learned` by looking ahead, in generations.

    The shipped net teaches the first generation, the last accepted net the next ones. The same
    options give the same weights, whatever the number of threads and of interruptions. Weights are
    saved after every generation, so Ctrl-C loses at most one.
    """
    from ethnos_sim.experiments.storage.files import write_output
    from ethnos_sim.experiments.training.generations import TRIAL_PLAYERS, Training, train
    from ethnos_sim.experiments.training.self_play import SelfPlay
    from ethnos_sim.strategies import get_strategy
    from ethnos_sim.strategies.weights import FOR_ALL, encode_arrays, weights_of

    rules = rule_set.rules()
    shipped: Any = weights_of(get_strategy("learned"), rules, TRIAL_PLAYERS)
    training = Training(SelfPlay(rules, seed=1), shipped)
    weights = out / WEIGHTS_FILE

    def on_generation(state: TrainingState) -> None:
        write_output(weights, encode_arrays({FOR_ALL: state.accepted}))
        _print_generation(state.history[-1])

    with interruption_message(CONTINUE_MESSAGE):
        train(training, out, generations, threads=jobs, on_generation=on_generation)
    click.echo(f"The weights are in '{weights}': learned:weights={weights}")


def _print_generation(entry: dict[str, Any]) -> None:
    """Print a line about a generation, from its entry in the training's history."""
    verdict = "accepted" if entry["accepted"] else "not accepted"
    click.echo(
        f"generation {entry['generation']}: {entry['steps']:,} steps, loss {entry['loss']:.4f}, "
        f"{100 * entry['share']:.1f} % against the last accepted in {entry['games']:,} games, "
        f"{verdict}"
    )
