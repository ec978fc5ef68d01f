"""Strategies watched from outside: the views that they see."""

import ctypes
import dataclasses
from collections import Counter
from collections.abc import Iterator

import numpy as np
from seated import play_seats

from ethnos_sim.simulator import DECISIONS, VIEW_DTYPE, Rules
from ethnos_sim.strategies import LineUp, Strategy

ALL_QUESTIONS = (1 << len(DECISIONS)) - 1

CALL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


def cards_in(once: int, twice: int) -> Counter[int]:
    """A set of cards, given as two planes, as a counter of card numbers."""
    return Counter(
        card for plane in (int(once), int(twice)) for card in range(64) if plane >> card & 1
    )


def watch(
    rules: Rules, names: str, players: int, clans: tuple[str, ...], deals: int, mode: str
) -> list[np.ndarray]:
    """The views of a line-up's first strategy at its questions, in all rotations of the deals.

    The engine calls a function in place of the strategy's, which copies the view and passes the
    question on.
    """
    first, *others = LineUp.parse(names, players, rules).seats()
    views: list[np.ndarray] = []

    def look_on(view: int, move: int, own: int) -> None:
        shown = bytearray(ctypes.string_at(view, VIEW_DTYPE.itemsize))
        views.append(np.frombuffer(shown, VIEW_DTYPE)[0])
        CALL(first.address_for(int(views[-1]["decision"])))(view, move, own)

    callback = CALL(look_on)
    address = ctypes.cast(callback, ctypes.c_void_p).value
    assert address is not None
    seats = (dataclasses.replace(first, address=address, hooks=ALL_QUESTIONS), *others)
    play_seats(rules, seats, players, mode, clans, seed=9, deals=deals)
    return views


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
