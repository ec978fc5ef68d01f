"""Detect strategies that decide by hidden cards, however they read them.

Cheating that can be seen in the code is refused earlier (`simulator.user_code`). This module lets
the strategy play games, and asks it for each decision twice. The second time, the cards that the
strategy has not seen are shuffled between the rivals' hands and the deck. An answer that changes is
a leak.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from ethnos_sim.simulator.game.records import (
    DRAGON,
    HIDDEN_DTYPE,
    MOVE_DTYPE,
    OWN_DTYPE,
    VIEW_DTYPE,
)
from ethnos_sim.simulator.kernel.imagination import PRIVATE, PRIVATE_BYTES
from ethnos_sim.simulator.tables.batch import play_table
from ethnos_sim.simulator.tables.table import GameTable, Seat

#: The number of decisions that are asked twice.
DECISIONS = 200
#: The most seconds that asking twice may take.
SECONDS = 2.0

#: The most deals that are played to find DECISIONS decisions.
MOST_DEALS = 32

#: The function that the engine calls, with the addresses of the view, move and private record.
_CALL = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)

_OWN_AT: int = HIDDEN_DTYPE.fields["own"][1]  # type: ignore[index]


def leak_of(table: GameTable, seat: Seat, seed: int) -> str | None:
    """Say what a strategy does wrong; None if its answers depend only on what it is shown.

    Args:
        table: the table to play at; the strategy's seat may occur more than once.
        seat: the strategy's seat.
        seed: seed of the deals and of the shuffles of hidden cards.
    """
    twice = _AskedTwice(seat, seed)
    seats = tuple(twice.seat if other is seat else other for other in table.seats)
    for deal in range(MOST_DEALS):
        if twice.is_done:
            break
        play_table(replace(table, seats=seats), seed=seed, first_deal=deal, deals=1)
    if twice.error is not None:
        raise twice.error
    return twice.leak


class _AskedTwice:
    """A stand-in for a strategy, which the engine calls and which asks the strategy twice."""

    def __init__(self, seat: Seat, seed: int) -> None:
        self._code = _CALL(seat.address)
        self._luck = np.random.default_rng(seed)
        self._callback = _CALL(self._answer)  # Kept alive, since the engine may call it.
        self._until = time.perf_counter() + SECONDS
        self._asked = 0
        self.leak: str | None = None
        self.error: Exception | None = None
        address = ctypes.cast(self._callback, ctypes.c_void_p).value or 0
        self.seat = replace(seat, address=address)

    @property
    def is_done(self) -> bool:
        """Whether enough decisions were asked, time is up, or a leak or error was found."""
        late = time.perf_counter() > self._until
        return self._asked >= DECISIONS or late or bool(self.leak or self.error)

    def _answer(self, view_at: int, move_at: int, own_at: int) -> None:
        if self.is_done:
            self._code(view_at, move_at, own_at)
            return
        self._asked += 1
        try:
            self._ask_twice(view_at, move_at, own_at)
        except Exception as error:  # An exception cannot pass through the engine.
            self.error = error

    def _ask_twice(self, view_at: int, move_at: int, own_at: int) -> None:
        """Give the strategy's answer; note a leak if it changes with the hidden cards."""
        view = _record_at(view_at, VIEW_DTYPE)
        player = int(view["player"])
        hidden_at = own_at - _OWN_AT - player * OWN_DTYPE.itemsize
        hidden = _record_at(hidden_at, HIDDEN_DTYPE)
        places = (view_at, VIEW_DTYPE.itemsize), (hidden_at, HIDDEN_DTYPE.itemsize)
        its_own = [
            (move_at - hidden_at, MOVE_DTYPE.itemsize),
            (own_at - hidden_at + PRIVATE, PRIVATE_BYTES),
        ]

        def asked() -> tuple[list[bytes], list[Any]]:
            before = [ctypes.string_at(*place) for place in places]
            self._code(view_at, move_at, own_at)
            after = [ctypes.string_at(*place) for place in places]
            allowed = bytearray(before[1])
            for first, size in its_own:
                allowed[first : first + size] = after[1][first : first + size]
            if before[0] != after[0] or allowed != after[1]:
                self.leak = "it writes to memory that it may only read"
            move, private = _record_at(move_at, MOVE_DTYPE), hidden["own"][player]
            answer = [move[name].item() for name in MOVE_DTYPE.names or ()]
            return after, [*answer, private["random_state"].item(), *private["memory"].tolist()]

        before = [ctypes.string_at(*place) for place in places]
        after, answer = asked()
        _put_back(places, before)
        lay_out_anew(view, hidden, player, self._luck)
        if asked()[1] != answer and self.leak is None:
            self.leak = "its answer changes when the hidden cards are shuffled"
        _put_back(places, after)


