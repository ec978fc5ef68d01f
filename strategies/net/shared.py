"""Numbers of a decision that all of its moves share: scores, awards, gains of markers, gifts."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import uncounted
from ethnos_sim.simulator.game import power_numbers as powers
from ethnos_sim.simulator.game.cards import ONE, lowest, popcount
from ethnos_sim.simulator.game.records import MAX_PLAYERS, MAX_SLOTS, NONE, POWERS, REGIONS
from ethnos_sim.simulator.kernel.clans import slot_of
from ethnos_sim.strategies.net import regions
from ethnos_sim.strategies.net.layout import TABLE_UNITS
from ethnos_sim.strategies.net.pays import part_of
from ethnos_sim.strategies.net.quantised import PART_STEPS
from ethnos_sim.strategies.net.regions import REGION_ROWS, paid, row_of, share_regions
from ethnos_sim.strategies.net.rows import LANES, filled, put_row
from ethnos_sim.strategies.net.vectors import COLUMN_STEP
from ethnos_sim.strategies.toolkit.denial import gift, known_companions, next_player

# Indices into a player's memory, for numbers that stay the same during a game. All memory is zero
# at the start. The memory before KEPT_PARTS is left free: at a seat that is played from outside it
# has addresses.
# - KEPT_PARTS: the relative pay of each slot's power (PART_BITS for a slot), and the bit IS_KEPT;
# - KEPT_SUMS: 1 once the sums are kept;
# - SUMS_KEPT: the first layer's sums of the table's inputs that never change.
KEPT_PARTS = 8
KEPT_SUMS = KEPT_PARTS + 1
SUMS_KEPT = KEPT_SUMS + 1
KEPT_ROOM = SUMS_KEPT + TABLE_UNITS // 4

#: The bit that is set once the relative pays are kept.
IS_KEPT = 1 << 62

#: The number of bits of each relative pay.
PART_BITS = 8

# The array of numbers that all moves of a decision share:
# - the columns of the regions, the same columns with a coin added to each region
#   (`share_coined`), and the value of this coin;
# - each player's prestige (by `regions.row_of`), with the awards if the age ended now, and without;
# - the pool's gift to the next player: how many companions the best pool card has in the next
#   player's known hand, this card, and how many companions the second-best card has;
# - for each slot, the approximate worth of its power to its leader, in prestige, and its relative
#   pay (`pays`);
# - the prestige of a settlement marker, by color;
# - the space of the rival farthest at sea, the most settlements of a rival, the highest sum of
#   tokens of a rival, and the highest free token. If several clans have the power, these numbers
#   describe the first clan;
# - the home slots of clans whose power an earlier clan has too, as bits (`second_homes`).
ROWS = 0
COINED_ROWS = ROWS + REGION_ROWS
COIN = COINED_ROWS + REGION_ROWS
TOTALS = COIN + 1
BANKED = TOTALS + MAX_PLAYERS
GIFTS = BANKED + MAX_PLAYERS
POWER_WORTHS = GIFTS + 3
PARTS = POWER_WORTHS + LANES * MAX_SLOTS
SETTLED = PARTS + MAX_SLOTS
RIVAL_SEA = SETTLED + REGIONS
RIVAL_SETTLEMENTS = RIVAL_SEA + 1
RIVAL_TOKENS = RIVAL_SETTLEMENTS + 1
FREE_TOKEN = RIVAL_TOKENS + 1
SECOND_HOMES = FREE_TOKEN + 1
SHARED_ROOM = SECOND_HOMES + 1

#: Where the row of markers' gains begins.
GAINS = ROWS + regions.GAIN

#: Where the row of the cards that a marker needs begins.
NEEDED = ROWS + regions.NEEDED

#: The terms of a power's approximate worth: FIXED, and BY_CARD for each card of the party. A party
#: of more than ABOVE cards adds TAKEN, and HELD for each card up to SAFE_SIZE. SETTLES multiplies
#: the worth of a settlement marker.
FIXED, BY_CARD, ABOVE, TAKEN, HELD, SETTLES = range(6)

#: The size from which the largest party token is expected to stay.
SAFE_SIZE = 5

#: A size larger than any party.
NEVER = 99.0

#: Subtracted from a party's strength if its clan places no marker.
NEVER_PLACED = 99

#: The approximate worth of what powers bring, in prestige. It serves to compare parties, and the
#: net corrects it.
SETTLEMENT_WORTH = 2.5
SPACE_WORTH = 0.5
DRAWN_CARD_WORTH = 1.0
SECOND_PARTY_WORTH = 2.0
TOKEN_WORTH = 0.4


@uncounted
def home_of(view, slot, power):
    """The home of a party's clan if it has `power`, else the home of the first clan with it."""
    if slot != NONE and view.power[slot] == power:
        return slot
    return slot_of(view, power)


@uncounted
def points_of(view, slot, scored):
    """The points of a party led by a slot's clan, if `scored` of its cards count."""
    return float(view.rules.party_points[min(scored + np.int64(view.rules.score_bonus[slot]), 6)])


