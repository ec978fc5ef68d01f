"""The names and kinds of the rule values, as the file that states them has them.

This is data, and all that the referee takes from the program. A value that is only listed does
nothing here: its rule is written where the referee reads it, and `tests/test_names.py` fails until
there is one.
"""

import tomllib
from pathlib import Path
from typing import Any

from referee.cards import POWER_NAMED, Power

FILE = Path(__file__).parents[2] / "simulator" / "rules" / "values" / "shared.toml"
_GROUPS = tomllib.loads(FILE.read_text(encoding="utf-8"))


def _named(group: dict[str, Any], before: str = "") -> dict[str, dict[str, Any]]:
    """What is said of each value of a group, by its name with dots."""
    named = {}
    for key, said in group.items():
        if "meaning" in said:
            named[before + key] = said
        else:
            named |= _named(said, f"{before}{key}.")
    return named


_OF_CLANS = _named(_GROUPS["clan"])
_OF_TABLE = {
    name: said
    for group, values in _GROUPS.items()
    if group not in ("clan", "powers", "solo")
    for name, said in _named(values).items()
}
_OF_SOLO = _named(_GROUPS["solo"])

#: The rule values that every game has, and those of the solo mode.
TABLE_VALUES, SOLO_VALUES = frozenset(_OF_TABLE), frozenset(_OF_SOLO)

#: All names, those of a clan's values without its name.
NAMES = (*_OF_TABLE, *_OF_SOLO, *_OF_CLANS)


def values_of(power: Power) -> set[str]:
    """The names of the values of a clan with a power, without the clan's."""
    wild = power is Power.WILD
    return {
        name
        for name, said in _OF_CLANS.items()
        if said.get("powers", "leads") == "every"
        or ("powers" not in said and not wild)
        or power in [POWER_NAMED.get(other) for other in said.get("powers", ())]
    }


def _kinds() -> dict[str, type]:
    """By the last part of a value's name, whether it is a switch, a list or a number."""
    kinds: dict[str, type] = {}
    for name, said in (_OF_TABLE | _OF_SOLO | _OF_CLANS).items():
        switch = type(said.get("value")) is bool
        kinds[name.rpartition(".")[2]] = bool if switch else list if "length" in said else int
    return kinds


KINDS = _kinds()

#: The values that may be less than nothing.
NEGATIVE = {name for name, said in _OF_CLANS.items() if said.get("low", 0) < 0}
