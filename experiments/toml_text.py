"""Write TOML that people can read and review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def toml_text(content: Mapping[str, Any], heading: Sequence[str] = ()) -> str:
    """A table as TOML text; the lines of `heading` come first, as comments."""
    import tomlkit

    comments = "".join(f"# {line}".rstrip() + "\n" for line in heading)
    return f"{comments}\n{tomlkit.dumps(content)}" if heading else tomlkit.dumps(content)


def inline_tables(value: Any) -> Any:
    """A table or a list of tables, marked so that `toml_text` writes each table on one line.

    Other values are returned unchanged.
    """
    import tomlkit

    if isinstance(value, Mapping):
        table = tomlkit.inline_table()
        table.update(value)
        return table
    if isinstance(value, list | tuple) and any(isinstance(item, Mapping) for item in value):
        lines = tomlkit.array().multiline(True)
        lines.extend(inline_tables(item) for item in value)
        return lines
    return value
