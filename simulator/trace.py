"""Whole games as data: what happened, move by move, complete enough to replay and check.

The event buffer of the compiled kernel is read back into one JSON object a game (docs/results.md).
The kernel that writes it is the one that plays sweeps, so what is checked is what runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ethnos_sim.simulator.batch import run_chunk
from ethnos_sim.simulator.kernel import events, moments
from ethnos_sim.simulator.kernel.moments import ACT, ACT_LENGTH, MOST_ACTS
from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.records import (
    DRAGON,
    GAME_DTYPE,
    LOG_DTYPE,
    MOMENTS,
    NONE,
    REGIONS,
    SEAT_DTYPE,
)
from ethnos_sim.simulator.table import GameTable

TRACE_VERSION = 1

#: Numbers that a game's events may need: far above what 84 parties with full hands write.
LOG_LENGTH = 1 << 16

#: What a custom power does, by number (`kernel.moments`): what it is called and what is told of it.
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

Event = dict[str, Any]


@dataclass
class _EventReader:
    """Reads the event buffer number by number and names what it finds."""

    table: GameTable
    numbers: list[int]
    position: int = 0

    @property
    def following(self) -> int:
        """The number that is read next."""
        return self.numbers[self.position]

    def number(self) -> int:
        """The next number."""
        self.position += 1
        return self.numbers[self.position - 1]

    def numbers_by_player(self) -> list[int]:
        """One number a player."""
        return [self.number() for _ in range(self.table.sides)]

    def card(self, card: int) -> str | None:
        """A card's name; "dragon", or None for no card."""
        if card == NONE:
            return None
        return "dragon" if card == DRAGON else self.table.card_name(card)

    def cards(self) -> list[str | None]:
        """A list of cards with its length before it."""
        return [self.card(self.number()) for _ in range(self.number())]

    def color(self) -> str | None:
        """A color, or None."""
        number = self.number()
        return None if number == NONE else self.table.rules.colors[number]

    def named(self, key: str, number: int) -> Any:
        """A number of an action as its key wants it: a card, a region's color, a choice or none."""
        if key == "card":
            return self.card(number)
        if key in ("region", "to_region"):
            return self.table.rules.colors[number]
        return None if key == "choice" and number == NONE else number

    def value_or_none(self) -> int | None:
        """A value, or None where the power is another."""
        number = self.number()
        return None if number == NONE else number


def _age(reader: _EventReader) -> Event:
    age, first_player = reader.number(), reader.number()
    hands = [[reader.card(reader.number())] for _ in range(reader.table.hands)]
    columns = reader.cards()
    event: Event = {
        "event": "age",
        "age": age,
        "first_player": first_player,
        "hands": hands,
        "pool": reader.cards(),
        "deck": reader.cards(),
    }
    if reader.table.solo:
        event["columns"] = columns
    return event


def _recruit(reader: _EventReader) -> Event:
    return {
        "event": "recruit",
        "player": reader.number(),
        "source": "deck" if reader.number() else "pool",
        "card": reader.card(reader.number()),
        "dragons": reader.number(),
    }


def _effects(reader: _EventReader) -> Event:
    return {
        "region": reader.color(),
        "sea": reader.value_or_none(),
        "sea_regions": [reader.color() for _ in range(reader.number())],
        "token": reader.value_or_none(),
        "largest": bool(reader.number()),
        "settled": reader.color(),
        "coin": reader.value_or_none(),
    }


def _action(reader: _EventReader) -> tuple[tuple[str, str, int], Event]:
    """What a custom power did: the moment, the clan and for whom it was called; and the action."""
    assert reader.number() == ACT, "an action of a custom power"
    call = MOMENTS[reader.number()], reader.table.slots[reader.number()], reader.number()
    name, keys = ACTIONS[reader.number()]
    action: Event = {"action": name, "player": reader.number()}
    for key in keys:
        number = reader.number()
        action[key] = reader.named(key, number) if key else number
    action.pop("", None)
    return call, action


def _party(reader: _EventReader) -> Event:
    event: Event = {
        "event": "party",
        "player": reader.number(),
        "cards": reader.cards(),
        "leader": reader.card(reader.number()),
        **_effects(reader),
    }
    if reader.table.has_custom_powers:
        event["actions"] = []
        while reader.following == ACT:
            event["actions"].append(_action(reader)[1])
    return event | {
        "again": bool(reader.number()),
        "kept": reader.cards(),
        "discarded": reader.cards(),
        "drawn": reader.cards(),
        "dragons": reader.number(),
    }


def _power(reader: _EventReader) -> Event:
    """All that a custom power did when it was called once."""
    reader.position -= 1
    (moment, clan, player), first = _action(reader)
    actions = [first]
    while reader.position < len(reader.numbers) and reader.following == ACT:
        start = reader.position
        call, action = _action(reader)
        if call != (moment, clan, player):
            reader.position = start
            break
        actions.append(action)
    return {
        "event": "power",
        "player": player,
        "clan": clan,
        "moment": moment,
        "actions": actions,
    }


def _ten_wild(reader: _EventReader) -> Event:
    player = reader.number()
    cards = reader.cards()
    actions: Event = {"actions": []} if reader.table.has_custom_powers else {}
    return {
        "event": "party",
        "player": player,
        "cards": cards,
        "leader": cards[0],
        "region": None,
        "sea": None,
        "sea_regions": [],
        "token": None,
        "largest": False,
        "settled": None,
        "coin": None,
        "again": False,
        "kept": [],
        "discarded": [],
        "drawn": [],
        "dragons": 0,
        **actions,
    }


