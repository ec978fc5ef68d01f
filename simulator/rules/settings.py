"""Settings: what changes an edition's values and clans, one by one or as a variant.

A setting is NAME=VALUE on the command line, or an entry of a table in a file. A variant is a small
TOML file of settings: it has a `description`, a table `[set]` of dotted names and values, a table
`[clans]` of clans (see `clans`), and `edition` if it fits only one edition. Bundled variants are
called by name.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from os import PathLike, fspath
from pathlib import Path

from ethnos_sim.simulator.rules.fields import dotted_entries
from ethnos_sim.simulator.utilities.errors import RulesError, WrongInput, name_hint, name_refusal
from ethnos_sim.simulator.utilities.reading import read_toml

#: The value of `tokens` that shuffles the prestige tokens instead of laying them out by hand.
SHUFFLED = "shuffled"

#: The name of the setting that gives the table custom powers.
POWERS_OF_TABLE = "table.powers"

_SETTING_NAME = re.compile(r"([^\[\]]+)(?:\[([0-9]{1,3})\])?")
_POWER_WORD = re.compile(r"[a-z][a-z0-9_]*")

_BUNDLED = Path(__file__).parent / "variants"
_TABLES = ("set", "clans", "table")
_KEYS = ("description", "edition", *_TABLES)


@dataclass(frozen=True, slots=True)
class Setting:
    """A value to set: its dotted `name`, a list's `element` by index or None, and who sets it."""

    name: str
    element: int | None
    value: object
    set_by: str


def parse_value(text: str) -> object:
    """A value from text: a whole number, true or false, or a list as `[1,2,3]` or `1,2,3`.

    The result is None for a text that is no value.
    """
    text = text.strip().lower()
    if "," in text and not text.startswith("["):
        text = f"[{text.removesuffix(',')}]"
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return tuple(value) if isinstance(value, list) else value


def _value_or_power(name: str, text: str) -> object:
    """The VALUE of a NAME=VALUE text. A clan's power is a word or FILE.py:NAME, quoted or not.

    The table's powers are one FILE.py:NAME or several. The table's tokens may be SHUFFLED.
    """
    word = text.strip().strip('"')
    if name.strip() == POWERS_OF_TABLE:
        return tuple(power.strip(" \"'") for power in text.strip(" []").split(","))
    if word == SHUFFLED:
        return word
    power = _POWER_WORD.fullmatch(word) or ".py:" in word
    if name.strip().startswith("clans.") and power and word != "false":
        return word
    return parse_value(text)


def value_text(value: object) -> str:
    """A value as `parse_value` reads it: `2`, `true`, `1,2,3`; a list of one number is `1,`."""
    if isinstance(value, tuple | list):
        return ",".join(map(str, value)) + "," * (len(value) == 1) or "[]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def parse_settings(texts: Iterable[str], problems: list[str]) -> list[Setting]:
    """Settings from NAME=VALUE texts; NAME[2]=VALUE sets one element, counted from 0.

    For each text that cannot be read, a sentence is added to the problems.
    """
    settings = []
    for text in texts:
        name, equals, written = text.partition("=")
        match = _SETTING_NAME.fullmatch(name.strip())
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
            settings.append(Setting(match[1].strip(), element, value, "the user"))
    return settings


def settings_in_table(table: Mapping[str, object], set_by: str) -> list[Setting]:
    """Settings from a table of names to values; nested tables make dotted names.

    An empty table becomes a value that no field accepts, so it is reported as wrong.
    """
    return [
        Setting(name, None, tuple(value) if isinstance(value, list) else value, set_by)
        for name, value in dotted_entries(table)
    ]


def setting_texts(table: Mapping[str, object] | Sequence[str]) -> list[str]:
    """The settings of a spec as NAME=VALUE texts.

    Args:
        table: the texts themselves, or names with values; nested tables make dotted names.
    """
    if not isinstance(table, Mapping):
        return list(table)
    return [
        f"{setting.name}={json.dumps(setting.value, default=str)}"
        for setting in settings_in_table(table, "the spec")
    ]


