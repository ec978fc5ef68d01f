"""Writing TOML that people review: fixed order, a number a line, nothing that needs a library."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_key(name: str) -> str:
    """A key, in quotation marks where it needs them."""
    return name if _BARE.fullmatch(name) else toml_value(name)


def toml_value(value: Any) -> str:
    """A value on one line; TypeError for what TOML has no word for.

    Floats are written as `repr` does, so that reading gives the same number.
    """
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            # JSON's escapes are TOML's but for DEL, which JSON lets stand.
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
        case int():
            return f"{value:_}"
        case float():
            return repr(value)
        case Mapping():
            inside = ", ".join(
                f"{toml_key(key)} = {toml_value(each)}" for key, each in value.items()
            )
            return f"{{ {inside} }}" if inside else "{}"
        case Sequence():
            members = [toml_value(each) for each in value]
            if any(isinstance(each, Inline) for each in value):
                return "\n".join(["[", *(f"    {each}," for each in members), "]"])
            return f"[{', '.join(members)}]"
    raise TypeError(f"{type(value).__name__} has no place in TOML")


def toml_lines(table: Mapping[str, Any], path: str = "") -> list[str]:
    """A table as lines: its plain values first, then its tables and lists of tables under headings.

    Args:
        table: what to write, in its own order.
        path: the dotted name of the table, empty at the top.
    """
    below = {key: value for key, value in table.items() if _has_heading(value)}
    lines = [
        f"{toml_key(key)} = {toml_value(value)}" for key, value in table.items() if key not in below
    ]
    for key, value in below.items():
        name = f"{path}.{toml_key(key)}" if path else toml_key(key)
        several = not isinstance(value, Mapping)
        for each in value if several else (value,):
            inside = toml_lines(each, name)
            # A table of nothing but tables needs no heading: theirs name it.
            if several or not inside or inside[0]:
                lines += ["", f"[[{name}]]" if several else f"[{name}]"]
            lines += inside
    return lines


class Inline(dict[str, Any]):
    """A table that is written on one line."""


def _has_heading(value: Any) -> bool:
    """Whether a value is a table, or a list of tables, with lines of its own."""
    if isinstance(value, Inline):
        return False
    if isinstance(value, Mapping):
        return True
    return (
        isinstance(value, list | tuple)
        and bool(value)
        and all(isinstance(each, Mapping) and not isinstance(each, Inline) for each in value)
    )
