"""Read overrides of values: NAME=VALUE on the command line, or a table in a variant file."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ethnos_sim.simulator.rules.fields import EMPTY_WORDS, Value, leaves

#: The name under which custom powers are given to the table.
POWERS_OF_TABLE = "table.powers"

_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
_NAME = re.compile(r"([^\[\]]+)(?:\[([0-9]{1,3})\])?")
_WORD = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Override:
    """A value to set: its dotted `name`, the `element` of a list that changes, and who sets it."""

    name: str
    element: int | None
    value: object
    set_by: str


def parse_value(text: str) -> Value | None:
    """A value from text: a whole number, true or false, or a list as `[1,2,3]` or `1,2,3`.

    The result is None for any other text.
    """
    text = text.strip()
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if _NUMBER.fullmatch(text):
        return int(text)
    bracketed = text.startswith("[") and text.endswith("]")
    if not bracketed and "," not in text:
        return None
    inner = (text[1:-1] if bracketed else text).strip().removesuffix(",")
    items = [item.strip() for item in inner.split(",")] if inner.strip() else []
    if not all(_NUMBER.fullmatch(item) for item in items):
        return None
    return tuple(int(item) for item in items)


def _value_or_power(name: str, written: str) -> Value | str | tuple[str, ...] | None:
    """A value from text. For a clan it is the power, as a word or FILE.py:NAME, quoted or not.

    For the table it is one FILE.py:NAME or several, and for a list it may be the word for an empty
    one.
    """
    word = written.strip().strip('"')
    if name.strip() == POWERS_OF_TABLE:
        return tuple(power.strip(" \"'") for power in written.strip(" []").split(","))
    if word == EMPTY_WORDS.get(name.strip()):
        return word
    power = _WORD.fullmatch(word) or ".py:" in word
    if name.strip().startswith("clans.") and power and word != "false":
        return word
    return parse_value(written)


def value_text(value: object) -> str:
    """A value as `parse_value` reads it: 2, true, 1,2,3, or 1, for a list with one number."""
    if isinstance(value, tuple | list):
        return ",".join(map(str, value)) + "," * (len(value) == 1) or "[]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def parse_overrides(texts: Iterable[str], problems: list[str]) -> list[Override]:
    """Overrides from NAME=VALUE texts; NAME[2]=VALUE sets one element, counted from 0.

    For each text that cannot be read, a sentence is added to the problems.
    """
    overrides = []
    for text in texts:
        name, equals, written = text.partition("=")
        match = _NAME.fullmatch(name.strip())
        value = _value_or_power(name, written)
        if not equals or match is None:
            problems.append(f"'{text}' is not of the form NAME=VALUE, as in hand_limit=9.")
        elif value is None:
            problems.append(
                f"'{written.strip()}' is no value for {name.strip()}: give a whole number, "
                "true, false, or a list such as [1,2,3]."
            )
        else:
            element = None if match[2] is None else int(match[2])
            overrides.append(Override(match[1].strip(), element, value, "the user"))
    return overrides


def overrides_of_table(table: Mapping[str, object], set_by: str) -> list[Override]:
    """Overrides from a table of names to values; nested tables make dotted names.

    An empty table is kept as a value. No field accepts it, so it is reported.
    """
    return [
        Override(name, None, tuple(value) if isinstance(value, list) else value, set_by)
        for name, value in leaves(table)
    ]
