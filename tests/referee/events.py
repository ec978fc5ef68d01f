"""Read the events of a trace in order, each with exactly its keys.

The other modules check the values. They compare a value that follows from the rules by its `repr`,
so a wrong type (1 for true) is a fault too.
"""

from collections import Counter
from typing import Any

Event = dict[str, Any]

#: The keys of every party, a player's or Bruno's.
_OF_PARTIES = ("cards", "region", "sea", "sea_regions", "largest", "settled", "drawn", "dragons")

#: The keys of each kind of event.
KEYS = {
    "age": ("age", "first_player", "hands", "pool", "deck"),
    "recruit": ("player", "source", "card", "dragons"),
    "party": (
        *_OF_PARTIES,
        *("player", "leader", "token", "coin", "again", "kept", "discarded"),
    ),
    "pass": ("player",),
    "refill": ("player", "cards", "dragons"),
    "age_end": (
        *("age", "last_dragon", "regions", "sea", "largest", "settlement", "emptied"),
        *("parties", "prestige"),
    ),
    "game_end": ("prestige", "markers", "winners"),
}

#: The keys of the kinds of events that solo games have beside these, or in their place.
SOLO_KEYS = {
    "age": (*KEYS["age"], "columns"),
    "bruno_gets": ("cards", "source", "dragons"),
    "bruno_party": (*_OF_PARTIES, "column", "leader", "coin", "released", "released_to"),
}


class Fault(AssertionError):
    """A step of a trace that breaks a rule.

    `event` is the index in the trace's list of events, None for the game object itself.
    """

    def __init__(
        self, game: object, event: int | None, rule: str, expected: object, seen: object
    ) -> None:
        self.game = game
        self.event = event
        self.rule = rule
        self.expected = expected
        self.seen = seen
        where = "game object" if event is None else f"event {event}"
        super().__init__(f"game {game}, {where}, {rule}: expected {expected!r}, saw {seen!r}")


class Events:
    """The events of a trace, taken one after another."""

    def __init__(self, game: object, events: list[Any]) -> None:
        self.game = game
        self.events = events
        self.index = -1
        self.keys = dict(KEYS)
        self.counted: Counter[str] = Counter()

    def fault(self, rule: str, expected: object, seen: object) -> Fault:
        """A fault at the current event, to be raised."""
        return Fault(self.game, None if self.index < 0 else self.index, rule, expected, seen)

    def require(self, holds: bool, rule: str, expected: object, seen: object) -> None:
        """Raise a fault unless the condition holds."""
        if not holds:
            raise self.fault(rule, expected, seen)

    def equal(self, rule: str, expected: object, seen: object) -> None:
        """Raise a fault unless both values are the same, with their types (by repr)."""
        if repr(expected) != repr(seen):
            raise self.fault(rule, expected, seen)

    @property
    def following(self) -> Event | None:
        """The next event, without taking it; None at the end."""
        rest = self.events[self.index + 1 : self.index + 2]
        return rest[0] if rest and type(rest[0]) is dict else None

    def take(self, *kinds: str) -> Event:
        """Take the next event, which must be of one of the kinds and have exactly its keys."""
        self.index += 1
        expected = " or ".join(kinds)
        if self.index >= len(self.events):
            raise self.fault("order of events", expected, "the end of the trace")
        event = self.events[self.index]
        if type(event) is not dict or event.get("event") not in kinds:
            raise self.fault("order of events", expected, event)
        kind = event["event"]
        self.equal(f"keys of {kind}", sorted(["event", *self.keys[kind]]), sorted(event))
        self.counted[kind] += 1
        return event

    def finish(self) -> None:
        """Raise a fault if events are left."""
        left = self.events[self.index + 1 :]
        self.require(not left, "game_end comes last", [], left)
