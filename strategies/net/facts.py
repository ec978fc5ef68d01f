"""The facts of a decision, computed once for all moves, such as scores and markers' gains."""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import uncounted
from ethnos_sim.simulator.game import power_numbers as powers
from ethnos_sim.simulator.game.cards import ONE, lowest, popcount
from ethnos_sim.simulator.game.records import MAX_PLAYERS, MAX_SLOTS, NONE, POWERS, REGIONS
from ethnos_sim.simulator.kernel.clans import slot_of
from ethnos_sim.strategies.net import regions
from ethnos_sim.strategies.net.layout import TABLE_UNITS
from ethnos_sim.strategies.net.power_pay import relative_pay
from ethnos_sim.strategies.net.quantisation import PAY_STEPS
from ethnos_sim.strategies.net.regions import REGION_ROWS, paid_places, row_number, write_regions
from ethnos_sim.strategies.net.rows import LANES, filled_row, store_row
from ethnos_sim.strategies.net.vectors import COLUMN_STEP
from ethnos_sim.strategies.toolkit.denial import gift, known_companions, next_player

# Indices into a player's memory, for numbers that stay the same during a game. All memory is zero
# at the start. The numbers before KEPT_PAYS are left alone: in the seat of an outside player they
# are addresses.
# - KEPT_PAYS: the relative pay of each slot's power (PAY_BITS bits a slot), and the bit PAYS_DONE;
# - SUMS_DONE: 1 once the sums are computed;
# - SUMS: the first layer's sums over those inputs of the table that never change.
KEPT_PAYS = 8
SUMS_DONE = KEPT_PAYS + 1
SUMS = SUMS_DONE + 1
MEMORY_SIZE = SUMS + TABLE_UNITS // 4

#: The bit that is set once the relative pays are computed.
PAYS_DONE = 1 << 62

#: The number of bits of each relative pay.
PAY_BITS = 8

# Indices into `facts`, the array that all moves of a decision share:
# - ROWS: the columns of the regions; COINED_ROWS: the same columns with a coin added to each
#   region (`write_coined_regions`); COIN: the value of this coin;
# - TOTALS: each player's prestige (by `regions.row_number`) with the awards if the age ended now;
#   BANKED: without them;
# - GIFTS: the number of companions that the best pool card has in the next player's known hand,
#   this card, and the number of companions of the second-best pool card;
# - POWER_WORTHS: the terms of the approximate worth of each slot's power, in prestige;
#   PAYS: the power's relative pay (`power_pay`);
# - SETTLED: the prestige of a settlement marker, by color;
# - the space of the rival farthest at sea, the most settlements of a rival, a rival's highest sum
#   of tokens, and the highest free token. Of several clans with the power, the first counts;
# - SECOND_HOMES: the bits of `repeated_power_homes`.
ROWS = 0
COINED_ROWS = ROWS + REGION_ROWS
COIN = COINED_ROWS + REGION_ROWS
TOTALS = COIN + 1
BANKED = TOTALS + MAX_PLAYERS
GIFTS = BANKED + MAX_PLAYERS
POWER_WORTHS = GIFTS + 3
PAYS = POWER_WORTHS + LANES * MAX_SLOTS
SETTLED = PAYS + MAX_SLOTS
RIVAL_SEA = SETTLED + REGIONS
RIVAL_SETTLEMENTS = RIVAL_SEA + 1
RIVAL_TOKENS = RIVAL_SETTLEMENTS + 1
FREE_TOKEN = RIVAL_TOKENS + 1
SECOND_HOMES = FREE_TOKEN + 1
FACTS_SIZE = SECOND_HOMES + 1

#: The index of the row of markers' gains.
GAINS = ROWS + regions.GAIN

#: The index of the row of the cards that a marker needs.
NEEDED = ROWS + regions.NEEDED

#: The terms of a power's approximate worth: FIXED, and BY_CARD for each card of the party. A party
#: of more than ABOVE cards adds TAKEN, and HELD for each card up to SAFE_SIZE. SETTLES multiplies
#: the worth of a settlement marker.
FIXED, BY_CARD, ABOVE, TAKEN, HELD, SETTLES = range(6)

