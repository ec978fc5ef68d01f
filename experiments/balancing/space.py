"""The rule sets that a search may reach: factors with levels, and points.

A factor is one number that moves: a value, one element of a list, a switch, or a long list as a
whole. Its levels are the numbers that it may take; neighboring levels are one step apart. A point
has one level for every factor. `simulator.rules` decides which points are valid. In addition, a
list that never falls in the baseline may not fall.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

import numpy as np
from pydantic import BaseModel, Field, model_validator

from ethnos_sim.experiments.specs.parts import STRICT
from ethnos_sim.experiments.statistics.estimates import FloatArray, IntArray
from ethnos_sim.simulator.rules import Field as RuleField
from ethnos_sim.simulator.rules import Rules, Value, load_rules, value_text
from ethnos_sim.simulator.tables.modes import STANDARD
from ethnos_sim.simulator.tables.table import check_clans
from ethnos_sim.simulator.utilities.errors import InvalidGame, RulesError, WrongInput, nearest

Point = tuple[int, ...]
"""The index of the level of each factor."""

Points = Sequence[Point] | IntArray
"""Several points, as tuples or as rows."""

MOST_ELEMENTS = 8
"""Longer lists move as a whole, every number by the same amount."""

LEAST_REACH = 3
"""A value without a range goes from 0 to twice its value, at least this far up and down."""

MOST_LEVELS = 101

START_PRESTIGE = "start_prestige"
"""The list by order of play that is empty as printed, and moves from 0 for everybody."""

_SWITCH = {"false": 0, "true": 1}
_RANGE = re.compile(
    r"(?P<low>-?[0-9]{1,9})\.\.(?P<high>-?[0-9]{1,9})(:(?P<step>0*[1-9][0-9]{0,8}))?"
)


class Dimension(BaseModel):
    """The request to move a value: a range with a step, or levels, and the cost of a step.

    Attributes:
        name: the dotted name of the value.
        element: the index of one number in a list, from 0; None for all numbers.
        low, high, step: the range of the value; the usual range unless given.
        levels: the numbers that it may take, in place of a range.
        cost: the cost of each step away from the baseline; the search's cost unless given.
        together: whether the numbers of a list move together, however few they are.
    """

    model_config = STRICT
    name: str
    element: int | None = Field(default=None, ge=0)
    low: int | None = None
    high: int | None = None
    step: int = Field(default=1, ge=1)
    levels: list[int] | list[bool] | None = Field(default=None, min_length=2)
    cost: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    together: bool = False

    @model_validator(mode="after")
    def _range_or_levels(self) -> Dimension:
        if (self.low is None) != (self.high is None):
            raise ValueError("has 'low' and 'high', or neither")
        if self.low is not None and self.high is not None and self.low >= self.high:
            raise ValueError("has a 'high' above its 'low'")
        if self.low is not None and self.levels is not None:
            raise ValueError("has either 'levels' or 'low' and 'high'")
        return self

    @property
    def asked(self) -> tuple[int, ...]:
        """The numbers of the given range or levels; () for the usual range."""
        if self.low is not None and self.high is not None:
            return tuple(range(self.low, self.high + 1, self.step))
        return tuple(map(int, self.levels or ()))


@dataclass(frozen=True, slots=True)
class Factor:
    """One number that moves.

    Attributes:
        name: the dotted name of the value.
        element: the index of a number of a list; None for a single number and for a whole list.
        shifts: whether a whole list moves, so that a level is added to every number of the list.
        levels: the numbers that the factor may take, in rising order.
        start: the index of the level of the baseline.
        cost: the cost of each level away from the start.
    """

    name: str
    element: int | None
    shifts: bool
    levels: tuple[int, ...]
    start: int
    cost: float = 0.0

    @property
    def label(self) -> str:
        """The factor as a user types it: koi.prestige_4_6[1]."""
        return self.name if self.element is None else f"{self.name}[{self.element}]"

    def text(self, place: int) -> str:
        """The level at an index, as text."""
        return f"{self.levels[place]:+d}" if self.shifts else str(self.levels[place])


@dataclass(frozen=True)
class Space:
    """The baseline rules, factors and number of players of a search. Made by `make_space`."""

    base: Rules
    factors: tuple[Factor, ...]
    players: int

    @property
    def start(self) -> Point:
        """The baseline."""
        return tuple(factor.start for factor in self.factors)

    def scaled(self, points: Points) -> FloatArray:
        """Points as numbers: 0 at the baseline, ±1 at the farthest level of a factor."""
        places = np.asarray(points, dtype=np.float64).reshape(len(points), len(self.factors))
        far = [max(f.start, len(f.levels) - 1 - f.start) for f in self.factors]
        return np.asarray((places - np.asarray(self.start)) / np.asarray(far, np.float64))

    def cost(self, points: Points) -> FloatArray:
        """The distance of points from the baseline: the sum of the costs of their steps."""
        places = np.asarray(points).reshape(len(points), len(self.factors))
        costs = np.asarray([factor.cost for factor in self.factors])
        return np.asarray(np.abs(places - np.asarray(self.start)) @ costs)

    def steps(self, point: Point) -> int:
        """The number of steps from the baseline to a point."""
        return sum(abs(a - b) for a, b in zip(point, self.start, strict=True))

    def changes(self, point: Point) -> dict[str, Value]:
        """The values of a point that differ from the baseline."""
        printed = self.base.values()
        values: dict[str, Value] = {}
        for factor, place in zip(self.factors, point, strict=True):
            if place == factor.start:
                continue
            level, now = factor.levels[place], values.get(factor.name, printed[factor.name])
            if not isinstance(now, tuple):
                values[factor.name] = bool(level) if isinstance(now, bool) else level
            elif factor.element is None:
                values[factor.name] = tuple(number + level for number in now)
            else:
                before, after = now[: factor.element], now[factor.element + 1 :]
                values[factor.name] = (*before, level, *after)
        return values

    def rules(self, point: Point) -> Rules | None:
        """The rules of a point, or None.

        None where the rules are invalid, where a list falls that never falls in the baseline, or
        where some clans cannot be dealt.
        """
        return _rules(self.base, tuple(self.changes(point).items()), self.players)

    def text(self, point: Point) -> str:
        """The changes of a point as text: "bear.on_take 4 to 2, raccoon.coins -1 each"."""
        printed = self.base.values()
        whole = {f.name: f.text(p) for f, p in zip(self.factors, point, strict=True) if f.shifts}
        changes = [
            f"{name} {whole[name]} each"
            if name in whole
            else f"{name} {value_text(printed[name])} to {value_text(value)}"
            for name, value in self.changes(point).items()
        ]
        return ", ".join(changes) or "no change"

    def one_moved(self, point: Point) -> IntArray:
        """The points that differ in one factor, by any number of steps: shape (points, factors)."""
        moved = [
            (*point[:place], level, *point[place + 1 :])
            for place, factor in enumerate(self.factors)
            for level in range(len(factor.levels))
            if level != point[place]
        ]
        return np.asarray(moved, np.int64).reshape(-1, len(point))

    def two_moved(self, point: Point) -> IntArray:
        """The points after moving two factors: each by one step, or both back to the baseline."""
        at = np.asarray(point)
        back = np.asarray(self.start) - at
        factor, other = np.triu_indices(len(at), 1)
        rows = np.arange(len(factor))
        moves = []
        for first, second in ((1, 1), (1, -1), (-1, 1), (-1, -1), (back[factor], back[other])):
            move = np.zeros((len(factor), len(at)), np.int64)
            move[rows, factor], move[rows, other] = first, second
            moves.append(move)
        points = at + np.concatenate(moves)
        inside = (points >= 0) & (points < np.asarray([len(f.levels) for f in self.factors]))
        return np.asarray(points[inside.all(axis=1) & (points != at).any(axis=1)])


def _rises(value: Value) -> bool:
    return isinstance(value, tuple) and all(a <= b for a, b in pairwise(value))


@lru_cache(2**17)
def _rules(base: Rules, changes: tuple[tuple[str, Value], ...], players: int) -> Rules | None:
    """The rules with changes; None where the changes are not allowed."""
    printed = base.values()
    for name, value in changes:
        if _rises(printed[name]) and not _rises(value):
            return None
    try:
        rules = load_rules(base.edition, overrides={**base.trace_values(), **dict(changes)})
        _check_dealt(rules, players)
    except (RulesError, InvalidGame):
        return None
    return rules


def _check_dealt(rules: Rules, players: int) -> None:
    """Raise InvalidGame where the clans with the most or the fewest cards cannot be dealt."""
    by_cards = sorted(rules.clans, key=lambda clan: rules.number(clan, "times_cards"))
    size = rules.clans_in_play(players)
    for clans in (by_cards[:size], by_cards[-size:]):
        check_clans(rules, players, STANDARD, clans)


def parse_levels(text: str) -> tuple[int, ...]:
    """The levels in a word, LOW..HIGH, LOW..HIGH:STEP or 1,2,4; () where the word has none."""
    if match := _RANGE.fullmatch(text.strip()):
        return tuple(range(int(match["low"]), int(match["high"]) + 1, int(match["step"] or 1)))
    words = (word.strip().lower() for word in text.split(","))
    try:
        return tuple(int(_SWITCH.get(word, word)) for word in words)
    except ValueError:
        return ()


def make_space(
    base: Rules, dimensions: Sequence[Dimension], players: int, cost: float = 0.0
) -> Space:
    """The space of the values to move.

    Args:
        base: the baseline rules.
        dimensions: the values to move; if two are for the same number, the later one counts.
        players: the number of players; a value that has no effect at this number is refused.
        cost: the cost of each step away from the baseline, where a dimension has none.

    Raises:
        WrongInput: a value is not known, has no effect with this number of players, or cannot move.
        InvalidGame: some clans cannot be dealt under the baseline.
    """
    _check_dealt(base, players)
    base = _with_numbers(base, dimensions, players)
    factors: dict[tuple[str, int | None], Factor] = {}
    for dimension in dimensions:
        field = base.fields.get(dimension.name)
        if field is None:
            known = nearest(dimension.name, base.fields)
            raise WrongInput(f"there is no {base.value_kind} '{dimension.name}'{known}")
        if not field.players[0] <= players <= field.players[1]:
            raise WrongInput(f"{dimension.name} means nothing with {players} players")
        for factor in _factors(base, dimension, field, players):
            if not _keeps_shape(base, factor, players):
                raise WrongInput(
                    f"{factor.label} changes how many ages or clans a game has; a search plays "
                    "tables of one shape"
                )
            cost_of_factor = cost if dimension.cost is None else dimension.cost
            factors[factor.name, factor.element] = replace(factor, cost=cost_of_factor)
    return Space(base, tuple(factors.values()), players)


def _with_numbers(base: Rules, dimensions: Sequence[Dimension], players: int) -> Rules:
    """The baseline with a 0 for each player where prestige at the start is to move."""
    named = any(one.name == START_PRESTIGE and not one.together for one in dimensions)
    if not named or base.value(START_PRESTIGE):
        return base
    zeros = {START_PRESTIGE: [0] * players}
    return load_rules(base.edition, overrides={**base.trace_values(), **zeros})


def usual_dimensions(base: Rules, players: int) -> list[Dimension]:
    """Every value that can move and has an effect with `players`; lists move as a whole.

    Raises:
        InvalidGame: some clans cannot be dealt under the baseline.
    """
    make_space(base, [], players)
    movable = []
    for name in base.fields:
        dimension = Dimension(name=name, together=True)
        with contextlib.suppress(WrongInput):  # The value cannot move.
            make_space(base, [dimension], players)
            movable.append(dimension)
    return movable


def _keeps_shape(base: Rules, factor: Factor, players: int) -> bool:
    """Whether games have the same numbers of ages and clans at every level of a factor."""
    alone = Space(base, (factor,), players)
    shapes = {
        (rules.ages(players), rules.clans_in_play(players))
        for place in range(len(factor.levels))
        if (rules := alone.rules((place,))) is not None
    }
    return len(shapes) == 1


def _factors(base: Rules, dimension: Dimension, field: RuleField, players: int) -> list[Factor]:
    value = base.values()[dimension.name]
    if not isinstance(value, tuple):
        if dimension.element is not None:
            raise WrongInput(
                f"{dimension.name} is not a list, so it has no element {dimension.element}"
            )
        return [_factor(base, dimension, field, None, int(value), players)]
    if not value:
        raise WrongInput(f"{dimension.name} is an empty list, which cannot move: set it first")
    if dimension.element is not None:
        if dimension.element >= len(value):
            raise WrongInput(
                f"{dimension.name} has no element {dimension.element}: "
                f"it has {len(value)}, counted from 0"
            )
        return [
            _factor(base, dimension, field, dimension.element, value[dimension.element], players)
        ]
    if dimension.together or len(value) > MOST_ELEMENTS:
        reach = max(LEAST_REACH, round(sum(map(abs, value)) / max(1, len(value))))
        levels = dimension.asked or tuple(range(-reach, reach + 1))
        return [_checked(base, Factor(dimension.name, None, True, levels, 0), 0, players)]
    factors = []
    for element, number in enumerate(value):
        single = dimension.model_copy(update={"element": element})
        try:
            factors.append(_factor(base, single, field, element, number, players))
        except WrongInput:
            continue  # The list's other numbers allow no other level here.
    if not factors:
        raise WrongInput(f"{dimension.name} cannot move")
    return factors


def _factor(
    base: Rules, dimension: Dimension, field: RuleField, element: int | None, now: int, players: int
) -> Factor:
    if dimension.asked:
        levels = dimension.asked
    elif field.switch:
        levels = (0, 1)
    elif field.choices:
        levels = field.choices
    else:
        reach = max(abs(now), LEAST_REACH)
        levels = tuple(range(max(field.low, now - reach), min(field.high, now + reach) + 1))
    return _checked(base, Factor(dimension.name, element, False, levels, 0), now, players)


def _checked(base: Rules, factor: Factor, now: int, players: int) -> Factor:
    """A factor with the levels that the rules allow; it starts at the level `now`."""
    field = base.fields[factor.name]
    levels = tuple(
        level
        for level in sorted({*factor.levels, now})
        if factor.shifts or field.switch or field.low <= level <= field.high
    )
    if len(levels) > MOST_LEVELS:
        raise WrongInput(f"{factor.label} has {len(levels)} levels; give it {MOST_LEVELS} at most")
    checked = replace(factor, levels=levels, start=levels.index(now))
    if factor.element is None:  # A number of a list may need others to move with it.
        alone = Space(base, (checked,), players)
        levels = tuple(levels[place] for place in range(len(levels)) if alone.rules((place,)))
        checked = replace(checked, levels=levels, start=levels.index(now))
    if len(levels) < 2:
        raise WrongInput(f"{factor.label} cannot move: the rules allow no other number there")
    return checked


def variant_values(space: Space, point: Point) -> Mapping[str, object]:
    """The values of a point that differ from the printed rules, for a variant file's [set]."""
    rules = space.rules(point)
    assert rules is not None, "only points that make rules are recommended"
    printed = load_rules(space.base.edition).trace_values()
    return {name: value for name, value in rules.trace_values().items() if value != printed[name]}
