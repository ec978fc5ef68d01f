"""Read the events of a trace in order, each with exactly its keys and the right types.

All other modules may rely on this: a "player" is a player of the game, a "color" one of the six
colors, and a "card" a card of the clans in play. The other modules check whether a value is
*legal*.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from referee.cards import DRAGON

Event = dict[str, Any]
Check = Callable[[Any], bool]


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


def is_count(value: Any) -> bool:
    """Whether a value is a whole number from 0 on; booleans are not."""
    return type(value) is int and value >= 0


def is_flag(value: Any) -> bool:
    """Whether a value is true or false, but not 1 or 0."""
    return type(value) is bool


def list_of(check: Check) -> Check:
    """A check for lists whose items all pass a check."""
    return lambda value: type(value) is list and all(check(item) for item in value)


def or_null(check: Check) -> Check:
    """A check that also accepts null."""
    return lambda value: value is None or check(value)


def one_of(*words: str) -> Check:
    """A check that a value is one of `words`."""
    known = frozenset(words)
    return lambda value: type(value) is str and value in known


def shapes(
    players: int, solo: bool, cards: set[str], clans: list[str], colors: tuple[str, ...]
) -> dict[str, dict[str, Check]]:
    """The check of every key of every kind of event in a game; all other keys are unknown."""
    player: Check = lambda value: is_count(value) and value < players  # noqa: E731
    card, color, clan = one_of(*cards), one_of(*colors), one_of(*clans)
    some_cards, counts = list_of(card), list_of(is_count)
    in_deck = list_of(one_of(DRAGON, *cards))
    by_color = lambda value: (  # noqa: E731
        type(value) is dict and set(value) == set(colors) and all(map(counts, value.values()))
    )
    led = led_shape(card, color)
    kinds: dict[str, dict[str, Check]] = {
        "age": {
            "age": is_count,
            "first_player": player,
            "hands": list_of(some_cards),
            "pool": some_cards,
            "deck": in_deck,
        },
        "recruit": {
            "player": player,
            "source": one_of("pool", "deck"),
            "card": or_null(card),
            "dragons": is_count,
        },
        "party": led
        | {
            "player": player,
            "leader": card,
            "token": or_null(is_count),
            "coin": or_null(is_count),
            "again": is_flag,
            "kept": some_cards,
            "discarded": some_cards,
        },
        "pass": {"player": player},
        "refill": {"player": player, "cards": some_cards, "dragons": is_count},
        "age_end": {
            "age": is_count,
            "last_dragon": player,
            "regions": by_color,
            "sea": or_null(counts),
            "largest": or_null(counts),
            "settlement": or_null(counts),
            "emptied": or_null(list_of(is_flag)),
            "parties": counts,
            "prestige": counts,
        },
        "game_end": {"prestige": counts, "markers": counts, "winners": list_of(player)},
    }
    if solo:
        kinds["age"]["columns"] = some_cards
        kinds |= bruno_shapes(card, color, clan)
    return kinds


def led_shape(card: Check, color: Check) -> dict[str, Check]:
    """The keys of every party, a player's or Bruno's."""
    return {
        "cards": list_of(card),
        "region": or_null(color),
        "sea": or_null(is_count),
        "sea_regions": list_of(color),
        "largest": is_flag,
        "settled": or_null(color),
        "drawn": list_of(card),
        "dragons": is_count,
    }


def bruno_shapes(card: Check, color: Check, clan: Check) -> dict[str, dict[str, Check]]:
    """The keys of Bruno's events: the cards that he gets, and his parties."""
    coin = or_null(
        lambda value: (
            type(value) is dict
            and set(value) == {"region", "value"}
            and color(value["region"])
            and is_count(value["value"])
        )
    )
    return {
        "bruno_gets": {
            "cards": list_of(card),
            "source": one_of("pool", "discard", "deck"),
            "dragons": is_count,
        },
        "bruno_party": led_shape(card, color)
        | {
            "column": color,
            "leader": clan,
            "coin": coin,
            "released": or_null(card),
            "released_to": or_null(one_of("pool", "hand")),
        },
    }


class Events:
    """The events of a trace, taken one after another."""

    def __init__(self, game: object, events: list[Any]) -> None:
        self.game = game
        self.events = events
        self.index = -1
        self.kinds: dict[str, dict[str, Check]] = {}
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
        checks = self.kinds[kind]
        if event.keys() - {"event"} != checks.keys():
            raise self.fault(f"keys of {kind}", sorted(checks), sorted(map(str, event)))
        for key, check in checks.items():
            if not check(event[key]):
                raise self.fault(f"kind of value of {kind}", f"a fitting {key!r}", event[key])
        self.counted[kind] += 1
        return event

    def finish(self) -> None:
        """Raise a fault if events are left."""
        left = self.events[self.index + 1 :]
        self.require(not left, "game_end comes last", [], left)
