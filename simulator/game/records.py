"""The records of a game: flat structures that the kernel reads and writes.

A game is two records. `VIEW_DTYPE` holds the open information on the table and the acting player's
hand. A strategy gets only this record, so it cannot cheat. `HIDDEN_DTYPE` holds the rest: the deck,
all hands, the deal, the players' private records and the running result. Both are flat, so a record
is copied as one block of memory.

Cards are bits. A card's number is `6 * slot + color`. Slots 0 to 6 are the clans in play (a clan
with twice the cards takes two slots), colors 0 to 5 the regions. A set of cards is two 64-bit
planes, because the deck has two copies of each card: in `once` a bit says that at least one copy is
there, in `twice` that both copies are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import from_dtype, types

from ethnos_sim.simulator.game.limits import MAX_AGES as MAX_AGES
from ethnos_sim.simulator.game.limits import MAX_PLAYERS as MAX_PLAYERS
from ethnos_sim.simulator.game.limits import REGIONS as REGIONS
from ethnos_sim.simulator.game.limits import TABLE_POWERS as TABLE_POWERS
from ethnos_sim.simulator.game.powers import Power

#: Sizes of the records' arrays, besides the numbers of players, regions and ages (`limits`).
MAX_SLOTS = 7
MAX_DECK = 96
MAX_HAND = 15
MAX_SYMBOLS = 8
MAX_TOKENS = 6
MAX_COINS = 32

#: How many printed powers there are. It is also the number that stands for a custom power.
POWERS = int(Power.CUSTOM)

#: The most parameters of a strategy. A strategy with a policy stores its parameters after the
#: parameters of the policy, because the policy's code reads the first ones.
PARAMETERS = 24

#: The number that stands for a dragon in the order of a deck.
DRAGON = 63

#: The number that stands for no card, no region or nobody.
NONE = -1

#: The questions that players are asked (`view.decision`).
TURN, SECOND_PARTY, REGION, SEA_REGION, TOKEN, SETTLE, KEEP, DRAW, EMPTY_BOARD = range(9)
TEN_WILD, BRUNO_CARD, BRUNO_LEADER, BRUNO_REGION, BRUNO_RELEASE, BRUNO_STEAL = range(9, 15)
USE_POWER, CHOOSE = range(15, 17)

#: The kind of answer to each question: "move"; "option", one of `view.options`; "card", a card of
#: `view.offered_once`; "yes_no"; or "cards", a set of cards of the hand.
ANSWERED_BY = {
    "turn": "move",
    "second_party": "move",
    "region": "option",
    "sea_region": "option",
    "token": "option",
    "settle": "yes_no",
    "keep": "cards",
    "draw": "yes_no",
    "empty_board": "yes_no",
    "ten_wild": "yes_no",
    "bruno_card": "card",
    "bruno_leader": "option",
    "bruno_region": "option",
    "bruno_release": "card",
    "bruno_steal": "yes_no",
    "use_power": "yes_no",
    "choose": "card",
}
DECISIONS = tuple(ANSWERED_BY)

#: The moments of a turn and of an age's end at which custom powers may be called.
MARKER_REGIONS, MARKER_SIZE, SCORING_SIZE, AFTER_PARTY, ANOTHER_PARTY, CARDS_KEPT = range(6)
AFTER_DISCARD, AFTER_RECRUIT, TURN_END, AGE_END, AGE_SCORED = range(6, 11)

#: How many custom powers fit at a table: one for each slot, then the powers of the table.
POWER_SLOTS = MAX_SLOTS + TABLE_POWERS

#: How many numbers a custom power may keep for each player.
STATE = 4

#: The kinds of a move (`move.kind`): how a question is answered.
UNANSWERED, FROM_DECK, FROM_POOL, PARTY, DECLINE, CHOICE, CARDS = range(7)

#: Kinds of games: in ordinary games everybody may lead with every clan; in the others each seat
#: gives up a clan that the deal draws, in all ages or in one drawn age (`kernel.giving_up`).
KINDS = ORDINARY, GIVES_UP, GIVES_UP_BY_AGE = ("ordinary", "gives_up", "gives_up_by_age")

#: Solo modes by difficulty (`view.solo`); 0 is a game without Bruno, who is always player 1.
NOT_SOLO, SOLO_EASY, SOLO_REGULAR, SOLO_HARD = range(4)
BRUNO = 1

#: The units in a whole win; k players who share a win get SIXTIETHS // k units each.
SIXTIETHS = 60


def record_dtype(*fields: tuple[Any, ...]) -> np.dtype:
    """The dtype of a record.

    Each argument describes fields of one type: a tuple of their names (one text with spaces),
    their type, and their shape if they are arrays.
    """
    return np.dtype(
        [(name, *kind) for names, *kind in fields for name in names.split()], align=True
    )


def block_range(dtype: np.dtype, fields: tuple[tuple[Any, ...], ...]) -> tuple[int, int]:
    """The offset and size in bytes of a block of adjacent fields, listed as for `record_dtype`."""
    names = [name for names, *_ in fields for name in names.split()]
    types_and_offsets: Any = dtype.fields
    begin, (last, end, *_) = types_and_offsets[names[0]][1], types_and_offsets[names[-1]]
    return begin, end + last.itemsize - begin


RULES_DTYPE = record_dtype(
    ("party_points", "i2", (7,)),
    ("hand_limit party_limit dragons last_dragon", "i1"),
    ("first_cards cards_kept tokens_laid", "i1"),
    ("dragons_part", "i1", (MAX_AGES,)),
    ("start_prestige", "i2", (MAX_PLAYERS,)),
    ("markers", "i2"),
    ("markers_needed copies first_pool tokens_per_region", "i1"),
    ("prestige_tokens", "i2", (REGIONS * MAX_AGES,)),
    ("pays", "i1", (MAX_AGES, MAX_AGES)),
    ("ten_wild_wins optional_marker optional_power all_ties wild_breaks_ties both_markers", "i1"),
    ("winner_takes_all sea_alike tied_share_all pool_refill", "i1"),
    ("bruno_fires_at", "i1", (REGIONS,)),
    ("bruno_cards", "i1", (MAX_AGES,)),
    ("bruno_none_is_tie bruno_in_addition bruno_limited bruno_any_space bruno_releases", "i1"),
    # Values of clans, by slot.
    ("places_marker marker_bonus score_bonus needs_marker follow_ups", "i1", (MAX_SLOTS,)),
    ("per_card more largest_margin", "i1", (MAX_SLOTS,)),
    ("largest_on_take", "i2", (MAX_SLOTS,)),
    ("largest_age", "i2", (MAX_SLOTS, MAX_AGES)),
    ("sea_last_space", "i2", (MAX_SLOTS,)),
    ("sea_symbols", "i2", (MAX_SLOTS, MAX_SYMBOLS)),
    ("sea_symbols_count sea_each_symbol sea_winner_only", "i1", (MAX_SLOTS,)),
    ("sea_prestige", "i2", (MAX_SLOTS, MAX_AGES)),
    ("settlement", "i2", (MAX_SLOTS, REGIONS + 1)),
    ("tie_break_tokens", "i2", (MAX_SLOTS, MAX_TOKENS)),
    ("tie_break_tokens_count", "i1", (MAX_SLOTS,)),
    ("coins", "i2", (MAX_SLOTS, MAX_COINS)),
    ("coins_count", "i1", (MAX_SLOTS,)),
)
"""The rule values of one table: a `Rules` object resolved for a number of players and a mode.

