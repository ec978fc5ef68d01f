"""Presence: what a clan in the deck does to a game, whoever leads it.

Each outcome of a clan set is a ratio of sums over its games; effects are weighted least squares on
the sets (`set_model`), and each set weighs what its outcome is counted in: games, or seats that led
or were behind. Sets share deals, and the jackknife leaves out a block of deals in all sets at once,
so shared luck is accounted for. Inference is for the sets that were played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ethnos_sim.experiments.statistics.estimates import Estimates, FloatArray, IntArray
from ethnos_sim.experiments.statistics.jackknife import BlockSums, jackknife, ratio
from ethnos_sim.reports.estimators.estimand import Estimand
from ethnos_sim.reports.estimators.game_shape import GAME_SHAPE, comeback_counts
from ethnos_sim.reports.estimators.seat_edge import SEAT_EDGE
from ethnos_sim.reports.estimators.set_model import ClanPair, SetModel, set_model
from ethnos_sim.reports.estimators.skill import SKILL_SHARE
from ethnos_sim.reports.evidence.clan_sets import SetSums
from ethnos_sim.reports.evidence.evidence import SKILL, Evidence, Situation
from ethnos_sim.reports.rendering.numbers import difference_unit
from ethnos_sim.simulator.records import SIXTIETHS

SetCount = Callable[[BlockSums, int], IntArray]
"""A number of every set, shape (..., sets), from the sums and the number of players."""


def _games(sums: BlockSums, players: int) -> IntArray:
    """Games."""
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

    @property
    def margin(self) -> float:
        """Up to which size a difference counts as none, in the stored unit."""
        alike = {"first_seat_edge": SEAT_EDGE, "skill": SKILL_SHARE}
        return alike.get(self.name, GAME_SHAPE).margin_of(self.name)


def _summed(name: str) -> SetCount:
    """A sum as it is."""
    return lambda sums, players: sums[name]


def _first(name: str) -> SetCount:
    """The first entry of a sum: of the seat that acts first, the first entry or the first age."""
    return lambda sums, players: sums[name][..., 0]


def _within(sums: BlockSums, players: int) -> IntArray:
    """Squared distances between the scores of one game, as in `game_shape.prestige_spread`."""
    return np.asarray(players * sums["prestige_squared"] - sums["totals_squared"])


def _sixtieths(players: int) -> int:
    """Wins are counted in sixtieths."""
    return SIXTIETHS


OUTCOMES = (
    DeckOutcome("mean_prestige", "prestige", _summed("prestige"), lambda players: players),
    DeckOutcome(
        "prestige_spread", "prestige", _within, lambda players: players * (players - 1), root=True
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


@dataclass(frozen=True, slots=True, eq=False)
class Presence:
    """The effects on one outcome.

    Attributes:
        outcome: what is changed.
        level: the outcome of an average set.
        clans: a(X) of every clan that varies, by its name.
        pairs: b(X, Y) of every pair, by `pair_name`; None where the sets cannot tell.
    """

    outcome: DeckOutcome
    level: Estimates
    clans: Estimates
    pairs: Estimates | None


def pair_name(pair: ClanPair) -> str:
    """What a pair is called in a measure: "bear + owl"."""
    return " + ".join(pair)


def measure_presence(
    sums: SetSums, outcomes: Sequence[DeckOutcome], population: str
) -> tuple[Presence, ...]:
    """The effects of clans, and of pairs as far as the sets can tell, on some outcomes.

    Empty where the sets cannot tell clans apart.
    """
    kept = _replayed(sums)
    model = set_model(kept.sets, pairs=True) or set_model(kept.sets, pairs=False)
    if model is None:
        return ()
    alike: dict[SetCount, list[DeckOutcome]] = {}
    for outcome in outcomes:
        alike.setdefault(outcome.count, []).append(outcome)
    found = {
        outcome: each
        for together in alike.values()
        for outcome, each in zip(
            together, _presence(kept, model, together, population), strict=True
        )
    }
    return tuple(found[outcome] for outcome in outcomes)


def _replayed(sums: SetSums) -> SetSums:
    """The sets with games in two blocks of deals or more: none is gone when a block is left out."""
    kept = np.flatnonzero(np.count_nonzero(sums.arrays["games"], axis=0) >= 2)
    if len(kept) == len(sums.sets):
        return sums
    arrays = {name: array[:, kept] for name, array in sums.arrays.items()}
    return SetSums(tuple(sums.sets[i] for i in kept), sums.players, arrays)


def _presence(
    sums: SetSums, model: SetModel, outcomes: Sequence[DeckOutcome], population: str
) -> Iterator[Presence]:
    """The effects on outcomes that are counted in the same, and so share the fit's weights."""

    def statistic(blocks: BlockSums) -> FloatArray:
        values = [outcome.values(blocks, sums.players) for outcome in outcomes]
        weights = np.asarray(outcomes[0].count(blocks, sums.players), np.float64)
        effects = model.effects(np.stack(values, axis=-2), weights)
        return effects.reshape(*effects.shape[:-2], -1)

    has = np.asarray([[clan in clans for clans in sums.sets] for clan in model.clans])
    both = [has[model.clans.index(one)] & has[model.clans.index(two)] for one, two in model.pairs]
    members = np.stack([np.ones(len(sums.sets), bool), *has, *both]).astype(np.int64)
    names = ["average", *model.clans, *(pair_name(pair) for pair in model.pairs)]
    whole = jackknife(
        statistic,
        sums.arrays,
        sums.sizes,
        unit="",
        games=np.tile(members @ sums.arrays["games"].sum(axis=0), len(outcomes)),
        events=np.concatenate([members @ _events(sums, outcome) for outcome in outcomes]),
        estimand=PRESENCE.name,
        population=population,
        aspect=[outcome.name for outcome in outcomes for _ in names],
        name=names * len(outcomes),
    )
    for outcome in outcomes:
        found = whole.where(aspect=outcome.name)
        change = found.in_unit(difference_unit(outcome.unit))
        pairs = change.at(slice(1 + len(model.clans), None)).labelled(estimand=PRESENCE_PAIR.name)
        yield Presence(
            outcome,
            found.at([0]).in_unit(outcome.unit),
            change.at(slice(1, 1 + len(model.clans))),
            pairs if len(pairs) else None,
        )


