"""`ethnos-sim strategies train`: train a new net of `learned`, or train weights further."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ethnos_sim.commands import option
from ethnos_sim.commands.options import Command, takes

if TYPE_CHECKING:
    from ethnos_sim.experiments.training.generations import State

WEIGHTS = "learned.npz"
"""The file of the accepted weights, in the folder of the training."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """The rules, the first weights, and the length of the training."""

    edition: str = option.rules()
    variants: Sequence[str] = option.variants()
    settings: Sequence[str] = option.settings()
    start: str | None = option.text(
        "--from",
        "FILE.npz|shipped",
        "Train these weights further. Unless given, a new net begins at random weights, and the "
        "shipped ones teach it.",
    )
    generations: int = option.number(
        "--generations", "Train until there are this many generations.", default=1, least=1
    )
    out: Path = option.output(
        "--out",
        "FOLDER",
        f"Folder of the training and of its weights, {WEIGHTS}; a training in it is continued.",
        folder=True,
        required=True,
    )
    jobs: int = option.jobs()


@click.command("train", cls=Command)
@takes(Options)
def train(options: Options) -> None:
    """Train the net of `learned` by looking ahead, in generations.

    The same options give the same weights, whatever the number of threads and of interruptions.
    Weights are saved after every generation, so Ctrl-C loses at most one.
    """
    from ethnos_sim.commands.interruption import when_interrupted
    from ethnos_sim.experiments.storage.files import write_output
    from ethnos_sim.experiments.training.generations import TRIAL_PLAYERS, Training, train
    from ethnos_sim.experiments.training.self_play import SelfPlay
    from ethnos_sim.simulator.rules import RuleSet
    from ethnos_sim.strategies import get_strategy
    from ethnos_sim.strategies.weights import FOR_ALL, weights_of, write_arrays

    rules = RuleSet.parse(options.edition, None, options.variants, options.settings).rules()
    file = None if options.start == "shipped" else options.start
    start: Any = weights_of(get_strategy("learned"), rules, TRIAL_PLAYERS, file)
    training = Training(SelfPlay(rules, seed=1), start, further=options.start is not None)
    weights = options.out / WEIGHTS

    def on_generation(state: State) -> None:
        write_output(weights, write_arrays({FOR_ALL: state.accepted}))
        _print_generation(state.history[-1])

    advice = f"Interrupted; the same command goes on from '{options.out}'."
    with when_interrupted(lambda: advice):
        train(
            training,
            options.out,
            options.generations,
            threads=options.jobs,
            on_generation=on_generation,
        )
    click.echo(f"The weights are in '{weights}': learned:weights={weights}")


def _print_generation(entry: dict[str, Any]) -> None:
    verdict = "accepted" if entry["accepted"] else "not accepted"
    click.echo(
        f"generation {entry['generation']}: {entry['steps']:,} steps, loss {entry['loss']:.4f}, "
        f"{100 * entry['share']:.1f} % against the last accepted in {entry['games']:,} games, "
        f"{verdict}"
    )
