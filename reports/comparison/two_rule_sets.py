"""Two rule sets played now on the same deals, in memory, and `compare` for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path

from ethnos_sim.experiments.defaults import STRONGEST
from ethnos_sim.experiments.designs.clan_sets import sets_up_to
from ethnos_sim.experiments.evidence.evidence import Evidence
from ethnos_sim.experiments.evidence.gathering import gather_results
from ethnos_sim.experiments.execution.engines import Threads
from ethnos_sim.experiments.plans.plan import Plan, make_plan
from ethnos_sim.experiments.specs.spec import Changes, parse_spec
from ethnos_sim.experiments.storage.results import Results
from ethnos_sim.experiments.storage.store import PLAN
from ethnos_sim.reports.comparison.document import as_document
from ethnos_sim.reports.comparison.sides import (
    Comparison,
    Side,
    compare_sides,
    folder_and_words,
)
from ethnos_sim.reports.rendering.document import Document
from ethnos_sim.reports.study import Study, run_study
from ethnos_sim.simulator.game.records import ORDINARY
from ethnos_sim.simulator.rules import (
    EDITIONS,
    Rules,
    RuleSet,
    clan_key,
    clans_by_power,
    edition_name,
)
from ethnos_sim.simulator.tables.modes import SOLO, STANDARD, check_players, usual_players
from ethnos_sim.simulator.utilities.errors import InvalidGame, RulesError, WrongInput, nearest
from ethnos_sim.simulator.utilities.processes import allowed_processes, at_most
from ethnos_sim.strategies import LineUp

CLAN_SETS = 12
"""The number of clan sets that take turns if no clans are given. Each clan is in six of them if a
set has six clans, and in five if a set has five."""

GAMES = 160_000
"""The default number of games of both sides together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What both sides share: everything but the rules."""

    players: int
    strategies: Sequence[str] = (STRONGEST,)
    clans: Sequence[str] | None = None
    seed: int = 1
    games: int = GAMES
    """The number of games; if there are two sides, of both together."""


def plans_of(setup: Setup, first: RuleSet, second: RuleSet) -> tuple[Plan, Plan]:
    """The plans of both sides: same line-ups, seed and games, and clan sets with the same powers.

    Raises:
        WrongInput: the setup makes no game, or one of its clans has no counterpart.
    """
    clans = None if setup.clans is None else [clan_key(clan) for clan in setup.clans]
    plan = plan_of(setup, first, clans, games=setup.games // 2)
    if clans is not None and first.edition != second.edition:
        clans = _counterparts(clans, first.rules(), second.rules())
    return plan, plan_of(setup, second, clans, games=setup.games // 2)


def _counterparts(clans: Sequence[str], first: Rules, second: Rules) -> list[str]:
    """The clans of the second rules with the powers of these clans; InvalidGame if one has none."""
    counterparts = clans_by_power(first, second)
    for clan in clans:
        if clan not in counterparts and clan in first.clans:
            raise InvalidGame(f"the {second.edition} edition has no clan with the power of {clan}")
    return [counterparts.get(clan, clan) for clan in clans]


@dataclass(frozen=True, slots=True)
class TwoRuleSets(Study[Comparison]):
    """A comparison of two rule sets, played on the same deals.

    Attributes:
        first: the rules that the second ones are compared with.
        second: the other rules.
        setup: what both share.
    """

    first: RuleSet
    second: RuleSet
    setup: Setup

    def title(self) -> str:
        """The number of games, and the rules of both sides."""
        games = divided(self.plans(), self.setup.games)
        return f"{games}: {self.first.label}, and {self.second.label}"

    def plans(self) -> tuple[Plan, Plan]:
        """The plans of both sides (see `plans_of`)."""
        return plans_of(self.setup, self.first, self.second)

    def numbers(self, evidence: Sequence[Evidence]) -> Comparison:
        """Compare both sides number by number."""
        first, second = evidence
        return compare_sides(Side(self.first.label, first), Side(self.second.label, second))

    def document(self, numbers: Comparison) -> Document:
        """The comparison as a document."""
        return as_document(numbers)


def divided(plans: Sequence[Plan], asked: int) -> str:
    """A sentence: the number of games, its parts, and why it is larger than `asked`, if it is."""
    games = sum(plan.games for plan in plans)
    given_up = sum(
        plan.rounds[cell.partition] * cell.games_per_round
        for plan in plans
        for cell in plan.cells
        if cell.kind != ORDINARY
    )
    sides = f"{games // 2:,} for each side" if len(plans) > 1 else ""
    power = f"{given_up:,} in which every seat gives up a clan" if given_up else ""
    parts = ", ".join(filter(None, (sides, power)))
    sentence = f"Playing {games:,} games" + (f" ({parts})" if parts else "")
    if games > asked + sum(plan.games_per_round(part) for plan in plans for part in plan.rounds):
        sentence += f", more than {asked:,} since every table is played in all seatings"
    return sentence


def plan_of(setup: Setup, choice: RuleSet, clans: list[str] | None, *, games: int) -> Plan:
    """The plan of one rule set: ordinary games, and as many that tell what clans are worth.

    Args:
        setup: players, strategies and seed.
        choice: the rules.
        clans: the clans in play; None for clan sets that take turns.
        games: games in all.

    Raises:
        WrongInput: the choice and the setup make no game.
    """
    check_players(setup.players, choice.mode, choice.edition)
    gave_up = LineUp.parse(list(setup.strategies), setup.players, choice.rules()).gave_up
    line_up: dict[str, object] = {"strategies": list(setup.strategies)}
    spec: dict[str, object] = {
        "name": choice.label[:200],
        "seed": setup.seed,
        "games": max(1, games),
        "editions": [choice.edition],
        "modes": [choice.mode],
        "players": [setup.players],
        "line_ups": [line_up],
    }
    if choice.mode not in SOLO:
        sample = sets_up_to(CLAN_SETS, choice.rules(), setup.players)
        spec["clan_sets"] = {"sample": sample} if clans is None else {"given": [clans]}
        if not gave_up:
            spec["line_ups"] = [line_up, line_up | {"gives_up": True}]
    changes = Changes(settings=choice.values, variants=choice.variants)
    return make_plan(parse_spec(spec, "compare", changes))


Comparable = Rules | Results | str | PathLike[str]
"""A side as users name it: rules, results, or the folder of a sweep (as a path)."""


def compare(
    first: Comparable,
    second: Comparable,
    *,
    players: int | None = None,
    strategies: str | Sequence[str] = STRONGEST,
    clans: Sequence[str] | None = None,
    mode: str = STANDARD,
    games: int = GAMES,
    seed: int = 1,
    jobs: int | None = None,
    quiet: bool = False,
) -> Comparison:
    """Compare two rule sets, played now on the same deals, or the results of two sweeps.

    Args:
        first: the side that the second one is compared with: a `Rules`, a word as in "second" or
            "second+recruitment+bear.on_take=2", a `Results`, or a folder of a sweep.
        second: the other side; rules if the first side is rules, results if it is results.
        players: 2 to 6, four unless given; one in the solo modes. This and the following arguments
            are for rules that are played now.
        strategies: who plays; the strongest in all seats unless given.
        clans: the clans in play; twelve sets spread evenly over all clans unless given.
        mode: the mode of a side that names none.
        games: games in all, half for each side; in every second game each seat gives up a clan.
        seed: master seed of both sides.
        jobs: threads to play with, all cores unless given; the result does not depend on it.
        quiet: show no progress.

    Returns:
        The comparison; `frame()` has its numbers.

    Raises:
        WrongInput: the sides make no game, or have nothing in common.
        IllegalMove: a strategy answered with a move that the rules forbid.

    Example:
        >>> from ethnos_sim import compare
        >>> found = compare("second", "second+bear.on_take=2", games=2000, quiet=True)
        >>> found.frame().columns[4:9]
        ['population', 'estimand', 'name', 'first', 'second']
    """
    sides = [named(side, mode) for side in (first, second)]
    rules = [side for side in sides if isinstance(side, RuleSet)]
    if not rules:
        return compare_sides(*(_side(side) for side in sides if not isinstance(side, RuleSet)))
    if len(rules) == 1:
        raise WrongInput("rules are compared with rules, and results with results")
    setup = Setup(
        players=usual_players(rules[0].mode) if players is None else players,
        strategies=strategies.split(",") if isinstance(strategies, str) else strategies,
        clans=clans,
        seed=seed,
        games=games,
    )
    with at_most(jobs):
        engine = Threads(allowed_processes())
        return run_study(TwoRuleSets(rules[0], rules[1], setup), engine=engine, quiet=quiet)


def _side(results: Results | str) -> Side:
    """The side of results that are open, or in a folder."""
    if isinstance(results, Results):
        return Side(str(results.folder), gather_results([results]))
    return Side.of_folder(results)


def named(side: Comparable, mode: str | None) -> RuleSet | Results | str:
    """The side as a rule set, if it is or names one; else its results, or its folder as a text.

    Args:
        side: rules, results, a folder, or a word that names rules or a folder.
        mode: the mode of rules that name none.

    Raises:
        WrongInput: the word names neither an edition nor a folder, or both.
    """
    match side:
        case Rules():
            return RuleSet.of_rules(side, mode or STANDARD)
        case Results():
            return side
        case str() if _is_edition(side):
            return RuleSet.parse(side, mode)
    return fspath(side)


def _is_edition(side: str) -> bool:
    """Whether a word names rules; False for a folder, WrongInput if it is neither or both."""
    edition = side.partition("+")[0]
    try:
        edition_name(edition)
    except RulesError:
        if Path(edition).suffix == ".toml":
            raise
        folder, _ = folder_and_words(side)
        if Path(folder).is_dir():
            return False
        hint = nearest(folder, EDITIONS)
        raise WrongInput(f"'{folder}' is neither an edition nor a folder{hint}") from None
    if (Path(edition) / PLAN).is_file():
        raise WrongInput(
            f"'{edition}' is an edition and also a sweep's folder here: write './{edition}' for "
            "the folder, or go to another folder to compare the edition"
        )
    return True
