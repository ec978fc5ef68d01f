"""Custom powers: every action must be possible, and known powers are checked in full.

A power that the referee knows (`READINGS`) must do exactly what its reading does.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from referee.events import Event
from referee.setup import Owner
from referee.table import MOST_PRESTIGE, Table

#: Moments at which no power is called once the last dragon came.
NOT_AFTER_THE_AGE = ("after_discard", "after_recruit", "turn_end")


@dataclass
class Call:
    """One call of a custom power, with the actions that the trace reports."""

    table: Table
    owner: Owner
    moment: str
    player: int
    size: int
    actions: list[Event]

    def did(self, name: str, **values: Any) -> Event:
        """Require that the next action has these values, and carry it out."""
        wanted = {"action": name, "player": self.player, **values}
        action = self.actions.pop(0) if self.actions else {}
        seen = {key: action.get(key) for key in wanted}
        self.table.events.equal(f"custom power, {self.moment}", wanted, seen)
        carry_out(self.table, self.owner, action)
        return action

    def draws(self, number: int) -> None:
        """Draw cards as long as the hand has room and the age goes on."""
        while number > 0 and not self.table.age_over and self.table.has_room(self.player):
            self.did("draw")
            number -= 1


def phoenix(call: Call) -> None:
    """The example of docs/powers.md: embers light up, are put out for cards, and pay."""
    embers = call.table.kept[call.owner][call.player][0]
    if call.moment == "after_party" and call.size >= 3:
        call.did("remember", place=0, value=embers + 1)
    elif call.moment == "after_discard" and embers > 0:
        # Bruno is never asked: he does what the power suggests.
        bruno = call.table.setting.is_bruno(call.player)
        takes = call.size < 3 if bruno else call.did("choose", question=0)["choice"] == 0
        if takes:
            call.did("remember", place=0, value=embers - 1)
            call.draws(2)
    elif call.moment == "age_end":
        if embers > 0:
            call.did("pay", prestige=2 * embers)
        call.did("remember", place=0, value=0)


def two_if_empty(call: Call) -> None:
    """The example of docs/powers.md: with an empty pool, a deck card is followed by another."""
    recruited = call.table.events.events[call.table.events.index]
    if call.moment == "after_recruit" and recruited["event"] == "power":
        recruited = call.table.events.events[call.table.events.index - 1]
    if call.moment == "after_recruit" and recruited["source"] == "deck" and not call.table.pool:
        call.draws(1)


READINGS: dict[str, Callable[[Call], None]] = {"phoenix": phoenix, "two_if_empty": two_if_empty}


def reading_of(table: Table, owner: Owner) -> Callable[[Call], None] | None:
    """The reading of a custom power of a clan or of the table; None if there is none."""
    clan, power = owner
    reference: str = power or table.setting.rules[f"clans.{clan}"]
    return READINGS.get(reference.rpartition("@")[0].rpartition(":")[2] if clan else reference)


def owners_for(table: Table, leader: str | None) -> list[Owner]:
    """The owners of custom powers called for a leader's party (None: at another moment), in order.

    Powers of the table come last.
    """
    return [owner for owner in table.kept if leader is None or owner[0] in (None, leader)]


def is_unread(table: Table, clan: str) -> bool:
    """Whether a power without a reading has a say in the parties that a clan leads."""
    return any(reading_of(table, owner) is None for owner in owners_for(table, clan))


def after_party(table: Table, clan: str, player: int, event: Event) -> None:
    """Check what custom powers did between a party's marker and the discard."""
    left = list(event.get("actions", []))
    for owner in owners_for(table, clan):
        told = [action for action in left if action.get("power") == owner[1]]
        left = [action for action in left if action.get("power") != owner[1]]
        judge(Call(table, owner, "after_party", player, len(event["cards"]), told))
    table.events.equal("custom power: whose action", [], left)


def judge(call: Call) -> None:
    """Check the actions of one call of a custom power, and carry them out."""
    reading = reading_of(call.table, call.owner)
    if reading is None:
        for action in call.actions:
            carry_out(call.table, call.owner, action)
        return
    reading(call)
    call.table.events.equal(f"custom power, {call.moment}: nothing more", [], call.actions)


def place_marker(table: Table, player: int, color: str) -> None:
    """Place a marker from the supply in any region, as powers may (R17)."""
    left = table.supply(player)
    table.events.require(left > 0, "R17, custom power", "a marker left", left)
    table.markers[player][color] += 1


def keep_any(table: Table, player: int, event: Event) -> None:
    """Check the hand after a party with an unknown power: every card is kept or discarded."""
    hand = sorted(table.hands[player])
    table.events.equal("custom power: the hand", hand, sorted(event["kept"] + event["discarded"]))
    over = event["again"] and table.halted
    table.events.require(not over, "R8: no party after the last dragon", "none", "another")
    table.hands[player] = list(event["kept"])
    table.pool += event["discarded"]


