"""The Rules object: one edition with every value and switch resolved, frozen.

It says nothing about a mode, a player count or the clans in play: those belong to a game.
"""

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from hashlib import sha256

from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.rules.errors import RulesError, unknown_name
from ethnos_sim.simulator.rules.fields import FIELDS, SMALL_TABLE, Field, Value
from ethnos_sim.simulator.rules.provenance import OVERRIDE, Provenance


@dataclass(frozen=True, slots=True)
class Words:
    """An edition's own words for the things of the game, singular and plural.

    Each is named by the 2nd edition's word, which this program uses throughout.
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
        """A text of this program, which uses the 2nd edition's words, in this edition's words."""
        return _WORD.sub(self._translated, text)

    def _translated(self, match: re.Match[str]) -> str:
        word: str = getattr(self, match[0].lower())
        return word.capitalize() if match[0][0].isupper() else word


_WORD = re.compile(rf"\b({'|'.join(word.name for word in fields(Words))})\b", re.IGNORECASE)


def clan_key(text: str) -> str:
    """A clan's name from how somebody writes it: "Red Panda", as pages do, is red_panda."""
    return "_".join(text.lower().split())


@dataclass(frozen=True, slots=True)
class Dimensions:
    """How many ages and clans a game has, at small tables (`fields.SMALL_TABLE`) and large ones."""

    ages_small: int
    ages_large: int
    clans_small: int
    clans_large: int

    def as_dict(self) -> dict[str, int]:
        """The dimensions by name."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules in force. Made by `load_rules`; equal when edition and all values are equal.

    `colors` and `regions` (6 each) share one index, `clans` and `powers` another. `solo_clans` are
    those of the solo mode, none where the edition has no such mode.
    Values carry neutral names; their ranges stand in `fields.FIELDS`. Lists are tuples.
    """

    edition: str
    title: str
    colors: tuple[str, ...]
    regions: tuple[str, ...]
    clans: tuple[str, ...]
    powers: tuple[Power, ...]
    solo_clans: tuple[str, ...]
    words: Words
    dimensions: Dimensions

    party_points: tuple[int, ...]
    hand_limit: int
    party_limit: int
    dragons: int
    markers: int
    cards_per_clan: int
    pool_per_player: int
    recruitment_pool: int
    prestige_tokens_base: tuple[int, ...]
    prestige_tokens_four_plus: tuple[int, ...]
    sea_last_space: int
    sea_symbols: tuple[int, ...]
    sea_prestige_4_6: tuple[int, ...]
    sea_prestige_2_3: tuple[int, ...]
    largest_on_take: int
    largest_age_4_6: tuple[int, ...]
    largest_age_2_3: tuple[int, ...]
    settlement: tuple[int, ...]
    tie_break_tokens: tuple[int, ...]
    coins: tuple[int, ...]
    ten_wild_wins: bool
    optional_marker: bool

    sources: Mapping[str, Provenance] = field(compare=False, repr=False)

    def __repr__(self) -> str:
        changed = [name for name, of in self.sources.items() if of.confidence == OVERRIDE]
        words = f" with {', '.join(changed)} changed" if changed else ""
        return f"Rules of the {self.title}{words}, {self.rules_id}"

    def ages(self, players: int) -> int:
        """How many ages a game of so many players has."""
        large = players > SMALL_TABLE
        return self.dimensions.ages_large if large else self.dimensions.ages_small

    def clans_in_play(self, players: int) -> int:
        """How many clans are in play with so many players; one player plays the solo mode."""
        if players == 1:
            return len(self.solo_clans)
        large = players > SMALL_TABLE
        return self.dimensions.clans_large if large else self.dimensions.clans_small

    def prestige_tokens(self, players: int) -> tuple[int, ...]:
        """The prestige tokens in a game of so many players."""
        more = self.prestige_tokens_four_plus if players > SMALL_TABLE else ()
        return self.prestige_tokens_base + more

    def sea_prestige(self, players: int) -> tuple[int, ...]:
        """The awards of the sea track with so many players."""
        return self.sea_prestige_4_6 if players > SMALL_TABLE else self.sea_prestige_2_3

    def largest_age(self, players: int) -> tuple[int, ...]:
        """What the largest-party token's holder gets at each age's end, with so many players."""
        return self.largest_age_4_6 if players > SMALL_TABLE else self.largest_age_2_3

    def power_of(self, clan: str) -> Power:
        """The power of a clan of this edition; RulesError with the nearest name otherwise."""
        if clan not in self.clans:
            kind = f"{self.edition}-edition {self.words.clan}"
            raise RulesError([unknown_name(kind, clan, self.clans)])
        return self.powers[self.clans.index(clan)]

    def clan_of(self, power: Power) -> str | None:
        """The clan that has a power in this edition, or None."""
        return self.clans[self.powers.index(power)] if power in self.powers else None

    @cached_property
    def fields(self) -> dict[str, Field]:
        """This edition's dotted names with what each value may be, in the order of `FIELDS`."""
        named = ((entry.name(self.clan_of), entry) for entry in FIELDS)
        return {name: entry for name, entry in named if name is not None}

    @property
    def value_kind(self) -> str:
        """What messages call a value of these rules."""
        return f"{self.edition}-edition rule value"

    def values(self) -> dict[str, Value]:
        """Every value and switch in force by its dotted name, in the order of `FIELDS`."""
        return {name: getattr(self, entry.attribute) for name, entry in self.fields.items()}

    def trace_values(self) -> dict[str, int | bool | list[int]]:
        """The values as they stand under `rules` in a game trace: lists instead of tuples."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in self.values().items()
        }

    @cached_property
    def rules_id(self) -> str:
        """Twelve hex digits for the edition, its clans with their powers, and all values in force.

        The first digits of the SHA-256 of the edition's name, clans, powers and dimensions and of
        the values as JSON with sorted keys. Where values come from does not enter: setting a value
        to what it was keeps the id.
        """
        clans = dict(zip(self.clans, (power.name for power in self.powers), strict=True))
        content = {
            "edition": self.edition,
            "clans": clans,
            "dimensions": self.dimensions.as_dict(),
            "values": self.trace_values(),
        }
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return sha256(text.encode()).hexdigest()[:12]

    def provenance(self, name: str) -> Provenance:
        """Where the value with this dotted name comes from; RulesError for an unknown name."""
        if name not in self.sources:
            raise RulesError([unknown_name(self.value_kind, name, self.sources)])
        return self.sources[name]

    def assumed(
        self, clans: Collection[str] | None = None, players: int | None = None
    ) -> tuple[str, ...]:
        """The dotted names of the values in force that are this project's own choice.

        Only those that matter with these `clans` in play and this many `players` (1 is solo),
        where given.
        """
        powers = self.powers if clans is None else [self.power_of(clan) for clan in clans]
        return tuple(
            name
            for name, entry in self.fields.items()
            if self.sources[name].confidence == "assumed"
            and (entry.power is None or entry.power in powers)
            and (players is None or entry.players[0] <= players <= entry.players[1])
        )
