"""Rules drawn by chance around others, so that a net learns what changes with their values.

Values move within the ranges that a search for balance has (`balancing.space`); now and then a clan
is added that has the power of one there, or a clan's power does nothing.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ethnos_sim.experiments.balancing.space import Space, make_space, usual_dimensions
from ethnos_sim.experiments.designs.null_clan import with_nulled_clan
from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.rules import Rules, load_rules

#: How many values move at most, how often a clan is added, and how often one is null.
MOST_MOVED = 3
ADDED = 0.25
NULL_CLAN = 0.25

#: What a mode sets, so that rules with another number have no place in it.
OF_MODES = ("pool_refill",)

#: The name of an added clan.
NEW_CLAN = "newcomer"


def drawn_rules(rules: Rules, players: int, random: np.random.Generator) -> Rules:
    """Rules drawn around some, for tables of so many players."""
    kind = random.random()
    if kind < ADDED:
        return with_new_clan(rules, random)
    if kind < ADDED + NULL_CLAN:
        return with_any_null_clan(rules, random)
    return with_moved_values(rules, players, random)


def with_moved_values(rules: Rules, players: int, random: np.random.Generator) -> Rules:
    """Rules of which one to MOST_MOVED values, lists as a whole, have other numbers."""
    space = _space(rules, players)
    while True:
        point = list(space.start)
        moved = int(random.integers(1, MOST_MOVED + 1))
        for place in random.choice(len(point), moved, replace=False):
            point[place] = int(random.integers(len(space.factors[place].levels)))
        found = space.rules(tuple(point))
        if found is not None and tuple(point) != space.start:
            return found


def with_new_clan(rules: Rules, random: np.random.Generator) -> Rules:
    """Rules with a clan more, of a power that one of them has; its cards are as many as usual."""
    power = str(random.choice([power.name for power in _leading(rules).values()])).lower()
    new = {f"clans.{NEW_CLAN}": power, f"{NEW_CLAN}.times_cards": 1}
    return load_rules(rules.edition, overrides={**rules.trace_values(), **new})


def with_any_null_clan(rules: Rules, random: np.random.Generator) -> Rules:
    """Rules in which one clan's power does nothing."""
    return with_nulled_clan(rules, str(random.choice(list(_leading(rules)))))


def _leading(rules: Rules) -> dict[str, Power]:
    """The clans that may lead, with powers that are printed."""
    unfit = (Power.WILD, Power.CUSTOM)
    return {clan: power for clan, power in rules.powers.items() if power not in unfit}


@lru_cache(16)
def _space(rules: Rules, players: int) -> Space:
    """The values that may move, each within its usual range."""
    usual = usual_dimensions(rules, players)
    return make_space(rules, [each for each in usual if each.name not in OF_MODES], players)