`dragons_part` is, by age, the size of the deck's last part, which includes the dragons.
`tokens_laid` is 1 if `prestige_tokens` are listed region by region, 0 if they are shuffled.
`pool_refill` is 0 if the pool is never refilled. `pays[age - 1, i]` is the token (1 to 3, 0 for
none) that rank i + 1 in a region scores. A clan's values are stored at each of its slots; values
that its power does not have are 0.
"""

TABLE_DTYPE = record_dtype(
    ("players solo recruitment clan_count", "i1"), ("clans", "i1", (MAX_SLOTS,))
)
"""A table to prepare: players, mode, and the numbers of its clans (indices of the rules' clans).

`solo` is the difficulty (NOT_SOLO ...). `recruitment` is 1 in the modes recruitment and solo.
"""

#: The fields that are reset to 0 or to NONE when an age begins (`kernel.deal`). Each list is one
#: block of neighbouring fields.
ZEROS_OF_AGE = (
    ("age_over dragons_seen", "i1"),
    ("last_kind last_size", "i1", (MAX_PLAYERS,)),
    ("largest_size", "i1", (MAX_SLOTS,)),
    ("party_sizes", "i1", (MAX_PLAYERS, MAX_HAND + 1)),
    ("token_sum token_highest party_points", "i2", (MAX_PLAYERS,)),
    ("coins_on_region", "i2", (REGIONS,)),
    ("pool_once pool_twice played_once played_twice columns_once columns_twice", "u8"),
    ("known_once known_twice", "u8", (MAX_PLAYERS,)),
)
NONES_OF_AGE = (
    ("last_card", "i1", (MAX_PLAYERS,)),
    ("largest_holder", "i1", (MAX_SLOTS,)),
    ("token_owner", "i1", (MAX_SLOTS, MAX_TOKENS)),
)

VIEW_DTYPE = record_dtype(
    # The question, the player who is asked, and the possible answers.
    ("decision player limit may_decline asking_slot question suggestion", "i1"),
    ("options offered_once offered_twice", "u8"),
    # The table.
    ("players hands solo ages age first_player", "i1"),
    ("turns", "i2"),
    ("slots", "i1"),
    ("clan power home", "i1", (MAX_SLOTS,)),
    ("slot_of_power", "i1", (POWERS + 1,)),
    ("all_cards wild_cards unscored_cards", "u8"),
    ("clan_cards", "u8", (MAX_SLOTS,)),
    ("color_cards", "u8", (REGIONS,)),
    ("power_cards", "u8", (POWERS + 1,)),
    ("rules", RULES_DTYPE),
    # Cards.
    ("hand_once hand_twice leaders may_lead", "u8"),
    ("hand_cards", "i1", (MAX_PLAYERS,)),
    ("deck_cards", "i2"),
    *ZEROS_OF_AGE,
    *NONES_OF_AGE,
    ("leaders_up", "u1"),
    ("bruno_power", "i1"),
    # The board, and the pieces in front of the players.
    ("prestige_tokens", "i2", (REGIONS, MAX_AGES)),
    ("markers", "i1", (REGIONS, MAX_PLAYERS)),
    ("most_markers most_markers_of second_most_markers", "i1", (REGIONS,)),
    ("supply", "i2", (MAX_PLAYERS,)),
    ("coins_used", "i1", (MAX_SLOTS,)),
    ("sea", "i2", (MAX_SLOTS, MAX_PLAYERS)),
    ("settlements", "u1", (MAX_SLOTS, MAX_PLAYERS)),
    ("prestige", "i2", (MAX_PLAYERS,)),
    # Custom powers, by slot; the table's follow from MAX_SLOTS on.
    ("table_powers", "i1"),
    ("moments table_moments", "u2"),
    ("power_moments", "u2", (POWER_SLOTS,)),
    ("power_name power_code", "i8", (POWER_SLOTS,)),
    ("power_state", "i2", (POWER_SLOTS, MAX_PLAYERS, STATE)),
    ("slot rest log", "i8"),
)
"""The open information, and the acting player's hand.

decision, player   the question, and the player who is asked
limit              X of the power that asks, or how many cards may be kept
options            bit mask of the regions, tie-break tokens or leader's slots that may be chosen
offered_*          the cards offered: one of them goes to Bruno or leaves his columns
asking_slot        home slot of the clan whose power asks (token, settle, use_power, empty_board,
                   choose); MAX_SLOTS and more for a power of the table
question           for choose: the number of the power's question
suggestion         for choose: the answer that the power suggests
may_decline        1 if the answer may be "none"
players            number of sides of the table (2 in solo)
hands              number of sides with hands, which are asked (1 in solo)
solo               0, or the difficulty of a game against Bruno (SOLO_EASY ...)
columns_*          Bruno's cards (`color_cards` selects his column of a color)
leaders_up         bit mask of home slots: their setup cards lie face up and may be Bruno's leader
bruno_power        the power of Bruno's party while the player chooses a region for him
age, ages          the age being played (1 ...) and the number of ages
clan               by slot: the clan's number (its index in the rules' clans), -1 for unused slots
power              by slot: the number of the clan's power, -1 for unused slots
home               by slot: the clan's first slot, which has its track, tokens and boards
slot_of_power      by power: home of the first clan in play with the power, -1 for none
unscored_cards     wild cards that are taken out of parties before these are scored
leaders            cards of the hand that may lead a party
may_lead           all cards, in hand or not, that the acting player's restriction allows to lead
clan_cards         by slot: the cards of the clan
color_cards        by color: the cards of the color
power_cards        by power: the cards of all clans in play with the power
played_*           cards in parties of this age
known_*            by player: the cards in hand that everybody knows to be there
last_kind          by player: the kind of the last move in this age (FROM_DECK ...), 0 for none yet
last_card          by player: the card that this last move took from the pool, or the leader of the
                   party that it played; else NONE
