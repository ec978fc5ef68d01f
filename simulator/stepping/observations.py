"""Observations: what the acting player sees, as an int16 record or a row of the same numbers.

Only the view is read, so nothing hidden can leak. The acting player is player 0, and the others
follow clockwise. Numbers of absent players, slots and ages are 0. A set of cards is the number of
copies (0 to 2) of each card `6 * slot + color`.
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

#: The questions that a clan's power or board asks, which set `view.asking_slot`.
ASKED_BY_A_CLAN = (TOKEN, SETTLE, EMPTY_BOARD, USE_POWER, CHOOSE)

BLOCKS = (
    ("decision", len(DECISIONS), "1 at the open question, in the order of `records.DECISIONS`"),
    ("limit", (), "X of the power that asks: its party's cards, or the cards that may be kept"),
    ("may_decline", (), "1 if the answer may be none"),
    ("options", MAX_SLOTS, "1 for each region, tie-break token or slot that may be chosen"),
    ("asking", MAX_SLOTS, "1 at the slot of the clan whose power or board asks"),
    ("naming", (), "1 while a party or cards to keep are selected card by card"),
    ("named", MAX_CARDS, "the cards selected so far"),
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
    ("known", (MAX_PLAYERS - 1, MAX_CARDS), "cards known to be in the hand of player 1, 2 …"),
    ("power", (MAX_SLOTS, POWERS), "for each slot, 1 at the number of its clan's power"),
    ("players", (), "sides of the table, Bruno included"),
    ("solo", (), "0, or the difficulty: 1 easy, 2 regular, 3 hard"),
    ("ages", (), "how many ages the game has"),
    ("age", (), "the age being played, from 1"),
    ("first", MAX_PLAYERS, "1 at the player who began the age"),
    ("turns", (), "turns played so far"),
    ("deck", (), "cards left in the deck, dragons included"),
    ("dragons", (), "dragons that came up in this age"),
    ("tokens", (REGIONS, MAX_AGES), "prestige tokens of each region, ascending"),
    ("markers", (REGIONS, MAX_PLAYERS), "markers in each region by player"),
    ("coins", REGIONS, "prestige of the coins on each region"),
    ("hand_cards", MAX_PLAYERS, "cards in each hand"),
    ("supply", MAX_PLAYERS, "markers that each player has left"),
    ("prestige", MAX_PLAYERS, "prestige of each player"),
    ("party_points", MAX_PLAYERS, "what each player's parties of this age will score"),
    ("token_sum", MAX_PLAYERS, "sum of each player's tie-break tokens"),
    ("sea", (MAX_SLOTS, MAX_PLAYERS), "for each slot and player, the space on the sea track"),
    ("token_free", (MAX_SLOTS, MAX_TOKENS), "for each slot, 1 for each free tie-break token"),
    (
        "settlements",
        (MAX_SLOTS, MAX_PLAYERS, REGIONS),
        "for each slot and player, 1 for each color with a marker on the board",
    ),
    ("largest_size", MAX_SLOTS, "for each slot, the size of its clan's largest party in this age"),
    ("largest_holder", (MAX_SLOTS, MAX_PLAYERS), "for each slot, 1 at the largest token's holder"),
    ("coins_used", MAX_SLOTS, "for each slot, how many of its clan's coins have been placed"),
    ("leaders_up", MAX_SLOTS, "solo: 1 for each slot whose clan may lead Bruno's next party"),
    (
        "bruno_power",
        POWERS,
        "solo: 1 at the power of Bruno's party while a region for him is asked",
    ),
    ("question", (), "the number of the question that a custom power asks"),
    ("suggestion", (), "the answer that the custom power suggests, -1 for none"),
    (
        "power_state",
        (MAX_SLOTS, STATE, MAX_PLAYERS),
        "for each slot, the numbers that a custom power keeps for each player",
    ),
)
"""The blocks of an observation in order: name, shape (`()` for one number), and meaning."""

OBSERVATION_DTYPE = np.dtype([(name, "i2", shape) for name, shape, _ in BLOCKS])
"""An observation as a record, a field for each block."""

OBSERVATIONS = OBSERVATION_DTYPE.itemsize // 2
"""The number of int16 numbers in an observation."""


def block_columns(name: str) -> slice:
    """The columns of the block `name` in a row; KeyError if there is no such block."""
    assert OBSERVATION_DTYPE.fields is not None
    kind, offset = OBSERVATION_DTYPE.fields[name][:2]
    return slice(offset // 2, (offset + kind.itemsize) // 2)


@kernel
def add_bits(block, mask):
    """Add 1 to a block at the index of each set bit of a mask; higher bits are ignored."""
    mask &= (ONE << np.uint64(block.size)) - ONE
    while mask != ZERO:
        block[lowest(mask)] += 1
        mask &= mask - ONE


@kernel
def write_card_set(block, once, twice):
    """Write to a block, for each card, its number of copies in a set."""
    add_bits(block, once)
    add_bits(block, twice)


@kernel
def mark_index(block, index):
    """Write a 1 to a block at an index; an index out of range is ignored."""
    if 0 <= index < block.size:
        block[index] = 1


@kernel
def write_by_player(view, block, values):
    """Copy values by player to a block, beginning with the acting player's."""
    player = np.int64(view.player)
    for step in range(view.players):
        block[step] = values[player]
        player = player + 1 if player + 1 < view.players else np.int64(0)


