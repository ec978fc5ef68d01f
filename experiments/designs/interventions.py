"""One-seat line-ups: a line-up in which a single entry is kept from a clan, or made to lead it.

From them come restricted and forced play (`docs/statistics.md`): how often the one seat wins that
may not lead a clan, or always does, against others that may do everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import lcm

from ethnos_sim.experiments.designs.row_means import settings_in
from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.strategies import LineUp

#: What a single entry may be told about a clan.
INTERVENTIONS = RESTRICTED, FORCED = ("never_leads", "prefers_leading")

#: The kinds of line-ups: those in which nobody is told anything, and one-seat line-ups.
ORDINARY = "ordinary"
KINDS = {RESTRICTED: "restricted", FORCED: "forced"}

Weighted = tuple[LineUp, int]
"""A line-up and how many times the games it plays."""


@dataclass(frozen=True, slots=True)
class Intervention:
    """A line-up of which one entry alone is restricted or forced.

    Attributes:
        kind: RESTRICTED or FORCED.
        clan: the clan that it may not lead, or prefers to.
        entry: the place of that entry in the line-up.
        line_up: the line-up without the setting.
    """

    kind: str
    clan: str
    entry: int
    line_up: tuple[str, ...]


def intervention_of(line_up: Sequence[str]) -> Intervention | None:
    """What is restricted in a line-up, if that is one seat and one clan; None otherwise."""
    found = [
        (entry, kind, settings[kind])
        for entry, strategy in enumerate(line_up)
        for settings in [settings_in(strategy)]
        for kind in INTERVENTIONS
        if kind in settings
    ]
    if len(found) != 1:
        return None
    ((entry, kind, clan),) = found
    return Intervention(kind, clan, entry, tuple(map(without_intervention, line_up)))


def kind_of(line_up: Sequence[str]) -> tuple[str, str | None]:
    """The kind of a line-up, ORDINARY or of KINDS, and the clan that its one seat is about."""
    found = intervention_of(line_up)
    return (ORDINARY, None) if found is None else (KINDS[found.kind], found.clan)


def leading_clans(rules: Rules) -> tuple[str, ...]:
    """The clans that can lead a party: all but the wild one."""
    return tuple(clan for clan in rules.clans if rules.power_of(clan) is not Power.WILD)


def intervention_line_ups(
    line_ups: Sequence[Weighted], restriction: str, clan: str, rules: Rules
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
    """
    longest = lcm(*(line_up.rotations for line_up, _ in line_ups))
    return [
        (_restricted(line_up, place, f"{restriction}={clan}", rules), weight * longest // period)
        for line_up, weight in line_ups
        for period in [line_up.rotations]
        for place in range(period)
    ]


def already_set(strategy: str, restriction: str) -> str | None:
    """Why a strategy's name cannot take the restriction; None where it can."""
    if restriction not in settings_in(strategy):
        return None
    return f"'{strategy}' has a '{restriction}' of its own"


def without_intervention(strategy: str) -> str:
    """A strategy's name without what it is told about a clan."""
    name, *settings = strategy.split(":")
    kept = [text for text in settings if text.partition("=")[0].strip() not in INTERVENTIONS]
    return ":".join([name, *kept])


def _restricted(line_up: LineUp, place: int, setting: str, rules: Rules) -> LineUp:
    """The line-up with one more setting on the entry at `place`."""
    names = list(line_up.names)
    names[place] += f":{setting}"
    return LineUp.parse(names, len(names), rules)
