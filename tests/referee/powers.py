"""Step 1 of a party and the leaders' powers, for a player's party and for Bruno's."""

from referee.cards import Power
from referee.events import Event
from referee.table import Table


def step_one(table: Table, player: int, power: Power, color: str, size: int, event: Event) -> None:
    """Step 1: the region marker, with one card fewer, any region, no marker (R5, R17)."""
    region = event["region"]
    if power is Power.ONE_CARD_FEWER:
        size += 1
    if power is Power.NO_MARKER:
        possible = []
    elif power is Power.ANY_REGION:
        possible = [each for each in table.setting.colors if table.passes(player, each, size)]
    else:
        possible = [color] if table.passes(player, color, size) else []
    if region is not None:
        table.events.require(region in possible, "step 1: region marker", possible, region)
        table.place_marker(player, region, "region marker")
    elif possible:
        optional = table.setting.optional_marker
        table.events.require(optional, "R5: the marker is not optional", possible, region)
        table.summary.optional["region marker declined"] += 1


def sea_track(table: Table, player: int, power: Power, size: int, event: Event) -> int | None:
    """The move on the sea track; returns how many symbols were passed, None without the power."""
    events, setting = table.events, table.setting
    if power is not Power.SEA_TRACK:
        events.equal("sea track: another leader", None, event["sea"])
        events.equal("extra sea markers: another leader", [], event["sea_regions"])
        return None
    before = table.sea[player]
    after = min(before + size, setting.sea_last_space)
    events.equal("sea track: up by the cards, at most to the last space", after, event["sea"])
    table.sea[player] = after
    return sum(before < symbol <= after for symbol in setting.sea_symbols)


def optional_sea_markers(table: Table, player: int, passed: int | None, event: Event) -> None:
    """R6, R11: at most one extra marker for each symbol, in any region, while markers last."""
    if passed is None:
        return
    extra = event["sea_regions"]
    table.events.require(len(extra) <= passed, "R11: extra sea markers", f"<= {passed}", extra)
    could = min(passed, table.supply(player))
    for color in extra:
        table.place_marker(player, color, "extra sea marker")
    table.summary.optional["extra sea marker placed"] += len(extra)
    table.summary.optional["extra sea marker declined"] += max(could - len(extra), 0)


def largest_token(table: Table, player: int, power: Power, size: int, event: Event) -> None:
    """Strictly larger than every party of the clan this age: the token and prestige at once."""
    takes = power is Power.LARGEST_TOKEN and size > table.largest_size
    table.events.equal("R14: largest party token", takes, event["largest"])
    if takes:
        table.largest_size = size
        table.largest_holder = player
        table.prestige["largest"][player] += table.setting.largest_on_take


def tie_break_token(table: Table, player: int, power: Power, size: int, event: Event) -> None:
    """R6: at most one unclaimed token of value at most the party's size."""
    token = event["token"]
    if power is not Power.TIE_BREAK_TOKENS:
        table.events.equal("tie-break token: another leader", None, token)
        return
    possible = [value for value in table.tokens_left if value <= size]
    if token is not None:
        table.events.require(token in possible, "unclaimed tie-break token <= X", possible, token)
        table.tokens_left.remove(token)
        table.tokens[player].append(token)
        table.summary.optional["tie-break token taken"] += 1
    elif possible:
        table.summary.optional["tie-break token declined"] += 1


def settlement_marker(
    table: Table, player: int, power: Power, possible: tuple[str, ...], event: Event, must: bool
) -> None:
    """R6: a marker on a free space of the own board; Bruno's is not optional (R24)."""
    color = event["settled"]
    if power is not Power.SETTLEMENT_BOARD:
        table.events.equal("settlement marker: another leader", None, color)
        return
    left = table.supply(player) > 0
    free = [each for each in possible if left and each not in table.settled[player]]
    if color is not None:
        table.events.require(color in free, "R17, free settlement space", free, color)
        table.settled[player].add(color)
        table.summary.optional["settlement marker placed"] += 1
    elif free:
        table.events.require(not must, "R24: the settlement marker", free, color)
        table.summary.optional["settlement marker declined"] += 1


def lowest_coin(table: Table, power: Power, value: int | None) -> int:
    """The value of the lowest coin left, which must be placed (R6); 0 when none is due."""
    due = table.coins.pop(0) if power is Power.COINS and table.coins else None
    table.events.equal("the lowest coin left, if the leader places coins", due, value)
    return due or 0


def second_party(table: Table, player: int, power: Power, event: Event) -> bool:
    """Whether another party follows: only after a placed region marker (R10), never owed."""
    again: bool = event["again"]
    can = power is Power.SECOND_PARTY and event["region"] is not None
    if again:
        table.events.require(can, "R10: a second party", "again false", again)
        table.summary.optional["second party played"] += 1
    elif can and any(not table.setting.is_wild(card) for card in table.hands[player]):
        table.summary.optional["second party declined"] += 1
    return again


def discard(table: Table, player: int, power: Power, size: int, event: Event) -> None:
    """Step 3, once after the last party (R10): all but at most X kept cards go to the pool."""
    events, hand = table.events, table.hands[player]
    kept, discarded = event["kept"], event["discarded"]
    if event["again"]:
        events.equal("R10: the rest stays in hand before another party", sorted(hand), sorted(kept))
        events.equal("R10: nothing is discarded before another party", [], discarded)
        return
    most = size if power is Power.KEEPS_CARDS else 0
    events.require(len(kept) <= most, "cards kept", f"at most {most}", kept)
    events.equal("every card is kept or discarded", sorted(hand), sorted(kept + discarded))
    if power is Power.KEEPS_CARDS and hand:
        full = len(kept) == min(most, len(hand))
        table.summary.optional["cards kept" if full else "fewer cards kept"] += 1
    table.hands[player] = list(kept)
    table.pool += discarded


def draw_cards(table: Table, player: int, power: Power, size: int, event: Event) -> None:
    """R6, R8: X cards off the deck or none; the last dragon stops it."""
    events = table.events
    if power is not Power.DRAWS_CARDS:
        events.equal("cards drawn: another leader", [], event["drawn"])
        events.equal("dragons met: another leader", 0, event["dragons"])
    elif not event["drawn"] and not event["dragons"]:
        table.summary.optional["drawing declined"] += 1
    else:
        table.summary.optional["cards drawn"] += 1
        table.hands[player] += table.drawn_as(event, "drawn", player, size, "R6, drawing")
