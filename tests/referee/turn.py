"""A player's turn: recruit, play one party or several, or pass; then the Recruitment variant."""

from referee import custom, powers
from referee.cards import clan_of, color_of
from referee.events import Event
from referee.table import Party, Table


def play_turn(table: Table, player: int) -> Event:
    """Play a turn up to its refill, which the caller makes; return the turn's last event."""
    event = table.events.take("recruit", "party", "pass")
    table.events.equal("players take turns clockwise", player, event["player"])
    if event["event"] == "recruit":
        recruit(table, event)
        if event["card"] is not None:
            custom.called(table, "after_recruit", player)
    elif event["event"] == "pass":
        check_pass(table, event)
    elif table.setting.rules["ten_wild_wins"] and all(map(table.setting.is_wild, event["cards"])):
        win_with_wild(table, event)
    else:
        play_party(table, event, 0)
        followed = 0
        while event["again"]:
            followed += 1
            table.check_cards()
            event = table.events.take("party")
            table.events.equal("the same player goes on", player, event["player"])
            play_party(table, event, followed)
    table.check_cards()
    if event["event"] == "party" and not table.halted:
        custom.called(table, "after_discard", player, clan_of(event["leader"]), len(event["cards"]))
    if not table.halted:
        custom.called(table, "turn_end", player)
    return event


def recruit(table: Table, event: Event) -> None:
    """Recruit a card of the pool or the deck's next card; not with a full hand."""
    events, player = table.events, event["player"]
    hand, limit = table.hands[player], table.setting.rules["hand_limit"]
    events.require(len(hand) < limit, "recruit: hand limit", f"fewer than {limit} cards", len(hand))
    if event["source"] == "pool":
        events.equal("recruit from the pool: no dragons", 0, event["dragons"])
        table.take_out([event["card"]], table.pool, "recruit")
        hand.append(event["card"])
        return
    cards, dragons = table.draw(player, 1)
    events.equal("recruit: from where", "deck", event["source"])
    events.equal("recruit: dragons met", dragons, event["dragons"])
    events.equal("recruit: the deck's next card", cards[0] if cards else None, event["card"])
    hand += cards


def check_pass(table: Table, event: Event) -> None:
    """Only a full hand of wild cards passes (R3); if every hand is one, the age ends (R30)."""
    hand, limit = table.hands[event["player"]], table.setting.rules["hand_limit"]
    stuck = [len(hand) >= limit and all(map(table.setting.is_wild, hand)) for hand in table.hands]
    here = stuck[event["player"]]
    table.events.require(here, "R3: pass", "a full hand of wild cards", sorted(hand))
    if all(stuck) and not table.setting.solo:
        table.stuck = True
        table.last_dragon = event["player"]


def win_with_wild(table: Table, event: Event) -> None:
    """A full hand of wild cards, played as a whole, wins at once (R3 with `ten_wild_wins`)."""
    events, player = table.events, event["player"]
    hand = table.hands[player]
    full = len(hand) == table.setting.rules["hand_limit"]
    events.require(full, "R3: a full hand of wild cards", "a full hand", hand)
    events.equal("R3: all of them are played", sorted(hand), sorted(event["cards"]))
    events.require(event["leader"] in hand, "R3: any of them leads", sorted(hand), event["leader"])
    nothing: Event = dict.fromkeys(("region", "sea", "token", "settled", "coin"))
    nothing |= {key: [] for key in ("sea_regions", "kept", "discarded", "drawn")}
    nothing |= {"largest": False, "again": False, "dragons": 0}
    for key, value in nothing.items():
        events.equal(f"R3: nothing else happens, {key}", value, event[key])
    table.parties[player].append(Party(clan_of(event["leader"]), event["cards"]))
    table.hands[player] = []
    table.wild_winner = player


def check_cards_of_party(table: Table, event: Event) -> None:
    """Check the cards: all of one clan or color, apart from wild cards; the leader is not wild."""
    events, setting = table.events, table.setting
    cards, leader = event["cards"], event["leader"]
    most = setting.rules["party_limit"]
    told = f"1 to {most}"
    _check_leader_given_up(table, event)
    events.require(0 < len(cards) <= most, "at least one card, not too many", told, len(cards))
    table.take_out(cards, table.hands[event["player"]], "a party is played from hand")
    events.require(leader in cards, "the leader is in the party", cards, leader)
    events.require(not setting.is_wild(leader), "R4: a leader is not wild", "another", leader)
    tame = [card for card in cards if not setting.is_wild(card)]
    alike = len(set(map(clan_of, tame))) == 1 or len(set(map(color_of, tame))) == 1
    events.require(alike, "a party is of one clan or of one color", "such cards", cards)


def _check_leader_given_up(table: Table, event: Event) -> None:
    """Check that no clan leads that the player gave up, unless a full hand has no other leader."""
    setting, hand = table.setting, table.hands[event["player"]]
    given_up, led = setting.gives_up(event["player"], table.age), clan_of(event["leader"])
    others = [card for card in hand if not setting.is_wild(card) and clan_of(card) != given_up]
    stuck = not others and len(hand) >= setting.rules["hand_limit"]
    table.events.require(stuck or led != given_up, "a clan given up does not lead", "another", led)


def play_party(table: Table, event: Event, before: int) -> None:
    """Play one party: marker, power, and the discard if it is the turn's last party.

    `before` is the number of earlier follow-up parties in this turn.
    """
    player, leader, size = event["player"], event["leader"], len(event["cards"])
    check_cards_of_party(table, event)
    clan, color = clan_of(leader), color_of(leader)
    if custom.is_unread(table, clan):
        if event["region"] is not None:
            custom.place_marker(table, player, event["region"])
    else:
        powers.step_one(table, player, clan, color, size, event)
    passed = powers.sea_track(table, player, clan, size, event)
    powers.optional_sea_markers(table, player, passed, event)
    powers.largest_token(table, player, clan, size, event)
    powers.tie_break_token(table, player, clan, size, event)
    powers.settlement_marker(table, player, clan, (color,), event)
    table.coins_on[color] += powers.lowest_coin(table, player, clan, event["coin"], event)
    table.lay_party(player, clan, event["cards"])
    custom.after_party(table, clan, player, event)
    if custom.is_unread(table, clan):
        custom.keep_any(table, player, event)
        powers.draw_cards(table, player, clan, size, event)
        return
    powers.second_party(table, player, clan, before, event)
    powers.discard(table, player, clan, size, event)
    powers.draw_cards(table, player, clan, size, event)


def refill(table: Table, player: int, at_least: int) -> None:
    """Fill up the pool at the end of a turn (R22); solo turns add at least one card (R23)."""
    wanted = table.setting.refilled_to
    number = max(at_least, wanted - len(table.pool)) if wanted else 0
    if number <= 0:
        return
    event = table.events.take("refill")
    table.events.equal("R9: the refill is the active player's", player, event["player"])
    table.pool += table.drawn_as(event, "cards", player, number, "refill")
    table.check_cards()
