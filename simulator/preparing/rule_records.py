"""Rules as records: one with the values of the table, and one with the values of each clan.

Compiled code prepares every table from these records. A page gets the offset of each value in them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ethnos_sim.simulator.game.records import RULES_DTYPE, TABLE_POWERS, record_dtype
from ethnos_sim.simulator.rules import Rules
from ethnos_sim.simulator.rules.fields import CLAN_FIELDS, TABLE_FIELDS, Field, Value

#: The type of every number in the records.
NUMBER = np.dtype("i2")


def record_name(field: Field) -> str:
    """The name of a value's record field: the value's key, with underscores for dots."""
    return field.key.replace(".", "_")


def count_name(field: Field) -> str | None:
    """The name of the record field with a list's length; None if the length is fixed."""
    if field.length is None or field.length[0] == field.length[1]:
        return None
    return f"{record_name(field)}_count"


def _record_fields(fields: Iterable[Field]) -> Iterable[tuple[str, np.dtype, tuple[int, ...]]]:
    """The record fields of some values, for `record_dtype`; a list gets its greatest length."""
    for field in fields:
        yield record_name(field), NUMBER, () if field.length is None else (field.length[1],)
        count = count_name(field)
        if count is not None:
            yield count, NUMBER, ()


VALUES_DTYPE = record_dtype(
    ("moments", "u2", (TABLE_POWERS,)),
    ("power_name power_code", "i8", (TABLE_POWERS,)),
    *_record_fields(TABLE_FIELDS),
)
"""The table's values as rules state them; lists are padded with zeros.

The fields `moments`, `power_name` and `power_code` describe the table's custom powers, as in the
view; where there is no power, `moments` is 0.
"""

CLAN_DTYPE = record_dtype(
    ("power", "i1"),
    ("moments", "u2"),
    ("power_name power_code", "i8"),
    *_record_fields(CLAN_FIELDS),
)
"""A clan as rules state it: its power and its values, 0 for values that the power does not have.

The fields `moments`, `power_name` and `power_code` describe a custom power, as in the view.
"""

#: Columns of COPIED_OF_TABLE and COPIED_OF_CLANS, which have a row for each field to copy.
FROM, STEP, TO, SIZE, NUMBERS, SLOT_SIZE, FEWEST, MOST = range(8)
"""All sizes and offsets are in bytes.

FROM          the value's offset in VALUES_DTYPE or CLAN_DTYPE
STEP          the distance between a list's numbers there; 0 if one number is copied repeatedly
TO            the field's offset in RULES_DTYPE
SIZE          the size of one number in RULES_DTYPE
NUMBERS       how many numbers are written
SLOT_SIZE     the distance in RULES_DTYPE from one slot to the next; 0 for the table's values
FEWEST, MOST  the fewest and the most players that use the value
"""


def _layout(dtype: np.dtype, name: str) -> tuple[np.dtype, int]:
    """The type of a record's field, and its offset in bytes."""
    assert dtype.fields is not None
    return dtype.fields[name][:2]


def _copy_rows(fields: Iterable[Field], source: np.dtype) -> np.ndarray:
    """The rows that say how to copy values from a record of type `source` to RULES_DTYPE.

    A value is copied if RULES_DTYPE has a field for it, and so is the length of a list. Shape
    (rows, 8), int64; the columns are FROM ... MOST.
    """
    rows = []
    for field in fields:
        names = [(record_name(field), field.record)]
        count = count_name(field)
        if count is not None:
            names.append((count, f"{field.record}_count"))
        for stated, target in names:
            if target not in (RULES_DTYPE.names or ()):
                continue
            (kind, to), (origin, begin) = _layout(RULES_DTYPE, target), _layout(source, stated)
            size, shape = kind.base.itemsize, kind.shape
            slot_size = 0
            if field.powers:
                slot_size, shape = kind.itemsize // shape[0], shape[1:]
            room = int(np.prod(shape, dtype=int))
            numbers = room if origin.shape == () else min(room, origin.shape[0])
            step = NUMBER.itemsize * (origin.shape != ())
            rows.append((begin, step, to, size, numbers, slot_size, *field.players))
    return np.array(rows, np.int64)


COPIED_OF_TABLE = _copy_rows(TABLE_FIELDS, VALUES_DTYPE)
COPIED_OF_CLANS = _copy_rows(CLAN_FIELDS, CLAN_DTYPE)


class RuleRecords(NamedTuple):
    """Rules as records: `values` (VALUES_DTYPE, shape (1,)), and `clans` by number (CLAN_DTYPE)."""

    values: np.ndarray
    clans: np.ndarray


def rule_records(rules: Rules) -> RuleRecords:
    """Write rules as records, with address 0 for the code of custom powers."""
    values, clans = np.zeros(1, VALUES_DTYPE), np.zeros(len(rules.clans), CLAN_DTYPE)
    clans["power"] = list(rules.powers.values())
    for name, field in rules.fields.items():
        row = clans[rules.clans.index(name.partition(".")[0])] if field.powers else values[0]
        _write_value(row, field, rules.value(name))
    return RuleRecords(values, clans)


#: As `rule_records`, but cached for each rule set. Copy a record before you change it.
cached_rule_records = lru_cache(maxsize=256)(rule_records)


def _write_value(record: np.void, field: Field, value: Value) -> None:
    """Write a value, and the length of a list, to the value's fields of a record."""
    if not isinstance(value, tuple):
        record[record_name(field)] = value
        return
    record[record_name(field)][: len(value)] = value
    count = count_name(field)
    if count is not None:
        record[count] = len(value)


#: The attributes of a `Field` by which a page checks a changed value.
RANGE = ("low", "high", "choices", "switch", "rising", "multiset", "players")


def value_offsets(rules: Rules) -> list[dict[str, object]]:
    """One row for each value: its offset in the rule records, its range, and the value itself.

    Columns: `name` (dotted), `meaning`, `clan` (its number; None for a value of the table),
    `offset` (bytes from the start of VALUES_DTYPE, or of the clan's CLAN_DTYPE), `numbers` (None
    for a single number, else a list's least and greatest length), `count_offset` (offset of a
    list's length, None if it is fixed), the attributes RANGE (`players` is the fewest and most that
    use the value) and `value`. All numbers are int16, little-endian.
    """
    rows: list[dict[str, object]] = []
    for name, field in rules.fields.items():
        dtype = CLAN_DTYPE if field.powers else VALUES_DTYPE
        count, value = count_name(field), rules.value(name)
        clan = rules.clans.index(name.partition(".")[0]) if field.powers else None
        row: dict[str, object] = {
            "name": name,
            "meaning": field.meaning,
            "clan": clan,
            "offset": _layout(dtype, record_name(field))[1],
            "numbers": field.length,
            "count_offset": None if count is None else _layout(dtype, count)[1],
            **{key: getattr(field, key) for key in RANGE},
            "value": list(value) if isinstance(value, tuple) else value,
        }
        rows.append(row)
    return rows
