"""Presence: what a clan in the deck does to a game, whoever leads it.

Each outcome of a clan set is a ratio of sums over its games; effects are weighted least squares on
the sets (`set_model`), and each set weighs what its outcome is counted in: games, or seats that led
or were behind. Sets share deals, and the jackknife leaves out a block of deals in all sets at once,
so shared luck is accounted for. Inference is for the sets that were played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ethnos_sim.reports.bands import margin_of
from ethnos_sim.reports.clan_sets import SetSums
from ethnos_sim.reports.estimators.game_shape import comeback_counts
from ethnos_sim.reports.estimators.measure import Measure, measure
from ethnos_sim.reports.estimators.set_model import Pair, SetModel, set_model
from ethnos_sim.reports.estimators.skill import STRONGER
from ethnos_sim.reports.intervals import BlockSums, FloatArray, IntArray, Jackknife, ratio
from ethnos_sim.reports.numbers import difference_unit
from ethnos_sim.simulator.records import SIXTIETHS

Counts = tuple[IntArray, IntArray]
"""What an outcome adds up and what it is counted in, each of shape (..., sets)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Something that a deck may change: sum / count, or the root of it.

    Attributes:
        name: as among the headline numbers.
        unit: key of the unit of the outcome itself.
        counts: the sums and counts of every set, from sums and the number of players; those of
            shares in sixtieths.
        root: whether the square root is taken.
        less_fair: whether a fair share, 1 / players, is taken off.
    """

    name: str
    unit: str
    counts: Callable[[BlockSums, int], Counts]
    root: bool = False
    less_fair: bool = False

    def values(self, sums: BlockSums, players: int) -> tuple[FloatArray, FloatArray]:
        """The outcome of every set (0 where nothing was counted) and what the set weighs."""
        total, count = self.counts(sums, players)
        found = np.nan_to_num(ratio(total, count), nan=0.0)
        found = np.sqrt(np.maximum(found, 0.0)) if self.root else found
        return found - (1 / players if self.less_fair else 0.0), np.asarray(count, np.float64)

    @property
    def margin(self) -> float:
        """Up to which size a difference counts as none, in the stored unit."""
        alike = {"first_seat_edge": "seat_edge", "skill": "skill"}
        return margin_of(alike.get(self.name, "game_shape"), self.name)


def _a_game(name: str) -> Callable[[BlockSums, int], Counts]:
    """The mean of a sum over games."""
    return lambda sums, players: (sums[name], sums["games"])


def _shared(sums: BlockSums, players: int) -> Counts:
    return SIXTIETHS * sums["shared"], SIXTIETHS * sums["games"]


def _prestige(sums: BlockSums, players: int) -> Counts:
    return sums["prestige"], players * sums["games"]


def _variance(sums: BlockSums, players: int) -> Counts:
    within = players * sums["prestige_squared"] - sums["totals_squared"]
    return within, players * (players - 1) * sums["games"]


def _first_seat(sums: BlockSums, players: int) -> Counts:
    return sums["turn_won"][..., 0], SIXTIETHS * sums["games"]


def _leader(sums: BlockSums, players: int) -> Counts:
    return sums["leaders_won"][..., 0], SIXTIETHS * sums["leaders"][..., 0]


def _comeback(sums: BlockSums, players: int) -> Counts:
    behind, won = comeback_counts(sums, players)
    return won, SIXTIETHS * behind


def _stronger(sums: BlockSums, players: int) -> Counts:
    return sums["entry_won"][..., STRONGER], SIXTIETHS * sums["games"]


OUTCOMES = (
    Outcome("mean_prestige", "prestige", _prestige),
    Outcome("prestige_spread", "prestige", _variance, root=True),
    Outcome("margin", "prestige", _a_game("margin")),
    Outcome("turns", "count", _a_game("turns")),
    Outcome("first_seat_edge", "share_difference", _first_seat, less_fair=True),
    Outcome("leader_after_age_1", "share", _leader),
    Outcome("comeback", "share", _comeback),
    Outcome("lead_changes", "count", _a_game("lead_changes")),
    Outcome("shared_wins", "share", _shared),
)
"""What every table tells; the names are those of the headline numbers."""

SKILL_OUTCOME = Outcome("skill", "share", _stronger)
"""What tables of one stronger strategy against weaker ones tell: how often it wins."""


@dataclass(frozen=True, slots=True, eq=False)
class Presence:
    """The effects on one outcome.

    Attributes:
        outcome: what is changed.
        level: the outcome of an average set.
        clans: a(X) of every clan that varies, by its name.
        pairs: b(X, Y) of every pair, by `pair_name`; None where the sets cannot tell.
    """

    outcome: Outcome
    level: Measure
    clans: Measure
    pairs: Measure | None


def pair_name(pair: Pair) -> str:
    """What a pair is called in a measure: "bear + owl"."""
    return " + ".join(pair)


def measure_presence(
    sums: SetSums, outcomes: Sequence[Outcome], population: str
) -> tuple[Presence, ...]:
    """The effects of clans, and of pairs as far as the sets can tell, on some outcomes.

    Empty where the sets cannot tell clans apart.
    """
    kept = replayed_sets(sums)
    model = set_model(kept.sets, pairs=True) or set_model(kept.sets, pairs=False)
    if model is None:
        return ()
    return tuple(_presence(kept, model, outcome, population) for outcome in outcomes)


def replayed_sets(sums: SetSums) -> SetSums:
    """The sets with games in two blocks of deals or more: none is gone when a block is left out."""
    kept = np.flatnonzero(np.count_nonzero(sums.arrays["games"], axis=0) >= 2)
    if len(kept) == len(sums.sets):
        return sums
    arrays = {name: array[:, kept] for name, array in sums.arrays.items()}
    return SetSums(tuple(sums.sets[i] for i in kept), sums.players, arrays)


def _presence(sums: SetSums, model: SetModel, outcome: Outcome, population: str) -> Presence:
    """The effects on one outcome."""

    def statistic(blocks: BlockSums) -> FloatArray:
        return model.effects(*outcome.values(blocks, sums.players))

    count = 1 + len(model.clans)
    has = np.asarray([[c in clans for clans in sums.sets] for c in model.clans], bool)
    both = [has[model.clans.index(one)] & has[model.clans.index(two)] for one, two in model.pairs]
    members = np.concatenate([np.ones((1, len(sums.sets)), bool), has, *(b[None] for b in both)])
    games = members @ sums.arrays["games"].sum(axis=0)
    events = members @ _events(sums, outcome)
    names = ("average", *model.clans, *map(pair_name, model.pairs))
    whole = measure(
        statistic,
        sums.arrays,
        sums.sizes,
        definition="presence",
        unit=difference_unit(outcome.unit),
        names=names,
        population=population,
        games=games,
        events=events,
    )
    return Presence(
        outcome,
        part(whole, slice(0, 1), "presence", outcome.unit),
        part(whole, slice(1, count), "presence", whole.unit),
        part(whole, slice(count, None), "presence_pair", whole.unit) if model.pairs else None,
    )


def _events(sums: SetSums, outcome: Outcome) -> IntArray:
    """What is counted in each set: games or seats, and of shares the rarer side."""
    total, count = outcome.counts(
        {name: array.sum(axis=0) for name, array in sums.arrays.items()}, sums.players
    )
    if outcome.unit == "share":
        return np.asarray(np.minimum(total, count - total) // SIXTIETHS, np.int64)
    return np.asarray(sums.arrays["games"].sum(axis=0))


def part(whole: Measure, kept: slice, definition: str, unit: str) -> Measure:
    """Some entries of a measure, as another estimand."""
    jackknife = whole.jackknife
    return Measure(
        definition=definition,
        unit=unit,
        names=whole.names[kept],
        jackknife=Jackknife(jackknife.value[kept], jackknife.pseudo[:, kept], jackknife.leverage),
        games=whole.games[kept],
        events=whole.events[kept],
        population=whole.population,
    )
