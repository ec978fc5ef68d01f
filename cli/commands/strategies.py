"""`ethnos-sim strategies`: list, show, rate and train strategies."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from ethnos_sim.commands.options import strategy_files_option
from ethnos_sim.commands.rate import rate
from ethnos_sim.commands.tables import print_table
from ethnos_sim.commands.train import train


@click.group("strategies")
def command() -> None:
    """List, show, rate and train strategies.

    A line-up names them with their parameters: greedy,specialist:clan=bear.
    """


@command.command("list")
@strategy_files_option
def list_(strategy_files: Sequence[Path]) -> None:
    """List every strategy with its idea."""
    from ethnos_sim.strategies import list_strategies

    # An idea is the first sentence of the description of a strategy.
    rows = [
        (strategy.name, strategy.summary.split(". ")[0].rstrip("."))
        for strategy in list_strategies()
    ]
    print_table("Strategies", ("name", "idea"), rows)


@command.command("show")
@click.argument("name")
@strategy_files_option
def show(strategy_files: Sequence[Path], name: str) -> None:
    """Show a strategy: its idea, parameters and answers."""
    from ethnos_sim.simulator.game.records import DECISIONS
    from ethnos_sim.strategies import get_strategy
    from ethnos_sim.strategies.tuned_parameters import read_tuned_parameters

    strategy = get_strategy(name)
    click.echo(f"{strategy.name}\n\n{strategy.description}\n")
    if strategy.parameters:
        click.echo("Parameters:")
        for parameter in strategy.parameters:
            click.echo(f"  {parameter.describe()}")
    else:
        click.echo("It has no parameters.")
    for name, values in read_tuned_parameters(strategy).items():
        settings = ":".join(f"{parameter}={value:g}" for parameter, value in values.items())
        click.echo(f"Tuned for {name}: {settings}")
    answers = [question for question in DECISIONS if question in strategy.functions]
    others = [question for question in DECISIONS if question not in strategy.functions]
    click.echo(f"It answers the questions: {', '.join(answers)}")
    click.echo(f"Defaults answer: {', '.join(others) or 'nothing'}")
    if strategy.looks_ahead:
        click.echo(f"It tries moves in imagined games, which {strategy.policy} plays on.")


for subcommand in (rate, train):
    command.add_command(subcommand)
