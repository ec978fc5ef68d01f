"""The null clan: a clan whose power does nothing, so that restricted play has a zero on its scale.

Whoever may not lead a clan has fewer ways to play, whatever the clan is good for. How much that
alone costs is found by restricted play of a clan that is worth nothing to lead: the one with the
largest-party token, where the token brings no prestige. Strategies see the values in force, so they
know. A sweep that asks for it plays these rules beside its own, on the same deals, in line-ups with
that clan restricted and in no others.
"""

from __future__ import annotations

import numpy as np

from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.rules import Rules, clan_fields, load_rules

#: The rule set in which a clan is null, and the name of the sweep's own rules beside it.
NULL_RULES, MAIN = "null", "main"

#: The power that is made to do nothing.
NULLED = Power.LARGEST_TOKEN


def with_null_clan(rules: Rules) -> Rules | None:
    """The rules with one clan's power worth nothing; None where no clan has that power."""
    clan = rules.clan_of(NULLED)
    return None if clan is None else _nulled(rules, clan)


def with_nulled_clan(rules: Rules, clan: str) -> Rules:
    """The rules with any clan's power worth nothing, whatever it was."""
    values = rules.trace_values().items()
    own = {name: value for name, value in values if not name.startswith(f"{clan}.")}
    power = {f"clans.{clan}": NULLED.name.lower()}
    return _nulled(load_rules(rules.edition, overrides={**own, **power}), clan)


def _nulled(rules: Rules, clan: str) -> Rules:
    """The rules with nothing to be had for a clan's largest party."""
    names = [
        f"{clan}.{field.key}"
        for field in clan_fields(NULLED)
        if field.powers == (NULLED,) and field.key != "margin"
    ]
    null = {name: np.zeros_like(rules.value(name)).tolist() for name in names}
    # As a plan makes them again, so that what it says of them is what they are.
    return load_rules(rules.edition, overrides={**rules.trace_values(), **null})
