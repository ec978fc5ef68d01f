"""Sets of clans that were never played: predictions hold what they say, in Python and page."""

from __future__ import annotations

import itertools
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from inside.reports.estimators import LEAST_SETS, fit_interactions
from inside.reports.page import clan_model
from node import node_program
from toy_interactions import CLANS, Truth

TEMPLATES = Path(__file__).parents[2] / "reports" / "rendering" / "templates"


@pytest.mark.parametrize(("interaction", "leftover"), [(0.02, 0.005), (0.0, 0.0), (0.04, 0.02)])
def test_intervals_of_sets_that_were_not_played_hold_the_worth(interaction, leftover) -> None:
    """About 3,000 predictions a case in 12 draws of the truth; the limits leave room for those."""
    inside = []
    for seed in range(12):
        truth = Truth(seed, interaction, leftover)
        sums = truth.played(sets=44, games=300)
        model = fit_interactions(sums)
        played = set(sums.clan_sets)
        fresh = [each for each in itertools.combinations(sorted(CLANS), 6) if each not in played]
        for clans in fresh[::10]:
            for clan in clans:
                value, half = model.clans[clan].predict(clans, model.leftover)
                inside.append(abs(value - truth.worth(clans, clan)) <= half)
    assert 0.92 <= np.mean(inside) <= 0.99, np.mean(inside)


def test_more_games_bring_predictions_nearer_and_intervals_closer() -> None:
    off, width = [], []
    for games in (100, 10_000):
        truth = Truth(7)
        model = fit_interactions(truth.played(sets=44, games=games))
        clans = tuple(sorted(CLANS)[:6])
        found = [model.clans[clan].predict(clans, model.leftover) for clan in clans]
        true = [truth.worth(clans, clan) for clan in clans]
        off.append(np.mean(np.abs([value for value, _ in found] - np.array(true))))
        width.append(np.mean([half for _, half in found]))
    assert off[1] < off[0]
    assert width[1] < width[0] / 2


def test_too_few_sets_make_no_model() -> None:
    assert fit_interactions(Truth(1).played(sets=LEAST_SETS - 1, games=100)) is None


def test_sums_of_two_sweeps_add_up_by_set() -> None:
    sums = Truth(1).played(sets=12, games=100)
    both = sums.plus(sums)
    for clans in sums.clan_sets:
        one, two = sums.of_set(clans), both.of_set(clans)
        assert np.array_equal(two.games_by_clan, 2 * one.games_by_clan)
        assert two.arrays["won"].sum() == 2 * one.arrays["won"].sum()


def test_the_page_predicts_what_the_model_does() -> None:
    model = fit_interactions(Truth(3).played(sets=44, games=300))
    sets = list(itertools.combinations(sorted(CLANS), 6))[::30]
    asked = [(clan_model(model, clan), clans, model.leftover) for clans in sets for clan in clans]
    script = (
        f'import {{ predict }} from "{(TEMPLATES / "interactions.js").as_uri()}";'
        'import { readFileSync } from "node:fs";'
        "const asked = JSON.parse(readFileSync(0, 'utf8'));"
        "console.log(JSON.stringify(asked.map((one) => predict(...one))));"
    )
    done = subprocess.run(
        [node_program(), "--input-type=module", "--eval", script],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    found = np.array(json.loads(done.stdout))
    expected = [
        model.clans[clan].predict(clans, model.leftover) for clans in sets for clan in clans
    ]
    assert np.abs(found - np.array(expected)).max() < 2e-4
