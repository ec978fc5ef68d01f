"""The net's whole numbers: what one of each input and of each weight stands for.

Training works with real weights and inputs. `learned` plays with the nearest whole numbers, so its
sums are the same on every processor: inputs count steps of a size of their own, and weights are
int16, in steps so small that no product with an input leaves int16. After NNUE (Nasu 2018), as
Stockfish has it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ethnos_sim.simulator.compiler import uncounted
from ethnos_sim.simulator.records import POWERS, REGIONS
from ethnos_sim.strategies.afterstates import layout as at

#: What an activation of one is as a whole number: of the table's first layer, of the regions' and
#: of the second layer. Activations end at `LARGEST`.
TABLE_ONE = 1 << 11
REGION_ONE = 1 << 10
SECOND_ONE = 1 << 10
LARGEST = (1 << 15) - 1

#: What a weight of one is: of the second layer for the table and for the regions, of the outputs.
SECOND_WEIGHT_ONE = 1 << 11
REGION_WEIGHT_ONE = SECOND_WEIGHT_ONE * TABLE_ONE // REGION_ONE
OUTPUT_WEIGHT_ONE = 1 << 13

#: The bits by which the second layer's sums are shifted to its activations.
SECOND_SHIFT = (TABLE_ONE * SECOND_WEIGHT_ONE // SECOND_ONE).bit_length() - 1

#: What an output of one is.
OUTPUT_ONE = SECOND_ONE * OUTPUT_WEIGHT_ONE

#: The most that an input is as a whole number: set or not; a few; parts of what a power paid where
#: the net learned, in eighths; cards and points; halves and quarters of prestige, cards left.
SET = 1
FEW = 7
SOME = 16
MANY = 31
FINE = 127

#: How many steps one has: of a part, of a lead and a party's worth in prestige, of a region's award
#: and what a marker adds to it, of a mean, and of the part of the clock that one card is.
PART_STEPS = 8
SCORE_STEPS = 2
WORTH_STEPS = 2
AWARD_STEPS = 4
MEAN_STEPS = 4
LAST_CARD_STEPS = 32

#: The inputs of the table that are more than set or not: where they begin, what a step counts as,
#: and the most steps.
_TABLE = (
    (at.CLOCK + len(at.CLOCK_STEPS) + 1, (1 / 30, FINE), (1 / LAST_CARD_STEPS, MANY + 1)),
    (at.IN_PLAY, *[(1 / PART_STEPS, SOME)] * 2 * POWERS),
    (at.SCORES_MORE, *[(1.0, FEW)] * 2 * POWERS),
    (at.RULES, *[(0.2, MANY)] * (at.RIVALS - at.RULES)),
    (at.RIVALS, (0.1, MANY), (0.1 / MEAN_STEPS, FINE), (0.1, MANY)),
    (at.RIVALS + 3, (1 / 6, MANY), (1 / 6, MANY), (1 / 15 / MEAN_STEPS, FINE), (1 / 6, FEW)),
    (at.SCORE, *[(0.05 / SCORE_STEPS, FINE)] * 5),
    (at.OWN, (1 / 15, FINE), (1 / 26, MANY), (1 / 12, MANY)),
    (at.SEA, (1 / 20, MANY), (0.1, MANY), *[(1 / PART_STEPS, SOME)] * 6, (0.1, MANY)),
    (at.LARGEST, *[(1 / PART_STEPS, SOME)] * 3, (1 / 6, MANY), (1 / 6, MANY)),
    (at.SETTLEMENT, *[(1 / PART_STEPS, SOME)] * 7, (1 / 6, MANY)),
    (at.TOKENS, (0.1, MANY), (0.1, MANY), (1 / 6, MANY)),
    (at.COINS, (1 / 6, MANY)),
    (at.POOL, (0.1, MANY), (1 / 3, SOME), (0.25, SOME), (0.2, MANY)),
    (at.CLAN_CARDS, *[(1 / PART_STEPS, SOME)] * (POWERS * at.LARGEST_COUNT)),
    (at.WORTH, *[(0.1 / WORTH_STEPS, FINE)] * 3),
    (at.BEST_POWER, *[(1 / PART_STEPS, SOME)] * POWERS),
    (at.OUTS, (0.1, MANY)),
)

#: The same of a region.
_REGION = (
    (at.PRESENT, (0.2, FEW)),
    (at.AWARDS, *[(0.1, MANY)] * 6),
    (at.GAIN, (0.1 / AWARD_STEPS, FINE), (0.2 / AWARD_STEPS, FINE)),
    (at.COINED, (0.2, MANY)),
    (at.MOMENT + 3, (1 / 30, FINE), (1 / 6, FEW)),
)


def _inputs(count: int, told: tuple[Any, ...]) -> np.ndarray:
    """What a step of each input counts as, and the most steps (float64, shape (count, 2))."""
    found = np.ones((count, 2))
    for first, *steps in told:
        found[first : first + len(steps)] = steps
    return found


#: What a step of each of a position's inputs counts as, in the order of the layout.
INPUT_STEPS = np.concatenate(
    [_inputs(at.TABLE_INPUTS, _TABLE)[:, 0]] + [_inputs(at.REGION_INPUTS, _REGION)[:, 0]] * REGIONS
)


def _weights() -> tuple[np.ndarray, np.ndarray]:
    """The whole number that a weight of one is, and the largest of each weight (float64)."""
    one, most = np.ones(at.WEIGHTS_SIZE), np.full(at.WEIGHTS_SIZE, float(LARGEST))
    table, region = _inputs(at.TABLE_INPUTS, _TABLE), _inputs(at.REGION_INPUTS, _REGION)
    for rows, bias, end, inputs, first in (
        (at.TABLE_ROWS, at.TABLE_BIAS, at.REGION_ROWS, table, TABLE_ONE),
        (at.REGION_ROWS, at.REGION_BIAS, at.SECOND_ROWS, region, REGION_ONE),
    ):
        units = (bias - rows) // len(inputs)
        one[rows:bias] = np.repeat(inputs[:, 0] * first, units)
        most[rows:bias] = np.repeat(LARGEST // inputs[:, 1], units)
        one[bias:end] = first
    regions = at.SECOND_ROWS + at.TABLE_UNITS * at.SECOND_UNITS
    one[at.SECOND_ROWS : regions] = SECOND_WEIGHT_ONE
    one[regions : at.SECOND_BIAS] = REGION_WEIGHT_ONE
    one[at.SECOND_BIAS : at.OUTPUT_ROWS] = SECOND_WEIGHT_ONE
    one[at.OUTPUT_ROWS : at.PRINTED_PAYS] = OUTPUT_WEIGHT_ONE
    return one, most


WEIGHT_ONE, MOST = _weights()


def rounded(weights: np.ndarray) -> np.ndarray:
    """The weights that the whole numbers nearest to some stand for (their shape and kind)."""
    found: np.ndarray = np.rint(weights * WEIGHT_ONE) / WEIGHT_ONE
    return found.astype(weights.dtype)


def quantised(weights: np.ndarray) -> np.ndarray:
    """A net's weights as `learned` plays by them: int16, in the order of the layout.

    Of the second layer the rows of two inputs stand together, unit by unit.

    Raises:
        ValueError: a weight, or a sum that some position might have, is too large for that.
    """
    found: np.ndarray = np.rint(weights * WEIGHT_ONE)
    sums = found[at.SECOND_ROWS : at.SECOND_BIAS].reshape(at.JOINT_UNITS, at.SECOND_UNITS)
    outputs = found[at.OUTPUT_ROWS : at.OUTPUT_BIAS].reshape(at.OUTPUTS, at.SECOND_UNITS)
    most_sum = LARGEST * max(np.abs(sums).sum(axis=0).max(), np.abs(outputs).sum(axis=1).max())
    if (np.abs(found) > MOST).any() or most_sum + LARGEST * TABLE_ONE >= 1 << 31:
        raise ValueError("weights that are too large for the whole numbers that it plays by")
    pairs = sums.reshape(-1, 2, at.SECOND_UNITS).swapaxes(1, 2)
    found[at.SECOND_ROWS : at.SECOND_BIAS] = pairs.ravel()
    whole: np.ndarray = found.astype(np.int16)
    return whole


@uncounted
def held(value, most):
    """A whole number held between two of one size."""
    return min(max(value, -most), most)


@uncounted
def steps(value, most):
    """The whole number nearest to a value, halves upwards, held between two of one size."""
    return np.int64(min(max(value, -most), most) + (most + 0.5)) - most
