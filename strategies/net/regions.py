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
from ethnos_sim.strategies.net.quantised import AWARD_STEPS, FINE, MANY
from ethnos_sim.strategies.net.rows import (
    LANES,
    by_region,
    equal,
    filled,
    larger,
    over,
    put_row,
    put_whole,
    row_at,
    smaller,
)
from ethnos_sim.strategies.net.vectors import COLUMN_STEP, floats_on_stack
from ethnos_sim.strategies.toolkit.prospects import firmness

#: The offset from a column's first row to its second row, with one more marker.
MORE = LANES

#: The indices at which the columns begin:
#:
#: - AWARDS: each player's award if the age ended now, without tie-break tokens, by `row_of`;
#: - GAIN: the prestige that one more marker is worth;
#: - NEEDED: the cards that a party needs to place a marker, as the regions are now;
#: - SET: for each of the net's first KINDS_SET groups of region inputs, the input that is set;
#: - VALUED: the values of the inputs from PRESENT to COINED.
#:
#: SET and VALUED are stored as whole numbers (`rows.put_whole`).
AWARDS = 0
GAIN = AWARDS + MAX_PLAYERS * COLUMN_STEP
NEEDED = GAIN + COLUMN_STEP
SET = NEEDED + COLUMN_STEP
KINDS_SET = 4
VALUED = SET + KINDS_SET * COLUMN_STEP
VALUES = at.MOMENT - at.PRESENT
REGION_ROWS = VALUED + VALUES * COLUMN_STEP

#: Room for a row of markers for each player.
HELD_ROOM = MAX_PLAYERS * LANES

#: Room for a row of tokens for each place.
TOKENS_ROOM = MAX_AGES * LANES

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
def held_in(row, low, high):
    """Clamp a row to a range."""
    return smaller(larger(row, low), high)


@uncounted
def row_of(view, player):
    """The number of a player's row: 0 for the acting player, then the rivals."""
    if player == view.player:
        return np.int64(0)
    return np.int64(player) + (player < view.player)


@uncounted
def player_of(view, row):
    """The player of a row."""
    if row == 0:
        return np.int64(view.player)
    return row - (row <= view.player)


class Paid(NamedTuple):
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
def paid(view, age):
    """Read from the rules which places are paid at the end of an age, and with which token."""
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


class Prizes(NamedTuple):
    """The awards of each place in all regions at an age's end, as rows.

    first, second, third  the awards of the places
    alone                 the additional award of a player who is alone in the region
    """

    first: float
    second: float
    third: float
    alone: float


@uncounted
def prizes(view, tokens, age):
    """The awards of all regions at the end of an age, from the rows of their tokens."""
    now = paid(view, age)
    second = row_at(tokens, LANES * now.second_token)
    third = row_at(tokens, LANES * now.third_token)
    return Prizes(
        row_at(tokens, LANES * now.first_token) * now.first,
        second * now.second,
        third * now.third,
        second * now.alone + third * now.alone_third,
    )


@uncounted
def award(own, above, tied, other, first, now):
    """A player's award in every region, with `own` markers.

    `above` is the number of players with more markers, `tied` the number of players with the same
    number of markers. Tied players share the awards of all their places. At a table of two, `other`
    has the rival's markers; where it is 0, the award for being alone is added. `first` is the first
    place's award, coins included.
    """
    last = above + tied
    gained = equal(above, ZERO, first + equal(other, ZERO, now.alone))
    gained = gained + over(TWO, above, over(last, ONE, now.second))
    gained = gained + over(THREE, above, over(last, TWO, now.third))
    return over(own, ZERO, gained / larger(tied, ONE))


