"""What a narration remembers while it reads a trace: hands, markers, parties and prestige.

A trace holds only changes. The board adds them up, so that a line can list a hand or count markers.
It checks nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from ethnos_sim.simulator.game.records import BRUNO
from ethnos_sim.simulator.narration.game import Game

Event = dict[str, Any]

#: The sources of prestige; coins count with the regions, and `powers` are custom powers.
SOURCES = ("regions", "sea", "largest", "settlement", "parties", "powers")


class Board:
    """The table after the events that were applied. Lists are by player, Bruno last.

    `sources` has the prestige by source, `before_age` the same when the age began. `laid` are the
    events of the age's parties, and `dragons` counts the age's dragons.
    """

    def __init__(self, game: Game) -> None:
        """Set the table up for the first age."""
        self.game = game
        self.turn = self.dragons = 0
        self.hands: list[Counter[str]] = []
        self.sources = {source: [0] * game.sides for source in SOURCES}
        self.before_age: dict[str, list[int]] = {}
        self.markers = {color: [0] * game.sides for color in game.rules.colors}
        self.laid: list[list[Event]] = []
        self._turn_goes_on = False

    @property
    def prestige(self) -> list[int]:
        """The prestige of each player."""
        return [sum(brought) for brought in zip(*self.sources.values(), strict=True)]

    def apply(self, event: Event) -> None:
        """Change the table as an event of the trace says."""
        self.dragons += event.get("dragons", 0)
        changes = {
            "age": self._age,
            "recruit": self._recruit,
            "pass": self._pass,
            "party": self._party,
            "power": self._power,
            "bruno_party": self._bruno_party,
            "age_end": self._age_end,
        }
        if event["event"] in changes:
            changes[event["event"]](event)

    def _age(self, event: Event) -> None:
        """Begin an age: new hands and no parties laid."""
        self.dragons = 0
        self.laid = [[] for _ in range(self.game.sides)]
        self.hands = [Counter(hand) for hand in event["hands"]]
        self.before_age = {source: list(brought) for source, brought in self.sources.items()}
        if event["age"] == 1 and not self.game.solo:
            for place, prestige in enumerate(self.game.rules.numbers("start_prestige")):
                if place < self.game.sides:
                    player = (event["first_player"] + place) % self.game.sides
                    self.sources["powers"][player] += prestige

    def _recruit(self, event: Event) -> None:
        """Take a card from the pool or the deck."""
        self.turn += 1
        if event["card"] is not None:
            self.hands[event["player"]][event["card"]] += 1

    def _pass(self, event: Event) -> None:
        """Count the turn of a player who can do nothing."""
        self.turn += 1

    def _party(self, event: Event) -> None:
        """Lay a party, and handle the rest of the hand."""
        if not self._turn_goes_on:
            self.turn += 1
        self._turn_goes_on = event["again"]
        self._lay(event, event["player"])
        self._power(event)
        self.hands[event["player"]] = Counter([*event["kept"], *event["drawn"]])

    def _bruno_party(self, event: Event) -> None:
        """Lay a column as Bruno's party, and release a card."""
        self._lay(event, BRUNO)
        if event["released"] is not None and event["released_to"] == "hand":
            self.hands[0][event["released"]] += 1

    def _lay(self, event: Event, player: int) -> None:
        """Lay a party, with its markers and the prestige that it brings at once."""
        self.laid[player].append(event)
        for color in [event["region"]] * (event["region"] is not None) + event["sea_regions"]:
            self.markers[color][player] += 1
        if event["largest"]:
            clan = event["leader"].partition(":")[0]
            self.sources["largest"][player] += self.game.rules.number(clan, "on_take")

    def _power(self, event: Event) -> None:
        """Carry out the actions of custom powers (`trace.ACTIONS`); some change nothing here."""
        for action in event.get("actions", []):
            kind, player = action["action"], action["player"]
            self.dragons += action.get("dragons", 0)
            if kind == "pay":
                self.sources["powers"][player] += action["prestige"]
            elif kind in ("place", "move"):
                self.markers[action.get("to_region") or action["region"]][player] += 1
            if kind in ("remove", "move"):
                self.markers[action["region"]][player] -= 1
            if kind in ("discard", "give"):
                self.hands[player] -= Counter([action["card"]])
            receiver = action["to"] if kind == "give" else player
            gets = kind in ("draw", "take", "give") and action["card"] is not None
            if gets and receiver < len(self.hands):
                self.hands[receiver][action["card"]] += 1

    def _age_end(self, event: Event) -> None:
        """Add the prestige of an age's end."""
        brought: dict[str, Iterable[list[int]]] = {
            source: [event[source]] for source in SOURCES[1:] if event.get(source)
        }
        for source, lists in {"regions": event["regions"].values(), **brought}.items():
            totals = self.sources[source]
            totals[:] = map(sum, zip(totals, *lists, strict=True))

    def _members(self, event: Event) -> int:
        """The number of a party's cards that are scored: all but unscored wild cards."""
        return sum(self.game.is_scored(card) for card in event["cards"])

    def size_in_ties(self, event: Event) -> int:
        """The size of a party by which the final tie is decided (R16)."""
        wild = self.game.rules.number("wild_breaks_ties")
        return len(event["cards"]) if wild else self._members(event)

    def points(self, event: Event) -> int:
        """The points that a party will score."""
        clan = event["leader"].split(":")[0]
        more = 0 if self.game.is_wild(clan) else self.game.rules.number(clan, "score_bonus")
        sizes = [
            action["size"] for action in event.get("actions", []) if action["action"] == "scores_as"
        ]
        by_size = self.game.rules.numbers("party_points")
        size = next(iter(sizes), self._members(event) + more)
        return by_size[min(size, len(by_size) - 1)]


def coin_of(event: Event, color: str) -> Event:
    """The coin of a party as region and value; a player's coin lies in the leader's region."""
    coin: Event | int = event["coin"]
    return coin if isinstance(coin, dict) else {"region": color, "value": coin}
