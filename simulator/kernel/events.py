"""The event buffer of a trace: numbers in the order of play.

Nothing is written to a log without a buffer, so the same compiled game runs with and without a
trace. `simulator.tables.trace` reads the numbers back.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.cards import ONE, ZERO, lowest
from ethnos_sim.simulator.game.records import NONE
from ethnos_sim.simulator.kernel.memory import store_number

AGE, RECRUIT, PARTY, PASS, REFILL, AGE_END, GAME_END, BRUNO_GETS, BRUNO_PARTY = range(1, 10)


@kernel
def recording(log):
    """Whether a trace is being written."""
    return log.address != 0


@kernel
def put(log, position, value):
    """Write a number at a position that was written before."""
    if recording(log):
        store_number(log.address, position, value)


@kernel
def write(log, *numbers):
    """Append numbers."""
    if recording(log):
        for number in numbers:
            store_number(log.address, log.used, number)
            log.used += 1


@kernel
def open_list(log):
    """Begin a list whose length is known later; return the position of its length."""
    write(log, 0)
    return log.used - 1


@kernel
def close_list(log, start):
    """Write the length of a list begun with `open_list`."""
    put(log, start, log.used - start - 1)


@kernel
def write_cards(log, once, twice):
    """Append a set of cards: their count, then their numbers (twice if both copies are there)."""
    start = open_list(log)
    while once != ZERO:
        write(log, lowest(once))
        once &= once - ONE
    while twice != ZERO:
        write(log, lowest(twice))
        twice &= twice - ONE
    close_list(log, start)


@kernel
def write_age(log, view, hidden):
    """Write the beginning of an age: the hands, the pool, the deck in order, Bruno's cards."""
    write(log, AGE, view.age, view.first_player)
    for player in range(view.hands):
        write_cards(log, hidden.hands_once[player], hidden.hands_twice[player])
    write_cards(log, view.pool_once, view.pool_twice)
    write(log, view.deck_cards)
    for i in range(view.deck_cards):
        write(log, hidden.deal.order[view.age - 1, hidden.next_card + i])
    if view.solo:
        write_cards(log, view.columns_once, view.columns_twice)


@kernel
def write_party(log, player, once, twice, leader, event):
    """Write a party with its effects. The rest of the hand is written after it."""
    write(log, PARTY, player)
    write_cards(log, once, twice)
    write(log, leader)
    write_effects(log, event)


@kernel
def write_kept_for_party(log, hidden, player):
    """Write that the hand is kept for another party: nothing is discarded or drawn."""
    if recording(log):
        write(log, 1)
        write_cards(log, hidden.hands_once[player], hidden.hands_twice[player])
        write(log, 0, 0, 0)


@kernel
def write_discard(log, hidden, player):
    """Write the cards that are kept after the last party, and the cards that go to the pool."""
    if recording(log):
        write(log, 0)
        write_cards(log, hidden.hands_once[player], hidden.hands_twice[player])
        write_cards(log, hidden.discarded_once, hidden.discarded_twice)


@kernel
def write_bruno_party(log, color, once, twice, slot, event):
    """Write a party of Bruno's with its effects. Drawn and released cards are written after it."""
    write(log, BRUNO_PARTY, color)
    write_cards(log, once, twice)
    write(log, slot)
    write_effects(log, event)
    write(log, event.coin_region)


@kernel
def write_effects(log, event):
    """Write the effects of step 1 and of the leader's power."""
    write(log, event.region, event.sea, event.sea_region_count)
    for i in range(event.sea_region_count):
        write(log, event.sea_regions[i])
    write(log, event.token, event.largest, event.settled, event.coin)


@kernel
def clear_party_event(event):
    """Clear the last party's event."""
    event.region = NONE
    event.sea = NONE
    event.sea_region_count = 0
    event.token = NONE
    event.largest = 0
    event.settled = NONE
    event.coin = np.int16(NONE)
    event.coin_region = NONE
