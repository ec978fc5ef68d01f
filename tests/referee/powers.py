"""Step 1 of a party and the leaders' powers, for parties of players and of Bruno.

`clan` is always the leader's clan; its values apply.
"""

from referee.cards import Power
from referee.events import Event
from referee.table import Table


def step_one(table: Table, player: int, clan: str, color: str, size: int, event: Event) -> None:
    """Check step 1, the marker; some clans count more, reach any region, or place none (R5)."""
    region, setting, bruno = event["region"], table.setting, table.setting.is_bruno(player)
    size += setting.of(clan, "marker_bonus")
    far = setting.power_of[clan] is Power.ANY_REGION and not bruno
    near = setting.colors if far else (color,)
    possible = [region for region in near if table.passes(player, region, size)]
    if not setting.of(clan, "places_marker"):
        possible = []
    if region is not None:
        table.events.require(region in possible, "step 1: region marker", possible, region)
        table.markers[player][region] += 1
    elif possible:
        optional = setting.rules["optional_marker"] and not bruno
        table.events.require(optional, "R5: the marker is not optional", possible, region)
        table.summary.optional["region marker declined"] += 1


def acts(table: Table, clan: str, power: Power, event: Event) -> bool:
    """Whether the leader has the power, and placed its marker if the power needs one."""
    if table.setting.power_of[clan] is not power:
        return False
    return event["region"] is not None or not table.setting.of(clan, "needs_marker")


def reach(table: Table, clan: str, size: int) -> int:
    """The number of spaces or cards, or the token value, that a party of this size reaches."""
    number: int = size * table.setting.of(clan, "per_card") + table.setting.of(clan, "more")
    return number


def may_go_without(table: Table, player: int) -> bool:
    """Whether a power stated as a fact may be declined (R6); Bruno never declines (R24)."""
    optional: bool = table.setting.rules["optional_power"]
    return optional and not table.setting.is_bruno(player)


def sea_track(table: Table, player: int, clan: str, size: int, event: Event) -> int:
    """Check the move on the clan's sea track; return the number of its extra markers."""
    events, setting = table.events, table.setting
    declined = event["sea"] is None and may_go_without(table, player)
    if not acts(table, clan, Power.SEA_TRACK, event) or declined:
        events.equal("sea track: no move", None, event["sea"])
        return 0
    before = table.sea[clan][player]
    after = min(before + reach(table, clan, size), setting.of(clan, "last_space"))
    events.equal("sea track: up by the cards, at most to the last space", after, event["sea"])
    table.sea[clan][player] = after
    passed = len([symbol for symbol in setting.of(clan, "symbols") if before < symbol <= after])
    return passed if setting.of(clan, "each_symbol") else min(passed, 1)


def optional_sea_markers(table: Table, player: int, passed: int, event: Event) -> None:
    """Check the extra markers: at most one per symbol, in any region, while markers last (R17)."""
    extra, most = event["sea_regions"], min(passed, table.supply(player))
    table.events.require(len(extra) <= most, "R11, R17: extra sea markers", f"<= {most}", extra)
    for color in extra:
        table.markers[player][color] += 1
    table.summary.optional["extra sea marker placed"] += len(extra)
    table.summary.optional["extra sea marker declined"] += most - len(extra)


def largest_token(table: Table, player: int, clan: str, size: int, event: Event) -> None:
    """Check and pay the largest-party token: the party must exceed the last one by `margin`."""
    most = table.largest.get(clan, (0, 0))[0]
    takes = acts(table, clan, Power.LARGEST_TOKEN, event)
    takes = takes and size - most >= table.setting.of(clan, "margin")
    if may_go_without(table, player) and not event["largest"]:
        takes = False
    table.events.equal("R14: largest party token", takes, event["largest"])
    if takes:
        table.largest[clan] = size, player
        table.pay_for_largest(player, clan)


