"""The values a set of rules has: their names, shapes and ranges, in one table.

Everything else about values is derived from this table: the names a user may set, the checks,
the order in which values are shown and hashed, and which values line up between two editions.
A value that belongs to a clan is named after the clan in its own edition ("giant.on_take",
"bear.on_take") and after its power everywhere inside the program (`Rules.largest_on_take`).
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from ethnos_sim.simulator.limits import MAX_HAND, MAX_PLAYERS
from ethnos_sim.simulator.powers import Power

Value = int | bool | tuple[int, ...]

SMALL_TABLE = 3
"""The most players of a small table, which has fewer ages, clans and prestige tokens."""

_SMALL = (1, SMALL_TABLE)
_LARGE = (SMALL_TABLE + 1, MAX_PLAYERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One value of the rules.

    `attribute` is the field of `Rules`; `key` the name a user types, without the clan.
    Numbers lie in `low`..`high` (and in `choices`, if any). `length` is None for a single number,
    else the fewest and most numbers of a list. `players` are the player counts that use it.
    A `multiset` is kept ascending, because its order means nothing; a `rising` list has to
    rise strictly.
    """

    attribute: str
    key: str
    meaning: str
    power: Power | None = None
    low: int = 0
    high: int = 99
    choices: tuple[int, ...] = ()
    length: tuple[int, int] | None = None
    players: tuple[int, int] = (1, MAX_PLAYERS)
    multiset: bool = False
    rising: bool = False
    switch: bool = False

    def name(self, clan_of: Callable[[Power], str | None]) -> str | None:
        """The value's dotted name in an edition, or None where no clan has its power."""
        if self.power is None:
            return self.key
        clan = clan_of(self.power)
        return None if clan is None else f"{clan}.{self.key}"

    @property
    def nothing(self) -> Value:
        """What stands for the value where no clan has its power."""
        if self.length is None:
            return False if self.switch else 0
        return (0,) * self.length[0]

    def refusal(self, name: str, value: object) -> str:
        """The sentence that says that something cannot be the value of that name."""
        return f"{name} must be {self.shape}, not {json.dumps(value, default=str)}."

    @property
    def shape(self) -> str:
        """What the value has to look like, to follow "must be"."""
        if self.switch:
            return "true or false"
        if self.choices:
            return " or ".join(map(str, self.choices))
        numbers = f"from {self.low} to {self.high}"
        if self.length is None:
            return f"a whole number {numbers}"
        fewest, most = self.length
        count = str(most) if fewest == most else f"at most {most}"
        order = ", each larger than the one before" if self.rising else ""
        return f"a list of {count} whole numbers {numbers}{order}"

    def accepts(self, value: object) -> bool:
        """Whether the value has the right type, length, range and order."""
        if self.switch:
            return isinstance(value, bool)
        if self.length is None:
            return self._accepts_number(value)
        if not isinstance(value, tuple) or not self.length[0] <= len(value) <= self.length[1]:
            return False
        if not all(self._accepts_number(number) for number in value):
            return False
        return not self.rising or all(a < b for a, b in pairwise(value))

    def _accepts_number(self, number: object) -> bool:
        if isinstance(number, bool) or not isinstance(number, int):
            return False
        return self.low <= number <= self.high and (not self.choices or number in self.choices)


FIELDS: tuple[Field, ...] = (
    Field(
        attribute="party_points",
        key="party_points",
        meaning="prestige for a party, by its size",
        length=(7, 7),
    ),
    # Below 7 two players could both hold nothing but the 12 wild cards and pass for ever (R3).
    Field(
        attribute="hand_limit",
        key="hand_limit",
        meaning="cards in hand with which a player cannot recruit",
        low=7,
        high=MAX_HAND,
    ),
    Field(
        attribute="party_limit",
        key="party_limit",
        meaning="cards that a party may have at most",
        low=1,
        high=MAX_HAND,
    ),
    Field(
        attribute="dragons",
        key="dragons",
        meaning="dragons in the deck; the last one ends the age",
        low=1,
        high=6,
    ),
    Field(
        attribute="markers",
        key="markers",
        meaning="markers of each player, those on tracks included",
        low=3,
        high=100,
    ),
    Field(
        attribute="cards_per_clan",
        key="cards_per_clan",
        meaning="cards of a clan, evenly by color",
        low=6,
        high=12,
        choices=(6, 12),
    ),
    Field(
        attribute="pool_per_player",
        key="pool_per_player",
        meaning="face-up cards for each player when an age begins",
        high=4,
    ),
    Field(
        attribute="recruitment_pool",
        key="recruitment_pool",
        meaning="face-up cards up to which the Recruitment variant refills the pool",
        low=1,
        high=6,
    ),
    Field(
        attribute="prestige_tokens_base",
        key="prestige_tokens.base",
        meaning="prestige tokens in every game",
        length=(12, 12),
        multiset=True,
    ),
    Field(
        attribute="prestige_tokens_four_plus",
        key="prestige_tokens.four_plus",
        meaning="prestige tokens added with 4 players and more",
        length=(6, 6),
        players=_LARGE,
        multiset=True,
    ),
    Field(
        attribute="sea_last_space",
        key="last_space",
        meaning="last space of the sea track",
        power=Power.SEA_TRACK,
        low=1,
        high=60,
    ),
    Field(
        attribute="sea_symbols",
        key="symbols",
        meaning="spaces of the sea track that give an extra marker",
        power=Power.SEA_TRACK,
        low=1,
        high=60,
        length=(0, 8),
        rising=True,
    ),
    Field(
        attribute="sea_prestige_4_6",
        key="prestige_4_6",
        meaning="awards I, II, III of the sea track with 4 to 6 players",
        power=Power.SEA_TRACK,
        length=(3, 3),
        players=_LARGE,
    ),
    Field(
        attribute="sea_prestige_2_3",
        key="prestige_2_3",
        meaning="awards I, II of the sea track with up to 3 players",
        power=Power.SEA_TRACK,
        length=(2, 2),
        players=_SMALL,
    ),
    Field(
        attribute="largest_on_take",
        key="on_take",
        meaning="prestige for taking the largest-party token",
        power=Power.LARGEST_TOKEN,
    ),
    Field(
        attribute="largest_age_4_6",
        key="age_4_6",
        meaning="its holder's prestige at the end of each age with 4 to 6 players",
        power=Power.LARGEST_TOKEN,
        length=(3, 3),
        players=_LARGE,
    ),
    Field(
        attribute="largest_age_2_3",
        key="age_2_3",
        meaning="its holder's prestige at the end of each age with up to 3 players",
        power=Power.LARGEST_TOKEN,
        length=(2, 2),
        players=_SMALL,
    ),
    Field(
        attribute="settlement",
        key="settlement",
        meaning="prestige for emptying the settlement board, by markers on it",
        power=Power.SETTLEMENT_BOARD,
        length=(7, 7),
    ),
    Field(
        attribute="tie_break_tokens",
        key="tokens",
        meaning="values of the tie-break tokens",
        power=Power.TIE_BREAK_TOKENS,
        low=1,
        high=15,
        length=(6, 6),
        multiset=True,
    ),
    Field(
        attribute="coins",
        key="coins",
        meaning="values of the coins, the lowest used first",
        power=Power.COINS,
        high=20,
        length=(0, 32),
        multiset=True,
    ),
    Field(
        attribute="ten_wild_wins",
        key="ten_wild_wins",
        meaning="ten wild cards in hand may be played and win the game (R3)",
        switch=True,
    ),
    Field(
        attribute="optional_marker",
        key="optional_marker",
        meaning="a party's marker need not be placed (R5)",
        switch=True,
    ),
)
