"""The net's layers: from the inputs that are set to the chance to win and the margin.

Inputs are lists of indices and values. Most inputs are zero, so the first layer adds only the rows
of the other inputs. A list's length is passed as a number, which saves a read from memory. One
array holds all sums of the first layer: the sums of the table, then of each region, then the sums
that all regions share. All numbers are whole (`quantised`); an output of OUTPUT_ONE means 1.0.
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
from ethnos_sim.strategies.net.quantised import SECOND_ONE, SECOND_SHIFT, TABLE_ONE
from ethnos_sim.strategies.net.regions import KINDS_SET, SET, VALUES
from ethnos_sim.strategies.net.vectors import (
    add_column,
    add_layer,
    add_listed,
    product,
    rectify,
    rectify_groups,
    shorts_on_stack,
    stay_apart,
)

#: Where the sums that all regions share begin.
COMMON = FIRST_UNITS

#: The room that all sums take.
SUMS_ROOM = FIRST_UNITS + REGION_UNITS


@uncounted
def add_table(sums, begin, place, weights, listed, used):
    """Set the table's first-layer sums to those of `begin` from `place` on, plus listed inputs."""
    stay_apart()
    add_listed(sums, 0, TABLE_UNITS, begin, place, weights, TABLE_ROWS, listed, used)


@uncounted
def begin_common(sums, weights, listed, used):
    """Set the sums that all regions share to the biases plus listed inputs."""
    units = REGION_UNITS
    add_listed(sums, COMMON, units, weights, REGION_BIAS, weights, REGION_ROWS, listed, used)


@uncounted
def add_region(sums, begin, weights, region, shared, place):
    """Set a region's sums of the first layer: the sums that all regions share, plus its inputs.

    The shared sums are read from `begin`. `place` is the index of the region's number in the first
    column (`shared.place_of`).
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
    """The outputs from the first layer's sums: the win's logit and the margin (`layout.WIN`).

    `table` has the table's sums. `regions` has the regions' sums, without the hand, from index
    TABLE_UNITS on. `holding` has the hand's two inputs of each region.
    """
    stay_apart()
    joint = shorts_on_stack(JOINT_UNITS)
    second = shorts_on_stack(SECOND_UNITS)
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
    add_layer(
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
    win = product(second, SECOND_UNITS, weights, OUTPUT_ROWS + WIN * SECOND_UNITS)
    margin = product(second, SECOND_UNITS, weights, OUTPUT_ROWS + MARGIN * SECOND_UNITS)
    win += SECOND_ONE * np.int64(weights[OUTPUT_BIAS + WIN])
    margin += SECOND_ONE * np.int64(weights[OUTPUT_BIAS + MARGIN])
    return win, margin
