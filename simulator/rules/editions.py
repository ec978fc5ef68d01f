"""Editions: their names, and the rules that an edition's TOML file states.

Bundled editions are the files in `values/` with a year, ordered by year; `shared.toml` has the
values that they share. A user's file is an edition too: it is read by its path, and then known
by its name. docs/rules.md describes such files.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from itertools import product
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from ethnos_sim.simulator.game.limits import MAX_AGES, REGIONS
from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.rules.errors import rules_table, unknown_name
from ethnos_sim.simulator.rules.fields import (
    SMALL_TABLE,
    TABLE_FIELDS,
    VALUES,
    Field,
    leaves,
    named_fields,
    printed_in_both,
    side_of_boards,
)
from ethnos_sim.simulator.rules.model import CONFIDENCES, Rules, Stated, Words
from ethnos_sim.simulator.rules.settings import is_custom, value_text
from ethnos_sim.simulator.utilities.errors import RulesError, nearest

_SHARED = "shared"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_KEYS = {"title", "year", "based_on", "colors", "words", "regions", "clans", "solo_clans"}
_KEYS |= {"values"}

#: The most clans that rules may have. A game is played with some of these clans.
MOST_CLANS = 16

EditionTable = Mapping[str, Any]


@cache
def _bundled_table(name: str) -> EditionTable:
    return tomllib.loads((VALUES / f"{name}.toml").read_text(encoding="utf-8"))


EDITIONS = tuple(
    sorted(
        (path.stem for path in VALUES.glob("*.toml") if path.stem != _SHARED),
        key=lambda name: _bundled_table(name)["year"],
    )
)
"""The names of the bundled editions, oldest first."""

_of_users: dict[str, tuple[EditionTable, Rules]] = {}


def edition_name(edition: str | PathLike[str]) -> str:
    """An edition's name, from its name, its number among the bundled editions, or its file.

    Raises:
        RulesError: there is no such edition, or the file states no edition.
    """
    text = fspath(edition)
    numbers = {str(number): name for number, name in enumerate(EDITIONS, 1)}
    name = numbers.get(text, text)
    if name in EDITIONS or name in _of_users:
        return name
    path = Path(text)
    if path.suffix != ".toml" and not path.is_file():
        raise RulesError([unknown_name("edition", text, (*EDITIONS, *_of_users))])
    know_edition(path.stem, rules_table(path, "edition file"))
    return path.stem


def know_edition(name: str, table: EditionTable | None) -> None:
    """Register a user's edition by name, for this process; do nothing if `table` is None.

    Raises:
        RulesError: the table states no edition, or another edition has this name.
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


def edition_table(name: str) -> EditionTable | None:
    """The table of a user's edition, for `know_edition` in another process; None if bundled."""
    return None if name in EDITIONS else _of_users[name][0]


def edition_rules(edition: str | PathLike[str]) -> Rules:
    """The rules of an edition as its file states them, before any variant or override."""
    name = edition_name(edition)
    return _bundled_rules(name) if name in EDITIONS else _of_users[name][1]


@cache
def _bundled_rules(name: str) -> Rules:
    return _rules_of(name, _bundled_table(name))


def _originals() -> list[Rules]:
    """The rules of the bundled editions that are not based on another edition, oldest first."""
    return [_bundled_rules(name) for name in EDITIONS if "based_on" not in _bundled_table(name)]


def _rules_of(name: str, table: EditionTable) -> Rules:
    """The rules that a table states; RulesError with all of its problems."""
    problems = [unknown_name(f"key of edition '{name}'", key, _KEYS) for key in {*table} - _KEYS]
    based_on = table.get("based_on")
    if based_on is not None and based_on not in EDITIONS:
        problems.append(unknown_name("bundled edition in 'based_on'", str(based_on), EDITIONS))
    if problems:
        raise RulesError(problems)
    read = _Reader(name, table, None if based_on is None else _bundled_rules(based_on))
    problems = read.problems or [
        field.refusal(value_name, read.stated[value_name].value)
        for value_name, field in read.fields.items()
        if not field.accepts(read.stated[value_name].value)
    ]
    if problems:
        raise RulesError(problems)
    # Leave out values of the solo mode if the edition has no solo mode.
    idle = {field.key for field in TABLE_FIELDS if field.group == "solo" and not read.solo_clans}
    return consistent(
        Rules(
            edition=name,
            title=read.title,
            colors=read.colors,
            regions=tuple(read.regions[color] for color in read.colors),
            powers=read.clans,
            solo_clans=read.solo_clans,
            words=Words(**read.words),
            stated={
                value_name: value
                for value_name, value in read.stated.items()
                if value_name not in idle
            },
        )
    )