@uncounted
def strength_of(view, slot, size):
    """The size that a party counts as for its marker; far below 0 if its clan places no marker."""
    strength = size + np.int64(view.rules.marker_bonus[slot])
    return strength - NEVER_PLACED * (view.rules.places_marker[slot] == 0)


@uncounted
def place_of(region, placed, coin):
    """The index of a region's number in the first column.

    `placed` is 1 for the row with one more marker. If `coin` is above 0, the index lies in the copy
    of the columns that was computed with a coin added to each region.
    """
    return ROWS + region + regions.MORE * placed + REGION_ROWS * (coin > 0)


@uncounted
def sea_award(view, now, slot, player, own):
    """A player's award of a sea track if the age ended now; the acting player's space is `own`.

    `now` says which places are paid (`regions.paid`). If only the first place scores, a player
    alone on the track gets no extra award.
    """
    mine = own if player == view.player else np.int64(view.sea[slot, player])
    if mine == 0:
        return 0.0
    above = 0
    tied = 0
    for rival in range(view.players):
        theirs = own if rival == view.player else np.int64(view.sea[slot, rival])
        above += theirs > mine
        tied += theirs == mine
    others = 1.0 * (view.rules.sea_winner_only[slot] == 0)
    awards = view.rules.sea_prestige[slot]
    award = now.first * awards[now.first_token] * (above == 0)
    award += others * now.second * awards[now.second_token] * ((above <= 1) & (above + tied > 1))
    award += others * now.third * awards[now.third_token] * ((above <= 2) & (above + tied > 2))
    return award / tied


@uncounted
def next_coin(view, slot):
    """The value of the next coin of a clan with coins; 0 if none is left."""
    laid = np.int64(view.coins_used[slot])
    if laid >= view.rules.coins_count[slot]:
        return np.int64(0)
    return np.int64(view.rules.coins[slot, laid])


@uncounted
def share_coined(view, shared, coin):
    """Compute the regions' columns with a coin of value `coin`, unless this is done already."""
    if shared[COIN] != coin:
        share_regions(view, shared, COINED_ROWS, coin)
        shared[COIN] = coin


@uncounted
def second_homes(view):
    """A bit mask of the homes of clans with the same printed power as an earlier clan in play."""
    homes = np.uint64(0)
    for slot in range(view.slots):
        power = np.int64(view.power[slot])
        if power < POWERS and view.home[slot] == slot and view.slot_of_power[power] != slot:
            homes |= ONE << np.uint64(slot)
    return homes


@uncounted
def keep_nothing(kept):
    """Mark an array of KEPT_ROOM numbers as empty."""
    kept[KEPT_PARTS] = 0
    kept[KEPT_SUMS] = 0


@uncounted
def kept_parts(view, weights, kept):
    """The relative pay of each slot's power (`pays.part_of`), in PART_BITS bits for each slot.

    It is computed once in each game.
    """
    if kept[KEPT_PARTS] == 0:
        parts = np.int64(IS_KEPT)
        for slot in range(view.slots):
            parts |= part_of(view, weights, slot) << (PART_BITS * slot)
        kept[KEPT_PARTS] = parts
    return np.int64(kept[KEPT_PARTS])


@uncounted
def share_numbers(view, weights, kept, shared):
    """Compute the numbers that all moves of a decision share, using the game's kept numbers."""
    player = view.player
    share_regions(view, shared, ROWS, 0)
    shared[COIN] = 0.0
    now = paid(view, np.int64(view.age))
    seconds = second_homes(view)
    shared[SECOND_HOMES] = seconds
    sea = slot_of(view, powers.SEA_TRACK)
    board = slot_of(view, powers.SETTLEMENT_BOARD)
    largest = slot_of(view, powers.LARGEST_TOKEN)
    for other in range(view.players):
        banked = float(view.prestige[other]) + view.party_points[other]
        banked += view.rules.settlement[board, popcount(np.uint64(view.settlements[board, other]))]
        if view.largest_holder[largest] == other:
            banked += view.rules.largest_age[largest, view.age - 1]
        at_sea = 0.0
        if view.slot_of_power[powers.SEA_TRACK] != NONE:
            at_sea = sea_award(view, now, sea, other, np.int64(view.sea[sea, player]))
        left = seconds
        while left != np.uint64(0):
            slot = lowest(left)
            left &= left - ONE
            if view.power[slot] == powers.SETTLEMENT_BOARD:
                settled = popcount(np.uint64(view.settlements[slot, other]))
                banked += view.rules.settlement[slot, settled]
            elif view.power[slot] == powers.LARGEST_TOKEN and view.largest_holder[slot] == other:
                banked += view.rules.largest_age[slot, view.age - 1]
            elif view.power[slot] == powers.SEA_TRACK:
                at_sea += sea_award(view, now, slot, other, np.int64(view.sea[slot, player]))
        row = row_of(view, other)
        shared[BANKED + row] = banked
        total = banked + at_sea
        awards = ROWS + regions.AWARDS + COLUMN_STEP * row
        for region in range(REGIONS):
            total += shared[awards + region]
        shared[TOTALS + row] = total
    share_gifts(view, shared)
    share_powers(view, kept_parts(view, weights, kept), shared)
    share_rivals(view, shared)


