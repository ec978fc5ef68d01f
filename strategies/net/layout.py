"""The net's shape: the index of each input, and where each layer begins in the weight array.

The table's inputs and a region's inputs have separate first layers. The region layer is the same
for all six regions and is summed over them after the rectifier. Both feed a second layer, which
feeds the outputs. Inputs of a power are scaled by the power's relative pay (`power_pay`), so a
power that pays nothing counts 0. Further inputs are the rule values in force, of each clan in play
and of the table.
"""

from __future__ import annotations

from ethnos_sim.simulator.game.records import POWERS, REGIONS

#: How many units each layer has: the first layer for the table, the first layer for a region, the
#: second layer, and the outputs.
TABLE_UNITS = 48
REGION_UNITS = 16
SECOND_UNITS = 32
OUTPUTS = 2

#: The outputs: the logit of the chance to win, and the final margin over the best rival.
WIN = 0
MARGIN = 1

#: How much prestige a margin of 1.0 stands for.
MARGIN_SCALE = 20.0

#: The weight of the margin in a move's value, which is the win's logit plus the weighted margin.
MARGIN_WEIGHT = 2.0

#: The upper ends of the clock's steps, in expected cards until the last dragon.
CLOCK_STEPS = (1.0, 2.0, 3.5, 6.0, 9.0, 13.0, 18.0, 25.0, 35.0)

#: The upper ends of the steps of the lead over the best rival, in prestige if the age ended now.
LEAD_STEPS = (-30.0, -18.0, -10.0, -5.0, -1.0, 1.0, 5.0, 10.0, 18.0, 30.0)

#: The upper ends of the steps of the worth of the hand's best party, in prestige.
WORTH_STEPS = (1.0, 3.0, 5.0, 8.0, 11.0, 15.0, 20.0)

#: The value of the RULES input that says that wild cards score. Other RULES inputs are differences
#: from the printed rules, of about this size.
SCORED_WILD = 5

#: Values of the printed rules. If an age has more dragons, the net sees only the last three.
USUAL_DRAGONS = 3
USUAL_POINTS = (0, 0, 1, 3, 6, 10, 15)
USUAL_SPACES = 18

LARGEST_COUNT = 5
LARGEST_GROUP = 8
LARGEST_HAND = 10
MOST_MARKERS = 6
WIDEST_LEAD = 4


def _block_starts(*sizes: int) -> tuple[int, ...]:
    """The starts of consecutive blocks of these sizes, and the end of the last block."""
    starts = [0]
    for size in sizes:
        starts.append(starts[-1] + size)
    return tuple(starts)


# Inputs of the table, by subject. "One of" means an input for each case, of which one is set.
(
    PLAYERS,  # one of 2 to 6
    AGES_LEFT,  # ages after this age, one of 0 to 2
    DRAGONS,  # dragons seen, one of 0 to 2
    CLOCK,  # one of the clock's steps; the cards left, and their reciprocal
    RECRUITMENT,
    IN_PLAY,  # by power: in play
    BARRED,  # by power: in play, but the player may not lead it
    SCORES_MORE,  # by power: cards added to a party's size for scoring
    COUNTS_MORE,  # by power: cards added to a party's size for placing a marker
    PLACES_NONE,  # by power: its parties place no marker
    NEEDS_MARKER,  # by power: it acts only if the party places a marker
    RULES,  # differences from the printed rules: points by size, limits, dragons, cards, powers
    RIVALS,  # cards in hand: next player, mean, most; known groups: next, largest; mean points
    SCORE,  # leads over the best, second, mean rival with this age's awards; best, mean without
    LEAD,  # one of the lead's steps
    OWN,  # party points, supply, markers on the board
    SEA,  # own space, lead, one of six standings, distance to the next symbol
    LARGEST,  # held by nobody, the player, a rival; its size if the player, if a rival holds it
    SETTLEMENT,  # own markers, one of 0 to 6; the most markers of a rival
    TOKENS,  # own sum, the best rival's sum, the highest free token
    COINS,  # the value of the next coin
    PENDING,  # a second party may follow; one or two extra markers are still to be placed
    UNKNOWN,  # cards drawn and not seen yet, one of 1 to 7
    POOL,  # cards, wild cards, cards that fit the hand's best group, gift to the next player
    PARTY,  # the move plays a party
    HAND_SIZE,  # one of 0 to 10
    CLAN_CARDS,  # by power: cards of the clan in hand, one of 1 to 5
    CLAN_GROUP,  # cards of the largest clan, wild cards included, one of 0 to 8
    COLOR_GROUP,  # cards of the largest color, wild cards included, one of 0 to 8
    WORTH,  # of the best party, the best party of another group, the best after one more card
    WORTH_STEP,  # one of the steps of the best party's worth
    BEST_POWER,  # the power of the best party's leader
    OUTS,  # unseen cards that join the best group
    TABLE_INPUTS,
) = _block_starts(
    5,
    3,
    3,
    len(CLOCK_STEPS) + 1 + 2,
    1,
    *[POWERS] * 6,
    17,
    7,
    5,
    len(LEAD_STEPS) + 1,
    3,
    9,
    5,
    8,
    3,
    1,
    3,
    7,
    4,
    1,
    LARGEST_HAND + 1,
    POWERS * LARGEST_COUNT,
    LARGEST_GROUP + 1,
    LARGEST_GROUP + 1,
    3,
    len(WORTH_STEPS) + 1,
    POWERS,
    1,
)

# Inputs of a region.
(
    MARKERS,  # own markers, one of 0 to 6
    RIVAL_MARKERS,  # the best rival's markers, one of 0 to 6
    AHEAD,  # own lead over the best rival, one of -4 to 4
    AHEAD_OF_SECOND,  # own lead over the second-best rival, one of -2 to 2
    PRESENT,  # the number of rivals with a marker
    AWARDS,  # first, second, third place now; first, second in the next age; first in the last age
    GAIN,  # own award now; the gain from one more marker
    COINED,  # the coins on the region
    MOMENT,  # ages left (one of 0 to 2), clock, players
    COLOR_CARDS,  # cards of the color in hand, one of 0 to 5
    REACH,  # no leader; or the best leader's strength less the need: below -2, or one of -2 to 2
    REGION_INPUTS,
) = _block_starts(7, 7, 2 * WIDEST_LEAD + 1, 5, 1, 6, 2, 1, 5, LARGEST_COUNT + 1, 7)

INPUTS = TABLE_INPUTS + REGIONS * REGION_INPUTS
FIRST_UNITS = TABLE_UNITS + REGIONS * REGION_UNITS
JOINT_UNITS = TABLE_UNITS + REGION_UNITS

#: Tables of two sizes have different rules: tables of up to 3 players, and larger tables.
TABLES = 2

# The flat weight array: for each layer, a row of numbers for each input, then the layer's biases.
# The pay of each power in the net's training (`power_pay`) comes last, by size of the table.
(
    TABLE_ROWS,
    TABLE_BIAS,
    REGION_ROWS,
    REGION_BIAS,
    SECOND_ROWS,
    SECOND_BIAS,
    OUTPUT_ROWS,
    OUTPUT_BIAS,
    PRINTED_PAYS,
    WEIGHTS_SIZE,
) = _block_starts(
    TABLE_INPUTS * TABLE_UNITS,
    TABLE_UNITS,
    REGION_INPUTS * REGION_UNITS,
    REGION_UNITS,
    JOINT_UNITS * SECOND_UNITS,
    SECOND_UNITS,
    OUTPUTS * SECOND_UNITS,
    OUTPUTS,
    TABLES * POWERS,
)
