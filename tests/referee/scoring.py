"""The ends of ages and of the game: every award is computed anew."""

from typing import Any

from referee.cards import Power
from referee.events import Event
from referee.table import Party, Table


def shares(
    strength: list[int],
    tokens: list[list[int]],
    prizes: list[int],
    coins: int,
    two_players: bool,
    tied_share_all: bool = False,
) -> list[int]:
    """The prestige of each player for one region or one sea track.

    `strength` is the number of markers (or the position on the track), and `prizes` are the prizes
    of the first, second … place. The sum of the tie-break tokens decides between equal strengths,
    then the highest token; players who are still tied share the places that they take up, rounded
    down.
    `coins` go to the first place. `two_players` is the two-player rule of the second age; by its
    other reading, tied players share all prizes.
    """
    keys = [
        (count, sum(held), max(held, default=0)) if count else None
        for count, held in zip(strength, tokens, strict=True)
    ]
    won = [0] * len(strength)
    if two_players:
        there = [key for key in keys if key is not None]
        takes_all = len(there) == 1 or (tied_share_all and len(set(there)) == 1)
        prizes = [sum(prizes) if takes_all else prizes[0]]
    prizes = [prizes[0] + coins, *prizes[1:]]
    place = 0
    for key in sorted({key for key in keys if key is not None}, reverse=True):
        tied = [player for player, rank in enumerate(keys) if rank == key]
        pot = sum(prizes[place : place + len(tied)])
        for player in tied:
            won[player] = pot // len(tied)
        place += len(tied)
    return won


def size_when_scored(table: Table, party: Party) -> int:
    """The number of cards of a party that count when parties are scored; wild cards do not."""
    return sum(table.setting.is_scored(card) for card in party.cards)


def party_prestige(table: Table, party: Party) -> int:
    """The prestige of a party; wild cards do not count, and its clan may add to its size."""
    size = size_when_scored(table, party) + table.setting.of(party.leader, "score_bonus")
    size = size if party.scores_as is None else party.scores_as
    points: list[int] = table.setting.rules["party_points"]
    return points[min(size, len(points) - 1)]


def add(table: Table, source: str, won: list[int]) -> None:
    """Add prestige by player to a source."""
    for player, prestige in enumerate(won):
        table.prestige[source][player] += prestige


def score_age(table: Table, age: int, event: Event) -> None:
    """Check an `age_end` in the rules' order, and clear the table for the next age."""
    events = table.events
    events.equal("number of the age", age, event["age"])
    events.equal("who drew the last dragon", table.last_dragon, event["last_dragon"])
    table.summary.last_dragons.append(event["last_dragon"])
    score_regions(table, age, event)
    score_sea(table, age, event)
    score_largest(table, age, event)
    score_settlements(table, age, event)
    parties = [sum(party_prestige(table, party) for party in row) for row in table.parties]
    events.equal("prestige for parties", parties, event["parties"])
    add(table, "parties", parties)
    totals = table.totals()
    events.equal("prestige after the age", totals, event["prestige"])


def prizes_of(values: list[int], pays: list[int], first_only: bool = False) -> list[int]:
    """The prizes of the places in an age, from the awards I, II, III."""
    prizes = [values[number - 1] if number else 0 for number in pays]
    return prizes[:1] if first_only else prizes


def score_regions(table: Table, age: int, event: Event) -> None:
    """Score each region; its coins increase the award of the first place (R13)."""
    setting = table.setting
    rule = last_of_two(table, age), setting.rules["two_players.tied_share_all"]
    by_color = {}
    for color in setting.colors:
        strength = [placed[color] for placed in table.markers]
        prizes = prizes_of(setting.prestige_tokens[color], setting.pays(age))
        bare = shares(strength, table.tokens, prizes, 0, *rule)
        coins = table.coins_on[color]
        won = shares(strength, table.tokens, prizes, coins, *rule)
        by_color[color] = won
        add(table, "regions", bare)
        add(table, "coins", [full - part for full, part in zip(won, bare, strict=True)])
    table.events.equal("prestige for the regions", by_color, event["regions"])


def last_of_two(table: Table, age: int) -> bool:
    """Whether this is the last age of a game of two players, which has its own rule."""
    setting = table.setting
    winner_takes_all: bool = setting.rules["two_players.winner_takes_all"]
    return winner_takes_all and setting.seats == 2 and age == setting.ages


def said_of(event: Event, clan: str, name: str) -> Any:
    """A clan's number in an event; the event has a table by clan if clans share a power."""
    return event["by_clan"][clan][name] if "by_clan" in event else event[name]


