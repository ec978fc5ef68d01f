"""The leaders' powers that act when a party is played (rules: "The leaders' powers").

Powers that act elsewhere stand with their topic: one card fewer, any region, no marker, second
party, keeping and drawing in `party`, scoring larger and wild cards in `party.lay_party`.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.cards import bit
from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.kernel.asking import ask, fault
from ethnos_sim.simulator.kernel.faults import (
    NO_ANSWER,
    NO_FAULT,
    REGION_NOT_OPEN,
    TOKEN_NOT_OPEN,
    WRONG_KIND,
)
from ethnos_sim.simulator.kernel.markers import place_marker
from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.records import (
    CHOICE,
    DECLINE,
    NONE,
    REGIONS,
    SEA_REGION,
    SETTLE,
    TOKEN,
    UNANSWERED,
)

COINS = int(Power.COINS)
LARGEST_TOKEN = int(Power.LARGEST_TOKEN)
SEA_TRACK = int(Power.SEA_TRACK)
SETTLEMENT_BOARD = int(Power.SETTLEMENT_BOARD)
TIE_BREAK_TOKENS = int(Power.TIE_BREAK_TOKENS)

ALL_REGIONS = (1 << REGIONS) - 1


@kernel
def choose(view, hidden, player, decision, options, limit, reason):
    """Ask for one of the options or none: (fault, choice or NONE); `reason` is a wrong choice's."""
    ask(view, hidden, player, decision, options, limit, 1)
    kind = hidden.move.kind
    if kind == DECLINE:
        return NO_FAULT, np.int64(NONE)
    if kind != CHOICE:
        wrong = fault(hidden, player, NO_ANSWER if kind == UNANSWERED else WRONG_KIND)
        return wrong, np.int64(NONE)
    choice = np.int64(hidden.move.choice)
    if choice < 0 or choice >= 64 or np.uint64(options) & bit(choice) == np.uint64(0):
        return fault(hidden, player, reason), np.int64(NONE)
    return NO_FAULT, choice


@kernel
def take_largest(view, hidden, player, size):
    """Largest party token: prestige at once and the token for a strictly larger party."""
    if size > view.largest_size:
        view.largest_size = size
        view.largest_holder = player
        view.prestige[player] += view.rules.largest_on_take
        hidden.seats[player].largest += view.rules.largest_on_take
        hidden.event.largest = 1
    return NO_FAULT


@kernel
def move_at_sea(view, hidden, player, size):
    """Sea track: X spaces up, and one optional extra marker a symbol passed (R6, R11, R17)."""
    before = np.int64(view.sea[player])
    after = min(before + size, np.int64(view.rules.sea_last_space))
    view.sea[player] = after
    hidden.event.sea = after
    for i in range(view.rules.sea_symbol_count):
        symbol = view.rules.sea_symbols[i]
        if symbol <= before or symbol > after or view.supply[player] <= 0:
            continue
        reason, region = choose(
            view, hidden, player, SEA_REGION, ALL_REGIONS, size, REGION_NOT_OPEN
        )
        if reason != NO_FAULT:
            return reason
        if region != NONE:
            place_marker(view, player, region)
            hidden.event.sea_regions[hidden.event.sea_region_count] = region
            hidden.event.sea_region_count += 1
    return NO_FAULT


@kernel
def settle(view, hidden, player, color, size):
    """Settlement board: a marker on the leader's color if the space is free (R6, R17)."""
    if (view.settlements[player] >> color) & 1 or view.supply[player] <= 0:
        return NO_FAULT
    reason, choice = choose(view, hidden, player, SETTLE, 1 << color, size, REGION_NOT_OPEN)
    if choice != NONE:
        view.settlements[player] |= 1 << color
        view.supply[player] -= 1
        hidden.event.settled = color
    return reason


@kernel
def take_token(view, hidden, player, size):
    """Tie-break tokens: take one unclaimed token of value at most X (R6)."""
    options = 0
    for i in range(view.token_owner.size):
        if view.token_owner[i] == NONE and view.rules.tie_break_tokens[i] <= size:
            options |= 1 << i
    if options == 0:
        return NO_FAULT
    reason, token = choose(view, hidden, player, TOKEN, options, size, TOKEN_NOT_OPEN)
    if token != NONE:
        value = view.rules.tie_break_tokens[token]
        view.token_owner[token] = player
        view.token_sum[player] += value
        view.token_highest[player] = max(view.token_highest[player], value)
        hidden.event.token = value
    return reason


@kernel
def place_coin(view, hidden, color):
    """Coins: the lowest coin left goes onto the leader's region."""
    if view.coins_used < view.rules.coin_count:
        value = view.rules.coins[view.coins_used]
        view.coins_used += 1
        view.coins_on_region[color] += value
        hidden.event.coin = value
    return NO_FAULT


@kernel
def use_power(view, hidden, player, power, color, size):
    """Step 2: the leader's power, by number."""
    if power == LARGEST_TOKEN:
        return take_largest(view, hidden, player, size)
    if power == SEA_TRACK:
        return move_at_sea(view, hidden, player, size)
    if power == SETTLEMENT_BOARD:
        return settle(view, hidden, player, color, size)
    if power == TIE_BREAK_TOKENS:
        return take_token(view, hidden, player, size)
    if power == COINS:
        return place_coin(view, hidden, color)
    return NO_FAULT
