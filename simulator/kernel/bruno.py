"""Chief Bruno, the solo opponent: his cards, his columns, his parties (R18-R27, R29, R33, R34).

By the two-player rules Bruno is player 1. He has no strategy: player 0 answers every question here.
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
from ethnos_sim.simulator.kernel.asking import ask_choice, ask_player, ask_yes_or_no, checked_choice
from ethnos_sim.simulator.kernel.card_moves import (
    COLUMNS,
    draw_cards,
    put_in_column,
    put_in_hand,
    put_in_pool,
    take_from_pool,
)
from ethnos_sim.simulator.kernel.faults import LEADER_NOT_UP, NO_FAULT, NOT_OFFERED
from ethnos_sim.simulator.kernel.markers import markers_to_beat, place_marker
from ethnos_sim.simulator.kernel.party_hooks import act_after_bruno_party, has_hooks, lay_party
from ethnos_sim.simulator.kernel.powers import active_power, power_amount, use_power

PLAYER = 0

#: The two regions that get the highest tokens; red exchanges first.
RED = 4
BLUE = 5


@kernel
def take_highest_token(tokens, tokens_per_region, region, state):
    """Exchange the lowest token of `region` (red or blue) for the highest in the other four.

    The exchange happens only if `region` gains by it. Of several highest tokens one is chosen at
    random (R27). Returns whether there was an exchange, and the advanced stream.
    """
    top = tokens_per_region - 1
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
def exchange_tokens(tokens, tokens_per_region, state):
    """Setup: red and blue exchange in turn until no other region has a higher token (R34).

    `tokens` has `tokens_per_region` values for each region, in ascending order, and stays sorted.
    """
    exchanged = True
    while exchanged:
        by_red, state = take_highest_token(tokens, tokens_per_region, RED, state)
        by_blue, state = take_highest_token(tokens, tokens_per_region, BLUE, state)
        exchanged = by_red or by_blue


@kernel
def column_size(view, color):
    """The number of cards in Bruno's column of a color."""
    cards = view.color_cards[color]
    return count(view.columns_once & cards, view.columns_twice & cards)


@kernel
def choose_offered_card(view, hidden, decision, limit):
    """Ask the player for one of the offered cards: return (fault, card).

    If all offered cards are copies of one card, the player is not asked.
    """
    card = lowest(view.offered_once)
    if view.offered_once & (view.offered_once - ONE) == np.uint64(0):
        return NO_FAULT, card
    ask_player(view, hidden, PLAYER, decision, 0, limit, 0)
    return checked_choice(hidden, PLAYER, view.offered_once, 0, NOT_OFFERED)


@kernel
def give_from_pool(view, hidden, number, log):
    """Let the player give Bruno `number` of the offered cards, all of which lie in the pool."""
    for i in range(number):
        if view.offered_once == np.uint64(0):
            break
        reason, card = choose_offered_card(view, hidden, BRUNO_CARD, number - i)
        if reason != NO_FAULT:
            return reason
        plane = bit(card)
        take_from_pool(view, plane)
        view.offered_once, view.offered_twice = difference(
            view.offered_once, view.offered_twice, plane, np.uint64(0)
        )
        put_in_column(view, plane)
        events.append(log, card)
    return NO_FAULT


#: The number of cards that Bruno may get if he has no hand limit: more than a deck has.
NO_LIMIT = 1_000


@kernel
def bruno_capacity(view):
    """The number of cards that Bruno may still get: up to his hand limit, if he has one (R38)."""
    if not view.rules.bruno_limited:
        return np.int64(NO_LIMIT)
    held = count(view.columns_once, view.columns_twice)
    return max(np.int64(view.rules.hand_limit) - held, np.int64(0))


