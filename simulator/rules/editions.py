"""Editions: which there are, and the rules of one as its TOML file states them.

Bundled editions are the files in `values/` with a year, in its order; `shared.toml` has what they
have in common. A file of a user's is an edition too: it is read by its path, and known by its name
from then on. docs/rules.md tells what it may state.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from os import PathLike, fspath
from pathlib import Path
from typing import Any, cast

from ethnos_sim.simulator.limits import MAX_AGES, REGIONS
from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.rules.errors import RulesError, unknown_name
from ethnos_sim.simulator.rules.fields import FIELDS, Field, Value
from ethnos_sim.simulator.rules.model import Dimensions, Rules, Words
from ethnos_sim.simulator.rules.provenance import CONFIDENCES, Provenance

_VALUES = Path(__file__).parent / "values"
_SHARED = "shared"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_KEYS = {"title", "year", "based_on", "colors", "words", "regions", "clans", "solo_clans"}
_KEYS |= {"dimensions", "values"}

#: What a dimension may be; the kernel's records have room for no more.
_RANGES = {
    "ages_small": (1, 2),
    "ages_large": (1, MAX_AGES),
    "clans_small": (4, 6),
    "clans_large": (4, 6),
}

Table = Mapping[str, Any]


def _bundled(name: str) -> Table:
    """A bundled file."""
    return tomllib.loads((_VALUES / f"{name}.toml").read_text(encoding="utf-8"))


def _in_order() -> tuple[str, ...]:
    """The bundled editions by year."""
    names = (path.stem for path in _VALUES.glob("*.toml") if path.stem != _SHARED)
    return tuple(sorted(names, key=lambda name: _bundled(name)["year"]))


EDITIONS = _in_order()
"""The names of the bundled editions, oldest first."""

_of_users: dict[str, tuple[Table, Rules]] = {}


def edition_name(edition: str | PathLike[str]) -> str:
    """An edition's name from its name, its number among the bundled ones, or its file.

    Raises:
        RulesError: there is no such edition, or the file is none.
    """
    text = fspath(edition)
    numbers = {str(number): name for number, name in enumerate(EDITIONS, 1)}
    name = numbers.get(text, text)
    if name in EDITIONS or name in _of_users:
        return name
    path = Path(text)
    if path.suffix != ".toml" and not path.is_file():
        raise RulesError([unknown_name("edition", text, (*EDITIONS, *_of_users))])
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise RulesError([f"the edition file '{path}' cannot be read: {error}."]) from error
    know_edition(path.stem, table)
    return path.stem


def know_edition(name: str, table: Table | None) -> None:
    """Make an edition of a user's known by its name, for this process; none for a bundled one.

    Raises:
        RulesError: the table states no edition, or another one has this name.
    """
    if table is None:
        return
    if name in EDITIONS or _of_users.get(name, (table,))[0] != table:
        raise RulesError([f"there is another edition called '{name}'; give the file another name."])
    if name not in _of_users:
        if not _NAME.fullmatch(name):
            raise RulesError(
                [f"'{name}' is no name for an edition: use small letters, digits and '_'."]
            )
        _of_users[name] = table, _rules_of(name, table)


def edition_table(name: str) -> Table | None:
    """What a user's file states, to be known elsewhere; None for a bundled edition."""
    return None if name in EDITIONS else _of_users[name][0]


def edition_rules(edition: str | PathLike[str]) -> Rules:
    """The rules of an edition as its file states them, before any variant or override."""
    name = edition_name(edition)
    return _bundled_rules(name) if name in EDITIONS else _of_users[name][1]


@cache
def _bundled_rules(name: str) -> Rules:
    return _rules_of(name, _bundled(name))


