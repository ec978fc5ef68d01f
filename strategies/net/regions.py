"""The numbers of all six regions at once: standings, awards, the worth of one more marker.

The numbers are stored in columns. A column has two rows, with one number for each region. The first
row describes the regions as they are, the second row as if the acting player had one more marker
there. If a move may lay out a coin, all columns are computed again with the coin, and stored after
the others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ethnos_sim.simulator.compiler import uncounted
from ethnos_sim.simulator.game.records import MAX_AGES, MAX_PLAYERS
from ethnos_sim.strategies.net import layout as at
from ethnos_sim.strategies.net.quantisation import AWARD_STEPS, FINE, MANY
from ethnos_sim.strategies.net.rows import (
    LANES,
    filled_row,
    load_by_region,
    load_row,
    maximum,
    minimum,
    store_row,
    store_whole,
    where_equal,
    where_larger,
)
from ethnos_sim.strategies.net.vectors import COLUMN_STEP, floats_on_stack
from ethnos_sim.strategies.toolkit.prospects import firmness

#: The offset from a column's first row to its second row, with one more marker.
MORE = LANES

#: The indices at which the columns begin:
#:
#: - AWARDS: a column for each player by `row_number`: its award now, without tie-break tokens;
#: - GAIN: the prestige that one more marker is worth;
#: - NEEDED: the cards that a party needs to place a marker, as the regions are now;
#: - SET: a column for each of the first KINDS_SET blocks of inputs: which input of it is set;
#: - VALUED: the values of the inputs from PRESENT to COINED.
#:
#: SET and VALUED are stored as whole numbers (`rows.store_whole`).
AWARDS = 0
GAIN = AWARDS + MAX_PLAYERS * COLUMN_STEP
NEEDED = GAIN + COLUMN_STEP
SET = NEEDED + COLUMN_STEP
KINDS_SET = 4
VALUED = SET + KINDS_SET * COLUMN_STEP
VALUES = at.MOMENT - at.PRESENT
REGION_ROWS = VALUED + VALUES * COLUMN_STEP

#: The size of an array with a row of markers for each player.
MARKERS_SIZE = MAX_PLAYERS * LANES

#: The size of an array with a row of tokens for each age.
TOKENS_SIZE = MAX_AGES * LANES

#: The firmness of a lead (`toolkit.prospects`) in this age and in later ages: the evaluator's
#: defaults.
FIRM = 0.13
FIRM_LATER = np.float32(0.22)

#: How much an age's awards count, compared with the age before it.
LATER = np.float32(0.43)

ZERO = np.float32(0)
HALF = np.float32(0.5)
ONE = np.float32(1)
TWO = np.float32(2)
THREE = np.float32(3)


@uncounted
def clamp_row(row, low, high):
    """Clamp every number of a row to a range."""
    return minimum(maximum(row, low), high)


@uncounted
def row_number(view, player):
    """The number of a player's row or column: 0 for the acting player, then the rivals."""
    if player == view.player:
        return np.int64(0)
    return np.int64(player) + (player < view.player)


@uncounted
def player_of_row(view, row):
    """The player whose row has this number (`row_number`)."""
    if row == 0:
        return np.int64(view.player)
    return row - (row <= view.player)


