"""Changes that make one event of a legal trace illegal, each with the rule that must catch it.

A change takes an event and returns new values for some keys, or nothing if it does not apply. These
are the changes of several keys at once, and of choices that could have been legal: a value of
another event of the game in place of any one value is tried by the tests, too.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

from referee.cards import DRAGON, POWER_OF, Power, clan_of, color_of

Event = dict[str, Any]


@dataclass(frozen=True)
class Site:
    """One event of a trace, by its number."""

    trace: dict[str, Any]
    number: int

    @property
    def event(self) -> Event:
        """The event itself."""
        return self.trace["events"][self.number]  # type: ignore[no-any-return]

    @property
    def before(self) -> list[Event]:
        """The events of the same age before it."""
        events = self.trace["events"][: self.number]
        begun = max((at for at, event in enumerate(events) if event["event"] == "age"), default=0)
        return events[begun:]  # type: ignore[no-any-return]

    def __getitem__(self, key: str) -> Any:
        return self.event[key]

    @property
    def power(self) -> Power:
        """The power of the leader of the event's party."""
        return self.power_of(self["leader"])

    @property
    def color(self) -> str:
        """The color of the leader of the event's party."""
        return color_of(self["leader"])

    def lacks(self, power: Power) -> bool:
        """Whether the leader of the event's party lacks a power."""
        return self.power is not power

    def power_of(self, card: str) -> Power:
        """The power of a card's clan."""
        return POWER_OF[self.trace["edition"]][clan_of(card)]

    def other_color(self, color: str) -> str:
        """Another color."""
        return next(region for region in sorted(self.trace["prestige_tokens"]) if region != color)

    def other_card(self, card: str) -> str:
        """A card of the same clan in another color."""
        return f"{clan_of(card)}:{self.other_color(color_of(card))}"

    def leads_of_bruno(self) -> dict[str, int]:
        """Bruno's markers less the player's by region, after the region marker of this event."""
        leads = dict.fromkeys(self.trace["prestige_tokens"], 0)
        for event in self.trace["events"]:
            by = 1 if event["event"] == "bruno_party" else -1
            if event["event"] in ("party", "bruno_party") and event["region"]:
                leads[event["region"]] += by
            if event is self.event:
                break
            for color in event.get("sea_regions", []):
                leads[color] += by
        return leads


Change = Callable[[Site], Event | bool | None]


class Mutation(NamedTuple):
    """A change of a kind of event, and words of the rule that must catch it."""

    kind: str
    rule: str
    change: Change


def sites(trace: dict[str, Any], kind: str) -> list[Site]:
    """Every event of the kind."""
    events = enumerate(trace["events"])
    return [Site(trace, number) for number, event in events if event["event"] == kind]


def _dragon_on_top(at: Site) -> Event:
    deck = list(at["deck"])
    place = deck.index(DRAGON)
    deck[0], deck[place] = deck[place], deck[0]
    return {"deck": deck}


def _card_missing_at_the_bottom(at: Site) -> Event | None:
    deck = list(at["deck"])
    if (len(deck) - at.trace["rules"]["dragons"]) % 2 == 0:
        return None
    deck.pop(max(place for place, card in enumerate(deck) if card != DRAGON))
    return {"deck": deck}


def _another_card_off_the_deck(at: Site) -> Event | None:
    drawn = at["source"] == "deck" and at["card"] is not None
    return {"card": at.other_card(at["card"])} if drawn else None


def _card_not_in_the_pool(at: Site) -> Event | None:
    if at["source"] != "pool":
        return None
    strange = at.other_card(at["card"])
    lists = (event.get(key, ()) for event in at.before for key in ("pool", "discarded", "cards"))
    known = set(chain(*lists)) | {event.get("released") for event in at.before}
    return {"card": strange} if strange not in known else None


def _card_of_another_clan_and_color(at: Site) -> Event | None:
    for card in at["discarded"]:
        alike = clan_of(card) == clan_of(at["leader"]) or color_of(card) == at.color
        if not alike and at.power_of(card) is not Power.WILD:
            rest = list(at["discarded"])
            rest.remove(card)
            return {"cards": [*at["cards"], card], "discarded": rest}
    return None


def _wild_leader(at: Site) -> Event | None:
    wild = [card for card in at["cards"] if at.power_of(card) is Power.WILD]
    return {"leader": wild[0]} if wild else None


def _another_region(at: Site) -> Event | None:
    near = at["region"] and at.lacks(Power.ANY_REGION)
    return {"region": at.other_color(at["region"])} if near else None


def _another_party(at: Site) -> Event | None:
    if at.power is Power.SECOND_PARTY and at["region"] is not None:
        return None
    return {"again": True, "kept": at["kept"] + at["discarded"], "discarded": []}


def _kept_beyond_the_power(at: Site) -> Event | None:
    most = len(at["cards"]) if at.power is Power.KEEPS_CARDS else 0
    missing, rest = most + 1 - len(at["kept"]), at["discarded"]
    if at["again"] or not rest or len(rest) < missing:
        return None
    return {"kept": at["kept"] + rest[:missing], "discarded": rest[missing:]}


