"""The leaders' powers that act when a party is played (rules: "The leaders' powers").

Other powers are in the module of their topic: "any region" in `markers`; second party, keeping and
drawing in `party`; wild cards in `card_moves`. The powers "one card fewer", "scores larger" and "no
marker" are values that every clan has (`marker_bonus`, `score_bonus`, `places_marker`).
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import inlined, kernel
from ethnos_sim.simulator.game import power_numbers as powers
from ethnos_sim.simulator.game.cards import ZERO, bit
from ethnos_sim.simulator.game.records import (
    BRUNO,
    BRUNO_REGION,
    NONE,
    REGIONS,
    SEA_REGION,
    SETTLE,
    TOKEN,
    USE_POWER,
)
from ethnos_sim.simulator.kernel.asking import ask_choice, ask_yes_or_no
from ethnos_sim.simulator.kernel.faults import NO_FAULT, REGION_NOT_OPEN, TOKEN_NOT_OPEN
from ethnos_sim.simulator.kernel.markers import ALL_REGIONS, place_marker

#: The most prestige that a player may reach by payments during an age. With the prestige that the
#: end of the age adds, the total still fits in 16 bits.
MOST_TOTAL = 20_000

#: Where Bruno prefers to place a sea track's extra marker (R25): in a region with a tie (0), else
#: where he is behind (-1), else where he leads (1).
SEA_PREFERENCE = (0, -1, 1)

#: Where Bruno prefers to place a coin (R25): in a region that he leads (1), else with a tie (0),
#: else where he is behind (-1).
COIN_PREFERENCE = (1, 0, -1)


@inlined
def active_power(view, hidden, slot):
    """The leader's power, or NONE if it does not act.

    Some powers act only if the party has just placed a marker in a region.
    """
    if view.rules.needs_marker[slot] and hidden.event.region == NONE:
        return np.int64(NONE)
    return np.int64(view.power[slot])


@inlined
def payable_prestige(view, player, amount):
    """The prestige to pay a player: `amount`, cut so that the total stays in 0 to MOST_TOTAL.

    A negative amount is taken from the player.
    """
    prestige = np.int64(view.prestige[player])
    room = max(MOST_TOTAL - prestige, np.int64(0))
    return max(min(np.int64(amount), room), -prestige)


@kernel
def take_largest_token(view, hidden, player, slot, size):
    """Give the player the largest party token and its prestige, if the party is large enough.

    The party must exceed the age's largest party by `largest_margin`. Returns whether it did.
    """
    taken = size >= view.largest_size[slot] + view.rules.largest_margin[slot]
    if taken:
        view.largest_size[slot] = size
        view.largest_holder[slot] = player
        paid = payable_prestige(view, player, view.rules.largest_on_take[slot])
        view.prestige[player] += paid
        hidden.seats[player].largest += paid
    return taken


@inlined
def power_amount(view, slot, size):
    """The X of a leader's power (docs/rules.md) for a party of this size.

    X is a number of spaces at sea or of cards to keep or draw, or the highest value of a token.
    """
    return size * view.rules.per_card[slot] + view.rules.more[slot]


@kernel
def advance_at_sea(view, player, slot, spaces):
    """Move a player's marker up a sea track; return the number of extra markers (R11, R17)."""
    before = np.int64(view.sea[slot, player])
    after = min(before + spaces, np.int64(view.rules.sea_last_space[slot]))
    view.sea[slot, player] = after
    passed = 0
    for i in range(view.rules.sea_symbols_count[slot]):
        symbol = view.rules.sea_symbols[slot, i]
        passed += symbol > before and symbol <= after
    if passed > 1 and not view.rules.sea_each_symbol[slot]:
        return 1
    return passed


@kernel
def preferred_regions(view, preference):
    """The regions, as a mask, that Bruno likes best by his lead over the player there (R25).

    `preference` has the signs of the lead (0 for a tie), the best sign first. If the rules do not
    count an empty region as a tie, empty regions come last.
    """
    for wanted in preference:
        regions = np.uint64(0)
        for region in range(REGIONS):
            lead = np.int64(view.markers[region, BRUNO]) - np.int64(view.markers[region, 0])
            standing = (lead > 0) - (lead < 0)
            empty = view.markers[region, BRUNO] + view.markers[region, 0] == 0
            if standing == wanted and (view.rules.bruno_none_is_tie or not empty):
                regions |= bit(region)
        if regions != np.uint64(0):
            return regions
    return ALL_REGIONS


@inlined
def choose_region(view, hidden, player, decision, regions, size):
    """Ask in which of `regions` a power acts: return (fault, region), NONE if the player declines.

    Player 0 also chooses for Bruno, but may not decline for him.
    """
    is_asked = player < view.hands
    asked, question = (player, decision) if is_asked else (np.int64(0), BRUNO_REGION)
    return ask_choice(
        view, hidden, asked, question, regions, size, 1 if is_asked else 0, REGION_NOT_OPEN
    )


