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
"""The most threads: more than any machine has cores."""


def read_path(text: str | Path) -> Path:
    """Read a path; refuse an empty one (an unset variable), which would be the working folder."""
    if str(text) == "" or "\0" in str(text):
        raise click.BadParameter("is empty, but has to be a path")
    return Path(text)


def writable_path(text: str | Path, *, folder: bool = False) -> Path:
    """Read the path of an output file or folder, and test it before the work begins.

    Raises:
        BadParameter: the text is not a path.
        Failed: the path cannot be written.
    """
    from ethnos_sim.experiments.storage.files import check_writable

    output_path = read_path(text)
    check_writable(output_path, is_folder=folder)
    return output_path


def writable_folder(text: str | Path) -> Path:
    """Read the path of an output folder, and test it as `writable_path` does."""
    return writable_path(text, folder=True)


def split_names(text: str) -> list[str]:
    """Split names at commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def _read_rule_set(context: click.Context, option: click.Parameter, word: str) -> RuleSet:
    """Read a rule set; RulesError if its edition or mode is wrong."""
    from ethnos_sim.simulator.rules import RuleSet

    return RuleSet.parse(word)


def _read_changes(context: click.Context, option: click.Parameter, word: str | None) -> RuleSet:
    """Read changes of rules: variants and values, as they follow an edition in a rule set."""
    from ethnos_sim.simulator.rules import RuleSet
    from ethnos_sim.simulator.tables.modes import STANDARD

    changes = RuleSet.parse("second" if word is None else f"second+{word}")
    if changes.mode != STANDARD:
        raise click.BadParameter(f"the spec states the modes; leave out {changes.mode}")
    return changes


def _limit_jobs(context: click.Context, option: click.Parameter, jobs: int | None) -> int:
    """The number of threads, by default one per core; as many processes may compile code."""
    from ethnos_sim.simulator.utilities.processes import allowed_processes, limit_processes

    context.with_resource(limit_processes(jobs and min(jobs, MOST_THREADS)))
    return allowed_processes()


def _check_games(context: click.Context, option: click.Parameter, games: int | None) -> int | None:
    """The number of games; BadParameter if it is too large."""
    if games is not None and games > MOST_GAMES:
        raise click.BadParameter(f"takes at most {MOST_GAMES:,}")
    return games


def _load_strategies(
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
    callback=_read_rule_set,
    help="The rules in one word: an edition (first or second), then variants, a mode and "
    "values, as in second+recruitment+bear.on_take=2.",
)
changes_option = click.option(
    "--set",
    "changes",
    metavar="CHANGES",
    callback=_read_changes,
    help="Change the rules by variants and values, as in mine.toml+bear.on_take=2.",
)
players_option = click.option(
    "--players",
    metavar="N",
    type=int,
    help="Number of players: 2 to 6, by default 4; in solo always 1.",
)
seed_option = click.option(
    "--seed", metavar="N", type=int, default=1, show_default=True, help="Random seed."
)
strategies_option = click.option(
    "--strategies",
    metavar="A,B,...",
    default=STRONGEST,
    show_default=True,
    help="A strategy for each seat, as in greedy,specialist:clan=bear; a short list is repeated.",
)
strategy_files_option = click.option(
    "--strategies-from",
    "strategy_files",
    metavar="FILE.py",
    multiple=True,
    type=read_path,
    callback=_load_strategies,
    help="A Python file with strategies of your own; may be given again.",
)
jobs_option = click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(1),
    callback=_limit_jobs,
    help="Number of threads; by default one per core.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def games_option(default: int | None, more_help: str = "", *, least: int = 1) -> Function:
    """`--games`: the number of games in all, with the same meaning in every command."""
    return click.option(
        "--games",
        metavar="N",
        type=click.IntRange(least),
        callback=_check_games,
        default=default,
        show_default=default is not None,
        help=" ".join(filter(None, ("Games in all.", more_help))),
    )


VARYING_CLANS = "By default they vary from deal to deal, spread evenly over all clans."


def clans_option(default_text: str = "", *, required: bool = False) -> Function:
    """`--clans`: the clans in play; the text says which clans play without the option."""
    text = "The clans in play, as in bear,Red Panda: 5 clans with two or three players, else 6."
    return click.option(
        "--clans",
        metavar="A,B,...",
        required=required,
        type=split_names,
        help=" ".join(filter(None, (text, default_text))),
    )


def _page_path(text: str) -> Path:
    """Read the path of a page; BadParameter if it does not end in .html."""
    if Path(text).suffix.lower() not in (".html", ".htm"):
        raise click.BadParameter(f"the page's name has to end in .html, not '{text}'")
    return writable_path(text)


page_option = click.option(
    "--out", metavar="FILE.html", type=_page_path, help="Also write the output as a page."
)


@dataclass(frozen=True)
class TableOptions:
    """The rules, the number of players, and the seed."""

    rule_set: RuleSet
    players: int
    seed: int

    def prepare_match(self, strategies: str, clans: Sequence[str] | None) -> Match:
        """Check the table and compile the strategies; WrongInput if they cannot play."""
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
    """The options on the command line, such as --seed; with `names`, only these parameters."""
    context = click.get_current_context()
    return [
        param.opts[0]
        for param in context.command.params
        if param.name in (names or context.params)
        and context.get_parameter_source(str(param.name)) is click.core.ParameterSource.COMMANDLINE
    ]


OPTION_OF_KEY = {
    "clan_sets": "--clans",
    "editions": "--edition",
    "line_ups": "--strategies",
    "mode": "--edition",
    "modes": "--edition",
    "rules": "--edition",
}
"""The option for a key of a spec, where their names differ. Commands make specs from options."""


@contextlib.contextmanager
def errors_by_option(source: str) -> Iterator[None]:
    """In the errors of a spec that a command makes from options, name the options, not the keys.

    Args:
        source: the name of this spec in errors; errors of other specs stay unchanged.
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
            option = OPTION_OF_KEY.get(key, f"--{key.replace('_', '-')}")
            sentences.append(f"{option}: {sentence}")
        raise click.UsageError("\n".join(first_problems(list(dict.fromkeys(sentences))))) from error
