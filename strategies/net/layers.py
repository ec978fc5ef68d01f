"""The net's layers: from the listed inputs to the chance to win and the margin.

Most inputs are zero. The others are listed by index and value, and the first layer adds only their
rows. A list's length is passed as a number, which saves a read from memory. One array holds all
sums of the first layer: the sums of the table, then of each region, then the sums that all regions
share. All numbers are whole (`quantisation`); an output of OUTPUT_ONE means 1.0.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import uncounted
from ethnos_sim.simulator.game.records import REGIONS
from ethnos_sim.strategies.net.layout import (
    FIRST_UNITS,
    JOINT_UNITS,
    MARGIN,
    OUTPUT_BIAS,
    OUTPUT_ROWS,
    PRESENT,
    REGION_BIAS,
    REGION_ROWS,
    REGION_UNITS,
    SECOND_BIAS,
    SECOND_ROWS,
    SECOND_UNITS,
    TABLE_ROWS,
    TABLE_UNITS,
    WIN,
)
from ethnos_sim.strategies.net.quantisation import SECOND_ONE, SECOND_SHIFT, TABLE_ONE
from ethnos_sim.strategies.net.regions import KINDS_SET, SET, VALUES
from ethnos_sim.strategies.net.vectors import (
    add_region_inputs,
    compute_layer,
    dot_product,
    forbid_inlining,
    rectify,
    rectify_groups,
    shorts_on_stack,
    sum_inputs,
)

#: The index of the first sum that all regions share.
COMMON = FIRST_UNITS

#: The number of all sums of the first layer.
SUMS_SIZE = FIRST_UNITS + REGION_UNITS


@uncounted
def set_table_sums(sums, base, base_start, weights, inputs, end):
    """Set the table's sums to the sums of `base` from `base_start` on, plus the listed inputs."""
    forbid_inlining()
    sum_inputs(sums, 0, TABLE_UNITS, base, base_start, weights, TABLE_ROWS, inputs, end)


@uncounted
def set_common_sums(sums, weights, inputs, end):
    """Set the sums that all regions share to the biases plus the listed inputs."""
    units = REGION_UNITS
    sum_inputs(sums, COMMON, units, weights, REGION_BIAS, weights, REGION_ROWS, inputs, end)


@uncounted
def set_region_sums(sums, base, weights, region, facts, index):
    """Set a region's first-layer sums to the sums that all regions share, plus its own inputs.

    `base` has the shared sums. `index` is the index in `facts` of the region's number in the first
    column (`facts.region_index`).
    """
    first = TABLE_UNITS + region * REGION_UNITS
    add_region_inputs(
        sums,
        first,
        REGION_UNITS,
        base,
        COMMON,
        weights,
        REGION_ROWS,
        facts,
        index + SET,
        KINDS_SET,
        PRESENT,
        VALUES,
    )


@uncounted
def net_outputs(table_sums, region_sums, hand_inputs, weights):
    """The net's outputs, from the sums of its first layer: the win's logit and the margin.

    `table_sums` begins with the table's sums. `region_sums` has the regions' sums, without the
    hand, from index TABLE_UNITS on. `hand_inputs` has the hand's two inputs of each region.
    """
    forbid_inlining()
    joint = shorts_on_stack(JOINT_UNITS)
    second = shorts_on_stack(SECOND_UNITS)
    rectify(joint, 0, TABLE_UNITS, table_sums, 0)
    rectify_groups(
        joint,
        TABLE_UNITS,
        REGION_UNITS,
        region_sums,
        TABLE_UNITS,
        REGIONS,
        weights,
        REGION_ROWS,
        hand_inputs,
    )
    compute_layer(
        second,
        SECOND_UNITS,
        weights,
        SECOND_BIAS,
        SECOND_ROWS,
        joint,
        JOINT_UNITS,
        TABLE_ONE,
        SECOND_SHIFT,
    )
    win = dot_product(second, SECOND_UNITS, weights, OUTPUT_ROWS + WIN * SECOND_UNITS)
    margin = dot_product(second, SECOND_UNITS, weights, OUTPUT_ROWS + MARGIN * SECOND_UNITS)
    win += SECOND_ONE * np.int64(weights[OUTPUT_BIAS + WIN])
    margin += SECOND_ONE * np.int64(weights[OUTPUT_BIAS + MARGIN])
    return win, margin