def is_custom_power(name: object) -> bool:
    """Whether a name is a custom power's: `FILE.py:NAME`, or `FILE.py:NAME@HASH` once loaded."""
    return isinstance(name, str) and ".py:" in name


@dataclass(frozen=True, slots=True)
class Variant:
    """A named list of settings; `edition` is None for a variant of any edition."""

    name: str
    edition: str | None
    description: str
    settings: tuple[Setting, ...]


@cache
def bundled_variants() -> tuple[str, ...]:
    """The names of the variants that come with the package, in alphabetical order."""
    return tuple(sorted(path.stem for path in _BUNDLED.glob("*.toml")))


def load_variant(variant: str | PathLike[str]) -> Variant:
    """The variant with this bundled name, or in the TOML file at this path.

    RulesError if there is no such name or file, or the file is no variant.
    """
    name = fspath(variant)
    if name in bundled_variants():
        return _read_variant(_BUNDLED / f"{name}.toml", name)
    path = Path(name)
    if not name:
        raise RulesError(["a variant needs a name."])
    if path.is_dir():
        raise RulesError([f"'{name}' is a folder; name its file, as in {path / 'variant.toml'}."])
    if not path.is_file() and ("." in name or "/" in name):
        hint = name_hint(name, bundled_variants())
        is_path = "/" in name or path.suffix == ".toml"
        value = "." if is_path else f"; a value is set by {name}=NUMBER."
        end = hint if hint.endswith("?") else value
        raise RulesError([f"there is no variant file '{name}'{end}"])
    if not path.is_file():
        raise RulesError([name_refusal("variant", name, bundled_variants())])
    return _read_variant(path, path.stem)


def _read_variant(path: Path, name: str) -> Variant:
    """Read a variant file and check its form; its values are checked with the edition's values."""
    try:
        content = read_toml(path, "variant file")
    except WrongInput as error:
        raise RulesError([f"{error}."]) from error
    kind = f"key in the variant file '{path}'"
    problems = [name_refusal(kind, key, _KEYS) for key in content if key not in _KEYS]
    tables = {key: content[key] for key in _TABLES if key in content}
    edition = content.get("edition")
    description = content.get("description", "")
    if not tables:
        problems.append(
            f"the variant file '{path}' needs a table [set] of names and values, "
            "[clans] or [table] with powers."
        )
    problems += [
        f"'{key}' in the variant file '{path}' has to be a table, [{key}]."
        for key, table in tables.items()
        if not isinstance(table, Mapping)
    ]
    if not isinstance(description, str) or not isinstance(edition, str | None):
        problems.append(
            f"'edition' and 'description' in the variant file '{path}' have to be text."
        )
    if problems:
        raise RulesError(problems)
    clans = {"clans": tables["clans"]} if tables.get("clans") else {}
    of_table = {"table": tables["table"]} if tables.get("table") else {}
    table = clans | of_table | tables.get("set", {})
    settings = settings_in_table(table, f"the variant {name}")
    return Variant(name, edition, description, tuple(_with_paths(path, one) for one in settings))


def _with_paths(path: Path, setting: Setting) -> Setting:
    """The setting, in which the files of custom powers are named by their paths."""
    value = setting.value
    if isinstance(value, tuple):
        value = tuple(power_path(path, one) if is_custom_power(one) else one for one in value)
    elif is_custom_power(value):
        value = power_path(path, str(value))
    return replace(setting, value=value)


def power_path(path: Path, file_and_name: str) -> str:
    """A custom power, `FILE:NAME`, with its file's path in the folder of the file at `path`.

    Raises:
        RulesError: the power's file lies elsewhere. A person who opens a variant or a spec looks
            only at its folder.
    """
    named, _, power = file_and_name.rpartition(":")
    file, folder = Path(named), path.parent
    within = (folder / file).resolve().is_relative_to(folder.resolve())
    if file.is_absolute() or ".." in file.parts or not within:
        raise RulesError(
            [f"'{path}' names '{named}', which is not in its folder; move the Python file there."]
        )
    return f"{folder / file}:{power}"
