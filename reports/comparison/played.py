"""Two rule sets played now on the same deals, in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ethnos_sim.experiments.defaults import STRONGEST
from ethnos_sim.experiments.designs.interventions import already_set
from ethnos_sim.experiments.execution.playing_now import play_now
from ethnos_sim.experiments.execution.progress import shown_progress
from ethnos_sim.experiments.plans.plan import Plan, make_plan
from ethnos_sim.experiments.specs.spec import Changes, Spec, parse_spec
from ethnos_sim.reports.comparison.bridge import clans_by_power
from ethnos_sim.reports.comparison.sides import Comparison, Side, compare_sides
from ethnos_sim.reports.evidence.gathering import PlanGatherer
from ethnos_sim.simulator.errors import InvalidGame, WrongInput
from ethnos_sim.simulator.modes import MODES, SOLO, STANDARD
from ethnos_sim.simulator.rules import (
    Rules,
    clan_key,
    edition_name,
    load_rules,
    rules_parts,
    value_differences,
    value_text,
)
from ethnos_sim.strategies import LineUp

CLAN_SETS = 12
"""Clan sets that take turns where none is given: each clan in six sets of six or five of five."""

NEVER_LEADS = "never_leads"

GAMES = 160_000
"""Games of both sides in all, where no number is given."""

POWER_GAMES = 3
"""Games with one restricted seat, about, for each with none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What both sides share: everything but the rules."""

    players: int
    strategies: Sequence[str] = (STRONGEST,)
    clans: Sequence[str] | None = None
    seed: int = 1
    games: int = GAMES
    """Games in all, of both sides where there are two."""
    power: bool = True
    """Whether restricted play is measured too, which takes most of the games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleChoice:
    """By what rules a side plays: an edition, a mode, variants and single values."""

    edition: str
    mode: str
    variants: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str, mode: str) -> RuleChoice:
        """Rules in one word, as in second+recruitment+mine.toml+bear.on_take=2.

        Args:
            text: an edition, then a mode, variants and values, each after a plus sign.
            mode: the mode where the word names none.

        Raises:
            WrongInput: it names two modes.
        """
        edition, named, settings = rules_parts(text)
        return cls.of(edition, mode, named, settings)

    @classmethod
    def of(
        cls, edition: str, mode: str, variants: Sequence[str], settings: Sequence[str]
    ) -> RuleChoice:
        """The same from its parts, where a mode may stand among the variants."""
        modes = [each for each in dict.fromkeys(variants) if each in MODES]
        if len(modes) > 1:
            raise WrongInput(f"a side is played in one mode, not in {' and '.join(modes)}")
        return cls(
            edition=edition_name(edition),
            mode=modes[0] if modes else mode,
            variants=tuple(each for each in variants if each not in MODES),
            settings=tuple(settings),
        )

    @classmethod
    def of_rules(cls, rules: Rules, mode: str) -> RuleChoice:
        """The choice that gives these rules: their edition with every value that differs in it."""
        values = value_differences(load_rules(rules.edition), rules)
        settings = tuple(f"{each.second_name}={value_text(each.second)}" for each in values)
        return cls(edition=rules.edition, mode=mode, settings=settings)

    @property
    def label(self) -> str:
        """As in "second edition, recruitment, bear.on_take=2"."""
        parts = [f"{self.edition} edition"]
        parts += [self.mode] if self.mode != STANDARD else []
        return ", ".join([*parts, *self.variants, *self.settings])

    def rules(self) -> Rules:
        """The rules; RulesError for wrong names and values."""
        return load_rules(self.edition, self.variants, self.settings)