@uncounted
def share_awards(players, held, coins, now, shared, first):
    """Write each player's award in every region if the age ended now."""
    prize = now.first + coins
    mine = row_at(held, 0)
    more = mine + ONE
    above = filled(ZERO)
    tied = filled(ONE)
    above_more = above
    tied_more = tied
    place = first + AWARDS
    for rival in range(1, players):
        theirs = row_at(held, LANES * rival)
        above = above + over(theirs, mine, ONE)
        tied = tied + equal(theirs, mine, ONE)
        above_more = above_more + over(theirs, more, ONE)
        tied_more = tied_more + equal(theirs, more, ONE)
        higher = filled(ZERO)
        same = filled(ZERO)
        for other in range(1, players):
            higher = higher + over(row_at(held, LANES * other), theirs, ONE)
            same = same + equal(row_at(held, LANES * other), theirs, ONE)
        place += COLUMN_STEP
        with_own = award(
            theirs,
            higher + over(mine, theirs, ONE),
            same + equal(mine, theirs, ONE),
            mine,
            prize,
            now,
        )
        put_row(shared, place, with_own)
        with_more = award(
            theirs,
            higher + over(more, theirs, ONE),
            same + equal(more, theirs, ONE),
            more,
            prize,
            now,
        )
        put_row(shared, place + MORE, with_more)
    place = first + AWARDS
    put_row(shared, place, award(mine, above, tied, row_at(held, LANES), prize, now))
    put_row(
        shared, place + MORE, award(more, above_more, tied_more, row_at(held, LANES), prize, now)
    )


@uncounted
def rivals_ahead(players, held, own, firm):
    """The expected number of rivals ahead; each marker of a lead lowers the chance by `firm`.

    Returns three rows: for the player's present markers, one more marker, and two more markers.
    """
    ahead = filled(ZERO)
    ahead_after = ahead
    ahead_after_two = ahead
    for rival in range(1, players):
        lead = own - row_at(held, LANES * rival)
        ahead = ahead + held_in(HALF - lead * firm, ZERO, ONE)
        ahead_after = ahead_after + held_in(HALF - (lead + ONE) * firm, ZERO, ONE)
        ahead_after_two = ahead_after_two + held_in(HALF - (lead + TWO) * firm, ZERO, ONE)
    return ahead, ahead_after, ahead_after_two


@uncounted
def between_places(ahead, first, now):
    """The award with `ahead` rivals ahead on average, interpolated between the places' awards."""
    lost = (first - now.second) * held_in(ahead, ZERO, ONE)
    lost = lost + (now.second - now.third) * held_in(ahead - ONE, ZERO, ONE)
    return first - lost - now.third * held_in(ahead - TWO, ZERO, ONE)


@uncounted
def gains_between(own, ahead, first, now):
    """How much one more marker raises an age's expected award, and how much a second one does."""
    before = between_places(ahead[0], first, now)
    after = between_places(ahead[1], first, now)
    after_two = between_places(ahead[2], first, now)
    return after - over(own, ZERO, before), after_two - after


@uncounted
def share_gains(view, held, coins, now, following, last, shared, first):
    """Write how much one more marker raises each region's expected awards (`toolkit.prospects`).

    `following` has the prizes of the age after this one, `last` those of the game's final age.
    """
    players = np.int64(view.players)
    age = np.int64(view.age)
    mine = row_at(held, 0)
    prize = now.first + coins + equal(row_at(held, LANES), ZERO, now.alone)
    ahead = rivals_ahead(players, held, mine, np.float32(firmness(view, FIRM)))
    gain, more = gains_between(mine, ahead, prize, now)
    weight = LATER
    if age < view.ages:
        ahead = rivals_ahead(players, held, mine, FIRM_LATER)
        for later in range(age, np.int64(view.ages)):
            then = following if later == age else last
            gain_then, more_then = gains_between(mine, ahead, then.first, then)
            gain = gain + gain_then * weight
            more = more + more_then * weight
            weight *= LATER
    put_row(shared, first + GAIN, gain)
    put_row(shared, first + GAIN + MORE, more)


