"""Apprentice: a small net that scores every legal action, trained by `train_apprentice.py`.

The net's inputs are numbers about an action and about the observation of docs/environments.md.
Training and play compute them by the same function. The weights are in `apprentice.npz` beside this
file.
"""

import numpy as np

from ethnos_sim.simulator.compiler import kernel
from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.game.records import MAX_PLAYERS, POWERS, REGIONS
from ethnos_sim.simulator.stepping.actions import (
    FIRST_CARD,
    FIRST_CHOICE,
    LEAD_ALONE,
    LEAD_CLAN,
    LEAD_CLAN_TAME,
    LEAD_COLOR,
    LEAD_COLOR_TAME,
    MAX_CARDS,
    NO,
)
from ethnos_sim.simulator.stepping.observations import columns
from ethnos_sim.strategies import strategy
from ethnos_sim.strategies.toolkit import (
    decline,
    draw,
    legal_actions,
    observation,
    party_of_action,
    play,
    take,
)

HAND, POOL, POWER, TOKENS, MARKERS, SUPPLY, PRESTIGE, HAND_CARDS = (
    columns(name).start
    for name in ("hand", "pool", "power", "tokens", "markers", "supply", "prestige", "hand_cards")
)
AGE, DRAGONS, DECK = (columns(name).start for name in ("age", "dragons", "deck"))
AGES, PLAYERS = columns("ages").start, columns("players").start
SEA, LARGEST = columns("sea").start, columns("largest_size").start

WILD = int(Power.WILD)
INPUTS = 35 + POWERS
HIDDEN = 24
WEIGHTS = HIDDEN * (INPUTS + 2)


@kernel
def in_hand(seen, slot, color):
    """The number of cards in hand of a clan (by its slot) and a color; -1 stands for any."""
    total = 0
    for card in range(MAX_CARDS):
        if (slot < 0 or card // REGIONS == slot) and (color < 0 or card % REGIONS == color):
            total += seen[HAND + card]
    return total


@kernel
def put_region(seen, color, row, at):
    """Write the player's markers in a region, the lead over rivals, and the tokens of two ages."""
    own = seen[MARKERS + color * 6]
    most = 0
    for player in range(1, 6):
        most = max(most, seen[MARKERS + color * 6 + player])
    age = seen[AGE] - 1
    row[at] = own / 4
    row[at + 1] = (own - most) / 4
    row[at + 2] = own == most
    row[at + 3] = own + 1 == most or own == most
    row[at + 4] = seen[TOKENS + color * 3 + min(age, 2)] / 10
    row[at + 5] = seen[TOKENS + color * 3 + min(age + 1, 2)] / 10


@kernel
def put_clock(seen, row):
    """Write the inputs that are equal for all actions: the end of the age, the hand, the scores."""
    best = 0
    for player in range(1, 6):
        best = max(best, seen[PRESTIGE + player])
    row[0] = 1
    row[1] = seen[DRAGONS] / 3
    row[2] = seen[DECK] / 60
    row[3] = seen[HAND_CARDS] / 10
    row[4] = seen[AGE] == seen[AGES]
    row[5] = (seen[PRESTIGE] - best) / 50
    row[6] = seen[AGE] / 3


@kernel
def put_inputs(seen, action, row):
    """Write the net's inputs for an action in an observation into `row`, shape (INPUTS,)."""
    row[:] = 0
    put_clock(seen, row)
    if action < FIRST_CHOICE:
        row[7 + min(action, 1)] = 1
    elif action < FIRST_CARD:
        row[9] = 1
        color = action - FIRST_CHOICE
        if color < REGIONS:
            put_region(seen, color, row, 10)
    elif action < LEAD_CLAN:
        card = action - FIRST_CARD
        clan = in_hand(seen, card // REGIONS, -1)
        same = in_hand(seen, -1, card % REGIONS)
        row[16] = 1
        row[17] = clan / 5
        row[18] = same / 5
        row[19] = max(clan, same) / 5
        row[20] = seen[POWER + card // REGIONS * POWERS + WILD]
        put_region(seen, card % REGIONS, row, 10)
    else:
        put_party(seen, action, row)


@kernel
def put_party(seen, action, row):
    """Write the net's inputs for an action that plays a party."""
    leader = (action - LEAD_CLAN) % MAX_CARDS
    slot, color = leader // REGIONS, leader % REGIONS
    by_color = LEAD_COLOR <= action < LEAD_CLAN_TAME or action >= LEAD_COLOR_TAME
    tame = action >= LEAD_CLAN_TAME
    size = in_hand(seen, -1, color) if by_color else in_hand(seen, slot, -1)
    for other in range(MAX_CARDS // REGIONS):
        if seen[POWER + other * POWERS + WILD] and other != slot:
            if tame and by_color:
                size -= in_hand(seen, other, color)
            elif not tame:
                size += in_hand(seen, other, -1) - (in_hand(seen, other, color) if by_color else 0)
    places = size > seen[MARKERS + color * 6] and seen[SUPPLY] > 0
    row[21] = 1
    row[22] = size / 5
    row[23] = min(size, 6) * (min(size, 6) - 1) / 30
    row[24] = places
    row[25] = (in_hand(seen, -1, -1) - size) / 8
    row[26] = tame
    row[27] = size >= 3
    row[28] = size >= 5
    if places:
        put_region(seen, color, row, 10)
        row[29] = row[12] * row[14]
        row[30] = row[13] * row[14]
    space, largest = 0, 0
    for clan in range(MAX_CARDS // REGIONS):
        space += seen[SEA + clan * MAX_PLAYERS]
        largest += seen[LARGEST + clan]
    row[31] = size - space / 2
    row[32] = size > largest
    row[33] = by_color
    row[34] = size * row[4]
    for power in range(POWERS):
        row[35 + power] = seen[POWER + slot * POWERS + power]


@kernel
def score(row, weights):
    """The net's score of an action. Weights in order: layer, bias, output."""
    total = np.float32(0)
    bias, output = HIDDEN * INPUTS, HIDDEN * (INPUTS + 1)
    for unit in range(HIDDEN):
        value = weights[bias + unit]
        for place in range(INPUTS):
            value += weights[unit * INPUTS + place] * row[place]
        if value > 0:
            total += value * weights[output + unit]
    return total


@kernel
def best_action(view, weights):
    """The legal action with the highest score, without parties that are named card by card."""
    seen = observation(view)
    row = np.zeros(INPUTS, np.float32)
    best, most = -1, -np.inf
    for action in legal_actions(view):
        if action < LEAD_ALONE:
            put_inputs(seen, action, row)
            value = score(row, weights)
            if value > most:
                best, most = np.int64(action), value
    return best


@strategy(looks_at_rivals=True, weights="apprentice.npz", weights_size=WEIGHTS)
def apprentice(view, weights):
    """Scores every legal action with a small net that watched the champion play.

    Bad at: what its teacher was bad at, and what its few inputs do not show.
    """
    action = best_action(view, weights)
    if action >= LEAD_CLAN:
        return play(party_of_action(view, action))
    return draw() if action < FIRST_CARD else take(action - FIRST_CARD)


@apprentice.second_party
def another(view, weights):
    """Another party, if the net scores one above declining."""
    action = best_action(view, weights)
    return decline() if action == NO else play(party_of_action(view, action))


@apprentice.region
def region(view, weights):
    """The region that the net scores highest."""
    action = best_action(view, weights)
    return action - FIRST_CHOICE if action >= FIRST_CHOICE else -1
