"""Changes that make one event of a legal trace illegal, each with the rule that must catch it.

A change takes an event and returns new values for some keys, or nothing if it does not apply. A
change without the words of a rule may be caught anywhere later in the game.
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
    def mode(self) -> str:
        """The mode of the game."""
        return self.trace["mode"]  # type: ignore[no-any-return]

    @property
    def power(self) -> Power:
        """The power of the leader of the event's party."""
        return self.power_of(self["leader"])

    @property
    def color(self) -> str:
        """The color of the leader of the event's party."""
        return color_of(self["leader"])

    @property
    def other_leader(self) -> str:
        """A card of the leader's clan in another color."""
        return self.other_card(self["leader"])

    @property
    def off_the_deck(self) -> bool:
        """Whether the event recruits a card from the deck."""
        return self["source"] == "deck" and self["card"] is not None

    @property
    def follows_a_party(self) -> bool:
        """Whether the same player played another party just before."""
        return bool(self.before[-1].get("again", False))

    @property
    def seats(self) -> range:
        """All seats."""
        return range(self.trace["players"])

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

    def recolored(self, key: str) -> Event | None:
        """Another color in place of the value; nothing if the event has no value."""
        return self[key] and {key: self.other_color(self[key])}

    def next_seat(self, key: str) -> Event:
        """The next seat in place of the value."""
        return {key: (self[key] + 1) % len(self.seats)}

    def more(self, key: str, number: int = 1) -> Event:
        """A larger number in place of the value."""
        return {key: (self[key] or 0) + number}

    def longer(self, key: str) -> Event | None:
        """The list with its first card repeated."""
        return self[key] and {key: [*self[key], self[key][0]]}

    def shorter(self, key: str, least: int = 1) -> Event | None:
        """The list without its last card, if it is long enough."""
        return {key: self[key][:-1]} if len(self[key]) >= least else None

    def swapped(self, key: str, place: int = 1) -> Event | None:
        """The list with its first card and another, different card exchanged."""
        cards = list(self[key])
        if len(cards) <= place or cards[0] == cards[place]:
            return None
        cards[0], cards[place] = cards[place], cards[0]
        return {key: cards}

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


def _card_missing_at_the_bottom(at: Site) -> Event | None:
    deck = list(at["deck"])
    if (len(deck) - at.trace["rules"]["dragons"]) % 2 == 0:
        return None
    deck.pop(max(place for place, card in enumerate(deck) if card != DRAGON))
    return {"deck": deck}


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


def _card_left_out(at: Site) -> Event | None:
    cards = list(at["cards"])
    spare = next((card for card in cards if card != at["leader"]), None)
    if spare is None:
        return None
    cards.remove(spare)
    return {"cards": cards}


def _card_not_in_hand(at: Site) -> Event | None:
    held = at["cards"] + at["kept"] + at["discarded"]
    return at.other_leader not in held and {"cards": [*at["cards"], at.other_leader]}


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
    last = at["age"] == (2 if len(at.seats) < 4 else 3)
    return {"emptied": [False for _ in at.seats]} if last and at["emptied"] is not None else None


def _losers(at: Site) -> list[int]:
    return [seat for seat in at.seats if seat not in at["winners"]]


