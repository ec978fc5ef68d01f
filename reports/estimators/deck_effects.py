"""Deck effects: what a clan in the deck does to a game, whoever leads it.

Each outcome of a clan set is a ratio of sums over its games, modeled as

    constant + sum of a(X) over the clans X in S + sum of b(X, Y) over the pairs in S,

with sum-to-zero contrasts. For sets of k of m clans that are 1 + (m − 1) + m (m − 3)/2 parameters;
in a design such as the hexads the three parts are orthogonal. The jackknife leaves out a block of
deals in all sets at once, so the luck that sets share is accounted for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations

import numpy as np

from ethnos_sim.experiments.designs.clan_sets import ClanSet
from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray, IntArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, jackknife, ratio, together
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.reports.estimators.game_shape import comeback_counts, squared_distances
from ethnos_sim.reports.evidence.evidence import SKILL, Evidence, Situation
from ethnos_sim.reports.evidence.sums import Sums
from ethnos_sim.reports.rendering.numbers import difference_unit
from ethnos_sim.simulator.records import SIXTIETHS

SetCount = Callable[[BlockSums, int], IntArray]
"""A number of every set, shape (..., sets), from the sums and the number of players."""


def _games(sums: BlockSums, players: int) -> IntArray:
    return sums["games"]


@dataclass(frozen=True, slots=True)
class DeckOutcome:
    """Something that a deck may change: total / (scale × count), or the root of it.

    Attributes:
        name: as among the headline numbers.
        unit: key of the unit of the outcome itself.
        total: what is added up in every set, from the sums and the number of players.
        scale: what the count is multiplied by, from the number of players.
        count: what it is counted in, which weighs the sets; games, or seats of some kind.
        root: whether the square root is taken.
        less_fair: whether a fair share, 1 / players, is taken off.
    """

    name: str
    unit: str
    total: SetCount
    scale: Callable[[int], int] = lambda players: 1
    count: SetCount = _games
    root: bool = False
    less_fair: bool = False

    def values(self, sums: BlockSums, players: int) -> FloatArray:
        """The outcome of every set, shape (..., sets); 0 where nothing was counted."""
        count = self.scale(players) * self.count(sums, players)
        found = np.nan_to_num(ratio(self.total(sums, players), count), nan=0.0)
        found = np.sqrt(np.maximum(found, 0.0)) if self.root else found
        return np.asarray(found - (1 / players if self.less_fair else 0.0))

    def events(self, sums: Sums) -> IntArray:
        """What is counted in each set: games, and of shares the rarer side of what they are of."""
        totals = {name: array.sum(axis=0) for name, array in sums.arrays.items()}
        if self.unit != "share":
            return np.asarray(totals["games"])
        count = self.count(totals, sums.players)
        hits = self.total(totals, sums.players) // self.scale(sums.players)
        return np.asarray(np.minimum(hits, count - hits))


def _summed(name: str) -> SetCount:
    return lambda sums, players: sums[name]


def _first(name: str) -> SetCount:
    """The first entry of a sum: of the seat that acts first, the first entry or the first age."""
    return lambda sums, players: sums[name][..., 0]


def _sixtieths(players: int) -> int:
    """Wins are counted in sixtieths."""
    return SIXTIETHS


OUTCOMES = (
    DeckOutcome("mean_prestige", "prestige", _summed("prestige"), lambda players: players),
    DeckOutcome(
        "prestige_spread",
        "prestige",
        squared_distances,
        lambda players: players * (players - 1),
        root=True,
    ),
    DeckOutcome("margin", "prestige", _summed("margin")),
    DeckOutcome("turns", "count", _summed("turns")),
    DeckOutcome(
        "first_seat_edge", "share_difference", _first("turn_won"), _sixtieths, less_fair=True
    ),
    DeckOutcome(
        "leader_after_age_1", "share", _first("leaders_won"), _sixtieths, _first("leaders")
    ),
    DeckOutcome(
        "comeback",
        "share",
        lambda sums, players: comeback_counts(sums)[1],
        _sixtieths,
        lambda sums, players: comeback_counts(sums)[0],
    ),
    DeckOutcome("lead_changes", "count", _summed("lead_changes")),
    DeckOutcome("shared_wins", "share", _summed("shared")),
)
"""What every table tells; the names are those of the headline numbers."""

SKILL_OUTCOME = DeckOutcome("skill", "share", _first("entry_won"), _sixtieths)
"""What tables of one stronger strategy against weaker ones tell: how often it wins."""

AVERAGE = "average"
"""The name of an outcome's level: that of an average set."""

