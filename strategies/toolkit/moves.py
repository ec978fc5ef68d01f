"""Moves, sets of cards and random numbers for strategies.

Each player has its own random stream, on which deals and rivals have no influence.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.cards import Cards as Cards
from ethnos_sim.simulator.game.randomness import index_below, mix, next_state
from ethnos_sim.simulator.game.records import DECLINE, FROM_DECK, FROM_POOL, PARTY
from ethnos_sim.simulator.user_code.shown_types import whole_record

NOTHING = np.uint64(0)


class Party(NamedTuple):
    """A party: its leader's card number (-1 for no party), its cards, and their number."""

    leader: int
    once: int
    twice: int
    size: int


class Move(NamedTuple):
    """An answer to the questions `turn` and `second_party`."""

    kind: int
    leader: int
    choice: int
    once: int
    twice: int


@kernel
def draw():
    """The move that recruits the top card of the deck."""
    return Move(np.int64(FROM_DECK), np.int64(0), np.int64(0), NOTHING, NOTHING)


@kernel
def take(card):
    """The move that recruits a card from the pool, by its number."""
    return Move(np.int64(FROM_POOL), np.int64(0), np.int64(card), NOTHING, NOTHING)


@kernel
def play(party):
    """The move that plays a party."""
    return Move(np.int64(PARTY), np.int64(party.leader), np.int64(0), party.once, party.twice)


@kernel
def decline():
    """The answer that plays no second party."""
    return Move(np.int64(DECLINE), np.int64(0), np.int64(0), NOTHING, NOTHING)


@kernel
def hand(view):
    """The acting player's hand."""
    return Cards(view.hand_once, view.hand_twice)


@kernel
def pool(view):
    """The pool of open cards."""
    return Cards(view.pool_once, view.pool_twice)


@kernel
def random_below(rng, bound):
    """A random whole number from 0 to `bound` - 1."""
    own = whole_record(rng)
    own.random_state = next_state(own.random_state)
    return index_below(mix(own.random_state), bound)


@kernel
def random_chance(rng, chance):
    """True with a chance between 0 and 1, else False."""
    return random_below(rng, 1 << 30) < chance * (1 << 30)
