"""Random numbers inside the kernel: splitmix64 streams keyed by purpose.

Each random choice is keyed by (seed, deal, purpose, index). So results do not depend on the order
of games or the number of workers, and strategies cannot change the deal.
Source: Steele, Lea, Flood (2014), "Fast splittable pseudorandom number generators".
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel

PURPOSE_TOKENS, PURPOSE_FIRST_PLAYER, PURPOSE_DECK, PURPOSE_POLICY = range(1, 5)
PURPOSE_EXCHANGE, PURPOSE_POWERS, PURPOSE_GIVING_UP = range(5, 8)

_GAMMA = np.uint64(0x9E3779B97F4A7C15)


@kernel
def mix(number):
    """The finalizer of splitmix64: every input bit changes every output bit with chance 1/2."""
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


@kernel
def stream_key(seed, deal, purpose, index):
    """The first state of the random stream for a purpose and an index in a deal."""
    key = mix(np.uint64(seed) + _GAMMA)
    key = mix(key ^ (np.uint64(deal) + np.uint64(2) * _GAMMA))
    key = mix(key ^ (np.uint64(purpose) + np.uint64(3) * _GAMMA))
    return mix(key ^ (np.uint64(index) + np.uint64(4) * _GAMMA))


@kernel
def next_state(state):
    """The state that follows `state` in a stream; `mix(state)` is its random number."""
    return state + _GAMMA


@kernel
def index_below(random_number, bound):
    """An index from 0 to bound - 1, made from a random 64-bit number (bias under bound / 2**32)."""
    return np.int64(((random_number >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))