SETS_A_PARAMETER = 1.5
"""How many sets a model asks for: with fewer, effects hang on single sets."""

ClanPair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class SetModel:
    """What is estimated from a list of clan sets, which has the information for it.

    Attributes:
        sets: the clan sets; the rows of `matrix`.
        clans: the clans that are in some of the sets and missing in others, sorted.
        pairs: the pairs of these clans; none in a model of single clans.
        matrix: shape (sets, parameters).
        to_effects: maps parameters to the constant, clans and pairs:
            shape (parameters, 1 + clans + pairs).
    """

    sets: tuple[ClanSet, ...]
    clans: tuple[str, ...]
    pairs: tuple[ClanPair, ...]
    matrix: FloatArray
    to_effects: FloatArray

    @cached_property
    def _products(self) -> FloatArray:
        """The products of every two columns of the matrix: (sets, parameters (parameters + 1) / 2).

        With them the information of all leave-one-out fits is one product of large matrices, which
        is many times faster than a product of small ones for each.
        """
        one, two = np.tril_indices(self.matrix.shape[1])
        return np.asarray(self.matrix[:, one] * self.matrix[:, two])

    def _information(self, weights: FloatArray) -> FloatArray:
        """The matrix of the normal equations, shape (..., parameters, parameters)."""
        size = self.matrix.shape[1]
        places = np.zeros((size, size), np.intp)
        places[np.tril_indices(size)] = np.arange(size * (size + 1) // 2)
        places = np.maximum(places, places.T)
        return np.asarray((weights @ self._products)[..., places])

    def effects(self, values: FloatArray, weights: FloatArray) -> FloatArray:
        """The constant, the a of every clan and the b of every pair, by weighted least squares.

        Args:
            values: outcomes of each set, shape (..., outcomes, sets).
            weights: what each set weighs in all of them, not negative, shape (..., sets).

        Returns:
            Shape (..., outcomes, 1 + clans + pairs).
        """
        moments = (weights[..., None, :] * values) @ self.matrix
        solved = np.linalg.solve(self._information(weights), np.swapaxes(moments, -1, -2))
        return np.asarray(np.swapaxes(solved, -1, -2) @ self.to_effects)


@lru_cache(maxsize=8)
def set_model(sets: tuple[ClanSet, ...], *, pairs: bool) -> SetModel | None:
    """The model of single clans, or with pairs; None where the sets cannot tell its effects apart.

    That takes SETS_A_PARAMETER sets for each parameter, and a matrix of full rank.
    """
    clans = _varying(sets)
    if len(clans) < 2:
        return None
    from scipy.linalg import block_diag, null_space

    present = np.asarray([[clan in clans_of for clan in clans] for clans_of in sets], np.float64)
    of_clans = null_space(np.ones((1, len(clans))))
    columns = [np.ones((len(sets), 1)), present @ of_clans]
    parts = [np.ones((1, 1)), of_clans.T]
    both = tuple(combinations(range(len(clans)), 2)) if pairs else ()
    if both:
        meets = np.zeros((len(clans), len(both)))
        for number, pair in enumerate(both):
            meets[list(pair), number] = 1
        of_pairs = null_space(meets)
        met = np.stack([present[:, i] * present[:, j] for i, j in both], axis=1)
        columns.append(met @ of_pairs)
        parts.append(of_pairs.T)
    matrix = np.concatenate(columns, axis=1)
    enough = len(sets) >= SETS_A_PARAMETER * matrix.shape[1]
    if not enough or np.linalg.matrix_rank(matrix) < matrix.shape[1]:
        return None
    names = tuple((clans[i], clans[j]) for i, j in both)
    return SetModel(sets, clans, names, matrix, block_diag(*parts))


def _varying(sets: Sequence[ClanSet]) -> tuple[str, ...]:
    """The clans that are in some sets and missing in others."""
    found = sorted({clan for clans in sets for clan in clans})
    return tuple(clan for clan in found if not all(clan in clans for clans in sets))


def measure_deck_effects(
    sums: Sums, outcomes: Sequence[DeckOutcome], population: str
) -> Estimates | None:
    """The effects of clans, and of pairs as far as the sets can tell, on some outcomes.

    Returns:
        For each outcome, which is the aspect, AVERAGE, a(X) of every clan that varies and then
        b(X, Y) of every pair; None where the sets cannot tell clans apart.
    """
    # Sets with games in two blocks of deals or more: none is gone when a block is left out.
    kept = sums.at(np.flatnonzero(np.count_nonzero(sums.arrays["games"], axis=0) >= 2))
    model = set_model(kept.tables, pairs=True) or set_model(kept.tables, pairs=False)
    if model is None:
        return None
    alike: dict[SetCount, list[DeckOutcome]] = {}
    for outcome in outcomes:
        alike.setdefault(outcome.count, []).append(outcome)
    found = together(_effects(kept, model, counted, population) for counted in alike.values())
    order = {outcome.name: place for place, outcome in enumerate(outcomes)}
    return found.at(np.argsort([order[aspect] for aspect in found["aspect"]], kind="stable"))


def _effects(
    sums: Sums, model: SetModel, outcomes: Sequence[DeckOutcome], population: str
) -> Estimates:
    """The effects on outcomes that are counted in the same, and so share the fit's weights."""

    def statistic(blocks: BlockSums) -> FloatArray:
        values = [outcome.values(blocks, sums.players) for outcome in outcomes]
        weights = np.asarray(outcomes[0].count(blocks, sums.players), np.float64)
        effects = model.effects(np.stack(values, axis=-2), weights)
        return effects.reshape(*effects.shape[:-2], -1)

    has = np.asarray([[clan in clans for clans in sums.tables] for clan in model.clans])
    both = [has[model.clans.index(one)] & has[model.clans.index(two)] for one, two in model.pairs]
    members = np.stack([np.ones(len(sums.tables), bool), *has, *both]).astype(np.int64)
    names = [AVERAGE, *model.clans, *(" + ".join(pair) for pair in model.pairs)]
    of_pairs = [PAIR_EFFECT.name] * len(model.pairs)
    return jackknife(
        statistic,
        sums.arrays,
        sums.sizes,
        unit=[
            outcome.unit if name == AVERAGE else difference_unit(outcome.unit)
            for outcome in outcomes
            for name in names
        ],
        games=np.tile(members @ sums.arrays["games"].sum(axis=0), len(outcomes)),
        events=np.concatenate([members @ outcome.events(sums) for outcome in outcomes]),
        estimand=([DECK_EFFECT.name] * (1 + len(model.clans)) + of_pairs) * len(outcomes),
        population=population,
        aspect=[outcome.name for outcome in outcomes for _ in names],
        name=names * len(outcomes),
    )


@lru_cache(1)
def _effects_in(evidence: Evidence, situation: Situation) -> Estimates | None:
    """The effects of the clans in a situation's decks, as far as the sets can tell them apart."""
    sets = evidence.sets.get(situation)
    outcomes = (SKILL_OUTCOME,) if situation.population == SKILL else OUTCOMES
    return None if sets is None else measure_deck_effects(sets, outcomes, situation.population)


def _own(own: Estimand, effects: Estimates, population: str) -> Estimates:
    return effects.where(estimand=own.name)


DECK_EFFECT = Estimand(name="deck_effect", measured=_own, source=_effects_in)
PAIR_EFFECT = Estimand(name="deck_effect_pair", measured=_own, source=_effects_in)
