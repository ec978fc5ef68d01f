"""Find the clans that a strategy does not understand, because its code ignores their new values.

A strategy made for the printed rules can play any rules, but its results say little about a clan
whose new values it ignores. This is decided from the names of the view's fields that its functions
read, including all functions that they call outside the game's engine. A clan is not understood

- if it has a value that no printed clan with its power has, and the code does not read the field
  that holds it (`sea_symbols`, `marker_bonus` ...);
- if its power is custom, and the code reads neither the power's name nor the power's state;
- if it is the second clan in play with a power that has a track, tokens, a board or coins, and the
  code does not read the field of that part, or only reads the first clan's part (`slot_of`).

Strategies that look ahead play the rules out, so they understand every clan. A net that the line-up
names by its file is assumed to understand every printed power. The nets that ship read the values,
and were trained on randomly drawn rules too. No net sees what a custom power does.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.kernel.clans import slot_of
from ethnos_sim.simulator.rules import EDITIONS, Rules, Value, clan_fields, load_rules
from ethnos_sim.simulator.user_code.checking import with_called
from ethnos_sim.strategies.api import WEIGHTS, Strategy
from ethnos_sim.strategies.compiling import DEFAULTS
from ethnos_sim.strategies.registry import settings_of

#: The field of the view that shows a clan's value, for values without a field in `view.rules`.
SHOWN_BY = {"scored": "unscored_cards", "times_cards": "clan_cards"}

#: Powers with a track, tokens, a board or coins, and the field of the view that shows this part.
PARTS = {
    Power.SEA_TRACK: "sea",
    Power.LARGEST_TOKEN: "largest_size",
    Power.SETTLEMENT_BOARD: "settlements",
    Power.TIE_BREAK_TOKENS: "token_owner",
    Power.COINS: "coins_used",
}

#: The fields of the view that show which custom power a clan has, and its state.
CUSTOM_SHOWN_BY = {"power_name", "power_state"}

#: What is reported of a clan with a custom power if the code reads neither field.
CUSTOM_POWER = "custom power"

#: The game's own engine, which reads every value.
_ENGINE = "ethnos_sim.simulator.kernel."


def not_understood(entry: str | Strategy, rules: Rules) -> dict[str, tuple[str, ...]]:
    """The clans that an entry of a line-up does not understand, with their new values.

    Args:
        entry: a strategy, or its name with its settings as in a line-up.
        rules: the rules in force.

    Returns:
        For each clan that is not understood, the keys of its new values, words such as "second
        track", or CUSTOM_POWER. Empty for the printed rules.
    """
    strategy, given = settings_of(entry)
    if strategy.looks_ahead:
        return {}
    known = names_read(strategy)
    unread: dict[str, tuple[str, ...]] = {}
    met: set[Power] = set()
    for clan, power in rules.powers.items():
        if power is Power.CUSTOM:
            if not known & CUSTOM_SHOWN_BY:
                unread[clan] = (CUSTOM_POWER,)
            continue
        if WEIGHTS in given:
            continue
        shown_by = {f.key: SHOWN_BY.get(f.key, f.record) for f in clan_fields(power)}
        new = [key for key in new_values(rules, clan) if shown_by[key] not in known]
        sees_each = PARTS.get(power) in known and slot_of.__name__ not in known
        if power in PARTS and power in met and not sees_each:
            new.append(f"second {power.label}")
        met.add(power)
        if new:
            unread[clan] = tuple(new)
    return unread


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
    """The names of attributes that the code of a strategy and of its default answers reads.

    Default answers for Bruno are left out, because they read values that the turns may ignore.
    """
    functions = [*strategy.functions.values()]
    functions += [
        function
        for question, function in DEFAULTS.functions.items()
        if question not in strategy.functions and not question.startswith("bruno")
    ]
    called = with_called(functions, lambda helper, _: not helper.__module__.startswith(_ENGINE))
    return frozenset(name for function in called for name in function.__code__.co_names)
