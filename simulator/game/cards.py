"""Sets of cards as two bit planes (`once`: at least one copy, `twice`: both copies).

Each function takes a few integer operations. The kernel and strategies use them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ethnos_sim.simulator.compiler import kernel

ZERO = np.uint64(0)
ONE = np.uint64(1)


class Cards(NamedTuple):
    """A set of cards as two bit planes: `once` at least one copy, `twice` both copies."""

    once: int
    twice: int


@kernel
def bit(card):
    """The bit mask (uint64) of one card."""
    return ONE << np.uint64(card)


@kernel
def popcount(plane):
    """The number of set bits in a mask; the compiler turns this into one instruction."""
    x = plane - ((plane >> ONE) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def lowest(plane):
    """The index of the lowest set bit, which is a card's number; 64 for an empty mask."""
    return popcount((plane & (~plane + ONE)) - ONE)


@kernel
def count(once, twice):
    """The number of cards in a set."""
    return popcount(once) + popcount(twice)


@kernel
def copies(once, twice, card):
    """The number of copies of a card in a set: 0, 1 or 2."""
    return np.int64((once >> np.uint64(card)) & ONE) + np.int64((twice >> np.uint64(card)) & ONE)


@kernel
def union(once, twice, other_once, other_twice):
    """The sum of two sets, which must not have more than two copies of a card together."""
    return once | other_once, twice | other_twice | (once & other_once)


@kernel
def difference(once, twice, other_once, other_twice):
    """The set without the cards of the other set; cards that it does not have are ignored."""
    return (once & ~other_once) | (twice & ~other_twice), twice & ~other_once


@kernel
def includes(once, twice, other_once, other_twice):
    """Whether a set has all cards of another; False if that has a second copy without a first."""
    return (other_once & ~once) | (other_twice & ~twice) | (other_twice & ~other_once) == ZERO


@kernel
def card_at(once, twice, index):
    """The card at an index of a set, in ascending order, first copies before second copies."""
    plane = once
    singles = popcount(once)
    if index >= singles:
        plane = twice
        index -= singles
    for _ in range(index):
        plane &= plane - ONE
    return lowest(plane)
