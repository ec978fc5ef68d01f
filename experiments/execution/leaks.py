"""Detect strategies that decide by hidden cards, however they read them.

A decision is asked again with other hidden cards: what the player has not seen is shuffled between
the rivals' hands and the deck. An answer that changes is a leak. The answers with other cards come
first, so a strategy that repeats its first answer to a position plays by wrong cards.
"""

from __future__ import annotations

import ctypes
import math
import time
from collections.abc import Iterable
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
from ethnos_sim.simulator.kernel.imagination import PRIVATE_BYTES, PRIVATE_OFFSET

#: How often a decision is asked with other hidden cards. If a strategy looks whether the next card
#: has a certain color, 28 of 100 answers change in a shuffle, 42 in at least one of two.
SHUFFLES = 2

#: How often a decision whose answer changed is asked with the same cards, to see if it is random.
REPEATS = 10

#: A function that the engine calls with the addresses of the view, move and private record.
_ANSWER_FUNCTION = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)

_OWN_OFFSET: int = HIDDEN_DTYPE.fields["own"][1]  # type: ignore[index]


class StrategyStandIn:
    """A stand-in for a strategy, which the engine calls and which asks the strategy again.

    Attributes:
        name: the strategy's name.
        address: the address to call in place of the strategy's.
        chance: the chance that a decision is asked again (0 to 1).
        most_decisions: the most decisions to ask again.
        deadline: when to stop asking (seconds of `time.monotonic`).
        decisions: how many decisions were asked again.
        leak: what the strategy does wrong, or None.
        varies: whether it answered the same question, with the same cards, in two ways.
        error: an exception of this program while it asked, or None.
        called_at: when the strategy's running call began (seconds of `time.monotonic`), or None.
    """

    def __init__(self, name: str, address: int, rng: np.random.Generator) -> None:
        """Stand in for the strategy at an address; `rng` shuffles cards and draws decisions."""
        self.name = name
        self.chance, self.most_decisions, self.deadline = 1.0, math.inf, math.inf
        self.decisions = 0
        self.leak: str | None = None
        self.varies = False
        self.error: Exception | None = None
        self.called_at: float | None = None
        self._code = _ANSWER_FUNCTION(address)
        self._rng = rng
        self._callback = _ANSWER_FUNCTION(self._answer)  # Kept alive, since the engine may call it.
        self.address = ctypes.cast(self._callback, ctypes.c_void_p).value or 0

    def _answer(self, view_address: int, move_address: int, own_address: int) -> None:
        """Answer for the strategy when the engine calls; by chance also ask the decision again."""
        self.called_at = time.monotonic()
        if self._is_asked_again(self.called_at):
            self.decisions += 1
            try:
                self._ask_again(view_address, move_address, own_address)
            except Exception as error:  # An exception cannot pass through the engine.
                self.error = error
        else:
            self._code(view_address, move_address, own_address)
        self.called_at = None

    def _is_asked_again(self, now: float) -> bool:
        """Whether to ask this decision again: at random, until a fault or a limit is reached."""
        if self.leak or self.varies or self.error or now > self.deadline:
            return False
        if self.decisions >= self.most_decisions:
            return False
        return self.chance >= 1 or bool(self._rng.random() < self.chance)

    def _ask_again(self, view_address: int, move_address: int, own_address: int) -> None:
        """Write the strategy's answer; set `leak` if it changes with the hidden cards."""
        view = _record_at(view_address, VIEW_DTYPE)
        player = int(view["player"])
        hidden_address = own_address - _OWN_OFFSET - player * OWN_DTYPE.itemsize
        hidden = _record_at(hidden_address, HIDDEN_DTYPE)
        spans = (view_address, VIEW_DTYPE.itemsize), (hidden_address, HIDDEN_DTYPE.itemsize)
        writable = [
            (move_address - hidden_address, MOVE_DTYPE.itemsize),
            (own_address - hidden_address + PRIVATE_OFFSET, PRIVATE_BYTES),
        ]

        def ask() -> list[Any]:
            """The strategy's answer, with its random state and memory; set `leak` if it cheats."""
            before = [ctypes.string_at(*span) for span in spans]
            self._code(view_address, move_address, own_address)
            after = [ctypes.string_at(*span) for span in spans]
            allowed = bytearray(before[1])
            for first, size in writable:
                allowed[first : first + size] = after[1][first : first + size]
            if before[0] != after[0] or allowed != after[1]:
                self.leak = "it writes to memory that it may only read"
            move, private = _record_at(move_address, MOVE_DTYPE), hidden["own"][player]
            answer = [move[name].item() for name in MOVE_DTYPE.names or ()]
            return [*answer, private["random_state"].item(), *private["memory"].tolist()]

        before = [ctypes.string_at(*span) for span in spans]
        others = []
        for _ in range(SHUFFLES):
            shuffle_hidden_cards(view, hidden, player, self._rng)
            others.append(ask())
            _write_memory(spans, before)
        answer = ask()
        if self.leak is None and any(other != answer for other in others):
            after = [ctypes.string_at(*span) for span in spans]
            for _ in range(REPEATS):
                _write_memory(spans, before)
                self.varies |= ask() != answer
            _write_memory(spans, after)
            if not self.varies:
                self.leak = "its answer changes when the hidden cards are shuffled"


