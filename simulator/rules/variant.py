"""Variants: small TOML files that set a few values on top of an edition, or change its clans.

A variant file has a `description`, a table `[set]` of dotted names and values, a table `[clans]` of
clans (see `clans`), a table `[table]` with its `powers` (see `table_powers`), and `edition` if it
fits only one edition. Bundled variants are called by name.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from os import PathLike, fspath
from pathlib import Path

from ethnos_sim.simulator.rules.editions import is_custom
from ethnos_sim.simulator.rules.errors import RulesError, rules_table, unknown_name
from ethnos_sim.simulator.rules.overrides import (
    POWERS_OF_TABLE,
    Override,
    overrides_of_table,
    value_text,
)
from ethnos_sim.simulator.utilities.errors import nearest

_BUNDLED = Path(__file__).parent / "variants"
_TABLES = ("set", "clans", "table")
_KEYS = ("description", "edition", *_TABLES)


@dataclass(frozen=True, slots=True)
class Variant:
    """A named list of overrides; `edition` is None for a variant of any edition."""

    name: str
    edition: str | None
    description: str
    overrides: tuple[Override, ...]


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
        return _read(_BUNDLED / f"{name}.toml", name)
    path = Path(name)
    if not name:
        raise RulesError(["a variant needs a name."])
    if path.is_dir():
        raise RulesError([f"'{name}' is a folder; name its file, as in {path / 'variant.toml'}."])
    if not path.is_file() and ("." in name or "/" in name):
        hint = nearest(name, bundled_variants())
        is_path = "/" in name or path.suffix == ".toml"
        value = "." if is_path else f"; a value is set by {name}=NUMBER."
        end = hint if hint.endswith("?") else value
        raise RulesError([f"there is no variant file '{name}'{end}"])
    if not path.is_file():
        raise RulesError([unknown_name("variant", name, bundled_variants())])
    return _read(path, path.stem)


def combined(variants: Sequence[Variant], settled: Collection[str] = ()) -> list[Override]:
    """The overrides of several variants, in order.

    Args:
        variants: the variants; two variants may set a value only if they agree on it.
        settled: names of values that are overridden later, so variants may disagree on them.

    Raises:
        RulesError: two variants disagree on a value.
    """
    first_of: dict[str, tuple[Variant, Override]] = {}
    problems = []
    for variant in variants:
        for override in variant.overrides:
            before, other = first_of.setdefault(override.name, (variant, override))
            same = other is override or other.value == override.value
            same = same or override.name == POWERS_OF_TABLE
            if not same and override.name not in settled:
                problems.append(
                    f"the variants '{before.name}' and '{variant.name}' do not go together: they "
                    f"set {override.name} to {value_text(other.value)} and to "
                    f"{value_text(override.value)}."
                )
    if problems:
        raise RulesError(problems)
    return [override for variant in variants for override in variant.overrides]


def _read(path: Path, name: str) -> Variant:
    """Read a variant file and check its form; its values are checked with the edition's values."""
    content = rules_table(path, "variant file")
    kind = f"key in the variant file '{path}'"
    problems = [unknown_name(kind, key, _KEYS) for key in content if key not in _KEYS]
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
    settings = clans | of_table | tables.get("set", {})
    overrides = tuple(
        _beside(path, override) for override in overrides_of_table(settings, f"the variant {name}")
    )
    return Variant(name, edition, description, overrides)


def _beside(path: Path, override: Override) -> Override:
    """Return an override; if it names custom powers, name their files by their paths."""
    value = override.value
    if override.name == POWERS_OF_TABLE:
        named = value if isinstance(value, tuple) else (value,)
        found = (power_beside(path, one) if is_custom(one) else one for one in named)
        return replace(override, value=tuple(found))
    return replace(override, value=power_beside(path, str(value))) if is_custom(value) else override


def power_beside(path: Path, text: str) -> str:
    """A custom power, `FILE:NAME`, with the path of its file beside the file at `path`.

    Raises:
        RulesError: the power's file lies elsewhere. A person who opens a variant or a spec looks
            only at its folder.
    """
    named, _, power = text.rpartition(":")
    file, folder = Path(named), path.parent
    within = (folder / file).resolve().is_relative_to(folder.resolve())
    if file.is_absolute() or ".." in file.parts or not within:
        raise RulesError(
            [
                f"'{path}' names '{named}', which does not lie beside it; Python that a variant or "
                "a spec names lies in its folder."
            ]
        )
    return f"{folder / file}:{power}"
