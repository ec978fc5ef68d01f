"""Run a search from its request to its report, in a folder where it can be continued.

The search plays half of the games. A quarter of the games validates with the players of the search,
and a quarter with other players.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from ethnos_sim.experiments.balancing.search import Search
from ethnos_sim.experiments.balancing.space import variant_values
from ethnos_sim.experiments.defaults import STRONGEST
from ethnos_sim.experiments.execution.engines import Engine, Threads
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.storage.files import write_synced_file
from ethnos_sim.experiments.toml_text import toml_text
from ethnos_sim.reports.balancing.document import balance_document
from ethnos_sim.reports.balancing.outcome import NONE, Outcome, make_outcome
from ethnos_sim.reports.balancing.playing import Evaluations, validate, validation_plan
from ethnos_sim.reports.balancing.request import CLAN_SPREAD_TARGET, Request, check_request
from ethnos_sim.reports.rendering.markdown import as_markdown
from ethnos_sim.simulator.rules import Rules, RuleSet
from ethnos_sim.simulator.utilities.errors import WrongInput
from ethnos_sim.simulator.utilities.processes import allowed_processes, limit_processes
from ethnos_sim.simulator.utilities.reading import read_file

REQUEST_FILE = "balance.json"
VARIANT_FILE = "variant.toml"

DEFAULT_GAMES = 400_000
"""The default number of games, of the search and its validations together."""

DEFAULT_VALIDATOR = "champion"
"""The strategy of the second validation: a strong player of another kind than the search's."""

MOST_FINALISTS = 2
"""The most points that are validated: the baseline and the best point."""

