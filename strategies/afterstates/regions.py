"""The numbers of all six regions at once: standings, awards, what one more marker is worth.

A row has a number for each region as it stands, and behind them one for each region with a marker
of the acting player's more, so that one pass of vector instructions serves every move. With a coin
that a move may lay out the rows are worked out once more, behind the first ones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ethnos_sim.simulator.compilation import uncounted
from ethnos_sim.simulator.records import MAX_AGES, MAX_PLAYERS, REGIONS
from ethnos_sim.strategies.afterstates import layout as at
from ethnos_sim.strategies.afterstates.vectors import LANES, floats_on_stack, row_at
from ethnos_sim.strategies.toolkit.prospects import firmness

#: Where the regions with a marker more stand in a row.
MORE = 8

#: The rows: each player's award if the age ended now (by `row_of`; tie-break tokens left out), the
#: prestige that one more marker is worth, which one of four kinds of the net's inputs is set, and
#: the values of the net's inputs from PRESENT to COINED.
AWARDS = 0
GAIN = AWARDS + MAX_PLAYERS * LANES
SET = GAIN + LANES
KINDS_SET = 4
VALUED = SET + KINDS_SET * LANES
VALUES = at.MOMENT - at.PRESENT
REGION_ROWS = VALUED + VALUES * LANES

#: Room for rows of markers by player and of tokens by age.
HELD_ROOM = MAX_PLAYERS * LANES
TOKENS_ROOM = MAX_AGES * LANES

#: How firm a lead is for a marker's worth (the evaluator's defaults).
FIRM = 0.13
FIRM_LATER = np.float32(0.22)
LATER = np.float32(0.43)

ZERO = np.float32(0)
HALF = np.float32(0.5)
ONE = np.float32(1)
TWO = np.float32(2)
THREE = np.float32(3)
TENTH = np.float32(0.1)
FIFTH = np.float32(0.2)

#: The markers of nobody, in rows of players that are not there.
ABSENT = np.float32(-1000)


@uncounted
def held_in(value, low, high):
    """A number held between two others."""
    return min(max(value, low), high)


@uncounted
def row_of(view, player):
    """The row of a player among all: the acting player's is the first, then the rivals'."""
    if player == view.player:
        return np.int64(0)
    return np.int64(player) + (player < view.player)


@uncounted
def lay_out(view, coin, held, tokens, coins):
    """Rows of each player's markers, of each age's tokens (lowest first), and of the coins."""
    for lane in range(LANES):
        coins[lane] = ZERO
    for region in range(REGIONS):
        lying = np.float32(view.coins_on_region[region] + coin)
        coins[region] = lying
        coins[MORE + region] = lying
    for age in range(MAX_AGES):
        row = row_at(tokens, LANES * age)
        for lane in range(LANES):
            row[lane] = ZERO
        for region in range(REGIONS):
            token = np.float32(view.prestige_tokens[region, age])
            row[region] = token
            row[MORE + region] = token
    for other in range(MAX_PLAYERS):
        row = row_at(held, LANES * other)
        for lane in range(LANES):
            row[lane] = ZERO if other == 0 else ABSENT
    for player in range(view.players):
        row = row_at(held, LANES * row_of(view, player))
        more = np.float32(player == view.player)
        for region in range(REGIONS):
            markers = np.float32(view.markers[region, player])
            row[region] = markers
            row[MORE + region] = markers + more


class Paid(NamedTuple):
    """What the places of a region get at an age's end, by the rules in force.

    first, second, third: whether the place is paid, 1 or 0; *_token: the row of its token; alone,
    alone_third: whether a player who is alone in the region gets those two tokens as well.
    """

    first: float
    first_token: int
    second: float
    second_token: int
    third: float
    third_token: int
    alone: float
    alone_third: float


@uncounted
def paid(view, age):
    """What the places of a region get at the end of an age."""
    pays = view.rules.pays[age - 1]
    second = np.float32(pays[1] > 0)
    third = np.float32(pays[2] > 0)
    only_first = np.float32(view.rules.winner_takes_all) * np.float32(age == view.ages)
    return Paid(
        np.float32(pays[0] > 0),
        max(np.int64(pays[0]) - 1, np.int64(0)),
        second * (ONE - only_first),
        max(np.int64(pays[1]) - 1, np.int64(0)),
        third * (ONE - only_first),
        max(np.int64(pays[2]) - 1, np.int64(0)),
        second * only_first,
        third * only_first,
    )


@uncounted
def share_awards(view, held, tokens, coins, shared, first):
    """Each player's award in every region if the age ended now."""
    age = np.int64(view.age)
    now = paid(view, age)
    first_tokens = row_at(tokens, LANES * now.first_token)
    second_tokens = row_at(tokens, LANES * now.second_token)
    third_tokens = row_at(tokens, LANES * now.third_token)
    for row in range(view.players):
        mine = row_at(held, LANES * row)
        only_other = row_at(held, LANES * (row == 0))
        awards = row_at(shared, first + AWARDS + LANES * row)
        for lane in range(LANES):
            own = mine[lane]
            above = ZERO
            tied = ZERO
            for other in range(MAX_PLAYERS):
                theirs = row_at(held, LANES * other)[lane]
                above += ONE if theirs > own else ZERO
                tied += ONE if theirs == own else ZERO
            last = above + tied
            award = now.first * first_tokens[lane] + coins[lane]
            rest = now.alone * second_tokens[lane] + now.alone_third * third_tokens[lane]
            award += rest * (ONE if only_other[lane] == ZERO else ZERO)
            award = award if above == ZERO else ZERO
            places = held_in(last, ONE, TWO) - held_in(above, ONE, TWO)
            award += places * now.second * second_tokens[lane]
            places = held_in(last, TWO, THREE) - held_in(above, TWO, THREE)
            award += places * now.third * third_tokens[lane]
            award = award / max(tied, ONE)
            awards[lane] = award if own > ZERO else ZERO


