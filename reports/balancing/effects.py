"""What each value does: its effect on every target, ranked, with intervals that hold together.

The design: the baseline, and each value alone moved up and moved down. All rule sets play common
deals, of which one value alone changes little: what is estimated are differences, in which shared
luck cancels, and a value without any effect differs by nothing at all. A two-level design that
moves all values at once (Plackett & Burman 1946, Biometrika 33: 305-325) would have every game tell
of every value. With nearly a hundred of them it is no longer the game that is asked about: products
of three and more values, which such a design cannot tell from what one does, were as large there as
the effects themselves.

An effect is what the number changes when the value alone goes up by a few steps from where it
stands. For the spread of the clans that is the covariance, over the clans, of where their power
stands and of what the value does to it, divided by the spread: a value narrows the clans where it
takes from the strong.
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
from ethnos_sim.reports.balancing.evaluating import Evaluations, Journal, clan_sets_of, open_folder
from ethnos_sim.reports.balancing.numbers import Prepared
from ethnos_sim.reports.estimators.catalog import ESTIMANDS
from ethnos_sim.reports.rendering.document import NOTICE, Block, Document, Items, Section
from ethnos_sim.reports.rendering.numbers import difference_unit, whole
from ethnos_sim.reports.rendering.table import Column, Table, rows_of

SURE = 0.05
"""Up to which p, corrected for all values and targets, an effect is told."""

PART = 4
"""A value goes a quarter of the way to the farther end of its range, a step at least."""

USUAL_EVALUATIONS = 6
"""Evaluations unless games are given: twelve clan sets, as many as finalists are validated on."""

MOST_EVALUATIONS = 12
"""Laying tables takes time; more games than these evaluations have are more deals for each."""


@dataclass(frozen=True, slots=True)
class Moved:
    """One value moved alone.

    Attributes:
        factor: the value; steps: by how many.
        up, down: the rule sets; None where the rules allow none.
    """

    factor: Factor
    steps: int
    up: Point | None
    down: Point | None

    def effect(self, numbers: Mapping[Point, Estimates], start: Point) -> Estimates:
        """What the value adds that goes up by its steps: half of up less down, where both are.

        Args:
            numbers: what was measured of each point, over the same blocks of deals.
            start: the baseline.
        """
        part = 0.5 if self.up and self.down else 1.0
        return weighted_sum(
            [(part, numbers[self.up or start]), (-part, numbers[self.down or start])]
        )


def screening(space: Space) -> list[Moved]:
    """The screening design of a space: every value that can move alone.

    A value goes fewer steps where the rules allow no more of them either way.
    """
    found = []
    for place, factor in enumerate(space.factors):
        ways = factor.start, len(factor.levels) - 1 - factor.start
        for steps in range(max(1, min(max(ways) // PART, min(ways) or max(ways))), 0, -1):
            up, down = (_moved(space, place, by) for by in (steps, -steps))
            if up or down:
                found.append(Moved(factor, steps, up, down))
                break
    return found


def _moved(space: Space, place: int, steps: int) -> Point | None:
    """The point at which one factor alone is moved; None where it is none."""
    level = space.start[place] + steps
    if not 0 <= level < len(space.factors[place].levels):
        return None
    point = (*space.start[:place], level, *space.start[place + 1 :])
    return point if space.rules(point) is not None else None


@dataclass(frozen=True, slots=True, eq=False)
class Effects:
    """What all values do.

    Attributes:
        title: what was screened, in a line.
        numbers: what every value does to every number, by number, the strongest first: labelled by
            `target`, `value_moved`, the `steps` that it goes `up_from` where it stands, and
            `p_holm`: of "it does nothing", corrected over all.
        games: how many were played, at how many rule sets.
        points: rule sets.
        players: who played.
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
    prepared: Prepared,
    player: Player,
    say: Callable[[str], None] = lambda line: None,
) -> Effects:
    """Play a screening design and estimate every effect.

    All rule sets share the deals and the clan sets of every evaluation: what these alone do is the
    same for all, and is taken for no value's doing.

    Args:
        prepared: the values to move, and the targets.
        player: of evaluations.
        say: called with a line before every evaluation.
    """
    spec, start = prepared.spec, prepared.space.start
    design = screening(prepared.space)
    points = [start, *(point for each in design for point in (each.up, each.down) if point)]
    games = len(points) * BLOCKS * player.games_per_round
    least = 1 if "search_games" in spec.model_fields_set else USUAL_EVALUATIONS
    evaluations = min(max(least, spec.search_games // games), MOST_EVALUATIONS)
    rounds = max(1, spec.search_games // (games * evaluations)) * BLOCKS
    played = []
    for number in range(evaluations):
        say(f"evaluation {number + 1} of {evaluations}, at {len(points)} rule sets")
        played.append(player.play(number, points, rounds))
    numbers = {
        point: weighted_sum([(1 / evaluations, row) for row in rows])
        for point, *rows in zip(points, *played, strict=True)
    }
    players = ", ".join(dict.fromkeys(spec.strategies))
    changes = [
        _change(target, numbers[start], each.effect(numbers, start))
        .in_unit(unit)
        .labelled(
            target=label,
            value_moved=each.factor.label,
            steps=each.steps,
            up_from=each.factor.text(each.factor.start),
            estimand="effect",
            name=each.factor.label,
            population=players,
        )
        for target in {goal.places: goal for goal in prepared.goals.targets}.values()
        for label, unit in [_told(prepared, target)]
        for each in design
    ]
    found = together(changes)
    found = found.labelled(p_holm=holm(found.p_values()))
    # In standard errors; 0 where nothing ever changed.
    size = np.nan_to_num(np.abs(ratio(found.value, found.standard_error)))
    order = np.lexsort((-size, np.arange(len(found)) // len(design)))
    return Effects(
        title=f"What each value does: {prepared.space.base.title}, {spec.players} players",
        numbers=found.at(order),
        games=evaluations * len(points) * rounds * player.games_per_round,
        points=len(points),
        players=players,
    )


def _told(prepared: Prepared, target: Goal) -> tuple[str, str]:
    """What a target is called, and the unit of what a value does to it.

    Of the edges of seats the first one's stands for all.
    """
    definition, name = prepared.numbers.every[target.places[0]]
    label = ESTIMANDS[definition].label_of(name)
    unit = difference_unit(ESTIMANDS[definition].unit_of(name))
    return "Spread of the clans" if target.spread else label, unit


def _change(target: Goal, standing: Estimates, effect: Estimates) -> Estimates:
    """What an effect on all that is measured does to a target."""
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


def screening_evaluations(prepared: Prepared, engine: Engine) -> Evaluations:
    """What plays a screening: more games are more evaluations, and so more clan sets."""
    return Evaluations(prepared, engine, clan_sets_of(0))


def screen_values(
    prepared: Prepared, folder: Path, engine: Engine, say: Callable[[str], None]
) -> Effects:
    """Screen in a folder, which keeps the evaluations and goes on with those that are there.

    Args:
        prepared: the values and the targets.
        folder: of the evaluations.
        engine: what plays; the result does not depend on it.
        say: called with a line before every evaluation.
    """
    open_folder(folder, prepared.spec, prepared.space, "effects")
    player = screening_evaluations(prepared, engine)
    return screen(prepared, Journal(folder, player, prepared.numbers.labels), say)


def as_document(effects: Effects) -> Document:
    """The effects as a document: what is told in short, then a table for each target."""
    facts = (
        f"{whole(effects.games)} games of {effects.points} rule sets, by {effects.players}; every "
        "seat kept from a clan of its own."
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


def _sentence(found: Estimates) -> str:
    """Which values move a number, in words."""
    sure = found.at(found["p_holm"] < SURE).names
    if not sure:
        return f"{found.only('target')}: no value is told to do anything."
    named = ", ".join(sure[:3])
    more = f" and {len(sure) - 3} more" if len(sure) > 3 else ""
    return f"{found.only('target')}: {named}{more} of {len(found)} values move it."


def _blocks(effects: Effects, target: str, place: int) -> tuple[Block, ...]:
    found = effects.of(target)
    about = ("target", "value_moved", "steps", "p_holm")
    rows = rows_of(found, *about, comparisons=len(effects.numbers))
    figure = lines_figure(
        f"effect-{place}",
        "Each value alone, up by the steps that the table states, the strongest first.",
        f"change of: {target}",
        {"": rows},
        "value_moved",
    )
    verdicts = ["moves it" if p < SURE else "may do nothing" for p in found["p_holm"]]
    table = Table(
        f"{target}: what it changes where the value alone goes up. All intervals of all tables "
        "hold together.",
        (
            Column("Value", found.names),
            Column("Up from", found["up_from"].tolist()),
            Column("By steps", found["steps"].tolist()),
            Column("Effect", rows),
            Column("Verdict", verdicts),
        ),
        stored="effects",
    )
    return figure, table
