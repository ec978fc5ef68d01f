"""Chief Bruno: the cards that he gets after the player's turn, and his parties."""

from collections import Counter

from referee import custom, powers
from referee.cards import Power, color_of
from referee.events import Event
from referee.setup import BRUNO, PLAYER
from referee.table import Table
from referee.turn import refill


def after_turn(table: Table, turn: Event) -> None:
    """Play the rest of a turn: Bruno's card, the refill, and his column (R26)."""
    if not table.age_over:
        bruno_gets(table, turn)
    if not table.age_over:
        refill(table, PLAYER, 1 if turn["event"] == "recruit" else 0)
    if not table.age_over:
        column = firing_column(table)
        if column is not None:
            bruno_party(table, column)


def bruno_gets(table: Table, turn: Event) -> None:
    """Give Bruno his cards: of the pool after a recruit (R20), else a discarded or deck card."""
    events = table.events
    # A custom power may have taken discarded cards out of the pool again.
    room = room_of_bruno(table)
    left = list((Counter(turn.get("discarded", ())) & Counter(table.pool)).elements())
    if not room:
        pass
    elif turn["event"] == "recruit":
        hard = table.setting.mode == "solo-hard" and turn["source"] == "pool"
        number = (3 if table.setting.rules["bruno.in_addition"] else 2) if hard else 1
        number = min(number, len(table.pool), room)
        if number:
            _from_pool(table, events.take("bruno_gets"), "pool", number, table.pool)
    elif left:
        _from_pool(table, events.take("bruno_gets"), "discard", 1, left)
    else:
        event = events.take("bruno_gets")
        events.equal("Bruno's card: nothing was discarded", "deck", event["source"])
        table.to_column(table.drawn_as(event, "cards", PLAYER, 1, "Bruno's card"))
    table.check_cards()


def room_of_bruno(table: Table) -> int:
    """The number of cards that Bruno may still get; only a rule value limits them (R38)."""
    if not table.setting.rules["bruno.limited"]:
        return 100
    limit: int = table.setting.rules["hand_limit"]
    return max(limit - sum(map(len, table.columns.values())), 0)


def _from_pool(table: Table, event: Event, source: str, number: int, choice: list[str]) -> None:
    """Check that Bruno gets `number` cards of the pool, all of them from `choice`."""
    events, cards = table.events, event["cards"]
    events.equal("Bruno's card: where from", source, event["source"])
    events.equal("Bruno's card: no dragons", 0, event["dragons"])
    events.equal("R20: how many cards Bruno gets", number, len(cards))
    table.take_out(cards, list(choice), "Bruno's card")
    table.take_out(cards, table.pool, "Bruno's card")
    table.to_column(cards)


def firing_column(table: Table) -> str | None:
    """The leftmost column that is ready: it has enough cards, or can place its marker (R19).

    An empty column never fires, because it would be no party (R33).
    """
    fires_at = table.setting.rules["bruno.fires_at"]
    for color, needed in zip(table.setting.colors, fires_at, strict=True):
        size = len(table.columns[color])
        if size and (size >= needed if needed else table.passes(BRUNO, color, size)):
            return color
    return None


def bruno_party(table: Table, column: str) -> None:
    """Check a party of a whole column with a face-up leader, and the card that is released then."""
    events = table.events
    event = events.take("bruno_party")
    events.equal("the leftmost firing column", column, event["column"])
    cards, leader = table.columns[column], event["leader"]
    events.equal("Bruno plays the whole column", sorted(cards), sorted(event["cards"]))
    turn_down(table, leader)
    size = len(cards)
    table.columns[column] = []
    powers.step_one(table, BRUNO, leader, column, size, event)
    passed = powers.sea_track(table, BRUNO, leader, size, event)
    place_sea_markers(table, passed, event)
    powers.largest_token(table, BRUNO, leader, size, event)
    any_space = table.setting.rules["bruno.any_space"]
    colors = table.setting.colors if any_space else [column]
    powers.settlement_marker(table, BRUNO, leader, colors, event)
    place_coin(table, leader, event)
    table.lay_party(BRUNO, leader, event["cards"])
    draws = powers.acts(table, leader, Power.DRAWS_CARDS, event)
    number = min(powers.reach(table, leader, size), room_of_bruno(table)) if draws else 0
    table.to_column(table.drawn_as(event, "drawn", PLAYER, number, "R24, Bruno draws"))
    release(table, event)
    table.check_cards()
    if custom.owners_for(table, leader):
        custom.called(table, "after_party", BRUNO, leader, size)
        if not table.age_over:
            custom.called(table, "after_discard", BRUNO, leader, size)


def turn_down(table: Table, leader: str) -> None:
    """Turn down the chosen setup card; if no card is left face up, turn up all of them."""
    face_up = table.leaders_face_up
    table.events.require(leader in face_up, "a face-up leader", sorted(face_up), leader)
    face_up.remove(leader)
    if not face_up:
        face_up.update(table.setting.clans)


def preferred(table: Table, order: tuple[str, ...]) -> list[str]:
    """The regions with Bruno's first standing in `order`; standings without regions are skipped."""
    standing: dict[str, list[str]] = {"winning": [], "tied": [], "losing": [], "empty": []}
    empty_ties = table.setting.rules["bruno.none_is_tie"]
    for color in table.setting.colors:
        mine, theirs = table.markers[BRUNO][color], table.markers[PLAYER][color]
        name = "winning" if mine > theirs else "losing" if mine < theirs else "tied"
        standing["empty" if not empty_ties and mine == theirs == 0 else name].append(color)
    return next(standing[name] for name in (*order, "empty") if standing[name])


def place_sea_markers(table: Table, passed: int, event: Event) -> None:
    """Place every extra marker: where Bruno is tied, then losing, then winning (R24, R25)."""
    events = table.events
    due = min(passed, table.supply(BRUNO))
    events.equal("R24: Bruno's extra sea markers", due, len(event["sea_regions"]))
    for color in event["sea_regions"]:
        choice = preferred(table, ("tied", "losing", "winning"))
        events.require(color in choice, "R25: Bruno's extra sea marker", choice, color)
        table.markers[BRUNO][color] += 1


def place_coin(table: Table, leader: str, event: Event) -> None:
    """Place the coin where Bruno is winning, then tied, then losing (R25)."""
    coin = event["coin"]
    powers.lowest_coin(table, BRUNO, leader, coin and coin["value"], event)
    if coin is not None:
        choice = preferred(table, ("winning", "tied", "losing"))
        table.events.require(coin["region"] in choice, "R25: Bruno's coin", choice, coin["region"])
        table.coins_on[coin["region"]] += coin["value"]


def release(table: Table, event: Event) -> None:
    """Take a card off the columns; it goes to the pool, or in the easy game to the hand."""
    card, to = event["released"], event["released_to"]
    left = any(table.columns.values()) and not table.age_over
    if not (left and table.setting.rules["bruno.releases"]):
        table.events.equal("R26: nothing to release", [None, None], [card, to])
        return
    table.take_out([card], table.columns[color_of(card)], "the released card")
    hand = table.hands[PLAYER]
    room = len(hand) < table.setting.rules["hand_limit"]
    places = ["pool", "hand"] if table.setting.mode == "solo-easy" and room else ["pool"]
    table.events.require(to in places, "where the released card goes", places, to)
    (table.pool if to == "pool" else hand).append(card)
    table.summary.optional[f"released to {to}"] += 1