def _events(sums: SetSums, outcome: DeckOutcome) -> IntArray:
    """What is counted in each set: games, and of shares the rarer side of what they are of."""
    totals = {name: array.sum(axis=0) for name, array in sums.arrays.items()}
    if outcome.unit != "share":
        return np.asarray(totals["games"])
    count = outcome.count(totals, sums.players)
    hits = outcome.total(totals, sums.players) // outcome.scale(sums.players)
    return np.asarray(np.minimum(hits, count - hits))


@lru_cache(1)
def effects_of(evidence: Evidence, situation: Situation) -> tuple[Presence, ...]:
    """The effects of the clans in a situation's decks on everything its games tell."""
    sets = evidence.sets.get(situation)
    outcomes = (SKILL_OUTCOME,) if situation.population == SKILL else OUTCOMES
    return () if sets is None else measure_presence(sets, outcomes, situation.population)


def _found(evidence: Evidence, situation: Situation) -> Iterator[Estimates]:
    """What an average deck gives, and what each clan in it changes."""
    for each in effects_of(evidence, situation):
        yield each.level
        yield each.clans


PRESENCE = Estimand(
    name="presence",
    title="Presence",
    meaning=(
        "What changes for the whole table when a deck holds the clan in place of the average clan, "
        "whoever leads it. For the sets that were played."
    ),
    formula=(
        "a(X) of the least-squares fit: outcome of a set = constant + sum of a over its clans + "
        "sum of b over its pairs; the a of all clans add up to 0"
    ),
    found=_found,
)


def _pairs_found(evidence: Evidence, situation: Situation) -> Iterator[Estimates]:
    """What each pair of clans changes beyond both, where the sets can tell pairs apart."""
    effects = effects_of(evidence, situation)
    return (each.pairs for each in effects if each.pairs is not None)


PRESENCE_PAIR = Estimand(
    name="presence_pair",
    title="Pair of clans",
    meaning=(
        "What two clans in one deck change together beyond what each changes by itself. For the "
        "sets that were played."
    ),
    formula="b(X, Y) of the same fit; the b of each clan add up to 0",
    found=_pairs_found,
)