def _token_taken_twice(at: Site) -> Event | None:
    taken = [event["token"] for event in at.before if event.get("token")]
    low = [token for token in taken if token <= len(at["cards"])]
    return {"token": low[0]} if at.power is Power.TIE_BREAK_TOKENS and low else None


def _settlement_space_taken_twice(at: Site) -> Event | None:
    mine = [event.get("settled") for event in at.before if event.get("player") == at["player"]]
    twice = at.power is Power.SETTLEMENT_BOARD and at.color in mine
    return {"settled": at.color} if twice else None


def _board_kept_in_the_last_age(at: Site) -> Event | None:
    seats = range(at.trace["players"])
    last = at["age"] == (2 if len(seats) < 4 else 3)
    return {"emptied": [False for _ in seats]} if last and at["emptied"] is not None else None


MUTATIONS = [
    Mutation("age", "R2", _dragon_on_top),
    Mutation("age", "conservation", _card_missing_at_the_bottom),
    Mutation(
        "age",
        "first pool",
        lambda at: {"pool": at["pool"][:-1], "deck": [*at["deck"], at["pool"][-1]]},
    ),
    Mutation("recruit", "recruit", _card_not_in_the_pool),
    Mutation("recruit", "deck's next card", _another_card_off_the_deck),
    Mutation("party", "R4", _wild_leader),
    Mutation("party", "one clan or of one color", _card_of_another_clan_and_color),
    Mutation("party", "at least one card", lambda at: {"cards": []}),
    Mutation("party", "R5", lambda at: at["region"] and {"region": None}),
    Mutation("party", "step 1", lambda at: at["region"] is None and {"region": at.color}),
    Mutation("party", "step 1", _another_region),
    Mutation("party", "R11", lambda at: at["sea"] and {"sea_regions": [at.color] * 9}),
    Mutation(
        "party",
        "extra sea markers",
        lambda at: at["sea"] is None and {"sea_regions": [at.color]},
    ),
    Mutation("party", "tie-break token", _token_taken_twice),
    Mutation("party", "token", lambda at: at.lacks(Power.TIE_BREAK_TOKENS) and {"token": 1}),
    Mutation("party", "token", lambda at: at["token"] and {"token": len(at["cards"]) + 1}),
    Mutation("party", "settlement space", _settlement_space_taken_twice),
    Mutation("party", "R10", _another_party),
    Mutation("party", "R10", lambda at: at["again"] and {"discarded": at["kept"][:1]}),
    Mutation("party", "cards kept", _kept_beyond_the_power),
    Mutation("age_end", "R15", _board_kept_in_the_last_age),
]


def _leader_chosen_again(at: Site) -> Event | None:
    events = at.trace["events"][: at.number]
    led = [event["leader"] for event in events if event["event"] == "bruno_party"]
    return {"leader": led[-1]} if len(led) % 6 else None


def _card_of_the_party_released(at: Site) -> Event | None:
    taken = at["released"] and not at["drawn"]
    return {"released": f"{at['leader']}:{at['column']}"} if taken else None


def _extra_marker_where_he_wins(at: Site) -> Event | None:
    leads = at.leads_of_bruno()
    best = max(leads, key=lambda color: leads[color])
    if not at["sea_regions"] or leads[best] <= 0 or min(leads.values()) > 0:
        return None
    return {"sea_regions": [best, *at["sea_regions"][1:]]}


def _coin_where_he_loses_most(at: Site) -> Event | None:
    leads = at.leads_of_bruno()
    worst = min(leads, key=lambda color: leads[color])
    better = leads[worst] < 0 <= max(leads.values())
    return at["coin"] and better and {"coin": {"region": worst, "value": at["coin"]["value"]}}


def _released_to_the_hand(at: Site) -> Event | None:
    taken = at["released"] and at.trace["mode"] != "solo-easy"
    return {"released_to": "hand"} if taken else None


SOLO_MUTATIONS = [
    Mutation(
        "age",
        "R21",
        lambda at: {"deck": [*at["deck"], at["columns"][-1]], "columns": at["columns"][:-1]},
    ),
    Mutation("bruno_gets", "R20", lambda at: at["source"] == "pool" and {"cards": at["cards"] * 2}),
    Mutation("bruno_party", "face-up", _leader_chosen_again),
    Mutation("bruno_party", "R25", _extra_marker_where_he_wins),
    Mutation("bruno_party", "R25", _coin_where_he_loses_most),
    Mutation("bruno_party", "R24", lambda at: at["settled"] and {"settled": None}),
    Mutation("bruno_party", "R24", lambda at: at["sea_regions"] and {"sea_regions": []}),
    Mutation(
        "bruno_party", "R26", lambda at: at["released"] is None and {"released": at["cards"][0]}
    ),
    Mutation("bruno_party", "the released card", _card_of_the_party_released),
    Mutation("bruno_party", "released card goes", _released_to_the_hand),
]
