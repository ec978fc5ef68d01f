"""The null clan: a clan whose power does nothing, which marks the zero of restricted play.

A seat that may not lead a clan has fewer ways to play, whatever the clan is worth. To measure the
cost of this alone, the null clan is restricted: the clan with the largest-party token, under rules
in which the token brings no prestige. Strategies see the values in force, so they know this. A
sweep that asks for the null clan plays these rules beside its main rules, on the same deals, only
in line-ups with this clan restricted.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.rules import Rules, clan_fields, load_rules

#: The name of the rule set with the null clan, and the name of the sweep's rules beside it.
NULL_RULES, MAIN = "null", "main"

#: The power that is made to do nothing.
NULLED = Power.LARGEST_TOKEN


def with_null_clan(rules: Rules) -> Rules | None:
    """The rules with one clan's power worth nothing; None where no clan has that power."""
    clan = rules.clan_of(NULLED)
    return None if clan is None else _nulled(rules, clan)


def with_nulled_clan(rules: Rules, clan: str) -> Rules:
    """The rules with the power of `clan` replaced by a power that is worth nothing."""
    values = rules.trace_values().items()
    others = {name: value for name, value in values if not name.startswith(f"{clan}.")}
    power = {f"clans.{clan}": NULLED.name.lower()}
    return _nulled(load_rules(rules.edition, overrides={**others, **power}), clan)


def _nulled(rules: Rules, clan: str) -> Rules:
    """The rules in which the largest party of a clan brings nothing."""
    names = [
        f"{clan}.{field.key}"
        for field in clan_fields(NULLED)
        if field.powers == (NULLED,) and field.key != "margin"
    ]
    null = {name: np.zeros_like(rules.value(name)).tolist() for name in names}
    # Make the rules in the same way as a plan does, so that both are equal.
    return load_rules(rules.edition, overrides={**rules.trace_values(), **null})
