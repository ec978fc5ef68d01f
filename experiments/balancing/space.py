"""The rule sets that a search may reach: factors with levels, and points.

A factor is one number that moves: a value, one element of a list, a switch, or a long list as a
whole. Its levels are the numbers that it may take; neighboring levels are one step apart. A point
has one level for every factor. `simulator.rules` decides which points are valid. In addition, a
list that never falls in the baseline may not fall, and tables have the shape of the baseline's.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

import numpy as np

from ethnos_sim.experiments.statistics.estimates import FloatArray, IntArray
from ethnos_sim.simulator.rules import Field as RuleField
from ethnos_sim.simulator.rules import Rules, Value, load_rules, value_text
from ethnos_sim.simulator.tables.modes import STANDARD
from ethnos_sim.simulator.tables.table import check_clans
from ethnos_sim.simulator.utilities.errors import InvalidGame, RulesError, WrongInput, name_hint

Point = tuple[int, ...]
"""The index of the level of each factor."""

Points = Sequence[Point] | IntArray
"""Several points, as tuples or as rows."""

MOST_ELEMENTS = 8
"""Longer lists move as a whole, every number by the same amount."""

LEAST_REACH = 3
"""A value without a range goes from 0 to twice its value, at least this far up and down."""

MOST_LEVELS = 101

_DIMENSION = re.compile(
    r"\s*([^=[\]\s][^=[\]]*?)\s*(?:\[([0-9]+)\])?"
    r"\s*(?:=\s*(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})(?::(0*[1-9][0-9]{0,8}))?\s*)?"
)
"""NAME[element]=low..high:step, of which the name is needed."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """A value to move.

    Attributes:
        name: the dotted name of the value.
        element: the index of one number in a list, from 0; None for all numbers.
        levels: the numbers that it may take; () for the usual range.
        together: whether the numbers of a list move together, however few they are.
    """

    name: str
    element: int | None = None
    levels: tuple[int, ...] = ()
    together: bool = False

    @classmethod
    def parse(cls, text: str) -> Dimension:
        """Read NAME, NAME[2], NAME=LOW..HIGH or NAME=LOW..HIGH:STEP.

        Raises:
            WrongInput: the text has none of these forms.
        """
        match = _DIMENSION.fullmatch(text)
        name, element, low, high, step = match.groups() if match else [None] * 5
        levels = tuple(range(int(low), int(high) + 1, int(step or 1))) if low and high else ()
        if not name or (low and not levels):
            raise WrongInput(
                f"'{text}' names no value to move: write NAME, NAME=LOW..HIGH or "
                "NAME=LOW..HIGH:STEP, and NAME[0] for the first number of a list"
            )
        return cls(name, int(element) if element else None, levels)


@dataclass(frozen=True, slots=True)
class Factor:
    """One number that moves.

    Attributes:
        name: the dotted name of the value.
        element: the index of a number of a list; None for a single number and for a whole list.
        shifts: whether a whole list moves, so that a level is added to every number of the list.
        levels: the numbers that the factor may take, in rising order.
        start: the index of the level of the baseline.
    """

    name: str
    element: int | None
    shifts: bool
    levels: tuple[int, ...]
    start: int

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

    def steps(self, points: Points) -> IntArray:
        """The number of steps from the baseline to each point."""
        places = np.asarray(points, np.int64).reshape(len(points), len(self.factors))
        return np.asarray(np.abs(places - np.asarray(self.start)).sum(axis=1))

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

        None where the rules are invalid, where a list falls that never falls in the baseline, where
        some clans cannot be dealt, or where games have other numbers of ages or clans.
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
    return rules if _shape(rules, players) == _shape(base, players) else None


def _shape(rules: Rules, players: int) -> tuple[int, int]:
    """The numbers of ages and of clans in a game; a search plays tables of one shape."""
    return rules.ages(players), rules.clans_in_play(players)


def _check_dealt(rules: Rules, players: int) -> None:
    """Raise InvalidGame where the clans with the most or the fewest cards cannot be dealt."""
    by_cards = sorted(rules.clans, key=lambda clan: rules.number(clan, "times_cards"))
    size = rules.clans_in_play(players)
    for clans in (by_cards[:size], by_cards[-size:]):
        check_clans(rules, players, STANDARD, clans)


def make_space(base: Rules, dimensions: Sequence[Dimension], players: int) -> Space:
    """The space of the values to move.

    Args:
        base: the baseline rules.
        dimensions: the values to move; if two are for the same number, the later one counts.
        players: the number of players; a value that has no effect at this number is refused.

    Raises:
        WrongInput: a value is not known, has no effect with this number of players, or cannot move.
        InvalidGame: some clans cannot be dealt under the baseline.
    """
    _check_dealt(base, players)
    factors: dict[tuple[str, int | None], Factor] = {}
    for dimension in dimensions:
        field = base.fields.get(dimension.name)
        if field is None:
            known = name_hint(dimension.name, base.fields)
            raise WrongInput(f"there is no {base.value_kind} '{dimension.name}'{known}")
        if not field.players[0] <= players <= field.players[1]:
            raise WrongInput(f"{dimension.name} means nothing with {players} players")
        for factor in _factors(base, dimension, field, players):
            factors[factor.name, factor.element] = factor
    return Space(base, tuple(factors.values()), players)


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


def _factors(base: Rules, dimension: Dimension, field: RuleField, players: int) -> list[Factor]:
    """The factors of a value: one, or one for each number of a short list."""
    name, element, value = dimension.name, dimension.element, base.values()[dimension.name]
    if not isinstance(value, tuple):
        if element is not None:
            raise WrongInput(f"{name} is not a list, so it has no element {element}")
        return [_factor(base, dimension, field, int(value), players)]
    if not value:
        raise WrongInput(f"{name} is an empty list, which cannot move: set it first")
    if element is not None:
        if element >= len(value):
            raise WrongInput(
                f"{name} has no element {element}: it has {len(value)}, counted from 0"
            )
        return [_factor(base, dimension, field, value[element], players)]
    if dimension.together or len(value) > MOST_ELEMENTS:
        reach = max(LEAST_REACH, round(sum(map(abs, value)) / len(value)))
        levels = dimension.levels or tuple(range(-reach, reach + 1))
        return [_checked(base, Factor(name, None, True, levels, 0), 0, players)]
    factors = []
    for place, number in enumerate(value):
        with contextlib.suppress(WrongInput):  # The list's other numbers allow no other level here.
            single = replace(dimension, element=place)
            factors.append(_factor(base, single, field, number, players))
    if not factors:
        raise WrongInput(f"{name} cannot move")
    return factors


def _factor(base: Rules, dimension: Dimension, field: RuleField, now: int, players: int) -> Factor:
    """The factor of one number, which is `now`."""
    if dimension.levels:
        levels = dimension.levels
    elif field.switch:
        levels = (0, 1)
    elif field.choices:
        levels = field.choices
    else:
        reach = max(abs(now), LEAST_REACH)
        levels = tuple(range(max(field.low, now - reach), min(field.high, now + reach) + 1))
    return _checked(base, Factor(dimension.name, dimension.element, False, levels, 0), now, players)


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
        raise WrongInput(
            f"{factor.label} cannot move: every other number breaks a rule, or changes how many "
            "ages or clans a game has"
        )
    return checked


def variant_values(space: Space, point: Point) -> Mapping[str, object]:
    """The values of a point that differ from the printed rules, for a variant file's [set]."""
    rules = space.rules(point)
    assert rules is not None, "only points that make rules are recommended"
    printed = load_rules(space.base.edition).trace_values()
    return {name: value for name, value in rules.trace_values().items() if value != printed[name]}
