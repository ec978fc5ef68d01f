"""Strategies watched from outside: the records that they see.

`Watched` stands between the engine and a strategy's compiled code. The engine calls it by address
like any other function, and it keeps the bytes of every record.
"""

import ctypes
import dataclasses
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from inside.simulator.game import MOVE_DTYPE
from seated import play_seats

from ethnos_sim.simulator import DECISIONS, OWN_DTYPE, VIEW_DTYPE, Rules, Seat
from ethnos_sim.strategies import LineUp, Strategy

ALL_QUESTIONS = (1 << len(DECISIONS)) - 1

CALL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


@dataclass(frozen=True)
class Consultation:
    """One question: the records before the answer (raw bytes)."""

    own_function: bool
    view: bytes
    own: bytes

    @property
    def question(self) -> str:
        """The name of the question."""
        return DECISIONS[int(record(self.view, VIEW_DTYPE)["decision"])]


def cards_in(once: int, twice: int) -> Counter[int]:
    """A set of cards, given as two planes, as a counter of card numbers."""
    return Counter(
        card for plane in (int(once), int(twice)) for card in range(64) if plane >> card & 1
    )


def record(data: bytes, dtype: np.dtype) -> np.ndarray:
    """A writable copy of a record (shape (), the given dtype)."""
    return np.frombuffer(bytearray(data), dtype)[0]  # type: ignore[no-any-return]


@dataclass
class Watched:
    """A seat that records every consultation."""

    seat: Seat
    consultations: list[Consultation] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._callback = CALL(self._look_on)

    def _look_on(self, view: int, move: int, own: int) -> None:
        shown = ctypes.string_at(view, VIEW_DTYPE.itemsize)
        private = ctypes.string_at(own, OWN_DTYPE.itemsize)
        decision = int(record(shown, VIEW_DTYPE)["decision"])
        CALL(self.seat.answering(decision))(view, move, own)
        own_function = bool(self.seat.hooks >> decision & 1)
        self.consultations.append(Consultation(own_function, shown, private))

    def ask(self, view: np.ndarray, own: np.ndarray) -> np.ndarray:
        """The move that the strategy answers to these records (shape (), MOVE_DTYPE)."""
        views, owns = np.array([view], VIEW_DTYPE), np.array([own], OWN_DTYPE)
        moves = np.zeros(1, MOVE_DTYPE)
        function = CALL(self.seat.answering(int(view["decision"])))
        function(views.ctypes.data, moves.ctypes.data, owns.ctypes.data)
        return moves[0]  # type: ignore[no-any-return]

    def as_seat(self) -> Seat:
        """A seat for the engine in place of the watched one; it is asked every question."""
        address = ctypes.cast(self._callback, ctypes.c_void_p).value
        assert address is not None
        return dataclasses.replace(self.seat, address=address, hooks=ALL_QUESTIONS)


def watch(
    rules: Rules, names: str, players: int, clans: tuple[str, ...], deals: int, mode: str
) -> list[Consultation]:
    """Every consultation of a line-up's first strategy, over all rotations of `deals` deals."""
    first, *others = LineUp.parse(names, players, rules).seats()
    watched = Watched(first)
    seats = (watched.as_seat(), *others)
    play_seats(rules, seats, players, mode, clans, seed=9, deals=deals)
    return watched.consultations


def quickest(strategy: Strategy) -> str:
    """The strategy as in line-ups; with its lowest settings if it looks ahead."""
    if strategy.policy is None:
        return strategy.name
    lowest = (f"{parameter.name}={parameter.low:g}" for parameter in strategy.parameters)
    return ":".join([strategy.name, *lowest])


def covering_clans(rules: Rules, needed: int) -> Iterator[tuple[str, ...]]:
    """Clan sets that together cover every clan of an edition."""
    clans = list(rules.clans)
    for start in range(0, len(clans), needed):
        yield tuple((clans + clans)[start : start + needed])
