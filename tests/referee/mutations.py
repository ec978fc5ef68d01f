"""Changes of legal traces: of any one value, key or place in the order, and of rules on purpose.

Each function yields after a change, and undoes it afterwards. It yields words for the change, and
words of the rule that must notice it: none if any rule may, None if the change may be legal.
"""

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

from referee.cards import DRAGON, POWER_OF, Power, clan_of, color_of

Event = dict[str, Any]
Trace = dict[str, Any]
Changes = Iterator[tuple[str, str | None]]

#: Values that a player chooses, so that another one may be legal.
CHOICES = {
    *("again", "card", "cards", "emptied", "leader", "region", "released", "released_to"),
    *("sea_regions", "settled", "source", "token"),
}


def other_values(value: Any, others: list[Any], dice: random.Random) -> Iterator[Any]:
    """Values in place of one: one more or less, the opposite, an item less or more, `others`."""
    yield from others
    if type(value) is int:
        yield from (value + 1, value - 1)
    elif type(value) is bool:
        yield not value
    elif isinstance(value, list) and value:
        at = dice.randrange(len(value))
        before, item, after = value[:at], value[at], value[at + 1 :]
        yield from ([*before, *after], [*before, item, item, *after])
        yield from ([*before, other, *after] for other in other_values(item, [], dice))
    elif isinstance(value, dict):
        key = dice.choice([*value])
        yield from ({**value, key: other} for other in other_values(value[key], [], dice))
    elif not others:
        yield 0 if value is None else None


def change_values(trace: Trace, dice: random.Random) -> Changes:
    """Change a value of every key of every kind of event."""
    kinds: dict[str, list[Event]] = {}
    for event in trace["events"]:
        kinds.setdefault(event["event"], []).append(event)
    for kind, events in kinds.items():
        for key in events[0]:
            event = dice.choice(events)
            own = event[key]
            others = [other[key] for other in events if repr(other[key]) != repr(own)]
            few = dice.sample(others, min(len(others), 3))
            event[key] = dice.choice([*other_values(own, few, dice)])
            yield f"{key} of {kind}", None if key in CHOICES else ""
            event[key] = own


def change_keys(trace: Trace, dice: random.Random) -> Changes:
    """Take out a key of an event of any kind, spoil the type of its value, and add a key."""
    numbers = {event["event"]: number for number, event in enumerate(trace["events"])}
    kind, number = dice.choice([*numbers.items()])
    event = trace["events"][number]
    key = dice.choice([*event])
    without = {other: value for other, value in event.items() if other != key}
    for changed in (without, event | {key: 1.0}, event | {"note": None}):
        trace["events"][number] = changed
        yield f"keys or types of {kind}", ""
    trace["events"][number] = event


def change_order(trace: Trace, dice: random.Random) -> Changes:
    """Take out an event, play it twice, and swap it with the one before it."""
    whole = trace["events"]
    at = dice.randrange(1, len(whole))
    last, event = whole[at - 1], whole[at]
    for changed in ([last], [last, event, event], [event, last]):
        trace["events"] = [*whole[: at - 1], *changed, *whole[at + 1 :]]
        yield f"order of {event['event']}", ""
    trace["events"] = whole


def break_rules(trace: Trace, dice: random.Random) -> Changes:
    """Break each rule of `illegal` in one event that allows it."""
    broken: dict[str, list[tuple[int, Event]]] = {}
    for number in range(len(trace["events"])):
        for rule, changed in illegal(trace, number):
            broken.setdefault(rule, []).append((number, changed))
    for rule, events in broken.items():
        number, changed = dice.choice(events)
        own = trace["events"][number]
        trace["events"][number] = changed
        yield f"a broken {own['event']}", rule
        trace["events"][number] = own


def illegal(trace: Trace, number: int) -> Iterator[tuple[str, Event]]:
    """Events in place of one event that break a rule for choices, with words of the rule."""
    event, events = trace["events"][number], trace["events"]
    match event["event"]:
        case "age":
            deck = list(event["deck"])
            deck.remove(DRAGON)
            yield "R2", event | {"deck": [DRAGON, *deck]}
        case "recruit":
            yield "R3: pass", {"event": "pass", "player": event["player"]}
        case "party":
            age = max(at for at in range(number) if events[at]["event"] == "age")
            power_of = POWER_OF[trace["edition"]]
            for rule, values in illegal_values(event, events[age:number], power_of):
                yield rule, event | values
        case "bruno_gets" if event["source"] == "deck":
            yield "nothing was discarded", event | {"source": "pool"}
        case "bruno_party":
            for rule, values in illegal_values_of_bruno(event, trace["mode"]):
                yield rule, event | values
        case "age_end" if event["emptied"] and events[number + 1]["event"] == "game_end":
            yield "R15", event | {"emptied": [False for _ in event["emptied"]]}


