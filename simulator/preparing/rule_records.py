"""Rules as records: one with the values of the table, and one with the values of each clan.

Compiled code prepares every table from these records. A web page gets their layout.
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
NUMBER_DTYPE = np.dtype("i2")


def record_field_name(field: Field) -> str:
    """The name of a value's record field: the value's key, with underscores for dots."""
    return field.key.replace(".", "_")


def count_field_name(field: Field) -> str | None:
    """The name of the record field with a list's length; None if the length is fixed."""
    if field.length is None or field.length[0] == field.length[1]:
        return None
    return f"{record_field_name(field)}_count"


def _record_fields(fields: Iterable[Field]) -> Iterable[tuple[str, np.dtype, tuple[int, ...]]]:
    """The record fields of some values, for `record_dtype`; lists are as long as they may get."""
    for field in fields:
        shape = () if field.length is None else (field.length[1],)
        yield record_field_name(field), NUMBER_DTYPE, shape
        count = count_field_name(field)
        if count is not None:
            yield count, NUMBER_DTYPE, ()


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

SOURCE_OFFSET, SOURCE_STEP, TARGET_OFFSET, NUMBER_SIZE, NUMBER_COUNT = range(5)
SLOT_SIZE, FEWEST_PLAYERS, MOST_PLAYERS = range(5, 8)
"""The columns of TABLE_COPY_ROWS and CLAN_COPY_ROWS. All sizes and offsets are in bytes.

SOURCE_OFFSET   the value's offset in VALUES_DTYPE or CLAN_DTYPE
SOURCE_STEP     the distance between a list's numbers there; 0 to copy one number repeatedly
TARGET_OFFSET   the field's offset in RULES_DTYPE
NUMBER_SIZE     the size of one number in RULES_DTYPE
NUMBER_COUNT    how many numbers are written
SLOT_SIZE       the distance in RULES_DTYPE from one slot to the next; 0 for the table's values
FEWEST_PLAYERS  the fewest players that use the value; MOST_PLAYERS the most
"""


def _layout(dtype: np.dtype, name: str) -> tuple[np.dtype, int]:
    """The type of a record's field, and its offset in bytes."""
    assert dtype.fields is not None
    return dtype.fields[name][:2]


def _copy_rows(fields: Iterable[Field], source: np.dtype) -> np.ndarray:
    """The rows that say how to copy values from a record of type `source` to RULES_DTYPE.

    There is a row for each value, and each length of a list, that RULES_DTYPE has a field for.
    Shape (rows, 8), int64; the columns are SOURCE_OFFSET ... MOST_PLAYERS.
    """
    rows = []
    for field in fields:
        names = [(record_field_name(field), field.record)]
        count = count_field_name(field)
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
            step = NUMBER_DTYPE.itemsize * (origin.shape != ())
            rows.append((begin, step, to, size, numbers, slot_size, *field.players))
    return np.array(rows, np.int64)


TABLE_COPY_ROWS = _copy_rows(TABLE_FIELDS, VALUES_DTYPE)
CLAN_COPY_ROWS = _copy_rows(CLAN_FIELDS, CLAN_DTYPE)


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
        record[record_field_name(field)] = value
        return
    record[record_field_name(field)][: len(value)] = value
    count = count_field_name(field)
    if count is not None:
        record[count] = len(value)


#: The attributes of a `Field` by which a page checks the value that a user enters.
RANGE_ATTRIBUTES = ("low", "high", "choices", "switch", "rising", "multiset", "players")


def value_offsets(rules: Rules) -> list[dict[str, object]]:
    """One row for each value: its offset in the rule records, its range, and the value itself.

    Columns: `name` (dotted), `meaning`, `clan` (its number; None for a value of the table),
    `offset` (bytes from the start of VALUES_DTYPE, or of the clan's CLAN_DTYPE), `numbers` (None
    for a single number, else a list's least and greatest length), `count_offset` (offset of a
    list's length, None if it is fixed), RANGE_ATTRIBUTES (`players`: the fewest and the most
    players that use the value) and `value`. All numbers are int16, little-endian.
    """
    rows: list[dict[str, object]] = []
    for name, field in rules.fields.items():
        dtype = CLAN_DTYPE if field.powers else VALUES_DTYPE
        count, value = count_field_name(field), rules.value(name)
        clan = rules.clans.index(name.partition(".")[0]) if field.powers else None
        row: dict[str, object] = {
            "name": name,
            "meaning": field.meaning,
            "clan": clan,
            "offset": _layout(dtype, record_field_name(field))[1],
            "numbers": field.length,
            "count_offset": None if count is None else _layout(dtype, count)[1],
            **{key: getattr(field, key) for key in RANGE_ATTRIBUTES},
            "value": list(value) if isinstance(value, tuple) else value,
        }
        rows.append(row)
    return rows