@kernel
def give_to_bruno(view, hidden, move_kind, log):
    """Give Bruno his card after a turn (R20); `move_kind` is the kind of the turn's move.

    After a recruit the card comes from the pool. After a party it comes from the discarded cards,
    or from the deck if there are none. In a hard game Bruno gets two or three cards if the player
    recruited from the pool.
    """
    after_party = move_kind == PARTY
    if after_party:
        view.offered_once = hidden.discarded_once
        view.offered_twice = hidden.discarded_twice
    else:
        view.offered_once = view.pool_once
        view.offered_twice = view.pool_twice
    from_deck = after_party and view.offered_once == np.uint64(0)
    room = bruno_capacity(view)
    if room == 0 or (not from_deck and view.offered_once == np.uint64(0)):
        return NO_FAULT
    events.append(log, events.BRUNO_GETS, 1 if from_deck else 2 if after_party else 0)
    if from_deck:
        draw_cards(view, hidden, PLAYER, 1, COLUMNS, log)
        return NO_FAULT
    start = events.open_list(log)
    cards = np.int64(1)
    if view.solo == SOLO_HARD and move_kind == FROM_POOL:
        cards = np.int64(3 if view.rules.bruno_in_addition else 2)
    reason = give_from_pool(view, hidden, min(cards, room), log)
    events.close_list(log, start)
    events.append(log, 0)
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
def choose_bruno_leader(view, hidden, size):
    """Let the player choose the clan that leads Bruno's party: return (fault, slot).

    The clan's setup card is turned face down. When all are face down, all are turned up again.
    """
    options = np.uint64(view.leaders_up)
    reason, slot = ask_choice(view, hidden, PLAYER, BRUNO_LEADER, options, size, 0, LEADER_NOT_UP)
    if reason == NO_FAULT:
        view.leaders_up &= ~(1 << slot)
        if view.leaders_up == 0:
            for place in range(view.slots):
                view.leaders_up |= (view.home[place] == place) << place
    return reason, slot


@kernel
def release_card(view, hidden):
    """Let the player move a card from the columns to the pool or, in an easy game, to the hand.

    Returns the fault or NO_FAULT, the card or NONE, and whether the card went to the hand.
    """
    view.offered_once = view.columns_once
    view.offered_twice = view.columns_twice
    if view.age_over or view.offered_once == np.uint64(0) or not view.rules.bruno_releases:
        return NO_FAULT, np.int64(NONE), False
    reason, card = choose_offered_card(view, hidden, BRUNO_RELEASE, 1)
    if reason != NO_FAULT:
        return reason, card, False
    stolen = False
    if view.solo == SOLO_EASY and view.hand_cards[PLAYER] < view.rules.hand_limit:
        view.offered_once = bit(card)
        view.offered_twice = np.uint64(0)
        reason, stolen = ask_yes_or_no(view, hidden, PLAYER, BRUNO_STEAL, 1)
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
    """Play a whole column as Bruno's party; the player chooses its leader."""
    once = view.columns_once & view.color_cards[color]
    twice = view.columns_twice & view.color_cards[color]
    size = count(once, twice)
    reason, slot = choose_bruno_leader(view, hidden, size)
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
    marker_size = size + view.rules.marker_bonus[slot]
    able = view.rules.places_marker[slot] and view.supply[BRUNO] > 0
    if able and marker_size > markers_to_beat(view, BRUNO, color):
        place_marker(view, BRUNO, color)
        hidden.event.region = color
    power = active_power(view, hidden, slot)
    view.bruno_power = power
    reason = use_power(view, hidden, BRUNO, power, slot, color, size)
    if reason != NO_FAULT:
        return reason
    if events.is_recording(log):
        events.write_bruno_party(log, color, once, twice, slot, hidden.event)
    cards = power_amount(view, slot, size) if power == DRAWS_CARDS else np.int64(0)  # Raven (R24)
    draw_cards(view, hidden, PLAYER, min(cards, bruno_capacity(view)), COLUMNS, log)
    reason, card, stolen = release_card(view, hidden)
    events.append(log, card, stolen if card != NONE else NONE)
    if reason == NO_FAULT and has_hooks(view, slot):
        reason = act_after_bruno_party(view, hidden, log, slot, BRUNO)
    return reason


@kernel
def play_column(view, hidden, log):
    """Play the leftmost column that fires, if any: at most one after each turn of the player."""
    for color in range(REGIONS):
        if column_fires(view, color):
            return play_bruno_party(view, hidden, color, log)
    return NO_FAULT
