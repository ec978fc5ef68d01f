"""The space of a search: factors with levels, and points, which stand for rule sets.

A factor is a part of the rules that a search moves: a number, a switch, one element of a list, or a
long list as a whole. Its levels are the numbers that it may take; neighboring levels are one step
apart. A point has one level of every factor. It is valid if its rules are valid, if every list
that rises in the baseline still rises, and if games have as many ages and clans as in the baseline.
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
"""The index of a level for each factor."""

Points = Sequence[Point] | IntArray
"""Points, as tuples or as rows of an array."""

MOST_ELEMENTS = 8
"""A list with more elements moves as a whole, every element by the same amount."""

LEAST_REACH = 3
"""A value without given levels moves up and down by its own size, and at least by this much."""

MOST_LEVELS = 101

_DIMENSION_PATTERN = re.compile(
    r"\s*([^=[\]\s][^=[\]]*?)\s*(?:\[([0-9]+)\])?"
    r"\s*(?:=\s*(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})(?::(0*[1-9][0-9]{0,8}))?\s*)?"
)
"""NAME[element]=low..high:step; only the name is required."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """A value that a user asks to move.

    Attributes:
        name: the dotted name of the value.
        element: the index of the only element of a list that moves; None for all elements.
        levels: the numbers that the value may take; () for the usual range.
        moves_whole_list: whether a short list moves as a whole, as a long list always does.
    """

    name: str
    element: int | None = None
    levels: tuple[int, ...] = ()
    moves_whole_list: bool = False

    @classmethod
    def parse(cls, text: str) -> Dimension:
        """Read NAME, NAME[2], NAME=LOW..HIGH or NAME=LOW..HIGH:STEP.

        Raises:
            WrongInput: the text has none of these forms.
        """
        match = _DIMENSION_PATTERN.fullmatch(text)
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
    """A part of the rules that a search moves.

    Attributes:
        name: the dotted name of the value.
        element: the index of the element of a list; None if the value moves as a whole.
        shifts_list: whether a level is a shift, which is added to every element of a list.
        levels: the numbers that the factor may take, in rising order.
        baseline_index: the index of the baseline's level.
    """

    name: str
    element: int | None
    shifts_list: bool
    levels: tuple[int, ...]
    baseline_index: int

    @property
    def label(self) -> str:
        """The factor as a user writes it: koi.prestige_4_6[1]."""
        return self.name if self.element is None else f"{self.name}[{self.element}]"

    def level_text(self, index: int) -> str:
        """The text of the level at an index: "+1" for a shift of a list; "4" for another level."""
        return f"{self.levels[index]:+d}" if self.shifts_list else str(self.levels[index])


@dataclass(frozen=True)
class Space:
    """The points of a search: baseline rules, factors and number of players (`make_space`)."""

    base_rules: Rules
    factors: tuple[Factor, ...]
    players: int

    @property
    def baseline(self) -> Point:
        """The point of the baseline."""
        return tuple(factor.baseline_index for factor in self.factors)

    def scaled_factors(self, points: Points) -> FloatArray:
        """The factors of points as floats: 0 at the baseline, ±1 at the farthest level."""
        places = np.asarray(points, dtype=np.float64).reshape(len(points), len(self.factors))
        far = [max(f.baseline_index, len(f.levels) - 1 - f.baseline_index) for f in self.factors]
        return np.asarray((places - np.asarray(self.baseline)) / np.asarray(far, np.float64))

    def step_counts(self, points: Points) -> IntArray:
        """The number of steps between the baseline and each point."""
        places = np.asarray(points, np.int64).reshape(len(points), len(self.factors))
        return np.asarray(np.abs(places - np.asarray(self.baseline)).sum(axis=1))

    def changes(self, point: Point) -> dict[str, Value]:
        """The values of a point that differ from the baseline, by name."""
        printed = self.base_rules.values()
        values: dict[str, Value] = {}
        for factor, place in zip(self.factors, point, strict=True):
            if place == factor.baseline_index:
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
        """The rules of a point; None if it is not valid, or if some clans cannot be dealt."""
        return _changed_rules(self.base_rules, tuple(self.changes(point).items()), self.players)

    def changes_text(self, point: Point) -> str:
        """The changes of a point in words: "bear.on_take 4 to 2, raccoon.coins -1 each"."""
        printed = self.base_rules.values()
        factors = zip(self.factors, point, strict=True)
        whole = {f.name: f.level_text(index) for f, index in factors if f.shifts_list}
        changes = [
            f"{name} {whole[name]} each"
            if name in whole
            else f"{name} {value_text(printed[name])} to {value_text(value)}"
            for name, value in self.changes(point).items()
        ]
        return ", ".join(changes) or "no change"

    def points_after_one_move(self, point: Point) -> IntArray:
        """All points that differ from a point in exactly one factor, (points, factors)."""
        moved = [
            (*point[:place], level, *point[place + 1 :])
            for place, factor in enumerate(self.factors)
            for level in range(len(factor.levels))
            if level != point[place]
        ]
        return np.asarray(moved, np.int64).reshape(-1, len(point))


def _is_rising(value: Value) -> bool:
    """Whether a value is a list that never falls."""
    return isinstance(value, tuple) and all(a <= b for a, b in pairwise(value))


@lru_cache(2**17)
def _changed_rules(
    baseline: Rules, changes: tuple[tuple[str, Value], ...], players: int
) -> Rules | None:
    """The baseline with changes; None if these rules are not valid."""
    printed = baseline.values()
    for name, value in changes:
        if _is_rising(printed[name]) and not _is_rising(value):
            return None
    try:
        rules = load_rules(baseline.edition, overrides={**baseline.trace_values(), **dict(changes)})
        _check_can_be_dealt(rules, players)
    except (RulesError, InvalidGame):
        return None
    return rules if _ages_and_clans(rules, players) == _ages_and_clans(baseline, players) else None


def _ages_and_clans(rules: Rules, players: int) -> tuple[int, int]:
    """The number of ages and the number of clans in a game; in a search they never change."""
    return rules.ages(players), rules.clans_in_play(players)


def _check_can_be_dealt(rules: Rules, players: int) -> None:
    """Raise InvalidGame if the clans with the most or the fewest cards cannot be dealt."""
    by_cards = sorted(rules.clans, key=lambda clan: rules.number(clan, "times_cards"))
    size = rules.clans_in_play(players)
    for clans in (by_cards[:size], by_cards[-size:]):
        check_clans(rules, players, STANDARD, clans)


def make_space(baseline: Rules, dimensions: Sequence[Dimension], players: int) -> Space:
    """The space of a search.

    Args:
        baseline: the baseline rules.
        dimensions: the values to move; if two move the same factor, the later one counts.
        players: the number of players.

    Raises:
        WrongInput: a value is not known, has no effect with this number of players, or cannot move.
        InvalidGame: some clans cannot be dealt under the baseline.
    """
    _check_can_be_dealt(baseline, players)
    factors: dict[tuple[str, int | None], Factor] = {}
    for dimension in dimensions:
        field = baseline.fields.get(dimension.name)
        if field is None:
            known = name_hint(dimension.name, baseline.fields)
            raise WrongInput(f"there is no {baseline.value_kind} '{dimension.name}'{known}")
        if not field.players[0] <= players <= field.players[1]:
            raise WrongInput(f"{dimension.name} has no effect with {players} players")
        for factor in _factors(baseline, dimension, field, players):
            factors[factor.name, factor.element] = factor
    return Space(baseline, tuple(factors.values()), players)


def usual_dimensions(baseline: Rules, players: int) -> list[Dimension]:
    """Every value that can move and matters with this number of players; lists move as a whole.

    Raises:
        InvalidGame: some clans cannot be dealt under the baseline.
    """
    make_space(baseline, [], players)
    movable = []
    for name in baseline.fields:
        dimension = Dimension(name=name, moves_whole_list=True)
        with contextlib.suppress(WrongInput):  # The value cannot move.
            make_space(baseline, [dimension], players)
            movable.append(dimension)
    return movable


def _factors(baseline: Rules, dimension: Dimension, field: RuleField, players: int) -> list[Factor]:
    """The factors of a value: one, or one for each element of a short list."""
    name, element, value = dimension.name, dimension.element, baseline.values()[dimension.name]
    if not isinstance(value, tuple):
        if element is not None:
            raise WrongInput(f"{name} is not a list, so it has no element {element}")
        return [_factor(baseline, dimension, field, int(value), players)]
    if not value:
        raise WrongInput(f"{name} is an empty list, which cannot move: set it first")
    if element is not None:
        if element >= len(value):
            raise WrongInput(
                f"{name} has no element {element}: it has {len(value)}, counted from 0"
            )
        return [_factor(baseline, dimension, field, value[element], players)]
    if dimension.moves_whole_list or len(value) > MOST_ELEMENTS:
        reach = max(LEAST_REACH, round(sum(map(abs, value)) / len(value)))
        levels = dimension.levels or tuple(range(-reach, reach + 1))
        return [_with_allowed_levels(baseline, Factor(name, None, True, levels, 0), 0, players)]
    factors = []
    for place, number in enumerate(value):
        with contextlib.suppress(WrongInput):  # The other elements may allow one level only.
            single = replace(dimension, element=place)
            factors.append(_factor(baseline, single, field, number, players))
    if not factors:
        raise WrongInput(f"{name} cannot move: no element can change alone")
    return factors


def _factor(
    baseline: Rules, dimension: Dimension, field: RuleField, number: int, players: int
) -> Factor:
    """The factor of a number, a switch or an element, which is `number` in the baseline."""
    if dimension.levels:
        levels = dimension.levels
    elif field.switch:
        levels = (0, 1)
    elif field.choices:
        levels = field.choices
    else:
        reach = max(abs(number), LEAST_REACH)
        levels = tuple(range(max(field.low, number - reach), min(field.high, number + reach) + 1))
    factor = Factor(dimension.name, dimension.element, False, levels, 0)
    return _with_allowed_levels(baseline, factor, number, players)


def _with_allowed_levels(baseline: Rules, factor: Factor, number: int, players: int) -> Factor:
    """The factor with only the levels that the rules allow; `number` is the baseline's level."""
    field = baseline.fields[factor.name]
    levels = tuple(
        level
        for level in sorted({*factor.levels, number})
        if factor.shifts_list or field.switch or field.low <= level <= field.high
    )
    if len(levels) > MOST_LEVELS:
        raise WrongInput(f"{factor.label} has {len(levels)} levels; give it {MOST_LEVELS} at most")
    checked = replace(factor, levels=levels, baseline_index=levels.index(number))
    if factor.element is None:  # An element is not tried alone: others may have to move with it.
        alone = Space(baseline, (checked,), players)
        levels = tuple(levels[place] for place in range(len(levels)) if alone.rules((place,)))
        checked = replace(checked, levels=levels, baseline_index=levels.index(number))
    if len(levels) < 2:
        raise WrongInput(
            f"{factor.label} cannot move: every other number breaks a rule, or changes how many "
            "ages or clans a game has"
        )
    return checked


def variant_values(space: Space, point: Point) -> Mapping[str, object]:
    """The values of a point that differ from the printed rules, for a variant file's [set]."""
    rules = space.rules(point)
    assert rules is not None, "only valid points are recommended"
    printed = load_rules(space.base_rules.edition).trace_values()
    return {name: value for name, value in rules.trace_values().items() if value != printed[name]}