class _Reader:
    """Reads an edition's table, and collects all of its problems."""

    def __init__(self, name: str, table: EditionTable, base: Rules | None) -> None:
        """Read a table; values that it leaves out come from the base, or the shared file."""
        self._name = name
        self._base = base
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
        self.clans = self._clans(table.get("clans"))
        self.solo_clans = tuple(table.get("solo_clans", ()))
        self.fields = named_fields(self.clans)
        self.stated = self._stated_values(dict(leaves(table.get("values", {}), "value")))

    def _wrong(self, sentence: str) -> None:
        self.problems.append(f"edition '{self._name}': {sentence}.")

    def _text(self, key: str, value: object) -> str:
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            self._wrong(f"'{key}' has to be text")
        return str(value)

    def _named_texts(
        self, key: str, stated: object, names: list[str] | tuple[str, ...], known: EditionTable
    ) -> dict[str, str]:
        """A table of texts by name; missing texts come from the base."""
        if not isinstance(stated, Mapping | None):
            self._wrong(f"'{key}' has to be a table")
            stated = None
        texts = stated or {}
        for name in texts:
            if name not in names:
                self._wrong(unknown_name(f"name in '{key}'", name, names).rstrip("."))
        merged = {name: texts.get(name, known.get(name)) for name in names}
        return {name: self._text(f"{key}.{name}", text) for name, text in merged.items()}

    def _clans(self, stated: object) -> dict[str, Power]:
        if stated is None and self._base is not None:
            return dict(self._base.powers)
        if not isinstance(stated, Mapping):
            self._wrong("'clans' has to be a table of clans and powers")
            return {}
        clans = {}
        for clan, power in stated.items():
            try:
                clans[check_clan_name(clan)] = power_named(clan, power)
            except RulesError as error:
                for problem in error.problems:
                    self._wrong(problem.rstrip("."))
        return clans

    def _stated_values(self, left: dict[str, Any]) -> dict[str, Stated]:
        """Every value by its dotted name; the file's values replace the values of the base."""
        values: dict[str, Stated] = {}
        for name, field in self.fields.items():
            power = self.clans[name.partition(".")[0]] if field.powers else None
            model = self._in_base(name, field, power)
            if name not in left and model is not None:
                values[name] = model
                continue
            entry = left.pop(name, None) if name in left else printed_in_both(field, power)
            if entry is None:
                self._wrong(f"the value '{name}' is missing")
                continue
            full = entry if isinstance(entry, Mapping) else {"value": entry}
            raw = full["value"]
            values[name] = Stated(
                tuple(raw) if isinstance(raw, list) else raw,
                full.get("source", f"the file of edition '{self._name}'"),
                full.get("confidence", CONFIDENCES[0]),
                full.get("note", ""),
            )
        kind = f"value of edition '{self._name}'"
        self.problems += [unknown_name(kind, unknown, self.fields) for unknown in left]
        return values

    def _in_base(self, name: str, field: Field, power: Power | None) -> Stated | None:
        """The value of the base edition, used if the file has no value; None without a base."""
        if self._base is None:
            return None
        if power is None:
            return self._base.stated.get(name)
        rules, model = model_of(self._base, name.partition(".")[0], power)
        return rules.stated[f"{model}.{field.key}"]


def _is_name(name: object) -> bool:
    """Whether a value is a valid name of a clan or a color."""
    return isinstance(name, str) and _NAME.fullmatch(name) is not None


def check_clan_name(clan: str) -> str:
    """Return a clan's name; RulesError if it is not a valid name."""
    if not _is_name(clan):
        raise RulesError(
            [f"'{clan}' is no name for a clan: use small letters, digits and '_', at most 40."]
        )
    if clan in _RESERVED:
        raise RulesError([f"no clan can be called '{clan}', which begins the names of values."])
    return clan


def power_named(clan: str, name: object, rules: Rules | None = None) -> Power:
    """The power with a name; RulesError with the nearest name if it is unknown.

    If the name is a clan's in `rules`, the error suggests that clan's power.
    """
    powers = {power.name.lower(): power for power in Power if power is not Power.CUSTOM}
    if is_custom(name):
        return Power.CUSTOM
    if not isinstance(name, str) or name not in powers:
        known = rules is not None and name in rules.clans
        meant = rules.power_of(str(name)).name.lower() if rules is not None and known else None
        if name == Power.CUSTOM.name.lower():
            meant = "FILE.py:NAME"
        raise RulesError([unknown_name(f"power of '{clan}'", value_text(name), powers, meant)])
    return powers[name]


#: The first words of the names of the table's values, which no clan may use.
_RESERVED = {field.key.partition(".")[0] for field in TABLE_FIELDS} | {"clans"}


def counterpart(clan: str, *rules: Rules) -> str | None:
    """The clan of `rules` that has the power of a clan of a bundled edition; None if none has."""
    homes = (home for home in map(edition_rules, EDITIONS) if clan in home.clans)
    here = (there.clan_of(home.power_of(clan)) for home in homes for there in rules)
    return next(filter(None, here), None)