_IN_GAMES: dict[str, list[tuple[str, Change]]] = {
    "age": [
        ("number of the age", lambda at: at.more("age")),
        ("first player", lambda at: at["age"] > 1 and at.next_seat("first_player")),
        ("cards in the first hands", lambda at: {"hands": [at["hands"][0] * 2, *at["hands"][1:]]}),
        ("first pool", lambda at: {"pool": at["pool"][:-1], "deck": [*at["deck"], at["pool"][-1]]}),
        ("R2", lambda at: at.swapped("deck", at["deck"].index(DRAGON))),
        ("dragons in the deck", lambda at: {"deck": [*at["deck"], DRAGON]}),
        ("conservation", lambda at: {"deck": [at.other_card(at["deck"][0]), *at["deck"][1:]]}),
        ("conservation", _card_missing_at_the_bottom),
        ("", lambda at: at.swapped("deck")),
    ],
    "recruit": [
        ("clockwise", lambda at: at.next_seat("player")),
        ("deck's next card", lambda at: at.off_the_deck and {"card": at.other_card(at["card"])}),
        ("deck's next card", lambda at: at.off_the_deck and {"card": None}),
        ("dragons met", lambda at: at["source"] == "deck" and at.more("dragons")),
        ("no dragons", lambda at: at["source"] == "pool" and {"dragons": 1}),
        ("", lambda at: at.off_the_deck and {"source": "pool", "dragons": 0}),
        ("", lambda at: at["source"] == "pool" and {"source": "deck"}),
        ("recruit", _card_not_in_the_pool),
    ],
    "party": [
        ("clockwise", lambda at: not at.follows_a_party and at.next_seat("player")),
        ("R4", _wild_leader),
        (
            "leader is in the party",
            lambda at: at.other_leader not in at["cards"] and {"leader": at.other_leader},
        ),
        ("one clan or of one color", _card_of_another_clan_and_color),
        ("at least one card", lambda at: {"cards": []}),
        ("", _card_left_out),
        ("played from hand", _card_not_in_hand),
        # Step 1.
        ("R5", lambda at: at["region"] and {"region": None}),
        ("step 1", lambda at: at["region"] is None and {"region": at.color}),
        ("step 1", lambda at: at.lacks(Power.ANY_REGION) and at.recolored("region")),
        ("step 1", lambda at: at.power is Power.NO_MARKER and {"region": at.color}),
        # Powers.
        ("sea track", lambda at: at["sea"] is not None and at.more("sea")),
        ("sea track", lambda at: at["sea"] is None and {"sea": len(at["cards"])}),
        ("R11", lambda at: at["sea"] is not None and {"sea_regions": [at.color] * 9}),
        ("extra sea markers", lambda at: at["sea"] is None and {"sea_regions": [at.color]}),
        ("R14", lambda at: {"largest": not at["largest"]}),
        ("tie-break token", lambda at: at["token"] and {"token": len(at["cards"]) + 1}),
        ("tie-break token", _token_taken_twice),
        ("tie-break token", lambda at: at.lacks(Power.TIE_BREAK_TOKENS) and {"token": 1}),
        ("settlement space", lambda at: at.recolored("settled")),
        ("settlement space", _settlement_space_taken_twice),
        (
            "settlement marker",
            lambda at: at.lacks(Power.SETTLEMENT_BOARD) and {"settled": at.color},
        ),
        ("lowest coin", lambda at: at["coin"] and {"coin": None}),
        ("lowest coin", lambda at: at["coin"] and at.more("coin")),
        ("lowest coin", lambda at: at.lacks(Power.COINS) and {"coin": 1}),
        (
            "R10",
            lambda at: (
                (at.lacks(Power.SECOND_PARTY) or at["region"] is None)
                and {"again": True, "kept": at["kept"] + at["discarded"], "discarded": []}
            ),
        ),
        (
            "clockwise",
            lambda at: at["again"] and {"again": False, "kept": [], "discarded": at["kept"]},
        ),
        ("R10: nothing is discarded", lambda at: at["again"] and {"discarded": at["kept"][:1]}),
        ("R10: the rest stays in hand", lambda at: at["again"] and at.shorter("kept")),
        ("the same player goes on", lambda at: at.follows_a_party and at.next_seat("player")),
        # The discard and the draw.
        ("cards kept", _kept_beyond_the_power),
        ("kept or discarded", lambda at: at.shorter("discarded")),
        ("cards off the deck", lambda at: at.shorter("drawn", least=2)),
        ("cards off the deck", lambda at: at.longer("drawn")),
        ("cards off the deck", lambda at: at.swapped("drawn")),
        ("cards drawn", lambda at: at.lacks(Power.DRAWS_CARDS) and {"drawn": [at["leader"]]}),
        (
            "dragons met",
            lambda at: (at["drawn"] or at.lacks(Power.DRAWS_CARDS)) and at.more("dragons"),
        ),
    ],
    "refill": [
        ("R9", lambda at: at.next_seat("player")),
        ("cards off the deck", lambda at: {"cards": [*at["cards"], at.before[0]["pool"][0]]}),
        ("cards off the deck", lambda at: at.shorter("cards")),
        ("dragons met", lambda at: at.more("dragons")),
    ],
    "age_end": [
        ("last dragon", lambda at: at.next_seat("third_dragon")),
        ("R15", _board_kept_in_the_last_age),
        ("boards emptied", lambda at: at["emptied"] and {"emptied": [*at["emptied"], True]}),
        ("boards: not in play", lambda at: at["emptied"] is None and {"emptied": [True] * 4}),
        ("prestige, settlement", lambda at: at["emptied"] is None and {"settlement": [0] * 4}),
    ],
    "game_end": [
        ("winners", lambda at: _losers(at) and {"winners": _losers(at)[:1]}),
        ("winners", lambda at: _losers(at) and {"winners": list(at.seats)}),
        ("winners", lambda at: {"winners": []}),
    ],
}


def _strange_card_of_bruno(at: Site) -> Event | None:
    strange = at["source"] == "discard" and at.other_card(at["cards"][0])
    return {"cards": [strange]} if strange and strange not in at.before[-1]["discarded"] else None


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


_AGAINST_BRUNO: dict[str, list[tuple[str, Change]]] = {
    "bruno_gets": [
        ("Bruno's card", lambda at: {"source": "deck" if at["source"] == "pool" else "pool"}),
        ("R20", lambda at: at["source"] != "deck" and at.longer("cards")),
        ("R20", lambda at: at.shorter("cards", least=2)),
        ("Bruno's card", _strange_card_of_bruno),
        ("", lambda at: at.more("dragons")),
    ],
    "bruno_party": [
        ("leftmost", lambda at: {"column": at.other_color(at["column"])}),
        ("whole column", lambda at: at.shorter("cards", least=2)),
        ("face-up", _leader_chosen_again),
        ("region marker", lambda at: {"region": None if at["region"] else at["column"]}),
        ("sea track", lambda at: at.more("sea")),
        ("R24", lambda at: at.shorter("sea_regions")),
        ("R14", lambda at: {"largest": not at["largest"]}),
        ("R25", _extra_marker_where_he_wins),
        ("R25", _coin_where_he_loses_most),
        ("R24", lambda at: at["settled"] and {"settled": None}),
        ("lowest coin", lambda at: at["coin"] and {"coin": None}),
        ("cards off the deck", lambda at: at.shorter("drawn")),
        ("released", lambda at: at["released"] and {"released": None}),
        ("the released card", _card_of_the_party_released),
        ("R26", lambda at: at["released"] is None and {"released": at["cards"][0]}),
        ("released card goes", lambda at: at["released"] and {"released_to": None}),
        (
            "released card goes",
            lambda at: at["released"] and at.mode != "solo-easy" and {"released_to": "hand"},
        ),
    ],
    "age": [
        (
            "R21",
            lambda at: {"deck": [*at["deck"], at["columns"][-1]], "columns": at["columns"][:-1]},
        )
    ],
    "age_end": [("R15", lambda at: {"emptied": [True, False]})],
}

MUTATIONS, SOLO_MUTATIONS = (
    [Mutation(kind, *row) for kind, rows in table.items() for row in rows]
    for table in (_IN_GAMES, _AGAINST_BRUNO)
)
