"""Explain a player's move: the possible moves in a position, each with its value.

A strategy may tell the chance to win after a move (`chance`). If it does not, look-ahead estimates
the chance: the strategy plays on from each move on guesses at the hidden cards. So any strategy can
be explained.
"""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ethnos_sim.experiments.execution.threads import in_threads
from ethnos_sim.experiments.matches.match import Match
from ethnos_sim.experiments.matches.positions import record_game
from ethnos_sim.simulator.game.records import (
    FROM_DECK,
    FROM_POOL,
    MOVE_DTYPE,
    PARTY,
    REGIONS,
    TURN,
)
from ethnos_sim.simulator.narration.game import Game
from ethnos_sim.simulator.rules import load_rules
from ethnos_sim.simulator.stepping.person import answers_of, person
from ethnos_sim.simulator.tables.batch import check_seed
from ethnos_sim.simulator.tables.table import GameTable, own_record, period_of
from ethnos_sim.simulator.utilities.errors import InvalidGame
from ethnos_sim.strategies import LineUp
from ethnos_sim.strategies.compiling import compiled_chance
from ethnos_sim.strategies.line_up import Entry, parse_entry

#: The half-width of a 95 % interval, in standard errors.
Z = 1.96

#: The type of a compiled chance: from the addresses of view, move and private record to a number.
CHANCE = ctypes.CFUNCTYPE(ctypes.c_double, *[ctypes.c_void_p] * 3)

#: The strategy that explains a person's moves.
STANDS_IN = "learned"


@dataclass(frozen=True)
class NamedMove:
    """A move by the names of its cards.

    kind       "draw", "take" or "party"
    card       the card taken, or the party's leader; None for a draw
    cards      the party's cards with the leader; empty for other moves
    """

    kind: str
    card: str | None
    cards: tuple[str, ...]

    @classmethod
    def of(cls, table: GameTable, move: Any) -> NamedMove:
        """Name the cards of a move (MOVE_DTYPE) at a table."""
        if move["kind"] == FROM_DECK:
            return NamedMove("draw", None, ())
        if move["kind"] == FROM_POOL:
            return NamedMove("take", table.card_name(int(move["choice"])), ())
        cards = table.card_names(move["once"], move["twice"])
        return NamedMove("party", table.card_name(int(move["leader"])), cards)

    def in_words(self, game: Game) -> str:
        """The move in the edition's words, as `play` prints it."""
        if self.card is None:
            return "draws"
        if self.kind == "take":
            return f"takes {game.card(self.card)}"
        return f"{game.rules.words.party} {game.led(self.card, self.cards)}"


@dataclass(frozen=True)
class ConsideredMove(NamedMove):
    """A move that a player could make.

    chance     the chance to win after the move
    behind     how much lower the chance is than with the best move
    error      half the width of `behind`'s 95 % interval over guesses; 0 where chances are exact
    played     whether the move was made
    """

    chance: float
    behind: float
    error: float
    played: bool


@dataclass(frozen=True)
class Explanation:
    """A turn and the moves considered, the best first.

    `imagined` says that the chances come from look-ahead, with the strategy playing on in every
    seat. `guesses` is the number of guesses at hidden cards (1: the strategy computes the chances).
    """

    game: int
    turn: int
    age: int
    player: int
    strategy: str
    hand: tuple[str, ...]
    imagined: bool
    guesses: int
    moves: tuple[ConsideredMove, ...]


def traced_match(trace: dict[str, Any]) -> Match:
    """The match of a trace's game; InvalidGame if this is not a trace.

    A person gives the answers in the trace, and is explained as `learned` would be.
    """
    try:
        rules = load_rules(trace["edition"], overrides=trace["rules"])
        players, game = int(trace["players"]), int(trace["game"])
        names, seed = list(trace["strategies"]), check_seed(int(trace["seed"]))
        clans, mode = list(trace["clans"]), str(trace["mode"])
        answers = [answers_of(name) for name in names]
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise InvalidGame(f"this is not a trace of a game ({error!r})") from error
    known = [
        name if given is None else STANDS_IN for name, given in zip(names, answers, strict=True)
    ]
    seated = LineUp.parse(known, players, rules)
    seats = [
        entry.seat() if given is None else person(given)
        for entry, given in zip(seated.entries, answers, strict=True)
    ]
    rotation = game % period_of(seats)
    turned = [(seat - rotation) % players for seat in range(players)]
    line_up = LineUp(tuple(seated.entries[seat] for seat in turned))
    table = GameTable.prepare(rules, players, mode, clans, [seats[seat] for seat in turned])
    return Match(line_up, (table,), seed)


