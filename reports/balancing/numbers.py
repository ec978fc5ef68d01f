"""The numbers that a search may aim for or keep, and where they stand among what is measured.

A row of measured numbers begins with the relative power of every clan that can lead; what else is
asked for follows, as headline numbers of the situation (`ethnos_sim.reports.numbers`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ethnos_sim.experiments.balancing.goals import Goal, Goals, Keep, stacked
from ethnos_sim.experiments.balancing.space import Space, make_space, usual_dimensions
from ethnos_sim.experiments.balancing.spec import BalanceSpec, WantedNumber
from ethnos_sim.experiments.balancing.surface import BoolArray
from ethnos_sim.experiments.designs.interventions import leading_clans
from ethnos_sim.experiments.evidence.evidence import Evidence, Situation
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.estimators.catalog import ESTIMANDS, label_of, margin_of
from ethnos_sim.reports.estimators.clan_spread import CLAN_SPREAD
from ethnos_sim.reports.estimators.game_shape import GAME_SHAPE
from ethnos_sim.reports.estimators.interventions import (
    RELATIVE_POWER,
    RESTRICTED_PLAY,
    RESTRICTED_TOGETHER,
    relative_power,
)
from ethnos_sim.reports.estimators.leading import USAGE, WIN_LIFT
from ethnos_sim.reports.estimators.win_shares import ORDINALS, SEAT_EDGE, STRATEGY_SHARE
from ethnos_sim.reports.rendering.numbers import listed
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.simulator.utilities.errors import WrongInput, nearest

SPREAD = "clan-spread"
POWER = "power"
SEATS = "seat-edge"
LEADER = "leader"
LENGTH = "length"

BY_CLAN = (WIN_LIFT.name, USAGE.name)
"""Further headline numbers of every clan, asked for as win_lift:bear."""

SHARE = STRATEGY_SHARE.name
"""The win share of a strategy at the table of the search, asked for as strategy_share:champion."""

USUAL_SCREENED = (SPREAD, LENGTH, LEADER, SEATS, "mean_prestige")
"""What effects are ranked on where no target is named."""

MOST_FACTORS = 40
"""Numbers that a search moves at most: the surface has a term for every two of them."""

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
    others: tuple[Asked, ...] = ()

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
        return (*_powers(self.clans), *self.others)

    @property
    def labels(self) -> tuple[str, ...]:
        """What each number is called."""
        return tuple(label_of(*each) for each in self.every)

    def places(self, asked: Sequence[Asked]) -> tuple[int, ...]:
        """Where some numbers stand among all."""
        return tuple(map(self.every.index, asked))

    def rows(self, evidence: Evidence) -> list[Estimates]:
        """The numbers of each rule set that was played by one line-up, in the order of the plan."""
        return [self._row(evidence, each) for each in evidence.all_situations]

    def _row(self, evidence: Evidence, situation: Situation) -> Estimates:
        # Evaluations only choose, so that what every seat tells may be taken as it is.
        sides = (RESTRICTED_TOGETHER, RESTRICTED_PLAY)
        power = next(found for each in sides for found in each.found(evidence, situation))
        parts = [relative_power(power.named(self.clans))]
        for definition in dict.fromkeys(definition for definition, _ in self.others):
            if definition == SHARE:  # That of a strategy's seats, however it is tuned.
                sums = evidence.line_ups[situation]
                names = tuple(tuple(map(_name_alone, line_up)) for line_up in sums.tables)
                shares = STRATEGY_SHARE.of(replace(sums, tables=names), situation.population)
                parts.append(shares)
            else:
                parts += ESTIMANDS[definition].found(evidence, situation)
        found = stacked(parts)
        place = {asked: at for at, asked in enumerate(found.keys(("estimand", "name")))}
        return found.at([place[asked] for asked in self.every])


def _powers(clans: Sequence[str]) -> tuple[Asked, ...]:
    return tuple((RELATIVE_POWER.name, clan) for clan in clans)


def _name_alone(strategy: str) -> str:
    return strategy.partition(":")[0]


class _Named(NamedTuple):
    """A word of a spec: the numbers that it stands for, their margin, and its usual goal."""

    asked: tuple[Asked, ...]
    margin: float
    goal: float | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """A spec with everything that it names found."""

    spec: BalanceSpec
    space: Space
    goals: Goals
    numbers: Numbers


def prepare(spec: BalanceSpec, *, effects: bool = False) -> Prepared:
    """Check a spec as a whole.

    Args:
        spec: what is asked for.
        effects: whether only effects are asked for: then targets need no goals, those that nobody
            named are USUAL_SCREENED, and a spec that names no value means all of them, lists as a
            whole.

    Raises:
        WrongInput: a value, a number or a strategy is not known, a target has no goal, or nothing
            moves.
    """
    rules = spec.rules()
    dimensions = spec.values or (usual_dimensions(rules, spec.players) if effects else [])
    if not dimensions:
        known = ", ".join(each.name for each in usual_dimensions(rules, spec.players))
        raise WrongInput(f"name the values to move with --vary NAME; there are {known}")
    space = make_space(rules, dimensions, spec.players, spec.cost)
    if effects:
        words = USUAL_SCREENED if "targets" not in spec.model_fields_set else ()
        targets = [WantedNumber(number=word) for word in words] or spec.targets
        return Prepared(spec, space, *goals_of(spec, rules, targets, needed=False))
    if len(space.factors) > MOST_FACTORS:
        raise WrongInput(
            f"a search moves {MOST_FACTORS} numbers at most, not {len(space.factors)}; --effects "
            "ranks all of them"
        )
    return Prepared(spec, space, *goals_of(spec, rules, spec.targets, needed=True))


def goals_of(
    spec: BalanceSpec, rules: Rules, wanted: Sequence[WantedNumber], *, needed: bool
) -> tuple[Goals, Numbers]:
    """What a spec wants, and what has to be measured for it.

    Raises:
        WrongInput: a number is not known, or a target has no goal where goals are `needed`.
    """
    words = [*(each.number for each in wanted), *(each.number for each in spec.keep)]
    named = {word: _named(word, rules, spec.players, spec.strategies) for word in words}
    clans = leading_clans(rules)
    asked = dict.fromkeys(each for found in named.values() for each in found.asked)
    numbers = Numbers(clans, tuple(each for each in asked if each not in _powers(clans)))
    targets = []
    for target in wanted:
        found, spread = named[target.number], target.number == SPREAD
        goal = found.goal if target.goal is None else target.goal
        if goal is None and needed:
            raise WrongInput(f"the target '{target.number}' needs a goal, a number to come near to")
        if spread and goal:
            raise WrongInput(f"the target '{target.number}' has the goal 0 and no other")
        targets.append(
            Goal(
                number=target.number,
                places=numbers.places(found.asked),
                spread=spread,
                goal=goal or 0.0,
                margin=found.margin,
                weight=target.weight,
            )
        )
    keeps = [
        Keep(
            number=keep.number,
            places=numbers.places(named[keep.number].asked),
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
        return _Named(_powers(clans), CLAN_SPREAD.margin_of("restricted_play"), 0.0)
    if word in (POWER, *BY_CLAN):
        if about not in clans:
            raise WrongInput(
                f"'{number}' names no clan that can lead: write {word}:CLAN{nearest(about, clans)}"
            )
        if word == POWER:
            return _Named(_powers([about]), RESTRICTED_PLAY.margin_of(about), 0.0)
        goal = 0.0 if word == WIN_LIFT.name else None
        return _Named(((word, about),), margin_of(word, about), goal)
    if word == SHARE and about:
        there = sorted({_name_alone(strategies[seat % len(strategies)]) for seat in range(players)})
        if about not in there or len(there) < 2:
            raise WrongInput(
                f"'{number}' needs a table of different strategies with {about} among them; it has "
                f"{listed(there)}"
            )
        return _Named(((SHARE, about),), margin_of(SHARE, about))
    if word == SEATS and not about:
        asked = tuple((SEAT_EDGE.name, name) for name in ORDINALS[:players])
        return _Named(asked, margin_of(*asked[0]), 0.0)
    ages = rules.ages(players)
    meant = {LENGTH: "turns", LEADER: f"leader_after_age_{ages - 1}"}.get(number, number)
    shape = [name for name in GAME_SHAPE.numbers if not name.endswith(f"_{ages}")]
    if meant in shape:
        return _Named(((GAME_SHAPE.name, meant),), GAME_SHAPE.margin_of(meant))
    known = [SPREAD, f"{POWER}:CLAN", SEATS, LEADER, LENGTH, *shape]
    known += [*(f"{name}:CLAN" for name in BY_CLAN), f"{SHARE}:STRATEGY"]
    hint = nearest(number, known) or f"; there are {', '.join(known)}"
    raise WrongInput(f"there is no number '{number}' to aim for{hint}")
