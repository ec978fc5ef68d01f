"""Line-ups in which one entry, or every entry, may not lead a clan or has to lead it.

They measure restricted and forced play (`docs/statistics.md`): how often a seat wins if it may not
lead a clan, or if it leads the clan whenever it can. In one-seat line-ups the other seats are free.
Where every seat gives up a different clan, one game measures one clan per seat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from math import lcm

from ethnos_sim.experiments.designs.clan_sets import ClanSet, drawn_bytes
from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.strategies import LineUp
from ethnos_sim.strategies.line_up import Entry, parse_entry

#: The settings by which an entry never leads a clan, or prefers to lead it.
INTERVENTIONS = RESTRICTED, FORCED = ("never_leads", "prefers_leading")

#: The setting for the only age of an intervention; without it the intervention holds in all ages.
IN_AGE = "in_age"

#: The kind of line-ups without interventions.
ORDINARY = "ordinary"
#: The kind of line-ups with each intervention.
KINDS = {RESTRICTED: "restricted", FORCED: "forced"}

Weighted = tuple[LineUp, int]
"""A line-up and the factor on its number of games."""


@dataclass(frozen=True)
class Intervention:
    """A line-up with one or several restricted or forced entries, each about a different clan.

    Attributes:
        kind: RESTRICTED or FORCED.
        clans: the clan that each entry may not lead, or prefers to lead; None for a free entry.
        line_up: the line-up without the settings.
        age: the only age in which the intervention holds; "" for all ages.
    """

    kind: str
    clans: tuple[str | None, ...]
    line_up: tuple[str, ...]
    age: str = ""

    @property
    def about_what(self) -> str:
        """The kind, and the age if it holds in only one: "never_leads", "never_leads in age 2"."""
        return in_age(self.kind, self.age)

    @cached_property
    def about(self) -> tuple[str, ...]:
        """The clans that an entry may not lead or prefers to lead, in the order of the entries."""
        return tuple(clan for clan in self.clans if clan is not None)


@cache
def settings_in(strategy: str) -> Mapping[str, str]:
    """The settings in a strategy's name as a line-up writes it: `greedy:never_leads=bear`."""
    settings = (text.partition("=") for text in strategy.split(":")[1:])
    return {name.strip(): value.strip() for name, _, value in settings}


def intervention_of(line_up: Sequence[str]) -> Intervention | None:
    """The intervention of a line-up; None unless all are of one kind and about different clans."""
    entries = [settings_in(strategy) for strategy in line_up]
    kinds = {
        (kind, settings.get(IN_AGE, ""))
        for settings in entries
        for kind in INTERVENTIONS
        if kind in settings
    }
    if len(kinds) != 1:
        return None
    ((kind, age),) = kinds
    intervention = Intervention(
        kind,
        tuple(settings.get(kind) for settings in entries),
        tuple(map(without_intervention, line_up)),
        age,
    )
    return intervention if len(set(intervention.about)) == len(intervention.about) else None


def in_age(kind: str, age: str | int) -> str:
    """A kind of intervention with its age: "never_leads in age 2"; for "" or 0 the kind alone."""
    return f"{kind} in age {age}" if age else kind


def kind_of(line_up: Sequence[str]) -> str:
    """The kind of a line-up: ORDINARY or one of KINDS, with the age if it holds in only one."""
    intervention = intervention_of(line_up)
    return ORDINARY if intervention is None else in_age(KINDS[intervention.kind], intervention.age)


def leading_clans(rules: Rules) -> tuple[str, ...]:
    """The clans that can lead a party: all except the wild clan."""
    return tuple(clan for clan in rules.clans if rules.power_of(clan) is not Power.WILD)


def intervention_line_ups(
    line_ups: Sequence[Weighted], restriction: str, clan: str, rules: Rules, age: int = 0
) -> list[Weighted]:
    """The line-ups with a restriction on one entry, once for each different entry.

    A line-up that repeats after `rotations` seats is restricted in its first `rotations` entries
    only, since its other entries repeat these. Each line-up keeps its share of the games, spread
    evenly over its entries. So if the restriction has no effect, restricted entries win 1/n on
    average, with any strategies.

    Args:
        line_ups: the line-ups of a population, or a single listed one.
        restriction: one of INTERVENTIONS.
        clan: the clan that the restriction is about.
        rules: the rules in force.
        age: the only age in which the restriction holds; 0 for all ages.
    """
    longest = lcm(*(line_up.rotations for line_up, _ in line_ups))
    parse = _parser(line_ups, rules)
    return [
        (_restricted(line_up, restriction, clan_of_entry, parse, age), weight * longest // period)
        for line_up, weight in line_ups
        for period in [line_up.rotations]
        for place in range(period)
        for clan_of_entry in [
            [clan if entry == place else None for entry in range(len(line_up.names))]
        ]
    ]


def every_seat_line_ups(
    line_ups: Sequence[Weighted], restriction: str, drawn_by: object, clans: ClanSet, rules: Rules
) -> list[Weighted]:
    """The line-ups with a different clan for each entry, shifted until each entry had each clan.

    At least one place in the cycle is free, since seats that give up a clan are measured against a
    seat that gives up nothing. The order of the cycle is drawn for each clan set, so that over the
    sets all pairs of clans meet.

    Args:
        line_ups: the line-ups of a population, or a single listed one.
        restriction: one of INTERVENTIONS.
        drawn_by: the seed of the order of the cycle, such as the number of the clan set.
        clans: the clans in play.
        rules: the rules in force.
    """
    leaders = leading_clans(rules)
    able = [clan for clan in clans if clan in leaders]
    players = len(line_ups[0][0].names)
    places: list[str | None] = [*able, *[None] * max(1, players - len(able))]
    order = sorted(range(len(places)), key=lambda place: drawn_bytes(drawn_by, place))
    cycle = [places[place] for place in order]
    parse = _parser(line_ups, rules)
    seated = []
    for line_up, weight in line_ups:
        for shift in range(len(cycle)):
            clan_of_entry = [cycle[(entry + shift) % len(cycle)] for entry in range(players)]
            seated.append((_restricted(line_up, restriction, clan_of_entry, parse), weight))
    return seated


def already_set(strategy: str, restriction: str) -> str | None:
    """The reason why a strategy's name cannot take the restriction; None where it can."""
    if restriction not in settings_in(strategy):
        return None
    return f"'{strategy}' has a '{restriction}' of its own"


@cache
def without_intervention(strategy: str) -> str:
    """A strategy's name without the settings of interventions."""
    name, *settings = strategy.split(":")
    dropped = *INTERVENTIONS, IN_AGE
    kept = [text for text in settings if text.partition("=")[0].strip() not in dropped]
    return ":".join([name, *kept])


def _parser(line_ups: Sequence[Weighted], rules: Rules) -> Callable[[str], Entry]:
    """A function that parses a line-up entry; it caches entries, since a cycle repeats them."""
    players = len(line_ups[0][0].names)
    return cache(partial(parse_entry, players=players, rules=rules))


def _restricted(
    line_up: LineUp,
    restriction: str,
    clans: Sequence[str | None],
    parse: Callable[[str], Entry],
    age: int = 0,
) -> LineUp:
    """Restrict each entry of a line-up about its clan in `clans`; None leaves an entry free."""
    when = f":{IN_AGE}={age}" if age else ""
    return LineUp(
        tuple(
            entry if clan is None else parse(f"{entry.name}:{restriction}={clan}{when}")
            for entry, clan in zip(line_up.entries, clans, strict=True)
        )
    )
