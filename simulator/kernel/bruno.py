"""Chief Bruno, the solo opponent: his cards, his columns, his parties (R18-R27, R29, R33, R34).

Bruno is player 1 in every two-player rule. He is never asked: the player chooses for Bruno, so
every question here goes to player 0.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.cards import ONE, bit, count, difference, lowest
from ethnos_sim.simulator.game.power_numbers import DRAWS_CARDS
from ethnos_sim.simulator.game.randomness import index_below, mix, next_state
from ethnos_sim.simulator.game.records import (
    BRUNO,
    BRUNO_CARD,
    BRUNO_LEADER,
    BRUNO_RELEASE,
    BRUNO_STEAL,
    FROM_POOL,
    NONE,
    PARTY,
    REGIONS,
    SOLO_EASY,
    SOLO_HARD,
)
from ethnos_sim.simulator.kernel import events
from ethnos_sim.simulator.kernel.asking import agrees, ask, choose, chosen
from ethnos_sim.simulator.kernel.card_moves import (
    COLUMNS,
    draw_cards,
    put_in_column,
    put_in_hand,
    put_in_pool,
    take_from_pool,
)
from ethnos_sim.simulator.kernel.faults import LEADER_NOT_UP, NO_FAULT, NOT_OFFERED
from ethnos_sim.simulator.kernel.laying import act_for_bruno, has_hooks, lay_party
from ethnos_sim.simulator.kernel.markers import markers_to_beat, place_marker
from ethnos_sim.simulator.kernel.powers import power_at_work, reach, use_power

PLAYER = 0

#: The two regions that get the highest tokens, in the order in which they exchange tokens.
RED = 4
BLUE = 5


@kernel
def take_highest_token(tokens, per_region, region, state):
    """Exchange a region's lowest token for the highest token of the other regions, if higher.

    The other regions are all but red and blue. Of several highest tokens one is chosen at random
    (R27). Returns whether there was an exchange, and the advanced stream.
    """
    top = per_region - 1
    best = 0
    equal = 1
    for other in range(1, RED):
        if tokens[other, top] > tokens[best, top]:
            best = other
            equal = 1
        elif tokens[other, top] == tokens[best, top]:
            equal += 1
            state = next_state(state)
            if index_below(mix(state), equal) == 0:
                best = other
    given = tokens[region, 0]
    taken = tokens[best, top]
    if taken <= given:
        return False, state
    rises = 0
    while rises < top and tokens[region, rises + 1] < taken:
        tokens[region, rises] = tokens[region, rises + 1]
        rises += 1
    tokens[region, rises] = taken
    falls = top
    while falls > 0 and tokens[best, falls - 1] > given:
        tokens[best, falls] = tokens[best, falls - 1]
        falls -= 1
    tokens[best, falls] = given
    return True, state


@kernel
def exchange_tokens(tokens, per_region, state):
    """Setup: red and blue exchange in turn until no other region has a higher token (R34).

    `tokens` has `per_region` values for each region, in ascending order, and stays sorted.
    """
    exchanged = True
    while exchanged:
        by_red, state = take_highest_token(tokens, per_region, RED, state)
        by_blue, state = take_highest_token(tokens, per_region, BLUE, state)
        exchanged = by_red or by_blue


@kernel
def column_size(view, color):
    """The number of cards in a column."""
    cards = view.color_cards[color]
    return count(view.columns_once & cards, view.columns_twice & cards)


@kernel
def choose_card(view, hidden, decision, limit):
    """Ask the player for one of the offered cards: return (fault, card).

    The player is not asked if all of them are copies of one card.
    """
    card = lowest(view.offered_once)
    if view.offered_once & (view.offered_once - ONE) == np.uint64(0):
        return NO_FAULT, card
    ask(view, hidden, PLAYER, decision, 0, limit, 0)
    return chosen(hidden, PLAYER, view.offered_once, 0, NOT_OFFERED)


@kernel
def give_from_pool(view, hidden, cards, log):
    """Let the player give Bruno `cards` of the offered cards; all offered cards are in the pool."""
    for i in range(cards):
        if view.offered_once == np.uint64(0):
            break
        reason, card = choose_card(view, hidden, BRUNO_CARD, cards - i)
        if reason != NO_FAULT:
            return reason
        plane = bit(card)
        take_from_pool(view, plane)
        view.offered_once, view.offered_twice = difference(
            view.offered_once, view.offered_twice, plane, np.uint64(0)
        )
        put_in_column(view, plane)
        events.write(log, card)
    return NO_FAULT


#: More cards than a deck has.
NO_LIMIT = 1_000


@kernel
def room_of_bruno(view):
    """The number of cards that Bruno may still get; NO_LIMIT unless he has a hand limit (R38)."""
    if not view.rules.bruno_limited:
        return np.int64(NO_LIMIT)
    held = count(view.columns_once, view.columns_twice)
    return max(np.int64(view.rules.hand_limit) - held, np.int64(0))


@kernel
def give_to_bruno(view, hidden, kind, log):
    """Give Bruno his card after a turn (R20); `kind` is the kind of the turn's move.

    After a recruit the card comes from the pool. After a party it comes from the discarded cards,
    or from the deck if nothing was discarded. In a hard game he gets more cards if the player
    recruited a pool card.
    """
    after_party = kind == PARTY
    if after_party:
        view.offered_once = hidden.discarded_once
        view.offered_twice = hidden.discarded_twice
    else:
        view.offered_once = view.pool_once
        view.offered_twice = view.pool_twice
    from_deck = after_party and view.offered_once == np.uint64(0)
    room = room_of_bruno(view)
    if room == 0 or (not from_deck and view.offered_once == np.uint64(0)):
        return NO_FAULT
    events.write(log, events.BRUNO_GETS, 1 if from_deck else 2 if after_party else 0)
    if from_deck:
        draw_cards(view, hidden, PLAYER, 1, COLUMNS, log)
        return NO_FAULT
    start = events.open_list(log)
    cards = np.int64(1)
    if view.solo == SOLO_HARD and kind == FROM_POOL:
        cards = np.int64(3 if view.rules.bruno_in_addition else 2)
    reason = give_from_pool(view, hidden, min(cards, room), log)
    events.close_list(log, start)
    events.write(log, 0)
    return reason


@kernel
def column_fires(view, color):
    """Whether a column plays its party now (R19); an empty column never does (R33).

    A column needs `rules.bruno_fires_at` cards. If this number is 0, the column plays as soon as
    its marker can be placed.
    """
    size = column_size(view, color)
    if size == 0:
        return False
    if view.rules.bruno_fires_at[color] > 0:
        return size >= view.rules.bruno_fires_at[color]
    return size > markers_to_beat(view, BRUNO, color) and view.supply[BRUNO] > 0


@kernel
def choose_leader(view, hidden, size):
    """Let the player turn a setup card face down to choose Bruno's leader: return (fault, slot).

    If no setup card is left face up, all of them are turned up again.
    """
    options = np.uint64(view.leaders_up)
    reason, slot = choose(view, hidden, PLAYER, BRUNO_LEADER, options, size, 0, LEADER_NOT_UP)
    if reason == NO_FAULT:
        view.leaders_up &= ~(1 << slot)
        if view.leaders_up == 0:
            for place in range(view.slots):
                view.leaders_up |= (view.home[place] == place) << place
    return reason, slot


@kernel
def release_card(view, hidden):
    """Let a card leave the columns, for the pool or, in an easy game, for the player's hand.

    Returns the fault or NO_FAULT, the card or NONE, and whether it went to the hand.
    """
    view.offered_once = view.columns_once
    view.offered_twice = view.columns_twice
    if view.age_over or view.offered_once == np.uint64(0) or not view.rules.bruno_releases:
        return NO_FAULT, np.int64(NONE), False
    reason, card = choose_card(view, hidden, BRUNO_RELEASE, 1)
    if reason != NO_FAULT:
        return reason, card, False
    stolen = False
    if view.solo == SOLO_EASY and view.hand_cards[PLAYER] < view.rules.hand_limit:
        view.offered_once = bit(card)
        view.offered_twice = np.uint64(0)
        reason, stolen = agrees(view, hidden, PLAYER, BRUNO_STEAL, 1)
        if reason != NO_FAULT:
            return reason, card, False
    plane = bit(card)
    view.columns_once, view.columns_twice = difference(
        view.columns_once, view.columns_twice, plane, np.uint64(0)
    )
    if stolen:
        put_in_hand(view, hidden, PLAYER, plane)
    else:
        put_in_pool(view, plane, np.uint64(0))
    return NO_FAULT, card, stolen


@kernel
def play_bruno_party(view, hidden, color, log):
    """Play the whole column as a party; the player chooses its leader."""
    once = view.columns_once & view.color_cards[color]
    twice = view.columns_twice & view.color_cards[color]
    size = count(once, twice)
    reason, slot = choose_leader(view, hidden, size)
    if reason != NO_FAULT:
        return reason
    slot = np.int64(view.home[slot])
    view.columns_once &= ~once
    view.columns_twice &= ~twice
    leader = REGIONS * slot + color
    reason = lay_party(view, hidden, log, slot, BRUNO, leader, once, twice)
    if reason != NO_FAULT:
        return reason
    hidden.seats[BRUNO].columns[color] += 1
    strength = size + view.rules.marker_bonus[slot]
    able = view.rules.places_marker[slot] and view.supply[BRUNO] > 0
    if able and strength > markers_to_beat(view, BRUNO, color):
        place_marker(view, BRUNO, color)
        hidden.event.region = color
    power = power_at_work(view, hidden, slot)
    view.bruno_power = power
    reason = use_power(view, hidden, BRUNO, power, slot, color, size)
    if reason != NO_FAULT:
        return reason
    if events.recording(log):
        events.write_bruno_party(log, color, once, twice, slot, hidden.event)
    cards = reach(view, slot, size) if power == DRAWS_CARDS else np.int64(0)  # Raven (R24)
    draw_cards(view, hidden, PLAYER, min(cards, room_of_bruno(view)), COLUMNS, log)
    reason, card, stolen = release_card(view, hidden)
    events.write(log, card, stolen if card != NONE else NONE)
    if reason == NO_FAULT and has_hooks(view, slot):
        reason = act_for_bruno(view, hidden, log, slot, BRUNO)
    return reason


@kernel
def play_column(view, hidden, log):
    """After the player's turn, play the leftmost column that fires; one column in each turn."""
    for color in range(REGIONS):
        if column_fires(view, color):
            return play_bruno_party(view, hidden, color, log)
    return NO_FAULT