@uncounted
def between_places(ahead, first, second, third):
    """The award with so many rivals ahead on average, read off between the places' awards."""
    lost = (first - second) * held_in(ahead, ZERO, ONE)
    lost += (second - third) * held_in(ahead - ONE, ZERO, ONE)
    return first - lost - third * held_in(ahead - TWO, ZERO, ONE)


@uncounted
def share_gains(view, held, tokens, coins, shared, first):
    """What one more marker adds to the awards expected in every region (`toolkit.prospects`)."""
    firm = np.float32(firmness(view, FIRM))
    age = np.int64(view.age)
    now = paid(view, age)
    first_tokens = row_at(tokens, LANES * now.first_token)
    second_tokens = row_at(tokens, LANES * now.second_token)
    third_tokens = row_at(tokens, LANES * now.third_token)
    only_rival = row_at(held, LANES)
    before_later = floats_on_stack(LANES)
    after_later = floats_on_stack(LANES)
    gains = floats_on_stack(LANES)
    for lane in range(LANES):
        own = held[lane]
        before = ZERO
        after = ZERO
        long_before = ZERO
        long_after = ZERO
        for rival in range(1, MAX_PLAYERS):
            lead = own - row_at(held, LANES * rival)[lane]
            before += held_in(HALF - firm * lead, ZERO, ONE)
            after += held_in(HALF - firm * (lead + ONE), ZERO, ONE)
            long_before += held_in(HALF - FIRM_LATER * lead, ZERO, ONE)
            long_after += held_in(HALF - FIRM_LATER * (lead + ONE), ZERO, ONE)
        has = ONE if own > ZERO else ZERO
        prize = now.first * first_tokens[lane] + coins[lane]
        rest = now.alone * second_tokens[lane] + now.alone_third * third_tokens[lane]
        prize += rest * (ONE if only_rival[lane] == ZERO else ZERO)
        second = now.second * second_tokens[lane]
        third = now.third * third_tokens[lane]
        gain = between_places(after, prize, second, third)
        gains[lane] = gain - has * between_places(before, prize, second, third)
        before_later[lane] = long_before
        after_later[lane] = long_after
    weight = LATER
    for later in range(age, np.int64(view.ages)):
        then = paid(view, later + 1)
        first_tokens = row_at(tokens, LANES * then.first_token)
        second_tokens = row_at(tokens, LANES * then.second_token)
        third_tokens = row_at(tokens, LANES * then.third_token)
        for lane in range(LANES):
            has = ONE if held[lane] > ZERO else ZERO
            prize = then.first * first_tokens[lane]
            second = then.second * second_tokens[lane]
            third = then.third * third_tokens[lane]
            gain = between_places(after_later[lane], prize, second, third)
            gain -= has * between_places(before_later[lane], prize, second, third)
            gains[lane] += weight * gain
        weight *= LATER
    put_row(shared, first + GAIN, ONE, gains, 0)


