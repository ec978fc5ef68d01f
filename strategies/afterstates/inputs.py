"""The net's inputs, read off the view: what the acting player sees, after a move it thinks of.

Each function appends to a list of the table's or of regions' inputs (`net.put`). The table, its
regions and the player's own columns come before the move; `After` tells what the move changes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ethnos_sim.simulator.cards import ONE, copies, count, lowest, popcount
from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.kernel.clans import slot_of
from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.records import MAX_PLAYERS, MAX_SLOTS, NONE, POWERS, REGIONS
from ethnos_sim.strategies.afterstates import layout as at
from ethnos_sim.strategies.afterstates.net import put
from ethnos_sim.strategies.toolkit.clock import cards_left
from ethnos_sim.strategies.toolkit.denial import gift, known_companions, next_player
from ethnos_sim.strategies.toolkit.outlook import unseen
from ethnos_sim.strategies.toolkit.position import markers_needed
from ethnos_sim.strategies.toolkit.prospects import (
    firmness,
    marker_prospect_from,
    region_award,
    sea_awards,
)

ANY_REGION = int(Power.ANY_REGION)
COINS = int(Power.COINS)
DRAWS_CARDS = int(Power.DRAWS_CARDS)
KEEPS_CARDS = int(Power.KEEPS_CARDS)
LARGEST_TOKEN = int(Power.LARGEST_TOKEN)
NO_MARKER = int(Power.NO_MARKER)
ONE_CARD_FEWER = int(Power.ONE_CARD_FEWER)
SCORES_LARGER = int(Power.SCORES_LARGER)
SEA_TRACK = int(Power.SEA_TRACK)
SECOND_PARTY = int(Power.SECOND_PARTY)
SETTLEMENT_BOARD = int(Power.SETTLEMENT_BOARD)
TIE_BREAK_TOKENS = int(Power.TIE_BREAK_TOKENS)
WILD = int(Power.WILD)

#: How firm a lead is for a marker's worth (the evaluator's defaults).
FIRM = 0.13
FIRM_LATER = 0.22
LATER = 0.43

# Numbers of a decision that all of its moves share, in one array: prestige with and without awards
# by player, awards by region and player, gains of a marker and cards it needs by region, unseen
# cards by color and by slot, and what the pool would give the next player: most companions, the
# card that has them, most of another card.
TOTALS = 0
BANKED = TOTALS + MAX_PLAYERS
REGION_AWARDS = BANKED + MAX_PLAYERS
GAINS = REGION_AWARDS + REGIONS * MAX_PLAYERS
NEEDED = GAINS + REGIONS
UNSEEN = NEEDED + REGIONS
GIFTS = UNSEEN + REGIONS + MAX_SLOTS
SHARED = GIFTS + 3


class After(NamedTuple):
    """What a move changes beside the hand: the acting player's columns, and what is pending.

    points: party points of the age; banked: prestige sure to come, more than before; region: where
    its marker goes, or -1; coin: laid on that color (-1) and its worth; sea, settled, token,
    largest_size, largest_holder: its columns after the move; extra: markers still to be placed;
    second: whether a second party may follow; unknown: cards drawn; cards: the clock's cards gone;
    party: whether it is a party.
    """

    points: float
    banked: float
    region: int
    coin_color: int
    coin: int
    sea: int
    settled: int
    token: int
    largest_size: int
    largest_holder: int
    extra: int
    second: int
    unknown: int
    cards: float
    party: int


@kernel
def unchanged(view):
    """The acting player's columns as they are."""
    player = view.player
    return After(
        float(view.party_points[player]),
        0.0,
        np.int64(NONE),
        np.int64(NONE),
        np.int64(0),
        np.int64(view.sea[slot_of(view, SEA_TRACK), player]),
        popcount(np.uint64(view.settlements[slot_of(view, SETTLEMENT_BOARD), player])),
        np.int64(view.token_sum[player]),
        np.int64(view.largest_size[slot_of(view, LARGEST_TOKEN)]),
        np.int64(view.largest_holder[slot_of(view, LARGEST_TOKEN)]),
        np.int64(0),
        np.int64(0),
        np.int64(0),
        0.0,
        np.int64(0),
    )


@kernel
def step_of(value, steps):
    """The number of the first step whose upper end a value does not pass."""
    found = 0
    for end in steps:
        found += value > end
    return found


@kernel
def clamp(value, low, high):
    """A whole number held between two others."""
    return min(max(value, low), high)


