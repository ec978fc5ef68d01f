"""The deal: all the luck of a game, drawn before the first move (rules: setup, begin an age).

Strategies cannot change the deal: tokens, first player and decks have their own random streams.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.cards import ONE, bit, difference, lowest, popcount
from ethnos_sim.simulator.game.randomness import (
    PURPOSE_DECK,
    PURPOSE_EXCHANGE,
    PURPOSE_FIRST_PLAYER,
    PURPOSE_TOKENS,
    index_below,
    mix,
    next_state,
    stream_key,
)
from ethnos_sim.simulator.game.records import (
    DRAGON,
    NONE,
    NONES_OF_AGE,
    REGIONS,
    VIEW_DTYPE,
    ZEROS_OF_AGE,
    block_range,
)
from ethnos_sim.simulator.kernel.bruno import exchange_tokens
from ethnos_sim.simulator.kernel.card_moves import put_in_column, put_in_hand, put_in_pool
from ethnos_sim.simulator.kernel.markers import token_standing
from ethnos_sim.simulator.kernel.memory import address_of, fill_block

#: The offset and size in bytes of the block of the open record that a new age resets to 0.
ZEROS_OFFSET, ZEROS_BYTES = block_range(VIEW_DTYPE, ZEROS_OF_AGE)

#: The offset and size in bytes of the block of the open record that a new age resets to NONE.
NONES_OFFSET, NONES_BYTES = block_range(VIEW_DTYPE, NONES_OF_AGE)


@kernel
def shuffle(values, start, stop, state):
    """Shuffle values[start:stop] (Fisher-Yates); return the advanced stream."""
    for i in range(stop - 1, start, -1):
        state = next_state(state)
        j = start + index_below(mix(state), i - start + 1)
        held = values[i]
        values[i] = values[j]
        values[j] = held
    return state


@kernel
def deal_tokens(view, deal, state, exchange_state):
    """Shuffle the prestige tokens onto the regions, ascending in each region (R27).

    If the rules list the tokens region by region, they are neither shuffled nor exchanged (R42).
    `state` is the random stream of the shuffle, `exchange_state` that of the exchange in solo.
    """
    pool = view.rules.prestige_tokens
    per_region = np.int64(view.rules.tokens_per_region)
    if not view.rules.tokens_laid:
        shuffle(pool, 0, REGIONS * per_region, state)
    for region in range(REGIONS):
        for i in range(per_region):
            value = pool[region * per_region + i]
            k = i
            while k > 0 and deal.prestige_tokens[region, k - 1] > value:
                deal.prestige_tokens[region, k] = deal.prestige_tokens[region, k - 1]
                k -= 1
            deal.prestige_tokens[region, k] = value
    if view.solo and not view.rules.tokens_laid:
        exchange_tokens(deal.prestige_tokens, per_region, exchange_state)


@kernel
def shuffle_age(view, order, dragon_part_size, state):
    """Write the cards of an age to `order`, shuffled: index 0 is dealt first (R2, R21).

    The dragons are shuffled into the last `dragon_part_size` cards, a number that includes them.
    """
    total = 0
    cards = view.all_cards
    while cards != np.uint64(0):
        card = lowest(cards)
        cards &= cards - ONE
        for _ in range(view.rules.copies):
            order[total] = card
            total += 1
    state = shuffle(order, 0, total, state)
    top = total + view.rules.dragons - dragon_part_size
    for last in range(total, total + view.rules.dragons):
        # Insert a dragon at a random index, by one more step of an inside-out shuffle. So every
        # order of the deck's end stays equally likely.
        state = next_state(state)
        place = top + index_below(mix(state), last - top + 1)
        order[last] = order[place]
        order[place] = DRAGON


@kernel
def unseen_set(view):
    """The set of cards that the acting player does not see: in the deck, or hidden in hands."""
    once = view.all_cards
    twice = view.all_cards if view.rules.copies == 2 else np.uint64(0)
    once, twice = difference(once, twice, view.hand_once, view.hand_twice)
    once, twice = difference(once, twice, view.pool_once, view.pool_twice)
    once, twice = difference(once, twice, view.played_once, view.played_twice)
    once, twice = difference(once, twice, view.columns_once, view.columns_twice)
    for rival in range(view.hands):
        if rival != view.player:
            once, twice = difference(once, twice, view.known_once[rival], view.known_twice[rival])
    return once, twice


@kernel
def shuffle_deal(view, deal, seed, deal_number):
    """Draw a whole deal: tokens, first player, and the order of the cards in each age."""
    exchange = stream_key(seed, deal_number, PURPOSE_EXCHANGE, 0)
    deal_tokens(view, deal, stream_key(seed, deal_number, PURPOSE_TOKENS, 0), exchange)
    first = stream_key(seed, deal_number, PURPOSE_FIRST_PLAYER, 0)
    deal.first_player = index_below(mix(next_state(first)), view.hands)
    for age in range(view.ages):
        part = view.rules.dragons_part[age]
        shuffle_age(view, deal.order[age], part, stream_key(seed, deal_number, PURPOSE_DECK, age))


@kernel
def first_player_of_age(view, last_dragon_player):
    """The player with the least prestige; of tied players, the first clockwise (R18).

    The clockwise order begins with the player who drew the last dragon. If tie-break tokens decide
    all ties, the player with the best tokens comes first among tied players.
    """
    best = last_dragon_player
    for step in range(1, view.hands):
        player = (last_dragon_player + step) % view.hands
        tied = view.prestige[player] == view.prestige[best]
        tokens = token_standing(view, player) > token_standing(view, best)
        if view.prestige[player] < view.prestige[best] or (view.rules.all_ties and tied and tokens):
            best = player
    return best


@kernel
def reset_age(view):
    """Go to the next age: clear what the old age left in the view, and set `deck_cards`."""
    view.age += 1
    fill_block(address_of(view) + ZEROS_OFFSET, ZEROS_BYTES, 0)
    fill_block(address_of(view) + NONES_OFFSET, NONES_BYTES, NONE)
    view.deck_cards = popcount(view.all_cards) * view.rules.copies + view.rules.dragons


@kernel
def begin_game(view, hidden):
    """Write down the first player, and pay the starting prestige by order of play."""
    view.first_player = hidden.deal.first_player
    hidden.result.first_player = view.first_player
    for i in range(view.hands):
        player = (view.first_player + i) % view.hands
        view.prestige[player] = view.rules.start_prestige[i]
        hidden.seats[player].powers = view.rules.start_prestige[i]


@kernel
def deal_hands(view, hidden, order):
    """Deal the first hands, one card to each player in turn; return the number of dealt cards."""
    for player in range(view.hands):
        hidden.hands_once[player] = np.uint64(0)
        hidden.hands_twice[player] = np.uint64(0)
        view.hand_cards[player] = 0
    dealt = np.int64(view.hands) * view.rules.first_cards
    for i in range(dealt):
        player = (view.first_player + i) % view.hands
        put_in_hand(view, hidden, player, bit(order[i]))
    return dealt


@kernel
def set_up_age(view, hidden):
    """Clear the table for a new age, and deal hands, pool and Bruno's cards."""
    if view.age == 0:
        begin_game(view, hidden)
    else:
        last_dragon_player = hidden.result.last_dragon[view.age - 1]
        view.first_player = first_player_of_age(view, last_dragon_player)
    reset_age(view)
    order = hidden.deal.order[view.age - 1]
    position = deal_hands(view, hidden, order)
    for _ in range(view.rules.first_pool):
        put_in_pool(view, bit(order[position]), np.uint64(0))
        position += 1
    for _ in range(view.rules.bruno_cards[view.age - 1]):
        put_in_column(view, bit(order[position]))
        position += 1
    hidden.next_card = position
    view.deck_cards -= position
    view.player = view.first_player