def turns_of(match: Match, game: int) -> np.ndarray:
    """The positions of a game's turns, in order (shape (turns,), POSITION_DTYPE).

    Raises:
        InvalidGame: the number is below 0.
    """
    positions = record_game(match, game)
    turns: np.ndarray = positions[positions["open"]["decision"] == TURN]
    return turns


def possible_moves(view: Any) -> list[Any]:
    """The moves of a turn: the deck, each card of the pool, each leader's groups (MOVE_DTYPE).

    A group is the leader's clan or its color, with all wild cards or without any. Smaller groups
    are legal too, but so many moves would be hard to read.
    """
    moves: list[Any] = []

    def add(kind: int, leader: int = 0, choice: int = 0, once: int = 0, twice: int = 0) -> None:
        move = np.zeros((), MOVE_DTYPE)
        move["kind"], move["leader"], move["choice"] = kind, leader, choice
        move["once"], move["twice"] = once, twice
        if move not in moves:
            moves.append(move)

    if view["hand_cards"][view["player"]] < view["rules"]["hand_limit"]:
        add(FROM_DECK)
        for card in _numbers(view["pool_once"]):
            add(FROM_POOL, choice=card)
    once, twice, wild = (int(view[name]) for name in ("hand_once", "hand_twice", "wild_cards"))
    for leader in _numbers(view["leaders"]):
        clan = int(view["clan_cards"][leader // REGIONS])
        color = int(view["color_cards"][leader % REGIONS]) & ~wild
        for group in (clan | wild, color | wild, clan, color):
            size = (once & group).bit_count() + (twice & group).bit_count()
            if size <= view["rules"]["party_limit"]:
                add(PARTY, leader=leader, once=once & group, twice=twice & group)
    return moves


def _numbers(plane: Any) -> list[int]:
    return [card for card in range(64) if int(plane) >> card & 1]


def same_move(first: Any, second: Any) -> bool:
    """Whether two moves have the same effect."""
    fields = {FROM_DECK: (), FROM_POOL: ("choice",)}.get(int(first["kind"]))
    if fields is None:
        fields = ("leader", "once", "twice")
    return all(first[name] == second[name] for name in ("kind", *fields))


def _chances(
    entry: Entry,
    table: GameTable,
    view: np.ndarray,
    moves: Sequence[Any],
    guesses: int,
) -> np.ndarray:
    """The chance to win that a strategy tells for each move, shape (guesses, moves).

    All moves of a row are valued with the same random stream. There is one row if the strategy
    needs no guess.
    """
    tells: Any = entry.strategy.chance_function
    if "rng" not in inspect.signature(getattr(tells, "py_func", tells)).parameters:
        guesses = 1
    function = CHANCE(compiled_chance(entry.strategy).address)
    private = own_record(entry.silent_seat(), table.slots)
    seen = np.array([view])
    chances = np.zeros((guesses, len(moves)))
    for row, column in np.ndindex(chances.shape):
        player, move = private.copy(), np.array([moves[column]])
        player["random_state"] = row + 1
        chances[row, column] = function(*(array.ctypes.data for array in (seen, move, player)))
    return chances


def explain(
    match: Match, game: int, turn: int, *, by: str | None = None, guesses: int = 200
) -> Explanation:
    """The possible moves at a turn of a game, with the chance to win after each.

    Args:
        match: the game's match.
        game: the game's number.
        turn: the turn's number, from 1, as `ethnos-sim play` counts them.
        by: a strategy (with settings) to ask in place of the strategy whose turn it is.
        guesses: the number of guesses at the hidden cards, where chances need them.

    Raises:
        InvalidGame: there is no such game or turn, or the player could only pass.
        StrategyError: `by` is unknown.
    """
    position = _chosen_turn(turns_of(match, game), turn)
    judged = imagine_moves(match, position, by=by, guesses=guesses)
    view = position["open"]
    return Explanation(
        game=game,
        turn=turn,
        age=int(view["age"]),
        player=int(view["player"]),
        strategy=judged.entry.name,
        hand=judged.table.card_names(view["hand_once"], view["hand_twice"]),
        imagined=judged.imagined,
        guesses=len(judged.chances),
        moves=tuple(map(judged.considered, judged.order)),
    )


def _chosen_turn(positions: np.ndarray, turn: int) -> Any:
    """The position of a turn; InvalidGame if there is no such turn, or only a pass."""
    numbers = positions["open"]["turns"]
    if not np.any(numbers == turn):
        last = int(numbers[-1])
        what = "at it the player could only pass" if 0 < turn < last else f"turns are 1 to {last}"
        raise InvalidGame(f"there is no turn {turn} to explain; {what}")
    return positions[numbers == turn][0]


@dataclass(frozen=True)
class Imagined:
    """The moves of a position with their chances to win.

    `entry` is the strategy that is asked, and `played` the index of the move that was made.
    `imagined` says that the chances come from look-ahead. `chances` has shape (guesses, moves): a
    row for each guess at the hidden cards, or a single row where chances need no guess.
    """

    table: GameTable
    entry: Entry
    moves: Sequence[Any]
    played: int
    imagined: bool
    chances: np.ndarray

    @cached_property
    def order(self) -> list[int]:
        """The indices of the moves, the best first."""
        places: list[int] = np.argsort(-self.chances.mean(axis=0), kind="stable").tolist()
        return places

    def considered(self, place: int) -> ConsideredMove:
        """The move at an index, by the names of its cards."""
        behind, error = _mean(self.chances[:, self.order[0]] - self.chances[:, place])
        move = vars(NamedMove.of(self.table, self.moves[place]))
        chance, played = float(self.chances[:, place].mean()), place == self.played
        return ConsideredMove(**move, chance=chance, behind=behind, error=error, played=played)


def imagine_moves(match: Match, position: Any, *, by: str | None = None, guesses: int) -> Imagined:
    """The moves of a position with their chances to win; arguments as for `explain`.

    The chances come from the strategy, or else from look-ahead with the strategy as its policy.
    """
    view = position["open"]
    table = match.table(int(position["game"]) // match.rotations)
    if by is not None:
        entry = parse_entry(by, table.players, table.rules)
    else:
        seat = int(view["player"]) + int(position["game"]) % match.rotations
        entry = match.line_up.entries[seat % table.players]
    judge = entry
    if entry.strategy.chance_function is None:
        policy = entry.policy or entry
        imagining = parse_entry("lookahead", table.players, table.rules)
        judge = replace(imagining, policy=policy, restrictions=entry.restrictions)
    moves = possible_moves(view)
    if not any(same_move(move, position["move"]) for move in moves):
        moves.append(position["move"])
    return Imagined(
        table=table,
        entry=entry,
        moves=moves,
        played=next(i for i, move in enumerate(moves) if same_move(move, position["move"])),
        imagined=judge is not entry,
        chances=_chances(judge, table, view, moves, guesses),
    )


#: The strategy that judges moves.
JUDGE = "lookahead"
#: The judge's usual number of guesses at the hidden cards.
GUESSES = 100


@dataclass(frozen=True)
class TurnChance:
    """A turn as look-ahead judges it; errors are half the width of 95 % intervals over guesses.

    turn, player   the turn's number, from 1, and its player
    chance, error  the chance to win after the move that was made
    cost           how much lower this chance is than after the best move. Half of the guesses
                   choose the best move and the other half measure the difference, so that lucky
                   guesses do not add to the cost
    cost_error     the error of `cost`
    best           the best move, by all guesses
    """

    turn: int
    player: int
    chance: float
    error: float
    cost: float
    cost_error: float
    best: ConsideredMove


def chances_of_turns(
    match: Match, game: int, *, guesses: int = GUESSES, jobs: int = 1
) -> list[TurnChance]:
    """Judge every turn of a game at which there was a choice.

    Args:
        match: the game's match.
        game: the game's number.
        guesses: the number of guesses at the hidden cards, at least 4.
        jobs: the number of threads; the result does not depend on it.

    Raises:
        InvalidGame: the number is below 0.
    """
    positions = turns_of(match, game)

    def judged(position: Any) -> TurnChance:
        return _judged(match, position, guesses)

    # Judge the first turn alone, so that all code is compiled before threads use it.
    return [*map(judged, positions[:1]), *in_threads(judged, list(positions[1:]), jobs)]


def _judged(match: Match, position: Any, guesses: int) -> TurnChance:
    judged = imagine_moves(match, position, by=JUDGE, guesses=guesses)
    chances, played = judged.chances, judged.played
    half = len(chances) // 2
    chosen = int(chances[:half].mean(axis=0).argmax())
    cost, cost_error = _mean(chances[half:, chosen] - chances[half:, played])
    chance, error = _mean(chances[:, played])
    turn, player = (int(position["open"][name]) for name in ("turns", "player"))
    best = judged.considered(judged.order[0])
    return TurnChance(turn, player, chance, error, cost, cost_error, best)


def _mean(values: np.ndarray) -> tuple[float, float]:
    """The mean, and half the width of its 95 % interval (0 for a single value)."""
    error = Z * values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0.0
    return float(values.mean()), float(error)