@kernel
def share_awards(view, region, own, coins, shared, first):
    """Each player's award in a region if the age ended now, the acting player having `own` there.

    Written to `shared` from `first` on. Tie-break tokens are left out.
    """
    age = np.int64(view.age)
    for player in range(view.players):
        mine = own if player == view.player else np.int64(view.markers[region, player])
        above = 0
        tied = 0
        others = 0
        for rival in range(view.players):
            theirs = own if rival == view.player else np.int64(view.markers[region, rival])
            above += theirs > mine
            tied += theirs == mine
            others += (theirs > 0) & (rival != player)
        award = 0.0
        if mine > 0:
            if above == 0:
                award += coins
            for place in range(above, min(above + tied, age)):
                award += region_award(view, region, age, place)
            if view.players == 2 and age == view.ages and above == 0:
                award = coins + region_award(view, region, age, 0)
                if others == 0:
                    award += view.prestige_tokens[region, 0]
            award /= tied
        shared[first + player] = award


@kernel
def sea_award(view, player, own):
    """A player's award at sea if the age ended now, the acting player being at `own`."""
    if view.slot_of_power[SEA_TRACK] == NONE:
        return 0.0
    slot = slot_of(view, SEA_TRACK)
    mine = own if player == view.player else np.int64(view.sea[slot, player])
    if mine == 0:
        return 0.0
    above = 0
    tied = 0
    for rival in range(view.players):
        theirs = own if rival == view.player else np.int64(view.sea[slot, rival])
        above += theirs > mine
        tied += theirs == mine
    first, second, third = sea_awards(view, np.int64(view.age))
    award = first * (above == 0)
    award += second * ((above <= 1) & (above + tied > 1))
    award += third * ((above <= 2) & (above + tied > 2))
    return award / tied


@kernel
def share_numbers(view, shared):
    """Work out the numbers that all moves of a decision share."""
    player = view.player
    firm = firmness(view, FIRM)
    sea = slot_of(view, SEA_TRACK)
    board = slot_of(view, SETTLEMENT_BOARD)
    largest = slot_of(view, LARGEST_TOKEN)
    for other in range(view.players):
        banked = float(view.prestige[other]) + view.party_points[other]
        banked += view.rules.settlement[board, popcount(np.uint64(view.settlements[board, other]))]
        if view.largest_holder[largest] == other:
            banked += view.rules.largest_age[largest, view.age - 1]
        shared[BANKED + other] = banked
        shared[TOTALS + other] = banked + sea_award(view, other, np.int64(view.sea[sea, player]))
    for region in range(REGIONS):
        own = np.int64(view.markers[region, player])
        awards = REGION_AWARDS + region * MAX_PLAYERS
        share_awards(view, region, own, float(view.coins_on_region[region]), shared, awards)
        for other in range(view.players):
            shared[TOTALS + other] += shared[awards + other]
        gain = marker_prospect_from(view, region, own, firm, FIRM_LATER, LATER)
        shared[GAINS + region] = gain
        shared[NEEDED + region] = markers_needed(view, region)
    hidden = unseen(view)
    for i in range(REGIONS + view.slots):
        mask = view.color_cards[i] if i < REGIONS else view.clan_cards[i - REGIONS]
        mask |= view.wild_cards
        shared[UNSEEN + i] = count(hidden.once & mask, hidden.twice & mask)
    share_gifts(view, shared)


@kernel
def share_gifts(view, shared):
    """Work out which card of the pool has the most known companions in the next player's hand."""
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


@kernel
def gift_after(view, shared, pool_once):
    """What the pool, as it is after a move, would give the next player: companions of a card."""
    best_card = np.int64(shared[GIFTS + 1])
    most = np.int64(shared[GIFTS])
    if best_card != NONE and (pool_once >> np.uint64(best_card)) & ONE == np.uint64(0):
        most = np.int64(shared[GIFTS + 2])
    return max(most, gift(view, pool_once & ~view.pool_once))


@kernel
def put_clock(view, index, values, gone, sign):
    """The clock's inputs with so many cards fewer, times a sign."""
    left = max(cards_left(view) - gone, 0.0)
    put(index, values, at.CLOCK + step_of(left, at.CLOCK_STEPS), sign)
    put(index, values, at.CLOCK + len(at.CLOCK_STEPS) + 1, sign * left / 30.0)
    put(index, values, at.CLOCK + len(at.CLOCK_STEPS) + 2, sign / (1.0 + left))