def unknown_clan_hint(clan: str, *rules: Rules) -> str:
    """The end of a sentence on a clan that none of `rules` has.

    If it is a clan of another edition, the clan with its power here, else the nearest name.
    """
    homes = [home for home in map(edition_rules, EDITIONS) if clan in home.clans]
    if not homes:
        return nearest(clan, dict.fromkeys(known for there in rules for known in there.clans))
    here = counterpart(clan, *rules)
    end = f"did you mean '{here}'?" if here else "no clan here has its power"
    return f"; it is a clan of the {homes[0].edition} edition, {end}"


def model_of(rules: Rules, clan: str, power: Power) -> tuple[Rules, str]:
    """Find the model of a clan with a power, whose values are the clan's defaults.

    The model is the clan itself if `rules` give it this power, else the first clan of `rules` with
    the power, else the first clan with it in a bundled edition. A clan with a custom power gets
    only the values that all clans have, as printed.

    Returns:
        The rules in which the model is found, and the name of the clan that is the model.
    """
    if clan in rules.clans and rules.power_of(clan) is power:
        return rules, clan
    if power is Power.CUSTOM:
        return model_of(_originals()[-1], clan, Power.DRAWS_CARDS)
    for known in (rules, *_originals()):
        model = known.clan_of(power)
        if model is not None:
            return known, model
    raise AssertionError("every power is in a bundled edition")


def consistent(rules: Rules) -> Rules:
    """Return rules whose values fit each other; RulesError if they do not."""
    problems = [*_numbers_that_do_not_fit(rules)]
    for players in (SMALL_TABLE, SMALL_TABLE + 1):
        problems += [*_tokens_that_do_not_fit(rules, players), *_lists_too_short(rules, players)]
    if problems:
        raise RulesError(problems)
    return rules


def _numbers_that_do_not_fit(rules: Rules) -> Iterator[str]:
    """Problems of numbers that exceed a limit or another number."""
    clans = len(rules.clans)
    if not 1 <= clans <= MOST_CLANS:
        yield f"the rules have {clans} clans; 1 to {MOST_CLANS} fit."
    for name in ("clans_2_3", "clans_4_6"):
        if rules.number(name) > clans:
            yield f"{name} = {rules.number(name)} is more than the {clans} clans: set both."
    last_dragon, dragons = rules.number("last_dragon"), rules.number("dragons")
    if last_dragon > dragons:
        yield f"last_dragon = {last_dragon} is more than dragons = {dragons}: set both."
    laid = len(rules.numbers("tokens"))
    needed = {len(rules.prestige_tokens(players)) for players in (SMALL_TABLE, SMALL_TABLE + 1)}
    if laid and laid not in needed:
        counts = " or ".join(map(str, sorted(needed)))
        yield f"tokens lists {laid} prestige tokens, where a game has {counts}: set both."
    first, limit = rules.number("first_cards"), rules.number("hand_limit")
    if first > limit:
        yield f"first_cards = {first} is more than hand_limit = {limit}: set both."
    for clan in (clan for clan, power in rules.powers.items() if power is Power.SEA_TRACK):
        far, end = max(rules.numbers(clan, "symbols"), default=0), f"{clan}.last_space"
        if far > rules.number(end):
            beyond = f"beyond {end} = {rules.number(end)}"
            yield f"{clan}.symbols reaches space {far}, {beyond}: set both."


def _tokens_that_do_not_fit(rules: Rules, players: int) -> Iterator[str]:
    """Problems: regions get unequal numbers of prestige tokens, or too few for all places."""
    sides = "4 to 6" if players > SMALL_TABLE else "2 or 3"
    count = len(rules.prestige_tokens(players))
    if count % REGIONS or count > REGIONS * MAX_AGES:
        fitting = ", ".join(str(REGIONS * n) for n in range(1, MAX_AGES))
        yield (
            f"{count} prestige tokens with {sides} players do not go evenly to {REGIONS} "
            f"regions: {fitting} or {REGIONS * MAX_AGES} do."
        )
        return
    for age in range(1, rules.ages(players) + 1):
        token = max(rules.pays(age))
        if token > count // REGIONS:
            yield (
                f"pays.age_{age} gives out token {token}, but with {sides} "
                f"players a region has {count // REGIONS}: set both."
            )


def _lists_too_short(rules: Rules, players: int) -> Iterator[str]:
    """Problems of clans' lists that are too short for the ages or the tokens."""
    ages, side = rules.ages(players), side_of_boards(players)
    paid = max(max(rules.pays(age)) for age in range(1, ages + 1))
    for clan, (key, least) in product(rules.clans, {"age": ages, "prestige": paid}.items()):
        name = f"{clan}.{key}{side}"
        if name in rules.fields and len(rules.numbers(name)) < least:
            yield f"{name} needs {least} numbers, one for each of ages{side} = {ages}: set both."
