"""The effect of each value on every target, ranked, with simultaneous intervals.

The design plays the baseline and, for each value, a rule set in which it alone moves up and one in
which it alone moves down. All rule sets play the same deals. Moving one value changes few events of
a game, so shared luck cancels in the differences, and a value without any effect has a difference
of exactly 0. A two-level design that moves all values at once (Plackett & Burman 1946, Biometrika
33: 305-325) would learn about every value from every game. But moving nearly a hundred values makes
a different game. In it, interactions of three or more values were as large as the effects of single
values, and such a design cannot separate the two.

An effect is the change of a number when the value alone goes up by a few steps from the baseline.
The effect on the spread of the clans is the covariance, over the clans, of their power and its
change, divided by the spread: a value narrows the spread if it weakens the strong clans.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ethnos_sim.experiments.balancing.goals import Goal, stacked
from ethnos_sim.experiments.balancing.search import Player
from ethnos_sim.experiments.balancing.space import Factor, Point, Space
from ethnos_sim.experiments.execution.engines import Engine
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import ratio, together, weighted_sum
from ethnos_sim.experiments.statistics.significance import holm
from ethnos_sim.reports.balancing.document import lines_figure
from ethnos_sim.reports.balancing.evaluations import Evaluations, Journal, clan_sets_of, open_folder
from ethnos_sim.reports.balancing.numbers import PreparedSearch
from ethnos_sim.reports.estimators.catalog import ESTIMANDS
from ethnos_sim.reports.rendering.document import NOTICE, Block, Document, Items, Section
from ethnos_sim.reports.rendering.numbers import difference_unit, whole
from ethnos_sim.reports.rendering.table import Column, Table, rows_of

SURE = 0.05
"""The largest p-value, corrected for all values and targets, at which an effect is reported."""

PART = 4
"""A value goes a quarter of the way to the farther end of its range, and at least one step."""

USUAL_EVALUATIONS = 6
"""The default number of evaluations. They have twelve clan sets together, as a validation has."""

MOST_EVALUATIONS = 12
"""The most evaluations. Preparing tables takes time, so a larger budget adds deals to each one."""


@dataclass(frozen=True, slots=True)
class SingleChange:
    """One value that is moved alone.

    Attributes:
        factor: the value.
        steps: the number of steps that it moves.
        up, down: the rule set with the value moved up, and down; None if the rules forbid it.
    """

    factor: Factor
    steps: int
    up: Point | None
    down: Point | None

    def effect(self, numbers: Mapping[Point, Estimates], start: Point) -> Estimates:
        """The effect of moving the value up: half the difference between up and down.

        If `up` or `down` is missing, the effect is the whole difference from the baseline.

        Args:
            numbers: the numbers of each point, over the same blocks of deals.
            start: the baseline.
        """
        part = 0.5 if self.up and self.down else 1.0
        return weighted_sum(
            [(part, numbers[self.up or start]), (-part, numbers[self.down or start])]
        )


def screening(space: Space) -> list[SingleChange]:
    """The screening design of a space: every value that can move alone.

    A value moves by fewer steps if the rules forbid the usual number in both directions.
    """
    design = []
    for place, factor in enumerate(space.factors):
        ways = factor.start, len(factor.levels) - 1 - factor.start
        for steps in range(max(1, min(max(ways) // PART, min(ways) or max(ways))), 0, -1):
            up, down = (_point_after(space, place, step) for step in (steps, -steps))
            if up or down:
                design.append(SingleChange(factor, steps, up, down))
                break
    return design


def _point_after(space: Space, place: int, steps: int) -> Point | None:
    """The baseline with one factor moved; None if the factor's range or the rules forbid it."""
    level = space.start[place] + steps
    if not 0 <= level < len(space.factors[place].levels):
        return None
    point = (*space.start[:place], level, *space.start[place + 1 :])
    return point if space.rules(point) is not None else None


@dataclass(frozen=True, slots=True, eq=False)
class Effects:
    """The effects of all values.

    Attributes:
        title: a line that says what was screened.
        numbers: the effect of every value on every target, by target, the strongest first. Labels
            are `target`, `value_moved`, `steps`, `up_from` (the baseline's value) and `p_holm` (the
            p-value of no effect, corrected over all).
        games: the number of games.
        points: the number of rule sets.
        players: the strategies that played.
    """

    title: str
    numbers: Estimates
    games: int
    points: int
    players: str

    def of(self, target: str) -> Estimates:
        """The effects on a target, the strongest first."""
        return self.numbers.where(target=target)


