"""`ethnos-sim strategies train`: train new weights of `learned`, or train shipped weights on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ethnos_sim.commands import option
from ethnos_sim.commands.options import Command, takes


@dataclass(frozen=True, kw_only=True)
class Options:
    """The net, its first weights, and the length of the training."""

    edition: str = option.edition()
    players: int | None = option.number(
        "--players", "Learn only tables with this many players.", least=2, most=6
    )
    variants: Sequence[str] = option.variants()
    settings: Sequence[str] = option.settings()
    drawn: float = option.given(
        "--drawn",
        default=0.0,
        type=click.FloatRange(0, 1),
        metavar="PART",
        help="The part of games whose rules are drawn at random around the given ones.",
    )
    out: Path = option.output(
        "--out",
        "FOLDER",
        "Folder of the training; a training in it is continued.",
        folder=True,
        required=True,
    )
    generations: int = option.number(
        "--generations", "Train until there are this many generations.", default=20, least=1
    )
    positions: int = option.number(
        "--positions", "Training positions of each generation.", default=1_200_000, least=1
    )
    start: str | None = option.text(
        "--from", "FILE.npz|shipped", "Start with these weights; with random ones unless given."
    )
    anew: bool = option.flag(
        "--anew", "Let the weights of --from teach a new net that starts with random weights."
    )
    save: Path | None = option.output(
        "--save",
        "FILE.npz",
        "Save the weights in this file; weights of the other edition in it stay.",
    )
    seed: int = option.seed()
    jobs: int = option.jobs()


@click.command("train", cls=Command)
@takes(Options)
def train(options: Options) -> None:
    """Train the net of `learned` by self-play, in generations.

    The same options give the same weights, whatever the number of threads and of interruptions.
    Weights are saved after every generation, so Ctrl-C loses at most one.
    """
    from ethnos_sim.commands.interruption import when_interrupted
    from ethnos_sim.experiments.storage.files import write_output
    from ethnos_sim.experiments.training.generations import Pace, Training, train
    from ethnos_sim.experiments.training.self_play import SelfPlay, nets_of
    from ethnos_sim.simulator.rules import load_rules
    from ethnos_sim.simulator.utilities.errors import WrongInput
    from ethnos_sim.strategies.weights import FOR_ALL, read_arrays, write_arrays

    rules = load_rules(options.edition, options.variants, options.settings)
    players = options.players
    self_play = SelfPlay(rules, options.seed, players=players, drawn=options.drawn)
    start = None
    if options.start is not None:
        start = nets_of(rules, players, None if options.start == "shipped" else options.start)
    if options.anew and start is None:
        raise WrongInput("--anew needs --from, the weights that teach")
    if options.save is not None and options.save.exists():
        read_arrays(options.save)  # refused before the training
    training = Training(self_play, start, options.anew, Pace(taught_positions=options.positions))
    advice = f"Interrupted; the same command goes on from '{options.out}'."
    with when_interrupted(lambda: advice):
        state = train(
            training,
            options.out,
            options.generations,
            threads=options.jobs,
            on_generation=_print_generation,
        )
    if options.save is not None:
        name = rules.edition if players is None else f"{rules.edition}-{players}"
        stored = read_arrays(options.save) if options.save.exists() else {}
        # Editions of users play by the weights of the 2nd edition.
        also = {FOR_ALL: state.accepted} if name == "second" else {}
        write_output(options.save, write_arrays({**stored, name: state.accepted, **also}))
        click.echo(f"The weights for {name} are in '{options.save}'.")


def _print_generation(entry: dict[str, Any]) -> None:
    verdict = "accepted" if entry["accepted"] else "not accepted"
    click.echo(
        f"generation {entry['generation']}: {entry['steps']:,} steps, loss {entry['loss']:.4f}, "
        f"{100 * entry['share']:.1f} % against the last accepted in {entry['games']:,} games, "
        f"{verdict}; {100 * entry['reference']:.1f} % against champions"
    )