last_size          by player: the size of the party that this last move played; else 0
most_markers       by region: the most markers of one player; most_markers_of is this player, and
                   second_most_markers the most markers of another player
supply             by player: markers that are left
sea                by slot and player: the space on the clan's track
settlements        by slot and player: bit mask of the colors with a marker on the player's board
coins_used         by slot: coins already placed (token_owner, largest_size and largest_holder are
                   by slot too)
party_points       by player: prestige that the parties of this age will score
party_sizes        by player: how many parties there are of each size, by which the final tie is
                   decided (R16)
table_powers       how many custom powers belong to the table; in the fields below they follow the
                   clans' slots, from index MAX_SLOTS on
power_moments      by slot: bits of the moments at which the clan's custom power is called, 0 for a
                   printed power; `moments` has the bits of all powers, `table_moments` those of the
                   table's powers
power_name         by slot: the number of the custom power's name (`custom_powers.number_of`)
power_code         by slot: the address of the custom power's code
power_state        by slot and player: the numbers that the custom power keeps
slot               the slot of the custom power called last
rest, log          the addresses of the hidden record and of the log
"""

MOVE_DTYPE = record_dtype(("kind leader", "i1"), ("choice", "i2"), ("once twice", "u8"))
"""An answer: its kind; a card, region or token (`choice`); a party (`leader`, `once`, `twice`)."""

OWN_DTYPE = record_dtype(
    ("addresses policy_addresses", "i8", (len(DECISIONS),)),
    ("never_leads", "u8"),
    ("free_ages", "i8"),
    ("random_state", "u8"),
    ("memory", "i8", (32,)),
    ("parameters", "f8", (2 * PARAMETERS,)),
    ("weights weights_size", "i8", (2,)),
)
"""A player's private record: the strategy's code, random stream, memory and parameters.

