"""Why a player moved as it did: the moves it could make in a position, each with its value.

A strategy may tell what it values (`strategies.api.VALUATIONS`): `worth`, in its own unit, and
`chance`, to win. Of one that tells no chance, look-ahead finds it: on guesses at the hidden cards
the strategy itself plays on from each move, so any strategy can be explained.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ethnos_sim.experiments.matches.match import Match
from ethnos_sim.simulator.batch import check_seed, run_chunk
from ethnos_sim.simulator.errors import InvalidGame
from ethnos_sim.simulator.narration.phrases import Phrases
from ethnos_sim.simulator.records import (
    FROM_DECK,
    FROM_POOL,
    GAME_DTYPE,
    MOVE_DTYPE,
    PARTY,
    POSITION_DTYPE,
    POSITION_LOG_DTYPE,
    REGIONS,
    SEAT_DTYPE,
    TURN,
)
from ethnos_sim.simulator.rules import load_rules
from ethnos_sim.simulator.table import GameTable, entry_records
from ethnos_sim.strategies import LineUp
from ethnos_sim.strategies.compiling import compiled_valuation
from ethnos_sim.strategies.line_up import Entry, parse_entry

#: Questions of one game that there is room for.
QUESTIONS = 8_000

#: The half-width of a 95 % interval, in standard errors.
Z = 1.96

#: What a valuation is: the addresses of view, move and private record to a number.
VALUATION = ctypes.CFUNCTYPE(ctypes.c_double, *[ctypes.c_void_p] * 3)

WORTH = "worth"
CHANCE = "chance"


@dataclass(frozen=True)
class ConsideredMove:
    """A move that a player could make.

    kind       "draw", "take" or "party"
    card       the card taken, or the party's leader; None for a draw
    cards      the party's cards, the leader among them; else none
    worth      what the strategy values the move at, in its own unit; None where it does not tell
    chance     the chance to win after it
    behind     by how much that is less than with the best move
    error      half the width of `behind`'s 95 % interval, over guesses; 0 where chances are exact
    played     whether it is the move that was made
    """

    kind: str
    card: str | None
    cards: tuple[str, ...]
    worth: float | None
    chance: float
    behind: float
    error: float
    played: bool

    def told(self, phrases: Phrases, party: str) -> str:
        """The move in the edition's words, as `play` tells it; `party` is its word for one."""
        if self.card is None:
            return "draws"
        if self.kind == "take":
            return f"takes {phrases.card(self.card)}"
        rest = list(self.cards)
        rest.remove(self.card)
        text = f"{party} of {len(self.cards)} led by {phrases.card(self.card)}"
        return f"{text} with {phrases.cards(rest)}" if rest else text


@dataclass(frozen=True)
class Explanation:
    """A turn and the moves considered, the best first.

    `imagined` says that the chances are look-ahead's, with the strategy playing on in every seat;
    `guesses` is how many guesses at hidden cards they rest on (1: the strategy tells them itself).
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


def cards_of(table: GameTable, once: Any, twice: Any) -> tuple[str, ...]:
    """The names of a set of cards."""
    return tuple(
        table.card_name(card)
        for card in range(REGIONS * len(table.slots))
        for plane in (int(once), int(twice))
        if plane >> card & 1
    )


def traced_match(trace: dict[str, Any]) -> Match:
    """The match that a trace's game is of; InvalidGame for something else than a trace."""
    try:
        rules = load_rules(trace["edition"], overrides=trace["rules"])
        players, game = int(trace["players"]), int(trace["game"])
        names, seed = list(trace["strategies"]), check_seed(int(trace["seed"]))
        clans, mode = list(trace["clans"]), str(trace["mode"])
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidGame(f"this is no trace of a game ({error!r})") from error
    seated = LineUp.parse(names, players, rules)
    rotation = game % seated.rotations
    entries = tuple(seated.entries[(seat - rotation) % players] for seat in range(players))
    line_up = LineUp(entries)
    table = GameTable.prepare(rules, players, mode, clans, line_up.seats())
    return Match(line_up, (table,), seed)


def turns_of(match: Match, game: int) -> np.ndarray:
    """The positions of a game's turns, in order (shape (turns,), POSITION_DTYPE)."""
    found = questions_of(match, game)
    turns: np.ndarray = found[found["open"]["decision"] == TURN]
    return turns