@uncounted
def share_standings(players, held, shared, first):
    """Write the columns from SET on; return a row: how many rivals are in each region."""
    present = filled(ZERO)
    best = filled(ZERO)
    second = filled(ZERO)
    for rival in range(1, players):
        theirs = row_at(held, LANES * rival)
        present = present + over(theirs, ZERO, ONE)
        second = larger(second, smaller(best, theirs))
        best = larger(best, theirs)
    most = np.float32(at.MOST_MARKERS)
    widest = np.float32(at.WIDEST_LEAD)
    for extra in range(2):
        mine = row_at(held, 0) + np.float32(extra)
        place = first + SET + MORE * extra
        put_whole(shared, place, smaller(mine, most) + np.float32(at.MARKERS))
        place += COLUMN_STEP
        put_whole(shared, place, smaller(best, most) + np.float32(at.RIVAL_MARKERS))
        place += COLUMN_STEP
        lead = held_in(mine - best, -widest, widest)
        put_whole(shared, place, lead + np.float32(at.AHEAD + at.WIDEST_LEAD))
        place += COLUMN_STEP
        lead = held_in(mine - second, -TWO, TWO)
        put_whole(shared, place, lead + np.float32(at.AHEAD_OF_SECOND + 2))
    return present


@uncounted
def put_both(shared, place, row):
    """Write the same whole numbers to both rows of a column."""
    put_whole(shared, place, smaller(row, np.float32(MANY)))
    put_whole(shared, place + MORE, smaller(row, np.float32(MANY)))


@uncounted
def put_values(view, present, coins, now, following, last, shared, start):
    """Write the values of the inputs from PRESENT to COINED, as whole numbers of `quantised` steps.

    The columns of awards and gains must be written already.
    """
    later = np.float32(view.age < view.ages)
    most = np.float32(FINE)
    values = start + VALUED
    put_both(shared, values, present)
    put_both(shared, values + COLUMN_STEP, now.first + coins)
    put_both(shared, values + 2 * COLUMN_STEP, now.second)
    put_both(shared, values + 3 * COLUMN_STEP, now.third)
    put_both(shared, values + 4 * COLUMN_STEP, following.first * later)
    put_both(shared, values + 5 * COLUMN_STEP, following.second * later)
    put_both(shared, values + 6 * COLUMN_STEP, last.first * later)
    for extra in range(2):
        half = MORE * extra
        award = row_at(shared, start + AWARDS + half) * np.float32(AWARD_STEPS)
        put_whole(shared, values + 7 * COLUMN_STEP + half, held_in(award, -most, most))
        gain = row_at(shared, start + GAIN + half) * np.float32(AWARD_STEPS)
        put_whole(shared, values + 8 * COLUMN_STEP + half, held_in(gain, -most, most))
    put_both(shared, values + 9 * COLUMN_STEP, coins)


@uncounted
def share_regions(view, shared, first, coin):
    """Write all columns to `shared` from `first` on, with a coin of value `coin` on each region."""
    players = np.int64(view.players)
    held = floats_on_stack(HELD_ROOM)
    for player in range(players):
        put_row(held, LANES * row_of(view, player), by_region(view.markers, player))
    beaten = row_at(held, 0)
    if view.rules.both_markers:
        beaten = beaten + row_at(held, LANES)
    put_row(shared, first + NEEDED, beaten + np.float32(view.rules.markers_needed))
    coins = by_region(view.coins_on_region, 0) + np.float32(coin)
    tokens = floats_on_stack(TOKENS_ROOM)
    for place in range(MAX_AGES):
        put_row(tokens, LANES * place, by_region(view.prestige_tokens, place))
    ages = np.int64(view.ages)
    now = prizes(view, tokens, np.int64(view.age))
    following = prizes(view, tokens, min(np.int64(view.age) + 1, ages))
    last = prizes(view, tokens, ages)
    share_awards(players, held, coins, now, shared, first)
    share_gains(view, held, coins, now, following, last, shared, first)
    present = share_standings(players, held, shared, first)
    put_values(view, present, coins, now, following, last, shared, first)
