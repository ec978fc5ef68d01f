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
from ethnos_sim.experiments.execution.engines import Engine
from ethnos_sim.experiments.statistics.blocks import BLOCKS
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray
from ethnos_sim.experiments.statistics.jackknife import ratio, together, weighted_sum
from ethnos_sim.experiments.statistics.significance import holm
from ethnos_sim.reports.balancing.document import lines_figure
from ethnos_sim.reports.balancing.evaluating import Evaluations, Journal, clan_sets_of, open_folder
from ethnos_sim.reports.balancing.numbers import USUAL_SCREENED, Screened, screened
from ethnos_sim.reports.balancing.run import Prepared, evaluations_of
from ethnos_sim.reports.rendering.document import NOTICE, Block, Document, Items, Section
from ethnos_sim.reports.rendering.numbers import whole
from ethnos_sim.reports.rendering.table import Column, Table, rows_of

SURE = 0.05
"""Up to which p, corrected for all values and targets, an effect is told."""


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
        point: weighted_sum([(1 / evaluations, evaluation[point]) for evaluation in played])
        for point in points
    }
    players = ", ".join(dict.fromkeys(spec.strategies))
    changes = [
        _change(target, numbers[start], each.effect(numbers, start))
        .in_unit(target.unit)
        .labelled(
            target=target.label,
            value_moved=each.factor.label,
            steps=each.steps,
            up_from=each.factor.text(each.factor.start),
            estimand="effect",
            name=each.factor.label,
            population=players,
        )
        for target in targets
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
        games=evaluations * len(points) * len(rounds) * player.games_per_round,
        points=len(points),
        players=players,
    )


USUAL_EVALUATIONS = 6
"""Evaluations unless games are given: twelve clan sets, as many as finalists are validated on."""

MOST_EVALUATIONS = 12
"""Laying tables takes time; more games than these evaluations have are more deals for each."""


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
