"""Trace games move by move, completely enough to replay and check them.

The kernel writes events to a buffer, which is turned into one JSON object for each game
(docs/trace.md). The same kernel plays sweeps, so a check of traces is a check of sweeps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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

#: A custom power's actions by number (`kernel.moments`): the action's name, and the keys of the two
#: numbers after the player's number. An empty key stands for a number without meaning.
ACTIONS: dict[int, tuple[str, tuple[str, str]]] = {
    moments.DREW: ("draw", ("card", "dragons")),
    moments.TOOK: ("take", ("card", "")),
    moments.DISCARDED: ("discard", ("card", "")),
    moments.GAVE: ("give", ("card", "to")),
    moments.PLACED: ("place", ("region", "")),
    moments.MOVED: ("move", ("region", "to_region")),
    moments.REMOVED: ("remove", ("region", "")),
    moments.PAID: ("pay", ("prestige", "")),
    moments.GOT_TOKEN: ("token", ("value", "")),
    moments.REMEMBERED: ("remember", ("place", "value")),
    moments.CHOSE: ("choose", ("choice", "question")),
    moments.COUNTS_AS: ("counts_as", ("size", "")),
    moments.SCORES_AS: ("scores_as", ("size", "")),
    moments.SAILED: ("sea", ("space", "")),
    moments.SETTLED: ("settle", ("region", "")),
    moments.LAID_COIN: ("coin", ("region", "value")),
    moments.TOOK_LARGEST: ("largest", ("size", "")),
}

_MOMENTS = tuple(MOMENTS)

Event = dict[str, Any]


@dataclass
class _Reader:
    """Reads the numbers of an event buffer and turns them into named values."""

    table: GameTable
    numbers: list[int]
    position: int = 0

    @property
    def following(self) -> int | None:
        """The number that is read next; None at the end."""
        return self.numbers[self.position] if self.position < len(self.numbers) else None

    def number(self) -> int:
        """The next number."""
        self.position += 1
        return self.numbers[self.position - 1]

    def flag(self) -> bool:
        """Whether the next number is not 0."""
        return bool(self.number())

    def value(self) -> int | None:
        """An effect's value; None if the leader's power does not have this effect."""
        number = self.number()
        return None if number == NONE else number

    def by_player(self) -> list[int]:
        """One number for each player."""
        return [self.number() for _ in range(self.table.sides)]

    def card(self) -> str | None:
        """A card's name, "dragon" for a dragon, or None for no card."""
        card = self.number()
        if card == NONE:
            return None
        return "dragon" if card == DRAGON else self.table.card_name(card)

    def cards(self) -> list[str | None]:
        """A list of cards with its length before it."""
        return [self.card() for _ in range(self.number())]

    def clan(self) -> str:
        """The clan of a slot."""
        return self.table.slots[self.number()]

    def owner(self) -> Event:
        """The owner of a custom power: its clan, or the name of the table's power.

        Both keys are there only at a table with powers of its own.
        """
        place, of_table = self.number(), self.table.table_powers
        clan = self.table.slots[place] if place < MAX_SLOTS else None
        power = {"power": None if clan else of_table[place - MAX_SLOTS]} if of_table else {}
        return {"clan": clan, **power}

    def color(self) -> str | None:
        """A color, or None."""
        number = self.number()
        return None if number == NONE else self.table.rules.colors[number]

    def colors(self) -> list[str | None]:
        """A list of colors with its length before it."""
        return [self.color() for _ in range(self.number())]

    def read(self, *keys: str) -> Event:
        """Read a value for each key, in order."""
        return {key: getattr(self, KINDS.get(key, "number"))() for key in keys}

    def action(self) -> tuple[tuple[str, Event, int], Event]:
        """A custom power's action: its call (moment, owner, player), and the action itself."""
        assert self.number() == ACT, "an action of a custom power"
        call = _MOMENTS[self.number()], self.owner(), self.number()
        name, keys = ACTIONS[self.number()]
        action = {"action": name, **self.read("player", *keys)}
        action.pop("", None)
        return call, action


#: The method of `_Reader` that reads the value of a key; other keys are plain numbers.
KINDS = {
    **dict.fromkeys(("card", "leader", "released"), "card"),
    **dict.fromkeys(("cards", "pool", "deck", "kept", "discarded", "drawn"), "cards"),
    **dict.fromkeys(("region", "to_region", "column", "settled"), "color"),
    **dict.fromkeys(("sea", "token", "coin", "choice"), "value"),
    **dict.fromkeys(("largest", "again"), "flag"),
    "sea_regions": "colors",
}

_EFFECTS = ("region", "sea", "sea_regions", "token", "largest", "settled", "coin")


def _age(reader: _Reader) -> Event:
    event = reader.read("age", "first_player")
    event["hands"] = [reader.cards() for _ in range(reader.table.players)]
    columns = reader.cards()
    event |= reader.read("pool", "deck")
    return event | ({"columns": columns} if reader.table.solo else {})


def _recruit(reader: _Reader) -> Event:
    player, source = reader.number(), ("pool", "deck")[reader.number()]
    return {"player": player, "source": source, **reader.read("card", "dragons")}


def _party(reader: _Reader) -> Event:
    event = reader.read("player", "cards", "leader", *_EFFECTS)
    if reader.table.has_custom_powers:
        event["actions"] = []
        while reader.following == ACT:
            (_, owner, _), action = reader.action()
            of_table = {"power": owner["power"]} if owner["clan"] is None else {}
            event["actions"].append(action | of_table)
    return event | reader.read("again", "kept", "discarded", "drawn", "dragons")


