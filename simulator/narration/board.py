"""The table during a narration: hands, markers, parties and prestige.

An event of a trace says what changes. The board applies all changes, so that a line can list a hand
or count markers. It does not check whether an event is legal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from ethnos_sim.simulator.game.records import BRUNO
from ethnos_sim.simulator.narration.game import Game

Event = dict[str, Any]

#: The sources of prestige; `regions` includes coins, and `powers` stands for custom powers.
SOURCES = ("regions", "sea", "largest", "settlement", "parties", "powers")


class Board:
    """The table after the events that were applied. Lists are by player, Bruno last.

    `sources` has the prestige by source, and `before_age` the same at the beginning of the age.
    `parties` has the events of the age's parties, and `dragons` counts the age's dragons.
    """

    def __init__(self, game: Game) -> None:
        """Set up an empty table; the first event of a game deals the cards."""
        self.game = game
        self.turn = self.dragons = 0
        self.hands: list[Counter[str]] = []
        self.sources = {source: [0] * game.sides for source in SOURCES}
        self.before_age: dict[str, list[int]] = {}
        self.markers = {color: [0] * game.sides for color in game.rules.colors}
        self.parties: list[list[Event]] = []
        self._turn_goes_on = False

    @property
    def prestige(self) -> list[int]:
        """The prestige of each player."""
        return [sum(brought) for brought in zip(*self.sources.values(), strict=True)]

    def apply(self, event: Event) -> None:
        """Apply an event of the trace to the table."""
        self.dragons += event.get("dragons", 0)
        changes = {
            "age": self._begin_age,
            "recruit": self._recruit_card,
            "pass": self._count_pass,
            "party": self._play_party,
            "power": self._use_custom_powers,
            "bruno_party": self._play_bruno_party,
            "age_end": self._score_age,
        }
        if event["event"] in changes:
            changes[event["event"]](event)

    def _begin_age(self, event: Event) -> None:
        """Begin an age: deal the hands and take the parties off the table."""
        self.dragons = 0
        self.parties = [[] for _ in range(self.game.sides)]
        self.hands = [Counter(hand) for hand in event["hands"]]
        self.before_age = {source: list(brought) for source, brought in self.sources.items()}
        if event["age"] == 1 and not self.game.solo:
            for place, prestige in enumerate(self.game.rules.numbers("start_prestige")):
                if place < self.game.sides:
                    player = (event["first_player"] + place) % self.game.sides
                    self.sources["powers"][player] += prestige

    def _recruit_card(self, event: Event) -> None:
        """Put a card from the pool or the deck into the player's hand."""
        self.turn += 1
        if event["card"] is not None:
            self.hands[event["player"]][event["card"]] += 1

    def _count_pass(self, event: Event) -> None:
        """Count the turn of a player who passes."""
        self.turn += 1

    def _play_party(self, event: Event) -> None:
        """Play a party, and replace the hand by the cards that were kept and drawn."""
        if not self._turn_goes_on:
            self.turn += 1
        self._turn_goes_on = event["again"]
        self._lay_party(event, event["player"])
        self._use_custom_powers(event)
        self.hands[event["player"]] = Counter([*event["kept"], *event["drawn"]])

    def _play_bruno_party(self, event: Event) -> None:
        """Play a column as Bruno's party, and release a card."""
        self._lay_party(event, BRUNO)
        if event["released"] is not None and event["released_to"] == "hand":
            self.hands[0][event["released"]] += 1

    def _lay_party(self, event: Event, player: int) -> None:
        """Lay a party, place its markers, and pay for the token of the largest party."""
        self.parties[player].append(event)
        for color in [event["region"]] * (event["region"] is not None) + event["sea_regions"]:
            self.markers[color][player] += 1
        if event["largest"]:
            clan = event["leader"].partition(":")[0]
            self.sources["largest"][player] += self.game.rules.number(clan, "on_take")

    def _use_custom_powers(self, event: Event) -> None:
        """Carry out an event's actions of custom powers (`trace.ACTIONS`) that change the table."""
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

    def _score_age(self, event: Event) -> None:
        """Add the prestige that players score at the end of an age."""
        brought: dict[str, Iterable[list[int]]] = {
            source: [event[source]] for source in SOURCES[1:] if event.get(source)
        }
        for source, lists in {"regions": event["regions"].values(), **brought}.items():
            totals = self.sources[source]
            totals[:] = map(sum, zip(totals, *lists, strict=True))

    def _scored_size(self, event: Event) -> int:
        """The number of a party's cards that are scored: all but unscored wild cards."""
        return sum(self.game.is_scored(card) for card in event["cards"])

    def tie_break_size(self, event: Event) -> int:
        """The size of a party that counts when a tie at the game's end is broken (R16)."""
        wild = self.game.rules.number("wild_breaks_ties")
        return len(event["cards"]) if wild else self._scored_size(event)

    def party_points(self, event: Event) -> int:
        """The points that a party will score at the end of the age."""
        clan = event["leader"].split(":")[0]
        more = 0 if self.game.is_wild(clan) else self.game.rules.number(clan, "score_bonus")
        sizes = [
            action["size"] for action in event.get("actions", []) if action["action"] == "scores_as"
        ]
        by_size = self.game.rules.numbers("party_points")
        size = next(iter(sizes), self._scored_size(event) + more)
        return by_size[min(size, len(by_size) - 1)]


def party_coin(event: Event, leader_color: str) -> Event:
    """The region and value of a party's coin; only Bruno's event states the region."""
    coin: Event | int = event["coin"]
    return coin if isinstance(coin, dict) else {"region": leader_color, "value": coin}
