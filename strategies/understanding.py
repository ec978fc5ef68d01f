"""Which clans a strategy does not understand: values that its code never looks at.

A strategy made for the printed rules plays any others, but what it makes of a clan says little
where it does not see what is new about it. It is decided from its code, as its identity is: the
names of the view's fields that its functions, and all that they call in the packages of strategies,
read. A clan is not understood

- where one of its values is none that a printed clan with its power has, and the code does not read
  the field that holds it (`sea_symbols`, `marker_bonus` ...);
- where it is the second clan in play with a power that has a track, tokens, a board or coins, and
  the code does not read what stands there, or looks at the first clan's (`slot_of`).

Who looks ahead plays the rules out and understands them all, and so is a net taken to that is named
by its file in the line-up. The nets that ship read the values, and learned from drawn rules, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ethnos_sim.simulator.kernel.clans import slot_of
from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.rules import EDITIONS, Rules, Value, clan_fields, load_rules
from ethnos_sim.simulator.user_code.checking import with_called
from ethnos_sim.strategies.api import WEIGHTS, Strategy
from ethnos_sim.strategies.compiling import DEFAULTS
from ethnos_sim.strategies.registry import settings_of

#: The field of the view that shows a clan's value which no record of values holds.
SHOWN_BY = {"scored": "unscored_cards", "times_cards": "clan_cards"}

#: Powers with parts of their own, and the field of the view that shows what stands there.
PARTS = {
    Power.SEA_TRACK: "sea",
    Power.LARGEST_TOKEN: "largest_size",
    Power.SETTLEMENT_BOARD: "settlements",
    Power.TIE_BREAK_TOKENS: "token_owner",
    Power.COINS: "coins_used",
}

#: The game's own engine, which reads every value.
_ENGINE = "ethnos_sim.simulator.kernel."


def not_understood(entry: str, rules: Rules) -> dict[str, tuple[str, ...]]:
    """The clans that an entry of a line-up does not understand, with what is new about each.

    Args:
        entry: a strategy's name, with its settings as in a line-up.
        rules: the rules in force.

    Returns:
        By clan, the keys of its values, or "second track" and the like; empty for the printed
        rules.
    """
    strategy, given = settings_of(entry)
    if strategy.looks_ahead or WEIGHTS in given:
        return {}
    known = names_read(strategy)
    found = {}
    met: set[Power] = set()
    for clan, power in rules.powers.items():
        shown_by = {each.key: SHOWN_BY.get(each.key, each.record) for each in clan_fields(power)}
        new = [key for key in new_values(rules, clan) if shown_by[key] not in known]
        sees_each = PARTS.get(power) in known and slot_of.__name__ not in known
        if power in PARTS and power in met and not sees_each:
            new.append(f"second {power.label}")
        met.add(power)
        if new:
            found[clan] = tuple(new)
    return found


def new_values(rules: Rules, clan: str) -> tuple[str, ...]:
    """The keys of a clan's values that no printed clan with its power has."""
    power = rules.power_of(clan)
    printed = _printed(power)
    return tuple(
        field.key
        for field in clan_fields(power)
        if rules.value(f"{clan}.{field.key}") not in printed[field.key]
    )


def _printed(power: Power) -> Mapping[str, list[Value]]:
    """The values of the printed clans with a power, by key."""
    editions = [rules for rules in map(load_rules, EDITIONS) if rules.clan_of(power) is not None]
    return {
        field.key: [rules.value(f"{rules.clan_of(power)}.{field.key}") for rules in editions]
        for field in clan_fields(power)
    }


@cache
def names_read(strategy: Strategy) -> frozenset[str]:
    """The names of attributes that a strategy's code reads, and the usual answers' code with it.

    What answers for Bruno is left out: it reads values of his clans that turns do not look at.
    """
    functions = [*strategy.functions.values()]
    functions += [
        function
        for question, function in DEFAULTS.functions.items()
        if question not in strategy.functions and not question.startswith("bruno")
    ]
    called = with_called(functions, lambda helper, _: not helper.__module__.startswith(_ENGINE))
    return frozenset(name for function in called for name in function.__code__.co_names)