def plans_of(setup: Setup, first: RuleChoice, second: RuleChoice) -> tuple[Plan, Plan]:
    """Both sides' plans: the same clan sets by power, line-ups, seed and games.

    Raises:
        WrongInput: something of it makes no game, or a clan of `setup` has no counterpart.
    """
    rules = first.rules(), second.rules()
    LineUp.parse(list(setup.strategies), setup.players, rules[0])
    clans = None if setup.clans is None else [clan_key(clan) for clan in setup.clans]
    plans = []
    for choice, own in zip((first, second), rules, strict=True):
        names = clans
        if clans is not None and choice.edition != first.edition:
            called = clans_by_power(rules[0], own)
            alone = [clan for clan in clans if clan not in called and clan in rules[0].clans]
            if alone:
                raise InvalidGame(
                    f"the {choice.edition} edition has no clan with the power of {alone[0]}"
                )
            names = [called.get(clan, clan) for clan in clans]
        plans.append(plan_of(setup, choice, names, games=setup.games // 2))
    return plans[0], plans[1]


def play_sides(
    plans: tuple[Plan, Plan],
    labels: tuple[str, str],
    *,
    jobs: int,
    on_games: Callable[[int], None] = lambda games: None,
) -> tuple[Side, Side]:
    """Play both plans; the result does not depend on `jobs`.

    Raises:
        IllegalMove: a strategy answered with a move that the rules forbid.
    """
    sides = []
    for plan, label in zip(plans, labels, strict=True):
        gatherer = PlanGatherer(plan)
        play_now(plan, gatherer.add, jobs=jobs, on_games=on_games)
        sides.append(Side(label, gatherer.evidence()))
    return sides[0], sides[1]


def compare_rules(
    first: RuleChoice, second: RuleChoice, setup: Setup, *, jobs: int, quiet: bool
) -> Comparison:
    """Play two rule sets on the same deals, telling how far that is, and compare them.

    Raises:
        WrongInput: something of it makes no game.
        IllegalMove: a strategy answered with a move that the rules forbid.
    """
    plans = plans_of(setup, first, second)
    total = sum(plan.games for plan in plans)
    title = f"{divided(plans, setup.games)}: {first.label}, and {second.label}"
    with shown_progress(title, total, 0, quiet=quiet) as shown:
        sides = play_sides(plans, (first.label, second.label), jobs=jobs, on_games=shown)
    return compare_sides(*sides)


def divided(plans: Sequence[Plan], asked: int) -> str:
    """How many games are played and how they are divided; why, where they are more than asked."""
    games = sum(plan.games for plan in plans)
    restricted = sum(
        plan.rounds[cell.partition] * cell.games_per_round
        for plan in plans
        for cell in plan.cells
        if any(already_set(name, NEVER_LEADS) for name in cell.line_up)
    )
    sides = f"{games // 2:,} for each side" if len(plans) > 1 else ""
    power = f"{restricted:,} with a seat that may not lead a clan" if restricted else ""
    parts = ", ".join(filter(None, (sides, power)))
    told = f"Playing {games:,} games" + (f" ({parts})" if parts else "")
    if games > asked + sum(plan.games_per_round(part) for plan in plans for part in plan.rounds):
        told += f", more than {asked:,} since every table is played in all seatings"
    return told


def plan_of(setup: Setup, choice: RuleChoice, clans: list[str] | None, *, games: int) -> Plan:
    """The plan of one rule set: whole tables, and restricted play where it is asked for.

    Args:
        setup: players, strategies and luck.
        choice: the rules.
        clans: the clans in play, or None for sets that take turns.
        games: games in all.
    """
    strategies = list(setup.strategies)
    line_up: dict[str, object] = {"strategies": strategies}
    raw: dict[str, object] = {
        "name": choice.label[:200],
        "seed": setup.seed,
        "games": max(1, games),
        "editions": [choice.edition],
        "modes": [choice.mode],
        "players": [setup.players],
        "line_ups": [line_up],
    }
    if choice.mode in SOLO:
        return make_plan(_spec(raw, choice))
    raw["clan_sets"] = {"sample": CLAN_SETS} if clans is None else {"given": [clans]}
    whole = make_plan(_spec(raw, choice))
    if not setup.power or any(already_set(name, NEVER_LEADS) for name in strategies):
        return whole
    restricted = line_up | {"one_seat": NEVER_LEADS}
    cells = make_plan(_spec(raw | {"line_ups": [restricted]}, choice)).cells
    times = sum(cell.weight for cell in cells) / len(whole.cells)
    weight = max(1, round(times / POWER_GAMES))
    raw["line_ups"] = [line_up | {"weight": weight}, restricted]
    return make_plan(_spec(raw, choice))


def _spec(raw: dict[str, object], choice: RuleChoice) -> Spec:
    """The checked spec of one side."""
    changes = Changes(settings=choice.settings, variants=choice.variants)
    return parse_spec(raw, "compare", changes)
