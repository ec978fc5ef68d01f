"""The observation and the legal actions of a view, as learning agents get them.

With these functions, a net that was trained in the environments can play as a compiled strategy
(docs/environments.md).
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.compiler import tool
from ethnos_sim.simulator.stepping.actions import (
    ACTIONS,
    LEAD_ALONE,
    LEAD_CLAN,
    MAX_CARDS,
    SELECTION_DTYPE,
    cards_of_action,
    list_actions,
)
from ethnos_sim.simulator.stepping.observations import OBSERVATION_DTYPE, write_observation
from ethnos_sim.simulator.user_code.shown_types import whole_record
from ethnos_sim.strategies.toolkit.groups import party_of
from ethnos_sim.strategies.toolkit.moves import Party


@tool
def observation(view):
    """The view as an observation of the environments: int16, shape (OBSERVATIONS,)."""
    rows = np.zeros(1, OBSERVATION_DTYPE)
    write_observation(whole_record(view), np.zeros(1, SELECTION_DTYPE)[0], rows)
    return rows.view(np.int16)


@tool
def legal_actions(view):
    """The numbers of the actions that the open question allows: int16."""
    legal = np.zeros(ACTIONS, np.int16)
    number = list_actions(whole_record(view), np.zeros(1, SELECTION_DTYPE)[0], legal)
    return legal[:number]


@tool
def party_of_action(view, action):
    """The party of an action that plays a whole clan or color; no party for other actions."""
    if action < LEAD_CLAN or action >= LEAD_ALONE:
        return Party(np.int64(-1), np.uint64(0), np.uint64(0), np.int64(0))
    once, twice = cards_of_action(whole_record(view), action)
    return party_of(whole_record(view), (action - LEAD_CLAN) % MAX_CARDS, once, twice)