@uncounted
def share_rivals(view, shared):
    """Compute the best rival's progress on the sea track, the settlement board and in tokens."""
    sea_slot = slot_of(view, powers.SEA_TRACK)
    board = slot_of(view, powers.SETTLEMENT_BOARD)
    sea = np.int64(0)
    settled = np.int64(0)
    tokens = np.int64(0)
    for rival in range(view.players):
        if rival != view.player:
            sea = max(sea, np.int64(view.sea[sea_slot, rival]))
            settled = max(settled, popcount(np.uint64(view.settlements[board, rival])))
            tokens = max(tokens, np.int64(view.token_sum[rival]))
    free = np.int64(0)
    if view.slot_of_power[powers.TIE_BREAK_TOKENS] != NONE:
        slot = slot_of(view, powers.TIE_BREAK_TOKENS)
        for i in range(view.rules.tie_break_tokens_count[slot]):
            if view.token_owner[slot, i] == NONE:
                free = max(free, np.int64(view.rules.tie_break_tokens[slot, i]))
    shared[RIVAL_SEA] = sea
    shared[RIVAL_SETTLEMENTS] = settled
    shared[RIVAL_TOKENS] = tokens
    shared[FREE_TOKEN] = free


@uncounted
def share_powers(view, parts, shared):
    """Compute the approximate worth of each slot's power to a party that its clan leads."""
    board = slot_of(view, powers.SETTLEMENT_BOARD)
    settled = np.int64(view.settlements[board, view.player])
    for color in range(REGIONS):
        shared[SETTLED + color] = SETTLEMENT_WORTH * ((settled >> color) & 1 == 0)
    for slot in range(view.slots):
        power = np.int64(view.power[slot])
        place = POWER_WORTHS + LANES * slot
        steps = (parts >> (PART_BITS * slot)) & ((1 << PART_BITS) - 1)
        shared[PARTS + slot] = steps
        part = steps / PART_STEPS
        put_row(shared, place, filled(0.0))
        shared[place + ABOVE] = NEVER
        if power == powers.SECOND_PARTY:
            shared[place + FIXED] = part * SECOND_PARTY_WORTH
        elif power == powers.SEA_TRACK:
            shared[place + BY_CARD] = part * SPACE_WORTH
        elif power == powers.DRAWS_CARDS:
            shared[place + BY_CARD] = part * DRAWN_CARD_WORTH
        elif power == powers.TIE_BREAK_TOKENS:
            shared[place + BY_CARD] = part * TOKEN_WORTH
        elif power == powers.SETTLEMENT_BOARD:
            shared[place + SETTLES] = part
        elif power == powers.LARGEST_TOKEN:
            largest = np.int64(view.home[slot])
            size = view.largest_size[largest] + view.rules.largest_margin[largest]
            shared[place + ABOVE] = size - 1
            shared[place + TAKEN] = view.rules.largest_on_take[largest]
            if view.largest_holder[largest] != view.player:
                held = float(view.rules.largest_age[largest, view.age - 1])
                shared[place + HELD] = held / SAFE_SIZE


@uncounted
def power_worth(shared, slot, color, size):
    """The approximate worth of a leader's power with a party of this size."""
    place = POWER_WORTHS + LANES * slot
    worth = shared[place + FIXED] + shared[place + BY_CARD] * size
    worth += shared[place + SETTLES] * shared[SETTLED + color]
    takes = size > shared[place + ABOVE]
    return worth + takes * (
        shared[place + TAKEN] + shared[place + HELD] * min(size, np.int64(SAFE_SIZE))
    )


@uncounted
def share_gifts(view, shared):
    """Find the pool card with the most known companions in the next player's hand."""
    following = next_player(view)
    best = np.int64(0)
    second = np.int64(0)
    best_card = np.int64(NONE)
    if view.known_once[following] != np.uint64(0):
        left = view.pool_once
        while left != np.uint64(0):
            card = lowest(left)
            left &= left - ONE
            companions = known_companions(view, following, card)
            if companions > best:
                second = best
                best = companions
                best_card = card
            else:
                second = max(second, companions)
    shared[GIFTS] = best
    shared[GIFTS + 1] = best_card
    shared[GIFTS + 2] = second


@uncounted
def gift_after(view, shared, pool_once):
    """The most companions of a pool card in the next player's known hand, after a move."""
    best_card = np.int64(shared[GIFTS + 1])
    most = np.int64(shared[GIFTS])
    if best_card != NONE and (pool_once >> np.uint64(best_card)) & ONE == np.uint64(0):
        most = np.int64(shared[GIFTS + 2])
    return max(most, gift(view, pool_once & ~view.pool_once))
