"""Predictions for clan sets that were never played hold as claimed, in Python and in the page."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from inside.experiments.designs import balanced_sample
from inside.reports.estimators import LEAST_SETS, fit_interactions
from inside.reports.page import clan_model
from pages import evaluated
from toy_numbers import one_seat_sums

from ethnos_sim.experiments import BLOCKS
from ethnos_sim.reports import InterventionSums
from ethnos_sim.simulator import load_rules

TEMPLATES = Path(__file__).parents[2] / "reports" / "rendering" / "templates"
CLANS = tuple(clan for clan in load_rules("second").clans if clan != "dog")
PLAYERS = 4


class Truth:
    """Clans whose worth in a set is drawn from the model.

    `interaction` and `leftover` are the standard deviations of the model.
    """

    def __init__(self, seed: int, interaction: float = 0.02, leftover: float = 0.005) -> None:
        """Draw the worth of every clan in every set."""
        self._rng = np.random.default_rng(seed)
        self._mean = dict(zip(CLANS, self._rng.normal(0.08, 0.05, len(CLANS)), strict=True))
        self._effects = self._rng.normal(0, interaction, (len(CLANS), len(CLANS)))
        self._leftover, self._sets = leftover, dict[tuple[tuple[str, ...], str], float]()

    def worth(self, clans: tuple[str, ...], clan: str) -> float:
        """The worth of a clan in a set of clans."""
        key = tuple(sorted(clans)), clan
        if key not in self._sets:
            row = self._effects[CLANS.index(clan)]
            others = sum(row[CLANS.index(other)] for other in clans if other != clan)
            self._sets[key] = self._mean[clan] + others + self._rng.normal(0, self._leftover)
        return self._sets[key]

    def played(self, sets: int, games: int, size: int = 6) -> InterventionSums:
        """The sums of restricted play in `sets` clan sets, with `games` games for each clan."""
        chosen = [tuple(sorted(clans)) for clans in balanced_sample(CLANS, size, sets, 1)]
        into_blocks = np.random.default_rng(1)
        tables = tuple((clans, (clan,)) for clans in chosen for clan in clans)
        lost, won = (np.zeros((BLOCKS, len(tables)), np.int64) for _ in range(2))
        for place, (clans, (clan,)) in enumerate(tables):
            share = min(1.0, max(0.0, 1 / PLAYERS - self.worth(clans, clan)))
            wins = int(self._rng.binomial(games, share))
            for array, count in ((lost, games - wins), (won, wins)):
                array[:, place] = into_blocks.multinomial(count, [1 / BLOCKS] * BLOCKS)
        return one_seat_sums(CLANS, PLAYERS, lost + won, 60 * won, tables)


@pytest.mark.parametrize(("interaction", "leftover"), [(0.02, 0.005), (0.0, 0.0), (0.04, 0.02)])
def test_intervals_for_unplayed_clan_sets_cover_the_true_worth(interaction, leftover) -> None:
    """Each case has about 3,000 predictions but only 12 draws; the limits allow for this."""
    inside = []
    for seed in range(12):
        truth = Truth(seed, interaction, leftover)
        sums = truth.played(sets=44, games=300)
        model = fit_interactions(sums)
        played = set(sums.clan_sets)
        fresh = [names for names in itertools.combinations(sorted(CLANS), 6) if names not in played]
        for clans in fresh[::10]:
            for clan in clans:
                value, half = model.clans[clan].predict(clans, model.leftover)
                inside.append(abs(value - truth.worth(clans, clan)) <= half)
    assert 0.92 <= np.mean(inside) <= 0.99, np.mean(inside)


def test_more_games_make_predictions_better_and_intervals_narrower() -> None:
    off, width = [], []
    for games in (100, 10_000):
        truth = Truth(7)
        model = fit_interactions(truth.played(sets=44, games=games))
        clans = tuple(sorted(CLANS)[:6])
        predictions = [model.clans[clan].predict(clans, model.leftover) for clan in clans]
        true = [truth.worth(clans, clan) for clan in clans]
        off.append(np.mean(np.abs([value for value, _ in predictions] - np.array(true))))
        width.append(np.mean([half for _, half in predictions]))
    assert off[1] < off[0]
    assert width[1] < width[0] / 2


def test_too_few_sets_make_no_model() -> None:
    assert fit_interactions(Truth(1).played(sets=LEAST_SETS - 1, games=100)) is None


def test_sums_of_two_sweeps_are_added_by_clan_set() -> None:
    sums = Truth(1).played(sets=12, games=100)
    both = sums + sums
    for clans in sums.clan_sets:
        one, two = sums.of_set(clans), both.of_set(clans)
        assert np.array_equal(two.games_by_clan, 2 * one.games_by_clan)
        assert two.arrays["won"].sum() == 2 * one.arrays["won"].sum()


def test_the_page_predicts_as_the_model_does() -> None:
    model = fit_interactions(Truth(3).played(sets=44, games=300))
    sets = list(itertools.combinations(sorted(CLANS), 6))[::30]
    asked = [(clan_model(model, clan), clans, model.leftover) for clans in sets for clan in clans]
    script = TEMPLATES / "interactions.js"
    numbers = np.array(evaluated("given.map((one) => predict(...one))", "predict", script, asked))
    expected = [
        model.clans[clan].predict(clans, model.leftover) for clans in sets for clan in clans
    ]
    assert np.abs(numbers - np.array(expected)).max() < 2e-4
