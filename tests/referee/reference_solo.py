"""Reference games of the solo mode: Chief Bruno with random choices where the player has them."""

from typing import Any

from referee.cards import BRUNO_COLUMNS, Power, color_of
from referee.reference_game import Event, ReferenceGame


class ReferenceSoloGame(ReferenceGame):
    """One random solo game."""

    def __init__(self, seed: int, mode: str, rules: dict[str, Any] | None = None) -> None:
        super().__init__(seed, "second", 1, mode, rules=rules)
        self.face_up = list(self.clans)

    def after_turn(self, active: int) -> None:
        """Bruno's card, the refill, his party."""
        turn = self.events[-1]
        event: Event = {"event": "bruno_gets", "source": "pool", "dragons": 0}
        if turn["event"] == "recruit":
            two = self.mode == "solo-hard" and turn["source"] == "pool"
            number = min(len(self.pool), 2 if two else 1)
            event["cards"] = self.rng.sample(self.pool, number)
        elif turn["discarded"]:
            event |= {"cards": [self.rng.choice(turn["discarded"])], "source": "discard"}
        else:
            cards, dragons = self.draw(1, 0)
            event |= {"cards": cards, "source": "deck", "dragons": dragons}
        if event["source"] != "deck":
            for card in event["cards"]:
                self.pool.remove(card)
        if event["source"] == "deck" or event["cards"]:
            self.events.append(event)
        for card in event["cards"]:
            self.columns[color_of(card)].append(card)
        if not self.over:
            self.refill(0, int(turn["event"] == "recruit"))
        ready = [column for column in BRUNO_COLUMNS if self.fires(column)]
        if ready and not self.over:
            self.bruno_party(ready[0])

    def fires(self, column: str) -> bool:
        """Whether a column fires."""
        size = len(self.columns[column])
        if not size:
            return False
        if column in ("red", "blue"):
            return column in self.fits(self.seats[1], size)
        return size >= (5 if column in ("white", "green") else 4)

    def where(self, *order: int) -> str:
        """A random region of the first sign of Bruno's lead that there is."""
        player, bruno = self.seats
        signs: dict[int, list[str]] = {}
        for color in self.colors:
            lead = bruno.markers[color] - player.markers[color]
            signs.setdefault((lead > 0) - (lead < 0), []).append(color)
        return self.rng.choice(next(signs[sign] for sign in order if sign in signs))

    def bruno_party(self, column: str) -> None:
        """Bruno plays a column."""
        bruno, cards = self.seats[1], self.columns[column]
        self.columns[column] = []
        leader = self.face_up.pop(self.rng.randrange(len(self.face_up)))
        self.face_up = self.face_up or list(self.clans)
        size, power = len(cards), self.power[leader]
        event: Event = {"event": "bruno_party", "column": column, "cards": cards, "leader": leader}
        event |= {"region": None, "sea": None, "sea_regions": [], "settled": None, "coin": None}
        if column in self.fits(bruno, size):
            event["region"] = column
            bruno.markers[column] += 1
        if power is Power.SEA_TRACK:
            start, bruno.sea = bruno.sea, min(bruno.sea + size, self.value(power, "last_space"))
            event["sea"] = bruno.sea
            for symbol in self.value(power, "symbols"):
                if start < symbol <= bruno.sea and self.supply(bruno):
                    event["sea_regions"].append(self.where(0, -1, 1))
                    bruno.markers[event["sea_regions"][-1]] += 1
        event["largest"] = self.take_largest(1, power, size)
        free = [color for color in self.colors if color not in bruno.settled]
        if power is Power.SETTLEMENT_BOARD and free and self.supply(bruno):
            event["settled"] = self.rng.choice(free)
            bruno.settled.append(event["settled"])
        if power is Power.COINS and self.coins:
            event["coin"] = {"region": self.where(1, 0, -1), "value": self.coins.pop(0)}
            self.region_coins[event["coin"]["region"]] += event["coin"]["value"]
        bruno.parties.append((leader, cards))
        drawn, dragons = self.draw(size if power is Power.DRAWS_CARDS else 0, 0)
        for card in drawn:
            self.columns[color_of(card)].append(card)
        event |= {"drawn": drawn, "dragons": dragons}
        self.events.append(event | self.release())

    def release(self) -> Event:
        """The player takes a card off a column."""
        left = [card for column in self.columns.values() for card in column]
        if not left or self.over:
            return {"released": None, "released_to": None}
        card, hand = self.rng.choice(left), self.seats[0].hand
        self.columns[color_of(card)].remove(card)
        room = len(hand) < self.rules["hand_limit"]
        to_hand = self.mode == "solo-easy" and room and self.rng.random() < 0.5
        (hand if to_hand else self.pool).append(card)
        return {"released": card, "released_to": "hand" if to_hand else "pool"}

    def empties(self, age: int, player: int) -> bool:
        """Bruno always empties his board."""
        return player == 1 or super().empties(age, player)