def illegal_values(
    party: Event, before: list[Event], power_of: dict[str, Power]
) -> Iterator[tuple[str, Event]]:
    """New values that make a party illegal, with words of the rule; `before` is its age so far."""
    cards, kept, discarded = party["cards"], party["kept"], party["discarded"]
    clan, color = clan_of(party["leader"]), color_of(party["leader"])
    for card in cards:
        if power_of[clan_of(card)] is Power.WILD and power_of[clan] is not Power.WILD:
            yield "R4", {"leader": card}
    for at, card in enumerate(discarded):
        alike = clan_of(card) == clan or color_of(card) == color
        if not alike and power_of[clan_of(card)] is not Power.WILD:
            rest = [*discarded[:at], *discarded[at + 1 :]]
            yield "one clan or of one color", {"cards": [*cards, card], "discarded": rest}
    more = 1 - len(kept) + (len(cards) if power_of[clan] is Power.KEEPS_CARDS else 0)
    if before[-1].get("again"):
        yield "the same player goes on", {"player": party["player"] + 1}
    if party["again"]:
        yield "R10", {"discarded": kept[:1]}
    elif 0 < more <= len(discarded):
        yield "cards kept", {"kept": kept + discarded[:more], "discarded": discarded[more:]}
    if power_of[clan] is Power.TIE_BREAK_TOKENS:
        taken = [event["token"] for event in before if event.get("token")]
        for token in (len(cards) + 1, *(token for token in taken if token <= len(cards))):
            yield "unclaimed tie-break token", {"token": token}
    settled = [event.get("settled") for event in before if event.get("player") == party["player"]]
    if power_of[clan] is Power.SETTLEMENT_BOARD and color in settled:
        yield "settlement space", {"settled": color}


def illegal_values_of_bruno(party: Event, mode: str) -> Iterator[tuple[str, Event]]:
    """New values that make a party of Bruno's illegal, with words of the rule."""
    if party["coin"]:
        yield "R25: Bruno's coin", {"coin": party["coin"] | {"region": "nowhere"}}
    if party["sea_regions"]:
        elsewhere = ["nowhere", *party["sea_regions"][1:]]
        yield "R25: Bruno's extra sea marker", {"sea_regions": elsewhere}
    if not party["released"]:
        yield "R26", {"released": party["cards"][0], "released_to": "pool"}
    elif mode != "solo-easy":
        yield "released card goes", {"released_to": "hand"}


def swap(values: dict[str, Any], one: str, other: str) -> None:
    """Exchange two values."""
    values[one], values[other] = values[other], values[one]


#: Changes of game objects that break a rule, with words of the rule, by the kind of game.
GAME_CHANGES: dict[str, list[tuple[str, Callable[[Trace], Any]]]] = {
    "standard": [
        ("keys of the game object", lambda t: t.update(note=1)),
        ("mode", lambda t: t.update(mode="fast")),
        ("players", lambda t: t.update(players=7)),
        ("strategies", lambda t: t["strategies"].pop()),
        ("number of clans", lambda t: t["clans"].pop()),
        ("right types", lambda t: t["clans"].__setitem__(0, "nobody")),
        ("right types", lambda t: t["rules"].pop("markers")),
        ("names of the rule values", lambda t: t["rules"].update(marker=26)),
        ("all prestige tokens", lambda t: t["prestige_tokens"]["red"].__setitem__(-1, 99)),
        ("tokens ascend", lambda t: t["prestige_tokens"]["red"].__setitem__(0, 99)),
        ("tokens a region", lambda t: t["prestige_tokens"]["red"].pop()),
        ("R42", lambda t: t["rules"].update(tokens=[0] * 18)),
        ("one for each seat", lambda t: t["gave_up"].pop()),
        ("in one age", lambda t: t["gave_up_age"].__setitem__(0, 1)),
        ("recruit: hand limit", lambda t: t["rules"].update(hand_limit=1)),
        ("dragons in the deck", lambda t: t["rules"].update(dragons=2)),
    ],
    "recruitment": [("R35", lambda t: t["rules"].update(pool_refill=2))],
    "solo": [
        ("clans of the solo mode", lambda t: t["clans"].__setitem__(0, "dog")),
        ("R34", lambda t: swap(t["prestige_tokens"], "red", "green")),
    ],
    "given up": [
        ("can lead", lambda t: t["gave_up"].__setitem__(0, None)),
        ("are different", lambda t: t["gave_up"].__setitem__(0, t["gave_up"][1])),
        ("does not lead", lambda t: t["gave_up"].reverse()),
    ],
    "won by wild cards": [
        ("R3: a full hand", lambda t: t["rules"].update(hand_limit=4)),
        ("R4", lambda t: t["rules"].update(ten_wild_wins=False)),
    ],
}


def kind_of(trace: Trace) -> str:
    """The kind of a game in GAME_CHANGES."""
    if trace["rules"]["ten_wild_wins"]:
        return "won by wild cards"
    mode: str = trace["mode"]
    return "given up" if trace["gave_up"][0] else mode.partition("-")[0]


def change_game(trace: Trace, dice: random.Random) -> Changes:
    """Change the game object."""
    whole = dict(trace)
    for rule, change in GAME_CHANGES[kind_of(trace)]:
        trace |= copy.deepcopy(whole)
        change(trace)
        yield "a game object", rule
        trace.clear()
    trace |= whole
