"""The acting player's view as a row of integers (int16).

Only the view is read, so nothing hidden can leak. Players are numbered clockwise from the acting
player, 0. Numbers of absent players, slots and ages are 0. A set of cards is the number of copies
(0 to 2) of each card `6 * slot + color`.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game import power_numbers as powers
from ethnos_sim.simulator.game.cards import ONE, ZERO, lowest
from ethnos_sim.simulator.game.records import (
    CHOOSE,
    DECISIONS,
    EMPTY_BOARD,
    MAX_AGES,
    MAX_PLAYERS,
    MAX_SLOTS,
    MAX_TOKENS,
    NONE,
    POWERS,
    REGIONS,
    SETTLE,
    STATE,
    TOKEN,
    USE_POWER,
)
from ethnos_sim.simulator.kernel.clans import is_home
from ethnos_sim.simulator.stepping.actions import MAX_CARDS

#: The questions that a clan's power or board asks. Other questions do not set `view.asking_slot`.
ASKED_BY_A_CLAN = (TOKEN, SETTLE, EMPTY_BOARD, USE_POWER, CHOOSE)

BLOCKS = (
    ("decision", len(DECISIONS), "1 at the open question, in the order of `records.DECISIONS`"),
    ("limit", 1, "X of the power that asks: its party's cards, or the cards that may be kept"),
    ("may_decline", 1, "1 if the answer may be none"),
    ("options", MAX_SLOTS, "1 for each region, tie-break token or slot that may be chosen"),
    ("asking", MAX_SLOTS, "1 at the slot of the clan whose power or board asks"),
    ("naming", 1, "1 while a party or cards to keep are named card by card"),
    ("named", MAX_CARDS, "the cards named so far"),
    ("hand", MAX_CARDS, "the agent's hand"),
    ("leaders", MAX_CARDS, "1 for each card in hand that may lead a party"),
    ("pool", MAX_CARDS, "the open cards"),
    ("played", MAX_CARDS, "the cards in this age's parties"),
    (
        "offered",
        MAX_CARDS,
        "solo: the cards to choose from for Bruno; the cards that a custom power offers",
    ),
    ("columns", MAX_CARDS, "solo: Bruno's cards"),
    ("known", (MAX_PLAYERS - 1) * MAX_CARDS, "cards known to be in the hand of player 1, 2 …"),
    ("power", MAX_SLOTS * POWERS, "for each slot, 1 at the number of its clan's power"),
    ("players", 1, "sides of the table, Bruno included"),
    ("solo", 1, "0, or the difficulty: 1 easy, 2 regular, 3 hard"),
    ("ages", 1, "how many ages the game has"),
    ("age", 1, "the age being played, from 1"),
    ("first", MAX_PLAYERS, "1 at the player who began the age"),
    ("turns", 1, "turns played so far"),
    ("deck", 1, "cards left in the deck, dragons included"),
    ("dragons", 1, "dragons that came up in this age"),
    ("tokens", REGIONS * MAX_AGES, "prestige tokens of each region, ascending"),
    ("markers", REGIONS * MAX_PLAYERS, "markers in each region by player"),
    ("coins", REGIONS, "prestige of the coins on each region"),
    ("hand_cards", MAX_PLAYERS, "cards in each hand"),
    ("supply", MAX_PLAYERS, "markers that each player has left"),
    ("prestige", MAX_PLAYERS, "prestige of each player"),
    ("party_points", MAX_PLAYERS, "what each player's parties of this age will score"),
    ("token_sum", MAX_PLAYERS, "sum of each player's tie-break tokens"),
    ("sea", MAX_SLOTS * MAX_PLAYERS, "for each slot, places on its clan's sea track"),
    ("token_free", MAX_SLOTS * MAX_TOKENS, "for each slot, 1 for each token that nobody has"),
    (
        "settlements",
        MAX_SLOTS * MAX_PLAYERS * REGIONS,
        "for each slot and player, 1 for each color with a marker on the board",
    ),
    ("largest_size", MAX_SLOTS, "for each slot, the size of its clan's largest party in this age"),
    ("largest_holder", MAX_SLOTS * MAX_PLAYERS, "for each slot, 1 at the player with its token"),
    ("coins_used", MAX_SLOTS, "for each slot, how many of its clan's coins were laid out"),
    ("leaders_up", MAX_SLOTS, "solo: 1 for each slot whose card may lead next for Bruno"),
    (
        "bruno_power",
        POWERS,
        "solo: 1 at the power of Bruno's party while a region for him is asked",
    ),
    ("question", 1, "the number of the question that a custom power asks"),
    ("suggestion", 1, "the answer that the custom power suggests, -1 for none"),
    (
        "power_state",
        MAX_SLOTS * STATE * MAX_PLAYERS,
        "for each slot, the numbers that a custom power keeps for each player",
    ),
)
"""The row's blocks in order: name, number of columns, and meaning."""