@kernel
def move_at_sea(view, hidden, player, slot, size):
    """Sea track: move up X spaces, and place the extra markers in chosen regions (R6, R11, R17).

    Bruno's extra markers go to his preferred regions (R24, R25).
    """
    extra_markers = advance_at_sea(view, player, slot, power_amount(view, slot, size))
    hidden.event.sea = view.sea[slot, player]
    for _ in range(extra_markers):
        if view.supply[player] <= 0:
            break
        is_asked = player < view.hands
        regions = ALL_REGIONS if is_asked else preferred_regions(view, SEA_PREFERENCE)
        reason, region = choose_region(view, hidden, player, SEA_REGION, regions, size)
        if reason != NO_FAULT:
            return reason
        if region != NONE:
            place_marker(view, player, region)
            hidden.event.sea_regions[hidden.event.sea_region_count] = region
            hidden.event.sea_region_count += 1
    return NO_FAULT


@kernel
def place_settlement(view, hidden, player, slot, color, size):
    """Settlement board: let the player put a marker on the leader's color, if free (R6, R17).

    Bruno may use any free space (R29).
    """
    any_space = player >= view.hands and view.rules.bruno_any_space
    spaces = ALL_REGIONS if any_space else bit(color)
    free = spaces & ~np.uint64(view.settlements[slot, player])
    if free == ZERO or view.supply[player] <= 0:
        return NO_FAULT
    reason, choice = choose_region(view, hidden, player, SETTLE, free, size)
    if choice != NONE:
        view.settlements[slot, player] |= 1 << choice
        view.supply[player] -= 1
        hidden.event.settled = choice
    return reason


@kernel
def take_tie_break_token(view, hidden, player, slot, size):
    """Tie-break tokens: let a player take an unclaimed token with a value of at most X (R6)."""
    options = ZERO
    most = power_amount(view, slot, size)
    for i in range(view.rules.tie_break_tokens_count[slot]):
        if view.token_owner[slot, i] == NONE and view.rules.tie_break_tokens[slot, i] <= most:
            options |= bit(i)
    if options == ZERO:
        return NO_FAULT
    reason, token = ask_choice(view, hidden, player, TOKEN, options, size, 1, TOKEN_NOT_OPEN)
    if token != NONE:
        value = np.int64(view.rules.tie_break_tokens[slot, token])
        view.token_owner[slot, token] = player
        view.token_sum[player] += value
        view.token_highest[player] = max(view.token_highest[player], value)
        hidden.event.token = value
    return reason


@kernel
def place_coin(view, hidden, player, slot, color, size):
    """Coins: put the lowest coin left onto the leader's region, or where Bruno prefers (R25)."""
    used = view.coins_used[slot]
    if used >= view.rules.coins_count[slot]:
        return NO_FAULT
    reason, region = NO_FAULT, np.int64(color)
    if player >= view.hands:
        regions = preferred_regions(view, COIN_PREFERENCE)
        reason, region = choose_region(view, hidden, player, BRUNO_REGION, regions, size)
    if reason == NO_FAULT:
        view.coins_used[slot] += 1
        view.coins_on_region[region] += view.rules.coins[slot, used]
        hidden.event.coin = view.rules.coins[slot, used]
        hidden.event.coin_region = region
    return reason


@kernel
def declines_power(view, hidden, player, power, slot, size):
    """Ask whether a player declines a power: return (fault, answer).

    The answer is no, without a question, for Bruno or if powers are not optional (R6).
    """
    if not view.rules.optional_power or player >= view.hands:
        return NO_FAULT, False
    asks = power == powers.SEA_TRACK
    if power == powers.COINS:
        asks = view.coins_used[slot] < view.rules.coins_count[slot]
    if power == powers.LARGEST_TOKEN:
        asks = size >= view.largest_size[slot] + view.rules.largest_margin[slot]
    if not asks:
        return NO_FAULT, False
    reason, used = ask_yes_or_no(view, hidden, player, USE_POWER, size)
    return reason, not used


@kernel
def use_power(view, hidden, player, power, slot, color, size):
    """Step 2: use the leader's power; `power` is its number, `slot` the home slot of its clan."""
    view.asking_slot = slot
    reason, declined = declines_power(view, hidden, player, power, slot, size)
    if reason != NO_FAULT or declined:
        return reason
    if power == powers.LARGEST_TOKEN:
        hidden.event.largest = take_largest_token(view, hidden, player, slot, size)
    if power == powers.SEA_TRACK:
        return move_at_sea(view, hidden, player, slot, size)
    if power == powers.SETTLEMENT_BOARD:
        return place_settlement(view, hidden, player, slot, color, size)
    if power == powers.COINS:
        return place_coin(view, hidden, player, slot, color, size)
    if power == powers.TIE_BREAK_TOKENS and player < view.hands:
        return take_tie_break_token(view, hidden, player, slot, size)
    return NO_FAULT
