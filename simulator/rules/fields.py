"""The values a set of rules has: their names, shapes and ranges, in two tables.

`TABLE_FIELDS` are those of the whole table, `CLAN_FIELDS` those that clans have, by what their
powers need. Everything else about values is derived from these: the names a user may set, the
checks, the order in which values are shown and hashed, where the kernel's records keep them, and
which values line up between two editions. A clan's value is named after the clan ("bear.on_take").
"""

import json
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from ethnos_sim.simulator.limits import (
    MAX_AGES,
    MAX_COINS,
    MAX_HAND,
    MAX_PLAYERS,
    MAX_SLOTS,
    MAX_SYMBOLS,
    MAX_TOKENS,
    REGIONS,
)
from ethnos_sim.simulator.powers import Power

Value = int | bool | tuple[int, ...]

SMALL_TABLE = 3
"""The most players of a small table, which has fewer ages, clans and prestige tokens."""

_SMALL = (1, SMALL_TABLE)
_LARGE = (SMALL_TABLE + 1, MAX_PLAYERS)
_SOLO = (1, 1)

#: What values are about, in the order in which they are shown; a clan's follow.
GROUPS = ("table", "cards", "markers", "prestige", "readings", "solo")


_LEADING = tuple(power for power in Power if power is not Power.WILD)
_REACHING = (Power.KEEPS_CARDS, Power.SEA_TRACK, Power.TIE_BREAK_TOKENS, Power.DRAWS_CARDS)
_ACTING = (
    Power.SECOND_PARTY,
    Power.LARGEST_TOKEN,
    Power.SETTLEMENT_BOARD,
    Power.COINS,
    *_REACHING,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One value of the rules.

    `attribute` is the field of `Rules`, or of the kernel's record for a clan's value; `key` the
    name a user types, without the clan. `powers` are those whose clans have the value, none for a
    value of the table. Numbers lie in `low`..`high` (and in `choices`, if any). `length` is None
    for a single number, else the fewest and most numbers of a list. `players` are the player
    counts that use it. A `multiset` is kept ascending, because its order means nothing; a `rising`
    list has to rise strictly. `group` is one of `GROUPS`. A clan's value that is not `slotwise` is
    in no record of the kernel: it decides how a table is laid.
    """

    attribute: str
    key: str
    meaning: str
    group: str = ""
    powers: tuple[Power, ...] = ()
    low: int = 0
    high: int = 99
    choices: tuple[int, ...] = ()
    length: tuple[int, int] | None = None
    players: tuple[int, int] = (1, MAX_PLAYERS)
    multiset: bool = False
    rising: bool = False
    switch: bool = False
    slotwise: bool = True

    @property
    def every_clan(self) -> bool:
        """Whether clans of every power that can lead have the value."""
        return len(self.powers) >= len(_LEADING)

    @property
    def record(self) -> str:
        """The field of the kernel's record that holds a clan's value."""
        return self.attribute.removesuffix("_4_6").removesuffix("_2_3")

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
        count = (
            str(most) if fewest == most else f"{fewest} to {most}" if fewest else f"at most {most}"
        )
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


TABLE_FIELDS: tuple[Field, ...] = (
    Field(
        attribute="ages_2_3",
        key="ages_2_3",
        meaning="ages with up to 3 players",
        group="table",
        low=1,
        high=MAX_AGES,
        players=_SMALL,
    ),
    Field(
        attribute="ages_4_6",
        key="ages_4_6",
        meaning="ages with 4 to 6 players",
        group="table",
        low=1,
        high=MAX_AGES,
        players=_LARGE,
    ),
    Field(
        attribute="clans_2_3",
        key="clans_2_3",
        meaning="clans in play with 2 or 3 players",
        group="table",
        low=1,
        high=MAX_SLOTS,
        players=(2, SMALL_TABLE),
    ),
    Field(
        attribute="clans_4_6",
        key="clans_4_6",
        meaning="clans in play with 4 to 6 players",
        group="table",
        low=1,
        high=MAX_SLOTS,
        players=_LARGE,
    ),
    Field(
        attribute="cards_per_clan",
        key="cards_per_clan",
        meaning="cards of a clan, evenly by color",
        group="cards",
        low=6,
        high=12,
        choices=(6, 12),
    ),
    Field(
        attribute="dragons",
        key="dragons",
        meaning="dragons in the deck",
        group="cards",
        low=1,
        high=6,
    ),
    Field(
        attribute="last_dragon",
        key="last_dragon",
        meaning="which of the dragons ends the age when it comes, 0 for the last of them",
        group="cards",
        high=6,
    ),
    Field(
        attribute="hand_limit",
        key="hand_limit",
        meaning="cards in hand with which a player cannot recruit",
        group="cards",
        low=1,
        high=MAX_HAND,
    ),
    Field(
        attribute="party_limit",
        key="party_limit",
        meaning="cards that a party may have at most",
        group="cards",
        low=1,
        high=MAX_HAND,
    ),
    Field(
        attribute="pool_per_player",
        key="pool_per_player",
        meaning="face-up cards for each player when an age begins",
        group="cards",
        high=4,
    ),
    Field(
        attribute="pool_refill",
        key="pool_refill",
        meaning="face-up cards up to which the pool is refilled after every turn, 0 for never",
        group="cards",
        high=6,
    ),
    Field(
        attribute="recruitment_pool",
        key="recruitment_pool",
        meaning="face-up cards up to which the Recruitment variant refills the pool",
        group="cards",
        low=1,
        high=6,
    ),
    Field(
        attribute="markers",
        key="markers",
        meaning="markers of each player, those on tracks included",
        group="markers",
        low=3,
        high=100,
    ),
    Field(
        attribute="markers_needed",
        key="markers_needed",
        meaning="how many cards more than markers a party needs to place its marker",
        group="markers",
        high=5,
    ),
    Field(
        attribute="two_players_both_markers",
        key="two_players.both_markers",
        meaning="with two players a party has to outnumber the markers of both",
        group="markers",
        players=(1, 2),
        switch=True,
    ),
    Field(
        attribute="party_points",
        key="party_points",
        meaning="prestige for a party, by its size",
        group="prestige",
        length=(7, 7),
    ),
    Field(
        attribute="prestige_tokens_base",
        key="prestige_tokens.base",
        meaning="prestige tokens in every game",
        group="prestige",
        length=(REGIONS, REGIONS * MAX_AGES),
        multiset=True,
    ),
    Field(
        attribute="prestige_tokens_four_plus",
        key="prestige_tokens.four_plus",
        meaning="prestige tokens added with 4 players and more",
        group="prestige",
        length=(0, REGIONS * 2),
        players=_LARGE,
        multiset=True,
    ),
    *(
        Field(
            attribute=f"pays_age_{age}",
            key=f"pays.age_{age}",
            meaning=f"which token of a region each place gets in age {age}, 1 being the lowest",
            group="prestige",
            low=0,
            high=MAX_AGES,
            length=(1, MAX_AGES),
        )
        for age in range(1, MAX_AGES + 1)
    ),
    Field(
        attribute="two_players_winner_takes_all",
        key="two_players.winner_takes_all",
        meaning="with two players only the first place scores in the last age, alone all tokens",
        group="prestige",
        players=(1, 2),
        switch=True,
    ),
    Field(
        attribute="ten_wild_wins",
        key="ten_wild_wins",
        meaning="ten wild cards in hand may be played and win the game (R3)",
        group="readings",
        switch=True,
    ),
    Field(
        attribute="optional_marker",
        key="optional_marker",
        meaning="a party's marker need not be placed (R5)",
        group="readings",
        switch=True,
    ),
    Field(
        attribute="optional_power",
        key="optional_power",
        meaning="a leader's coin, move at sea or largest-party token may be declined (R6)",
        group="readings",
        switch=True,
    ),
    Field(
        attribute="tokens_break_all_ties",
        key="tokens_break_all_ties",
        meaning="tie-break tokens also decide who begins an age and who wins (R31)",
        group="readings",
        switch=True,
    ),
    Field(
        attribute="wild_breaks_ties",
        key="wild_breaks_ties",
        meaning="wild cards count where the sizes of parties decide who wins (R16)",
        group="readings",
        switch=True,
    ),
    Field(
        attribute="bruno_fires_at",
        key="bruno.fires_at",
        meaning="cards at which each of Bruno's columns is played, 0: when its marker fits (R19)",
        group="solo",
        high=12,
        length=(REGIONS, REGIONS),
        players=_SOLO,
    ),
    Field(
        attribute="bruno_cards",
        key="bruno.cards",
        meaning="cards that Bruno gets at the start of an age",
        group="solo",
        high=6,
        players=_SOLO,
    ),
    Field(
        attribute="bruno_cards_each_age",
        key="bruno.cards_each_age",
        meaning="Bruno gets them in every age, not in the first alone (R21)",
        group="solo",
        players=_SOLO,
        switch=True,
    ),
    Field(
        attribute="bruno_none_is_tie",
        key="bruno.none_is_tie",
        meaning="a region without markers counts as tied where Bruno chooses one (R25)",
        group="solo",
        players=_SOLO,
        switch=True,
    ),
)

CLAN_FIELDS: tuple[Field, ...] = (
    Field(
        attribute="settlement",
        key="settlement",
        meaning="prestige for emptying the settlement board, by markers on it",
        powers=(Power.SETTLEMENT_BOARD,),
        length=(7, 7),
    ),
    Field(
        attribute="tie_break_tokens",
        key="tokens",
        meaning="values of the tie-break tokens",
        powers=(Power.TIE_BREAK_TOKENS,),
        low=1,
        high=15,
        length=(1, MAX_TOKENS),
        multiset=True,
    ),
    Field(
        attribute="coins",
        key="coins",
        meaning="values of the coins, the lowest used first",
        powers=(Power.COINS,),
        high=20,
        length=(0, MAX_COINS),
        multiset=True,
    ),
    Field(
        attribute="sea_last_space",
        key="last_space",
        meaning="last space of the sea track",
        powers=(Power.SEA_TRACK,),
        low=1,
        high=60,
    ),
    Field(
        attribute="sea_symbols",
        key="symbols",
        meaning="spaces of the sea track that give an extra marker",
        powers=(Power.SEA_TRACK,),
        low=1,
        high=60,
        length=(0, MAX_SYMBOLS),
        rising=True,
    ),
    Field(
        attribute="sea_each_symbol",
        key="each_symbol",
        meaning="every symbol passed gives a marker, not one a move (R11)",
        powers=(Power.SEA_TRACK,),
        switch=True,
    ),
    Field(
        attribute="sea_winner_only",
        key="winner_only",
        meaning="only the first place of the sea track scores (R32)",
        powers=(Power.SEA_TRACK,),
        switch=True,
    ),
    Field(
        attribute="sea_prestige_4_6",
        key="prestige_4_6",
        meaning="awards I, II, III of the sea track with 4 to 6 players",
        powers=(Power.SEA_TRACK,),
        length=(1, MAX_AGES),
        players=_LARGE,
    ),
    Field(
        attribute="sea_prestige_2_3",
        key="prestige_2_3",
        meaning="awards I, II of the sea track with up to 3 players",
        powers=(Power.SEA_TRACK,),
        length=(1, MAX_AGES),
        players=_SMALL,
    ),
    Field(
        attribute="largest_on_take",
        key="on_take",
        meaning="prestige for taking the largest-party token",
        powers=(Power.LARGEST_TOKEN,),
    ),
    Field(
        attribute="largest_margin",
        key="margin",
        meaning="cards by which a party has to be larger to take the token",
        powers=(Power.LARGEST_TOKEN,),
        high=5,
    ),
    Field(
        attribute="largest_age_4_6",
        key="age_4_6",
        meaning="its holder's prestige at the end of each age with 4 to 6 players",
        powers=(Power.LARGEST_TOKEN,),
        length=(1, MAX_AGES),
        players=_LARGE,
    ),
    Field(
        attribute="largest_age_2_3",
        key="age_2_3",
        meaning="its holder's prestige at the end of each age with up to 3 players",
        powers=(Power.LARGEST_TOKEN,),
        length=(1, MAX_AGES),
        players=_SMALL,
    ),
    Field(
        attribute="follow_ups",
        key="follow_ups",
        meaning="parties that may follow in a turn, after which this clan's leads to no more",
        powers=(Power.SECOND_PARTY,),
        high=MAX_HAND,
    ),
    Field(
        attribute="per_card",
        key="per_card",
        meaning="spaces, cards kept or drawn, or worth of a token, for each card of the party",
        powers=_REACHING,
        high=3,
    ),
    Field(
        attribute="more",
        key="more",
        meaning="spaces, cards kept or drawn, or worth of a token, whatever the party's size",
        powers=_REACHING,
        high=9,
    ),
    Field(
        attribute="scored",
        key="scored",
        meaning="its cards count when parties are scored",
        powers=(Power.WILD,),
        switch=True,
        slotwise=False,
    ),
    Field(
        attribute="needs_marker",
        key="needs_marker",
        meaning="the power needs the party's marker to have been placed",
        powers=_ACTING,
        switch=True,
    ),
    Field(
        attribute="places_marker",
        key="places_marker",
        meaning="its parties place a marker",
        powers=_LEADING,
        switch=True,
    ),
    Field(
        attribute="marker_bonus",
        key="marker_bonus",
        meaning="cards more that its party counts when the marker is placed",
        powers=_LEADING,
        low=-5,
        high=5,
    ),
    Field(
        attribute="score_bonus",
        key="score_bonus",
        meaning="cards more that its party counts when parties are scored",
        powers=_LEADING,
        high=5,
    ),
    Field(
        attribute="times_cards",
        key="times_cards",
        meaning="how many times the cards of a clan it has",
        powers=tuple(Power),
        low=1,
        high=3,
        slotwise=False,
    ),
)


@cache
def clan_fields(power: Power) -> tuple[Field, ...]:
    """The values of a clan with a power, in the order in which they are shown."""
    return tuple(field for field in CLAN_FIELDS if power in field.powers)
