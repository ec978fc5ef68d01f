"""Reference games: random legal games, played by plain slow objects and written as traces.

They let the referee be tested without the kernel, and they are a second reading of the rules: the
scoring here is written another way than the referee's. Play is random on purpose, so that every
choice the rules allow turns up.
"""

import random
from dataclasses import dataclass, field
from typing import Any

from referee.cards import COLORS, DRAGON, POWER_OF, Power, cards_of, clan_of, color_of
from referee.reference_rules import all_clans, printed_rules

Event = dict[str, Any]


@dataclass
class Seat:
    """One player's (or Bruno's) belongings."""

    markers: dict[str, int]
    hand: list[str] = field(default_factory=list)
    parties: list[tuple[str, list[str]]] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    settled: list[str] = field(default_factory=list)
    sea: int = 0
    prestige: int = 0


class ReferenceGame:
    """One random game; `play` returns its trace.

    `hoards_wild` makes the first seat take wild cards whenever it can and never play them, so that
    hands of wild cards alone come up.
    """

    def __init__(
        self,
        seed: int,
        edition: str = "second",
        players: int = 4,
        mode: str = "standard",
        clans: list[str] | None = None,
        rules: dict[str, Any] | None = None,
        hoards_wild: bool = False,
    ) -> None:
        self.rng = random.Random(seed)
        self.rules = printed_rules(edition) if rules is None else rules
        self.colors = COLORS[edition]
        self.solo = mode.startswith("solo")
        self.n = 2 if self.solo else players
        number = 6 if self.solo or players > 3 else 5
        self.clans = clans or self.rng.sample(all_clans(edition, mode), number)
        self.power = {clan: POWER_OF[edition][clan] for clan in self.clans}
        self.named = {power: clan for clan, power in self.power.items()}
        self.mode, self.edition, self.hoards_wild = mode, edition, hoards_wild
        self.seats = [Seat(dict.fromkeys(self.colors, 0)) for _ in range(self.n)]
        self.coins = sorted(self.value(Power.COINS, "coins", []))
        self.tokens = self.deal_prestige_tokens()
        self.columns: dict[str, list[str]] = {color: [] for color in self.colors}
        self.events: list[Event] = []
        self.won_by: int | None = None
        self.header = {
            "trace": 1,
            "game": seed,
            "seed": seed,
            "edition": edition,
            "players": players,
            "mode": mode,
            "rules": self.rules,
            "clans": self.clans,
            "strategies": ["random"] * players,
            "prestige_tokens": self.tokens,
            "events": self.events,
        }

    def value(self, power: Power, name: str, otherwise: Any = None) -> Any:
        """A rule value of the power's clan."""
        clan = self.named.get(power)
        return otherwise if clan is None else self.rules[f"{clan}.{name}"]

    def deal_prestige_tokens(self) -> dict[str, list[int]]:
        """Setup step 1."""
        tokens = list(self.rules["prestige_tokens.base"])
        if self.n > 3:
            tokens += self.rules["prestige_tokens.four_plus"]
        self.rng.shuffle(tokens)
        each = len(tokens) // 6
        dealt = {color: tokens[i * each : (i + 1) * each] for i, color in enumerate(self.colors)}
        others = [color for color in self.colors if color not in ("red", "blue")]
        for turn in range(2 * each if self.solo else 0):
            mine = dealt[("red", "blue")[turn % 2]]
            most = max(max(dealt[color]) for color in others)
            richest = dealt[self.rng.choice([c for c in others if max(dealt[c]) == most])]
            if max(richest) > min(mine):
                high, low = richest.index(max(richest)), mine.index(min(mine))
                richest[high], mine[low] = mine[low], richest[high]
        return {color: sorted(values) for color, values in dealt.items()}

    def wild(self, card: str) -> bool:
        """Whether the card is wild."""
        return self.power[clan_of(card)] is Power.WILD

    def play(self) -> dict[str, Any]:
        """Plays the game and returns its trace."""
        first = 0 if self.solo else self.rng.randrange(self.n)
        self.ages = 3 if self.n > 3 else 2
        for age in range(1, self.ages + 1):
            self.deal(age, first)
            active = first
            if self.solo or self.mode == "recruitment":
                self.refill(first, 0)
            while not self.over:
                self.turn(active)
                if self.won_by is None and not self.over:
                    self.after_turn(active)
                if self.won_by is not None:
                    return self.finish()
                active = active if self.solo else (active + 1) % self.n
            self.end_age(age)
            around = [(self.drawer + step) % self.n for step in range(self.n)]
            first = 0 if self.solo else min(around, key=lambda seat: self.seats[seat].prestige)
        return self.finish()

    def deal(self, age: int, first: int) -> None:
        """Begins an age."""
        deck = cards_of(self.edition, self.clans, self.rules)
        self.rng.shuffle(deck)
        hands = [[deck.pop()] for _ in range(1 if self.solo else self.n)]
        self.pool = [deck.pop() for _ in range(self.n * self.rules["pool_per_player"])]
        event: Event = {"event": "age", "age": age, "first_player": first}
        event |= {"hands": hands, "pool": list(self.pool)}
        if self.solo:
            event["columns"] = [deck.pop() for _ in range(3)]
            for card in event["columns"]:
                self.columns[color_of(card)].append(card)
        half = len(deck) // 2
        top, bottom = deck[:half], deck[half:] + [DRAGON] * self.rules["dragons"]
        self.rng.shuffle(bottom)
        self.deck = top + bottom
        self.events.append(event | {"deck": list(self.deck)})
        for seat, hand in zip(self.seats, hands, strict=False):
            seat.hand = list(hand)
        self.dragons_left = self.rules["dragons"]
        self.over = False
        self.unclaimed = list(self.value(Power.TIE_BREAK_TOKENS, "tokens", []))
        self.region_coins = dict.fromkeys(self.colors, 0)
        self.holder, self.record = -1, 0

    def draw(self, number: int, drawer: int) -> tuple[list[str], int]:
        """Draws cards; dragons are set aside, the last one ends the age."""
        cards: list[str] = []
        dragons = 0
        while len(cards) < number and not self.over:
            card = self.deck.pop(0)
            if card == DRAGON:
                dragons += 1
                self.dragons_left -= 1
                self.over, self.drawer = self.dragons_left == 0, drawer
            else:
                cards.append(card)
        return cards, dragons

    def supply(self, seat: Seat) -> int:
        """Markers left."""
        used = sum(seat.markers.values()) + len(seat.settled) + 1
        return int(self.rules["markers"]) - used - (Power.SEA_TRACK in self.named)

    def fits(self, seat: Seat, size: int) -> list[str]:
        """Regions where a party of the size can place a marker."""
        there = self.seats if self.n == 2 else [seat]
        if self.supply(seat) == 0:
            return []
        return [c for c in self.colors if size > sum(each.markers[c] for each in there)]

    def turn(self, active: int) -> None:
        """Recruits, plays a party or passes at random."""
        seat = self.seats[active]
        full = len(seat.hand) >= self.rules["hand_limit"]
        only_wild = all(map(self.wild, seat.hand))
        if full and only_wild:
            if self.rules["ten_wild_wins"]:
                self.win_with_wild(active)
            else:
                self.events.append({"event": "pass", "player": active})
        elif only_wild or (not full and self.rng.random() < 0.7):
            self.recruit(active)
        else:
            while self.party(active):
                pass

    def recruit(self, active: int) -> None:
        """Takes a card."""
        seat = self.seats[active]
        wanted = [card for card in self.pool if self.wild(card)] if self.hoards(active) else []
        event: Event = {"event": "recruit", "player": active, "source": "deck"}
        if wanted or (self.pool and self.rng.random() < 0.4):
            card = self.rng.choice(wanted or self.pool)
            self.pool.remove(card)
            seat.hand.append(card)
            event |= {"source": "pool", "card": card, "dragons": 0}
        else:
            cards, dragons = self.draw(1, active)
            seat.hand += cards
            event |= {"card": cards[0] if cards else None, "dragons": dragons}
        self.events.append(event)

    def hoards(self, active: int) -> bool:
        """Whether the seat hoards wild cards."""
        return self.hoards_wild and active == 0

    def choose_cards(self, active: int) -> tuple[str, list[str]]:
        """A random leader and a random legal party with it."""
        hand = list(self.seats[active].hand)
        leader = self.rng.choice([card for card in hand if not self.wild(card)])
        hand.remove(leader)
        part = self.rng.choice([clan_of, color_of])
        mates = [c for c in hand if part(c) == part(leader) and not self.wild(c)]
        if not self.hoards(active):
            mates += [card for card in hand if self.wild(card)]
        most = min(len(mates), self.rules["party_limit"] - 1)
        number = max(self.rng.randint(0, most), self.rng.randint(0, most))
        return leader, self.rng.sample([*self.rng.sample(mates, number), leader], number + 1)

    def party(self, active: int) -> bool:
        """Plays one party; returns whether another one follows."""
        seat, rng = self.seats[active], self.rng
        leader, cards = self.choose_cards(active)
        for card in cards:
            seat.hand.remove(card)
        size, color, power = len(cards), color_of(leader), self.power[clan_of(leader)]
        event: Event = {"event": "party", "player": active, "cards": cards, "leader": leader}
        regions = self.fits(seat, size + (power is Power.ONE_CARD_FEWER))
        if power is not Power.ANY_REGION:
            regions = [color] if color in regions and power is not Power.NO_MARKER else []
        region = rng.choice(regions) if regions else None
        if self.rules["optional_marker"] and rng.random() < 0.3:
            region = None
        if region is not None:
            seat.markers[region] += 1
        event |= {"region": region} | self.sail(seat, power, size)
        event["largest"] = self.take_largest(active, power, size)
        event["token"] = self.take_token(seat, power, size)
        free = power is Power.SETTLEMENT_BOARD and color not in seat.settled and self.supply(seat)
        event["settled"] = color if free and rng.random() < 0.8 else None
        if event["settled"]:
            seat.settled.append(color)
        event["coin"] = None
        if power is Power.COINS and self.coins:
            event["coin"] = self.coins.pop(0)
            self.region_coins[color] += event["coin"]
        seat.parties.append((clan_of(leader), cards))
        playable = any(not self.wild(card) for card in seat.hand)
        again = power is Power.SECOND_PARTY and region is not None and playable
        event["again"] = bool(again and rng.random() < 0.8)
        self.events.append(event | self.discard(active, power, size, event["again"]))
        return bool(event["again"])

    def sail(self, seat: Seat, power: Power, size: int) -> Event:
        """Moves on the sea track and places random extra markers."""
        if power is not Power.SEA_TRACK:
            return {"sea": None, "sea_regions": []}
        start = seat.sea
        seat.sea = min(seat.sea + size, self.value(power, "last_space"))
        regions = []
        for symbol in self.value(power, "symbols"):
            if start < symbol <= seat.sea and self.supply(seat) and self.rng.random() < 0.8:
                regions.append(self.rng.choice(self.colors))
                seat.markers[regions[-1]] += 1
        return {"sea": seat.sea, "sea_regions": regions}

    def take_largest(self, active: int, power: Power, size: int) -> bool:
        """The largest party token."""
        if power is not Power.LARGEST_TOKEN or size <= self.record:
            return False
        self.record, self.holder = size, active
        self.seats[active].prestige += self.value(power, "on_take")
        return True

    def take_token(self, seat: Seat, power: Power, size: int) -> int | None:
        """A random tie-break token, or none."""
        possible = [value for value in self.unclaimed if value <= size]
        if power is not Power.TIE_BREAK_TOKENS or not possible or self.rng.random() < 0.1:
            return None
        token: int = self.rng.choice(possible)
        self.unclaimed.remove(token)
        seat.tokens.append(token)
        return token

    def discard(self, active: int, power: Power, size: int, again: bool) -> Event:
        """Discards, keeps and draws after the last party."""
        seat, hand = self.seats[active], self.seats[active].hand
        if again:
            return {"kept": list(hand), "discarded": [], "drawn": [], "dragons": 0}
        kept: list[str] = []
        if power is Power.KEEPS_CARDS:
            most = min(size, len(hand))
            kept = self.rng.sample(hand, self.rng.choice([most, self.rng.randint(0, most)]))
        rest = list(hand)
        for card in kept:
            rest.remove(card)
        self.pool += rest
        seat.hand = list(kept)
        draws = power is Power.DRAWS_CARDS and self.rng.random() < 0.8
        drawn, dragons = self.draw(size if draws else 0, active)
        seat.hand += drawn
        return {"kept": kept, "discarded": rest, "drawn": drawn, "dragons": dragons}

    def win_with_wild(self, active: int) -> None:
        """All the wild cards of a full hand."""
        cards = list(self.seats[active].hand)
        event: Event = {"event": "party", "player": active, "cards": cards, "leader": cards[0]}
        event |= dict.fromkeys(("region", "sea", "token", "settled", "coin"))
        event |= {"sea_regions": [], "kept": [], "discarded": [], "drawn": [], "dragons": 0}
        self.events.append(event | {"largest": False, "again": False})
        self.won_by = active

    def after_turn(self, active: int) -> None:
        """The Recruitment variant."""
        if self.mode == "recruitment":
            self.refill(active, 0)

    def refill(self, active: int, at_least: int) -> None:
        """Turns cards until the pool is full."""
        number = max(self.rules["recruitment_pool"] - len(self.pool), at_least)
        if number > 0:
            cards, dragons = self.draw(number, active)
            self.pool += cards
            event = {"event": "refill", "player": active, "cards": cards, "dragons": dragons}
            self.events.append(event)

    def award(self, strength: list[int], prizes: list[int], coins: int, last_of_two: bool) -> Any:
        """Prestige by player: who is ahead and who is tied says which places one shares."""
        held = [seat.tokens for seat in self.seats]
        if last_of_two:
            prizes = [prizes[0] + prizes[1]] if min(strength) == 0 else [prizes[0], 0]
        prizes = [prizes[0] + coins] + prizes[1:] + [0] * self.n
        rank = [(s, sum(h), max(h or [0])) for s, h in zip(strength, held, strict=True)]
        won = []
        for mine in rank:
            ahead, tied = sum(other > mine for other in rank), rank.count(mine)
            won.append(sum(prizes[ahead : ahead + tied]) // tied if mine[0] else 0)
        return won

    def end_age(self, age: int) -> None:
        """Scores an age and clears the table."""
        special, seats = self.n == 2 and age == 2, self.seats
        event: Event = {"event": "age_end", "age": age, "third_dragon": self.drawer}
        event["regions"] = {}
        for color, tokens in self.tokens.items():
            strength = [seat.markers[color] for seat in seats]
            prizes = list(reversed(tokens[:age]))
            coins = self.region_coins[color]
            event["regions"][color] = self.award(strength, prizes, coins, special)
        event |= {"sea": None, "largest": None, "settlement": None, "emptied": None}
        side = "4_6" if self.n > 3 else "2_3"
        if Power.SEA_TRACK in self.named:
            prizes = list(reversed(self.value(Power.SEA_TRACK, f"prestige_{side}")[:age]))
            event["sea"] = self.award([seat.sea for seat in seats], prizes, 0, special)
        if Power.LARGEST_TOKEN in self.named:
            prize = self.value(Power.LARGEST_TOKEN, f"age_{side}")[age - 1]
            event["largest"] = [prize * (self.holder == p) for p in range(self.n)]
        if Power.SETTLEMENT_BOARD in self.named:
            event["emptied"] = [self.empties(age, player) for player in range(self.n)]
            table = self.value(Power.SETTLEMENT_BOARD, "settlement")
            pairs = list(zip(seats, event["emptied"], strict=True))
            event["settlement"] = [table[len(s.settled)] if go else 0 for s, go in pairs]
            for seat, go in pairs:
                seat.settled = [] if go else seat.settled
        event["parties"] = [sum(map(self.party_prestige, seat.parties)) for seat in seats]
        rows = [*event["regions"].values(), event["parties"]]
        rows += [event[key] for key in ("sea", "largest", "settlement") if event[key] is not None]
        for player, seat in enumerate(seats):
            seat.prestige += sum(row[player] for row in rows)
        self.events.append(event | {"prestige": [seat.prestige for seat in seats]})
        for seat in seats:
            seat.hand, seat.tokens = [], []
            if age < self.ages:
                seat.parties = []
        self.columns = {color: [] for color in self.colors}

    def empties(self, age: int, player: int) -> bool:
        """Whether the player empties the settlement board."""
        return age == self.ages or bool(self.seats[player].settled and self.rng.random() < 0.5)

    def party_prestige(self, party: tuple[str, list[str]]) -> int:
        """What a party scores."""
        size = sum(not self.wild(card) for card in party[1])
        size += self.power[party[0]] is Power.SCORES_LARGER
        return int(self.rules["party_points"][min(size, 6)])

    def finish(self) -> dict[str, Any]:
        """Ends the game and returns the trace."""
        standing = []
        for seat in self.seats:
            whole = self.rules["wild_breaks_ties"]
            counted = [[c for c in cards if whole or not self.wild(c)] for _, cards in seat.parties]
            sizes = sorted(-len(cards) for cards in counted)
            sizes += [0] * (200 - len(sizes))
            standing.append([-seat.prestige, -sum(seat.markers.values()), *sizes])
        best = [p for p, row in enumerate(standing) if row == min(standing)]
        self.events.append(
            {
                "event": "game_end",
                "prestige": [seat.prestige for seat in self.seats],
                "markers": [sum(seat.markers.values()) for seat in self.seats],
                "winners": best if self.won_by is None else [self.won_by],
            }
        )
        return self.header
