"""The values of the rules: their names, shapes and ranges, read from `values/shared.toml`.

Each line of that file is a value. Everything else is derived from it: the names that a user may
set, the checks, the order in which values are shown and hashed, the fields of the kernel's records,
and the correspondence between editions. A clan's value is named after the clan ("bear.on_take").
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from ethnos_sim.simulator.game.limits import MAX_PLAYERS
from ethnos_sim.simulator.game.powers import Power

Value = int | bool | tuple[int, ...]

SMALL_TABLE = 3
"""The most players of a small table, which has fewer ages, clans and prestige tokens."""

MOST_QUOTED_LETTERS = 200
"""The most letters of a wrong value that an error message repeats."""

VALUES_FOLDER = Path(__file__).parent / "values"
"""The folder of the bundled editions and of the file that they share."""


def table_size_suffix(players: int) -> str:
    """The suffix of a value's name, for values that differ between small and large tables."""
    return "_4_6" if players > SMALL_TABLE else "_2_3"


_LEADING_POWERS = tuple(power for power in Power if power is not Power.WILD)


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """The name, meaning and allowed range of one value of the rules.

    `key` is the name a user types, without the clan; `record` is the field of the kernel's record.
    Clans with one of the `powers` have the value; `powers` is empty for a value of the table.
    Numbers lie in `low`..`high` (and in `choices`, if any). `length` is None for a single number,
    else the fewest and most numbers of a list. `players` are the fewest and most players that use
    the value. A `multiset` is kept ascending, because its order means nothing; a `rising` list has
    to rise strictly. `group` is one of `GROUPS`, empty for a clan's value. `stated` is the value
    with its source, if both editions print the same value.
    """

    key: str
    meaning: str
    record: str
    group: str = ""
    powers: tuple[Power, ...] = ()
    low: int = 0
    high: int = 99
    choices: tuple[int, ...] = ()
    length: tuple[int, int] | None = None
    players: tuple[int, int] = (1, MAX_PLAYERS)
    multiset: bool = False
    rising: bool = False
    switch: bool = False
    stated: Mapping[str, Any] | None = field(default=None, compare=False, repr=False)

    @classmethod
    def of_line(cls, key: str, line: Mapping[str, Any], **more: Any) -> "Field":
        """The field that a line of `shared.toml` defines."""
        shape = {
            name: tuple(entry) if isinstance(entry, list) else entry
            for name, entry in line.items()
            if name not in ("value", "source", "confidence", "note", "powers")
        }
        side = key.removesuffix("_4_6").removesuffix("_2_3")
        return cls(
            key=key,
            switch=isinstance(line.get("value"), bool),
            stated=line if "value" in line else None,
            **{"record": side.replace(".", "_"), **shape, **more},
        )

    def is_used_with(self, players: int) -> bool:
        """Whether tables with this number of players use the value; 1 is solo."""
        return self.players[0] <= players <= self.players[1]

    def refusal(self, name: str, value: object) -> str:
        """The sentence that refuses a wrong value; `name` is the dotted name."""
        written = json.dumps(value, default=str)
        if len(written) > MOST_QUOTED_LETTERS:
            written = f"{written[:MOST_QUOTED_LETTERS]}..."
        return f"{name} must be {self.required_form}, not {written}."

    @property
    def required_form(self) -> str:
        """The required form of the value, in words that follow "must be"."""
        if self.switch:
            return "true or false"
        if self.choices:
            return " or ".join(map(str, self.choices))
        numbers = f"from {self.low} to {self.high}"
        if self.length is None:
            return f"a whole number {numbers}"
        fewest, most = self.length
        count = (
            str(most) if fewest == most else f"{fewest} to {most}" if fewest else f"at most {most}"
        )
        order = ", each larger than the one before" if self.rising else ""
        return f"a list of {count} whole numbers {numbers}{order}"

    def accepts(self, value: object) -> bool:
        """Whether the value has the right type, length, range and order."""
        if self.switch:
            return isinstance(value, bool)
        if self.length is None:
            return self._accepts_number(value)
        if not isinstance(value, tuple) or not self.length[0] <= len(value) <= self.length[1]:
            return False
        if not all(self._accepts_number(number) for number in value):
            return False
        return not self.rising or all(a < b for a, b in pairwise(value))

    def _accepts_number(self, number: object) -> bool:
        if isinstance(number, bool) or not isinstance(number, int):
            return False
        return self.low <= number <= self.high and (not self.choices or number in self.choices)


def dotted_entries(table: object, leaf: str = "", prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The entries of nested tables by their dotted names.

    A table with the key `leaf` is an entry, and so is an empty table, which callers refuse.
    """
    for key, entry in table.items() if isinstance(table, Mapping) else ():
        if isinstance(entry, Mapping) and entry and leaf not in entry:
            yield from dotted_entries(entry, leaf, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", entry


def _powers_named(names: object) -> tuple[Power, ...]:
    """The powers with these names; "every" means all, None the powers whose clans can lead."""
    if names is None:
        return _LEADING_POWERS
    return tuple(Power) if names == "every" else tuple(Power[name.upper()] for name in names)  # type: ignore[attr-defined]


_SHARED = tomllib.loads((VALUES_FOLDER / "shared.toml").read_text(encoding="utf-8"))

GROUPS = tuple(name for name in _SHARED if name not in ("clan", "powers"))
"""The groups of the table's values, in the order of display. Clans' values are shown after them."""

TABLE_FIELDS = tuple(
    Field.of_line(key, line, group=group)
    for group in GROUPS
    for key, line in dotted_entries(_SHARED[group], "meaning")
)
"""The fields of the values that belong to the table, not to a clan."""

CLAN_FIELDS = tuple(
    Field.of_line(key, line, powers=_powers_named(line.get("powers")))
    for key, line in _SHARED["clan"].items()
)
"""The fields of clans' values; a clan has the values that belong to its power."""


@cache
def clan_fields(power: Power) -> tuple[Field, ...]:
    """The fields of the values of a clan with a power, in the order of display."""
    return tuple(entry for entry in CLAN_FIELDS if power in entry.powers)


def fields_by_name(clans: Mapping[str, Power]) -> dict[str, Field]:
    """The field of each value by its dotted name: values of the table, then of each clan."""
    named = {entry.key: entry for entry in TABLE_FIELDS}
    for clan, power in clans.items():
        named |= {f"{clan}.{entry.key}": entry for entry in clan_fields(power)}
    return named


def shared_value(field: Field, power: Power | None) -> Mapping[str, Any] | None:
    """A value with its source, if both editions print the same value; else None.

    The shared file may state a clan's value for one power. This value takes precedence over the
    value for all powers.
    """
    of_power = {} if power is None else _SHARED["powers"].get(power.name.lower(), {})
    stated: Mapping[str, Any] | None = of_power.get(field.key, field.stated)
    return stated
