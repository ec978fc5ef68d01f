"""Write the events of a game as numbers to the buffer of a trace.

Without a buffer these functions do nothing, so the same compiled game runs with and without a
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
def is_recording(log):
    """Whether a trace is being written."""
    return log.address != 0


@kernel
def overwrite(log, index, number):
    """Replace the number at an index of the buffer."""
    if is_recording(log):
        store_number(log.address, index, number)


@kernel
def append(log, *numbers):
    """Append numbers to the buffer."""
    if is_recording(log):
        for number in numbers:
            store_number(log.address, log.used, number)
            log.used += 1


@kernel
def open_list(log):
    """Begin a list, whose length `close_list` fills in; return the index of the length."""
    append(log, 0)
    return log.used - 1


@kernel
def close_list(log, start):
    """Write the length of a list; `start` is what `open_list` returned."""
    overwrite(log, start, log.used - start - 1)


@kernel
def write_cards(log, once, twice):
    """Append a set of cards: their count, then their numbers (twice if both copies are there)."""
    start = open_list(log)
    while once != ZERO:
        append(log, lowest(once))
        once &= once - ONE
    while twice != ZERO:
        append(log, lowest(twice))
        twice &= twice - ONE
    close_list(log, start)


@kernel
def write_age(log, view, hidden):
    """Append the beginning of an age: the hands, the pool, the deck in order, Bruno's cards."""
    append(log, AGE, view.age, view.first_player)
    for player in range(view.hands):
        write_cards(log, hidden.hands_once[player], hidden.hands_twice[player])
    write_cards(log, view.pool_once, view.pool_twice)
    append(log, view.deck_cards)
    for i in range(view.deck_cards):
        append(log, hidden.deal.order[view.age - 1, hidden.next_card + i])
    if view.solo:
        write_cards(log, view.columns_once, view.columns_twice)


@kernel
def write_party(log, player, once, twice, leader, event):
    """Append a party with its effects; what happens to the hand is appended later."""
    append(log, PARTY, player)
    write_cards(log, once, twice)
    append(log, leader)
    write_effects(log, event)


@kernel
def write_party_follows(log, hidden, player):
    """Append that another party follows; the player keeps the whole hand and draws nothing."""
    if is_recording(log):
        append(log, 1)
        write_cards(log, hidden.hands_once[player], hidden.hands_twice[player])
        append(log, 0, 0, 0)


@kernel
def write_discard(log, hidden, player):
    """Append the cards that are kept after the last party, and the cards that go to the pool."""
    if is_recording(log):
        append(log, 0)
        write_cards(log, hidden.hands_once[player], hidden.hands_twice[player])
        write_cards(log, hidden.discarded_once, hidden.discarded_twice)


@kernel
def write_bruno_party(log, color, once, twice, slot, event):
    """Append Bruno's party with its effects; cards that he draws or releases are appended later."""
    append(log, BRUNO_PARTY, color)
    write_cards(log, once, twice)
    append(log, slot)
    write_effects(log, event)
    append(log, event.coin_region)


@kernel
def write_effects(log, event):
    """Append the effects of a party: its region marker, and those of its leader's power."""
    append(log, event.region, event.sea, event.sea_region_count)
    for i in range(event.sea_region_count):
        append(log, event.sea_regions[i])
    append(log, event.token, event.largest, event.settled, event.coin)


@kernel
def clear_party_event(event):
    """Clear the effects of a party, before the next party is laid."""
    event.region = NONE
    event.sea = NONE
    event.sea_region_count = 0
    event.token = NONE
    event.largest = 0
    event.settled = NONE
    event.coin = np.int16(NONE)
    event.coin_region = NONE