@uncounted
def share_standings(view, held, tokens, coins, shared, first):
    """The net's inputs of every region, but for the hand's and those of the moment."""
    most = np.float32(at.MOST_MARKERS)
    widest = np.float32(at.WIDEST_LEAD)
    present = floats_on_stack(LANES)
    markers = floats_on_stack(LANES)
    rival_markers = floats_on_stack(LANES)
    ahead = floats_on_stack(LANES)
    ahead_of_second = floats_on_stack(LANES)
    for lane in range(LANES):
        own = held[lane]
        best = ZERO
        second = ZERO
        rivals = ZERO
        for rival in range(1, MAX_PLAYERS):
            theirs = row_at(held, LANES * rival)[lane]
            rivals += ONE if theirs > ZERO else ZERO
            second = max(second, min(best, theirs))
            best = max(best, theirs)
        present[lane] = rivals
        markers[lane] = min(own, most) + np.float32(at.MARKERS)
        rival_markers[lane] = min(best, most) + np.float32(at.RIVAL_MARKERS)
        lead = held_in(own - best, -widest, widest)
        ahead[lane] = lead + np.float32(at.AHEAD + at.WIDEST_LEAD)
        lead = held_in(own - second, -TWO, TWO)
        ahead_of_second[lane] = lead + np.float32(at.AHEAD_OF_SECOND + 2)
    kinds = first + SET
    put_row(shared, kinds, ONE, markers, 0)
    put_row(shared, kinds + LANES, ONE, rival_markers, 0)
    put_row(shared, kinds + 2 * LANES, ONE, ahead, 0)
    put_row(shared, kinds + 3 * LANES, ONE, ahead_of_second, 0)
    put_values(view, present, tokens, coins, shared, first)


@uncounted
def put_row(shared, first, factor, row, place):
    """Write a row times a factor to `shared` from `first` on; the row stands from `place` on."""
    to = row_at(shared, first)
    given = row_at(row, place)
    for lane in range(LANES):
        to[lane] = factor * given[lane]


@uncounted
def put_values(view, present, tokens, coins, shared, start):
    """The values of the inputs from PRESENT to COINED, in that order, after awards and gains."""
    age = np.int64(view.age)
    later = np.float32(age < view.ages) * TENTH
    ages = np.int64(view.ages)
    now = paid(view, age)
    following = paid(view, min(age + 1, ages))
    last = paid(view, ages)
    prize = floats_on_stack(LANES)
    first_tokens = row_at(tokens, LANES * now.first_token)
    for lane in range(LANES):
        prize[lane] = now.first * first_tokens[lane] + coins[lane]
    values = start + VALUED
    put_row(shared, values, FIFTH, present, 0)
    put_row(shared, values + LANES, TENTH, prize, 0)
    second, third = now.second * TENTH, now.third * TENTH
    put_row(shared, values + 2 * LANES, second, tokens, LANES * now.second_token)
    put_row(shared, values + 3 * LANES, third, tokens, LANES * now.third_token)
    first, second = later * following.first, later * following.second
    put_row(shared, values + 4 * LANES, first, tokens, LANES * following.first_token)
    put_row(shared, values + 5 * LANES, second, tokens, LANES * following.second_token)
    put_row(shared, values + 6 * LANES, later * last.first, tokens, LANES * last.first_token)
    put_row(shared, values + 7 * LANES, TENTH, shared, start + AWARDS)
    put_row(shared, values + 8 * LANES, FIFTH, shared, start + GAIN)
    put_row(shared, values + 9 * LANES, FIFTH, coins, 0)


@uncounted
def share_regions(view, shared, first, coin):
    """Write the rows to `shared` from `first` on, with a coin of this worth on each region."""
    held = floats_on_stack(HELD_ROOM)
    tokens = floats_on_stack(TOKENS_ROOM)
    coins = floats_on_stack(LANES)
    lay_out(view, coin, held, tokens, coins)
    share_awards(view, held, tokens, coins, shared, first)
    share_gains(view, held, tokens, coins, shared, first)
    share_standings(view, held, tokens, coins, shared, first)
