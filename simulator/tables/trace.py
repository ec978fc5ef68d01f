"""Trace games move by move, completely enough to replay and check them.

The kernel writes events to a buffer, which is turned into one JSON object for each game
(docs/trace.md). The same kernel plays sweeps, so a check of traces is a check of sweeps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ethnos_sim.simulator.custom_powers.declaring import MOMENTS
from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.game.records import (
    DRAGON,
    GAME_DTYPE,
    LOG_DTYPE,
    MAX_SLOTS,
    NONE,
    REGIONS,
    SEAT_DTYPE,
)
from ethnos_sim.simulator.kernel import events, moments
from ethnos_sim.simulator.kernel.moments import ACT, ACT_LENGTH, MOST_ACTS
from ethnos_sim.simulator.tables.table import GameTable
from ethnos_sim.simulator.tables.work_list import PreparedTables

TRACE_VERSION = 1

#: The size of a game's event buffer. A game of 84 parties with full hands writes far less.
LOG_LENGTH = 1 << 16

#: Kinds of values that are one of some words.
WORDS = {"source": ("pool", "deck", "discard"), "released_to": ("pool", "hand")}

#: The kinds of values, by their keys; other keys are plain numbers. Each kind is a method of
#: `_Reader`, or a key of WORDS.
KINDS = {
    **{key: key for key in ("hands", "regions", "actions", "winners", *WORDS)},
    **dict.fromkeys(("card", "leader", "released"), "card"),
    **dict.fromkeys(("cards", "pool", "deck", "kept", "discarded", "drawn", "columns"), "cards"),
    **dict.fromkeys(("region", "to_region", "column", "settled"), "color"),
    **dict.fromkeys(("sea", "token", "coin", "choice"), "value"),
    **dict.fromkeys(("largest", "again"), "flag"),
    "sea_regions": "colors",
}

_BEGUN = "region sea sea_regions"

#: The events by number: their names, and their keys in the order of the buffer. A kind that is not
#: the key's usual one follows a colon. A table of values (`*`) adds its own keys, and `_` is a
#: number without meaning.
EVENTS = {
    events.AGE: ("age", "age first_player hands pool deck columns"),
    events.RECRUIT: ("recruit", "player source card dragons"),
    events.PARTY: (
        "party",
        f"player cards leader {_BEGUN} token largest settled coin actions again kept discarded "
        "drawn dragons",
    ),
    events.PASS: ("pass", "player"),
    events.REFILL: ("refill", "player cards dragons"),
    events.AGE_END: (
        "age_end",
        "age last_dragon regions *:scores parties:players prestige:players",
    ),
    events.GAME_END: ("game_end", "prestige:players markers:players winners"),
    events.BRUNO_GETS: ("bruno_gets", "source cards dragons"),
    events.BRUNO_PARTY: (
        "bruno_party",
        f"column cards leader:clan {_BEGUN} _ largest settled coin:laid drawn dragons released "
        "released_to",
    ),
    ACT: ("power", "*:call"),
}

#: A custom power's actions by number (`kernel.moments`), after the number of the player.
ACTIONS = {
    moments.DREW: ("draw", "card dragons"),
    moments.TOOK: ("take", "card _"),
    moments.DISCARDED: ("discard", "card _"),
    moments.GAVE: ("give", "card to"),
    moments.PLACED: ("place", "region _"),
    moments.MOVED: ("move", "region to_region"),
    moments.REMOVED: ("remove", "region _"),
    moments.PAID: ("pay", "prestige _"),
    moments.REMEMBERED: ("remember", "place value"),
    moments.CHOSE: ("choose", "choice question"),
    moments.COUNTS_AS: ("counts_as", "size _"),
    moments.SCORES_AS: ("scores_as", "size _"),
}

_MOMENTS = tuple(MOMENTS)

#: The powers that score at an age's end, in order.
_SCORING = {
    "sea": Power.SEA_TRACK,
    "largest": Power.LARGEST_TOKEN,
    "settlement": Power.SETTLEMENT_BOARD,
}

Event = dict[str, Any]
Named = dict[int, tuple[str, list[tuple[str, str]]]]


def _named(layouts: Mapping[int, tuple[str, str]], without: Sequence[str] = ()) -> Named:
    """The name, and each key with its kind, for every number of a table such as EVENTS."""
    split = {number: (name, keys.split()) for number, (name, keys) in layouts.items()}
    return {
        number: (
            name,
            [
                (key, kind or KINDS.get(key, "number"))
                for key, _, kind in (entry.partition(":") for entry in keys)
                if key not in without
            ],
        )
        for number, (name, keys) in split.items()
    }


def _events_of(table: GameTable) -> Named:
    """The events of a table's games: only solo has columns, only custom powers act."""
    without = [] if table.solo else ["columns"]
    return _named(EVENTS, without if table.custom_powers else [*without, "actions"])