@kernel
def relative_seat(view, player):
    """A player's seat, counted clockwise from the acting player, who has 0; NONE for nobody."""
    return (player - view.player) % view.players if player != NONE else np.int64(NONE)


@kernel
def observe_question(view, selection, observation):
    """Write the open question, and the cards selected so far."""
    mark_index(observation.decision, np.int64(view.decision))
    observation.limit = view.limit
    observation.may_decline = view.may_decline
    add_bits(observation.options, view.options)
    for question in ASKED_BY_A_CLAN:
        # A power of the table asks with an index beyond the slots, which `mark_index` ignores.
        if view.decision == question:
            mark_index(observation.asking, np.int64(view.asking_slot))
    observation.naming = selection.open
    write_card_set(observation.named, selection.once, selection.twice)
    if view.decision == CHOOSE:
        observation.question = view.question
        observation.suggestion = view.suggestion


@kernel
def observe_cards(view, observation):
    """Write the cards that the player knows."""
    write_card_set(observation.hand, view.hand_once, view.hand_twice)
    add_bits(observation.leaders, view.leaders)
    write_card_set(observation.pool, view.pool_once, view.pool_twice)
    write_card_set(observation.played, view.played_once, view.played_twice)
    write_card_set(observation.offered, view.offered_once, view.offered_twice)
    write_card_set(observation.columns, view.columns_once, view.columns_twice)
    for step in range(1, view.hands):
        rival = (view.player + step) % view.hands
        write_card_set(observation.known[step - 1], view.known_once[rival], view.known_twice[rival])


@kernel
def observe_table(view, observation):
    """Write the table, the deck and the regions."""
    observation.players = view.players
    observation.solo = view.solo
    observation.ages = view.ages
    observation.age = view.age
    mark_index(observation.first, relative_seat(view, np.int64(view.first_player)))
    observation.turns = view.turns
    observation.deck = view.deck_cards
    observation.dragons = view.dragons_seen
    for region in range(REGIONS):
        observation.coins[region] = view.coins_on_region[region]
        write_by_player(view, observation.markers[region], view.markers[region])
        for place in range(MAX_AGES):
            observation.tokens[region, place] = view.prestige_tokens[region, place]
    if view.solo:
        add_bits(observation.leaders_up, np.uint64(view.leaders_up))
        mark_index(observation.bruno_power, np.int64(view.bruno_power))


@kernel
def observe_players(view, observation):
    """Write each player's cards in hand, markers left, prestige, party points and token sum."""
    write_by_player(view, observation.hand_cards, view.hand_cards)
    write_by_player(view, observation.supply, view.supply)
    write_by_player(view, observation.prestige, view.prestige)
    write_by_player(view, observation.party_points, view.party_points)
    write_by_player(view, observation.token_sum, view.token_sum)


@kernel
def observe_clan(view, observation, slot):
    """Write a slot's power, the state of its pieces, and the numbers that a custom power keeps."""
    mark_index(observation.power[slot], np.int64(view.power[slot]))
    if is_home(view, slot, powers.SEA_TRACK):
        write_by_player(view, observation.sea[slot], view.sea[slot])
    if is_home(view, slot, powers.TIE_BREAK_TOKENS):
        for i in range(view.rules.tie_break_tokens_count[slot]):
            observation.token_free[slot, i] = view.token_owner[slot, i] == NONE
    if is_home(view, slot, powers.SETTLEMENT_BOARD):
        for step in range(view.players):
            board = np.uint64(view.settlements[slot, (view.player + step) % view.players])
            add_bits(observation.settlements[slot, step], board)
    if is_home(view, slot, powers.LARGEST_TOKEN):
        observation.largest_size[slot] = view.largest_size[slot]
        holder = relative_seat(view, np.int64(view.largest_holder[slot]))
        mark_index(observation.largest_holder[slot], holder)
    if is_home(view, slot, powers.COINS):
        observation.coins_used[slot] = view.coins_used[slot]
    if view.moments:
        for i in range(STATE):
            write_by_player(view, observation.power_state[slot, i], view.power_state[slot, :, i])


@kernel
def write_observation(view, selection, rows):
    """Write the observation of the open question to `rows` (OBSERVATION_DTYPE, shape (1,))."""
    rows.view(np.int16)[:] = 0
    observation = rows[0]
    observe_question(view, selection, observation)
    observe_cards(view, observation)
    observe_table(view, observation)
    observe_players(view, observation)
    for slot in range(view.slots):
        observe_clan(view, observation, slot)
