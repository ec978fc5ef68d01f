"""The Rules object: one edition with every value and switch resolved, frozen.

It has no mode, number of players or clans in play, because these belong to a game.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from hashlib import sha256

from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.rules.fields import (
    SMALL_TABLE,
    Field,
    Value,
    fields_by_name,
    table_size_suffix,
)
from ethnos_sim.simulator.rules.settings import POWERS_OF_TABLE
from ethnos_sim.simulator.utilities.errors import RulesError, name_refusal

OVERRIDE = "override"
"""The `source` and the `confidence` of a value that a variant or the user set."""


@dataclass(frozen=True, slots=True)
class Words:
    """An edition's words for the things of the game, singular and plural.

    The fields are named by the 2nd edition's words, which this program uses throughout.
    """

    region: str
    regions: str
    clan: str
    clans: str
    party: str
    parties: str
    prestige: str
    age: str
    ages: str

    def translate(self, text: str) -> str:
        """Translate a text from the 2nd edition's words to the words of this edition."""
        return _ANY_WORD.sub(self._translated_word, text)

    def _translated_word(self, match: re.Match[str]) -> str:
        word: str = getattr(self, match[0].lower())
        return word.capitalize() if match[0][0].isupper() else word


_ANY_WORD = re.compile(rf"\b({'|'.join(word.name for word in fields(Words))})\b", re.IGNORECASE)


def clan_key(title: str) -> str:
    """A clan's name in rules, from its title on a page: red_panda for "Red Panda"."""
    return "_".join(title.lower().split())


