"""Puzzles: turns whose best move look-ahead is sure of, and which players find it.

    python benchmarks/puzzles.py           # judges them again, and writes down who misses which
    python benchmarks/puzzles.py --anew    # looks for puzzles, in games of champions

The best move is the one after which the chance to win is highest in 1,000 imagined games played on
by `learned`, and in 1,000 played on by champions; its lead on every other move is at least 4
standard errors in both. Of such turns that `greedy` or `champion` gets wrong,
the first three of a kind are kept in each edition.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from ethnos_sim.experiments.matches.explaining import (
    imagine_moves,
    possible_moves,
    same_move,
    turns_of,
)
from ethnos_sim.experiments.matches.puzzles import (
    BUNDLED,
    Puzzle,
    answer,
    in_words,
    match_of,
    puzzles,
)
from ethnos_sim.experiments.toml_text import toml_text
from ethnos_sim.simulator.game import power_numbers as powers
from ethnos_sim.simulator.game.records import FROM_DECK, PARTY, REGIONS
from ethnos_sim.simulator.rules import EDITIONS

#: Who has to be sure, and by how much chance its best move leads at least.
JUDGES = ("lookahead", "lookahead:policy=champion:rounds=2")
LEAD = 0.015

#: Imagined games of a look, the cheap ones first, and by how many standard errors a move leads.
LOOKS = ((12, 1.5), (100, 3.0), (1000, 4.0))

#: Who is asked; one of the quick ones has to be wrong.
QUICK = ("greedy", "champion")
ASKED = (*QUICK, "learned", *JUDGES)

#: Where it looks: the players of one game after another, turns of each game, games of an edition.
SEED = 27
PLAYERS = (4, 3, 5, 2, 6)
TURNS = 25
GAMES = 1500

#: How many are looked for of a kind in an edition.
FOUND = 3

#: What is to be decided between two parties, of which such a power's clan leads one.
LED = {
    "second party": (powers.SECOND_PARTY,),
    "cards to keep": (powers.KEEPS_CARDS,),
    "sea": (powers.SEA_TRACK,),
    "tokens": (powers.TIE_BREAK_TOKENS, powers.LARGEST_TOKEN),
}
KINDS = ("draw or play", "which party", "which region", "end of the age", *LED)


class Judged(NamedTuple):
    """The moves of a turn, the best first; how far each other is behind, and its standard error."""

    moves: list[Any]
    behind: np.ndarray
    errors: np.ndarray

    def sure(self, errors: float) -> bool:
        """Whether the best move leads on every other by so many standard errors."""
        return bool(np.all(self.behind > errors * self.errors))


def judged(match: Any, position: Any, judge: str, guesses: int) -> Judged:
    """The moves of a turn by their mean chance to win after each."""
    found = imagine_moves(match, position, by=judge, guesses=guesses)
    chances = found.chances
    order = found.order
    gaps = chances[:, order[:1]] - chances[:, order[1:]]
    errors = gaps.std(axis=0, ddof=1) / np.sqrt(guesses)
    return Judged([found.moves[i] for i in order], gaps.mean(axis=0), errors)


def kind_of(view: Any, best: Any, second: Any) -> str:
    """What is to be decided between the two best moves; empty between two ways to draw."""
    moves = best, second
    parties = [bool(move["kind"] == PARTY) for move in moves]
    draws = [bool(move["kind"] == FROM_DECK) for move in moves]
    if any(draws) and view["dragons_seen"] == view["rules"]["last_dragon"] - 1:
        return "end of the age"
    if not all(parties):
        return "draw or play" if any(parties) else ""
    slots = [int(move["leader"]) // REGIONS for move in moves]
    led = [int(view["power"][slot]) for slot in slots]
    for kind, those in LED.items():
        if (led[0] in those) != (led[1] in those):
            return kind
    same = all(best[plane] == second[plane] for plane in ("once", "twice"))
    return "which region" if same and slots[0] == slots[1] else "which party"


def solution(match: Any, position: Any, wanted: Iterable[str]) -> tuple[str, Any] | None:
    """The kind of a turn and its best move, where it is of a wanted kind and look-ahead is sure."""
    if len(possible_moves(position["open"])) < 3:
        return None
    best: Any = None
    kind = ""
    quick = [answer(match, position, each) for each in QUICK]
    for (guesses, errors), judge in product(LOOKS, JUDGES):
        look = judged(match, position, judge, guesses)
        best = look.moves[0] if best is None else best
        kind = kind_of(position["open"], *look.moves[:2])
        if kind not in wanted or not same_move(best, look.moves[0]):
            return None
        if look.behind[0] < LEAD or not look.sure(errors):
            return None
        if all(same_move(best, move) for move in quick):
            return None
    return kind, best


def missing(match: Any, position: Any, best: str) -> tuple[str, ...]:
    """Who of those asked makes another move than the best one."""
    moves = [answer(match, position, each) for each in ASKED]
    words = in_words(match, position, moves)
    return tuple(each for each, move in zip(ASKED, words, strict=True) if move != best)


def turns(edition: str) -> Iterator[tuple[Any, Any]]:
    """The match and position of one turn after another, of games of champions."""
    for game in range(GAMES):
        match = match_of(edition, PLAYERS[game % len(PLAYERS)], SEED)
        random = np.random.default_rng([SEED, game])
        for position in random.permutation(turns_of(match, game))[:TURNS]:
            yield match, position


def search(edition: str) -> list[Puzzle]:
    """An edition's puzzles, by kind."""
    found: dict[str, list[Puzzle]] = defaultdict(list)
    for match, position in turns(edition):
        wanted = [kind for kind in KINDS if len(found[kind]) < FOUND]
        if not wanted:
            break
        solved = solution(match, position, wanted)
        if solved is None:
            continue
        kind, move = solved
        (best,) = in_words(match, position, [move])
        found[kind].append(
            Puzzle(
                kind=kind,
                edition=edition,
                players=match.players,
                seed=SEED,
                game=int(position["game"]),
                turn=int(position["open"]["turns"]),
                best=best,
                missed_by=missing(match, position, best),
            )
        )
        print(edition, {kind: len(found[kind]) for kind in KINDS}, found[kind][-1], flush=True)
    return [puzzle for kind in KINDS for puzzle in found[kind]]


def again(number: int, puzzle: Puzzle) -> Puzzle:
    """A puzzle with who misses it now; says so where look-ahead is no longer sure of it."""
    match, position = puzzle.match, puzzle.position
    guesses, errors = LOOKS[-1]
    for judge in JUDGES:
        whole = judged(match, position, judge, guesses)
        (best,) = in_words(match, position, whole.moves[:1])
        if best != puzzle.best or not whole.sure(errors):
            print(f"{number}: {judge} is not sure of '{puzzle.best}'; best is '{best}'", flush=True)
    return replace(puzzle, missed_by=missing(match, position, puzzle.best))


def main() -> None:
    """Look for puzzles, or judge those that there are, and write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--anew", action="store_true", help="look for other puzzles")
    if parser.parse_args().anew:
        found = [puzzle for edition in EDITIONS for puzzle in search(edition)]
    else:
        found = [again(number, puzzle) for number, puzzle in enumerate(puzzles(), 1)]
    heading = [
        "Turns whose best move is sure; python benchmarks/puzzles.py says how and writes them."
    ]
    BUNDLED.write_text(toml_text({"puzzle": [asdict(each) for each in found]}, heading))
    for each in ASKED:
        solved = sum(each not in puzzle.missed_by for puzzle in found)
        print(f"{each} solves {solved} of {len(found)}")


if __name__ == "__main__":
    main()
