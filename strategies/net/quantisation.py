"""The net's fixed-point numbers: the scale of each input and of each weight.

Training works with real weights and inputs. `learned` plays with the nearest whole numbers, so its
sums are the same on every processor. An input is a number of steps; each input has its own step.
Weights are int16, on a scale where every product with an input fits int16. The design follows NNUE
(Nasu 2018), as Stockfish uses it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ethnos_sim.simulator.compiler import uncounted
from ethnos_sim.simulator.game.records import POWERS, REGIONS
from ethnos_sim.strategies.net import layout as at

#: The whole number that stands for an activation of 1.0, for each layer: the table's first layer,
#: the first layer for a region, the second layer.
TABLE_ONE = 1 << 11
REGION_ONE = 1 << 10
SECOND_ONE = 1 << 10

#: Activations are clipped at this whole number.
LARGEST = (1 << 15) - 1

#: The whole number that stands for a weight of 1.0: in the second layer, for units of the table and
#: for units of regions, and in the output layer.
SECOND_WEIGHT_ONE = 1 << 11
REGION_WEIGHT_ONE = SECOND_WEIGHT_ONE * TABLE_ONE // REGION_ONE
OUTPUT_WEIGHT_ONE = 1 << 13

#: The number of bits by which the second layer's sums are shifted to get its activations.
SECOND_SHIFT = (TABLE_ONE * SECOND_WEIGHT_ONE // SECOND_ONE).bit_length() - 1

#: The whole number that stands for an output of 1.0.
OUTPUT_ONE = SECOND_ONE * OUTPUT_WEIGHT_ONE

#: The largest whole number of an input, by kind of input. SET: 0 or 1. FEW: small counts. SOME: a
#: power's relative pay (`power_pay`), in eighths. MANY: cards and points. FINE: halves and quarters
#: of prestige, and cards left.
SET = 1
FEW = 7
SOME = 16
MANY = 31
FINE = 127

#: How many steps make 1.0, by kind of input: PAY_STEPS for a power's relative pay, SCORE_STEPS for
#: a lead in prestige, WORTH_STEPS for a party's worth in prestige, AWARD_STEPS for a region's award
#: and a marker's gain, MEAN_STEPS for a mean, LAST_CARD_STEPS for the reciprocal of the cards left.
PAY_STEPS = 8
SCORE_STEPS = 2
WORTH_STEPS = 2
AWARD_STEPS = 4
MEAN_STEPS = 4
LAST_CARD_STEPS = 32

#: The inputs of the table that are not just set or unset. A tuple describes consecutive inputs: the
#: index of the first input, then for each input the value of a step and the most steps.
_TABLE = (
    (at.CLOCK + len(at.CLOCK_STEPS) + 1, (1 / 30, FINE), (1 / LAST_CARD_STEPS, MANY + 1)),
    (at.IN_PLAY, *[(1 / PAY_STEPS, SOME)] * 2 * POWERS),
    (at.SCORES_MORE, *[(1.0, FEW)] * 2 * POWERS),
    (at.RULES, *[(0.2, MANY)] * (at.RIVALS - at.RULES)),
    (at.RIVALS, (0.1, MANY), (0.1 / MEAN_STEPS, FINE), (0.1, MANY)),
    (at.RIVALS + 3, (1 / 6, MANY), (1 / 6, MANY), (1 / 15 / MEAN_STEPS, FINE), (1 / 6, FEW)),
    (at.SCORE, *[(0.05 / SCORE_STEPS, FINE)] * 5),
    (at.OWN, (1 / 15, FINE), (1 / 26, MANY), (1 / 12, MANY)),
    (at.SEA, (1 / 20, MANY), (0.1, MANY), *[(1 / PAY_STEPS, SOME)] * 6, (0.1, MANY)),
    (at.LARGEST, *[(1 / PAY_STEPS, SOME)] * 3, (1 / 6, MANY), (1 / 6, MANY)),
    (at.SETTLEMENT, *[(1 / PAY_STEPS, SOME)] * 7, (1 / 6, MANY)),
    (at.TOKENS, (0.1, MANY), (0.1, MANY), (1 / 6, MANY)),
    (at.COINS, (1 / 6, MANY)),
    (at.POOL, (0.1, MANY), (1 / 3, SOME), (0.25, SOME), (0.2, MANY)),
    (at.CLAN_CARDS, *[(1 / PAY_STEPS, SOME)] * (POWERS * at.LARGEST_COUNT)),
    (at.WORTH, *[(0.1 / WORTH_STEPS, FINE)] * 3),
    (at.BEST_POWER, *[(1 / PAY_STEPS, SOME)] * POWERS),
    (at.OUTS, (0.1, MANY)),
)

#: The inputs of a region that are not just set or unset, in the same form.
_REGION = (
    (at.PRESENT, (0.2, FEW)),
    (at.AWARDS, *[(0.1, MANY)] * 6),
    (at.GAIN, (0.1 / AWARD_STEPS, FINE), (0.2 / AWARD_STEPS, FINE)),
    (at.COINED, (0.2, MANY)),
    (at.MOMENT + 3, (1 / 30, FINE), (1 / 6, FEW)),
)


def _input_scales(count: int, scales: tuple[Any, ...]) -> np.ndarray:
    """The value of a step and the most steps of each input (float64, shape (count, 2))."""
    sizes = np.ones((count, 2))
    for first, *steps in scales:
        sizes[first : first + len(steps)] = steps
    return sizes


#: The value of a step of each input of a position, in the order of the layout.
INPUT_STEPS = np.concatenate(
    [_input_scales(at.TABLE_INPUTS, _TABLE)[:, 0]]
    + [_input_scales(at.REGION_INPUTS, _REGION)[:, 0]] * REGIONS
)


def _weight_scales() -> tuple[np.ndarray, np.ndarray]:
    """For each weight, the whole number that stands for 1.0, and the largest number (float64)."""
    one, most = np.ones(at.WEIGHTS_SIZE), np.full(at.WEIGHTS_SIZE, float(LARGEST))
    table, region = _input_scales(at.TABLE_INPUTS, _TABLE), _input_scales(at.REGION_INPUTS, _REGION)
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


WEIGHT_ONE, MOST = _weight_scales()


def round_weights(weights: np.ndarray) -> np.ndarray:
    """Round weights to what `quantise` can represent; keep their scale, shape and dtype."""
    multiples: np.ndarray = np.rint(weights * WEIGHT_ONE) / WEIGHT_ONE
    return multiples.astype(weights.dtype)


def quantise(weights: np.ndarray) -> np.ndarray:
    """The int16 weights that `learned` plays by, in the order of the layout.

    In the second layer, each two consecutive rows are interleaved unit by unit.

    Raises:
        ValueError: a weight, or a sum that some position might reach, is too large.
    """
    steps: np.ndarray = np.rint(weights * WEIGHT_ONE)
    sums = steps[at.SECOND_ROWS : at.SECOND_BIAS].reshape(at.JOINT_UNITS, at.SECOND_UNITS)
    outputs = steps[at.OUTPUT_ROWS : at.OUTPUT_BIAS].reshape(at.OUTPUTS, at.SECOND_UNITS)
    most_sum = LARGEST * max(np.abs(sums).sum(axis=0).max(), np.abs(outputs).sum(axis=1).max())
    if (np.abs(steps) > MOST).any() or most_sum + LARGEST * TABLE_ONE >= 1 << 31:
        raise ValueError("a weight or a sum is too large for the whole numbers of the strategy")
    pairs = sums.reshape(-1, 2, at.SECOND_UNITS).swapaxes(1, 2)
    steps[at.SECOND_ROWS : at.SECOND_BIAS] = pairs.ravel()
    whole: np.ndarray = steps.astype(np.int16)
    return whole


@uncounted
def clip(value, limit):
    """A whole number, clipped to -limit ... limit."""
    return min(max(value, -limit), limit)


@uncounted
def whole_steps(value, limit):
    """A value, rounded to a whole number (halves upwards) and clipped to -limit ... limit."""
    return np.int64(min(max(value, -limit), limit) + (limit + 0.5)) - limit
