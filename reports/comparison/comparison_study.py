"""The study that plays two rule sets on the same deals, and `compare` for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ethnos_sim.experiments.defaults import STRONGEST
from ethnos_sim.experiments.designs.clan_sets import capped_set_count
from ethnos_sim.experiments.evidence.evidence import Evidence
from ethnos_sim.experiments.execution.engines import Threads
from ethnos_sim.experiments.plans.plan import Plan, make_plan
from ethnos_sim.experiments.specs.spec import SpecChanges, parse_spec
from ethnos_sim.reports.comparison.comparison import Comparison, Side, compare_sides
from ethnos_sim.reports.study import Study, run_study
from ethnos_sim.simulator.rules import Rules, RuleSet, clan_counterparts, clan_key
from ethnos_sim.simulator.tables.modes import SOLO, STANDARD, check_players, default_players
from ethnos_sim.simulator.utilities.errors import InvalidGame
from ethnos_sim.simulator.utilities.processes import allowed_processes, limit_processes
from ethnos_sim.strategies import LineUp

CLAN_SETS = 12
"""How many clan sets take turns if no clans are given. Each clan is in six of these sets
if a set has six clans, and in five if a set has five."""

DEFAULT_GAMES = 160_000
"""The default number of games of both sides together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What the games of all sides have in common: everything but the rules."""

    players: int
    strategies: Sequence[str] = (STRONGEST,)
    clans: Sequence[str] | None = None
    seed: int = 1
    games: int = DEFAULT_GAMES
    """The number of games of all sides together."""


def plans_of(setup: Setup, first: RuleSet, second: RuleSet) -> tuple[Plan, Plan]:
    """The plans of both sides: the same line-ups, seed, number of games and powers in clan sets.

    Raises:
        WrongInput: no game fits the setup, or one of its clans has no counterpart.
    """
    clans = None if setup.clans is None else [clan_key(clan) for clan in setup.clans]
    plan = plan_of(setup, first, clans, games=setup.games // 2)
    if clans is not None and first.edition != second.edition:
        clans = _counterparts(clans, first.rules(), second.rules())
    return plan, plan_of(setup, second, clans, games=setup.games // 2)


def _counterparts(clans: Sequence[str], first: Rules, second: Rules) -> list[str]:
    """The clans of the second rules with the powers of `clans`; InvalidGame if one is missing."""
    counterparts = clan_counterparts(first, second)
    for clan in clans:
        if clan not in counterparts and clan in first.clans:
            raise InvalidGame(f"the {second.edition} edition has no clan with the power of {clan}")
    return [counterparts.get(clan, clan) for clan in clans]


@dataclass(frozen=True, slots=True)
class ComparisonStudy(Study[Comparison]):
    """A comparison of two rule sets, played on the same deals.

    Attributes:
        first: the rule set that the second is compared with.
        second: the second rule set.
        setup: what both sides share.
    """

    first: RuleSet
    second: RuleSet
    setup: Setup

    def title(self) -> str:
        """The number of games, and the rules of both sides."""
        return f"Playing {self.game_count():,} games: {self.first.label}, and {self.second.label}"

    def plans(self) -> tuple[Plan, Plan]:
        """The plans of both sides (see `plans_of`)."""
        return plans_of(self.setup, self.first, self.second)

    def numbers(self, evidence: Sequence[Evidence]) -> Comparison:
        """Compare both sides number by number."""
        first, second = evidence
        return compare_sides(Side(self.first.label, first), Side(self.second.label, second))


def plan_of(setup: Setup, rule_set: RuleSet, clans: list[str] | None, *, games: int) -> Plan:
    """The plan of one rule set: ordinary games, and as many in which clans are given up.

    Args:
        setup: players, strategies and seed.
        rule_set: the rule set.
        clans: the clans in play; None for clan sets that take turns.
        games: the number of both kinds of games together.

    Raises:
        WrongInput: no game fits the rule set and the setup.
    """
    check_players(setup.players, rule_set.mode, rule_set.edition)
    gave_up = LineUp.parse(list(setup.strategies), setup.players, rule_set.rules()).restricted_names
    line_up: dict[str, object] = {"strategies": list(setup.strategies)}
    spec: dict[str, object] = {
        "name": rule_set.label[:200],
        "seed": setup.seed,
        "games": max(1, games),
        "editions": [rule_set.edition],
        "modes": [rule_set.mode],
        "players": [setup.players],
        "line_ups": [line_up],
    }
    if rule_set.mode not in SOLO:
        sample = capped_set_count(CLAN_SETS, rule_set.rules(), setup.players)
        spec["clan_sets"] = {"sample": sample} if clans is None else {"given": [clans]}
        if not gave_up:
            spec["line_ups"] = [line_up, line_up | {"gives_up": True}]
    changes = SpecChanges(settings=rule_set.values, variants=rule_set.variants)
    return make_plan(parse_spec(spec, "compare", changes))


def compare(
    first: Rules | str,
    second: Rules | str,
    *,
    players: int | None = None,
    strategies: str | Sequence[str] = STRONGEST,
    clans: Sequence[str] | None = None,
    mode: str = STANDARD,
    games: int = DEFAULT_GAMES,
    seed: int = 1,
    jobs: int | None = None,
    quiet: bool = False,
) -> Comparison:
    """Compare two rule sets, played now on the same deals.

    Args:
        first: the side that the second one is compared with: a `Rules`, or a word as in "second" or
            "second+recruitment+bear.on_take=2".
        second: the other side.
        players: 2 to 6, four unless given; one in the solo modes.
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
        WrongInput: a word names no edition, or no game fits these rules and arguments.
        IllegalMove: a strategy answered with a move that the rules forbid.

    Example:
        >>> from ethnos_sim import compare
        >>> found = compare("second", "second+bear.on_take=2", games=2000, quiet=True)
        >>> found.frame().columns[4:9]
        ['population', 'estimand', 'name', 'first', 'second']
    """
    one, other = _rule_set(first, mode), _rule_set(second, mode)
    setup = Setup(
        players=default_players(one.mode) if players is None else players,
        strategies=strategies.split(",") if isinstance(strategies, str) else strategies,
        clans=clans,
        seed=seed,
        games=games,
    )
    with limit_processes(jobs):
        engine = Threads(allowed_processes())
        return run_study(ComparisonStudy(one, other, setup), engine=engine, quiet=quiet)


def _rule_set(side: Rules | str, mode: str) -> RuleSet:
    """The rule set of a side, in `mode` if it names none; RulesError for wrong words."""
    return RuleSet.of_rules(side, mode) if isinstance(side, Rules) else RuleSet.parse(side, mode)
