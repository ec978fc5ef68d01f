"""The numbers that a search may aim for or keep, and where they stand among what is measured.

A row of measured numbers begins with the relative power of every clan that can lead; what else is
asked for follows, as headline numbers of the situation (`ethnos_sim.reports.numbers`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ethnos_sim.experiments.balancing.goals import Goal, Goals, Keep, stacked
from ethnos_sim.experiments.balancing.space import Space
from ethnos_sim.experiments.balancing.spec import BalanceSpec
from ethnos_sim.experiments.balancing.surface import BoolArray
from ethnos_sim.experiments.designs.interventions import leading_clans
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.experiments.statistics.jackknife import together
from ethnos_sim.reports.estimators.catalog import ESTIMANDS, label_of, margin_of
from ethnos_sim.reports.estimators.clan_spread import CLAN_SPREAD
from ethnos_sim.reports.estimators.game_shape import GAME_SHAPE
from ethnos_sim.reports.estimators.interventions import (
    RELATIVE_POWER,
    RESTRICTED_PLAY,
    relative_power,
)
from ethnos_sim.reports.estimators.leading import USAGE, WIN_LIFT
from ethnos_sim.reports.estimators.win_shares import ORDINALS, SEAT_EDGE, STRATEGY_SHARE
from ethnos_sim.reports.evidence.evidence import Evidence, Situation
from ethnos_sim.reports.numbers import headline_numbers
from ethnos_sim.reports.rendering.numbers import difference_unit, listed
from ethnos_sim.simulator.errors import WrongInput, nearest
from ethnos_sim.simulator.rules import Rules

SPREAD = "clan-spread"
POWER = "power"
SEATS = "seat-edge"
LEADER = "leader"
LENGTH = "length"

BY_CLAN = {WIN_LIFT.name: WIN_LIFT, USAGE.name: USAGE}
"""Further headline numbers of every clan, asked for as win_lift:bear."""

SHARE = STRATEGY_SHARE.name
"""The win share of a strategy at the table of the search, asked for as strategy_share:champion."""

Asked = tuple[str, str]
"""A headline number: its definition and its name."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """What is measured of a rule set.

    Attributes:
        clans: the clans whose relative power comes first.
        others: the headline numbers that follow.
    """

    clans: tuple[str, ...]
    others: tuple[Asked, ...]

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The columns that a response surface fits with one prior."""
        clans = len(self.clans)
        return (tuple(range(clans)), *((clans + place,) for place in range(len(self.others))))

    @property
    def needs_different_strategies(self) -> bool:
        """Whether a table of one strategy alone cannot tell all of them."""
        return any(definition == SHARE for definition, _ in self.others)

    def near(self, space: Space) -> BoolArray:
        """Which factors are a number's own: values of a clan are of that clan's power."""
        owners = np.asarray([factor.name.partition(".")[0] for factor in space.factors])
        about = np.asarray([*self.clans, *("" for _ in self.others)])
        return np.asarray(owners[:, None] == about)

    @property
    def every(self) -> tuple[Asked, ...]:
        """All numbers, in their order."""
        return (*((RELATIVE_POWER.name, clan) for clan in self.clans), *self.others)

    @property
    def labels(self) -> tuple[str, ...]:
        """What each number is called."""
        return tuple(label_of(*each) for each in self.every)

    def places(self, named: _Named) -> tuple[int, ...]:
        """Where those of some numbers stand that are measured."""
        asked = (*((RELATIVE_POWER.name, clan) for clan in named.clans), *named.asked)
        return tuple(self.every.index(each) for each in asked if each in self.every)

    def measured(self, evidence: Evidence, situation: Situation) -> Estimates:
        """The headline numbers of a situation.

        A strategy's share is that of its seats, whatever clan they are kept from and however tuned.
        """
        found = headline_numbers(evidence, situation)
        if self.needs_different_strategies:
            sums = evidence.line_ups[situation]
            names = tuple(tuple(map(_name_alone, line_up)) for line_up in sums.tables)
            shares = STRATEGY_SHARE.of(replace(sums, tables=names), situation.population)
            found = together([found.at(found["estimand"] != SHARE), shares])
        return found

    def row(self, power: Estimates, others: Estimates | None) -> Estimates:
        """The numbers of a rule set from restricted play and what `measured` gave."""
        parts = [relative_power(power.named(self.clans))]
        if others is not None:
            place = {asked: at for at, asked in enumerate(others.keys(("estimand", "name")))}
            parts.append(others.at([place[asked] for asked in self.others]))
        return stacked(parts)


def _name_alone(strategy: str) -> str:
    return strategy.partition(":")[0]


@dataclass(frozen=True, slots=True)
class _Named:
    """A number as a user names it: its columns' names, its usual goal and its margin."""

    margin: float
    asked: tuple[Asked, ...] = ()
    clans: tuple[str, ...] = ()
    spread: bool = False
    goal: float | None = None