class PaidPlaces(NamedTuple):
    """Which places of a region the rules pay at an age's end, and the token that each place gets.

    first, second, third  whether the place is paid, 1 or 0
    *_token               the row of the place's token
    alone                 whether a player alone in the region also gets the second token
    alone_third           whether this player also gets the third token
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
def paid_places(view, age):
    """Read from the rules which places are paid at the end of an age, and with which token."""
    pays = view.rules.pays[age - 1]
    second = np.float32(pays[1] > 0)
    third = np.float32(pays[2] > 0)
    only_first = np.float32(view.rules.winner_takes_all) * np.float32(age == view.ages)
    return PaidPlaces(
        np.float32(pays[0] > 0),
        max(np.int64(pays[0]) - 1, np.int64(0)),
        second * (ONE - only_first),
        max(np.int64(pays[1]) - 1, np.int64(0)),
        third * (ONE - only_first),
        max(np.int64(pays[2]) - 1, np.int64(0)),
        second * only_first,
        third * only_first,
    )


class PlaceAwards(NamedTuple):
    """The awards of each place in all regions at an age's end, as rows.

    first, second, third  the awards of the places
    alone                 the additional award of a player who is alone in the region
    """

    first: float
    second: float
    third: float
    alone: float


@uncounted
def place_awards(view, tokens, age):
    """The awards of the places in all regions at the end of an age, from the rows of tokens."""
    now = paid_places(view, age)
    second = load_row(tokens, LANES * now.second_token)
    third = load_row(tokens, LANES * now.third_token)
    return PlaceAwards(
        load_row(tokens, LANES * now.first_token) * now.first,
        second * now.second,
        third * now.third,
        second * now.alone + third * now.alone_third,
    )


@uncounted
def player_awards(own_markers, above, tied, rival_markers, first_award, awards):
    """The award in every region of a player with `own_markers` there.

    `above` is the number of players with more markers, `tied` the number of players with the same
    number of markers. Tied players share the awards of all their places. At a table of two, the
    award for being alone is added where `rival_markers` is 0. `first_award` is the first place's
    award, coins included.
    """
    last = above + tied
    gained = where_equal(above, ZERO, first_award + where_equal(rival_markers, ZERO, awards.alone))
    gained = gained + where_larger(TWO, above, where_larger(last, ONE, awards.second))
    gained = gained + where_larger(THREE, above, where_larger(last, TWO, awards.third))
    return where_larger(own_markers, ZERO, gained / maximum(tied, ONE))


@uncounted
def write_awards(players, markers, coins, now, facts, start):
    """Write each player's award in every region, if `now` has the places' awards of this age."""
    prize = now.first + coins
    mine = load_row(markers, 0)
    more = mine + ONE
    above = filled_row(ZERO)
    tied = filled_row(ONE)
    above_more = above
    tied_more = tied
    index = start + AWARDS
    for rival in range(1, players):
        theirs = load_row(markers, LANES * rival)
        above = above + where_larger(theirs, mine, ONE)
        tied = tied + where_equal(theirs, mine, ONE)
        above_more = above_more + where_larger(theirs, more, ONE)
        tied_more = tied_more + where_equal(theirs, more, ONE)
        higher = filled_row(ZERO)
        same = filled_row(ZERO)
        for other in range(1, players):
            higher = higher + where_larger(load_row(markers, LANES * other), theirs, ONE)
            same = same + where_equal(load_row(markers, LANES * other), theirs, ONE)
        index += COLUMN_STEP
        with_own = player_awards(
            theirs,
            higher + where_larger(mine, theirs, ONE),
            same + where_equal(mine, theirs, ONE),
            mine,
            prize,
            now,
        )
        store_row(facts, index, with_own)
        with_more = player_awards(
            theirs,
            higher + where_larger(more, theirs, ONE),
            same + where_equal(more, theirs, ONE),
            more,
            prize,
            now,
        )
        store_row(facts, index + MORE, with_more)
    index = start + AWARDS
    store_row(facts, index, player_awards(mine, above, tied, load_row(markers, LANES), prize, now))
    store_row(
        facts,
        index + MORE,
        player_awards(more, above_more, tied_more, load_row(markers, LANES), prize, now),
    )


@uncounted
def rivals_ahead(players, markers, own_markers, firm):
    """The expected number of rivals ahead, with `own_markers`, with one more, and with two more.

    A rival is ahead with chance 1/2, less `firm` for each marker of the player's lead.
    """
    ahead = filled_row(ZERO)
    ahead_after = ahead
    ahead_after_two = ahead
    for rival in range(1, players):
        lead = own_markers - load_row(markers, LANES * rival)
        ahead = ahead + clamp_row(HALF - lead * firm, ZERO, ONE)
        ahead_after = ahead_after + clamp_row(HALF - (lead + ONE) * firm, ZERO, ONE)
        ahead_after_two = ahead_after_two + clamp_row(HALF - (lead + TWO) * firm, ZERO, ONE)
    return ahead, ahead_after, ahead_after_two


@uncounted
def interpolated_award(ahead, first_award, awards):
    """The award with `ahead` rivals ahead on average, interpolated between the places' awards."""
    lost = (first_award - awards.second) * clamp_row(ahead, ZERO, ONE)
    lost = lost + (awards.second - awards.third) * clamp_row(ahead - ONE, ZERO, ONE)
    return first_award - lost - awards.third * clamp_row(ahead - TWO, ZERO, ONE)


@uncounted
def marker_gains(own_markers, ahead, first_award, awards):
    """The increase of an age's expected award by one more marker, then by a second one, as rows."""
    before = interpolated_award(ahead[0], first_award, awards)
    after = interpolated_award(ahead[1], first_award, awards)
    after_two = interpolated_award(ahead[2], first_award, awards)
    return after - where_larger(own_markers, ZERO, before), after_two - after


@uncounted
def write_gains(view, markers, coins, now, following, last, facts, start):
    """Write how much one more marker raises each region's expected awards (`toolkit.prospects`).

    `now`, `following` and `last` are the places' awards in this age, the next age and the last age.
    """
    players = np.int64(view.players)
    age = np.int64(view.age)
    mine = load_row(markers, 0)
    prize = now.first + coins + where_equal(load_row(markers, LANES), ZERO, now.alone)
    ahead = rivals_ahead(players, markers, mine, np.float32(firmness(view, FIRM)))
    gain, more = marker_gains(mine, ahead, prize, now)
    weight = LATER
    if age < view.ages:
        ahead = rivals_ahead(players, markers, mine, FIRM_LATER)
        for later in range(age, np.int64(view.ages)):
            then = following if later == age else last
            gain_then, more_then = marker_gains(mine, ahead, then.first, then)
            gain = gain + gain_then * weight
            more = more + more_then * weight
            weight *= LATER
    store_row(facts, start + GAIN, gain)
    store_row(facts, start + GAIN + MORE, more)


