"""Options that several commands share, as decorators."""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ethnos_sim.experiments.defaults import MOST_GAMES, STRONGEST

if TYPE_CHECKING:
    from ethnos_sim.experiments.matches.match import Match
    from ethnos_sim.simulator.rules import RuleSet

Function = Callable[..., Any]

MOST_THREADS = 1_000
"""More than any machine has cores."""


def path(name: str | Path) -> Path:
    """Read a path; refuse an empty text (an unset variable), which would mean this folder."""
    if str(name) == "" or "\0" in str(name):
        raise click.BadParameter("needs a name")
    return Path(name)


def writable(name: str | Path, *, folder: bool = False) -> Path:
    """Read the path of an output file or folder, tested before the work begins.

    Raises:
        BadParameter: the name is no path.
        Failed: the path cannot be written.
    """
    from ethnos_sim.experiments.storage.files import check_writable

    output_path = path(name)
    check_writable(output_path, is_folder=folder)
    return output_path


def writable_folder(name: str | Path) -> Path:
    """Read the path of an output folder, as `writable` reads a file's."""
    return writable(name, folder=True)


def names_in(text: str) -> list[str]:
    """Split names at commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def _rule_set(context: click.Context, option: click.Parameter, word: str) -> RuleSet:
    """Read a rule set; RulesError if its edition or mode is wrong."""
    from ethnos_sim.simulator.rules import RuleSet

    return RuleSet.parse(word)


def _changes(context: click.Context, option: click.Parameter, word: str | None) -> RuleSet:
    """Read changes of rules: the rest of a rule set's word, after its edition."""
    from ethnos_sim.simulator.rules import RuleSet
    from ethnos_sim.simulator.tables.modes import STANDARD

    changes = RuleSet.parse("second" if word is None else f"second+{word}")
    if changes.mode != STANDARD:
        raise click.BadParameter(f"a spec names its modes; leave out {changes.mode}")
    return changes


def _jobs(context: click.Context, option: click.Parameter, jobs: int | None) -> int:
    """The number of threads, all cores unless given; no more processes compile the code."""
    from ethnos_sim.simulator.utilities.processes import allowed_processes, limit_processes

    context.with_resource(limit_processes(jobs and min(jobs, MOST_THREADS)))
    return allowed_processes()


def _games(context: click.Context, option: click.Parameter, games: int | None) -> int | None:
    """The number of games; BadParameter for more than anybody plays."""
    if games is not None and games > MOST_GAMES:
        raise click.BadParameter(f"takes at most {MOST_GAMES:,}")
    return games


def _register(
    context: click.Context, option: click.Parameter, files: Sequence[Path]
) -> Sequence[Path]:
    """Load the user's strategies before the command runs."""
    if files and not context.resilient_parsing:
        from ethnos_sim.strategies import load_strategy_file

        for file in files:
            load_strategy_file(file)
    return files


rules_option = click.option(
    "--edition",
    "rule_set",
    metavar="RULES",
    default="second",
    show_default=True,
    callback=_rule_set,
    help="The rules in one word: an edition (first or second), then variants, a mode and "
    "values, as in second+recruitment+bear.on_take=2.",
)
changes_option = click.option(
    "--set",
    "changes",
    metavar="CHANGES",
    callback=_changes,
    help="Change the rules by variants and values, as in mine.toml+bear.on_take=2.",
)
players_option = click.option(
    "--players",
    metavar="N",
    type=int,
    help="2 to 6, 4 unless given; in solo always 1.",
)
seed_option = click.option(
    "--seed", metavar="N", type=int, default=1, show_default=True, help="Random seed."
)
strategies_option = click.option(
    "--strategies",
    metavar="A,B,...",
    default=STRONGEST,
    show_default=True,
    help="A strategy for each seat, as in greedy,specialist:clan=bear; a short list repeats.",
)
strategy_files_option = click.option(
    "--strategies-from",
    "strategy_files",
    metavar="FILE.py",
    multiple=True,
    type=path,
    callback=_register,
    help="A Python file with strategies of your own; may be given again.",
)
jobs_option = click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(1),
    callback=_jobs,
    help="Threads; all cores unless given.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def games_option(default: int | None, words: str = "", *, least: int = 1) -> Function:
    """`--games`: the number of games in all, with the same meaning in every command."""
    return click.option(
        "--games",
        metavar="N",
        type=click.IntRange(least),
        callback=_games,
        default=default,
        show_default=default is not None,
        help=" ".join(filter(None, ("Games in all.", words))),
    )


