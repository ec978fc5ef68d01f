"""Random streams: the published numbers, and keys that do not collide."""

from itertools import product

import numpy as np
import pytest
from inside.simulator.game import (
    PURPOSE_DECK,
    PURPOSE_FIRST_PLAYER,
    PURPOSE_POLICY,
    PURPOSE_TOKENS,
    index_below,
    mix,
    next_state,
    stream_key,
)

#: The first numbers of splitmix64 for this state, from its reference program.
STATE = 1234567
PUBLISHED = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]


def test_the_generator_is_splitmix64() -> None:
    state = np.uint64(STATE)
    numbers = []
    for _ in PUBLISHED:
        state = np.uint64(next_state(state))
        numbers.append(int(mix(state)))
    assert numbers == PUBLISHED


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 18, 84, 2**31])
def test_numbers_below_a_bound_cover_0_to_the_last(bound: int) -> None:
    assert index_below(np.uint64(0), bound) == 0
    assert index_below(np.uint64(2**64 - 1), bound) == bound - 1
    step = 2**64 // bound
    for i in range(min(bound, 100)):
        assert index_below(np.uint64(i * step + step // 2), bound) == i


def test_streams_of_different_keys_begin_differently() -> None:
    purposes = (PURPOSE_TOKENS, PURPOSE_FIRST_PLAYER, PURPOSE_DECK, PURPOSE_POLICY)
    assert len(set(purposes)) == len(purposes)
    keys = {
        int(stream_key(np.uint64(seed), np.int64(deal), purpose, index))
        for seed, deal, purpose, index in product(
            (0, 1, 2, 2**62, 2**63 - 1), range(50), purposes, range(12)
        )
    }
    assert len(keys) == 5 * 50 * 4 * 12