@dataclass(frozen=True, slots=True)
class StatedValue:
    """A value in force with its origin; rules that differ only in origins are equal.

    `source` says who states the value, `confidence` how certain it is, and `note` anything else.
    """

    value: Value
    source: str = field(compare=False)
    confidence: str = field(compare=False)
    note: str = field(default="", compare=False)


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules in force. Made by `load_rules`; equal when edition and all values are equal.

    `colors` and `regions` (6 each) have the same order; `powers` has each clan's power, in the
    clans' order. `stated` has every value by its dotted name, lists as tuples; `fields` has their
    ranges. `solo_clans` are the clans of the solo mode, empty if the edition has no such mode.
    `clan_changes` has the changes of the edition's clans: a clan's power, or False for a removed
    clan. `custom_powers` has the clans with custom powers, each with its power's reference
    (`custom_powers.registry`), `table_powers` the references of the table's custom powers.
    """

    edition: str
    title: str
    colors: tuple[str, ...]
    regions: tuple[str, ...]
    powers: Mapping[str, Power]
    solo_clans: tuple[str, ...]
    custom_powers: tuple[tuple[str, str], ...] = ()
    table_powers: tuple[str, ...] = ()
    words: Words
    stated: Mapping[str, StatedValue]
    clan_changes: Mapping[str, str | bool] = field(default_factory=dict, compare=False)

    def __hash__(self) -> int:
        return hash(self.rules_id)

    def __repr__(self) -> str:
        words = f" with {', '.join(self.changed_names)} changed" if self.changed_names else ""
        return f"Rules of the {self.title}{words}, {self.rules_id}"

    @property
    def changed_values(self) -> list[str]:
        """The dotted names of the values that a variant or the user set."""
        return [name for name, value in self.stated.items() if value.confidence == OVERRIDE]

    @property
    def changed_names(self) -> list[str]:
        """The names of all changes; a changed clan is named `clans.CLAN`."""
        powers = [POWERS_OF_TABLE] if self.table_powers else []
        return [*(f"clans.{clan}" for clan in self.clan_changes), *powers, *self.changed_values]

    @cached_property
    def clans(self) -> tuple[str, ...]:
        """The clans, in the order of their numbers."""
        return tuple(self.powers)

    def number(self, *name: str) -> int:
        """A single number or a switch, by its dotted name or by the parts of this name."""
        value = self.value(".".join(name))
        assert isinstance(value, int), f"{name} is a list"
        return value

    def numbers(self, *name: str) -> tuple[int, ...]:
        """A list, by its dotted name or by the parts of this name."""
        value = self.value(".".join(name))
        assert isinstance(value, tuple), f"{name} is no list"
        return value

    def region(self, color: str) -> str:
        """A region's name in this edition, with its color unless the name is the color."""
        name = self.regions[self.colors.index(color)]
        return name if name.lower() == color else f"{name} ({color})"

    def ages(self, players: int) -> int:
        """The number of ages of a game with this number of players."""
        return self.number("ages" + table_size_suffix(players))

    def clans_in_play(self, players: int) -> int:
        """The number of clans in play with `players` players; one player plays the solo mode."""
        if players == 1:
            return len(self.solo_clans)
        return self.number("clans" + table_size_suffix(players))

    def prestige_tokens(self, players: int) -> tuple[int, ...]:
        """The prestige tokens in a game with this number of players.

        If `tokens` lists as many as the game needs, the tokens are laid in the order of that list.
        """
        more = self.numbers("prestige_tokens.four_plus") if players > SMALL_TABLE else ()
        tokens = self.numbers("prestige_tokens.base") + more
        laid = self.numbers("tokens")
        return laid if len(laid) == len(tokens) else tokens

    def cards_dealt(self, players: int) -> int:
        """How many cards are dealt when the first age begins: to hands, pool and Bruno's columns.

        A game with one player is a solo game, with a pool for two.
        """
        dealt = self.number("pool_per_player") * max(players, 2)
        dealt += self.number("first_cards") * players
        return dealt + (self.number("bruno.cards") if players == 1 else 0)

    @property
    def ending_dragon(self) -> int:
        """The number of the dragon that ends an age, counted from 1."""
        return self.number("last_dragon") or self.number("dragons")

    def tokens_by_place(self, age: int) -> tuple[int, ...]:
        """The token of a region that each rank scores in an age: 1 for the lowest, 0 for none."""
        return self.numbers(f"pays.age_{age}")

    def cards_of(self, clan: str) -> int:
        """How many cards a clan has."""
        return self.number("cards_per_clan") * self.number(clan, "times_cards")

    def power_of(self, clan: str) -> Power:
        """The power of a clan of this edition; RulesError with the nearest clan if unknown."""
        if clan not in self.powers:
            kind = f"{self.edition}-edition {self.words.clan}"
            raise RulesError([name_refusal(kind, clan, self.powers)])
        return self.powers[clan]

    def custom_power(self, clan: str) -> str | None:
        """The reference of a clan's custom power; None for a printed power."""
        return dict(self.custom_powers).get(clan)

    @property
    def all_custom_powers(self) -> tuple[str, ...]:
        """The references of the custom powers of clans and of the table."""
        return (*(reference for _, reference in self.custom_powers), *self.table_powers)

    def clan_of(self, power: Power) -> str | None:
        """The first clan that has a power in these rules, or None."""
        return next((clan for clan, held in self.powers.items() if held is power), None)

    @cached_property
    def fields(self) -> dict[str, Field]:
        """The field of each value by its dotted name: values of the table, then of each clan."""
        named = fields_by_name(self.powers)
        return {name: named[name] for name in named if name in self.stated}

    def values(self) -> dict[str, Value]:
        """Every value and switch in force by its dotted name, in the order of `fields`."""
        return {name: value.value for name, value in self.stated.items()}

    @property
    def value_kind(self) -> str:
        """The words for a value of these rules in messages."""
        return f"{self.edition}-edition rule value"

    def value(self, name: str) -> Value:
        """The value with this dotted name; RulesError for an unknown name."""
        if name not in self.stated:
            raise RulesError([name_refusal(self.value_kind, name, self.stated)])
        return self.stated[name].value

    def trace_values(self) -> dict[str, int | bool | str | list[int] | list[str]]:
        """The rules as overrides that `load_rules` reads, with lists instead of tuples.

        A game trace has them under `rules`: changes of the edition's clans, the table's powers if
        there are any, then all values.
        """
        powers = {POWERS_OF_TABLE: list(self.table_powers)} if self.table_powers else {}
        clans = {f"clans.{clan}": change for clan, change in self.clan_changes.items()}
        values = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in self.values().items()
        }
        return {**clans, **powers, **values}

    @cached_property
    def rules_id(self) -> str:
        """Twelve hex digits for the edition, its clans with their powers, and all values in force.

        The id is the start of the SHA-256 of the edition's name, clans, powers and values as JSON
        with sorted keys. The origins of values do not count, so setting a value to its old value
        keeps the id.
        """
        clans = {clan: power.name for clan, power in self.powers.items()}
        content: dict[str, object] = {
            "edition": self.edition,
            "clans": clans | dict(self.custom_powers),
            "values": self.values(),
        }
        if self.table_powers:
            content["powers"] = self.table_powers
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return sha256(text.encode()).hexdigest()[:12]

    def assumed_values(self) -> tuple[str, ...]:
        """The dotted names of the values in force that are this project's own choice."""
        return tuple(name for name in self.fields if self.stated[name].confidence == "assumed")
