"""Named ways to make one event of a legal trace illegal.

A mutation belongs to a kind of event and to words of the rule that must catch it. Its function
changes an event in place and returns whether it could; `before` are the events of the same age
before it. A mutation with the words "" may be caught anywhere later in the game.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from referee.cards import POWER_OF, Power, clan_of, color_of

Event = dict[str, Any]
Change = Callable[[Event, list[Event], dict[str, Any]], bool]


@dataclass(frozen=True)
class Mutation:
    """One named mutation; `solo` ones apply to solo games only."""

    name: str
    kind: str
    rule: str
    change: Change
    solo: bool = False


MUTATIONS: list[Mutation] = []


def mutation(kind: str, rule: str, solo: bool = False) -> Callable[[Change], Change]:
    """Registers a mutation."""

    def register(change: Change) -> Change:
        MUTATIONS.append(Mutation(change.__name__, kind, rule, change, solo))
        return change

    return register


def sites(trace: dict[str, Any], kind: str) -> Iterator[tuple[Event, list[Event]]]:
    """Every event of the kind, with the events of its age before it."""
    before: list[Event] = []
    for event in trace["events"]:
        if event["event"] == "age":
            before = []
        if event["event"] == kind:
            yield event, before
        before = [*before, event]


def power_of(event: Event, trace: dict[str, Any]) -> Power:
    """The power of a party's leader, a player's or Bruno's."""
    return POWER_OF[trace["edition"]][clan_of(event["leader"])]


def other(color: str, trace: dict[str, Any]) -> str:
    """Another color."""
    colors: list[str] = sorted(trace["prestige_tokens"])
    return next(each for each in colors if each != color)


def other_card(card: str, trace: dict[str, Any]) -> str:
    """A card of the same clan in another color."""
    return f"{clan_of(card)}:{other(color_of(card), trace)}"


def set_if(condition: object, event: Event, **values: Any) -> bool:
    """Sets keys of the event if the condition holds."""
    if condition:
        event.update(values)
    return bool(condition)


def first_swap(cards: list[str]) -> bool:
    """Swaps the first two cards if they differ."""
    if len(cards) < 2 or cards[0] == cards[1]:
        return False
    cards[0], cards[1] = cards[1], cards[0]
    return True


def leads_of_bruno(event: Event, trace: dict[str, Any]) -> dict[str, int]:
    """Bruno's markers less the player's by region, after the event's own region marker."""
    leads = dict.fromkeys(trace["prestige_tokens"], 0)
    for each in trace["events"]:
        by = 1 if each["event"] == "bruno_party" else -1
        if each["event"] in ("party", "bruno_party") and each["region"]:
            leads[each["region"]] += by
        if each is event:
            break
        for color in each.get("sea_regions", []):
            leads[color] += by
    return leads