@kernel
def put_table(view, index, values):
    """What no move changes: players, time, clans in play, rivals' hands."""
    player = view.player
    put(index, values, at.PLAYERS + clamp(view.players, 2, 6) - 2, 1.0)
    put(index, values, at.AGES_LEFT + clamp(view.ages - view.age, 0, 2), 1.0)
    put(index, values, at.DRAGONS + clamp(view.dragons_seen, 0, 2), 1.0)
    put_clock(view, index, values, 0.0, 1.0)
    if view.rules.pool_refill:
        put(index, values, at.RECRUITMENT, 1.0)
    for power in range(POWERS):
        slot = view.slot_of_power[power]
        if slot != NONE:
            put(index, values, at.IN_PLAY + power, 1.0)
            if power != WILD and view.clan_cards[slot] & view.may_lead == np.uint64(0):
                put(index, values, at.BARRED + power, 1.0)
    cards = 0
    most = 0
    points = 0
    largest = 0
    following = next_player(view)
    of_next = 0
    for rival in range(view.players):
        if rival == player:
            continue
        held = np.int64(view.hand_cards[rival])
        cards += held
        most = max(most, held)
        points += view.party_points[rival]
        group = known_group(view, rival)
        largest = max(largest, group)
        if rival == following:
            of_next = group
    rivals = view.players - 1.0
    put(index, values, at.RIVALS, view.hand_cards[following] / 10.0)
    put(index, values, at.RIVALS + 1, cards / (10.0 * rivals))
    put(index, values, at.RIVALS + 2, most / 10.0)
    put(index, values, at.RIVALS + 3, of_next / 6.0)
    put(index, values, at.RIVALS + 4, largest / 6.0)
    put(index, values, at.RIVALS + 5, points / (15.0 * rivals))
    put(index, values, at.RIVALS + 6, view.players / 6.0)


@kernel
def known_group(view, rival):
    """The largest group, wild cards included, that everybody saw a rival take."""
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


@kernel
def share_new_awards(view, shared, after):
    """Work out awards in the region where a move places a marker, behind the shared numbers."""
    region = after.region
    if region == NONE:
        return
    own = np.int64(view.markers[region, view.player]) + 1
    coins = float(view.coins_on_region[region])
    if after.coin_color == region:
        coins += after.coin
    share_awards(view, region, own, coins, shared, SHARED)


@kernel
def put_score(view, shared, after, index, values):
    """The lead over rivals, with awards as if the age ended now and without.

    `share_new_awards` comes first.
    """
    player = view.player
    best = -1e9
    second = -1e9
    total = 0.0
    best_banked = -1e9
    total_banked = 0.0
    own = 0.0
    first = REGION_AWARDS + max(after.region, 0) * MAX_PLAYERS
    sea = slot_of(view, SEA_TRACK)
    largest = slot_of(view, LARGEST_TOKEN)
    for other in range(view.players):
        worth = float(shared[TOTALS + other])
        if after.region != NONE:
            worth += shared[SHARED + other] - shared[first + other]
        banked = float(shared[BANKED + other])
        if after.sea != view.sea[sea, player]:
            worth += sea_award(view, other, after.sea)
            worth -= sea_award(view, other, np.int64(view.sea[sea, player]))
        if other == player:
            worth += after.banked
            own = worth
            continue
        held = np.int64(view.largest_holder[largest])
        if after.largest_holder != held and held == other:
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
    own_banked = shared[BANKED + player] + after.banked
    put(index, values, at.SCORE, (own - best) / 20.0)
    put(index, values, at.SCORE + 1, (own - second) / 20.0)
    put(index, values, at.SCORE + 2, (own - total / rivals) / 20.0)
    put(index, values, at.SCORE + 3, (own_banked - best_banked) / 20.0)
    put(index, values, at.SCORE + 4, (own_banked - total_banked / rivals) / 20.0)
    put(index, values, at.LEAD + step_of(own - best, at.LEAD_STEPS), 1.0)


@kernel
def put_own(view, after, index, values):
    """The player's own columns after a move, and what is pending."""
    player = view.player
    put(index, values, at.OWN, after.points / 15.0)
    supply = np.int64(view.supply[player]) - (after.region != NONE)
    put(index, values, at.OWN + 1, supply / 26.0)
    markers = np.int64(after.region != NONE)
    for region in range(REGIONS):
        markers += view.markers[region, player]
    put(index, values, at.OWN + 2, markers / 12.0)
    if after.extra > 0:
        put(index, values, at.PENDING + min(after.extra, 2), 1.0)
    if after.second:
        put(index, values, at.PENDING, 1.0)
    if after.party:
        put(index, values, at.PARTY, 1.0)
    if view.slot_of_power[SEA_TRACK] != NONE:
        put_sea(view, after.sea, index, values)
    if view.slot_of_power[LARGEST_TOKEN] != NONE:
        if after.largest_holder == NONE:
            put(index, values, at.LARGEST, 1.0)
        else:
            held = after.largest_holder == player
            put(index, values, at.LARGEST + 2 - held, 1.0)
            put(index, values, at.LARGEST + 4 - held, after.largest_size / 6.0)
    if view.slot_of_power[SETTLEMENT_BOARD] != NONE:
        put(index, values, at.SETTLEMENT + clamp(after.settled, 0, 6), 1.0)
        most = np.int64(0)
        slot = slot_of(view, SETTLEMENT_BOARD)
        for rival in range(view.players):
            if rival != player:
                most = max(most, popcount(np.uint64(view.settlements[slot, rival])))
        put(index, values, at.SETTLEMENT + 7, most / 6.0)
    if view.slot_of_power[TIE_BREAK_TOKENS] != NONE:
        put_tokens(view, after.token, index, values)
    if view.slot_of_power[COINS] != NONE:
        slot = slot_of(view, COINS)
        used = view.coins_used[slot] + (after.coin > 0)
        if used < view.rules.coins_count[slot]:
            put(index, values, at.COINS, view.rules.coins[slot, used] / 6.0)