def check_clans(table: Table, event: Event, name: str, won: dict[str, list[int]]) -> None:
    """Check what each clan pays each player; the event's own numbers are the sums (or null)."""
    for clan, numbers in won.items():
        table.events.equal(f"{name} of {clan}", numbers, said_of(event, clan, name))
        add(table, name, numbers)
    total = [sum(numbers) for numbers in zip(*won.values(), strict=True)] or None
    table.events.equal(f"prestige, {name}", total, event[name])


def score_sea(table: Table, age: int, event: Event) -> None:
    """Score each sea track like a region with its own values (R12)."""
    setting, won = table.setting, {}
    alike = setting.rules["two_players.sea_alike"]
    rule = alike and last_of_two(table, age), setting.rules["two_players.tied_share_all"]
    for clan, places in table.sea.items():
        first_only = setting.of(clan, "winner_only")
        prizes = prizes_of(setting.sided(clan, "prestige"), setting.pays(age), first_only)
        won[clan] = shares(places, table.tokens, prizes, 0, *rule)
    check_clans(table, event, "sea", won)


def score_largest(table: Table, age: int, event: Event) -> None:
    """Score the age's value for the holder of each clan's largest-party token."""
    setting = table.setting
    won = {clan: [0] * setting.seats for clan in setting.with_power(Power.LARGEST_TOKEN)}
    for clan, (_, holder) in table.largest.items():
        won[clan][holder] = setting.sided(clan, "age")[age - 1]
    check_clans(table, event, "largest", won)


def score_settlements(table: Table, age: int, event: Event) -> None:
    """Check the boards: always emptied after the last age, and always Bruno's (R15)."""
    won = {clan: emptied_boards(table, age, event, clan) for clan in table.settled}
    check_clans(table, event, "settlement", won)
    if not won:
        table.events.equal("settlement boards: not in play", None, event["emptied"])


def emptied_boards(table: Table, age: int, event: Event, clan: str) -> list[int]:
    """Check one clan's boards; return the prestige of the players who empty their boards."""
    setting, events, boards = table.setting, table.events, table.settled[clan]
    emptied = said_of(event, clan, "emptied")
    won = []
    for player, empties in zip(range(setting.seats), emptied, strict=True):
        must = age == setting.ages or setting.is_bruno(player)
        events.equal("R15: the board is emptied", must or bool(empties), empties)
        won.append(setting.of(clan, "settlement")[len(boards[player])] if empties else 0)
        if boards[player] and not must:
            done = "board emptied early" if empties else "board left as it is"
            table.summary.optional[done] += 1
        if empties:
            boards[player].clear()
    return won


def next_first_player(table: Table) -> int:
    """The player with the least prestige.

    Of tied players it is the first one clockwise, from the player who drew the last dragon on.
    """
    if table.setting.solo:
        return 0
    seats, totals = table.setting.seats, table.totals()
    start = table.last_dragon or 0
    clockwise = [(start + step) % seats for step in range(seats)]
    least = [player for player in clockwise if totals[player] == min(totals)]
    if table.setting.rules["tokens_break_all_ties"]:
        return max(least, key=lambda player: by_tokens(table, player))
    return least[0]


def by_tokens(table: Table, player: int) -> tuple[int, int]:
    """The rank of a player by tie-break tokens: their sum, then the highest (R31)."""
    held = table.tokens[player]
    return sum(held), max(held, default=0)


def end_game(table: Table) -> None:
    """Check `game_end`: prestige, then region markers, then the parties of the last age (R16)."""
    events, seats = table.events, range(table.setting.seats)
    event = events.take("game_end")
    prestige = table.totals()
    markers = [sum(table.markers[player].values()) for player in seats]
    events.equal("prestige at the game's end", prestige, event["prestige"])
    events.equal("markers in the regions at the game's end", markers, event["markers"])
    whole = table.setting.rules["wild_breaks_ties"]
    counted = [
        [len(party.cards) if whole else size_when_scored(table, party) for party in row]
        for row in table.parties
    ]
    sizes = [sorted(row, reverse=True) for row in counted]
    # Lists compare item by item; a missing party ranks below all others, like size 0 (R16).
    ties = table.setting.rules["tokens_break_all_ties"]
    standing = [
        (prestige[player], by_tokens(table, player) if ties else (), markers[player], sizes[player])
        for player in seats
    ]
    winners = [player for player in seats if standing[player] == max(standing)]
    if table.wild_winner is not None:
        winners = [table.wild_winner]
    events.equal("winners", winners, sorted(event["winners"]))
    table.summary.prestige, table.summary.markers = prestige, markers
    table.summary.winners = winners
