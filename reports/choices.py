"""What a reader may choose on the page: a table and its clans, with what was found out about them.

For every situation with restricted play it holds what the page needs to answer for any set of
clans: the model of `reports.estimators.company`, the sets that were played, seats, length, and what
winners do; and the sections that follow it. The page's script (templates/my_table.js) shows them;
nothing of it is needed to read the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ethnos_sim.experiments.designs.interventions import RESTRICTED
from ethnos_sim.experiments.statistics.estimate import Estimate
from ethnos_sim.reports.estimators.company import CompanyModel, Z, fit_company, played_worth
from ethnos_sim.reports.estimators.game_shape import measure_shape
from ethnos_sim.reports.estimators.seat_edge import measure_seat_edge
from ethnos_sim.reports.estimators.skill_trend import strength
from ethnos_sim.reports.estimators.usage import USAGE_GAP, measure_usage
from ethnos_sim.reports.estimators.winners_ways import WAYS, measure_winners_ways
from ethnos_sim.reports.evidence.evidence import Evidence, Situation
from ethnos_sim.reports.evidence.intervention_sums import InterventionSums
from ethnos_sim.reports.evidence.sums import Sums
from ethnos_sim.reports.following import clans_of, games_of
from ethnos_sim.reports.rendering.document import Choice
from ethnos_sim.reports.rendering.labels import clan_label, setting_key, setting_label
from ethnos_sim.reports.sections.chapter import Chapter

DIGITS = 5
"""Decimals of winning chances and effects that the page is given."""

COVARIANCES = 1e8
"""The page is given covariances as whole numbers of parts of one, since it has many of them."""

LEAST_GAMES = 200
"""Games of a clan in a set from which on what was played there is shown beside the model."""


def choices(evidence: Evidence) -> list[Choice]:
    """What can be chosen, situation by situation; of who played, the strongest comes first."""
    models: dict[Situation, CompanyModel] = {}
    for (situation, kind), sums in evidence.interventions.items():
        model = fit_company(sums) if kind == RESTRICTED else None
        if model is not None:
            models[situation] = model
    order = list(dict.fromkeys(each.setting for each in evidence.all_situations))
    found = sorted(
        models,
        key=lambda each: (
            order.index(each.setting),
            each.players,
            -strength(each.population),
            each.population,
        ),
    )
    return [_choice(evidence.only(each), each, models[each]) for each in found]


def _choice(evidence: Evidence, situation: Situation, model: CompanyModel) -> Choice:
    """One situation, from evidence that holds nothing else."""
    setting, players = situation.setting, situation.players
    rules = evidence.rules(setting)
    named = f"-{setting.rules}" if setting.rules else ""
    title = setting_label(rules, setting) + (f", {setting.rules}" if setting.rules else "")
    facts: dict[str, Any] = {
        "setting": setting_key(setting).removesuffix("-standard") + named,
        "title": title,
        "players": players,
        "who": situation.population,
        "size": rules.clans_in_play(players),
        "clans": {clan: clan_label(clan) for clan in rules.clans},
        "sets": model.sets,
        "leftover": model.leftover,
        "worth": {clan: clan_model(model, clan) for clan in model.clans},
        "played": _played(evidence.interventions[situation, RESTRICTED]),
        "seat": None,
        "turns": None,
        "ways": [],
        "gaps": {},
    }
    if situation in evidence.situations:
        facts |= _ordinary(evidence.of(situation), situation.population)
    chapter = Chapter(evidence, setting)
    return Choice(facts, (*clans_of([chapter]), *games_of([chapter])))


def clan_model(model: CompanyModel, clan: str) -> dict[str, Any]:
    """The model of a clan; of its covariance the lower triangle, row by row."""
    found = model.clans[clan]
    triangle = found.covariance[np.tril_indices(len(found.mean))]
    return {
        "others": list(found.others),
        "mean": np.round(found.mean, DIGITS).tolist(),
        "covariance": np.rint(COVARIANCES * triangle).astype(int).tolist(),
    }


def _played(sums: InterventionSums) -> dict[str, dict[str, list[float]]]:
    """Restricted play in each set that was played, by its clans: value and half an interval."""
    found: dict[str, dict[str, list[float]]] = {}
    for clans in sums.clan_sets:
        played = sums.of_set(clans)
        games = played.games_by_clan.sum(axis=0)
        rows = zip(sums.clans, games, *played_worth(played), strict=True)
        shown = {
            clan: [round(float(worth), 4), round(Z * float(np.sqrt(chance)), 4)]
            for clan, of, worth, chance in rows
            if of >= LEAST_GAMES
        }
        if shown:
            found[",".join(clans)] = shown
    return found


def _ordinary(sums: Sums, population: str) -> Mapping[str, Any]:
    """What games tell in which nobody is restricted."""
    shape = {
        each.name: each
        for measured in measure_shape(sums, population)
        for each in measured.estimates()
    }
    ways = measure_winners_ways(sums, population).estimates()
    gaps = measure_usage(sums, USAGE_GAP.name, population).estimates()
    return {
        "seat": _pair(measure_seat_edge(sums, population).estimates()[0]),
        "turns": _pair(shape["turns"]),
        "ways": [[WAYS[each.name].label, *found] for each in ways if (found := _pair(each))],
        "gaps": {each.name: found for each in gaps if (found := _pair(each))},
        "games": sums.games,
    }


def _pair(estimate: Estimate) -> list[float] | None:
    """A value and half its interval; None where it has none."""
    if estimate.value is None or estimate.half_width is None:
        return None
    return [round(estimate.value, DIGITS), round(estimate.half_width, DIGITS)]
