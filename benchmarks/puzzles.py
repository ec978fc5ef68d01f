"""Puzzles: turns with a best move that look-ahead is sure of, and the players that find it.

    python benchmarks/puzzles.py           # judges them again, and writes who misses which
    python benchmarks/puzzles.py --anew    # looks for puzzles, in games of champions

The best move has the highest chance to win in 2,000 imagined games that `learned` plays on, and in
2,000 that `champion` plays on. In both it leads every other move by at least 4 standard errors.
Among the turns that `greedy` or `champion` gets wrong, the first three of a kind are kept in each
edition.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from runner import run

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

#: The players that have to be sure of the best move.
JUDGES = ("lookahead", "lookahead:policy=champion:rounds=2")

#: The least difference between the chances to win of the best move and of the next one.
LEAD = 0.015

#: The looks at a turn, the cheapest first: the number of imagined games, and the lead that the best
#: move needs, in standard errors.
LOOKS = ((12, 1.5), (100, 3.0), (2000, 4.0))

#: The quick players: at least one of them has to be wrong.
QUICK = ("greedy", "champion")
#: All players that are asked.
ASKED = (*QUICK, "learned", *JUDGES)

#: The seed of the games that are searched.
SEED = 27
#: The number of players of the first game, of the second game and so on, in turn.
PLAYERS = (4, 3, 5, 2, 6)

#: The most turns of a game that are looked at.
TURNS = 25
#: The most games of an edition.
GAMES = 1500

#: The most puzzles of each kind in an edition.
MOST_OF_A_KIND = 3

#: The kinds of decisions between two parties, by the power of one leader's clan.
LED = {
    "second party": (powers.SECOND_PARTY,),
    "cards to keep": (powers.KEEPS_CARDS,),
    "sea": (powers.SEA_TRACK,),
    "tokens": (powers.TIE_BREAK_TOKENS, powers.LARGEST_TOKEN),
}
KINDS = ("draw or play", "which party", "which region", "end of the age", *LED)


class Judged(NamedTuple):
    """The moves of a turn, the best first; how far each other move is behind, with its error."""

    moves: list[Any]
    behind: np.ndarray
    errors: np.ndarray

    def sure(self, errors: float) -> bool:
        """Whether the best move leads every other move by more than `errors` standard errors."""
        return bool(np.all(self.behind > errors * self.errors))


def judged(match: Any, position: Any, judge: str, guesses: int) -> Judged:
    """The moves of a turn, by the mean chance to win after each move."""
    imagined = imagine_moves(match, position, by=judge, guesses=guesses)
    chances = imagined.chances
    order = imagined.order
    gaps = chances[:, order[:1]] - chances[:, order[1:]]
    errors = gaps.std(axis=0, ddof=1) / np.sqrt(guesses)
    return Judged([imagined.moves[i] for i in order], gaps.mean(axis=0), errors)


def kind_of(view: Any, best: Any, second: Any) -> str:
    """The kind of decision between the two best moves; empty for two ways to draw."""
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
    """The kind of a turn and its best move, if the kind is wanted and look-ahead is sure."""
    if len(possible_moves(position["open"])) < 3:
        return None
    best: Any = None
    kind = ""
    quick = [answer(match, position, player) for player in QUICK]
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
    """The players in ASKED that make another move than the best move."""
    moves = [answer(match, position, player) for player in ASKED]
    words = in_words(match, position, moves)
    return tuple(player for player, move in zip(ASKED, words, strict=True) if move != best)


def turns(edition: str) -> Iterator[tuple[Any, Any]]:
    """The matches and positions of turns in games of champions."""
    for game in range(GAMES):
        match = match_of(edition, PLAYERS[game % len(PLAYERS)], SEED)
        random = np.random.default_rng([SEED, game])
        for position in random.permutation(turns_of(match, game))[:TURNS]:
            yield match, position


def search(edition: str) -> list[Puzzle]:
    """An edition's puzzles, by kind."""
    chosen: dict[str, list[Puzzle]] = defaultdict(list)
    for match, position in turns(edition):
        wanted = [kind for kind in KINDS if len(chosen[kind]) < MOST_OF_A_KIND]
        if not wanted:
            break
        solved = solution(match, position, wanted)
        if solved is None:
            continue
        kind, move = solved
        (best,) = in_words(match, position, [move])
        chosen[kind].append(
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
        print(
            edition,
            {kind: len(chosen[kind]) for kind in KINDS},
            chosen[kind][-1],
            flush=True,
        )
    return [puzzle for kind in KINDS for puzzle in chosen[kind]]


def again(number: int, puzzle: Puzzle) -> Puzzle:
    """The puzzle with the players that miss it now; print if look-ahead is no longer sure."""
    match, position = puzzle.match, puzzle.position
    guesses, errors = LOOKS[-1]
    for judge in JUDGES:
        whole = judged(match, position, judge, guesses)
        (best,) = in_words(match, position, whole.moves[:1])
        if best != puzzle.best or not whole.sure(errors):
            print(f"{number}: {judge} is not sure of '{puzzle.best}'; best is '{best}'", flush=True)
    return replace(puzzle, missed_by=missing(match, position, puzzle.best))


def record(*, anew: bool = False) -> None:
    """Look for puzzles, or judge the present ones again, and write them."""
    if anew:
        chosen = [puzzle for edition in EDITIONS for puzzle in search(edition)]
    else:
        chosen = [again(number, puzzle) for number, puzzle in enumerate(puzzles(), 1)]
    heading = [
        "Turns whose best move is sure; python benchmarks/puzzles.py says how and writes them."
    ]
    BUNDLED.write_text(toml_text({"puzzle": [asdict(player) for player in chosen]}, heading))
    for player in ASKED:
        solved = sum(player not in puzzle.missed_by for puzzle in chosen)
        print(f"{player} solves {solved} of {len(chosen)}")


if __name__ == "__main__":
    run(record)
