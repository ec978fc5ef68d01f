"""The net's forward pass: sums of rows in the first layer, then two small layers.

Inputs come as lists of (index, value): most are zero, so only rows of the others are added. A
list's index array begins with how many there are. All sums of the first layer stand in one array,
the table's first, then each region's.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compilation import kernel
from ethnos_sim.simulator.records import REGIONS
from ethnos_sim.strategies.afterstates.layout import (
    FIRST_UNITS,
    JOINT_UNITS,
    MARGIN,
    OUTPUT_BIAS,
    OUTPUT_ROWS,
    REGION_BIAS,
    REGION_ROWS,
    REGION_UNITS,
    SECOND_BIAS,
    SECOND_ROWS,
    SECOND_UNITS,
    TABLE_BIAS,
    TABLE_ROWS,
    TABLE_UNITS,
    WIN,
)
from ethnos_sim.strategies.afterstates.vectors import add_layer, add_listed, floats_on_stack


@kernel
def begin(index):
    """Empty a list of inputs."""
    index[0] = 0


@kernel
def put(index, values, i, value):
    """Append an input to a list."""
    used = index[0] + 1
    index[used] = i
    values[used] = value
    index[0] = used


@kernel
def begin_table(sums, weights):
    """Set the table's sums of the first layer to its biases."""
    for i in range(np.uint64(TABLE_UNITS)):
        sums[i] = weights[np.uint64(TABLE_BIAS) + i]


@kernel
def begin_region(sums, weights, region):
    """Set a region's sums of the first layer to its biases."""
    first = np.uint64(TABLE_UNITS + region * REGION_UNITS)
    for i in range(np.uint64(REGION_UNITS)):
        sums[first + i] = weights[np.uint64(REGION_BIAS) + i]


@kernel
def add_table(sums, weights, index, values):
    """Add a list of the table's inputs to its sums of the first layer."""
    add_listed(sums, 0, TABLE_UNITS, weights, TABLE_ROWS, index, values)


@kernel
def add_region(sums, weights, region, index, values):
    """Add a list of a region's inputs to its sums of the first layer."""
    first = TABLE_UNITS + region * REGION_UNITS
    add_listed(sums, first, REGION_UNITS, weights, REGION_ROWS, index, values)


@kernel
def copy_sums(to, sums):
    """Copy the sums of the first layer."""
    for i in range(np.uint64(FIRST_UNITS)):
        to[i] = sums[i]


@kernel
def rectified(value):
    """A number, or 0 for a negative one."""
    return value if value > np.float32(0.0) else np.float32(0.0)


@kernel
def outputs(sums, weights):
    """The outputs for the first layer's sums: the win's logit, and the margin (in its scale)."""
    joint = floats_on_stack(JOINT_UNITS)
    second = floats_on_stack(SECOND_UNITS)
    for i in range(np.uint64(TABLE_UNITS)):
        joint[i] = rectified(sums[i])
    for i in range(np.uint64(TABLE_UNITS), np.uint64(JOINT_UNITS)):
        joint[i] = rectified(sums[i])
    for region in range(np.uint64(1), np.uint64(REGIONS)):
        further = region * np.uint64(REGION_UNITS)
        for i in range(np.uint64(TABLE_UNITS), np.uint64(JOINT_UNITS)):
            joint[i] += rectified(sums[further + i])
    for i in range(np.uint64(SECOND_UNITS)):
        second[i] = weights[np.uint64(SECOND_BIAS) + i]
    add_layer(second, SECOND_UNITS, weights, SECOND_ROWS, joint, JOINT_UNITS)
    win = weights[OUTPUT_BIAS + WIN]
    margin = weights[OUTPUT_BIAS + MARGIN]
    for i in range(np.uint64(SECOND_UNITS)):
        value = rectified(second[i])
        win += value * weights[np.uint64(OUTPUT_ROWS + WIN * SECOND_UNITS) + i]
        margin += value * weights[np.uint64(OUTPUT_ROWS + MARGIN * SECOND_UNITS) + i]
    return win, margin
