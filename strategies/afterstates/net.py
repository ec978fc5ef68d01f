"""The net's forward pass: sums of rows in the first layer, then two small layers.

Inputs come as lists of (index, value): most are zero, so only rows of the others are added. How
many are used goes from call to call as a number, which the processor need not fetch from memory.
All sums of the first layer stand in one array, the table's first, then each region's, then what
all regions have in common.
"""

from __future__ import annotations

from ethnos_sim.simulator.compilation import uncounted
from ethnos_sim.simulator.records import REGIONS
from ethnos_sim.strategies.afterstates.layout import (
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
    TABLE_BIAS,
    TABLE_ROWS,
    TABLE_UNITS,
    WIN,
)
from ethnos_sim.strategies.afterstates.regions import KINDS_SET, SET, VALUES
from ethnos_sim.strategies.afterstates.vectors import (
    add_column,
    add_layer,
    add_listed,
    floats_on_stack,
    rectified_product,
    rectify,
    rectify_groups,
)

#: Where the sums that all regions have in common stand, and room for all sums.
COMMON = FIRST_UNITS
SUMS_ROOM = FIRST_UNITS + REGION_UNITS


@uncounted
def begin_table(sums, weights, index, values, used):
    """Set the table's sums of the first layer to its biases and a list of inputs."""
    add_listed(sums, 0, TABLE_UNITS, weights, TABLE_BIAS, weights, TABLE_ROWS, index, values, used)


@uncounted
def add_table(sums, begin, weights, index, values, used):
    """Set the table's sums to others and a list of inputs."""
    add_listed(sums, 0, TABLE_UNITS, begin, 0, weights, TABLE_ROWS, index, values, used)


@uncounted
def begin_common(sums, weights, index, values, used):
    """Set what all regions have in common: the biases and a list of inputs."""
    units = REGION_UNITS
    add_listed(sums, COMMON, units, weights, REGION_BIAS, weights, REGION_ROWS, index, values, used)


@uncounted
def add_region(sums, begin, weights, region, shared, place):
    """Set a region's sums to what all have in common, as it stands in others, and its own inputs.

    `place` is where the region's number stands in the first row (`shared.place_of`).
    """
    first = TABLE_UNITS + region * REGION_UNITS
    add_column(
        sums,
        first,
        REGION_UNITS,
        begin,
        COMMON,
        weights,
        REGION_ROWS,
        shared,
        place + SET,
        KINDS_SET,
        PRESENT,
        VALUES,
    )


@uncounted
def outputs(table, regions, holding, weights):
    """The outputs for the first layer's sums: the win's logit, and the margin (in its scale).

    `table` has the table's sums, `regions` the regions' behind its own table's, without the hand;
    `holding` has the hand's two inputs of each region.
    """
    joint = floats_on_stack(JOINT_UNITS)
    second = floats_on_stack(SECOND_UNITS)
    rectify(joint, 0, TABLE_UNITS, table, 0)
    rectify_groups(
        joint,
        TABLE_UNITS,
        REGION_UNITS,
        regions,
        TABLE_UNITS,
        REGIONS,
        weights,
        REGION_ROWS,
        holding,
    )
    add_layer(second, SECOND_UNITS, weights, SECOND_BIAS, SECOND_ROWS, joint, JOINT_UNITS)
    win = rectified_product(second, SECOND_UNITS, weights, OUTPUT_ROWS + WIN * SECOND_UNITS)
    margin = rectified_product(second, SECOND_UNITS, weights, OUTPUT_ROWS + MARGIN * SECOND_UNITS)
    return weights[OUTPUT_BIAS + WIN] + win, weights[OUTPUT_BIAS + MARGIN] + margin
