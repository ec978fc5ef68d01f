"""Two rule sets played now on the same deals, in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ethnos_sim.experiments.plan import Plan, make_plan
from ethnos_sim.experiments.playing_now import play_now
from ethnos_sim.experiments.spec import Changes, Spec, parse_spec
from ethnos_sim.reports.bridge import clans_by_power
from ethnos_sim.reports.comparison.sides import Side
from ethnos_sim.reports.gathering import PlanGatherer
from ethnos_sim.simulator.errors import InvalidGame
from ethnos_sim.simulator.modes import MODES, RECRUITMENT, SOLO
from ethnos_sim.simulator.rules import load_rules
from ethnos_sim.strategies import LineUp

CLAN_SETS = 12
"""Clan sets that take turns where none is given: each clan in six sets of six or five of five."""

USUAL = ("champion", "warden", "navigator", "clock")
"""Who plays where nobody is named: strong strategies with different ideas."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Where both sides play: everything but the rules."""

    players: int
    strategies: Sequence[str] | None = None
    clans: Sequence[str] | None = None
    seed: int = 1
    games: int = 40_000
    power: bool = False
    """Whether restricted play is measured too, with as many games for each clan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """By what rules a side plays: an edition, a mode, a variant and single values."""

    edition: str
    mode: str
    variants: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """As in "second edition, recruitment, bear.on_take=2"."""
        parts = [f"{self.edition} edition"]
        parts += [self.mode] if self.mode != MODES[0] else []
        return ", ".join([*parts, *self.variants, *self.settings])


def against(
    first: Ruling,
    *,
    edition: str | None = None,
    variants: Sequence[str] = (),
    settings: Sequence[str] = (),
) -> Ruling:
    """The other side of a comparison: what is named differs from the first side.

    One of `variants` may be "recruitment", which is a mode of the game and no set of values.
    """
    return Ruling(
        edition=edition or first.edition,
        mode=RECRUITMENT if RECRUITMENT in variants else first.mode,
        variants=tuple(each for each in variants if each != RECRUITMENT),
        settings=tuple(settings),
    )


def plans_of(table: Table, first: Ruling, second: Ruling) -> tuple[Plan, Plan]:
    """Both sides' plans: the same clan sets by power, line-ups, seed and games.

    Raises:
        WrongInput: something of it makes no game, or a clan of `table` has no counterpart.
    """
    rules = [load_rules(side.edition, side.variants, side.settings) for side in (first, second)]
    strategies = table.strategies or USUAL[: max(1, table.players)]
    LineUp.parse(list(strategies), table.players, rules[0])
    clans = None if table.clans is None else list(table.clans)
    plans = []
    for ruling, own in zip((first, second), rules, strict=True):
        names = clans
        if clans is not None and ruling.edition != first.edition:
            called = clans_by_power(rules[0], own)
            alone = [clan for clan in clans if clan not in called and clan in rules[0].clans]
            if alone:
                raise InvalidGame(
                    f"the {ruling.edition} edition has no clan with the power of {alone[0]}"
                )
            names = [called.get(clan, clan) for clan in clans]
        plans.append(_plan(table, ruling, tuple(strategies), names))
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


def _plan(
    table: Table, ruling: Ruling, strategies: tuple[str, ...], clans: list[str] | None
) -> Plan:
    """One side's plan."""
    line_up: dict[str, object] = {"strategies": list(strategies)}
    raw: dict[str, object] = {
        "name": ruling.label[:200],
        "seed": table.seed,
        "games": table.games,
        "editions": [ruling.edition],
        "modes": [ruling.mode],
        "players": [table.players],
        "line_ups": [line_up],
    }
    if ruling.mode not in SOLO:
        raw["clan_sets"] = {"sample": CLAN_SETS} if clans is None else {"given": [clans]}
    whole = make_plan(_spec(raw, ruling))
    if not table.power:
        return whole
    raw["line_ups"] = [line_up, line_up | {"one_seat": "never_leads"}]
    plan = make_plan(_spec(raw, ruling))
    return replace(plan, rounds=whole.rounds)


def _spec(raw: dict[str, object], ruling: Ruling) -> Spec:
    """The checked spec of one side."""
    return parse_spec(raw, "compare", Changes(settings=ruling.settings, variants=ruling.variants))
