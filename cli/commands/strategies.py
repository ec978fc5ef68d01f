"""`ethnos-sim strategies`: which there are, what each does, how they are tuned and trained."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ethnos_sim.commands.explain import explain
from ethnos_sim.commands.exploit import exploit
from ethnos_sim.commands.game_options import strategies_from_option
from ethnos_sim.commands.rate import rate
from ethnos_sim.commands.tables import print_table
from ethnos_sim.commands.train import train
from ethnos_sim.commands.tune import tune

if TYPE_CHECKING:
    from ethnos_sim.strategies import Strategy


@click.group("strategies")
def command() -> None:
    """List, show, explain, rate, tune, train and exploit the strategies.

    A line-up names them with their parameters: greedy,specialist:clan=bear.
    """


command.add_command(explain)
command.add_command(exploit)
command.add_command(rate)
command.add_command(train)
command.add_command(tune)


@command.command("list")
@strategies_from_option
def list_() -> None:
    """List every strategy: its name, its idea and its parameters with their defaults."""
    from ethnos_sim.strategies import list_strategies

    print_table(
        "Strategies",
        ("name", "looks", "parameters", "idea"),
        (
            (
                strategy.name,
                ", ".join(words for words, _ in looks(strategy)),
                " ".join(parameter.describe().split(" ")[0] for parameter in strategy.parameters),
                idea(strategy),
            )
            for strategy in list_strategies()
        ),
    )


@command.command("show")
@click.argument("name")
@strategies_from_option
def show(name: str) -> None:
    """Show a strategy: its idea in prose, its parameters, and what it decides itself."""
    from ethnos_sim.simulator.records import DECISIONS
    from ethnos_sim.strategies import get_strategy

    strategy = get_strategy(name)
    click.echo(f"{strategy.name}\n\n{strategy.prose}\n")
    if strategy.parameters:
        click.echo("Parameters:")
        for parameter in strategy.parameters:
            click.echo(f"  {parameter.describe()}")
    else:
        click.echo("It has no parameters.")
    _show_tuned(strategy)
    answers = [question for question in DECISIONS if question in strategy.functions]
    others = [question for question in DECISIONS if question not in strategy.functions]
    click.echo(f"It answers itself: {', '.join(answers)}")
    click.echo(f"It leaves to the defaults: {', '.join(others) or 'nothing'}")
    for _, sentence in looks(strategy):
        click.echo(sentence)


def _show_tuned(strategy: Strategy) -> None:
    """The tuned parameters of a strategy, where it has any, with the commands that found them."""
    from ethnos_sim.strategies.tuned_parameters import read_tuned, tuned_file

    file = tuned_file(strategy)
    for entry in read_tuned(file) if file else ():
        values = ":".join(f"{name}={value:g}" for name, value in entry.parameters.items())
        click.echo(f"Tuned for {entry.edition} edition, {entry.players} players: {values}")
        click.echo(f"  {entry.command}")


def looks(strategy: Strategy) -> list[tuple[str, str]]:
    """What a strategy declares to look at: a word for tables and a sentence for each."""
    declared = (
        (strategy.looks_at_rivals, "rivals", "It looks at what rivals have on the board."),
        (strategy.looks_ahead, "ahead", "It tries moves out before it chooses."),
        (strategy.solo, "Bruno", "It looks at Bruno's columns in solo."),
    )
    return [(word, sentence) for holds, word, sentence in declared if holds]


def idea(strategy: Strategy) -> str:
    """The first sentence of a strategy's prose, without its full stop."""
    sentence = strategy.summary.split(". ")[0]
    return sentence.removesuffix(".")