@uncounted
def write_standings(players, markers, facts, start):
    """Write the SET columns; return a row: in each region, the number of rivals with a marker."""
    present = filled_row(ZERO)
    best = filled_row(ZERO)
    second = filled_row(ZERO)
    for rival in range(1, players):
        theirs = load_row(markers, LANES * rival)
        present = present + where_larger(theirs, ZERO, ONE)
        second = maximum(second, minimum(best, theirs))
        best = maximum(best, theirs)
    most = np.float32(at.MOST_MARKERS)
    widest = np.float32(at.WIDEST_LEAD)
    for extra in range(2):
        mine = load_row(markers, 0) + np.float32(extra)
        index = start + SET + MORE * extra
        store_whole(facts, index, minimum(mine, most) + np.float32(at.MARKERS))
        index += COLUMN_STEP
        store_whole(facts, index, minimum(best, most) + np.float32(at.RIVAL_MARKERS))
        index += COLUMN_STEP
        lead = clamp_row(mine - best, -widest, widest)
        store_whole(facts, index, lead + np.float32(at.AHEAD + at.WIDEST_LEAD))
        index += COLUMN_STEP
        lead = clamp_row(mine - second, -TWO, TWO)
        store_whole(facts, index, lead + np.float32(at.AHEAD_OF_SECOND + 2))
    return present


@uncounted
def store_both_rows(facts, index, row):
    """Write the same whole numbers, MANY at most, to both rows of a column."""
    store_whole(facts, index, minimum(row, np.float32(MANY)))
    store_whole(facts, index + MORE, minimum(row, np.float32(MANY)))


@uncounted
def write_values(view, present, coins, now, following, last, facts, start):
    """Write the inputs from PRESENT to COINED, as numbers of steps (`quantisation`).

    The columns of awards and gains must be written already.
    """
    later = np.float32(view.age < view.ages)
    most = np.float32(FINE)
    values = start + VALUED
    store_both_rows(facts, values, present)
    store_both_rows(facts, values + COLUMN_STEP, now.first + coins)
    store_both_rows(facts, values + 2 * COLUMN_STEP, now.second)
    store_both_rows(facts, values + 3 * COLUMN_STEP, now.third)
    store_both_rows(facts, values + 4 * COLUMN_STEP, following.first * later)
    store_both_rows(facts, values + 5 * COLUMN_STEP, following.second * later)
    store_both_rows(facts, values + 6 * COLUMN_STEP, last.first * later)
    for extra in range(2):
        half = MORE * extra
        player_awards = load_row(facts, start + AWARDS + half) * np.float32(AWARD_STEPS)
        store_whole(facts, values + 7 * COLUMN_STEP + half, clamp_row(player_awards, -most, most))
        gain = load_row(facts, start + GAIN + half) * np.float32(AWARD_STEPS)
        store_whole(facts, values + 8 * COLUMN_STEP + half, clamp_row(gain, -most, most))
    store_both_rows(facts, values + 9 * COLUMN_STEP, coins)


@uncounted
def write_regions(view, facts, start, coin):
    """Write all columns to `facts` from `start` on, with a coin of value `coin` on each region."""
    players = np.int64(view.players)
    markers = floats_on_stack(MARKERS_SIZE)
    for player in range(players):
        store_row(markers, LANES * row_number(view, player), load_by_region(view.markers, player))
    beaten = load_row(markers, 0)
    if view.rules.both_markers:
        beaten = beaten + load_row(markers, LANES)
    store_row(facts, start + NEEDED, beaten + np.float32(view.rules.markers_needed))
    coins = load_by_region(view.coins_on_region, 0) + np.float32(coin)
    tokens = floats_on_stack(TOKENS_SIZE)
    for token in range(MAX_AGES):
        store_row(tokens, LANES * token, load_by_region(view.prestige_tokens, token))
    ages = np.int64(view.ages)
    now = place_awards(view, tokens, np.int64(view.age))
    following = place_awards(view, tokens, min(np.int64(view.age) + 1, ages))
    last = place_awards(view, tokens, ages)
    write_awards(players, markers, coins, now, facts, start)
    write_gains(view, markers, coins, now, following, last, facts, start)
    present = write_standings(players, markers, facts, start)
    write_values(view, present, coins, now, following, last, facts, start)