def screen(
    prepared: PreparedSearch,
    player: Player,
    say: Callable[[str], None] = lambda line: None,
) -> Effects:
    """Play a screening design and estimate every effect.

    All rule sets share the deals and clan sets of every evaluation, so luck with deals or clan sets
    is not mistaken for an effect.

    Args:
        prepared: the values to move, and the targets.
        player: plays evaluations.
        say: called with a line before every evaluation.
    """
    spec, start = prepared.spec, prepared.space.start
    design = screening(prepared.space)
    points = [start, *(point for single in design for point in (single.up, single.down) if point)]
    games = len(points) * BLOCKS * player.games_per_round
    least = 1 if "search_games" in spec.model_fields_set else USUAL_EVALUATIONS
    evaluations = min(max(least, spec.search_games // games), MOST_EVALUATIONS)
    rounds = max(1, spec.search_games // (games * evaluations)) * BLOCKS
    evaluated = []
    for number in range(evaluations):
        say(f"evaluation {number + 1} of {evaluations}, at {len(points)} rule sets")
        evaluated.append(player.play(number, points, rounds))
    numbers = {
        point: weighted_sum([(1 / evaluations, row) for row in rows])
        for point, *rows in zip(points, *evaluated, strict=True)
    }
    players = ", ".join(dict.fromkeys(spec.strategies))
    changes = [
        _effect_on(target, numbers[start], single.effect(numbers, start))
        .in_unit(unit)
        .labelled(
            target=label,
            value_moved=single.factor.label,
            steps=single.steps,
            up_from=single.factor.text(single.factor.start),
            estimand="effect",
            name=single.factor.label,
            population=players,
        )
        for target in {goal.places: goal for goal in prepared.goals.targets}.values()
        for label, unit in [_label_and_unit(prepared, target)]
        for single in design
    ]
    effects = together(changes)
    effects = effects.labelled(p_holm=holm(effects.p_values()))
    # Effects in standard errors; 0 if nothing ever changed.
    size = np.nan_to_num(np.abs(ratio(effects.value, effects.standard_error)))
    order = np.lexsort((-size, np.arange(len(effects)) // len(design)))
    return Effects(
        title=f"What each value does: {prepared.space.base.title}, {spec.players} players",
        numbers=effects.at(order),
        games=evaluations * len(points) * rounds * player.games_per_round,
        points=len(points),
        players=players,
    )


def _label_and_unit(prepared: PreparedSearch, target: Goal) -> tuple[str, str]:
    """The label of a target, and the unit of effects on it.

    A target of several numbers has the label of the first; seats are measured by the first seat.
    """
    definition, name = prepared.numbers.keys[target.places[0]]
    label = ESTIMANDS[definition].label_of(name)
    unit = difference_unit(ESTIMANDS[definition].unit_of(name))
    return "Spread of the clans" if target.spread else label, unit


def _effect_on(target: Goal, standing: Estimates, effect: Estimates) -> Estimates:
    """The effect of a value on a target.

    Args:
        target: the target.
        standing: all measured numbers at the baseline.
        effect: the effect of the value on each of these numbers.
    """
    if not target.spread:
        return effect.at(target.places[:1])
    clans = len(target.places)
    both = stacked([standing.at(target.places), effect.at(target.places)])

    def spread(rows: FloatArray) -> FloatArray:
        stands, does = rows[..., :clans], rows[..., clans:]
        off = stands - stands.mean(axis=-1, keepdims=True)
        together = (off * does).sum(axis=-1) / (clans - 1)
        return np.asarray(together / stands.std(axis=-1, ddof=1))[..., None]

    return both.reduced(spread)


def screening_evaluations(prepared: PreparedSearch, engine: Engine) -> Evaluations:
    """The player of a screening: its evaluations have two clan sets, so that many can be played."""
    return Evaluations(prepared, engine, clan_sets_of(0))


def screen_values(
    prepared: PreparedSearch, folder: Path, engine: Engine, say: Callable[[str], None]
) -> Effects:
    """Screen in a folder that stores evaluations; stored evaluations are not played again.

    Args:
        prepared: the values and the targets.
        folder: the folder of the evaluations.
        engine: what plays; the result does not depend on it.
        say: called with a line before every evaluation.
    """
    open_folder(folder, prepared.spec, prepared.space, "effects")
    player = screening_evaluations(prepared, engine)
    return screen(prepared, Journal(folder, player, prepared.numbers.labels), say)


def as_document(effects: Effects) -> Document:
    """The effects as a document: a summary, then a table for each target."""
    facts = (
        f"{whole(effects.games)} games of {effects.points} rule sets, by {effects.players}; every "
        "seat gives up a different clan."
    )
    targets = dict.fromkeys(effects.numbers["target"])
    sentences = tuple(_sentence(effects.of(target)) for target in targets)
    sections = (
        Section("summary", "In short", (Items(sentences),)),
        *(
            Section(f"effects-{place}", target, _blocks(effects, target, place))
            for place, target in enumerate(targets)
        ),
    )
    return Document(effects.title, facts, NOTICE, sections)


def _sentence(effects: Estimates) -> str:
    """A sentence that names the values that move a target."""
    moving = effects.at(effects["p_holm"] < SURE).names
    if not moving:
        return f"{effects.only('target')}: no value has a significant effect."
    named = ", ".join(moving[:3])
    more = f" and {len(moving) - 3} more" if len(moving) > 3 else ""
    return f"{effects.only('target')}: {named}{more} of {len(effects)} values move it."


def _blocks(effects: Effects, target: str, place: int) -> tuple[Block, ...]:
    numbers = effects.of(target)
    about = ("target", "value_moved", "steps", "p_holm")
    rows = rows_of(numbers, *about, comparisons=len(effects.numbers))
    figure = lines_figure(
        f"effect-{place}",
        "The effect of each value alone, up by the steps in the table; the strongest first.",
        f"change of: {target}",
        {"": rows},
        "value_moved",
    )
    verdicts = ["moves it" if p < SURE else "may do nothing" for p in numbers["p_holm"]]
    table = Table(
        f"{target}: its change when the value alone goes up. All intervals of all tables "
        "hold together.",
        (
            Column("Value", numbers.names),
            Column("Up from", numbers["up_from"].tolist()),
            Column("By steps", numbers["steps"].tolist()),
            Column("Effect", rows),
            Column("Verdict", verdicts),
        ),
        stored="effects",
    )
    return figure, table