def _write_memory(spans: Iterable[tuple[int, int]], contents: Iterable[bytes]) -> None:
    """Write the contents to the spans (address, size) of memory."""
    for (address, size), content in zip(spans, contents, strict=True):
        ctypes.memmove(address, content, size)


def _record_at(address: int, dtype: np.dtype) -> np.ndarray:
    """The record at an address (shape ())."""
    memory = memoryview((ctypes.c_char * dtype.itemsize).from_address(address))
    record: np.ndarray = np.frombuffer(memory, dtype).reshape(())
    return record


def shuffle_hidden_cards(view: Any, hidden: Any, player: int, rng: np.random.Generator) -> None:
    """Deal anew what a player has not seen: rivals' unknown cards, the deck and later decks.

    Rivals' random streams and memories change too. So does the game's number: with it and the seed
    the deck could be computed. Hands and deck keep their numbers of cards. The remaining dragons
    get random positions in the rest of the deck's bottom part, which held all dragons.

    Args:
        view: the record that the player's strategy gets (shape (), VIEW_DTYPE).
        hidden: the hidden record, which is changed (shape (), HIDDEN_DTYPE).
        player: the player who decides.
        rng: the random generator.
    """
    age, first, deck_size = int(view["age"]), int(hidden["next_card"]), int(view["deck_cards"])
    deck = hidden["deal"]["order"][age - 1][first : first + deck_size]
    rivals = [rival for rival in range(int(view["hands"])) if rival != player]
    unknown = {}
    for rival in rivals:
        hand, known = (
            _card_list(record[f"{name}_once"][rival], record[f"{name}_twice"][rival])
            for record, name in ((hidden, "hands"), (view, "known"))
        )
        for card in known:
            hand.remove(card)
        unknown[rival] = hand
    cards = rng.permutation([*deck[deck != DRAGON], *chain(*unknown.values())]).tolist()
    for rival in rivals:
        known = _card_list(view["known_once"][rival], view["known_twice"][rival])
        dealt = [cards.pop() for _ in unknown[rival]]
        once, twice = _card_planes([*known, *dealt])
        hidden["hands_once"][rival], hidden["hands_twice"][rival] = once, twice
        private = hidden["own"][rival]
        private["random_state"] ^= rng.integers(2**63, dtype=np.uint64)
        private["memory"] ^= rng.integers(2**31, size=private["memory"].size)
    hidden["call"]["random_state"] ^= rng.integers(2**63, dtype=np.uint64)
    for name in ("game", "deal"):
        hidden["result"][name] ^= rng.integers(2**31)
    dragons = int((deck == DRAGON).sum())
    bottom = min(deck_size, int(view["rules"]["dragons_part"][age - 1]))
    deck[:] = DRAGON
    free = np.ones(deck_size, bool)
    free[deck_size - bottom + rng.permutation(bottom)[:dragons]] = False
    deck[free] = cards
    for order in hidden["deal"]["order"][age:]:
        order[order != DRAGON] = rng.permutation(order[order != DRAGON])


def _card_list(once: Any, twice: Any) -> list[int]:
    """A list of the cards in two bit masks: of all cards, and of cards with a second copy."""
    planes = int(once), int(twice)
    return [card for plane in planes for card in range(64) if plane >> card & 1]


def _card_planes(cards: list[int]) -> tuple[int, int]:
    """Two bit masks of cards: of all cards, and of cards with a second copy."""
    once = twice = 0
    for card in cards:
        twice |= once & 1 << card
        once |= 1 << card
    return once, twice