_ACTIONS = _named(ACTIONS)


class _Reader:
    """Reads the numbers of an event buffer and turns them into named values."""

    def __init__(self, table: GameTable, numbers: list[int]) -> None:
        """Read the events of one game."""
        self._table = table
        self._numbers = numbers
        self._position = 0
        self._events = _events_of(table)

    def events(self) -> Iterator[Event]:
        """All events, in order."""
        while self._position < len(self._numbers):
            name, keys = self._events[self.number()]
            yield {"event": name, **self.values(keys)}

    def values(self, keys: Iterable[tuple[str, str]]) -> Event:
        """Read a value of each key's kind, in order."""
        values: Event = {}
        for key, kind in keys:
            value: Any = self.word(kind) if kind in WORDS else getattr(self, kind)()
            if key == "*":
                values |= value
            elif key != "_":
                values[key] = value
        return values

    def number(self) -> int:
        """The next number."""
        self._position += 1
        return self._numbers[self._position - 1]

    def flag(self) -> bool:
        """Whether the next number is not 0."""
        return bool(self.number())

    def value(self) -> int | None:
        """A value; None if there is none, as when the leader's power has no such effect."""
        number = self.number()
        return None if number == NONE else number

    def word(self, kind: str) -> str | None:
        """A word of a kind of WORDS, or None."""
        number = self.value()
        return None if number is None else WORDS[kind][number]

    def players(self) -> list[int]:
        """One number for each player."""
        return [self.number() for _ in range(self._table.sides)]

    def card(self) -> str | None:
        """A card's name, "dragon" for a dragon, or None for no card."""
        card = self.value()
        if card is None:
            return None
        return "dragon" if card == DRAGON else self._table.card_name(card)

    def cards(self) -> list[str | None]:
        """A list of cards with its length before it."""
        return [self.card() for _ in range(self.number())]

    def hands(self) -> list[list[str | None]]:
        """The hands of all players."""
        return [self.cards() for _ in range(self._table.players)]

    def clan(self) -> str:
        """The clan of a slot."""
        return self._table.slots[self.number()]

    def color(self) -> str | None:
        """A color, or None."""
        color = self.value()
        return None if color is None else self._table.rules.colors[color]

    def colors(self) -> list[str | None]:
        """A list of colors with its length before it."""
        return [self.color() for _ in range(self.number())]

    def regions(self) -> dict[str, list[int]]:
        """One number for each player, by region."""
        return {color: self.players() for color in self._table.rules.colors}

    def laid(self) -> Event | None:
        """A coin of Bruno's with its region, or None."""
        value, region = self.value(), self.color()
        return None if value is None else {"region": region, "value": value}

    def winners(self) -> list[int]:
        """The players in a mask."""
        mask = self.number()
        return [player for player in range(self._table.sides) if mask >> player & 1]

    def scores(self) -> Event:
        """What each power scores, summed over its clans, and by clan if several have one power."""
        scores: Event = {}
        by_clan: dict[str, Event] = {}
        for name, power in _SCORING.items():
            clans = self._table.clans_with(power)
            for clan in clans:
                by_clan[clan] = {name: self.players()}
                if power is Power.SETTLEMENT_BOARD:
                    by_clan[clan]["emptied"] = [bool(flag) for flag in self.players()]
            won = [by_clan[clan][name] for clan in clans]
            scores[name] = [sum(numbers) for numbers in zip(*won, strict=True)] or None
        boards = [scored["emptied"] for scored in by_clan.values() if "emptied" in scored]
        scores["emptied"] = [any(flags) for flags in zip(*boards, strict=True)] or None
        several = any(len(self._table.clans_with(power)) > 1 for power in _SCORING.values())
        return scores | ({"by_clan": by_clan} if several else {})

    def actions(self) -> list[Event]:
        """Custom powers' actions in a party, with the power's name if it is the table's."""
        actions = []
        while self._numbers[self._position] == ACT:
            self._position += 1
            (_, place, _), action = self._act()
            of_table = {} if place < MAX_SLOTS else {"power": self._power_at(place)}
            actions.append(action | of_table)
        return actions

    def call(self) -> Event:
        """All actions of one call of a custom power."""
        called, action = self._act()
        moment, place, player = called
        actions = [action]
        while self._numbers[self._position : self._position + 4] == [ACT, *called]:
            self._position += 1
            actions.append(self._act()[1])
        clan = self._table.slots[place] if place < MAX_SLOTS else None
        power = {"power": self._power_at(place)} if self._table.table_powers else {}
        return {
            "player": player,
            "clan": clan,
            **power,
            "moment": _MOMENTS[moment],
            "actions": actions,
        }

    def _act(self) -> tuple[tuple[int, int, int], Event]:
        """A custom power's action: its call (moment, place, player), and the action itself."""
        call = self.number(), self.number(), self.number()
        name, keys = _ACTIONS[self.number()]
        return call, {"action": name, "player": self.number(), **self.values(keys)}

    def _power_at(self, place: int) -> str | None:
        """The name of the table's power at a place; None for a clan's."""
        return None if place < MAX_SLOTS else self._table.table_powers[place - MAX_SLOTS]


