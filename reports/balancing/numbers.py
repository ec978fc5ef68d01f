"""The numbers that a search may aim for or keep, and their places in a row of measured numbers.

A row begins with the worth of every clan that can lead. The other numbers that the spec
names follow; they are headline numbers of the situation (`ethnos_sim.reports.numbers`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ethnos_sim.experiments.balancing.goals import Goal, Goals, Keep, stacked
from ethnos_sim.experiments.balancing.space import Space, make_space, usual_dimensions
from ethnos_sim.experiments.balancing.spec import BalanceSpec
from ethnos_sim.experiments.balancing.surface import BoolArray
from ethnos_sim.experiments.evidence.evidence import Evidence, Situation
from ethnos_sim.experiments.statistics.estimates import Estimates
from ethnos_sim.reports.estimators.catalog import ESTIMANDS, label_of, margin_of
from ethnos_sim.reports.estimators.clan_spread import CLAN_SPREAD
from ethnos_sim.reports.estimators.game_shape import GAME_SHAPE
from ethnos_sim.reports.estimators.leading import USAGE, WIN_LIFT
from ethnos_sim.reports.estimators.win_shares import ORDINALS, SEAT_EDGE, STRATEGY_SHARE
from ethnos_sim.reports.estimators.worth import WORTH
from ethnos_sim.reports.rendering.numbers import listed
from ethnos_sim.simulator.rules import Rules, unknown_clan_hint
from ethnos_sim.simulator.tables.table import leading_clans
from ethnos_sim.simulator.utilities.errors import WrongInput, nearest

SPREAD = "clan-spread"
SEATS = "seat-edge"
LEADER = "leader"
LENGTH = "length"

BY_CLAN = (WIN_LIFT.name, USAGE.name)
"""Headline numbers of a clan besides its worth, written as win_lift:bear."""

SHARE = STRATEGY_SHARE.name
"""The win share of a strategy at the table of the search, written as strategy_share:champion."""

MOST_FACTORS = 40
"""The most numbers that a search moves; the response surface has a term for every pair of them."""

NumberKey = tuple[str, str]
"""A headline number: its definition and its name."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers that are measured for each rule set.

    Attributes:
        clans: the clans whose worth comes first.
        others: the headline numbers that follow.
    """

    clans: tuple[str, ...]
    others: tuple[NumberKey, ...] = ()

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Groups of columns; a response surface fits all columns of a group with one prior."""
        clans = len(self.clans)
        return (tuple(range(clans)), *((clans + place,) for place in range(len(self.others))))

    @property
    def needs_different_strategies(self) -> bool:
        """Whether some number needs a table with different strategies."""
        return any(definition == SHARE for definition, _ in self.others)

    def near(self, space: Space) -> BoolArray:
        """Which factors belong to which number: the values of a clan belong to this clan's worth.

        Returns:
            Shape (factors, numbers).
        """
        owners = np.asarray([factor.name.partition(".")[0] for factor in space.factors])
        about = np.asarray([*self.clans, *("" for _ in self.others)])
        return np.asarray(owners[:, None] == about)

    @property
    def keys(self) -> tuple[NumberKey, ...]:
        """All numbers, in their order."""
        return (*_worths(self.clans), *self.others)

    @property
    def labels(self) -> tuple[str, ...]:
        """The label of each number."""
        return tuple(label_of(*key) for key in self.keys)

    def places(self, keys: Sequence[NumberKey]) -> tuple[int, ...]:
        """The places of `keys` in a row of numbers."""
        return tuple(map(self.keys.index, keys))

    def rows(self, evidence: Evidence) -> list[Estimates]:
        """The numbers of each rule set that was played by one line-up, in the order of the plan."""
        return [self._row(evidence, situation) for situation in evidence.all_situations]

    def _row(self, evidence: Evidence, situation: Situation) -> Estimates:
        parts = [worth.named(self.clans) for worth in WORTH.found(evidence, situation)]
        for definition in dict.fromkeys(definition for definition, _ in self.others):
            if definition == SHARE:  # The share of a strategy's seats, whatever its parameters.
                sums = evidence.line_ups[situation]
                names = tuple(tuple(map(_name_alone, line_up)) for line_up in sums.tables)
                shares = STRATEGY_SHARE.of(replace(sums, tables=names), situation.population)
                parts.append(shares)
            else:
                parts += ESTIMANDS[definition].found(evidence, situation)
        estimates = stacked(parts)
        rows = {key: row for row, key in enumerate(estimates.keys(("estimand", "name")))}
        return estimates.at([rows[key] for key in self.keys])


def _worths(clans: Sequence[str]) -> tuple[NumberKey, ...]:
    return tuple((WORTH.name, clan) for clan in clans)


def _name_alone(strategy: str) -> str:
    return strategy.partition(":")[0]