def _pass(reader: _EventReader) -> Event:
    return {"event": "pass", "player": reader.number()}


def _refill(reader: _EventReader) -> Event:
    return {
        "event": "refill",
        "player": reader.number(),
        "cards": reader.cards(),
        "dragons": reader.number(),
    }


def _bruno_gets(reader: _EventReader) -> Event:
    return {
        "event": "bruno_gets",
        "source": ("pool", "discard", "deck")[reader.number()],
        "cards": reader.cards(),
        "dragons": reader.number(),
    }


def _bruno_party(reader: _EventReader) -> Event:
    event: Event = {
        "event": "bruno_party",
        "column": reader.color(),
        "cards": reader.cards(),
        "leader": reader.table.slots[reader.number()],
        **_effects(reader),
    }
    del event["token"]
    coin_region = reader.color()
    if event["coin"] is not None:
        event["coin"] = {"region": coin_region, "value": event["coin"]}
    event["drawn"] = reader.cards()
    event["dragons"] = reader.number()
    event["released"] = reader.card(reader.number())
    stolen = bool(reader.number())
    place = "hand" if stolen else "pool"
    event["released_to"] = None if event["released"] is None else place
    return event


def _age_end(reader: _EventReader) -> Event:
    colors = reader.table.rules.colors
    event: Event = {
        "event": "age_end",
        "age": reader.number(),
        "third_dragon": reader.number(),
        "regions": {colors[region]: reader.numbers_by_player() for region in range(REGIONS)},
    }
    by_clan: dict[str, Event] = {}
    for name, power in _SCORING.items():
        clans = reader.table.clans_with(power)
        for clan in clans:
            by_clan[clan] = {name: reader.numbers_by_player()}
            if power is Power.SETTLEMENT_BOARD:
                by_clan[clan]["emptied"] = [bool(flag) for flag in reader.numbers_by_player()]
        event[name] = _sums([by_clan[clan][name] for clan in clans])
    boards = [by_clan[clan]["emptied"] for clan in reader.table.clans_with(Power.SETTLEMENT_BOARD)]
    event["emptied"] = [any(flags) for flags in zip(*boards, strict=True)] or None
    if any(len(reader.table.clans_with(power)) > 1 for power in _SCORING.values()):
        event["by_clan"] = by_clan
    event["parties"] = reader.numbers_by_player()
    event["prestige"] = reader.numbers_by_player()
    return event


#: What powers score at an age's end, in the order in which they do.
_SCORING = {
    "sea": Power.SEA_TRACK,
    "largest": Power.LARGEST_TOKEN,
    "settlement": Power.SETTLEMENT_BOARD,
}


def _sums(rows: list[list[int]]) -> list[int] | None:
    """Numbers by player, summed over clans; None without a clan."""
    return [sum(numbers) for numbers in zip(*rows, strict=True)] or None


def _game_end(reader: _EventReader) -> Event:
    pairs = [(reader.number(), reader.number()) for _ in range(reader.table.sides)]
    mask = reader.number()
    return {
        "event": "game_end",
        "prestige": [prestige for prestige, _ in pairs],
        "markers": [markers for _, markers in pairs],
        "winners": [player for player in range(reader.table.sides) if mask >> player & 1],
    }


_READERS = {
    events.AGE: _age,
    events.RECRUIT: _recruit,
    events.PARTY: _party,
    events.PASS: _pass,
    events.REFILL: _refill,
    events.AGE_END: _age_end,
    events.GAME_END: _game_end,
    events.TEN_WILD: _ten_wild,
    events.BRUNO_GETS: _bruno_gets,
    events.BRUNO_PARTY: _bruno_party,
    ACT: _power,
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
        deal: a given deal (shape (1,), DEAL_DTYPE) in place of the shuffled one.

    Raises:
        IllegalMove: a strategy answered with a move that the rules forbid.
    """
    games = np.zeros(1, GAME_DTYPE)
    seats = np.zeros((1, table.sides), SEAT_DTYPE)
    more = MOST_ACTS * ACT_LENGTH if table.has_custom_powers else 0
    numbers = np.zeros(LOG_LENGTH + more, np.int64)
    logs = np.zeros(1, LOG_DTYPE)
    logs[0]["address"] = numbers.ctypes.data
    options = {} if deal is None else {"deals": deal}
    view = run_chunk(table, seed, game, games, seats, logs=logs, **options)
    reader = _EventReader(table, numbers[: logs[0]["used"]].tolist())
    found: list[Event] = []
    while reader.position < len(reader.numbers):
        found.append(_READERS[reader.number()](reader))
    per_region = len(table.rules.prestige_tokens(table.players)) // REGIONS
    names = [table.seats[int(entry)].name for entry in seats[0]["entry"][: table.hands]]
    trace = {
        "trace": TRACE_VERSION,
        "game": int(game),
        "seed": int(seed),
        "edition": table.rules.edition,
        "players": table.players,
        "mode": table.mode,
        "rules": table.rules.trace_values(),
        "clans": list(table.clans),
        "strategies": names,
        "prestige_tokens": {
            color: view["prestige_tokens"][region, :per_region].tolist()
            for region, color in enumerate(table.rules.colors)
        },
        "events": found,
    }
    return TracedGame(games[0], seats[0], trace)
