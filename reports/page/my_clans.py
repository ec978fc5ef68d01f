"""What the page answers of a reader's own clans: the model of clans in company, for its script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ethnos_sim.experiments.designs.interventions import RESTRICTED
from ethnos_sim.reports.estimators.company import CompanyModel, fit_company
from ethnos_sim.reports.evidence.evidence import Evidence, Situation
from ethnos_sim.reports.page.played import Played
from ethnos_sim.reports.page.views import sections_of
from ethnos_sim.reports.rendering.document import Choice
from ethnos_sim.reports.rendering.labels import clan_label

DIGITS = 5
"""Decimals of winning chances and effects that the page is given."""

COVARIANCES = 1e8
"""The page is given covariances as whole numbers of parts of one, since it has many of them."""


def choices(evidence: Evidence, played: Played) -> Iterator[Choice]:
    """What can be chosen, the table that is shown first before all others."""
    usual = played.usual
    for situation in sorted(played.tables, key=lambda each: each != usual):
        yield Choice(_facts(evidence, played, situation), sections_of(played, situation))


def _facts(evidence: Evidence, played: Played, situation: Situation) -> dict[str, Any]:
    """One kind of table as `Choice` in templates/company.js."""
    setting, rules = situation.setting, played.rules[situation.setting]
    restricted = evidence.interventions.get((situation, RESTRICTED))
    speaks = (
        situation.population == played.population
    )  # Others' models would take most of the time.
    model = fit_company(restricted) if restricted is not None and speaks else None
    return {
        "edition": played.edition(setting),
        "mode": setting.mode,
        "players": situation.players,
        "who": situation.population,
        "size": rules.clans_in_play(situation.players),
        "clans": {clan: clan_label(clan) for clan in rules.clans},
        "sets": model.sets if model else 0,
        "leftover": model.leftover if model else 0.0,
        "worth": _worth(model) if model else {},
    }


def _worth(model: CompanyModel) -> Mapping[str, Any]:
    """The model of every clan."""
    return {clan: clan_model(model, clan) for clan in model.clans}


def clan_model(model: CompanyModel, clan: str) -> dict[str, Any]:
    """The model of a clan; of its covariance the lower triangle, row by row."""
    found = model.clans[clan]
    triangle = found.covariance[np.tril_indices(len(found.mean))]
    return {
        "others": list(found.others),
        "mean": np.round(found.mean, DIGITS).tolist(),
        "covariance": np.rint(COVARIANCES * triangle).astype(int).tolist(),
    }