`addresses` has the address of the code that answers each question. `policy_addresses` has the
addresses of the policy's code if the player looks ahead, else 0.
A restricted player may lead the cards of `never_leads` only in ages whose bit is set in
`free_ages`.
`weights` has the addresses of weight arrays (float32, 0 for none) and `weights_size` their lengths.
Index 0 is the strategy's array. If the player looks ahead, index 0 is the policy's array and index
1 the strategy's array.
"""

ENTRY_DTYPE = record_dtype(("own", OWN_DTYPE), ("never_leads", "i8"))
"""An entry of a line-up, for any table: its player's private record, and its restriction.

`never_leads` is the number of the clan that the player never leads, NONE for no clan. When the
entry is seated, the bit mask of this clan's cards is written to the private record.
"""

WORK_DTYPE = record_dtype(
    ("table line_up", "i8"), ("seed", "u8"), ("first_game games rotations kind", "i8")
)
"""A row of a work list: games of one line-up at one table.

`table` and `line_up` are indices of prepared tables and line-ups. `rotations` is the number of
seatings of each deal, so game g belongs to deal `g // rotations`. `kind` is an index of KINDS.
"""

DEAL_DTYPE = np.dtype(
    [
        ("first_player", "i1"),
        ("prestige_tokens", "i2", (REGIONS, MAX_AGES)),
        ("order", "i1", (MAX_AGES, MAX_DECK)),
    ],
    align=True,
)
"""The random setup of a game: first player, tokens, and each age's cards in dealing order."""

SEAT_DTYPE = record_dtype(
    ("entry won", "i1"),
    ("prestige", "i2"),
    ("after_age", "i2", (MAX_AGES,)),
    ("regions coins sea largest settlement party_points powers", "i2"),
    ("markers", "i1"),
    ("parties", "i2"),
    ("led", "u1", (MAX_SLOTS,)),
    ("cards", "i2"),
    ("columns", "u1", (REGIONS,)),
    ("gave_up gave_up_age", "i1"),
)
"""A player's result. `prestige` is the sum of its seven sources; `won` is in sixtieths of a win.

`led` counts parties by the home slot of the leader's clan, `columns` Bruno's parties by column
(solo). `gave_up` is the number of the clan that the seat gave up, NONE for no clan, and
`gave_up_age` the only age in which it did, 0 for all ages.
"""

