"""The net's inputs, read off the view: what the acting player would see after a candidate move.

Each function appends whole numbers (`quantised`) to a list of inputs, of the table or of a region,
and returns the list's new length. The view shows the table before the move; `After` holds the
changes. The player's columns are its inputs for the sea track, the largest party, settlements,
tokens and coins.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import uncounted
from ethnos_sim.simulator.game import power_numbers as powers
from ethnos_sim.simulator.game.cards import count, popcount
from ethnos_sim.simulator.game.records import NONE, POWERS, REGIONS
from ethnos_sim.simulator.kernel.clans import slot_of
from ethnos_sim.strategies.net import layout as at
from ethnos_sim.strategies.net.quantised import (
    FEW,
    FINE,
    LAST_CARD_STEPS,
    MANY,
    MEAN_STEPS,
    PART_STEPS,
    SCORE_STEPS,
    SET,
    held,
    steps,
)
from ethnos_sim.strategies.net.regions import AWARDS, paid, player_of, row_of
from ethnos_sim.strategies.net.shared import (
    BANKED,
    FREE_TOKEN,
    PARTS,
    RIVAL_SEA,
    RIVAL_SETTLEMENTS,
    RIVAL_TOKENS,
    TOTALS,
    home_of,
    place_of,
    sea_award,
)
from ethnos_sim.strategies.net.vectors import COLUMN_STEP, listing, stay_apart, step_of
from ethnos_sim.strategies.toolkit.clock import cards_left
from ethnos_sim.strategies.toolkit.denial import next_player

#: Append an input of the table to a list.
put = listing(at.TABLE_UNITS)

#: Append an input of a region to a list.
put_regional = listing(at.REGION_UNITS)


@uncounted
def clamp(value, low, high):
    """Clamp a whole number to a range."""
    return min(max(value, low), high)


@uncounted
def in_part(part, value):
    """Multiply an input by a power's relative pay `part` / PART_STEPS (`shared.PARTS`)."""
    return held((part * value + PART_STEPS // 2) // PART_STEPS, MANY)


@uncounted
def put_clock(view, listed, used, gone, sign):
    """Append the clock's inputs after `gone` more cards.

    With `sign` -1 all values are negative, so that they cancel inputs appended before.
    """
    stay_apart()
    left = max(cards_left(view) - gone, 0.0)
    used = put(listed, used, at.CLOCK + step_of(left, at.CLOCK_STEPS), sign)
    used = put(listed, used, at.CLOCK + len(at.CLOCK_STEPS) + 1, sign * steps(left, FINE))
    part = steps(LAST_CARD_STEPS / (1.0 + left), LAST_CARD_STEPS)
    used = put(listed, used, at.CLOCK + len(at.CLOCK_STEPS) + 2, sign * part)
    return used


@uncounted
def put_game(view, shared, listed, used):
    """Append the inputs that never change in a game: players, clans in play, the rules."""
    used = put(listed, used, at.PLAYERS + clamp(view.players, 2, 6) - 2, SET)
    if view.rules.pool_refill:
        used = put(listed, used, at.RECRUITMENT, SET)
    for slot in range(view.slots):
        if has_inputs(view, slot):
            used = put_clan(view, shared, slot, listed, used)
    used = put_rules(view, listed, used)
    used = put(listed, used, at.RIVALS + 6, clamp(view.players, 0, FEW))
    return used


@uncounted
def has_inputs(view, slot):
    """Whether a slot is the home of a clan with a printed power."""
    return (view.power[slot] < POWERS) & (view.home[slot] == slot)


@uncounted
def put_table(view, shared, listed, used):
    """Append the inputs that no move changes: time, clans barred from leading, rivals' hands."""
    player = view.player
    used = put(listed, used, at.AGES_LEFT + clamp(view.ages - view.age, 0, 2), SET)
    dragons = view.dragons_seen + at.USUAL_DRAGONS - view.rules.last_dragon
    used = put(listed, used, at.DRAGONS + clamp(dragons, 0, at.USUAL_DRAGONS - 1), SET)
    used = put_clock(view, listed, used, 0.0, 1)
    for slot in range(view.slots):
        if view.clan_cards[slot] & view.may_lead == np.uint64(0) and has_inputs(view, slot):
            power = np.int64(view.power[slot])
            if power != powers.WILD:
                used = put(listed, used, at.BARRED + power, np.int64(shared[PARTS + slot]))
    cards = 0
    most = 0
    points = 0
    largest = 0
    following = next_player(view)
    of_next = 0
    for rival in range(view.players):
        if rival == player:
            continue
        hand = np.int64(view.hand_cards[rival])
        cards += hand
        most = max(most, hand)
        points += view.party_points[rival]
        group = known_group(view, rival)
        largest = max(largest, group)
        if rival == following:
            of_next = group
    rivals = view.players - 1.0
    used = put(listed, used, at.RIVALS, held(np.int64(view.hand_cards[following]), MANY))
    used = put(listed, used, at.RIVALS + 1, steps(MEAN_STEPS * cards / rivals, FINE))
    used = put(listed, used, at.RIVALS + 2, held(most, MANY))
    used = put(listed, used, at.RIVALS + 3, held(of_next, MANY))
    used = put(listed, used, at.RIVALS + 4, held(largest, MANY))
    used = put(listed, used, at.RIVALS + 5, steps(MEAN_STEPS * points / rivals, FINE))
    return used


@uncounted
def put_other(listed, used, i, value, usual):
    """Append the difference of `value` from `usual`, if they differ."""
    if value != usual:
        used = put(listed, used, i, held(np.int64(value) - usual, MANY))
    return used


@uncounted
def put_rules(view, listed, used):
    """Append the differences from the usual rules that no other input shows."""
    rules = view.rules
    for size in range(1, 7):
        points = at.USUAL_POINTS[size]
        used = put_other(listed, used, at.RULES + size - 1, rules.party_points[size], points)
    place = at.RULES + 6
    used = put_other(listed, used, place, rules.hand_limit, at.LARGEST_HAND)
    used = put_other(listed, used, place + 1, rules.party_limit, at.LARGEST_HAND)
    used = put_other(listed, used, place + 2, rules.dragons, at.USUAL_DRAGONS)
    used = put_other(listed, used, place + 3, rules.last_dragon, at.USUAL_DRAGONS)
    used = put_other(listed, used, place + 4, rules.markers_needed, 1)
    used = put_other(listed, used, place + 5, rules.first_pool, 2 * view.players)
    used = put_other(listed, used, place + 6, rules.copies, 2)
    if view.wild_cards != np.uint64(0) and view.unscored_cards == np.uint64(0):
        used = put(listed, used, place + 7, at.SCORED_WILD)
    if view.slot_of_power[powers.LARGEST_TOKEN] != NONE:
        margin = rules.largest_margin[slot_of(view, powers.LARGEST_TOKEN)]
        used = put_other(listed, used, place + 8, margin, 1)
    if view.slot_of_power[powers.SEA_TRACK] != NONE:
        slot = slot_of(view, powers.SEA_TRACK)
        spaces = rules.sea_last_space[slot]
        used = put_other(listed, used, place + 9, spaces, at.USUAL_SPACES)
        used = put_other(listed, used, place + 10, rules.sea_each_symbol[slot], 1)
    return used


@uncounted
def put_clan(view, shared, slot, listed, used):
    """Append a clan's rule values."""
    rules = view.rules
    power = np.int64(view.power[slot])
    used = put(listed, used, at.IN_PLAY + power, np.int64(shared[PARTS + slot]))
    if rules.score_bonus[slot] != 0:
        used = put(
            listed, used, at.SCORES_MORE + power, held(np.int64(rules.score_bonus[slot]), FEW)
        )
    if rules.marker_bonus[slot] != 0:
        used = put(
            listed, used, at.COUNTS_MORE + power, held(np.int64(rules.marker_bonus[slot]), FEW)
        )
    if not rules.places_marker[slot]:
        used = put(listed, used, at.PLACES_NONE + power, SET)
    if rules.needs_marker[slot]:
        used = put(listed, used, at.NEEDS_MARKER + power, SET)
    return used


@uncounted
def known_group(view, rival):
    """The size of the largest group, wild cards included, among a rival's known cards."""
    once = view.known_once[rival]
    if once == np.uint64(0):
        return np.int64(0)
    twice = view.known_twice[rival]
    best = np.int64(0)
    for i in range(REGIONS + view.slots):
        mask = view.color_cards[i] if i < REGIONS else view.clan_cards[i - REGIONS]
        mask |= view.wild_cards
        best = max(best, count(once & mask, twice & mask))
    return best


@uncounted
def put_lead(listed, used, i, lead):
    """Append a lead in prestige."""
    return put(listed, used, at.SCORE + i, steps(lead * SCORE_STEPS, FINE))


@uncounted
def put_score(view, shared, after, listed, used):
    """Append the leads over rivals if the age ended now: first with its awards, then without."""
    best = -1e9
    second = -1e9
    total = 0.0
    best_banked = -1e9
    total_banked = 0.0
    region = max(after.region, 0)
    now = place_of(region, 0, 0) + AWARDS
    then = place_of(region, after.placed, after.coin) + AWARDS
    sea = home_of(view, after.slot, powers.SEA_TRACK)
    at_sea = np.int64(view.sea[sea, view.player])
    largest = home_of(view, after.slot, powers.LARGEST_TOKEN)
    holder = np.int64(view.largest_holder[largest])
    loser = np.int64(0)  # the row of the rival who loses the largest-party token
    if after.largest_holder != holder and holder != NONE:
        loser = row_of(view, holder)
    own_total = 0.0
    for row in range(view.players):
        worth = float(shared[TOTALS + row])
        if after.region != NONE:
            worth += shared[then + COLUMN_STEP * row] - shared[now + COLUMN_STEP * row]
        if after.sea != at_sea:
            paying = paid(view, np.int64(view.age))
            worth += sea_award(view, paying, sea, player_of(view, row), after.sea)
            worth -= sea_award(view, paying, sea, player_of(view, row), at_sea)
        if row == 0:
            own_total = worth + after.banked
            continue
        banked = float(shared[BANKED + row])
        if row == loser:
            worth -= view.rules.largest_age[largest, view.age - 1]
            banked -= view.rules.largest_age[largest, view.age - 1]
        total += worth
        total_banked += banked
        best_banked = max(best_banked, banked)
        if worth > best:
            second = best
            best = worth
        else:
            second = max(second, worth)
    if view.players == 2:
        second = best
    rivals = view.players - 1.0
    own_banked = shared[BANKED] + after.banked
    used = put_lead(listed, used, 0, own_total - best)
    used = put_lead(listed, used, 1, own_total - second)
    used = put_lead(listed, used, 2, own_total - total / rivals)
    used = put_lead(listed, used, 3, own_banked - best_banked)
    used = put_lead(listed, used, 4, own_banked - total_banked / rivals)
    used = put(listed, used, at.LEAD + step_of(own_total - best, at.LEAD_STEPS), SET)
    return used


@uncounted
def put_own(view, shared, after, listed, used):
    """Append the player's points and markers after a move, and pending decisions."""
    player = view.player
    used = put(listed, used, at.OWN, steps(after.points, FINE))
    supply = np.int64(view.supply[player]) - after.placed
    used = put(listed, used, at.OWN + 1, held(supply, MANY))
    markers = after.placed
    for region in range(REGIONS):
        markers += view.markers[region, player]
    used = put(listed, used, at.OWN + 2, held(markers, MANY))
    if after.extra > 0:
        used = put(listed, used, at.PENDING + min(after.extra, 2), SET)
    if after.second:
        used = put(listed, used, at.PENDING, SET)
    if after.party:
        used = put(listed, used, at.PARTY, SET)
    return used


@uncounted
def has_columns(view, slot):
    """Whether the clan of `slot` (or -1) has a power that changes the player's columns."""
    if slot == NONE:
        return False
    power = np.int64(view.power[slot])
    return (
        (power == powers.SEA_TRACK)
        | (power == powers.LARGEST_TOKEN)
        | (power == powers.SETTLEMENT_BOARD)
        | (power == powers.TIE_BREAK_TOKENS)
        | (power == powers.COINS)
    )


@uncounted
def put_columns(view, shared, after, listed, used):
    """Append the columns of the sea track, the largest party, settlements, tokens and coins."""
    if view.slot_of_power[powers.SEA_TRACK] != NONE:
        used = put_sea(view, shared, after, listed, used)
    if view.slot_of_power[powers.LARGEST_TOKEN] != NONE:
        used = put_largest(view, shared, after, listed, used)
    if view.slot_of_power[powers.SETTLEMENT_BOARD] != NONE:
        slot = slot_of(view, powers.SETTLEMENT_BOARD)
        part = np.int64(shared[PARTS + slot])
        settled = popcount(np.uint64(view.settlements[slot, view.player]))
        if home_of(view, after.slot, powers.SETTLEMENT_BOARD) == slot:
            settled = after.settled
        used = put(listed, used, at.SETTLEMENT + clamp(settled, 0, 6), part)
        rival = in_part(part, np.int64(shared[RIVAL_SETTLEMENTS]))
        used = put(listed, used, at.SETTLEMENT + 7, rival)
    if view.slot_of_power[powers.TIE_BREAK_TOKENS] != NONE:
        used = put(listed, used, at.TOKENS, held(after.token, MANY))
        used = put(listed, used, at.TOKENS + 1, held(np.int64(shared[RIVAL_TOKENS]), MANY))
        used = put(listed, used, at.TOKENS + 2, held(np.int64(shared[FREE_TOKEN]), MANY))
    if view.slot_of_power[powers.COINS] != NONE:
        slot = slot_of(view, powers.COINS)
        laid = view.coins_used[slot] + (after.coin > 0 and after.slot == slot)
        if laid < view.rules.coins_count[slot]:
            coin = np.int64(view.rules.coins[slot, laid])
            used = put(listed, used, at.COINS, held(coin, MANY))
    return used


@uncounted
def put_largest(view, shared, after, listed, used):
    """Append the holder and size of the largest-party token of the first clan that has one."""
    slot = slot_of(view, powers.LARGEST_TOKEN)
    part = np.int64(shared[PARTS + slot])
    holder = np.int64(view.largest_holder[slot])
    size = np.int64(view.largest_size[slot])
    if home_of(view, after.slot, powers.LARGEST_TOKEN) == slot:
        holder = after.largest_holder
        size = after.largest_size
    if holder == NONE:
        return put(listed, used, at.LARGEST, part)
    is_mine = holder == view.player
    used = put(listed, used, at.LARGEST + 2 - is_mine, part)
    return put(listed, used, at.LARGEST + 4 - is_mine, in_part(part, size))


@uncounted
def put_sea(view, shared, after, listed, used):
    """Append the player's space, lead, standing and distance to a symbol on the first sea track."""
    slot = slot_of(view, powers.SEA_TRACK)
    part = np.int64(shared[PARTS + slot])
    mine = np.int64(view.sea[slot, view.player])
    if home_of(view, after.slot, powers.SEA_TRACK) == slot:
        mine = after.sea
    lead = mine - np.int64(shared[RIVAL_SEA])
    used = put(listed, used, at.SEA, in_part(part, mine))
    used = put(listed, used, at.SEA + 1, in_part(part, clamp(lead, -10, 10)))
    standing = np.int64(0)
    if mine > 0:
        standing = 3 + (lead > 0) + (lead > 4) - (lead < 0) - (lead < -4)
    used = put(listed, used, at.SEA + 2 + standing, part)
    distance = np.int64(10)
    for i in range(view.rules.sea_symbols_count[slot]):
        if view.rules.sea_symbols[slot, i] > mine:
            distance = min(distance, np.int64(view.rules.sea_symbols[slot, i]) - mine)
    used = put(listed, used, at.SEA + 8, in_part(part, distance))
    return used


@uncounted
def put_moment(view, listed, used):
    """Append the inputs that all regions share: ages left, the clock, players."""
    used = put_regional(listed, used, at.MOMENT + clamp(view.ages - view.age, 0, 2), SET)
    used = put_regional(listed, used, at.MOMENT + 3, steps(float(cards_left(view)), FINE))
    used = put_regional(listed, used, at.MOMENT + 4, clamp(view.players, 0, FEW))
    return used