def tells_sizes(table: Table) -> bool:
    """Whether the next event tells the sizes that powers gave a party, which precede their acts."""
    actions = (table.events.following or {}).get("actions") or [{}]
    return actions[0].get("action") in ("counts_as", "scores_as")


def called(
    table: Table, moment: str, player: int, leader: str | None = None, size: int = 0
) -> None:
    """Check the calls of custom powers at a moment; for a party its leader's and the table's."""
    owners = owners_for(table, leader)
    sizes_first = moment == "after_party" and tells_sizes(table)
    for clan, power in [*owners, *owners] if sizes_first else owners:
        if moment in NOT_AFTER_THE_AGE and table.age_over:
            return
        event = {"event": "power", "moment": moment, "player": player, "clan": clan}
        if "power" in table.events.keys["power"]:
            event["power"] = power
        actions: list[Event] = []
        if event.items() <= (table.events.following or {}).items():
            actions = list(table.events.take("power")["actions"])
            told = "custom power: an event tells something"
            table.events.require(bool(actions), told, "some", [])
        judge(Call(table, (clan, power), moment, player, size, actions))
        table.check_cards()


def called_for_all(table: Table, moment: str) -> None:
    """Check the calls for every player, beginning with the age's first player."""
    seats = table.setting.seats
    for step in range(seats):
        called(table, moment, (table.starter + step) % seats)


def carry_out(table: Table, owner: Owner, action: Event) -> None:
    """Check an action against the table, and carry it out."""
    events, name = table.events, action.get("action")
    action = {key: value for key, value in action.items() if key != "power"}
    events.require(name in _ACTIONS, "custom power: an action", sorted(_ACTIONS), name)
    act, *keys = _ACTIONS[name]
    events.equal("keys of an action", sorted(["action", "player", *keys]), sorted(action))
    player = action["player"]
    events.require(player in range(table.setting.seats), "custom power: a player", "one", player)
    act(table, owner, player, action)


def _require_room(table: Table, player: int) -> None:
    hand = table.hands[player]
    table.events.require(table.has_room(player), "custom power: hand limit", "room", hand)


def _draw(table: Table, owner: Owner, player: int, action: Event) -> None:
    _require_room(table, player)
    bruno = table.setting.is_bruno(player)
    cards, dragons = table.draw(0 if bruno else player, 1)
    table.events.equal("custom power: the next card", cards[0] if cards else None, action["card"])
    table.events.equal("custom power: dragons met", dragons, action["dragons"])
    if bruno:
        table.to_column(cards)
    else:
        table.hands[player] += cards


def _take(table: Table, owner: Owner, player: int, action: Event) -> None:
    _require_room(table, player)
    table.take_out([action["card"]], table.pool, "custom power: a pool card")
    table.hands[player].append(action["card"])


def _discard(table: Table, owner: Owner, player: int, action: Event) -> None:
    table.take_out([action["card"]], table.hands[player], "custom power: a card in hand")
    table.pool.append(action["card"])


def _give(table: Table, owner: Owner, player: int, action: Event) -> None:
    _require_room(table, action["to"])
    table.take_out([action["card"]], table.hands[player], "custom power: a card in hand")
    table.hands[action["to"]].append(action["card"])


def _place(table: Table, owner: Owner, player: int, action: Event) -> None:
    place_marker(table, player, action["region"])


def _remove(table: Table, owner: Owner, player: int, action: Event) -> None:
    there = table.markers[player][action["region"]]
    table.events.require(there > 0, "custom power: a marker there", "some", there)
    table.markers[player][action["region"]] -= 1


def _move(table: Table, owner: Owner, player: int, action: Event) -> None:
    _remove(table, owner, player, action)
    table.markers[player][action["to_region"]] += 1


def _pay(table: Table, owner: Owner, player: int, action: Event) -> None:
    table.prestige["powers"][player] += action["prestige"]
    left = table.total(player)
    table.events.require(left >= 0, "custom power: nobody falls below 0", "0 or more", left)
    most = left <= MOST_PRESTIGE or action["prestige"] <= 0
    table.events.require(most, "custom power: most prestige", MOST_PRESTIGE, left)


def _remember(table: Table, owner: Owner, player: int, action: Event) -> None:
    table.kept[owner][player][action["place"]] = action["value"]


def _tell(table: Table, owner: Owner, player: int, action: Event) -> None:
    """An action that changes nothing on the table."""


def _scores_as(table: Table, owner: Owner, player: int, action: Event) -> None:
    table.parties[player][-1].scores_as = action["size"]


#: For each action its function, and its keys beside name and player.
_ACTIONS: dict[str, tuple[Any, ...]] = {
    "draw": (_draw, "card", "dragons"),
    "take": (_take, "card"),
    "discard": (_discard, "card"),
    "give": (_give, "card", "to"),
    "place": (_place, "region"),
    "move": (_move, "region", "to_region"),
    "remove": (_remove, "region"),
    "pay": (_pay, "prestige"),
    "remember": (_remember, "place", "value"),
    "choose": (_tell, "choice", "question"),
    "counts_as": (_tell, "size"),
    "scores_as": (_scores_as, "size"),
}