LEAST_SEARCH_GAMES = 10_000
"""The fewest games of a search."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BalanceReport:
    """The report of a search, which notebooks show as text and tables.

    Attributes:
        outcome: the answer and all numbers.
    """

    outcome: Outcome

    def __repr__(self) -> str:
        return f"{balance_document(self.outcome).title}: {self.outcome.word}"

    def _repr_markdown_(self) -> str:
        """The report as Markdown, for notebooks."""
        return as_markdown(balance_document(self.outcome))


def balance(
    values: str | Sequence[str],
    folder: str | PathLike[str] = "balance-results",
    *,
    target: str = CLAN_SPREAD_TARGET,
    rules: Rules | str = "second",
    players: int = 4,
    strategies: str | Sequence[str] = STRONGEST,
    validate_with: str | Sequence[str] = DEFAULT_VALIDATOR,
    games: int = DEFAULT_GAMES,
    seed: int = 1,
    jobs: int | None = None,
    quiet: bool = False,
) -> BalanceReport:
    """Search for the values that make the clans equal, or bring another number to its goal.

    The best change is validated on fresh deals, also by other players, and is recommended only if
    it proves better there. Call the function again to continue an interrupted search.

    Args:
        values: the values to move, as in "bear.on_take", "bear.on_take=0..6" or "party_points[5]".
        folder: the folder for evaluations, validations and the variant.
        target: the number to bring to its goal: "clan-spread", "seat-edge", "worth:CLAN=0" or a
            number of the shape of a game, as in "turns=250".
        rules: the rules to begin with, as in "second" or "second+recruitment+bear.on_take=2".
        players: 2 to 6.
        strategies: the line-up of the search; one name fills all seats.
        validate_with: the line-up of the second validation.
        games: games in all; half of them search.
        seed: the seed of the search and its deals.
        jobs: threads to play with, all cores unless given; the result does not depend on it.
        quiet: show no progress.

    Returns:
        The report, which a notebook shows; its `outcome` has the numbers. A recommended rule set is
        in the file `variant.toml` in the folder.

    Raises:
        WrongInput: a value, the number or a strategy is not known, or nothing moves.
        IllegalMove: a strategy answered with a move that the rules forbid.

    Example:
        >>> from ethnos_sim import balance
        >>> names = {"strategies": "greedy", "validate_with": "clock"}
        >>> report = balance("bear.on_take=2..5", games=40_000, quiet=True, **names)
        >>> report.outcome.word in ("found", "none", "depends on who plays")
        True
    """
    asked = check_request(
        [values] if isinstance(values, str) else values,
        target=target,
        rule_set=RuleSet.of_rules(rules) if isinstance(rules, Rules) else RuleSet.parse(rules),
        players=players,
        strategies=strategies.split(",") if isinstance(strategies, str) else strategies,
        validators=validate_with.split(",") if isinstance(validate_with, str) else validate_with,
        games=games,
        seed=seed,
    )
    with limit_processes(jobs):
        return run_search(asked, Path(folder), engine=Threads(allowed_processes()), quiet=quiet)


def run_search(request: Request, folder: Path, *, engine: Engine, quiet: bool) -> BalanceReport:
    """Search, validate, and write the variant.

    Args:
        request: the request for the search.
        folder: the folder of the search; games that it holds are not played again.
        engine: the engine that plays; the result does not depend on it.
        quiet: print no progress to standard error.
    """

    def say(line: str) -> None:
        if not quiet:
            print(line, file=sys.stderr, flush=True)

    _check_games(request)
    open_folder(folder, request)
    say(games_sentence(request))
    searched, space = request.games // 2, request.space
    evaluations = Evaluations(request, engine, searched, folder / "evaluations")
    search = Search(space, request.aim.target, searched, request.seed, say)
    result = search.run(evaluations)
    points = list(dict.fromkeys([space.baseline, result.best]))
    say(f"validating {len(points)} rule sets on fresh deals")
    populations = {"search": request.strategies}
    if result.best != space.baseline and request.validators != request.strategies:
        populations["second"] = request.validators
    validations = [
        validate(
            request,
            points,
            strategies,
            request.games // 4,
            folder / "validation" / name,
            engine=engine,
            quiet=quiet,
        )
        for name, strategies in populations.items()
    ]
    outcome = make_outcome(request, result, validations)
    write_variant(folder / VARIANT_FILE, outcome)
    return BalanceReport(outcome)


def games_sentence(request: Request) -> str:
    """A sentence on the games of a search: how many, by whom and for what."""
    players, second = (
        ", ".join(dict.fromkeys(names)) for names in (request.strategies, request.validators)
    )
    return (
        f"Plays about {request.games:,} games: {request.games // 2:,} search, and on fresh deals "
        f"{request.games // 4:,} by {players} and {request.games // 4:,} by {second} validate."
    )


def _check_games(request: Request) -> None:
    """Raise WrongInput if the games are too few for a search, or for the blocks of validations."""
    points = [request.space.baseline]
    blocks = max(
        MOST_FINALISTS * BLOCKS * validation_plan(request, points, names).games
        for names in (request.strategies, request.validators)
    )
    least = max(2 * LEAST_SEARCH_GAMES, 4 * blocks)
    if request.games < least:
        raise WrongInput(f"{request.games:,} games are too few: this search needs {least:,}")


def open_folder(folder: Path, request: Request) -> None:
    """Begin a search in a folder, or continue the search that it holds.

    Raises:
        WrongInput: the folder holds another search, or something else.
        Failed: the folder cannot be written.
    """
    space, path = request.space, folder / REQUEST_FILE
    asked = {
        "values": {factor.label: list(factor.levels) for factor in space.factors},
        "target": request.aim.description,
        "rules": request.rule_set.label,
        "rules_id": space.base_rules.rules_id,
        "players": request.players,
        "strategies": list(request.strategies),
        "validate_with": list(request.validators),
        "games": request.games,
        "seed": request.seed,
    }
    try:
        stored = json.loads(read_file(path))
    except FileNotFoundError:
        if folder.is_dir() and any(folder.iterdir()):
            raise WrongInput(
                f"'{folder}' holds files of something else; choose another folder with --out"
            ) from None
        write_synced_file(path, json.dumps(asked, indent=1).encode())
        return
    except (OSError, ValueError) as error:
        raise WrongInput(f"'{path}' cannot be read: {error}") from error
    there = stored if isinstance(stored, dict) else {}
    if differing := [key for key, value in asked.items() if there.get(key) != value]:
        raise WrongInput(
            f"'{folder}' holds a search that differs in {', '.join(differing)}; choose another "
            "folder with --out, or repeat the options of that search"
        )


def write_variant(path: Path, outcome: Outcome) -> None:
    """Write the recommended rule set as a variant file; remove the file if none is recommended."""
    if outcome.word == NONE:
        path.unlink(missing_ok=True)
        return
    space, best = outcome.request.space, outcome.result.best
    content = {
        "description": f"Found by a search for balance: {space.changes_text(best)}"[:200],
        "edition": space.base_rules.edition,
        "set": dict(variant_values(space, best)),
    }
    write_synced_file(path, toml_text(content).encode())