def tie_break_token(table: Table, player: int, clan: str, size: int, event: Event) -> None:
    """Check the tie-break token: none, or a free token of at most the party's reach (R6)."""
    token = event["token"]
    if not acts(table, clan, Power.TIE_BREAK_TOKENS, event):
        table.events.equal("tie-break token: no power for it", None, token)
        return
    most = reach(table, clan, size)
    possible = [value for value in table.tokens_left[clan] if value <= most]
    if token is not None:
        fits = type(token) is int and token in possible
        table.events.require(fits, "unclaimed tie-break token <= X", possible, token)
        table.tokens_left[clan].remove(token)
        table.tokens[player].append(token)
        table.summary.optional["tie-break token taken"] += 1
    elif possible:
        table.summary.optional["tie-break token declined"] += 1


def settlement_marker(
    table: Table, player: int, clan: str, possible: tuple[str, ...], event: Event
) -> None:
    """Check the settlement marker: on a free space of the board; Bruno must place it (R24)."""
    color = event["settled"]
    if not acts(table, clan, Power.SETTLEMENT_BOARD, event):
        table.events.equal("settlement marker: no power for it", None, color)
        return
    left = table.supply(player) > 0
    free = [region for region in possible if left and region not in table.settled[clan][player]]
    if color is not None:
        table.events.require(color in free, "R17, free settlement space", free, color)
        table.settled[clan][player].add(color)
        table.summary.optional["settlement marker placed"] += 1
    elif free:
        bruno = table.setting.is_bruno(player)
        table.events.require(not bruno, "R24: the settlement marker", free, color)
        table.summary.optional["settlement marker declined"] += 1


def lowest_coin(table: Table, player: int, clan: str, value: int | None, event: Event) -> int:
    """The value of the clan's lowest coin left, which must be placed (R6); 0 if none is due."""
    coins = table.coins[clan] if acts(table, clan, Power.COINS, event) else []
    if value is None and may_go_without(table, player):
        return 0
    due = coins.pop(0) if coins else None
    table.events.equal("the lowest coin left, if the leader places coins", due, value)
    return due or 0


def second_party(table: Table, player: int, clan: str, before: int, event: Event) -> None:
    """Check whether another party may follow (R10); none does after the last dragon (R8).

    `before` is the number of earlier follow-up parties in this turn.
    """
    can = acts(table, clan, Power.SECOND_PARTY, event)
    can = can and before < table.setting.of(clan, "follow_ups") and not table.halted
    table.events.equal("R10: a second party", can and bool(event["again"]), event["again"])
    if event["again"]:
        table.summary.optional["second party played"] += 1
    elif can and any(not table.setting.is_wild(card) for card in table.hands[player]):
        table.summary.optional["second party declined"] += 1


def discard(table: Table, player: int, clan: str, size: int, event: Event) -> None:
    """Check step 3 after the last party (R10): all but at most X cards go to the pool."""
    events, hand = table.events, table.hands[player]
    kept, discarded = event["kept"], event["discarded"]
    if event["again"]:
        rest = [sorted(kept), discarded]
        events.equal("R10: all stay in hand before another party", [sorted(hand), []], rest)
        return
    keeps = acts(table, clan, Power.KEEPS_CARDS, event)
    most = max(reach(table, clan, size) if keeps else 0, table.setting.rules["cards_kept"])
    events.require(len(kept) <= most, "cards kept", f"at most {most}", kept)
    events.equal("every card is kept or discarded", sorted(hand), sorted(kept + discarded))
    if keeps and hand:
        full = len(kept) == min(most, len(hand))
        table.summary.optional["cards kept" if full else "fewer cards kept"] += 1
    table.hands[player] = list(kept)
    table.pool += discarded


def draw_cards(table: Table, player: int, clan: str, size: int, event: Event) -> None:
    """Check the draw (R6, R8): X cards or none, within the hand limit; a dragon may end it."""
    events = table.events
    if event["again"] or not acts(table, clan, Power.DRAWS_CARDS, event):
        events.equal("cards drawn: no power for it", [], event["drawn"])
        events.equal("dragons met: no power for it", 0, event["dragons"])
        return
    number = min(reach(table, clan, size), table.setting.rules["hand_limit"])
    if (event["drawn"], event["dragons"]) == ([], 0):
        table.summary.optional["drawing declined"] += number > 0
    else:
        table.summary.optional["cards drawn"] += 1
        table.hands[player] += table.drawn_as(event, "drawn", player, number, "R6, drawing")