def questions_of(match: Match, game: int) -> np.ndarray:
    """The positions of all of a game's questions, in order (shape (questions,), POSITION_DTYPE).

    Raises:
        InvalidGame: the number is below 0.
    """
    if game < 0:
        raise InvalidGame(f"there is no game {game}; games are numbered from 0")
    table = match.table(game // match.rotations)
    positions = np.zeros(QUESTIONS, POSITION_DTYPE)
    log = np.zeros(1, POSITION_LOG_DTYPE)
    log["address"], log["room"], log["every"] = positions.ctypes.data, QUESTIONS, 1
    games, seats = np.zeros(1, GAME_DTYPE), np.zeros((1, table.sides), SEAT_DTYPE)
    run_chunk(table, match.seed, game, games, seats, positions=log)
    return positions[: int(log["used"][0])]


def possible_moves(view: Any) -> list[Any]:
    """The moves of a turn: the deck, each card of the pool, each leader's groups (MOVE_DTYPE).

    A group is the leader's clan or its color, with all wild cards and without; any part of one is
    legal too, and as many would be hard to read.
    """
    found: list[Any] = []

    def add(kind: int, leader: int = 0, choice: int = 0, once: int = 0, twice: int = 0) -> None:
        move = np.zeros((), MOVE_DTYPE)
        move["kind"], move["leader"], move["choice"] = kind, leader, choice
        move["once"], move["twice"] = once, twice
        if move not in found:
            found.append(move)

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
    return found


def _numbers(plane: Any) -> list[int]:
    """The numbers of the cards in a plane."""
    return [card for card in range(64) if int(plane) >> card & 1]


def same_move(first: Any, second: Any) -> bool:
    """Whether two moves do the same."""
    fields = {FROM_DECK: (), FROM_POOL: ("choice",)}.get(int(first["kind"]))
    if fields is None:
        fields = ("leader", "once", "twice")
    return all(first[name] == second[name] for name in ("kind", *fields))


def _valued(
    entry: Entry,
    table: GameTable,
    view: np.ndarray,
    valuation: str,
    moves: Sequence[Any],
    streams: Sequence[int],
) -> np.ndarray:
    """A strategy's valuation of each move at a position, shape (streams, moves).

    All moves of a row are valued with the same random stream.
    """
    code = compiled_valuation(entry.strategy, valuation)
    function = VALUATION(code.address)
    private = entry_records([entry.silent_seat()], table.slots)[:1]
    seen = np.array([view])
    found = np.zeros((len(streams), len(moves)))
    for row, column in np.ndindex(found.shape):
        own, made = private.copy(), np.array([moves[column]])
        own["random_state"] = streams[row]
        found[row, column] = function(*(array.ctypes.data for array in (seen, made, own)))
    return found


def _judge(entry: Entry, match: Match) -> Entry:
    """Who tells the chances: the strategy itself, or look-ahead with it as the policy."""
    if CHANCE in entry.strategy.valuations:
        return entry
    table = match.tables[0]
    imagining = parse_entry("lookahead", table.players, table.rules)
    policy = entry.policy or replace(entry, uncompiled=False)
    return replace(imagining, policy=policy, restrictions=entry.restrictions)


def explain(
    match: Match, game: int, turn: int, *, by: str | None = None, guesses: int = 200
) -> Explanation:
    """The moves that could be made at a turn of a game, with what a strategy makes of them.

    Args:
        match: whose game it is.
        game: the game's number.
        turn: the turn's number, from 1, as `ethnos-sim play` counts them.
        by: a strategy (with settings) to ask in place of the one whose turn it is.
        guesses: guesses at the hidden cards, where chances need any.

    Raises:
        InvalidGame: there is no such game or turn, or at it the player could only pass.
        StrategyError: `by` is unknown.
    """
    positions = turns_of(match, game)
    return explain_position(match, chosen_turn(positions, turn), by=by, guesses=guesses)


def chosen_turn(positions: np.ndarray, turn: int) -> Any:
    """The position of a turn; InvalidGame where there is none to explain."""
    numbers = positions["open"]["turns"]
    if not np.any(numbers == turn):
        last = int(numbers[-1])
        what = "at it the player could only pass" if 0 < turn < last else f"turns are 1 to {last}"
        raise InvalidGame(f"there is no turn {turn} to explain; {what}")
    return positions[numbers == turn][0]


def explain_position(
    match: Match, position: Any, *, by: str | None = None, guesses: int = 200
) -> Explanation:
    """As `explain`, of a position (POSITION_DTYPE) from `turns_of`."""
    found = imagine_moves(match, position, by=by, guesses=guesses)
    entry, moves, chances = found.entry, found.moves, found.chances
    view, game = position["open"], int(position["game"])
    table = match.table(game // match.rotations)
    player = int(view["player"])
    worths: Sequence[float | None] = [None] * len(moves)
    if WORTH in entry.strategy.valuations:
        worths = _valued(entry, table, view, WORTH, moves, [1])[0].tolist()
    means = chances.mean(axis=0)
    order = np.argsort(-means, kind="stable")
    gaps = chances[:, order[:1]] - chances
    errors = np.zeros(len(moves))
    if len(chances) > 1:
        errors = Z * gaps.std(axis=0, ddof=1) / np.sqrt(len(chances))
    return Explanation(
        game=game,
        turn=int(view["turns"]),
        age=int(view["age"]),
        player=player,
        strategy=entry.name,
        hand=cards_of(table, view["hand_once"], view["hand_twice"]),
        imagined=found.imagined,
        guesses=len(chances),
        moves=tuple(
            considered(
                table,
                moves[i],
                worths[i],
                float(means[i]),
                float(gaps[:, i].mean()),
                float(errors[i]),
                played=i == found.played,
            )
            for i in order.tolist()
        ),
    )


@dataclass(frozen=True)
class Imagined:
    """The moves of a position with their chances to win.

    `entry` is who is asked, `played` the place of the move that was made; `imagined` says that the
    chances are look-ahead's. `chances` has shape (guesses, moves): a row for each guess at the
    hidden cards, a single one where chances need none.
    """

    entry: Entry
    moves: Sequence[Any]
    played: int
    imagined: bool
    chances: np.ndarray


def entry_of(match: Match, position: Any) -> int:
    """The place in the line-up of who was asked at a position."""
    seat = int(position["open"]["player"]) + int(position["game"]) % match.rotations
    return seat % len(match.line_up.entries)


def imagine_moves(match: Match, position: Any, *, by: str | None = None, guesses: int) -> Imagined:
    """The moves of a position with their chances to win; arguments as for `explain_position`."""
    view = position["open"]
    table = match.table(int(position["game"]) // match.rotations)
    entry = match.line_up.entries[entry_of(match, position)]
    if by is not None:
        entry = parse_entry(by, table.players, table.rules)
    moves = possible_moves(view)
    if not any(same_move(move, position["move"]) for move in moves):
        moves.append(position["move"])
    judge = _judge(entry, match)
    random = "rng" in _arguments(judge.strategy.valuations[CHANCE])
    streams = range(1, 1 + (guesses if random else 1))
    return Imagined(
        entry=entry,
        moves=moves,
        played=next(i for i, move in enumerate(moves) if same_move(move, position["move"])),
        imagined=judge is not entry,
        chances=_valued(judge, table, view, CHANCE, moves, streams),
    )


def _arguments(function: Any) -> Sequence[str]:
    """The names of a function's arguments."""
    code = getattr(function, "py_func", function).__code__
    names: Sequence[str] = code.co_varnames[: code.co_argcount]
    return names


def considered(
    table: GameTable,
    move: Any,
    worth: float | None,
    chance: float,
    behind: float,
    error: float,
    *,
    played: bool,
) -> ConsideredMove:
    """A move by the names of its cards."""
    kind = {FROM_DECK: "draw", FROM_POOL: "take"}.get(int(move["kind"]), "party")
    card = {"draw": None, "take": int(move["choice"])}.get(kind, int(move["leader"]))
    cards = cards_of(table, move["once"], move["twice"]) if kind == "party" else ()
    name = None if card is None else table.card_name(card)
    return ConsideredMove(kind, name, cards, worth, chance, behind, error, played)
