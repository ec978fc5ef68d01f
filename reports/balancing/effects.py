"""What each value does: its effect on every target, ranked, with intervals that hold together.

An effect is what the number changes when the value alone goes up by a few steps from where it
stands (`screening`). For the spread of the clans
that is the covariance, over the clans, of where their power stands and of what the value does to
it, divided by the spread: a value narrows the clans where it takes from the strong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ethnos_sim.experiments.balancing.goals import stacked
from ethnos_sim.experiments.balancing.screening import screening
from ethnos_sim.experiments.balancing.search import Player
from ethnos_sim.experiments.balancing.space import Factor
from ethnos_sim.experiments.execution.engines import Engine
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import weighted_sum
from ethnos_sim.experiments.statistics.significance import holm
from ethnos_sim.reports.balancing.document import lines_figure
from ethnos_sim.reports.balancing.evaluating import Evaluations, Journal, clan_sets_of, open_folder
from ethnos_sim.reports.balancing.numbers import USUAL_SCREENED, Screened, screened
from ethnos_sim.reports.balancing.run import Prepared, evaluations_of
from ethnos_sim.reports.rendering.document import NOTICE, Block, Document, Items, Section
from ethnos_sim.reports.rendering.numbers import whole
from ethnos_sim.reports.rendering.table import Column, Row, Table

SURE = 0.05
"""Up to which p, corrected for all values and targets, an effect is told."""


@dataclass(frozen=True, slots=True, eq=False)
class Effect:
    """What one value does to one number.

    Attributes:
        factor: the value; steps: by how many it goes up.
        target: the number.
        change: of the number, with its pseudo-values.
        p: of "it does nothing", corrected by Holm over all values and targets.
    """

    factor: Factor
    steps: int
    target: Screened
    change: Estimates
    p: float


@dataclass(frozen=True, slots=True, eq=False)
class Effects:
    """What all values do.

    Attributes:
        found: every value and target, by target, the strongest first.
        comparisons: how many intervals hold together.
        games: how many were played, at how many rule sets.
        points: rule sets.
        players: who played.
    """

    title: str
    found: tuple[Effect, ...]
    targets: tuple[Screened, ...]
    comparisons: int
    games: int
    points: int
    players: str

    def of(self, target: Screened) -> tuple[Effect, ...]:
        """The effects on a target, the strongest first."""
        return tuple(each for each in self.found if each.target == target)


def screen(
    prepared: Prepared,
    targets: Sequence[Screened],
    player: Player,
    say: Callable[[str], None] = lambda line: None,
) -> Effects:
    """Play a screening design and estimate every effect.

    All rule sets share the deals and the clan sets of every evaluation: what these alone do is the
    same for all, and is taken for no value's doing.

    Args:
        prepared: the values to move.
        targets: what to measure.
        player: of evaluations; its numbers are those that the targets point into.
        say: called with a line before every evaluation.
    """
    start = prepared.space.start
    design = screening(prepared.space)
    points = [start, *(point for each in design for point in (each.up, each.down) if point)]
    spec = prepared.spec
    games = len(points) * BLOCKS * player.games_per_round
    least = 1 if "search_games" in spec.model_fields_set else USUAL_EVALUATIONS
    evaluations = min(max(least, spec.search_games // games), MOST_EVALUATIONS)
    rounds = range(max(1, spec.search_games // (games * evaluations)) * BLOCKS)
    played = []
    for number in range(evaluations):
        say(f"evaluation {number + 1} of {evaluations}, at {len(points)} rule sets")
        measured = player.play(number, points, [rounds] * len(points))
        played.append(dict(zip(points, measured, strict=True)))
    numbers = {
        point: weighted_sum([(1 / evaluations, evaluation[point].numbers) for evaluation in played])
        for point in points
    }
    players = ", ".join(dict.fromkeys(spec.strategies))
    changes = []
    for target in targets:
        for each in design:
            change = _change(target, numbers[start], each.effect(numbers, start))
            about = {"estimand": "effect", "name": each.factor.label, "population": players}
            changes.append((each, target, change.labelled(**about).in_unit(target.unit)))
    corrected = holm(np.asarray([change.p_values()[0] for _, _, change in changes]))
    found = [
        Effect(moved.factor, moved.steps, target, change, float(p))
        for (moved, target, change), p in zip(changes, corrected, strict=True)
    ]
    found.sort(key=lambda e: (targets.index(e.target), -abs(_standardized(e.change))))
    return Effects(
        title=f"What each value does: {prepared.space.base.title}, {spec.players} players",
        found=tuple(found),
        targets=tuple(targets),
        comparisons=len(found),
        games=sum(each.games for evaluation in played for each in evaluation.values()),
        points=len(points),
        players=players,
    )


USUAL_EVALUATIONS = 6
"""Evaluations unless games are given: twelve clan sets, as many as finalists are validated on."""

MOST_EVALUATIONS = 12
"""Laying tables takes time; more games than these evaluations have are more deals for each."""


def _standardized(change: Estimates) -> float:
    """A change in its standard errors; 0 where nothing ever changed."""
    error = float(change.standard_error[0])
    return float(change.value[0]) / error if error else 0.0


def _change(target: Screened, standing: Estimates, effect: Estimates) -> Estimates:
    """What an effect on all that is measured does to a number."""
    if not target.spread:
        return effect.at(target.places).reduced(lambda rows: rows.mean(axis=-1, keepdims=True))
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
    player = evaluations_of(prepared, engine)
    player.clan_sets = clan_sets_of(0)
    return player


def screen_values(
    prepared: Prepared,
    words: Sequence[str],
    folder: Path,
    engine: Engine,
    say: Callable[[str], None],
) -> Effects:
    """Screen in a folder, which keeps the evaluations and goes on with those that are there.

    Args:
        prepared: the values.
        words: the numbers to rank effects on; USUAL_SCREENED where none is named.
        folder: of the evaluations.
        engine: what plays; the result does not depend on it.
        say: called with a line before every evaluation.
    """
    spec, space = prepared.spec, prepared.space
    targets, numbers = screened(words or USUAL_SCREENED, space.base, spec.players, spec.strategies)
    open_folder(folder, spec, space, "effects")
    player = screening_evaluations(replace(prepared, numbers=numbers), engine)
    return screen(prepared, targets, Journal(folder, player, numbers), say)


def as_document(effects: Effects) -> Document:
    """The effects as a document: what is told in short, then a table for each target."""
    facts = (
        f"{whole(effects.games)} games of {effects.points} rule sets, by {effects.players}; every "
        "seat kept from a clan of its own."
    )
    sentences = tuple(_sentence(effects, target) for target in effects.targets)
    sections = (
        Section("summary", "In short", (Items(sentences),)),
        *(
            Section(f"effects-{place}", target.label, _blocks(effects, target, place))
            for place, target in enumerate(effects.targets)
        ),
    )
    return Document(effects.title, facts, NOTICE, sections)


def _sentence(effects: Effects, target: Screened) -> str:
    """Which values move a number, in words."""
    sure = [each for each in effects.of(target) if each.p < SURE]
    if not sure:
        return f"{target.label}: no value is told to do anything."
    named = ", ".join(each.factor.label for each in sure[:3])
    more = f" and {len(sure) - 3} more" if len(sure) > 3 else ""
    return f"{target.label}: {named}{more} of {len(effects.of(target))} values move it."


def _blocks(effects: Effects, target: Screened, place: int) -> tuple[Block, ...]:
    lines = effects.of(target)
    rows = [
        Row(
            {"target": target.label, "value_moved": each.factor.label, "steps": each.steps},
            each.change.estimates(effects.comparisons)[0],
            {"p_holm": each.p},
        )
        for each in lines
    ]
    figure = lines_figure(
        f"effect-{place}",
        "Each value alone, up by the steps that the table states, the strongest first.",
        f"change of: {target.label}",
        {"": rows},
        "value_moved",
    )
    table = Table(
        f"{target.label}: what it changes where the value alone goes up. All intervals of all "
        "tables hold together.",
        (
            Column("Value", [each.factor.label for each in lines]),
            Column("Up from", [each.factor.text(each.factor.start) for each in lines]),
            Column("By steps", [each.steps for each in lines]),
            Column("Effect", rows),
            Column(
                "Verdict", ["moves it" if each.p < SURE else "may do nothing" for each in lines]
            ),
        ),
        stored="effects",
    )
    return figure, table