def _rules_of(name: str, table: Table) -> Rules:
    """The rules that a table states; RulesError with all that is wrong in it."""
    problems = [unknown_name(f"key of edition '{name}'", key, _KEYS) for key in {*table} - _KEYS]
    based_on = table.get("based_on")
    if based_on is not None and based_on not in EDITIONS:
        problems.append(unknown_name("bundled edition in 'based_on'", str(based_on), EDITIONS))
    if problems:
        raise RulesError(problems)
    base = None if based_on is None else _bundled_rules(based_on)
    shape = _Shape(name, table, base)
    values, sources = _values(name, table, base, shape)
    problems = shape.problems
    if not problems:
        problems += _value_problems(shape, values)
    if problems:
        raise RulesError(problems)
    rules = Rules(
        edition=name,
        title=shape.title,
        colors=shape.colors,
        regions=tuple(shape.regions[color] for color in shape.colors),
        clans=tuple(shape.clans),
        powers=tuple(shape.clans.values()),
        solo_clans=tuple(table.get("solo_clans", ())),
        words=Words(**shape.words),
        dimensions=Dimensions(**shape.dimensions),
        sources=sources,
        **values,
    )
    check_symbols(rules)
    return rules


class _Shape:
    """What an edition is made of beside its values, and all that is wrong with it."""

    def __init__(self, name: str, table: Table, base: Rules | None) -> None:
        """Read a table; what it leaves out is the base's, or the shared file's."""
        self._name = name
        self.problems: list[str] = []
        self.title = self._text("title", table.get("title", f"edition '{name}'"))
        self.words = self._named_texts(
            "words",
            table.get("words"),
            [word.name for word in fields(Words)],
            {} if base is None else {w.name: getattr(base.words, w.name) for w in fields(Words)},
        )
        colors = table.get("colors", () if base is None else base.colors)
        self.colors = tuple(colors) if isinstance(colors, list | tuple) else ()
        if len(set(self.colors)) != REGIONS or not all(map(_is_name, self.colors)):
            self._wrong(f"'colors' needs {REGIONS} different names in small letters")
        known = {} if base is None else dict(zip(base.colors, base.regions, strict=True))
        self.regions = self._named_texts("regions", table.get("regions"), self.colors, known)
        self.clans = self._clans(table.get("clans"), base)
        stated = table.get("dimensions", {})
        shared = _bundled(_SHARED)["dimensions"] if base is None else base.dimensions.as_dict()
        self.dimensions: dict[str, int] = {**shared, **stated}
        for key, value in self.dimensions.items():
            low, high = _RANGES.get(key, (0, -1))
            if key not in _RANGES:
                self._wrong(unknown_name("dimension", key, _RANGES).rstrip("."))
            elif type(value) is not int or not low <= value <= high:
                self._wrong(f"'dimensions.{key}' must be a whole number from {low} to {high}")
        if not self.problems and len(self.clans) < max(
            self.dimensions["clans_small"], self.dimensions["clans_large"]
        ):
            self._wrong(f"{len(self.clans)} clans are fewer than are in play")

    def clan_of(self, power: Power) -> str | None:
        """The clan that has a power, or None."""
        return next((clan for clan, own in self.clans.items() if own is power), None)

    def _wrong(self, sentence: str) -> None:
        self.problems.append(f"edition '{self._name}': {sentence}.")

    def _text(self, key: str, value: object) -> str:
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            self._wrong(f"'{key}' has to be text")
        return str(value)

    def _named_texts(
        self, key: str, stated: object, names: list[str] | tuple[str, ...], known: Table
    ) -> dict[str, str]:
        """A table of texts by name; those left out are the base's."""
        if not isinstance(stated, Mapping | None):
            self._wrong(f"'{key}' has to be a table")
            stated = None
        own = stated or {}
        for name in own:
            if name not in names:
                self._wrong(unknown_name(f"name in '{key}'", name, names).rstrip("."))
        found = {name: own.get(name, known.get(name)) for name in names}
        return {name: self._text(f"{key}.{name}", text) for name, text in found.items()}

    def _clans(self, stated: object, base: Rules | None) -> dict[str, Power]:
        """Clans with their powers, each power once."""
        if stated is None and base is not None:
            return dict(zip(base.clans, base.powers, strict=True))
        if not isinstance(stated, Mapping):
            self._wrong("'clans' has to be a table of clans and powers")
            return {}
        powers = {power.name.lower(): power for power in Power}
        for clan, power in stated.items():
            if not _is_name(clan):
                self._wrong(f"'{clan}' is no name for a clan: use small letters, digits and '_'")
            if power not in powers:
                self._wrong(unknown_name(f"power of '{clan}'", str(power), powers).rstrip("."))
        found = {clan: powers[power] for clan, power in stated.items() if power in powers}
        for power in powers.values():
            if list(found.values()).count(power) > 1:
                self._wrong(f"two clans have the power '{power.name.lower()}'; one may")
        return found


