"""What decisions cost: turns of games judged by look-ahead, choice by choice.

A turn is taken apart into choices that are made one after the other: draw, take from the pool or
lead a party; then which card, or which clan leads, from which region, with which cards. Each
costs what the best move still open before it is better than the best one left after it, so the
costs of a turn sum to what the move cost. Which moves are best, some guesses at the hidden cards
decide; by how much they are better, others, so luck does not make a cost.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ethnos_sim.experiments.execution.threads import in_threads
from ethnos_sim.experiments.matches.explaining import Imagining, entry_of, turns_of
from ethnos_sim.experiments.matches.match import Match
from ethnos_sim.experiments.matches.turn_chances import JUDGE
from ethnos_sim.simulator.records import FROM_DECK, FROM_POOL, PARTY, REGIONS

LATE, EARLY, ENDING = "leads_late", "leads_early", "draws_at_the_end"
POOL, DECK, CARD = "leaves_the_pool", "leaves_the_deck", "card"
CLAN, REGION, CARDS = "clan", "region", "cards"

KINDS = (LATE, EARLY, ENDING, POOL, DECK, CARD, CLAN, REGION, CARDS)
"""The choices: recruiting where leading is better, leading where recruiting is better, drawing
where the next dragon ends the age and something else is better, drawing where the pool is better,
taking where the deck is better, which card of the pool, which clan leads, in which region, with
which cards."""

CHOOSING, WEIGHING = 8, 16
"""Guesses that choose the best moves, and further ones that say by how much they are better."""

WHOLE = 1_000_000
"""A chance of 1 as a whole number: costs are summed as integers."""

EVERY = 16
"""Of a game's turns each so many-th is judged."""


@dataclass(frozen=True)
class JudgedTurn:
    """A turn with the costs of its choices.

    deal, entry  the deal of its game, and the place in the line-up of whose turn it was
    asked        which of KINDS could cost anything, by what was played (1 or 0)
    costs        what each did, in parts of WHOLE; below 0 where look-ahead chose worse by chance
    """

    deal: int
    entry: int
    asked: tuple[int, ...]
    costs: tuple[int, ...]


def judge_games(
    games: Sequence[tuple[Match, int]],
    *,
    every: int = EVERY,
    jobs: int = 1,
) -> list[list[JudgedTurn]]:
    """Judge some turns of games, of each game others; a list of turns a game.

    Args:
        games: matches and the numbers of games.
        every: of a game's turns with a choice each so many-th is judged.
        jobs: threads; what is found does not depend on them.
    """

    def judge(number: int) -> list[JudgedTurn]:
        match, game = games[number]
        turns = turns_of(match, game)[number % every :: every]
        return [judge_turn(match, position) for position in turns]

    # The first alone: what it is judged with is compiled before threads ask for it.
    numbers = range(len(games))
    return [*map(judge, numbers[:1]), *in_threads(judge, numbers[1:], jobs)]


def judge_turn(match: Match, position: Any) -> JudgedTurn:
    """The costs of one turn's choices."""
    imagining = Imagining.of(match, position, JUDGE)
    guessed = imagining.chances(range(1, 1 + CHOOSING)).mean(axis=0)
    played = imagining.moves[imagining.played]
    groups = [list(range(len(imagining.moves)))]
    for narrower in _narrower(played):
        groups.append([i for i in groups[-1] if narrower(imagining.moves[i])])
    groups.append([imagining.played])
    best = [max(group, key=lambda i: (guessed[i], -i)) for group in groups]
    places = list(dict.fromkeys(best))
    weighed = range(1 + CHOOSING, 1 + CHOOSING + WEIGHING)
    values = dict(zip(places, imagining.chances(weighed, places).mean(axis=0), strict=True))
    steps = [round(WHOLE * (values[a] - values[b])) for a, b in itertools.pairwise(best)]
    ending = bool(position["open"]["dragons_seen"] == position["open"]["rules"]["last_dragon"] - 1)
    kinds = _kinds(played, imagining.moves[best[0]], ending=ending)
    costs = dict.fromkeys(KINDS, 0)
    for kind, step in zip(kinds, steps, strict=True):
        costs[kind] += step
    asked = _asked(int(played["kind"]), ending=ending)
    return JudgedTurn(
        deal=int(position["game"]) // match.rotations,
        entry=entry_of(match, position),
        asked=tuple(int(kind in asked) for kind in KINDS),
        costs=tuple(costs.values()),
    )


def _narrower(played: Any) -> list[Callable[[Any], bool]]:
    """What every further choice of a move leaves: the same kind, then clan, then leader."""
    kind, leader = int(played["kind"]), int(played["leader"])
    tests: list[Callable[[Any], bool]] = [lambda move: int(move["kind"]) == kind]
    if kind == PARTY:
        tests.append(lambda move: int(move["leader"]) // REGIONS == leader // REGIONS)
        tests.append(lambda move: int(move["leader"]) == leader)
    return tests


def _kinds(played: Any, best: Any, *, ending: bool) -> tuple[str, ...]:
    """Which of KINDS the steps from the best move to the one played belong to."""
    kind, better = int(played["kind"]), int(best["kind"])
    if kind == PARTY:
        return EARLY, CLAN, REGION, CARDS
    if kind == FROM_POOL:
        return (LATE if better == PARTY else DECK), CARD
    if ending:
        return ENDING, ENDING
    return (LATE if better == PARTY else POOL), POOL


def _asked(kind: int, *, ending: bool) -> tuple[str, ...]:
    """Which of KINDS a move of a kind could have cost anything."""
    if kind == PARTY:
        return EARLY, CLAN, REGION, CARDS
    if kind == FROM_POOL:
        return LATE, DECK, CARD
    return (ENDING,) if ending and kind == FROM_DECK else (LATE, POOL)