OBSERVATIONS = sum(size for _, size, _ in BLOCKS)
"""How many numbers an observation has."""


def columns(name: str) -> slice:
    """The columns of the block `name`.

    Raises:
        KeyError: there is no such block.
    """
    first = 0
    for block, size, _ in BLOCKS:
        if block == name:
            return slice(first, first + size)
        first += size
    raise KeyError(name)


#: The number of columns that `put_part` writes: the blocks from `sea` to `coins_used`.
PARTS = columns("coins_used").stop - columns("sea").start


@kernel
def put_bits(row, at, mask):
    """Add 1 at each set bit of a mask."""
    while mask != ZERO:
        row[at + lowest(mask)] += 1
        mask &= mask - ONE


@kernel
def put_mask(row, at, mask, size):
    """Write the lowest bits of a mask; return the next column."""
    put_bits(row, at, mask & ((ONE << np.uint64(size)) - ONE))
    return at + size


@kernel
def put_set(row, at, once, twice):
    """Write the number of copies of each card of a set; return the next column."""
    put_bits(row, at, once)
    put_bits(row, at, twice)
    return at + MAX_CARDS


@kernel
def put_one(row, at, size, index):
    """Write a 1 at `index` of a block, if the block has it; return where the next block begins."""
    if 0 <= index < size:
        row[at + index] = 1
    return at + size


@kernel
def seat_from(view, player):
    """A player's number, counted from the acting player; NONE for nobody."""
    return (player - view.player) % view.players if player != NONE else np.int64(NONE)


@kernel
def put_question(view, building, row):
    """Write the blocks from the question to the cards that may be chosen."""
    at = put_one(row, 0, len(DECISIONS), np.int64(view.decision))
    row[at] = view.limit
    row[at + 1] = view.may_decline
    at = put_mask(row, at + 2, view.options, MAX_SLOTS)
    asking = np.int64(NONE)
    for question in ASKED_BY_A_CLAN:
        if view.decision == question:
            asking = np.int64(view.asking_slot)
    if asking >= MAX_SLOTS:  # a power of the table
        asking = np.int64(NONE)
    at = put_one(row, at, MAX_SLOTS, asking)
    row[at] = building.open
    at = put_set(row, at + 1, building.once, building.twice)
    at = put_set(row, at, view.hand_once, view.hand_twice)
    return put_set(row, at, view.leaders, np.uint64(0))


@kernel
def put_cards(view, row, at):
    """Write the blocks of open cards and of the powers in play."""
    at = put_set(row, at, view.pool_once, view.pool_twice)
    at = put_set(row, at, view.played_once, view.played_twice)
    at = put_set(row, at, view.offered_once, view.offered_twice)
    at = put_set(row, at, view.columns_once, view.columns_twice)
    for step in range(1, view.hands):
        rival = (view.player + step) % view.hands
        put_set(row, at + (step - 1) * MAX_CARDS, view.known_once[rival], view.known_twice[rival])
    at += (MAX_PLAYERS - 1) * MAX_CARDS
    for slot in range(MAX_SLOTS):
        at = put_one(row, at, POWERS, np.int64(view.power[slot]))
    return at