def _put_back(places: Iterable[tuple[int, int]], contents: Iterable[bytes]) -> None:
    """Write the contents to memory, at the given addresses and sizes."""
    for (address, size), content in zip(places, contents, strict=True):
        ctypes.memmove(address, content, size)


def _record_at(address: int, dtype: np.dtype) -> np.ndarray:
    """The record at an address (shape ())."""
    memory = memoryview((ctypes.c_char * dtype.itemsize).from_address(address))
    record: np.ndarray = np.frombuffer(memory, dtype).reshape(())
    return record


def lay_out_anew(view: Any, hidden: Any, player: int, luck: np.random.Generator) -> None:
    """Deal anew what a player has not seen: rivals' unknown cards, the deck and later decks.

    Rivals' random streams change too. Hands and deck keep their numbers of cards. The remaining
    dragons go to random places in the rest of the part of the deck that holds them.

    Args:
        view: the record that the player is shown (shape (), VIEW_DTYPE).
        hidden: the hidden record, which is changed (shape (), HIDDEN_DTYPE).
        player: the player who decides.
        luck: the random generator.
    """
    age, first, deck_size = int(view["age"]), int(hidden["next_card"]), int(view["deck_cards"])
    deck = hidden["deal"]["order"][age - 1][first : first + deck_size]
    rivals = [rival for rival in range(int(view["hands"])) if rival != player]
    unknown = {}
    for rival in rivals:
        hand, known = (
            _cards(place[f"{name}_once"][rival], place[f"{name}_twice"][rival])
            for place, name in ((hidden, "hands"), (view, "known"))
        )
        for card in known:
            hand.remove(card)
        unknown[rival] = hand
    cards = luck.permutation([*deck[deck != DRAGON], *chain(*unknown.values())]).tolist()
    for rival in rivals:
        known = _cards(view["known_once"][rival], view["known_twice"][rival])
        dealt = [cards.pop() for _ in unknown[rival]]
        once, twice = _planes([*known, *dealt])
        hidden["hands_once"][rival], hidden["hands_twice"][rival] = once, twice
        hidden["own"][rival]["random_state"] ^= luck.integers(2**63, dtype=np.uint64)
    dragons = int((deck == DRAGON).sum())
    bottom = min(deck_size, _dragons_part(view))
    deck[:] = DRAGON
    free = np.ones(deck_size, bool)
    free[deck_size - bottom + luck.permutation(bottom)[:dragons]] = False
    deck[free] = cards
    for order in hidden["deal"]["order"][age:]:
        order[order != DRAGON] = luck.permutation(order[order != DRAGON])


def _dragons_part(view: Any) -> int:
    """The number of cards in the part of this age's new deck with the dragons, them included."""
    rules = view["rules"]
    cards = int(view["all_cards"]).bit_count() * int(rules["copies"])
    cards -= int(rules["dealt"][view["age"] - 1])
    return -(-cards // int(rules["dragons_in"])) + int(rules["dragons"])


def _cards(once: Any, twice: Any) -> list[int]:
    """The cards of a set as a list."""
    planes = int(once), int(twice)
    return [card for plane in planes for card in range(64) if plane >> card & 1]


def _planes(cards: list[int]) -> tuple[int, int]:
    """A set of cards as two planes."""
    once = twice = 0
    for card in cards:
        twice |= once & 1 << card
        once |= 1 << card
    return once, twice