def _is_name(name: object) -> bool:
    """Whether something can name a clan or a color."""
    return isinstance(name, str) and _NAME.fullmatch(name) is not None


def _values(
    name: str, table: Table, base: Rules | None, shape: _Shape
) -> tuple[dict[str, Any], dict[str, Provenance]]:
    """Every value by its attribute and where it comes from by its name."""
    stated = dict(_leaves(table.get("values", {})))
    known = {} if base is not None else dict(_leaves(_bundled(_SHARED)["values"]))
    values: dict[str, Any] = {}
    sources: dict[str, Provenance] = {}
    for field in FIELDS:
        own = field.name(shape.clan_of)
        if own is None:
            values[field.attribute] = field.nothing
        elif own in stated or own in known:
            entry = stated.pop(own, known.get(own))
            full = entry if isinstance(entry, Mapping) else {"value": entry}
            raw = full["value"]
            values[field.attribute] = tuple(raw) if isinstance(raw, list) else raw
            sources[own] = Provenance(
                full.get("source", f"the file of edition '{name}'"),
                full.get("confidence", CONFIDENCES[0]),
                full.get("note", ""),
            )
        elif base is not None and field.name(base.clan_of) is not None:
            values[field.attribute] = getattr(base, field.attribute)
            sources[own] = base.provenance(cast(str, field.name(base.clan_of)))
        else:
            shape.problems.append(f"edition '{name}': the value '{own}' is missing.")
    names = [own for field in FIELDS if (own := field.name(shape.clan_of)) is not None]
    shape.problems += [unknown_name(f"value of edition '{name}'", each, names) for each in stated]
    return values, sources


def _leaves(table: Any, above: str = "") -> Iterator[tuple[str, Any]]:
    """The values in nested tables by their dotted names."""
    for key, entry in table.items() if isinstance(table, Mapping) else ():
        if isinstance(entry, Mapping) and "value" not in entry:
            yield from _leaves(entry, f"{above}{key}.")
        else:
            yield f"{above}{key}", entry


def _value_problems(shape: _Shape, values: Mapping[str, Any]) -> list[str]:
    """A sentence for each value that is out of its range."""
    problems = []
    for field in FIELDS:
        name = field.name(shape.clan_of)
        if name is not None and not field.accepts(values[field.attribute]):
            problems.append(field.refusal(name, values[field.attribute]))
    return problems


def check_symbols(rules: Rules) -> None:
    """No symbol lies beyond the last space of the sea track; RulesError otherwise."""
    if rules.sea_symbols and rules.sea_symbols[-1] > rules.sea_last_space:
        clan = rules.clan_of(Power.SEA_TRACK)
        raise RulesError(
            [
                f"{clan}.symbols reaches space {rules.sea_symbols[-1]}, beyond "
                f"{clan}.last_space = {rules.sea_last_space}: set both."
            ]
        )


def in_kept_order(field: Field, value: Value) -> Value:
    """A value as it is kept: a multiset ascending."""
    return tuple(sorted(value)) if field.multiset and isinstance(value, tuple) else value