@kernel
def put_by_player(view, row, at, values):
    """Write one number for each player, beginning with the acting player."""
    player = np.int64(view.player)
    for step in range(view.players):
        row[at + step] = values[player]
        player = player + 1 if player + 1 < view.players else np.int64(0)
    return at + MAX_PLAYERS


@kernel
def put_table(view, row, at):
    """Write the blocks of the table, the deck and the regions."""
    row[at] = view.players
    row[at + 1] = view.solo
    row[at + 2] = view.ages
    row[at + 3] = view.age
    at = put_one(row, at + 4, MAX_PLAYERS, seat_from(view, np.int64(view.first_player)))
    row[at] = view.turns
    row[at + 1] = view.deck_cards
    row[at + 2] = view.dragons_seen
    at += 3
    for region in range(REGIONS):
        for place in range(MAX_AGES):
            row[at] = view.prestige_tokens[region, place]
            at += 1
    for region in range(REGIONS):
        at = put_by_player(view, row, at, view.markers[region])
    for region in range(REGIONS):
        row[at + region] = view.coins_on_region[region]
    return at + REGIONS


@kernel
def put_part(view, row, at, slot):
    """Write the pieces of a slot's clan into the blocks from `sea` on, which begin at `at`."""
    if is_home(view, slot, powers.SEA_TRACK):
        put_by_player(view, row, at + slot * MAX_PLAYERS, view.sea[slot])
    at += MAX_SLOTS * MAX_PLAYERS
    if is_home(view, slot, powers.TIE_BREAK_TOKENS):
        for i in range(view.rules.tie_break_tokens_count[slot]):
            row[at + slot * MAX_TOKENS + i] = view.token_owner[slot, i] == NONE
    at += MAX_SLOTS * MAX_TOKENS
    if is_home(view, slot, powers.SETTLEMENT_BOARD):
        for step in range(view.players):
            board = np.uint64(view.settlements[slot, (view.player + step) % view.players])
            put_bits(row, at + (slot * MAX_PLAYERS + step) * REGIONS, board)
    at += MAX_SLOTS * MAX_PLAYERS * REGIONS
    if is_home(view, slot, powers.LARGEST_TOKEN):
        holder = seat_from(view, np.int64(view.largest_holder[slot]))
        row[at + slot] = view.largest_size[slot]
        put_one(row, at + MAX_SLOTS + slot * MAX_PLAYERS, MAX_PLAYERS, holder)
    at += MAX_SLOTS + MAX_SLOTS * MAX_PLAYERS
    if is_home(view, slot, powers.COINS):
        row[at + slot] = view.coins_used[slot]


@kernel
def put_players(view, row, at):
    """Write the blocks of the players, and the remaining blocks except custom powers."""
    at = put_by_player(view, row, at, view.hand_cards)
    at = put_by_player(view, row, at, view.supply)
    at = put_by_player(view, row, at, view.prestige)
    at = put_by_player(view, row, at, view.party_points)
    at = put_by_player(view, row, at, view.token_sum)
    for slot in range(view.slots):
        put_part(view, row, at, slot)
    at += PARTS
    leaders_up = np.uint64(view.leaders_up) if view.solo else np.uint64(0)
    at = put_mask(row, at, leaders_up, MAX_SLOTS)
    return put_one(row, at, POWERS, np.int64(view.bruno_power) if view.solo else np.int64(NONE))


@kernel
def put_custom_powers(view, row, at):
    """Write the blocks of custom powers."""
    if view.decision == CHOOSE:
        row[at] = view.question
        row[at + 1] = view.suggestion
    at += 2
    if view.moments:
        for slot in range(MAX_SLOTS):
            for place in range(STATE):
                at = put_by_player(view, row, at, view.power_state[slot, :, place])


@kernel
def observe(view, building, row):
    """Write the observation of the open question into `row`, shape (OBSERVATIONS,)."""
    for i in range(OBSERVATIONS):
        row[i] = 0
    at = put_question(view, building, row)
    at = put_cards(view, row, at)
    at = put_table(view, row, at)
    at = put_players(view, row, at)
    put_custom_powers(view, row, at)
