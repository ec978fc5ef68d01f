"""The names and kinds of the rule values, from the file that states them.

This is data, and the only thing that the referee takes from the program. Listing a value changes
nothing here; its rule is written where the referee reads the value. Until then
`tests/test_names.py` fails.
"""

import tomllib
from pathlib import Path
from typing import Any

from referee.cards import POWER_NAMED, Power

FILE = Path(__file__).parents[2] / "simulator" / "rules" / "values" / "shared.toml"
_GROUPS = tomllib.loads(FILE.read_text(encoding="utf-8"))


def _named(group: dict[str, Any], before: str = "") -> dict[str, dict[str, Any]]:
    """The description of each value of a group, by its dotted name."""
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

#: The names of the rule values of every game, and of the solo mode's rule values.
TABLE_VALUES, SOLO_VALUES = frozenset(_OF_TABLE), frozenset(_OF_SOLO)

#: All names; the names of a clan's values stand without the clan.
NAMES = (*_OF_TABLE, *_OF_SOLO, *_OF_CLANS)


def values_of(power: Power) -> set[str]:
    """The names, without the clan, of all values of a clan that has this power."""
    wild = power is Power.WILD
    return {
        name
        for name, said in _OF_CLANS.items()
        if said.get("powers", "leads") == "every"
        or ("powers" not in said and not wild)
        or power in [POWER_NAMED.get(other) for other in said.get("powers", ())]
    }


def _kinds() -> dict[str, type]:
    """The kind of each value (switch, list or number), by the last part of its name."""
    kinds: dict[str, type] = {}
    for name, said in (_OF_TABLE | _OF_SOLO | _OF_CLANS).items():
        switch = type(said.get("value")) is bool
        kinds[name.rpartition(".")[2]] = bool if switch else list if "length" in said else int
    return kinds


KINDS = _kinds()

#: The values that may be negative.
NEGATIVE = {name for name, said in _OF_CLANS.items() if said.get("low", 0) < 0}
