"""The net of `strategies.net` in NumPy: forward pass, gradient, and steps of Adam.

Everything is float32 and dense, with a row for each position, in the order of `net.layout`.
The forward pass rounds weights and activations to the whole numbers that `learned` plays by. The
gradient ignores the rounding (Jacob et al. 2018). So the net that is trained is the net that plays.
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

#: The weight of the margin's squared error in the loss; the win's cross entropy has weight 1.
MARGIN_PART = 0.5

# Moves are chosen by value (`afterstates.values.best_of`), so the loss has two more parts.
#: The weight of the squared error of differences in value between a decision's moves.
DIFFERENCES_PART = 2.0
#: The weight of the cross entropy of the choice between a decision's moves.
CHOICE_PART = 24.0
#: In this choice a move is e times as likely as a move whose value is lower by this much.
TEMPERATURE = 0.2

# Adam (Kingma, Ba 2015).
#: The decay of the gradients' mean.
DECAY = 0.9
#: The decay of the gradients' mean square.
SQUARE_DECAY = 0.999
#: The number that is added to the denominator.
LEAST = 1e-8


#: The largest absolute value of each weight (float32).
BOUNDS = (MOST / WEIGHT_ONE).astype(np.float32)


@dataclass(frozen=True)
class Layers:
    """The layers of a flat weight array, as views of it."""

    table: np.ndarray
    table_bias: np.ndarray
    region: np.ndarray
    region_bias: np.ndarray
    second: np.ndarray
    second_bias: np.ndarray
    output: np.ndarray
    output_bias: np.ndarray


def layers(weights: np.ndarray) -> Layers:
    """The layers of a weight array (shape (WEIGHTS_SIZE,))."""
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


def first_weights(seed: int, rules: Rules) -> np.ndarray:
    """The first weights (float32): normal, scaled by the usual number of inputs that are set.

    Behind them the array holds the pay of each power under `rules`, which training never changes.
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
class Pass:
    """The values of every layer for some positions."""

    table: np.ndarray
    regions: np.ndarray
    first: np.ndarray
    of_regions: np.ndarray
    joint: np.ndarray
    second: np.ndarray
    outputs: np.ndarray


def activations(sums: np.ndarray, one: int, rounding: Any) -> np.ndarray:
    """A layer's activations for its sums, in place; multiples of 1 / `one` if they are rounded.

    Args:
        sums: of any shape.
        one: the whole number for an activation of 1.
        rounding: `np.rint`, `np.floor`, or None for no rounding.
    """
    if rounding is not None:
        sums *= one
        rounding(sums, out=sums)
        sums /= one
    return np.clip(sums, 0, LARGEST / one, out=sums)


def forward(weights: np.ndarray, inputs: np.ndarray, *, exact: bool = False) -> Pass:
    """The net's outputs for inputs of shape (positions, INPUTS), one column for each output.

    The compiled net has equal outputs, to the last digit if weights are float64. `exact` turns
    rounding off.
    """
    net = layers(weights if exact else round_weights(weights))
    nearest, below = (None, None) if exact else (np.rint, np.floor)
    table = inputs[:, : at.TABLE_INPUTS]
    regions = inputs[:, at.TABLE_INPUTS :].reshape(-1, at.REGION_INPUTS)
    first = activations(table @ net.table + net.table_bias, TABLE_ONE, nearest)
    of_regions = activations(regions @ net.region + net.region_bias, REGION_ONE, nearest)
    summed = of_regions.reshape(len(inputs), REGIONS, -1).sum(axis=1)
    joint = np.concatenate([first, np.minimum(summed, LARGEST / REGION_ONE)], axis=1)
    second = activations(joint @ net.second + net.second_bias, SECOND_ONE, below)
    outputs = second @ net.output.T + net.output_bias
    return Pass(table, regions, first, of_regions, joint, second, outputs)


def chance(logits: np.ndarray) -> np.ndarray:
    """The logistic function."""
    chances: np.ndarray = 1.0 / (1.0 + np.exp(-logits))
    return chances


def logit(chances: np.ndarray) -> np.ndarray:
    """The logits of chances, which are clipped to what a net can output."""
    held = np.clip(chances, 1e-3, 1 - 1e-3)
    logits: np.ndarray = np.log(held / (1 - held))
    return logits