class _KnownNumber(NamedTuple):
    """The meaning of a word in a spec: its numbers, their margin, and the usual goal."""

    keys: tuple[NumberKey, ...]
    margin: float
    goal: float | None = None


@dataclass(frozen=True, slots=True)
class PreparedSearch:
    """A spec with the space, goals and numbers that it names."""

    spec: BalanceSpec
    space: Space
    goals: Goals
    numbers: Numbers


def prepare(spec: BalanceSpec) -> PreparedSearch:
    """Check a spec, and look up everything that it names.

    Raises:
        WrongInput: a value, a number or a strategy is not known, a target has no goal, or nothing
            moves.
    """
    rules = spec.rules()
    if not spec.values:
        known = ", ".join(dimension.name for dimension in usual_dimensions(rules, spec.players))
        raise WrongInput(f"name the values to move with --vary NAME; there are {known}")
    space = make_space(rules, spec.values, spec.players, spec.cost)
    if len(space.factors) > MOST_FACTORS:
        raise WrongInput(f"a search moves {MOST_FACTORS} numbers at most, not {len(space.factors)}")
    return PreparedSearch(spec, space, *goals_of(spec, rules))


def goals_of(spec: BalanceSpec, rules: Rules) -> tuple[Goals, Numbers]:
    """The goals of a spec, and the numbers to measure for them.

    Raises:
        WrongInput: a number is not known, or a target has no goal.
    """
    words = [*(target.number for target in spec.targets), *(keep.number for keep in spec.keep)]
    named = {word: _known_number(word, rules, spec.players, spec.strategies) for word in words}
    clans = leading_clans(rules)
    keys = dict.fromkeys(key for number in named.values() for key in number.keys)
    numbers = Numbers(clans, tuple(key for key in keys if key not in _worths(clans)))
    targets = []
    for target in spec.targets:
        number, spread = named[target.number], target.number == SPREAD
        goal = number.goal if target.goal is None else target.goal
        if goal is None:
            raise WrongInput(f"the target '{target.number}' needs a goal, a number to come near to")
        if spread and goal:
            raise WrongInput(f"the target '{target.number}' has the goal 0 and no other")
        targets.append(
            Goal(
                number=target.number,
                places=numbers.places(number.keys),
                spread=spread,
                goal=goal,
                margin=number.margin,
                weight=target.weight,
            )
        )
    keeps = [
        Keep(
            number=keep.number,
            places=numbers.places(named[keep.number].keys),
            margin=named[keep.number].margin if keep.margin is None else keep.margin,
        )
        for keep in spec.keep
    ]
    return Goals(tuple(targets), tuple(keeps)), numbers


def _known_number(
    number: str, rules: Rules, players: int, strategies: Sequence[str]
) -> _KnownNumber:
    """The meaning of a word in a spec; WrongInput if it has none."""
    clans = leading_clans(rules)
    word, _, about = number.partition(":")
    if word == SPREAD and not about:
        return _KnownNumber(_worths(clans), CLAN_SPREAD.margin_of(WORTH.name, players), 0.0)
    if word == "power":
        raise WrongInput(f"'{number}' is now '{WORTH.name}:{about}'")
    if word in (WORTH.name, *BY_CLAN):
        if about not in clans:
            in_play = about in rules.clans
            hint = nearest(about, clans) if in_play else unknown_clan_hint(about, rules)
            raise WrongInput(f"'{number}' names no clan that can lead: write {word}:CLAN{hint}")
        goal = None if word == USAGE.name else 0.0
        return _KnownNumber(((word, about),), margin_of(word, about, players), goal)
    if word == SHARE and about:
        seated = sorted(
            {_name_alone(strategies[seat % len(strategies)]) for seat in range(players)}
        )
        if about not in seated or len(seated) < 2:
            raise WrongInput(
                f"'{number}' needs a table of different strategies with {about} among them; it has "
                f"{listed(seated)}"
            )
        return _KnownNumber(((SHARE, about),), margin_of(SHARE, about, players))
    if word == SEATS and not about:
        keys = tuple((SEAT_EDGE.name, name) for name in ORDINALS[:players])
        return _KnownNumber(keys, margin_of(*keys[0], players), 0.0)
    ages = rules.ages(players)
    shape_name = {LENGTH: "turns", LEADER: f"leader_after_age_{ages - 1}"}.get(number, number)
    shape = [name for name in GAME_SHAPE.numbers if not name.endswith(f"_{ages}")]
    if shape_name in shape:
        margin = GAME_SHAPE.margin_of(shape_name, players)
        return _KnownNumber(((GAME_SHAPE.name, shape_name),), margin)
    known = [SPREAD, f"{WORTH.name}:CLAN", SEATS, LEADER, LENGTH, *shape]
    known += [*(f"{name}:CLAN" for name in BY_CLAN), f"{SHARE}:STRATEGY"]
    hint = nearest(number, known) or f"; there are {', '.join(known)}"
    raise WrongInput(f"there is no number '{number}' to aim for{hint}")
