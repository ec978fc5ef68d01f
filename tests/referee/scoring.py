"""The end of an age and of the game: every award recomputed."""

from referee.cards import Power
from referee.events import Event
from referee.table import Party, Table


def shares(
    strength: list[int], tokens: list[list[int]], prizes: list[int], coins: int, two_players: bool
) -> list[int]:
    """Prestige by player for one region or the sea track.

    `strength` counts markers (or is the position on the track), `prizes` are those of the first,
    second … place. Equal strength is decided by the sum of the tie-break tokens, then by the
    highest one; who is still tied shares the places taken up, rounded down. `coins` go to the first
    place. `two_players` is the two-player rule of the second age.
    """
    keys = [
        (count, sum(held), max(held, default=0)) if count else None
        for count, held in zip(strength, tokens, strict=True)
    ]
    won = [0] * len(strength)
    if two_players:
        alone = sum(key is not None for key in keys) == 1
        prizes = [sum(prizes) if alone else prizes[0]]
    prizes = [prizes[0] + coins, *prizes[1:]]
    place = 0
    for key in sorted({key for key in keys if key is not None}, reverse=True):
        tied = [player for player, each in enumerate(keys) if each == key]
        pot = sum(prizes[place : place + len(tied)])
        for player in tied:
            won[player] = pot // len(tied)
        place += len(tied)
    return won


def size_without_wild(table: Table, party: Party) -> int:
    """The party's cards that are not wild."""
    return sum(not table.setting.is_wild(card) for card in party.cards)


def party_prestige(table: Table, party: Party) -> int:
    """What a party scores: without its wild cards, one card larger for that power."""
    size = size_without_wild(table, party)
    if table.setting.power_of[party.leader] is Power.SCORES_LARGER:
        size += 1
    points = table.setting.party_points
    return points[min(size, len(points) - 1)]


def add(table: Table, source: str, won: list[int]) -> None:
    """Adds prestige by player to a source."""
    for player, prestige in enumerate(won):
        table.prestige[source][player] += prestige


def score_age(table: Table, age: int, event: Event) -> None:
    """Checks one `age_end` in the rules' order and clears the table for the next age."""
    events = table.events
    events.equal("number of the age", age, event["age"])
    events.equal("who drew the last dragon", table.third_dragon, event["third_dragon"])
    table.summary.third_dragons.append(event["third_dragon"])
    score_regions(table, age, event)
    score_sea(table, age, event)
    score_largest(table, age, event)
    score_settlements(table, age, event)
    parties = [sum(party_prestige(table, party) for party in row) for row in table.parties]
    events.equal("prestige for parties", parties, event["parties"])
    add(table, "parties", parties)
    totals = [table.total(player) for player in range(table.setting.seats)]
    events.equal("prestige after the age", totals, event["prestige"])
    table.summary.after_age.append(totals)


def score_regions(table: Table, age: int, event: Event) -> None:
    """Each region alone; the coins on it enter the first place's award (R13)."""
    setting = table.setting
    special = setting.seats == 2 and age == 2
    for color in setting.colors:
        strength = [placed[color] for placed in table.markers]
        prizes = setting.prestige_tokens[color][age - 1 :: -1]
        bare = shares(strength, table.tokens, prizes, 0, special)
        won = shares(strength, table.tokens, prizes, table.coins_on[color], special)
        table.events.equal(f"prestige for the {color} region", won, event["regions"][color])
        add(table, "regions", bare)
        add(table, "coins", [full - part for full, part in zip(won, bare, strict=True)])


def score_sea(table: Table, age: int, event: Event) -> None:
    """The sea track as a region with its own values (R12)."""
    setting = table.setting
    won = None
    if setting.plays(Power.SEA_TRACK):
        prizes = setting.sea_prestige[age - 1 :: -1]
        special = setting.seats == 2 and age == 2
        won = shares(table.sea, table.tokens, prizes, 0, special)
        add(table, "sea", won)
    table.events.equal("prestige for the sea track", won, event["sea"])


def score_largest(table: Table, age: int, event: Event) -> None:
    """The age's value for the holder of the largest party token."""
    won = None
    if table.setting.plays(Power.LARGEST_TOKEN):
        won = [0] * table.setting.seats
        if table.largest_holder is not None:
            won[table.largest_holder] = table.setting.largest_age[age - 1]
        add(table, "largest", won)
    table.events.equal("prestige for the largest party token", won, event["largest"])


def score_settlements(table: Table, age: int, event: Event) -> None:
    """R15: a board is emptied whole or not; always after the last age, and always by Bruno."""
    setting, events, emptied = table.setting, table.events, event["emptied"]
    if not setting.plays(Power.SETTLEMENT_BOARD):
        events.equal("settlement boards: not in play", None, emptied)
        events.equal("prestige for settlements: not in play", None, event["settlement"])
        return
    fits = emptied is not None and len(emptied) == setting.seats
    events.require(fits, "boards emptied", f"{setting.seats} answers", emptied)
    won = []
    for player, empties in enumerate(emptied):
        must = age == setting.ages or (setting.solo and player == 1)
        events.require(empties or not must, "R15: the board is emptied", True, empties)
        won.append(setting.settlement[len(table.settled[player])] if empties else 0)
        if table.settled[player] and not must:
            done = "board emptied early" if empties else "board left as it is"
            table.summary.optional[done] += 1
        if empties:
            table.settled[player].clear()
    events.equal("prestige for settlements", won, event["settlement"])
    add(table, "settlement", won)


def next_first_player(table: Table) -> int:
    """The least prestige; among tied players the first clockwise from the last dragon's drawer."""
    if table.setting.solo:
        return 0
    seats = table.setting.seats
    totals = [table.total(player) for player in range(seats)]
    start = table.third_dragon or 0
    clockwise = [(start + step) % seats for step in range(seats)]
    return next(player for player in clockwise if totals[player] == min(totals))


def end_game(table: Table) -> None:
    """Checks `game_end`: prestige, then region markers, then the last age's parties (R16)."""
    events, seats = table.events, range(table.setting.seats)
    event = events.take("game_end")
    prestige = [table.total(player) for player in seats]
    markers = [sum(table.markers[player].values()) for player in seats]
    events.equal("prestige at the game's end", prestige, event["prestige"])
    events.equal("markers in the regions at the game's end", markers, event["markers"])
    sizes = [
        sorted((size_without_wild(table, party) for party in row), reverse=True)
        for row in table.parties
    ]
    # Lists compare item by item, and a missing n-th party is less than any: it counts 0 (R16).
    standing = [(prestige[player], markers[player], sizes[player]) for player in seats]
    winners = [player for player in seats if standing[player] == max(standing)]
    if table.wild_winner is not None:
        winners = [table.wild_winner]
    events.equal("winners", winners, sorted(event["winners"]))
    table.summary.prestige, table.summary.markers = prestige, markers
    table.summary.winners = winners
