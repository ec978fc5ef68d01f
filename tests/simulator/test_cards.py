"""Bit planes behave like multisets with at most two copies of each card."""

from collections import Counter

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from inside import module_with
from watching import cards_in

cards = module_with("simulator.game", "popcount")


CARDS = 42

Planes = tuple[np.uint64, np.uint64]

hands = st.dictionaries(st.integers(0, CARDS - 1), st.integers(1, 2)).map(Counter)


def planes(hand: Counter[int]) -> Planes:
    """A multiset as two planes."""
    once = sum(1 << card for card in hand if hand[card] >= 1)
    twice = sum(1 << card for card in hand if hand[card] == 2)
    return np.uint64(once), np.uint64(twice)


def multiset(once: np.uint64, twice: np.uint64) -> Counter[int]:
    """Two planes as a multiset."""
    assert int(twice) & ~int(once) == 0
    return cards_in(once, twice)


@given(st.integers(0, 2**64 - 1))
def test_popcount_and_lowest(plane: int) -> None:
    assert cards.popcount(np.uint64(plane)) == plane.bit_count()
    lowest = (plane & -plane).bit_length() - 1 if plane else 64
    assert cards.lowest(np.uint64(plane)) == lowest


@given(hands)
def test_cards_are_counted_and_selected_in_order(hand: Counter[int]) -> None:
    assert cards.count(*planes(hand)) == hand.total()
    assert Counter({card: cards.copies(*planes(hand), card) for card in range(CARDS)}) == hand
    walked = [cards.card_at(*planes(hand), index) for index in range(hand.total())]
    assert Counter(walked) == hand
    assert walked[: len(hand)] == sorted(hand)


@given(hands, hands)
def test_union_is_the_sum_of_two_sets(first: Counter[int], second: Counter[int]) -> None:
    total = first + second
    assume(all(copies <= 2 for copies in total.values()))
    assert multiset(*cards.union(*planes(first), *planes(second))) == total


@given(hands, hands)
def test_difference_and_inclusion_are_those_of_multisets(first: Counter[int], second: Counter[int]):
    assert multiset(*cards.difference(*planes(first), *planes(second))) == first - second
    assert cards.includes(*planes(first), *planes(second)) == (second <= first)
    assert cards.includes(*planes(first), *planes(first & second))
