"""The state of the table while a trace is read: hands, pool, markers, tracks, parties.

A trace holds only changes. The board adds them up, so that a line can list a hand, and the page of
a game can show the table after each event. It checks nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.game.records import BRUNO
from ethnos_sim.simulator.narration.game import Game

Event = dict[str, Any]

#: The sources of prestige; coins count with the regions, and `powers` are custom powers.
SOURCES = ("regions", "sea", "largest", "settlement", "parties", "powers")


class Board:
    """The table after the events that were applied. Lists are by player, Bruno last.

    Some fields are keyed by clan: tracks (`sea`), boards (`settled`), and the holder and size of
    the largest party (`largest`). `known` are the cards that everybody saw go into a hand. `deck`
    counts cards and dragons. `sources` has the prestige by source, `before_age` the same when the
    age began. `laid` are the events of the age's parties.
    """

    def __init__(self, game: Game) -> None:
        """Set the table up for the first age."""
        sides, clans = game.sides, game.clans
        self.game = game
        self.age = self.turn = self.deck = 0
        self.hands: list[Counter[str]] = []
        self.known: list[Counter[str]] = []
        self.pool: Counter[str] = Counter()
        self.columns: Counter[str] = Counter()
        self.face_up: list[str] = list(clans)
        self.sources = {source: [0] * sides for source in SOURCES}
        self.before_age: dict[str, list[int]] = {}
        self.sea = {clan: [0] * sides for clan in clans}
        self.settled: dict[str, list[set[str]]] = {
            clan: [set() for _ in range(sides)] for clan in clans
        }
        self.markers = {color: [0] * sides for color in game.rules.colors}
        tracks = 1 + len(game.clans_with(Power.SEA_TRACK))
        self.supply = [game.rules.number("markers") - tracks] * sides
        self._turn_goes_on = False
        self._clear_age()

    def _clear_age(self) -> None:
        """Clear everything that lasts only for one age."""
        sides = self.game.sides
        self.dragons = 0
        self.tokens: list[list[int]] = [[] for _ in range(sides)]
        self.laid: list[list[Event]] = [[] for _ in range(sides)]
        self.largest: dict[str, tuple[int, int]] = {}
        self.coins: Counter[str] = Counter()

    @property
    def prestige(self) -> list[int]:
        """The prestige of each player."""
        return [sum(brought) for brought in zip(*self.sources.values(), strict=True)]

    @property
    def party_points(self) -> list[int]:
        """The points that the age's parties will score."""
        return [sum(map(self.points, laid)) for laid in self.laid]

    def apply(self, event: Event) -> None:
        """Change the table as an event of the trace says."""
        changes = {
            "age": self._age,
            "recruit": self._recruit,
            "pass": self._pass,
            "refill": self._refill,
            "party": self._party,
            "power": self._power,
            "bruno_gets": self._bruno_gets,
            "bruno_party": self._bruno_party,
            "age_end": self._age_end,
        }
        if event["event"] in changes:
            changes[event["event"]](event)

    def _age(self, event: Event) -> None:
        """Deal an age."""
        self._clear_age()
        self.age = event["age"]
        self.before_age = {source: list(brought) for source, brought in self.sources.items()}
        if self.age == 1 and not self.game.solo:
            for place, prestige in enumerate(self.game.rules.numbers("start_prestige")):
                if place < self.game.sides:
                    player = (event["first_player"] + place) % self.game.sides
                    self.sources["powers"][player] += prestige
        self.hands = [Counter(hand) for hand in event["hands"]]
        self.known = [Counter() for _ in self.hands]
        self.pool = Counter(event["pool"])
        self.deck = len(event["deck"])
        self.columns = Counter(event.get("columns", []))

    def _recruit(self, event: Event) -> None:
        """Take a card from the pool or the deck."""
        self.turn += 1
        player, card = event["player"], event["card"]
        if event["source"] == "pool":
            self._take({"player": player, "card": card})
        else:
            self._turn_up(event["dragons"], [] if card is None else [card], self.hands[player])

    def _pass(self, event: Event) -> None:
        """Count the turn of a player who can do nothing."""
        self.turn += 1

    def _refill(self, event: Event) -> None:
        """Turn cards from the deck to the pool."""
        self._turn_up(event["dragons"], event["cards"], self.pool)

    def _party(self, event: Event) -> None:
        """Lay a party, place its marker, use its power, and handle the rest of the hand."""
        player = event["player"]
        if not self._turn_goes_on:
            self.turn += 1
        self._turn_goes_on = event["again"]
        self._lay(event, player)
        self._power(event)
        self._lose(player, [*event["cards"], *event["discarded"]])
        self.hands[player] = Counter(event["kept"])
        self.pool += Counter(event["discarded"])
        self._turn_up(event["dragons"], event["drawn"], self.hands[player])

    def _bruno_party(self, event: Event) -> None:
        """Lay a column as Bruno's party, turn its leader down, and release a card."""
        self._lay(event, BRUNO)
        self.face_up.remove(event["leader"])
        self.face_up = self.face_up or list(self.game.clans)
        self.columns -= Counter(event["cards"])
        self._turn_up(event["dragons"], event["drawn"], self.columns)
        if event["released"] is not None:
            released = Counter([event["released"]])
            self.columns -= released
            target = self.pool if event["released_to"] == "pool" else self.hands[0]
            target.update(released)

    def _bruno_gets(self, event: Event) -> None:
        """Give Bruno cards of the pool or the deck."""
        if event["source"] == "deck":
            self._turn_up(event["dragons"], event["cards"], self.columns)
        else:
            self.pool -= Counter(event["cards"])
            self.columns += Counter(event["cards"])

    def _power(self, event: Event) -> None:
        """Carry out the actions of custom powers (`trace.ACTIONS`); some change nothing here."""
        changes = {
            "draw": self._draw,
            "take": self._take,
            "discard": self._discard,
            "give": self._give,
            "place": self._place,
            "move": self._move,
            "remove": self._remove,
            "pay": self._pay,
        }
        for action in event.get("actions", []):
            if action["action"] in changes:
                changes[action["action"]](action)

    def _lay(self, event: Event, player: int) -> None:
        """Lay a party, place its marker and carry out its leader's printed power."""
        self.laid[player].append(event)
        if event["region"] is not None:
            self._place({"player": player, "region": event["region"]})
        clan, _, color = event["leader"].partition(":")
        if event["largest"]:
            self.largest[clan] = (player, len(event["cards"]))
            self.sources["largest"][player] += self.game.rules.number(clan, "on_take")
        if event["sea"] is not None:
            self.sea[clan][player] = event["sea"]
            for extra in event["sea_regions"]:
                self._place({"player": player, "region": extra})
        if event["settled"] is not None:
            self.settled[clan][player].add(event["settled"])
            self.supply[player] -= 1
        if event.get("token") is not None:
            self.tokens[player].append(event["token"])
        if event["coin"] is not None:
            coin = coin_of(event, color)
            self.coins[coin["region"]] += coin["value"]

    def _turn_up(self, dragons: int, cards: Sequence[str], place: Counter[str]) -> None:
        """Take dragons and cards off the deck; the cards go to a hand, the pool or the columns."""
        self.dragons += dragons
        self.deck -= dragons + len(cards)
        place.update(cards)

    def _lose(self, player: int, cards: Iterable[str]) -> None:
        """Take cards out of a hand."""
        self.hands[player] -= Counter(cards)
        self.known[player] -= Counter(cards)

    def _draw(self, action: Event) -> None:
        solo = self.game.solo and action["player"] == BRUNO
        place = self.columns if solo else self.hands[action["player"]]
        self._turn_up(action["dragons"], [] if action["card"] is None else [action["card"]], place)

    def _take(self, action: Event) -> None:
        self.pool -= Counter([action["card"]])
        self._show({"to": action["player"], "card": action["card"]})

    def _show(self, action: Event) -> None:
        """Add a card that everybody sees to a hand."""
        self.hands[action["to"]][action["card"]] += 1
        self.known[action["to"]][action["card"]] += 1

    def _discard(self, action: Event) -> None:
        self._lose(action["player"], [action["card"]])
        self.pool[action["card"]] += 1

    def _give(self, action: Event) -> None:
        self._lose(action["player"], [action["card"]])
        self._show(action)

    def _place(self, action: Event) -> None:
        self.markers[action["region"]][action["player"]] += 1
        self.supply[action["player"]] -= 1

    def _remove(self, action: Event) -> None:
        self.markers[action["region"]][action["player"]] -= 1
        self.supply[action["player"]] += 1

    def _move(self, action: Event) -> None:
        self._remove(action)
        self._place({"player": action["player"], "region": action["to_region"]})

    def _pay(self, action: Event) -> None:
        self.sources["powers"][action["player"]] += action["prestige"]

    def members(self, event: Event) -> int:
        """The number of a party's cards that are scored: all but unscored wild cards."""
        return sum(self.game.is_scored(card) for card in event["cards"])

    def size_in_ties(self, event: Event) -> int:
        """The size of a party by which the final tie is decided (R16)."""
        wild = self.game.rules.number("wild_breaks_ties")
        return len(event["cards"]) if wild else self.members(event)

    def points(self, event: Event) -> int:
        """The points that a party will score."""
        clan = event["leader"].split(":")[0]
        more = 0 if self.game.is_wild(clan) else self.game.rules.number(clan, "score_bonus")
        sizes = [
            action["size"] for action in event.get("actions", []) if action["action"] == "scores_as"
        ]
        by_size = self.game.rules.numbers("party_points")
        size = next(iter(sizes), self.members(event) + more)
        return by_size[min(size, len(by_size) - 1)]

    def _age_end(self, event: Event) -> None:
        """Add the prestige of an age's end and clear emptied boards."""
        brought = {source: [event[source]] for source in SOURCES[1:] if event.get(source)}
        for source, lists in {"regions": event["regions"].values(), **brought}.items():
            totals = self.sources[source]
            totals[:] = map(sum, zip(totals, *lists, strict=True))
        for clan in self.game.clans_with(Power.SETTLEMENT_BOARD):
            by_clan = event["by_clan"][clan] if "by_clan" in event else event
            for player, emptied in enumerate(by_clan["emptied"]):
                if emptied:
                    self.supply[player] += len(self.settled[clan][player])
                    self.settled[clan][player].clear()


def coin_of(event: Event, color: str) -> Event:
    """The coin of a party as region and value; a player's coin lies in the leader's region."""
    coin: Event | int = event["coin"]
    return coin if isinstance(coin, dict) else {"region": color, "value": coin}
