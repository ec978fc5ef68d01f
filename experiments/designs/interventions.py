"""Line-ups in which entries are kept from a clan, or made to lead it: one entry, or every one.

From them come restricted and forced play (`docs/statistics.md`): how often a seat wins that may not
lead a clan, or always does. In one-seat line-ups the others may do everything. Where every seat
gives up a clan of its own, each game tells of as many clans as it has seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import lcm

from ethnos_sim.experiments.designs.clan_sets import ClanSet, drawn_bytes
from ethnos_sim.experiments.designs.row_means import settings_in
from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.strategies import LineUp

#: What an entry may be told about a clan.
INTERVENTIONS = RESTRICTED, FORCED = ("never_leads", "prefers_leading")

#: The one age in which an entry may not lead a clan; every age where it is not set.
IN_AGE = "in_age"

#: The kinds of line-ups: those in which nobody is told anything, and those with interventions.
ORDINARY = "ordinary"
KINDS = {RESTRICTED: "restricted", FORCED: "forced"}

Weighted = tuple[LineUp, int]
"""A line-up and how many times the games it plays."""


@dataclass(frozen=True)
class Intervention:
    """A line-up of which one entry or several are restricted or forced, each about another clan.

    Attributes:
        kind: RESTRICTED or FORCED.
        clans: the clan that each entry may not lead, or prefers to; None for an entry that is free.
        line_up: the line-up without the settings.
        age: the one age in which it holds; "" for all.
    """

    kind: str
    clans: tuple[str | None, ...]
    line_up: tuple[str, ...]
    age: str = ""

    @property
    def about_what(self) -> str:
        """The kind, with the age where it is one: "never_leads", "never_leads in age 2"."""
        return in_age(self.kind, self.age)

    @cached_property
    def about(self) -> tuple[str, ...]:
        """The clans that any entry is told of."""
        return tuple(clan for clan in self.clans if clan is not None)


def intervention_of(line_up: Sequence[str]) -> Intervention | None:
    """What entries are told, if it is one kind of thing, each of a clan of its own; else None."""
    told = [settings_in(strategy) for strategy in line_up]
    kinds = {
        (kind, settings.get(IN_AGE, ""))
        for settings in told
        for kind in INTERVENTIONS
        if kind in settings
    }
    if len(kinds) != 1:
        return None
    ((kind, age),) = kinds
    found = Intervention(
        kind,
        tuple(settings.get(kind) for settings in told),
        tuple(map(without_intervention, line_up)),
        age,
    )
    return found if len(set(found.about)) == len(found.about) else None


def in_age(kind: str, age: str | int) -> str:
    """A kind of intervention in one age: "never_leads in age 2"; as it is without an age."""
    return f"{kind} in age {age}" if age else kind


def kind_of(line_up: Sequence[str]) -> str:
    """The kind of a line-up: ORDINARY, or of KINDS, in one age where it is about one."""
    found = intervention_of(line_up)
    return ORDINARY if found is None else in_age(KINDS[found.kind], found.age)


def leading_clans(rules: Rules) -> tuple[str, ...]:
    """The clans that can lead a party: all but the wild one."""
    return tuple(clan for clan in rules.clans if rules.power_of(clan) is not Power.WILD)


def intervention_line_ups(
    line_ups: Sequence[Weighted], restriction: str, clan: str, rules: Rules, age: int = 0
) -> list[Weighted]:
    """The line-ups with a restriction on one entry, once for each entry that differs.

    Entries of a line-up that repeats after `rotations` seats are the same seat of another rotation,
    so that only the first ones are restricted. Each line-up keeps its part of the games, spread
    evenly over its entries. With no effect of the restriction, the shares of wins of the restricted
    entries are then 1/n on average, whoever plays.

    Args:
        line_ups: a population's line-ups, or the single one that was listed.
        restriction: one of INTERVENTIONS.
        clan: what the restriction is about.
        rules: the rules in force.
        age: the one age in which it holds; 0 for all.
    """
    longest = lcm(*(line_up.rotations for line_up, _ in line_ups))
    return [
        (_told(line_up, restriction, told, rules, age), weight * longest // period)
        for line_up, weight in line_ups
        for period in [line_up.rotations]
        for place in range(period)
        for told in [[clan if entry == place else None for entry in range(len(line_up.names))]]
    ]


def every_seat_line_ups(
    line_ups: Sequence[Weighted], restriction: str, drawn_by: object, clans: ClanSet, rules: Rules
) -> list[Weighted]:
    """The line-ups with a clan of its own for each entry, shifted until each entry had each clan.

    One place in the cycle is free: who gives up nothing is what the others are measured by. The
    order of the cycle is drawn for each clan set, so that over the sets all pairs of clans meet.

    Args:
        line_ups: a population's line-ups, or the single one that was listed.
        restriction: one of INTERVENTIONS.
        drawn_by: what the order of the cycle is drawn by, as the number of the clan set.
        clans: the clans in play.
        rules: the rules in force.
    """
    leaders = leading_clans(rules)
    able = [clan for clan in clans if clan in leaders]
    players = len(line_ups[0][0].names)
    places: list[str | None] = [*able, *[None] * max(1, players - len(able))]
    order = sorted(range(len(places)), key=lambda place: drawn_bytes(drawn_by, place))
    cycle = [places[place] for place in order]
    found = []
    for line_up, weight in line_ups:
        for shift in range(len(cycle)):
            told = [cycle[(entry + shift) % len(cycle)] for entry in range(players)]
            found.append((_told(line_up, restriction, told, rules), weight))
    return found


def already_set(strategy: str, restriction: str) -> str | None:
    """Why a strategy's name cannot take the restriction; None where it can."""
    if restriction not in settings_in(strategy):
        return None
    return f"'{strategy}' has a '{restriction}' of its own"


@cache
def without_intervention(strategy: str) -> str:
    """A strategy's name without what it is told about a clan."""
    name, *settings = strategy.split(":")
    told = *INTERVENTIONS, IN_AGE
    kept = [text for text in settings if text.partition("=")[0].strip() not in told]
    return ":".join([name, *kept])


def _told(
    line_up: LineUp, restriction: str, clans: Sequence[str | None], rules: Rules, age: int = 0
) -> LineUp:
    when = f":{IN_AGE}={age}" if age else ""
    names = [
        name if clan is None else f"{name}:{restriction}={clan}{when}"
        for name, clan in zip(line_up.names, clans, strict=True)
    ]
    return LineUp.parse(names, len(names), rules)