#: The size of a party that is expected to keep the largest party token.
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
def home_of_power(view, slot, power):
    """`slot` if its clan has `power`, else the home slot of the first clan with this power."""
    if slot != NONE and view.power[slot] == power:
        return slot
    return slot_of(view, power)


@uncounted
def points_scored(view, slot, cards):
    """The points of a party that a slot's clan leads, if `cards` of its cards are scored."""
    return float(view.rules.party_points[min(cards + np.int64(view.rules.score_bonus[slot]), 6)])


@uncounted
def marker_strength(view, slot, size):
    """The size that counts when a party places a marker; far below 0 if its clan places none."""
    strength = size + np.int64(view.rules.marker_bonus[slot])
    return strength - NEVER_PLACED * (view.rules.places_marker[slot] == 0)


@uncounted
def region_index(region, placed, coin):
    """The index in `facts` of a region's number in the first column (`net.regions`).

    `placed` is 1 for the row with one more marker. If `coin` is above 0, the index lies in the copy
    of the columns that was computed with a coin added to each region.
    """
    return ROWS + region + regions.MORE * placed + REGION_ROWS * (coin > 0)


@uncounted
def sea_award(view, places, slot, player, own_space):
    """A player's award from a sea track now, if the acting player were on space `own_space`.

    `places` says which places are paid (`regions.paid_places`). If only the first place scores, a
    player alone on the track gets no extra award.
    """
    mine = own_space if player == view.player else np.int64(view.sea[slot, player])
    if mine == 0:
        return 0.0
    above = 0
    tied = 0
    for rival in range(view.players):
        theirs = own_space if rival == view.player else np.int64(view.sea[slot, rival])
        above += theirs > mine
        tied += theirs == mine
    others = 1.0 * (view.rules.sea_winner_only[slot] == 0)
    awards = view.rules.sea_prestige[slot]
    award = places.first * awards[places.first_token] * (above == 0)
    second = places.second * awards[places.second_token]
    award += others * second * ((above <= 1) & (above + tied > 1))
    third = places.third * awards[places.third_token]
    award += others * third * ((above <= 2) & (above + tied > 2))
    return award / tied


@uncounted
def next_coin(view, slot):
    """The value of the next coin of a clan with coins; 0 if none is left."""
    laid = np.int64(view.coins_used[slot])
    if laid >= view.rules.coins_count[slot]:
        return np.int64(0)
    return np.int64(view.rules.coins[slot, laid])


@uncounted
def write_coined_regions(view, facts, coin):
    """Compute the regions' columns with a coin of value `coin` added, unless `facts` has them."""
    if facts[COIN] != coin:
        write_regions(view, facts, COINED_ROWS, coin)
        facts[COIN] = coin


@uncounted
def repeated_power_homes(view):
    """A bit mask of the homes of clans with the same printed power as an earlier clan in play."""
    homes = np.uint64(0)
    for slot in range(view.slots):
        power = np.int64(view.power[slot])
        if power < POWERS and view.home[slot] == slot and view.slot_of_power[power] != slot:
            homes |= ONE << np.uint64(slot)
    return homes


@uncounted
def clear_memory(memory):
    """Mark a player's memory (MEMORY_SIZE numbers) as empty."""
    memory[KEPT_PAYS] = 0
    memory[SUMS_DONE] = 0


@uncounted
def relative_pays(view, weights, memory):
    """All slots' relative pays (`power_pay`), packed in one number; computed once a game."""
    if memory[KEPT_PAYS] == 0:
        parts = np.int64(PAYS_DONE)
        for slot in range(view.slots):
            parts |= relative_pay(view, weights, slot) << (PAY_BITS * slot)
        memory[KEPT_PAYS] = parts
    return np.int64(memory[KEPT_PAYS])


