"""Trace games move by move, so completely that traces can be replayed and checked.

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
from ethnos_sim.simulator.kernel.moments import ACTION_EVENT, ACTION_EVENT_LENGTH, MOST_ACTIONS
from ethnos_sim.simulator.tables.table import GameTable
from ethnos_sim.simulator.tables.work_list import PreparedTables

TRACE_VERSION = 1

#: How many numbers an event buffer holds. A game of 84 parties with full hands writes far fewer.
BUFFER_LENGTH = 1 << 16

#: The kinds of values that stand for words, and their words by number.
WORD_KINDS = {"source": ("pool", "deck", "discard"), "released_to": ("pool", "hand")}

#: By key of an event, the kind of its value; other keys have plain numbers. A kind is a method of
#: `_EventReader` or a key of WORD_KINDS.
VALUE_KINDS = {
    **{key: key for key in ("hands", "regions", "actions", "winners", *WORD_KINDS)},
    **dict.fromkeys(("card", "leader", "released"), "card"),
    **dict.fromkeys(("cards", "pool", "deck", "kept", "discarded", "drawn", "columns"), "cards"),
    **dict.fromkeys(("region", "to_region", "column", "settled"), "color"),
    **dict.fromkeys(("sea", "token", "coin", "choice"), "value"),
    **dict.fromkeys(("largest", "again"), "flag"),
    "sea_regions": "colors",
}

_MARKERS = "region sea sea_regions"

#: The events by number: their names, and their keys in the order of the buffer. A kind other than
#: the key's in VALUE_KINDS follows a colon. `*` stands for several keys with their values, and `_`
#: for a number without meaning.
EVENTS = {
    events.AGE: ("age", "age first_player hands pool deck columns"),
    events.RECRUIT: ("recruit", "player source card dragons"),
    events.PARTY: (
        "party",
        f"player cards leader {_MARKERS} token largest settled coin actions again kept discarded "
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
        f"column cards leader:clan {_MARKERS} _ largest settled coin:coin drawn dragons released "
        "released_to",
    ),
    ACTION_EVENT: ("power", "*:call"),
}

#: A custom power's actions by number (`kernel.moments`): names, and keys after the player's number.
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

_MOMENT_NAMES = tuple(MOMENTS)

#: The powers that score at an age's end, in order.
_SCORING_POWERS = {
    "sea": Power.SEA_TRACK,
    "largest": Power.LARGEST_TOKEN,
    "settlement": Power.SETTLEMENT_BOARD,
}

Event = dict[str, Any]
Layouts = dict[int, tuple[str, list[tuple[str, str]]]]


def _layouts(layouts: Mapping[int, tuple[str, str]], omitted_keys: Sequence[str] = ()) -> Layouts:
    """For each number of a table such as EVENTS: the name, and the keys with their kinds."""
    split = {number: (name, keys.split()) for number, (name, keys) in layouts.items()}
    return {
        number: (
            name,
            [
                (key, kind or VALUE_KINDS.get(key, "number"))
                for key, _, kind in (entry.partition(":") for entry in keys)
                if key not in omitted_keys
            ],
        )
        for number, (name, keys) in split.items()
    }


def _event_layouts(table: GameTable) -> Layouts:
    """The layouts of a table's events: only solo has columns, only custom powers have actions."""
    omitted = [] if table.solo else ["columns"]
    return _layouts(EVENTS, omitted if table.custom_powers else [*omitted, "actions"])


_ACTION_LAYOUTS = _layouts(ACTIONS)


