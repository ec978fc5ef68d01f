"""The pay of a power: roughly what its clan gets, by the rule values in force.

Only ratios of pays of the same power are used, so units differ between powers.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from ethnos_sim.simulator.compiler import uncounted
from ethnos_sim.simulator.game import power_numbers as powers
from ethnos_sim.simulator.game.records import POWERS, REGIONS, RULES_DTYPE
from ethnos_sim.simulator.rules import SMALL_TABLE, Rules
from ethnos_sim.simulator.tables.modes import STANDARD
from ethnos_sim.simulator.tables.table import view_records
from ethnos_sim.strategies.net.layout import PRINTED_PAYS, TABLES
from ethnos_sim.strategies.net.quantisation import PAY_STEPS, SOME

#: The number of cards in a typical party.
USUAL_SIZE = 3


@uncounted
def power_pay(rules, power, slot):
    """Roughly what the power of a slot pays under some rules, in the unit of this power."""
    if power == powers.SECOND_PARTY:
        return 1.0 * (rules.follow_ups[slot] > 0)
    if power == powers.SCORES_LARGER:
        return float(rules.score_bonus[slot])
    if power == powers.ONE_CARD_FEWER:
        return float(rules.marker_bonus[slot])
    if power in (powers.NO_MARKER, powers.WILD):
        return 1.0
    if power == powers.LARGEST_TOKEN:
        ages = rules.largest_age
        held = np.int64(ages[slot, 0]) + ages[slot, 1] + ages[slot, 2]
        return float(rules.largest_on_take[slot]) + held
    if power == powers.SETTLEMENT_BOARD:
        return float(rules.settlement[slot, REGIONS])
    if power == powers.COINS:
        number = np.int64(rules.coins_count[slot])
        return float(number * rules.coins[slot, number // 2])
    reach = float(USUAL_SIZE * rules.per_card[slot] + rules.more[slot])
    if power == powers.SEA_TRACK:
        awards = rules.sea_prestige
        return reach * (np.int64(awards[slot, 0]) + awards[slot, 1] + awards[slot, 2])
    if power in (powers.KEEPS_CARDS, powers.DRAWS_CARDS, powers.TIE_BREAK_TOKENS):
        return reach
    return float(rules.places_marker[slot])


@uncounted
def relative_pay(view, weights, slot):
    """The pay of a slot's power divided by its pay in the net's training, in PAY_STEPS steps to 1.

    The result is at most SOME. It is 0 for a power that the net never saw in its training.
    """
    power = np.int64(view.power[slot])
    if power >= POWERS:
        return np.int64(0)
    learned = np.int64(weights[PRINTED_PAYS + POWERS * (view.players > SMALL_TABLE) + power])
    if learned <= 0:
        return np.int64(0)
    pays = np.int64(power_pay(view.rules, power, slot))
    return min(max((PAY_STEPS * pays + learned // 2) // learned, 0), SOME)


def pays_by_power(rules: Rules) -> np.ndarray:
    """The pay of each power under some rules: float32, TABLES * POWERS numbers.

    The pay is 0 for a power that no clan has.
    """
    pays = np.zeros((TABLES, POWERS), np.float32)
    for table in range(TABLES):
        for clan, power in rules.powers.items():
            if power < POWERS and pays[table, power] == 0:
                record = view_records(rules, SMALL_TABLE + table, STANDARD, [[clan]])[0]["rules"]
                values = SimpleNamespace(
                    **{name: record[name] for name in RULES_DTYPE.fields or ()}
                )
                pays[table, power] = power_pay.py_func(values, power, 0)
    return pays.ravel()
