"""Two rule sets played now on the same deals, in memory, and `compare` for notebooks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    worth: bool = True
    """Whether to measure what clans are worth too, which takes half of the games."""


def plans_of(setup: Setup, first: RuleSet, second: RuleSet) -> tuple[Plan, Plan]:
    """The plans of both sides: same line-ups, seed and games, and clan sets with the same powers.

    Raises:
        WrongInput: the setup makes no game, or one of its clans has no counterpart.
    """
    rules = first.rules(), second.rules()
    LineUp.parse(list(setup.strategies), setup.players, rules[0])
    clans = None if setup.clans is None else [clan_key(clan) for clan in setup.clans]
    plans = []
    for choice, side_rules in zip((first, second), rules, strict=True):
        side_clans = clans
        if clans is not None and choice.edition != first.edition:
            counterparts = clans_by_power(rules[0], side_rules)
            missing = [
                clan for clan in clans if clan not in counterparts and clan in rules[0].clans
            ]
            if missing:
                raise InvalidGame(
                    f"the {choice.edition} edition has no clan with the power of {missing[0]}"
                )
            side_clans = [counterparts.get(clan, clan) for clan in clans]
        plans.append(plan_of(setup, choice, side_clans, games=setup.games // 2))
    return plans[0], plans[1]


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
    """The plan of one rule set: ordinary games, and games that tell what clans are worth.

    Args:
        setup: players, strategies and seed.
        choice: the rules.
        clans: the clans in play; None for clan sets that take turns.
        games: games in all.

    Raises:
        WrongInput: the choice and the setup make no game.
    """
    check_players(setup.players, choice.mode, choice.edition)
    spec: dict[str, object] = {
        "name": choice.label[:200],
        "seed": setup.seed,
        "games": max(1, games),
        "editions": [choice.edition],
        "modes": [choice.mode],
        "players": [setup.players],
    }
    if choice.mode not in SOLO:
        sample = sets_up_to(CLAN_SETS, choice.rules(), setup.players)
        spec["clan_sets"] = {"sample": sample} if clans is None else {"given": [clans]}

    def planned(spec: dict[str, object]) -> Plan:
        changes = Changes(settings=choice.values, variants=choice.variants)
        return make_plan(parse_spec(spec, "compare", changes))

    line_up = LineUp.parse(list(setup.strategies), setup.players, choice.rules())
    if choice.mode in SOLO or not setup.worth or line_up.gave_up:
        return planned(spec | {"line_ups": [list(setup.strategies)]})
    return with_worth(spec, setup.strategies, planned)


def with_worth(
    spec: dict[str, object], strategies: Sequence[str], make: Callable[[dict[str, object]], Plan]
) -> Plan:
    """The plan of a line-up; in every second game each seat gives up a clan.

    Args:
        spec: the spec's keys except for line-ups.
        strategies: the line-up.
        make: makes a plan from a spec's keys.
    """
    line_up: dict[str, object] = {"strategies": list(strategies)}
    return make(spec | {"line_ups": [line_up, line_up | {"gives_up": True}]})


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
    worth: bool = True,
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
        worth: whether to measure what clans are worth.
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
        >>> found = compare("second", "second+bear.on_take=2", games=2000, worth=False, quiet=True)
        >>> found.frame().columns[4:9]
        ['population', 'estimand', 'name', 'first', 'second']
    """
    sides = [folder_named(side) for side in (first, second)]
    chosen = _choices(sides, mode)
    if not chosen:
        return compare_sides(*(_side(side) for side in sides if not isinstance(side, Rules | str)))
    setup = Setup(
        players=usual_players(chosen[0].mode) if players is None else players,
        strategies=strategies.split(",") if isinstance(strategies, str) else strategies,
        clans=clans,
        seed=seed,
        games=games,
        worth=worth,
    )
    study = TwoRuleSets(chosen[0], chosen[1], setup)
    with at_most(jobs):
        return run_study(study, engine=Threads(allowed_processes()), quiet=quiet)


def _choices(sides: Sequence[Comparable], mode: str) -> list[RuleSet]:
    """The rules of both sides; `mode` is for words that name none. Empty if both sides are results.

    Raises:
        WrongInput: one side has rules, and the other one results.
    """
    chosen = [
        RuleSet.of_rules(side, mode) if isinstance(side, Rules) else RuleSet.parse(side, mode)
        for side in sides
        if isinstance(side, Rules | str)
    ]
    if len(chosen) == 1:
        raise WrongInput("rules are compared with rules, and results with results")
    return chosen


def folder_named(side: Comparable) -> Comparable:
    """The path of the folder that a word names; rules and other sides are returned unchanged.

    Raises:
        WrongInput: the word names neither an edition nor a folder.
    """
    if not isinstance(side, str):
        return side
    edition = side.partition("+")[0]
    try:
        edition_name(edition)
    except RulesError:
        if Path(edition).suffix == ".toml":
            raise
        folder, _ = folder_and_words(side)
        if Path(folder).is_dir():
            return Path(side)
        hint = nearest(folder, EDITIONS)
        raise WrongInput(f"'{folder}' is neither an edition nor a folder{hint}") from None
    return side


def _side(results: Results | PathLike[str]) -> Side:
    if isinstance(results, Results):
        return Side(str(results.folder), gather_results([results]))
    return Side.of_folder(fspath(results))