def _power(reader: _Reader) -> Event:
    """All actions of one call of a custom power."""
    reader.position -= 1
    called, action = reader.action()
    moment, owner, player = called
    actions = [action]
    while reader.following == ACT:
        start = reader.position
        call, action = reader.action()
        if call != called:
            reader.position = start
            break
        actions.append(action)
    return {"player": player, **owner, "moment": moment, "actions": actions}


def _ten_wild(reader: _Reader) -> Event:
    """A party that wins the game and has no other effect."""
    event = reader.read("player", "cards")
    event |= {"leader": event["cards"][0], **dict.fromkeys(_EFFECTS)}
    event |= {"sea_regions": [], "largest": False}
    event |= {"actions": []} if reader.table.has_custom_powers else {}
    return event | {"again": False, "kept": [], "discarded": [], "drawn": [], "dragons": 0}


def _bruno_gets(reader: _Reader) -> Event:
    source = ("pool", "discard", "deck")[reader.number()]
    return {"source": source, **reader.read("cards", "dragons")}


def _bruno_party(reader: _Reader) -> Event:
    event = {**reader.read("column", "cards"), "leader": reader.clan(), **reader.read(*_EFFECTS)}
    del event["token"]
    coin_region = reader.color()
    if event["coin"] is not None:
        event["coin"] = {"region": coin_region, "value": event["coin"]}
    event |= reader.read("drawn", "dragons", "released")
    place = "hand" if reader.flag() else "pool"
    return event | {"released_to": None if event["released"] is None else place}


def _age_end(reader: _Reader) -> Event:
    event = reader.read("age", "third_dragon")
    event["regions"] = {color: reader.by_player() for color in reader.table.rules.colors}
    by_clan: dict[str, Event] = {}
    for name, power in _SCORING.items():
        clans = reader.table.clans_with(power)
        for clan in clans:
            by_clan[clan] = {name: reader.by_player()}
            if power is Power.SETTLEMENT_BOARD:
                by_clan[clan]["emptied"] = [bool(flag) for flag in reader.by_player()]
        event[name] = _sums([by_clan[clan][name] for clan in clans])
    boards = [by_clan[clan]["emptied"] for clan in reader.table.clans_with(Power.SETTLEMENT_BOARD)]
    event["emptied"] = [any(flags) for flags in zip(*boards, strict=True)] or None
    if any(len(reader.table.clans_with(power)) > 1 for power in _SCORING.values()):
        event["by_clan"] = by_clan
    return event | {"parties": reader.by_player(), "prestige": reader.by_player()}


#: The powers that score at an age's end, in order.
_SCORING = {
    "sea": Power.SEA_TRACK,
    "largest": Power.LARGEST_TOKEN,
    "settlement": Power.SETTLEMENT_BOARD,
}


def _sums(rows: list[list[int]]) -> list[int] | None:
    """Numbers by player, summed over clans; None if there is no clan."""
    return [sum(numbers) for numbers in zip(*rows, strict=True)] or None


def _game_end(reader: _Reader) -> Event:
    pairs = [(reader.number(), reader.number()) for _ in range(reader.table.sides)]
    mask = reader.number()
    return {
        "prestige": [prestige for prestige, _ in pairs],
        "markers": [markers for _, markers in pairs],
        "winners": [player for player in range(reader.table.sides) if mask >> player & 1],
    }


#: The name of each kind of event, and the function that reads it.
_EVENTS: dict[int, tuple[str, Callable[[_Reader], Event]]] = {
    events.AGE: ("age", _age),
    events.RECRUIT: ("recruit", _recruit),
    events.PARTY: ("party", _party),
    events.PASS: ("pass", lambda reader: reader.read("player")),
    events.REFILL: ("refill", lambda reader: reader.read("player", "cards", "dragons")),
    events.AGE_END: ("age_end", _age_end),
    events.GAME_END: ("game_end", _game_end),
    events.TEN_WILD: ("party", _ten_wild),
    events.BRUNO_GETS: ("bruno_gets", _bruno_gets),
    events.BRUNO_PARTY: ("bruno_party", _bruno_party),
    ACT: ("power", _power),
}


def event_words(table: GameTable) -> dict[str, Any]:
    """The words and numbers with which a script reads a table's event buffer (viewer/events.js)."""
    numbers = {number: name for number, (name, _) in _EVENTS.items()}
    return {
        "events": numbers | {events.TEN_WILD: "ten_wild"},
        "kinds": KINDS,
        "effects": _EFFECTS,
        "actions": {number: [name, keys] for number, (name, keys) in ACTIONS.items()},
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
        "custom": table.has_custom_powers,
        "scoring": {name: table.clans_with(power) for name, power in _SCORING.items()},
    }


def _read_events(reader: _Reader) -> Iterator[Event]:
    while reader.following is not None:
        name, parts = _EVENTS[reader.number()]
        yield {"event": name, **parts(reader)}


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
    trace["events"] = list(_read_events(_Reader(table, numbers)))
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
    more = MOST_ACTS * ACT_LENGTH if table.has_custom_powers else 0
    numbers = np.zeros(LOG_LENGTH + more, np.int64)
    logs = np.zeros(1, LOG_DTYPE)
    logs[0]["address"] = numbers.ctypes.data
    options = {} if deal is None else {"deals": deal}
    prepared = PreparedTables([table])
    view = prepared.run(prepared.game(game, seed), games, seats, logs=logs, **options)
    return games, seats, view, numbers[: logs[0]["used"]].tolist()
