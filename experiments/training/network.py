"""The net of `strategies.net` in NumPy: forward pass, gradient, and steps of Adam.

Arrays are float32, with a row for each position and the columns of `net.layout`. The forward pass
rounds weights and activations to the whole numbers by which `learned` plays, so the net that is
trained is the net that plays. The gradient ignores the rounding (Jacob et al. 2018).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ethnos_sim.simulator.game.records import REGIONS
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.strategies.net import layout as at
from ethnos_sim.strategies.net.power_pay import pays_by_power
from ethnos_sim.strategies.net.quantisation import (
    LARGEST,
    MOST,
    REGION_ONE,
    SECOND_ONE,
    TABLE_ONE,
    WEIGHT_ONE,
    round_weights,
)

#: The loss weight of the margin's squared error; the win's cross entropy has weight 1.
MARGIN_LOSS_WEIGHT = 0.5

# Moves are chosen by value (`afterstates.values.best_move_number`), so the loss has two more parts.
#: The weight of the squared error of the differences in value between a decision's moves.
DIFFERENCE_LOSS_WEIGHT = 2.0
#: The weight of the cross entropy of the choice between a decision's moves.
CHOICE_LOSS_WEIGHT = 24.0
#: A move is chosen e times as often as a move whose value is lower by this much.
TEMPERATURE = 0.2

# Adam (Kingma, Ba 2015).
#: The decay of the mean of gradients.
DECAY = 0.9
#: The decay of the mean of squared gradients.
SQUARE_DECAY = 0.999
#: Added to the denominator of a step.
ADAM_EPSILON = 1e-8

#: The largest absolute value of each weight (float32).
LARGEST_WEIGHTS = (MOST / WEIGHT_ONE).astype(np.float32)


@dataclass(frozen=True)
class Layers:
    """The weights and biases of each layer, as views of a flat array of weights."""

    table: np.ndarray
    table_bias: np.ndarray
    region: np.ndarray
    region_bias: np.ndarray
    second: np.ndarray
    second_bias: np.ndarray
    output: np.ndarray
    output_bias: np.ndarray


def layers(weights: np.ndarray) -> Layers:
    """The layers of a flat array of weights, shape (WEIGHTS_SIZE,)."""
    return Layers(
        weights[at.TABLE_ROWS : at.TABLE_BIAS].reshape(at.TABLE_INPUTS, at.TABLE_UNITS),
        weights[at.TABLE_BIAS : at.REGION_ROWS],
        weights[at.REGION_ROWS : at.REGION_BIAS].reshape(at.REGION_INPUTS, at.REGION_UNITS),
        weights[at.REGION_BIAS : at.SECOND_ROWS],
        weights[at.SECOND_ROWS : at.SECOND_BIAS].reshape(at.JOINT_UNITS, at.SECOND_UNITS),
        weights[at.SECOND_BIAS : at.OUTPUT_ROWS],
        weights[at.OUTPUT_ROWS : at.OUTPUT_BIAS].reshape(at.OUTPUTS, at.SECOND_UNITS),
        weights[at.OUTPUT_BIAS : at.PRINTED_PAYS],
    )


def initial_weights(seed: int, rules: Rules) -> np.ndarray:
    """Random weights (float32) to begin with: normal, and smaller where many inputs are set.

    After the weights comes what each power pays under `rules`, which training never changes.
    """
    random = np.random.default_rng([seed, 0])
    weights = np.zeros(at.WEIGHTS_SIZE, np.float32)
    parts = layers(weights)
    for layer, scale in (
        (parts.table, 0.1),
        (parts.region, 0.16),
        (parts.second, 0.075),
        (parts.output, 0.05),
    ):
        layer[:] = scale * random.standard_normal(layer.shape)
    weights[at.PRINTED_PAYS :] = pays_by_power(rules)
    return weights


@dataclass(frozen=True)
class ForwardPass:
    """The inputs of a net for some positions, the activations of its layers, and its outputs."""

    table_inputs: np.ndarray
    region_inputs: np.ndarray
    table_units: np.ndarray
    region_units: np.ndarray
    joint_units: np.ndarray
    second_units: np.ndarray
    outputs: np.ndarray


def activations(sums: np.ndarray, unit: int, rounding: Any) -> np.ndarray:
    """Turn a layer's sums into its activations, in place.

    Args:
        sums: the sums, of any shape.
        unit: the whole number that stands for 1; rounded activations are multiples of 1 / `unit`.
        rounding: `np.rint`, `np.floor`, or None for no rounding.
    """
    if rounding is not None:
        sums *= unit
        rounding(sums, out=sums)
        sums /= unit
    return np.clip(sums, 0, LARGEST / unit, out=sums)


def forward(weights: np.ndarray, inputs: np.ndarray, *, exact: bool = False) -> ForwardPass:
    """The layers' activations and the outputs for inputs of shape (positions, INPUTS).

    The compiled net has equal outputs, to the last digit if weights are float64. `exact` turns
    rounding off.
    """
    net = layers(weights if exact else round_weights(weights))
    nearest, below = (None, None) if exact else (np.rint, np.floor)
    table = inputs[:, : at.TABLE_INPUTS]
    regions = inputs[:, at.TABLE_INPUTS :].reshape(-1, at.REGION_INPUTS)
    table_units = activations(table @ net.table + net.table_bias, TABLE_ONE, nearest)
    region_units = activations(regions @ net.region + net.region_bias, REGION_ONE, nearest)
    summed = region_units.reshape(len(inputs), REGIONS, -1).sum(axis=1)
    joint = np.concatenate([table_units, np.minimum(summed, LARGEST / REGION_ONE)], axis=1)
    second = activations(joint @ net.second + net.second_bias, SECOND_ONE, below)
    outputs = second @ net.output.T + net.output_bias
    return ForwardPass(table, regions, table_units, region_units, joint, second, outputs)


def logistic(logits: np.ndarray) -> np.ndarray:
    """The logistic function."""
    return np.asarray(1.0 / (1.0 + np.exp(-logits)))


def logit(chances: np.ndarray) -> np.ndarray:
    """The logits of chances, clipped to the range that a net can output."""
    clipped = np.clip(chances, 1e-3, 1 - 1e-3)
    return np.asarray(np.log(clipped / (1 - clipped)))


@dataclass(frozen=True)
class DecisionGroups:
    """Positions grouped by decision: the index of the first position of a group, and its size."""

    starts: np.ndarray
    sizes: np.ndarray

    @classmethod
    def from_numbers(cls, decisions: np.ndarray) -> DecisionGroups:
        """Group positions by the numbers of their decisions; equal numbers are adjacent."""
        starts = np.flatnonzero(np.diff(decisions, prepend=-1))
        return cls(starts, np.diff(starts, append=len(decisions)))

    def differences(self, values: np.ndarray) -> np.ndarray:
        """The values of moves, less the mean value of all moves of the decision."""
        means = np.add.reduceat(values, self.starts) / self.sizes
        return np.asarray(values - np.repeat(means, self.sizes))

    def choice_chances(self, values: np.ndarray) -> np.ndarray:
        """The probability of each move in a random choice that prefers high values."""
        most = np.repeat(np.maximum.reduceat(values, self.starts), self.sizes)
        likely = np.exp((values - most) / TEMPERATURE)
        totals = np.add.reduceat(likely, self.starts)
        return np.asarray(likely / np.repeat(totals, self.sizes))


def gradient(
    weights: np.ndarray,
    inputs: np.ndarray,
    wins: np.ndarray,
    margins: np.ndarray,
    decisions: np.ndarray,
    *,
    exact: bool = False,
) -> tuple[np.ndarray, float]:
    """The gradient of the loss by weight, and the loss.

    The loss is a weighted sum of the win's cross entropy, the margin's squared error, the squared
    error of differences between a decision's moves, and the cross entropy of the choice of a move.

    Args:
        weights: shape (WEIGHTS_SIZE,).
        inputs: shape (positions, INPUTS).
        wins: the targets of the chances to win, shape (positions,).
        margins: the targets of the margins, in units of MARGIN_SCALE.
        decisions: the number of each position's decision; equal numbers are adjacent.
        exact: whether the forward pass computes without rounding.
    """
    net = layers(weights)
    passed = forward(weights, inputs, exact=exact)
    slope = np.zeros_like(weights)
    by = layers(slope)
    expected = logistic(passed.outputs[:, at.WIN])
    error = np.empty_like(passed.outputs)
    error[:, at.WIN] = expected - wins
    error[:, at.MARGIN] = MARGIN_LOSS_WEIGHT * (passed.outputs[:, at.MARGIN] - margins)
    values = passed.outputs[:, at.WIN] + at.MARGIN_WEIGHT * passed.outputs[:, at.MARGIN]
    wanted = logit(wins) + at.MARGIN_WEIGHT * margins
    groups = DecisionGroups.from_numbers(decisions)
    chosen, best = groups.choice_chances(values), groups.choice_chances(wanted)
    differences = groups.differences(values - wanted)
    by_value = DIFFERENCE_LOSS_WEIGHT * differences + CHOICE_LOSS_WEIGHT * (chosen - best)
    error[:, at.WIN] += by_value
    error[:, at.MARGIN] += at.MARGIN_WEIGHT * by_value
    error /= len(inputs)
    by.output[:] = error.T @ passed.second_units
    by.output_bias[:] = error.sum(axis=0)
    second = (error @ net.output) * (passed.second_units > 0)
    by.second[:] = passed.joint_units.T @ second
    by.second_bias[:] = second.sum(axis=0)
    joint = second @ net.second.T
    first = joint[:, : at.TABLE_UNITS] * (passed.table_units > 0)
    by.table[:] = passed.table_inputs.T @ first
    by.table_bias[:] = first.sum(axis=0)
    regions = np.repeat(joint[:, at.TABLE_UNITS :], REGIONS, axis=0) * (passed.region_units > 0)
    by.region[:] = passed.region_inputs.T @ regions
    by.region_bias[:] = regions.sum(axis=0)
    entropy = -(wins * np.log(expected + 1e-7) + (1 - wins) * np.log(1 - expected + 1e-7)).mean()
    square = ((passed.outputs[:, at.MARGIN] - margins) ** 2).mean()
    loss = entropy + MARGIN_LOSS_WEIGHT * square / 2
    loss += DIFFERENCE_LOSS_WEIGHT * (differences**2).mean() / 2
    loss -= CHOICE_LOSS_WEIGHT * TEMPERATURE * (best * np.log(chosen + 1e-30)).mean()
    return slope, float(loss)


def adam_step(
    weights: np.ndarray,
    means: np.ndarray,
    squares: np.ndarray,
    slope: np.ndarray,
    step: int,
    rate: float,
) -> None:
    """Take a step of Adam along a gradient, in place; `step` counts steps from 1.

    Weights are clipped to the range of the whole numbers by which `learned` plays.
    """
    means += np.float32(1 - DECAY) * (slope - means)
    squares += np.float32(1 - SQUARE_DECAY) * (slope * slope - squares)
    mean = means / np.float32(1 - DECAY**step)
    square = squares / np.float32(1 - SQUARE_DECAY**step)
    weights -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(ADAM_EPSILON))
    np.clip(weights, -LARGEST_WEIGHTS, LARGEST_WEIGHTS, out=weights)