@dataclass(frozen=True)
class Decisions:
    """Positions by decision: the first move and the number of moves of each decision."""

    starts: np.ndarray
    sizes: np.ndarray

    @classmethod
    def of(cls, turns: np.ndarray) -> Decisions:
        """Group positions by decision number; the moves of a decision are neighbours."""
        starts = np.flatnonzero(np.diff(turns, prepend=-1))
        return cls(starts, np.diff(starts, append=len(turns)))

    def differences(self, values: np.ndarray) -> np.ndarray:
        """Each value less the mean value of its decision's moves."""
        means = np.add.reduceat(values, self.starts) / self.sizes
        centered: np.ndarray = values - np.repeat(means, self.sizes)
        return centered

    def choices(self, values: np.ndarray) -> np.ndarray:
        """The probability of each move in a choice that prefers better moves."""
        most = np.repeat(np.maximum.reduceat(values, self.starts), self.sizes)
        likely = np.exp((values - most) / TEMPERATURE)
        chances: np.ndarray = likely / np.repeat(np.add.reduceat(likely, self.starts), self.sizes)
        return chances


def gradient(
    weights: np.ndarray,
    inputs: np.ndarray,
    wins: np.ndarray,
    margins: np.ndarray,
    turns: np.ndarray,
    *,
    exact: bool = False,
) -> tuple[np.ndarray, float]:
    """The loss's gradient by weight, and the loss.

    The loss is the win's cross entropy and a part of the margin's squared error. Decisions with
    several moves add parts of the squared error of differences and of the choice's cross entropy.

    Args:
        weights: shape (WEIGHTS_SIZE,).
        inputs: shape (positions, INPUTS).
        wins: the targets of chances to win, shape (positions,).
        margins: the targets of margins, in units of MARGIN_SCALE.
        turns: the decision's number of each position; a decision's moves are neighbours.
        exact: whether the forward pass computes without rounding.
    """
    net = layers(weights)
    passed = forward(weights, inputs, exact=exact)
    slope = np.zeros_like(weights)
    by = layers(slope)
    expected = chance(passed.outputs[:, at.WIN])
    error = np.empty_like(passed.outputs)
    error[:, at.WIN] = expected - wins
    error[:, at.MARGIN] = MARGIN_PART * (passed.outputs[:, at.MARGIN] - margins)
    values = passed.outputs[:, at.WIN] + at.MARGIN_WEIGHT * passed.outputs[:, at.MARGIN]
    wanted = logit(wins) + at.MARGIN_WEIGHT * margins
    decisions = Decisions.of(turns)
    chosen, best = decisions.choices(values), decisions.choices(wanted)
    differences = decisions.differences(values - wanted)
    by_value = DIFFERENCES_PART * differences + CHOICE_PART * (chosen - best)
    error[:, at.WIN] += by_value
    error[:, at.MARGIN] += at.MARGIN_WEIGHT * by_value
    error /= len(inputs)
    by.output[:] = error.T @ passed.second
    by.output_bias[:] = error.sum(axis=0)
    second = (error @ net.output) * (passed.second > 0)
    by.second[:] = passed.joint.T @ second
    by.second_bias[:] = second.sum(axis=0)
    joint = second @ net.second.T
    first = joint[:, : at.TABLE_UNITS] * (passed.first > 0)
    by.table[:] = passed.table.T @ first
    by.table_bias[:] = first.sum(axis=0)
    regions = np.repeat(joint[:, at.TABLE_UNITS :], REGIONS, axis=0) * (passed.of_regions > 0)
    by.region[:] = passed.regions.T @ regions
    by.region_bias[:] = regions.sum(axis=0)
    entropy = -(wins * np.log(expected + 1e-7) + (1 - wins) * np.log(1 - expected + 1e-7)).mean()
    square = ((passed.outputs[:, at.MARGIN] - margins) ** 2).mean()
    loss = entropy + MARGIN_PART * square / 2 + DIFFERENCES_PART * (differences**2).mean() / 2
    loss -= CHOICE_PART * TEMPERATURE * (best * np.log(chosen + 1e-30)).mean()
    return slope, float(loss)


def step(
    weights: np.ndarray,
    means: np.ndarray,
    squares: np.ndarray,
    slope: np.ndarray,
    number: int,
    rate: float,
) -> None:
    """Take Adam's step number 1, 2 ... along a gradient, in place.

    Weights are clipped to what the whole numbers can hold.
    """
    means += np.float32(1 - DECAY) * (slope - means)
    squares += np.float32(1 - SQUARE_DECAY) * (slope * slope - squares)
    mean = means / np.float32(1 - DECAY**number)
    square = squares / np.float32(1 - SQUARE_DECAY**number)
    weights -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(LEAST))
    np.clip(weights, -BOUNDS, BOUNDS, out=weights)