class _EventReader:
    """Reads an event buffer: a method named after a kind of value reads the next such value."""

    def __init__(self, table: GameTable, numbers: list[int]) -> None:
        """Prepare to read the events of one game from the numbers of its buffer."""
        self._table = table
        self._numbers = numbers
        self._position = 0
        self._events = _event_layouts(table)

    def events(self) -> Iterator[Event]:
        """All events, in order."""
        while self._position < len(self._numbers):
            name, keys = self._events[self.number()]
            yield {"event": name, **self.values(keys)}

    def values(self, keys: Iterable[tuple[str, str]]) -> Event:
        """Read a value of each key's kind, in order."""
        values: Event = {}
        for key, kind in keys:
            value: Any = self.word(kind) if kind in WORD_KINDS else getattr(self, kind)()
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
        """The next number, or None, as when the leader's power has no such effect."""
        number = self.number()
        return None if number == NONE else number

    def word(self, kind: str) -> str | None:
        """A word of a kind of WORD_KINDS, or None."""
        number = self.value()
        return None if number is None else WORD_KINDS[kind][number]

    def players(self) -> list[int]:
        """A number for each player, by player."""
        return [self.number() for _ in range(self._table.sides)]

    def card(self) -> str | None:
        """A card's name, "dragon" for a dragon, or None for no card."""
        card = self.value()
        if card is None:
            return None
        return "dragon" if card == DRAGON else self._table.card_name(card)

    def cards(self) -> list[str | None]:
        """A list of cards; its length is read first."""
        return [self.card() for _ in range(self.number())]

    def hands(self) -> list[list[str | None]]:
        """The hands of all players, by player."""
        return [self.cards() for _ in range(self._table.players)]

    def clan(self) -> str:
        """The clan of a slot."""
        return self._table.slots[self.number()]

    def color(self) -> str | None:
        """A color, or None."""
        color = self.value()
        return None if color is None else self._table.rules.colors[color]

    def colors(self) -> list[str | None]:
        """A list of colors; its length is read first."""
        return [self.color() for _ in range(self.number())]

    def regions(self) -> dict[str, list[int]]:
        """One number for each player, by region."""
        return {color: self.players() for color in self._table.rules.colors}

    def coin(self) -> Event | None:
        """A coin that Bruno places, with its value and region, or None."""
        value, region = self.value(), self.color()
        return None if value is None else {"region": region, "value": value}

    def winners(self) -> list[int]:
        """The players whose bits are set in a mask."""
        mask = self.number()
        return [player for player in range(self._table.sides) if mask >> player & 1]

    def scores(self) -> Event:
        """What each power scores, summed over its clans, and by clan if several have one power."""
        scores: Event = {}
        by_clan: dict[str, Event] = {}
        for name, power in _SCORING_POWERS.items():
            clans = self._table.clans_with(power)
            for clan in clans:
                by_clan[clan] = {name: self.players()}
                if power is Power.SETTLEMENT_BOARD:
                    by_clan[clan]["emptied"] = [bool(flag) for flag in self.players()]
            won = [by_clan[clan][name] for clan in clans]
            scores[name] = [sum(numbers) for numbers in zip(*won, strict=True)] or None
        boards = [scored["emptied"] for scored in by_clan.values() if "emptied" in scored]
        scores["emptied"] = [any(flags) for flags in zip(*boards, strict=True)] or None
        several = any(len(self._table.clans_with(power)) > 1 for power in _SCORING_POWERS.values())
        return scores | ({"by_clan": by_clan} if several else {})

    def actions(self) -> list[Event]:
        """The actions of custom powers in a party; a power of the table is named in its actions."""
        actions = []
        while self._numbers[self._position] == ACTION_EVENT:
            self._position += 1
            (_, slot, _), action = self._action()
            of_table = {} if slot < MAX_SLOTS else {"power": self._table_power(slot)}
            actions.append(action | of_table)
        return actions

    def call(self) -> Event:
        """All actions of one call of a custom power."""
        called, action = self._action()
        moment, slot, player = called
        actions = [action]
        while self._numbers[self._position : self._position + 4] == [ACTION_EVENT, *called]:
            self._position += 1
            actions.append(self._action()[1])
        clan = self._table.slots[slot] if slot < MAX_SLOTS else None
        power = {"power": self._table_power(slot)} if self._table.table_powers else {}
        return {
            "player": player,
            "clan": clan,
            **power,
            "moment": _MOMENT_NAMES[moment],
            "actions": actions,
        }

    def _action(self) -> tuple[tuple[int, int, int], Event]:
        """A custom power's action: its call (moment, slot, player), and the action itself."""
        call = self.number(), self.number(), self.number()
        name, keys = _ACTION_LAYOUTS[self.number()]
        return call, {"action": name, "player": self.number(), **self.values(keys)}

    def _table_power(self, slot: int) -> str | None:
        """The name of a power of the table, by its slot; None for a clan's power."""
        return None if slot < MAX_SLOTS else self._table.table_powers[slot - MAX_SLOTS]


def event_words(table: GameTable) -> dict[str, Any]:
    """The words and numbers with which a script reads a table's event buffer (viewer/events.js)."""
    return {
        "events": _event_layouts(table),
        "actions": _ACTION_LAYOUTS,
        "words": WORD_KINDS,
        "moments": _MOMENT_NAMES,
        "act": ACTION_EVENT,
        "dragon": DRAGON,
        "cards": [table.card_name(card) for card in range(REGIONS * len(table.slots))],
        "slots": table.slots,
        "table_powers": {MAX_SLOTS + i: name for i, name in enumerate(table.table_powers)},
        "colors": table.rules.colors,
        "players": table.players,
        "sides": table.sides,
        "solo": table.solo,
        "scoring": {name: table.clans_with(power) for name, power in _SCORING_POWERS.items()},
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
    games, seats, view, numbers = _play_and_record(table, seed=seed, game=game, deal=deal)
    trace = trace_head(table, seed=seed, game=game)
    names = [table.seats[int(entry)].name for entry in seats["entry"][: table.players]]
    per_region = len(table.rules.prestige_tokens(table.players)) // REGIONS
    trace["strategies"] = names
    trace["prestige_tokens"] = {
        color: view["prestige_tokens"][region, :per_region].tolist()
        for region, color in enumerate(table.rules.colors)
    }
    trace |= _given_up_clans(table, seats)
    trace["events"] = list(_EventReader(table, numbers).events())
    return TracedGame(games[0], seats, trace)


def _given_up_clans(table: GameTable, seats: np.ndarray) -> dict[str, list[Any]]:
    """By player: the clan that was given up (None: no clan), and in which age (None: in all)."""
    players = seats[: table.players]
    return {
        "gave_up": [
            None if clan == NONE else table.rules.clans[clan] for clan in players["gave_up"]
        ],
        "gave_up_age": [int(age) or None for age in players["gave_up_age"]],
    }


def trace_head(table: GameTable, *, seed: int, game: int) -> dict[str, Any]:
    """The part of a trace that is known before the game is played."""
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


def _play_and_record(
    table: GameTable, *, seed: int, game: int, deal: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[int]]:
    """Play a game as `trace_game` does; return its result rows, view and event buffer."""
    games = np.zeros(1, GAME_DTYPE)
    seats = np.zeros(table.sides, SEAT_DTYPE)
    more = MOST_ACTIONS * ACTION_EVENT_LENGTH if table.custom_powers else 0
    numbers = np.zeros(BUFFER_LENGTH + more, np.int64)
    logs = np.zeros(1, LOG_DTYPE)
    logs[0]["address"] = numbers.ctypes.data
    options = {} if deal is None else {"deals": deal}
    prepared = PreparedTables([table])
    view = prepared.play_into(prepared.game_row(game, seed), games, seats, logs=logs, **options)
    return games, seats, view, numbers[: logs[0]["used"]].tolist()
