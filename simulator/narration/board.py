"""The state of the table while a trace is read: hands, pool, markers, tracks, parties.

A trace holds only changes. The board adds them up, so that a line can say "2 there, the most" or
list a hand. It checks nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.game.records import BRUNO
from ethnos_sim.simulator.narration.game import Game, in_words

Event = dict[str, Any]

#: The sources of prestige; coins count with the regions, and `powers` are custom powers.
SOURCES = ("regions", "sea", "largest", "settlement", "parties", "powers")


class Board:
    """The table after the events so far. Lists are by player, Bruno last.

    Some fields are keyed by clan: tracks (`sea`), boards (`settled`), the holder and size of
    the largest party (`largest`), the prestige for taking its token (`at_once`), and a custom
    power's payments in the age (`paid`, also by the name of a power of the table). `known` are the
    cards that everybody saw go into a hand.
    `deck` counts cards and dragons. `sources` has the prestige by source, `totals` the prestige
    after each earlier age. `laid` are the events of the age's parties.
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
        self.totals: list[list[int]] = []
        self.sources = {source: [0] * sides for source in SOURCES}
        self.sea = {clan: [0] * sides for clan in clans}
        self.settled: dict[str, list[set[str]]] = {
            clan: [set() for _ in range(sides)] for clan in clans
        }
        self.markers = {color: [0] * sides for color in game.rules.colors}
        tracks = 1 + len(game.clans_with(Power.SEA_TRACK))
        self.supply = [game.rules.number("markers") - tracks] * sides
        self._clear_age()

    def _clear_age(self) -> None:
        """Clear everything that lasts only for one age."""
        sides, clans = self.game.sides, self.game.clans
        self.dragons = 0
        self.tokens: list[list[int]] = [[] for _ in range(sides)]
        self.laid: list[list[Event]] = [[] for _ in range(sides)]
        self.at_once = {clan: [0] * sides for clan in clans}
        self.paid = {owner: [0] * sides for owner in (*clans, *self.game.table_powers)}
        self.largest: dict[str, tuple[int, int]] = {}
        self.coins: Counter[str] = Counter()

    @property
    def prestige(self) -> list[int]:
        """The prestige of each player."""
        return [sum(brought) for brought in zip(*self.sources.values(), strict=True)]

    @property
    def parties(self) -> list[list[int]]:
        """The sizes of the age's parties, without wild cards that are not scored."""
        return [[self.members(party) for party in laid] for laid in self.laid]

    @property
    def tie_sizes(self) -> list[list[int]]:
        """The sizes of the age's parties by which the final tie is decided (R16)."""
        if not self.game.rules.number("wild_breaks_ties"):
            return self.parties
        return [[len(party["cards"]) for party in laid] for laid in self.laid]

    @property
    def party_points(self) -> list[int]:
        """The points that the age's parties will score."""
        return [sum(map(self.points, laid)) for laid in self.laid]

    def begin_age(self, event: Event) -> None:
        """Deal an age."""
        self._clear_age()
        self.age = event["age"]
        if self.age > 1:
            self.totals.append(self.prestige)
        elif not self.game.solo:
            for place, prestige in enumerate(self.game.rules.numbers("start_prestige")):
                if place < self.game.sides:
                    player = (event["first_player"] + place) % self.game.sides
                    self.sources["powers"][player] += prestige
        self.hands = [Counter(hand) for hand in event["hands"]]
        self.known = [Counter() for _ in self.hands]
        self.pool = Counter(event["pool"])
        self.deck = len(event["deck"])
        self.columns = Counter(event.get("columns", []))

    def recruit(self, event: Event) -> None:
        """Take a card from the pool or the deck."""
        self.turn += 1
        player, card = event["player"], event["card"]
        if event["source"] == "pool":
            self.take(player, card)
        else:
            self.draw(event["dragons"], [] if card is None else [card], self.hands[player])

    def take(self, player: int, card: str) -> None:
        """Take a card of the pool into a hand."""
        self.pool -= Counter([card])
        self.hands[player][card] += 1
        self.known[player][card] += 1

    def lose(self, player: int, cards: Iterable[str]) -> None:
        """Take cards out of a hand."""
        self.hands[player] -= Counter(cards)
        self.known[player] -= Counter(cards)

    def draw(self, dragons: int, cards: Sequence[str], place: Counter[str]) -> None:
        """Take dragons and cards off the deck; the cards go to a hand, the pool or the columns."""
        self.dragons += dragons
        self.deck -= dragons + len(cards)
        place.update(cards)

    def refill(self, event: Event) -> None:
        """Turn cards from the deck to the pool."""
        self.draw(event["dragons"], event["cards"], self.pool)

    def place(self, player: int, color: str) -> None:
        """Put a marker into a region."""
        self.markers[color][player] += 1
        self.supply[player] -= 1

    def to_beat(self, player: int, color: str) -> int:
        """The number that a party's cards must exceed to place a marker in a region."""
        rules, row = self.game.rules, self.markers[color]
        both = self.game.sides == 2 and rules.number("two_players.both_markers")
        return (sum(row) if both else row[player]) + rules.number("markers_needed") - 1

    def fires_at(self, color: str) -> int:
        """How many cards make Bruno play his column of a color now."""
        rules = self.game.rules
        fixed = rules.numbers("bruno.fires_at")[rules.colors.index(color)]
        return fixed or max(self.to_beat(BRUNO, color) + 1, 1)

    def standing(self, player: int, color: str) -> str:
        """A region and how a player stands there: "Reef (red): 2 there, the most"."""
        rivals = dict(zip(self.game.seat_names, self.markers[color], strict=True))
        markers = rivals.pop(self.game.seat_names[player])
        best = max(rivals.values())
        holders = "/".join(name for name, count in rivals.items() if count == best)
        if markers > best:
            rank = "the most" if best else "alone"
        else:
            rank = f"level with {holders}" if markers == best else f"behind {best} of {holders}"
        return f"{self.game.region(color)}: {markers} there, {rank}"

    def filling(self) -> str:
        """The size of each of Bruno's columns, and the size at which it fires: "white 2/5"."""
        sizes = Counter(card.split(":")[1] for card in self.columns.elements())
        return ", ".join(
            f"{color} {sizes[color]}/{self.fires_at(color)}"
            for color in self.game.rules.colors
            if sizes[color]
        )

    def next_leaders(self) -> str:
        """Who may lead Bruno's next party."""
        if len(self.face_up) == len(self.game.clans):
            return "any, all face up again"
        return ", ".join(map(in_words, self.face_up))

    def party(self, event: Event) -> None:
        """Lay a party and handle the rest of the hand; the party's effects are on the board."""
        player = event["player"]
        self.laid[player].append(event)
        self.lose(player, [*event["cards"], *event["discarded"]])
        self.hands[player] = Counter(event["kept"])
        self.pool += Counter(event["discarded"])
        self.draw(event["dragons"], event["drawn"], self.hands[player])

    def bruno_gets(self, event: Event) -> None:
        """Give Bruno cards of the pool or the deck."""
        if event["source"] == "deck":
            self.draw(event["dragons"], event["cards"], self.columns)
        else:
            self.pool -= Counter(event["cards"])
            self.columns += Counter(event["cards"])

    def bruno_party(self, event: Event) -> None:
        """Lay a column as Bruno's party, turn its leader down, and release a card."""
        self.laid[BRUNO].append(event)
        self.face_up.remove(event["leader"])
        self.face_up = self.face_up or list(self.game.clans)
        self.columns -= Counter(event["cards"])
        self.draw(event["dragons"], event["drawn"], self.columns)
        if event["released"] is not None:
            released = Counter([event["released"]])
            self.columns -= released
            target = self.pool if event["released_to"] == "pool" else self.hands[0]
            target.update(released)

    def take_largest(self, clan: str, player: int, size: int) -> None:
        """Give a clan's largest-party token to a player whose party has `size` cards."""
        self.largest[clan] = (player, size)
        at_once = self.game.rules.number(clan, "on_take")
        self.at_once[clan][player] += at_once
        self.sources["largest"][player] += at_once

    def members(self, event: Event) -> int:
        """The number of a party's cards that are scored: all but unscored wild cards."""
        return sum(self.game.is_scored(card) for card in event["cards"])

    def scored_size(self, event: Event) -> int:
        """The size of a party for scoring."""
        for action in event.get("actions", []):
            if action["action"] == "scores_as":
                return int(action["size"])
        clan = event["leader"].split(":")[0]
        more = 0 if self.game.is_wild(clan) else self.game.rules.number(clan, "score_bonus")
        return self.members(event) + more

    def points(self, event: Event) -> int:
        """The points that a party will score."""
        by_size = self.game.rules.numbers("party_points")
        return by_size[min(self.scored_size(event), len(by_size) - 1)]

    def end_age(self, event: Event) -> None:
        """Add the prestige of an age's end and clear emptied boards."""
        brought = {source: [event[source]] for source in SOURCES[1:] if event.get(source)}
        for source, lists in {"regions": event["regions"].values(), **brought}.items():
            totals = self.sources[source]
            totals[:] = map(sum, zip(totals, *lists, strict=True))
        for clan in self.game.clans_with(Power.SETTLEMENT_BOARD):
            for player, emptied in enumerate(of_clan(event, clan, "emptied")):
                if emptied:
                    self.supply[player] += len(self.settled[clan][player])
                    self.settled[clan][player].clear()


def of_clan(event: Event, clan: str, name: str) -> list[int]:
    """A clan's numbers at an age's end, from `by_clan` if several clans have its power."""
    numbers: list[int] = event["by_clan"][clan][name] if "by_clan" in event else event[name]
    return numbers
