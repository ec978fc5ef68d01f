"""The bundled editions, and the check that the values of any rules fit each other.

An edition is a file in `values/` with a year; editions are ordered by year. `shared.toml` has the
values that editions share. Everything that is not printed is a variant of an edition (`settings`).
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import Any

from ethnos_sim.simulator.game.limits import MAX_AGES, REGIONS
from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.rules.fields import (
    SMALL_TABLE,
    TABLE_FIELDS,
    VALUES_FOLDER,
    Field,
    dotted_entries,
    fields_by_name,
    shared_value,
    table_size_suffix,
)
from ethnos_sim.simulator.rules.model import Rules, StatedValue, Words
from ethnos_sim.simulator.rules.settings import is_custom_power, value_text
from ethnos_sim.simulator.utilities.errors import RulesError, name_hint, name_refusal

_SHARED = "shared"
_CLAN_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")

#: The most clans that rules may have. A game is played with some of these clans.
MOST_CLANS = 16


@cache
def _edition_table(name: str) -> Mapping[str, Any]:
    """The content of an edition's file."""
    return tomllib.loads((VALUES_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


EDITIONS = tuple(
    sorted(
        (path.stem for path in VALUES_FOLDER.glob("*.toml") if path.stem != _SHARED),
        key=lambda name: _edition_table(name)["year"],
    )
)
"""The names of the bundled editions, oldest first."""


def edition_name(edition: str) -> str:
    """An edition's name, from its name or its number; RulesError if there is no such edition."""
    numbers = {str(number): name for number, name in enumerate(EDITIONS, 1)}
    name = numbers.get(edition, edition)
    if name.endswith(".toml"):
        raise RulesError(
            [f"'{name}' is a file; it follows the edition that it changes: second+{name}."]
        )
    if name not in EDITIONS:
        raise RulesError([name_refusal("edition", name, EDITIONS)])
    return name


def edition_rules(edition: str) -> Rules:
    """The rules of an edition as its file states them, before any variant or override."""
    return _rules_in_file(edition_name(edition))


@cache
def _rules_in_file(name: str) -> Rules:
    """The rules that an edition's file states; RulesError with all wrong names and values."""
    table = _edition_table(name)
    clans = {
        check_clan_name(clan): power_named(clan, power) for clan, power in table["clans"].items()
    }
    solo_clans = tuple(table.get("solo_clans", ()))
    # An edition without a solo mode has no values of that mode.
    fields = {
        value_name: field
        for value_name, field in fields_by_name(clans).items()
        if solo_clans or field.group != "solo"
    }
    rules = Rules(
        edition=name,
        title=table["title"],
        colors=tuple(table["colors"]),
        regions=tuple(table["regions"][color] for color in table["colors"]),
        powers=clans,
        solo_clans=solo_clans,
        words=Words(**table["words"]),
        stated=_stated_values(name, dict(dotted_entries(table["values"], "value")), fields, clans),
    )
    problems = [
        field.refusal(value_name, rules.value(value_name))
        for value_name, field in fields.items()
        if not field.accepts(rules.value(value_name))
    ]
    if problems:
        raise RulesError(problems)
    return check_consistency(rules)


def _stated_values(
    edition: str,
    own_values: Mapping[str, Mapping[str, Any]],
    fields: Mapping[str, Field],
    clans: Mapping[str, Power],
) -> dict[str, StatedValue]:
    """Each value with its origin, from the edition's own file or the file that editions share."""
    entries = {
        name: own_values.get(name) or shared_value(field, clans.get(name.partition(".")[0]))
        for name, field in fields.items()
    }
    kind = f"value of edition '{edition}'"
    problems = [name_refusal(kind, name, fields) for name in own_values if name not in fields]
    problems += [f"the {kind} '{name}' is missing." for name in entries if not entries[name]]
    if problems:
        raise RulesError(problems)
    return {name: _stated_value(entry) for name, entry in entries.items() if entry}


def _stated_value(entry: Mapping[str, Any]) -> StatedValue:
    """A value with its origin, from an entry of a file."""
    value = entry["value"]
    return StatedValue(
        tuple(value) if isinstance(value, list) else value,
        entry["source"],
        entry["confidence"],
        entry.get("note", ""),
    )


def check_clan_name(clan: str) -> str:
    """Return a clan's name; RulesError if it is not a valid name."""
    if not _CLAN_NAME.fullmatch(clan):
        raise RulesError(
            [f"'{clan}' is no name for a clan: use small letters, digits and '_', at most 40."]
        )
    if clan in _RESERVED:
        raise RulesError([f"no clan can be called '{clan}', which begins the names of values."])
    return clan


def power_named(clan: str, name: object, rules: Rules | None = None) -> Power:
    """The power that a clan gets by a name; RulesError with the nearest name if it is unknown.

    If the name belongs to a clan of `rules`, the error suggests the power of this clan.
    """
    powers = {power.name.lower(): power for power in Power if power is not Power.CUSTOM}
    if is_custom_power(name):
        return Power.CUSTOM
    if not isinstance(name, str) or name not in powers:
        known = rules is not None and name in rules.clans
        meant = rules.power_of(str(name)).name.lower() if rules is not None and known else None
        if name == Power.CUSTOM.name.lower():
            meant = "FILE.py:NAME"
        raise RulesError([name_refusal(f"power of '{clan}'", value_text(name), powers, meant)])
    return powers[name]


#: The first words of the names of the table's values, which no clan may use.
_RESERVED = {field.key.partition(".")[0] for field in TABLE_FIELDS} | {"clans"}


def counterpart(clan: str, *rules: Rules) -> str | None:
    """The clan of `rules` with the power that `clan` has in a bundled edition, or None."""
    homes = (home for home in map(edition_rules, EDITIONS) if clan in home.clans)
    here = (there.clan_of(home.power_of(clan)) for home in homes for there in rules)
    return next(filter(None, here), None)


def unknown_clan_hint(clan: str, *rules: Rules) -> str:
    """The end of a sentence on a clan that none of `rules` has.

    It suggests the clan of `rules` with the same power; for a clan of no edition, the nearest name.
    """
    homes = [home for home in map(edition_rules, EDITIONS) if clan in home.clans]
    if not homes:
        return name_hint(clan, dict.fromkeys(known for there in rules for known in there.clans))
    here = counterpart(clan, *rules)
    end = f"did you mean '{here}'?" if here else "no clan here has its power"
    return f"; it is a clan of the {homes[0].edition} edition, {end}"


def model_clan(rules: Rules, clan: str, power: Power) -> tuple[Rules, str]:
    """The model of a clan with a power: the clan whose values are the defaults.

    The model is the clan itself if `rules` give it this power, else the first clan of `rules` with
    the power, else the first clan with it in a bundled edition. A clan with a custom power gets
    only the values that all clans have, as printed.

    Returns:
        The rules that have the model, and the model's name.
    """
    if clan in rules.clans and rules.power_of(clan) is power:
        return rules, clan
    if power is Power.CUSTOM:
        return model_clan(edition_rules(EDITIONS[-1]), clan, Power.DRAWS_CARDS)
    for known in (rules, *map(edition_rules, EDITIONS)):
        model = known.clan_of(power)
        if model is not None:
            return known, model
    raise AssertionError("every power is in a bundled edition")


def check_consistency(rules: Rules) -> Rules:
    """Return rules whose values fit each other; RulesError if they do not."""
    problems = [*_number_problems(rules)]
    for players in (SMALL_TABLE, SMALL_TABLE + 1):
        problems += [*_token_problems(rules, players), *_list_problems(rules, players)]
    if problems:
        raise RulesError(problems)
    return rules


def _number_problems(rules: Rules) -> Iterator[str]:
    """A sentence for each number that exceeds a limit or another number."""
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


def _token_problems(rules: Rules, players: int) -> Iterator[str]:
    """A sentence if regions have unequal numbers of prestige tokens, or too few for all ranks."""
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
        token = max(rules.tokens_by_place(age))
        if token > count // REGIONS:
            yield (
                f"pays.age_{age} gives out token {token}, but with {sides} "
                f"players a region has {count // REGIONS} tokens: set both."
            )


def _list_problems(rules: Rules, players: int) -> Iterator[str]:
    """A sentence for each clan's list that is too short for the ages or the tokens."""
    ages, side = rules.ages(players), table_size_suffix(players)
    last_token = max(max(rules.tokens_by_place(age)) for age in range(1, ages + 1))
    paid = f"the {last_token} tokens that pays gives out"
    lists = ("age", ages, f"ages{side} = {ages}"), ("prestige", last_token, paid)
    for clan, (key, least, counted) in product(rules.clans, lists):
        name = f"{clan}.{key}{side}"
        if name in rules.fields and len(rules.numbers(name)) < least:
            yield f"{name} needs {least} numbers, one for each of {counted}: set both."