GAME_DTYPE = record_dtype(
    ("game deal", "i8"),
    ("rotation first_player winners", "i1"),
    ("turns decisions", "i2"),
    ("drawn last_dragon", "i1", (MAX_AGES,)),
)
"""A game's result. `drawn` counts cards by age; `last_dragon` is the player who drew it, by age."""

PARTY_EVENT_DTYPE = record_dtype(
    ("region", "i1"),
    ("sea", "i2"),
    ("sea_regions", "i1", (MAX_SYMBOLS,)),
    ("sea_region_count", "i1"),
    ("token", "i2"),
    ("largest settled", "i1"),
    ("coin", "i2"),
    ("coin_region", "i1"),
)
"""What the marker and the leader's power of one party did, for the trace."""

CALL_DTYPE = record_dtype(
    ("moment slot player leader size region card marker_size scoring_size done", "i1"),
    ("answer", "i8"),
    ("once twice random_state", "u8"),
    ("action_count", "i8"),
)
"""The call of a custom power: the moment, the clan's slot, and the player for whom it is called.

`leader`, `size`, `region`, `once` and `twice` describe the party played last. `marker_size` and
`scoring_size` are the sizes that the power gave this party, -1 if it gave none. `card` is the
recruited card. `answer` is the power's answer, if the moment asks for one. `done` is 0 if the code
raised an exception. `action_count` counts the actions of custom powers in a game.
"""

LOG_DTYPE = np.dtype([("address", "i8"), ("used", "i8")], align=True)
"""A trace's event buffer: the address of its numbers (int64), 0 for no trace, and their count.

It is a record, because passing an array is slow (`kernel.memory`).
"""

HIDDEN_DTYPE = record_dtype(
    ("deal", DEAL_DTYPE),
    ("own", OWN_DTYPE, (MAX_PLAYERS,)),
    ("positions", "i8"),
    ("next_card", "i2"),
    ("hands_once hands_twice", "u8", (MAX_PLAYERS,)),
    ("dragons_met ten_wild_winner", "i1"),
    ("standings", "i8", (MAX_PLAYERS,)),
    ("discarded_once discarded_twice", "u8"),
    ("move", MOVE_DTYPE),
    ("call", CALL_DTYPE),
    ("fault_reason", "i2"),
    ("fault_seat", "i1"),
    ("seats", SEAT_DTYPE, (MAX_PLAYERS,)),
    ("result", GAME_DTYPE),
    ("event", PARTY_EVENT_DTYPE),
)
"""The hidden information, and the running result of the game.

The deal and most of the private records do not change during a game; the fields after `positions`
do. `positions` is the address of a POSITION_LOG_DTYPE record, 0 if no positions are recorded.
`standings` ranks the players in the region or sea track being scored (`kernel.scoring`).
"""

IMAGINED_DTYPE = np.dtype(
    [("open", VIEW_DTYPE), ("hidden", HIDDEN_DTYPE), ("log", LOG_DTYPE)], align=True
)
"""A game that a player imagines: an open record, a guess of the hidden record, an empty log."""

POSITION_LOG_DTYPE = record_dtype(("address used room", "i8"))
"""A buffer of positions: the address of its records (POSITION_DTYPE), their count, its capacity.

When the buffer is full, no more positions are recorded.
"""

POSITION_DTYPE = record_dtype(
    ("game", "i8"),
    ("open", VIEW_DTYPE),
    ("hands_once hands_twice", "u8", (MAX_PLAYERS,)),
    ("move", MOVE_DTYPE),
)
"""A question to a player with its answer, all hands and the game's number: data for training."""

VIEW = from_dtype(VIEW_DTYPE)
MOVE = from_dtype(MOVE_DTYPE)
OWN = from_dtype(OWN_DTYPE)
POSITION_LOG = from_dtype(POSITION_LOG_DTYPE)
POSITION = from_dtype(POSITION_DTYPE)
HIDDEN = from_dtype(HIDDEN_DTYPE)
LOG = from_dtype(LOG_DTYPE)

#: The signature of a strategy's compiled code: `decide(view, move, own)`.
STRATEGY = types.void(VIEW, MOVE, OWN)

#: The signature of a custom power: `act(view, hidden, log)`.
POWER = types.void(VIEW, HIDDEN, LOG)