def goals_of(spec: BalanceSpec, rules: Rules) -> tuple[Goals, Numbers]:
    """What a spec wants, and what has to be measured for it.

    Raises:
        WrongInput: a number is not known, or a target has no goal.
    """
    clans = leading_clans(rules)
    named = {
        number: _named(number, rules, spec.players, spec.strategies)
        for number in [each.number for each in spec.targets] + [each.number for each in spec.keep]
    }
    others = tuple(dict.fromkeys(asked for each in named.values() for asked in each.asked))
    numbers = Numbers(clans, others)
    targets = []
    for target in spec.targets:
        found = named[target.number]
        goal = found.goal if target.goal is None else target.goal
        if goal is None:
            raise WrongInput(f"the target '{target.number}' needs a goal, a number to come near to")
        if found.spread and target.goal:
            raise WrongInput(f"the target '{target.number}' has the goal 0 and no other")
        targets.append(
            Goal(
                number=target.number,
                places=numbers.places(found),
                spread=found.spread,
                goal=goal,
                margin=found.margin,
                weight=target.weight,
            )
        )
    keeps = [
        Keep(
            number=keep.number,
            places=numbers.places(named[keep.number]),
            margin=named[keep.number].margin if keep.margin is None else keep.margin,
        )
        for keep in spec.keep
    ]
    return Goals(tuple(targets), tuple(keeps)), numbers


def _named(number: str, rules: Rules, players: int, strategies: Sequence[str]) -> _Named:
    """What a word of a spec stands for; WrongInput where it stands for nothing."""
    clans = leading_clans(rules)
    word, _, about = number.partition(":")
    if word == SPREAD and not about:
        margin = CLAN_SPREAD.margin_of("restricted_play")
        return _Named(margin, clans=clans, spread=True, goal=0.0)
    if word in (POWER, *BY_CLAN):
        if about not in clans:
            raise WrongInput(
                f"'{number}' names no clan that can lead: write {word}:CLAN{nearest(about, clans)}"
            )
        if word == POWER:
            return _Named(RESTRICTED_PLAY.margin_of(about), clans=(about,), goal=0.0)
        goal = 0.0 if word == WIN_LIFT.name else None
        return _Named(margin_of(word, about), ((word, about),), goal=goal)
    if word == SHARE and about:
        there = sorted({_name_alone(strategies[seat % len(strategies)]) for seat in range(players)})
        if about not in there or len(there) < 2:
            raise WrongInput(
                f"'{number}' needs a table of different strategies with {about} among them; it has "
                f"{listed(there)}"
            )
        return _Named(margin_of(SHARE, about), ((SHARE, about),))
    if word == SEATS and not about:
        asked = tuple((SEAT_EDGE.name, name) for name in ORDINALS[:players])
        return _Named(margin_of(*asked[0]), asked, goal=0.0)
    ages = rules.ages(players)
    meant = {LENGTH: "turns", LEADER: f"leader_after_age_{ages - 1}"}.get(number, number)
    shape = [name for name in GAME_SHAPE.numbers if not name.endswith(f"_{ages}")]
    if meant in shape:
        return _Named(GAME_SHAPE.margin_of(meant), ((GAME_SHAPE.name, meant),))
    known = [SPREAD, f"{POWER}:CLAN", SEATS, LEADER, LENGTH, *shape]
    known += [*(f"{name}:CLAN" for name in BY_CLAN), f"{SHARE}:STRATEGY"]
    hint = nearest(number, known) or f"; there are {', '.join(known)}"
    raise WrongInput(f"there is no number '{number}' to aim for{hint}")


@dataclass(frozen=True, slots=True)
class Screened:
    """A number whose effects are ranked: its columns, and whether it is their spread."""

    label: str
    places: tuple[int, ...]
    spread: bool
    unit: str


USUAL_SCREENED = (SPREAD, LENGTH, LEADER, SEATS, "mean_prestige")
"""What effects are ranked on where no target is named."""


def screened(
    words: Sequence[str], rules: Rules, players: int, strategies: Sequence[str]
) -> tuple[tuple[Screened, ...], Numbers]:
    """The numbers to rank effects on, and what has to be measured for them.

    Of the edges of seats the first one's stands for all.

    Raises:
        WrongInput: a number is not known.
    """
    named = [_named(word, rules, players, strategies) for word in words]
    asked = (one for each in named for one in each.asked[:1])
    numbers = Numbers(leading_clans(rules), tuple(dict.fromkeys(asked)))
    found = []
    for each in named:
        places = numbers.places(each)
        definition, name = numbers.every[places[0]]
        label = "Spread of the clans" if each.spread else label_of(definition, name)
        unit = difference_unit(ESTIMANDS[definition].unit_of(name))
        found.append(Screened(label, places, each.spread, unit))
    return tuple(dict.fromkeys(found)), numbers