@uncounted
def compute_facts(view, weights, memory, facts):
    """Write the facts of a decision to `facts`; `memory` keeps those that stay the same."""
    player = view.player
    write_regions(view, facts, ROWS, 0)
    facts[COIN] = 0.0
    now = paid_places(view, np.int64(view.age))
    seconds = repeated_power_homes(view)
    facts[SECOND_HOMES] = seconds
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
        row = row_number(view, other)
        facts[BANKED + row] = banked
        total = banked + at_sea
        awards = ROWS + regions.AWARDS + COLUMN_STEP * row
        for region in range(REGIONS):
            total += facts[awards + region]
        facts[TOTALS + row] = total
    compute_gifts(view, facts)
    compute_power_worths(view, relative_pays(view, weights, memory), facts)
    compute_rival_progress(view, facts)


@uncounted
def compute_rival_progress(view, facts):
    """Write the rivals' maxima of spaces, settlements and token points, and the best free token."""
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
    facts[RIVAL_SEA] = sea
    facts[RIVAL_SETTLEMENTS] = settled
    facts[RIVAL_TOKENS] = tokens
    facts[FREE_TOKEN] = free


@uncounted
def compute_power_worths(view, pays, facts):
    """Write the approximate worth of each slot's power; `pays` come from `relative_pays`."""
    board = slot_of(view, powers.SETTLEMENT_BOARD)
    settled = np.int64(view.settlements[board, view.player])
    for color in range(REGIONS):
        facts[SETTLED + color] = SETTLEMENT_WORTH * ((settled >> color) & 1 == 0)
    for slot in range(view.slots):
        power = np.int64(view.power[slot])
        place = POWER_WORTHS + LANES * slot
        steps = (pays >> (PAY_BITS * slot)) & ((1 << PAY_BITS) - 1)
        facts[PAYS + slot] = steps
        part = steps / PAY_STEPS
        store_row(facts, place, filled_row(0.0))
        facts[place + ABOVE] = NEVER
        if power == powers.SECOND_PARTY:
            facts[place + FIXED] = part * SECOND_PARTY_WORTH
        elif power == powers.SEA_TRACK:
            facts[place + BY_CARD] = part * SPACE_WORTH
        elif power == powers.DRAWS_CARDS:
            facts[place + BY_CARD] = part * DRAWN_CARD_WORTH
        elif power == powers.TIE_BREAK_TOKENS:
            facts[place + BY_CARD] = part * TOKEN_WORTH
        elif power == powers.SETTLEMENT_BOARD:
            facts[place + SETTLES] = part
        elif power == powers.LARGEST_TOKEN:
            largest = np.int64(view.home[slot])
            size = view.largest_size[largest] + view.rules.largest_margin[largest]
            facts[place + ABOVE] = size - 1
            facts[place + TAKEN] = view.rules.largest_on_take[largest]
            if view.largest_holder[largest] != view.player:
                held = float(view.rules.largest_age[largest, view.age - 1])
                facts[place + HELD] = held / SAFE_SIZE


@uncounted
def power_worth(facts, slot, color, size):
    """The approximate worth of a leader's power with a party of `size` cards, in prestige."""
    place = POWER_WORTHS + LANES * slot
    worth = facts[place + FIXED] + facts[place + BY_CARD] * size
    worth += facts[place + SETTLES] * facts[SETTLED + color]
    takes = size > facts[place + ABOVE]
    return worth + takes * (
        facts[place + TAKEN] + facts[place + HELD] * min(size, np.int64(SAFE_SIZE))
    )


@uncounted
def compute_gifts(view, facts):
    """Write GIFTS: the pool card that joins most of the next player's known cards, and how many."""
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
    facts[GIFTS] = best
    facts[GIFTS + 1] = best_card
    facts[GIFTS + 2] = second


@uncounted
def gift_after(view, facts, pool_once):
    """The most known cards of the next player that any card of `pool_once` joins."""
    best_card = np.int64(facts[GIFTS + 1])
    most = np.int64(facts[GIFTS])
    if best_card != NONE and (pool_once >> np.uint64(best_card)) & ONE == np.uint64(0):
        most = np.int64(facts[GIFTS + 2])
    return max(most, gift(view, pool_once & ~view.pool_once))