VARYING_CLANS = "Unless given they vary from deal to deal, spread evenly over all clans."


def clans_option(unless_given: str = "", *, required: bool = False) -> Function:
    """`--clans`: the clans in play; the text says which clans play unless they are given."""
    words = "The clans in play, as in bear,Red Panda: 5 with two or three players, else 6."
    return click.option(
        "--clans",
        metavar="A,B,...",
        required=required,
        type=names_in,
        help=" ".join(filter(None, (words, unless_given))),
    )


def _page(name: str) -> Path:
    """Read the path of a page; BadParameter if it does not end in .html."""
    if Path(name).suffix.lower() not in (".html", ".htm"):
        raise click.BadParameter(f"the page's name has to end in .html, not '{name}'")
    return writable(name)


page_option = click.option(
    "--out", metavar="FILE.html", type=_page, help="Also write the output as a page."
)


@dataclass(frozen=True)
class TableOptions:
    """The rules, the number of players, and the seed."""

    rule_set: RuleSet
    players: int
    seed: int

    def match(self, strategies: str, clans: Sequence[str] | None) -> Match:
        """Check the table and compile the strategies; WrongInput if they make no games."""
        from ethnos_sim.experiments.matches.match import prepare_match

        return prepare_match(
            self.rule_set.rules(),
            strategies,
            players=self.players,
            mode=self.rule_set.mode,
            clans=clans,
            seed=self.seed,
        )


def table_options(function: Function) -> Function:
    """`--edition`, `--players`, `--seed` and `--strategies-from`, as one argument `table`."""

    @rules_option
    @players_option
    @seed_option
    @strategy_files_option
    @functools.wraps(function)
    def command(
        rule_set: RuleSet,
        players: int | None,
        seed: int,
        strategy_files: Sequence[Path],
        **others: Any,
    ) -> Any:
        from ethnos_sim.simulator.tables.modes import default_players

        seats = default_players(rule_set.mode) if players is None else players
        return function(table=TableOptions(rule_set, seats, seed), **others)

    return command


def typed_options(*names: str) -> list[str]:
    """The options that the command line gives, as typed; with `names`, only these options."""
    context = click.get_current_context()
    return [
        param.opts[0]
        for param in context.command.params
        if param.name in (names or context.params)
        and context.get_parameter_source(str(param.name)) is click.core.ParameterSource.COMMANDLINE
    ]


OPTIONS_OF_KEYS = {
    "clan_sets": "--clans",
    "editions": "--edition",
    "line_ups": "--strategies",
    "mode": "--edition",
    "modes": "--edition",
    "rules": "--edition",
}
"""The option behind a key of a spec that a command makes, if their names differ."""


@contextlib.contextmanager
def errors_by_option(source: str) -> Iterator[None]:
    """Name options instead of keys in the errors of a spec that a command makes from them.

    Args:
        source: the name that errors give the spec; errors of other specs stay unchanged.
    """
    from ethnos_sim.simulator.utilities.errors import SpecError, first_problems

    try:
        yield
    except SpecError as error:
        if error.source != source:
            raise
        sentences = []
        for problem in error.problems:
            path, _, sentence = problem.partition(": ")
            key = re.split(r"[.\[]", path)[0]
            option = OPTIONS_OF_KEYS.get(key, f"--{key.replace('_', '-')}")
            sentences.append(f"{option}: {sentence}")
        raise click.UsageError("\n".join(first_problems(list(dict.fromkeys(sentences))))) from error
