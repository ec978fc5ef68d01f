"""The table of a replayed game: cards, markers, boards, tokens and prestige."""

from collections import Counter
from dataclasses import dataclass

from referee.cards import DRAGON, Power, color_of
from referee.events import Event, Events
from referee.setup import Setting
from referee.summary import Summary

#: The sources of prestige; "coins" is what coins add to the awards of regions.
SOURCES = ("regions", "coins", "sea", "largest", "settlement", "parties", "powers")

#: Payments during an age raise nobody above this prestige (docs/powers.md).
MOST_PRESTIGE = 20_000


@dataclass
class Party:
    """A played party: the leader's clan and all its cards, wild ones included.

    `scores_as` is the size that a custom power gives it for scoring.
    """

    leader: str
    cards: list[str]
    scores_as: int | None = None


class Table:
    """Everything on the table, and the checks after every event."""

    def __init__(self, events: Events, setting: Setting) -> None:
        seats = range(setting.seats)
        self.events = events
        self.setting = setting
        self.markers = [dict.fromkeys(setting.colors, 0) for _ in seats]
        self.sea = {clan: [0 for _ in seats] for clan in setting.with_power(Power.SEA_TRACK)}
        self.settled: dict[str, list[set[str]]] = {
            clan: [set() for _ in seats] for clan in setting.with_power(Power.SETTLEMENT_BOARD)
        }
        self.coins = self._sorted_values(Power.COINS, "coins")
        self.prestige = {source: [0 for _ in seats] for source in SOURCES}
        self.summary = Summary(events=events.counted, totals=self.prestige)
        self.leaders_face_up = set(setting.clans)
        self.kept = {owner: [[0] * 4 for _ in seats] for owner in setting.custom_powers}
        self.starter = 0
        self.age = 0
        self.wild_winner: int | None = None
        self.last_dragon: int | None = None
        self.clear_age()

    def clear_age(self) -> None:
        """Remove everything that does not last beyond an age."""
        setting = self.setting
        self.hands: list[list[str]] = [[] for _ in range(setting.seats)]
        self.pool: list[str] = []
        self.deck: list[str] = []
        self.columns: dict[str, list[str]] = {color: [] for color in setting.colors}
        self.parties: list[list[Party]] = [[] for _ in range(setting.seats)]
        self.tokens_left = self._sorted_values(Power.TIE_BREAK_TOKENS, "tokens")
        self.tokens: list[list[int]] = [[] for _ in range(setting.seats)]
        self.coins_on = dict.fromkeys(setting.colors, 0)
        self.largest: dict[str, tuple[int, int]] = {}
        self.dragons = 0
        self.stuck = False

    def _sorted_values(self, power: Power, name: str) -> dict[str, list[int]]:
        """The ascending numbers of a value of each clan with the power."""
        return {
            clan: sorted(self.setting.of(clan, name)) for clan in self.setting.with_power(power)
        }

    @property
    def age_over(self) -> bool:
        """Whether the age is over: the last dragon came, or nobody can do anything (R30)."""
        rules = self.setting.rules
        return self.stuck or self.dragons == (rules["last_dragon"] or rules["dragons"])

    @property
    def halted(self) -> bool:
        """Whether no turn follows, because the age or the game has ended."""
        return self.age_over or self.wild_winner is not None

    def total(self, player: int) -> int:
        """The prestige of a player."""
        return sum(by_player[player] for by_player in self.prestige.values())

    def totals(self) -> list[int]:
        """The prestige of all players."""
        return [self.total(player) for player in range(self.setting.seats)]

    def pay_for_largest(self, player: int, clan: str) -> None:
        """Pay for the largest-party token at once, up to MOST_PRESTIGE."""
        room = max(MOST_PRESTIGE - self.total(player), 0)
        self.prestige["largest"][player] += min(self.setting.of(clan, "on_take"), room)

    def supply(self, player: int) -> int:
        """The markers left to a player, whose score and sea tracks take one each."""
        used = 1 + len(self.sea) + sum(self.markers[player].values())
        used += sum(len(settled[player]) for settled in self.settled.values())
        left: int = self.setting.rules["markers"] - used
        return left

    def passes(self, player: int, color: str, size: int) -> bool:
        """Whether a party outnumbers the markers of one player (or of both) in a region."""
        rules = self.setting.rules
        both = self.setting.seats == 2 and rules["two_players.both_markers"]
        standing = sum(self.markers[owner][color] for owner in ((0, 1) if both else (player,)))
        enough: bool = size - standing >= rules["markers_needed"]
        return enough and self.supply(player) > 0

    def has_room(self, player: int) -> bool:
        """Whether a player may get another card in hand; Bruno's columns have no limit here."""
        limit: int = self.setting.rules["hand_limit"]
        return self.setting.is_bruno(player) or len(self.hands[player]) < limit

    def draw(self, player: int, number: int) -> tuple[list[str], int]:
        """Take cards off the deck until there are enough or the last dragon comes.

        Returns:
            The cards, and the number of dragons.
        """
        cards: list[str] = []
        dragons = 0
        while len(cards) < number and not self.age_over:
            top = self.deck.pop()
            if top == DRAGON:
                dragons += 1
                self.dragons += 1
            else:
                cards.append(top)
        if self.age_over:
            self.last_dragon = player
        self.summary.left_deck[-1] += len(cards)
        return cards, dragons

    def drawn_as(self, event: Event, key: str, player: int, number: int, rule: str) -> list[str]:
        """Draw cards, and check the event's cards (under the key) and dragons against the deck."""
        cards, dragons = self.draw(player, number)
        self.events.equal(f"{rule}: cards off the deck, in order", cards, event[key])
        self.events.equal(f"{rule}: dragons met", dragons, event["dragons"])
        return cards

    def take_out(self, cards: list[str], place: list[str], rule: str) -> None:
        """Remove cards from a place that must hold all of them."""
        missing = Counter(cards) - Counter(place)
        self.events.require(not missing, rule, f"cards among {sorted(place)}", cards)
        for card in cards:
            place.remove(card)

    def to_column(self, cards: list[str]) -> None:
        """Put cards into Bruno's columns by their color."""
        for card in cards:
            self.columns[color_of(card)].append(card)

    def lay_party(self, player: int, leader: str, cards: list[str]) -> None:
        """Lay a party in front of a player; the leader is a clan."""
        self.parties[player].append(Party(leader, list(cards)))
        self.summary.parties_led[-1][leader] += 1

    def check_cards(self) -> None:
        """Check that deck, pool, hands, columns and parties hold exactly the cards in play."""
        places = [self.deck, self.pool, *self.hands, *self.columns.values()]
        places += [party.cards for parties in self.parties for party in parties]
        everything = sorted(card for place in places for card in place if card != DRAGON)
        if everything != self.setting.cards:
            missing = Counter(self.setting.cards) - Counter(everything)
            extra = Counter(everything) - Counter(self.setting.cards)
            raise self.events.fault("card conservation", f"also {missing}", f"too many {extra}")

    def deal_age(self, event: Event, age: int, first_player: int | None) -> int:
        """Deal an age; return the first player, who may be anyone if `first_player` is None."""
        setting, events = self.setting, self.events
        self.clear_age()
        self.age = age
        self.summary.left_deck.append(0)
        self.summary.parties_led.append(Counter())
        events.equal("number of the age", age, event["age"])
        if first_player is not None:
            events.equal("first player of an age", first_player, event["first_player"])
        hands = event["hands"]
        each = [setting.rules["first_cards"]] * (1 if setting.solo else setting.seats)
        events.equal("cards in the first hands", each, [len(hand) for hand in hands])
        self.hands[: len(hands)] = [list(hand) for hand in hands]
        events.equal("cards in the first pool", setting.pool, len(event["pool"]))
        self.pool = list(event["pool"])
        if setting.solo:
            gets = age == 1 or setting.rules["bruno.cards_each_age"]
            number = setting.rules["bruno.cards"] if gets else 0
            events.equal("R21: Bruno's first cards", number, len(event["columns"]))
            self.to_column(event["columns"])
        deck = event["deck"]
        dragons = setting.rules["dragons"]
        events.equal("dragons in the deck", dragons, deck.count(DRAGON))
        allies = len(deck) - dragons
        top = deck[: allies - -(-allies // setting.rules["dragons_in"])]
        events.require(DRAGON not in top, "R2: dragons at the deck's end", "none on top", top)
        self.deck = deck[::-1]
        self.check_cards()
        first: int = event["first_player"]
        if age == 1 and not setting.solo:
            for place, prestige in enumerate(setting.rules["start_prestige"][: setting.seats]):
                self.prestige["powers"][(first + place) % setting.seats] += prestige
        self.starter = first
        return first
