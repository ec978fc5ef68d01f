"""The names of the rule values, from the file that states them.

This is data, and the only thing that the referee takes from the program. Listing a value changes
nothing here; its rule is written where the referee reads the value. Until then
`tests/test_names.py` fails.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[2] / "simulator" / "rules" / "values" / "shared.toml"


def _named(group: dict[str, Any], before: str = "") -> Iterator[str]:
    """The dotted names of the values of a group."""
    for key, described in group.items():
        if "meaning" in described:
            yield before + key
        else:
            yield from _named(described, f"{before}{key}.")


#: The names of all values; the names of a clan's values stand without the clan.
NAMES = tuple(
    name
    for group, values in tomllib.loads(FILE.read_text(encoding="utf-8")).items()
    if group != "powers"
    for name in _named(values)
)