@kernel
def put_sea(view, own, index, values):
    """The sea track: place, lead and standing, and the way to the next symbol."""
    slot = slot_of(view, SEA_TRACK)
    most = np.int64(0)
    for rival in range(view.players):
        if rival != view.player:
            most = max(most, np.int64(view.sea[slot, rival]))
    lead = own - most
    put(index, values, at.SEA, own / 20.0)
    put(index, values, at.SEA + 1, clamp(lead, -10, 10) / 10.0)
    standing = np.int64(0)
    if own > 0:
        standing = 3 + (lead > 0) + (lead > 4) - (lead < 0) - (lead < -4)
    put(index, values, at.SEA + 2 + standing, 1.0)
    way = np.int64(10)
    for i in range(view.rules.sea_symbols_count[slot]):
        if view.rules.sea_symbols[slot, i] > own:
            way = min(way, np.int64(view.rules.sea_symbols[slot, i]) - own)
    put(index, values, at.SEA + 8, way / 10.0)


@kernel
def put_tokens(view, own, index, values):
    """Tie-break tokens: the own sum, the best rival's, the highest that is free."""
    most = np.int64(0)
    for rival in range(view.players):
        if rival != view.player:
            most = max(most, np.int64(view.token_sum[rival]))
    free = np.int64(0)
    slot = slot_of(view, TIE_BREAK_TOKENS)
    for i in range(view.rules.tie_break_tokens_count[slot]):
        if view.token_owner[slot, i] == NONE:
            free = max(free, np.int64(view.rules.tie_break_tokens[slot, i]))
    put(index, values, at.TOKENS, own / 10.0)
    put(index, values, at.TOKENS + 1, most / 10.0)
    put(index, values, at.TOKENS + 2, free / 6.0)


@kernel
def put_region(view, region, own, coins, index, values):
    """A region after a move: the acting player has `own` markers there, and `coins` lie on it."""
    player = view.player
    best = np.int64(0)
    second = np.int64(0)
    present = 0
    for rival in range(view.players):
        if rival != player:
            markers = np.int64(view.markers[region, rival])
            present += markers > 0
            if markers > best:
                second = best
                best = markers
            else:
                second = max(second, markers)
    put(index, values, at.MARKERS + min(own, at.MOST_MARKERS), 1.0)
    put(index, values, at.RIVAL_MARKERS + min(best, at.MOST_MARKERS), 1.0)
    lead = clamp(own - best, -at.WIDEST_LEAD, at.WIDEST_LEAD)
    put(index, values, at.AHEAD + at.WIDEST_LEAD + lead, 1.0)
    put(index, values, at.AHEAD_OF_SECOND + 2 + clamp(own - second, -2, 2), 1.0)
    put(index, values, at.PRESENT, present / 5.0)
    age = np.int64(view.age)
    award = region_award(view, region, age, 0) + coins
    put(index, values, at.AWARDS, award / 10.0)
    if age > 1:
        put(index, values, at.AWARDS + 1, region_award(view, region, age, 1) / 10.0)
        put(index, values, at.AWARDS + 2, region_award(view, region, age, 2) / 10.0)
    left = view.ages - view.age
    if left > 0:
        put(index, values, at.AWARDS + 3, region_award(view, region, age + 1, 0) / 10.0)
        put(index, values, at.AWARDS + 4, region_award(view, region, age + 1, 1) / 10.0)
        last = region_award(view, region, np.int64(view.ages), 0)
        put(index, values, at.AWARDS + 5, last / 10.0)
    put(index, values, at.COINED, coins / 5.0)
    put(index, values, at.MOMENT + clamp(left, 0, 2), 1.0)
    put(index, values, at.MOMENT + 3, cards_left(view) / 30.0)
    put(index, values, at.MOMENT + 4, view.players / 6.0)


@kernel
def put_region_gain(award, gain, index, values):
    """What a region brings now, and what one more marker there is worth."""
    put(index, values, at.GAIN, award / 10.0)
    put(index, values, at.GAIN + 1, gain / 5.0)


@kernel
def pool_without(view, card):
    """The pool's planes without one copy of a card."""
    plane = ONE << np.uint64(card)
    if copies(view.pool_once, view.pool_twice, card) == 2:
        return view.pool_once, view.pool_twice & ~plane
    return view.pool_once & ~plane, view.pool_twice
