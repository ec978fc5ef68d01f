"""Rules as records: the values of the table and of each clan, not yet resolved for one table.

The kernel prepares tables from these records. A page gets the offset of each value in them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ethnos_sim.simulator.game.records import RULES_DTYPE, TABLE_POWERS, record
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.simulator.rules.fields import CLAN_FIELDS, TABLE_FIELDS, Field, Value

#: The type of every number in the records.
NUMBER = np.dtype("i2")


def name_of(field: Field) -> str:
    """The name of a value's field in the records: its key without dots."""
    return field.key.replace(".", "_")


def count_of(field: Field) -> str | None:
    """The name of the field with a list's length; None if the length never varies."""
    if field.length is None or field.length[0] == field.length[1]:
        return None
    return f"{name_of(field)}_count"


def _layout(fields: Iterable[Field]) -> Iterable[tuple[str, np.dtype, tuple[int, ...]]]:
    """The record fields that hold some values; a list has room for its greatest length."""
    for field in fields:
        yield name_of(field), NUMBER, () if field.length is None else (field.length[1],)
        count = count_of(field)
        if count is not None:
            yield count, NUMBER, ()


VALUES_DTYPE = record(
    ("moments", "u2", (TABLE_POWERS,)),
    ("power_name power_code", "i8", (TABLE_POWERS,)),
    *_layout(TABLE_FIELDS),
)
"""The table's values as rules state them; lists are padded with zeros.

The fields `moments`, `power_name` and `power_code` describe the table's custom powers, as in the
view; a place without a power has no moments.
"""

CLAN_DTYPE = record(
    ("power", "i1"),
    ("moments", "u2"),
    ("power_name power_code", "i8"),
    *_layout(CLAN_FIELDS),
)
"""A clan as rules state it: its power and its values, 0 for values that the power does not have.

The fields `moments`, `power_name` and `power_code` describe a custom power, as in the view.
"""

#: Columns of COPIED_OF_TABLE and COPIED_OF_CLANS, which have a row for each copied field.
FROM, STEP, TO, SIZE, NUMBERS, SLOT_SIZE, FEWEST, MOST = range(8)
"""All sizes and offsets are in bytes.

FROM          the value's offset in the stated record
STEP          the distance between the numbers of a stated list; 0 if one number fills all places
TO            the field's offset in RULES_DTYPE
SIZE          the size of one number in RULES_DTYPE
NUMBERS       how many numbers are copied
SLOT_SIZE     the distance between the numbers of neighbouring slots; 0 for the table's values
FEWEST, MOST  the fewest and the most players that use the value
"""


def _place(record: np.dtype, name: str) -> tuple[np.dtype, int]:
    """The type of a record's field, and its offset in bytes."""
    assert record.fields is not None
    return record.fields[name][:2]


def _copy_table(fields: Iterable[Field], source: np.dtype) -> np.ndarray:
    """How to copy values from the record `source` to RULES_DTYPE: a row for each field to copy.

    A value is copied if RULES_DTYPE has a field for it; so is the length of a list. Shape
    (rows, 8), int64; the columns are FROM ... MOST.
    """
    rows = []
    for field in fields:
        names = [(name_of(field), field.record)]
        count = count_of(field)
        if count is not None:
            names.append((count, f"{field.record}_count"))
        for stated, target in names:
            if target not in (RULES_DTYPE.names or ()):
                continue
            (kind, to), (origin, begin) = _place(RULES_DTYPE, target), _place(source, stated)
            size, shape = kind.base.itemsize, kind.shape
            slot_size = 0
            if field.powers:
                slot_size, shape = kind.itemsize // shape[0], shape[1:]
            room = int(np.prod(shape, dtype=int))
            numbers = room if origin.shape == () else min(room, origin.shape[0])
            step = NUMBER.itemsize * (origin.shape != ())
            rows.append((begin, step, to, size, numbers, slot_size, *field.players))
    return np.array(rows, np.int64)


COPIED_OF_TABLE = _copy_table(TABLE_FIELDS, VALUES_DTYPE)
COPIED_OF_CLANS = _copy_table(CLAN_FIELDS, CLAN_DTYPE)


class Stated(NamedTuple):
    """Rules as records: `values` (shape (1,), VALUES_DTYPE), `clans` (in order, CLAN_DTYPE)."""

    values: np.ndarray
    clans: np.ndarray


def state(rules: Rules) -> Stated:
    """Write rules as records; the address of a custom power's code is 0."""
    values, clans = np.zeros(1, VALUES_DTYPE), np.zeros(len(rules.clans), CLAN_DTYPE)
    clans["power"] = list(rules.powers.values())
    for name, field in rules.fields.items():
        row = clans[rules.clans.index(name.partition(".")[0])] if field.powers else values[0]
        _state(row, field, rules.value(name))
    return Stated(values, clans)


#: As `state`, but cached for each rule set. Copy a record before you change it.
stated = lru_cache(maxsize=256)(state)


def _state(row: np.void, field: Field, value: Value) -> None:
    """Write a value to its field of a record. A list's length is written too."""
    if not isinstance(value, tuple):
        row[name_of(field)] = value
        return
    row[name_of(field)][: len(value)] = value
    count = count_of(field)
    if count is not None:
        row[count] = len(value)


#: What a page needs of a value's field to check another value.
RANGE = ("low", "high", "choices", "switch", "rising", "multiset", "players")


def stated_fields(rules: Rules) -> list[dict[str, object]]:
    """The offset of each value in `stated`, and its range: one row for each value.

    Columns: `name` (dotted), `meaning`, `clan` (its number; None for a value of the table),
    `offset` (bytes from the start of VALUES_DTYPE, or of the clan's CLAN_DTYPE), `numbers` (None
    for a single number, else the fewest and most of a list), `count_offset` (offset of a list's
    length, None if it never changes), `low`, `high`, `choices`, `switch`, `rising`,
    `multiset`, `players` (the fewest and most that use it) and `value`. All numbers are int16,
    little-endian.
    """
    rows: list[dict[str, object]] = []
    for name, field in rules.fields.items():
        record_of = CLAN_DTYPE if field.powers else VALUES_DTYPE
        count, value = count_of(field), rules.value(name)
        clan = rules.clans.index(name.partition(".")[0]) if field.powers else None
        row: dict[str, object] = {
            "name": name,
            "meaning": field.meaning,
            "clan": clan,
            "offset": _place(record_of, name_of(field))[1],
            "numbers": field.length,
            "count_offset": None if count is None else _place(record_of, count)[1],
            **{key: getattr(field, key) for key in RANGE},
            "value": list(value) if isinstance(value, tuple) else value,
        }
        rows.append(row)
    return rows