def event_words(table: GameTable) -> dict[str, Any]:
    """The words and numbers with which a script reads a table's event buffer (viewer/events.js)."""
    return {
        "events": _events_of(table),
        "actions": _ACTIONS,
        "words": WORDS,
        "moments": _MOMENTS,
        "act": ACT,
        "dragon": DRAGON,
        "cards": [table.card_name(card) for card in range(REGIONS * len(table.slots))],
        "slots": table.slots,
        "table_powers": {MAX_SLOTS + i: name for i, name in enumerate(table.table_powers)},
        "colors": table.rules.colors,
        "players": table.players,
        "sides": table.sides,
        "solo": table.solo,
        "scoring": {name: table.clans_with(power) for name, power in _SCORING.items()},
    }


@dataclass(frozen=True)
class TracedGame:
    """One game with its result rows (GAME_DTYPE, SEAT_DTYPE by player) and its trace object."""

    game: np.ndarray
    seats: np.ndarray
    trace: dict[str, Any]


def trace_game(
    table: GameTable, *, seed: int, game: int, deal: np.ndarray | None = None
) -> TracedGame:
    """Play one game by its number and record it.

    Args:
        table: the prepared table.
        seed: master seed.
        game: the game's number in its batch (deal * rotations + rotation).
        deal: a given deal (shape (1,), DEAL_DTYPE) in place of the shuffled deal.

    Raises:
        IllegalMove: a strategy answered with a move that the rules forbid.
    """
    games, seats, view, numbers = written_events(table, seed=seed, game=game, deal=deal)
    trace = trace_head(table, seed=seed, game=game)
    names = [table.seats[int(entry)].name for entry in seats["entry"][: table.players]]
    per_region = len(table.rules.prestige_tokens(table.players)) // REGIONS
    trace["strategies"] = names
    trace["prestige_tokens"] = {
        color: view["prestige_tokens"][region, :per_region].tolist()
        for region, color in enumerate(table.rules.colors)
    }
    trace |= _given_up(table, seats)
    trace["events"] = list(_Reader(table, numbers).events())
    return TracedGame(games[0], seats, trace)


def _given_up(table: GameTable, seats: np.ndarray) -> dict[str, list[Any]]:
    """The clan that each seat gave up and its only age, by player; None where there is none."""
    players = seats[: table.players]
    return {
        "gave_up": [
            None if clan == NONE else table.rules.clans[clan] for clan in players["gave_up"]
        ],
        "gave_up_age": [int(age) or None for age in players["gave_up_age"]],
    }


def trace_head(table: GameTable, *, seed: int, game: int) -> dict[str, Any]:
    """The part of a trace without the players, what they gave up, the tokens and the events."""
    return {
        "trace": TRACE_VERSION,
        "game": int(game),
        "seed": int(seed),
        "edition": table.rules.edition,
        "players": table.players,
        "mode": table.mode,
        "rules": table.rules.trace_values(),
        "clans": list(table.clans),
        "gave_up": [None] * table.players,
        "gave_up_age": [None] * table.players,
    }


def written_events(
    table: GameTable, *, seed: int, game: int, deal: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[int]]:
    """Play a game as `trace_game` does; return its result rows, open record and event buffer."""
    games = np.zeros(1, GAME_DTYPE)
    seats = np.zeros(table.sides, SEAT_DTYPE)
    more = MOST_ACTS * ACT_LENGTH if table.custom_powers else 0
    numbers = np.zeros(LOG_LENGTH + more, np.int64)
    logs = np.zeros(1, LOG_DTYPE)
    logs[0]["address"] = numbers.ctypes.data
    options = {} if deal is None else {"deals": deal}
    prepared = PreparedTables([table])
    view = prepared.run(prepared.game(game, seed), games, seats, logs=logs, **options)
    return games, seats, view, numbers[: logs[0]["used"]].tolist()
