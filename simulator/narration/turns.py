"""The events of an age as lines: recruits, parties, dragons, Bruno's turns."""

from __future__ import annotations

from ethnos_sim.simulator.game.records import BRUNO
from ethnos_sim.simulator.narration.board import Board, Event, coin_of
from ethnos_sim.simulator.narration.game import name_in_words
from ethnos_sim.simulator.narration.lines import heading, plural, wrapped

NUMBER_WIDTH = 4

SOURCES_OF_GIFTS = {"pool": "the pool", "discard": "the discarded cards", "deck": "the deck"}


def age(board: Board, event: Event) -> list[str]:
    """Begin an age: the lines show its awards, first hands and pool."""
    game, number = board.game, event["age"]
    words, dragons = game.rules.words, game.rules.number("dragons")
    cards = plural(len(event["deck"]) - dragons, "card")
    tokens = game.trace["prestige_tokens"]
    awards = [
        f"{game.rules.region(color)} {'/'.join(map(str, reversed(tokens[color][:number])))}"
        for color in game.rules.colors
    ]
    hands = [
        f"{name} {game.cards(hand) or 'nothing'}"
        for name, hand in zip(game.seat_names, event["hands"], strict=False)
    ]
    starter = game.names[event["first_player"]]
    facts = [
        f"{starter} begins. The deck: {cards} and {plural(dragons, 'dragon')}.",
        f"{words.regions.capitalize()} pay: {', '.join(awards)}",
        f"First hands: {'; '.join(hands)}",
        f"Pool: {game.cards(event['pool'])}",
    ]
    if game.solo:
        facts.append(f"Bruno's columns: {game.cards(event['columns'])}")
    return [
        "",
        heading(f"{words.age.upper()} {number} of {game.ages}", "="),
        *(line for fact in facts for line in wrapped(fact)),
        "",
    ]


def recruit(board: Board, event: Event) -> list[str]:
    """Narrate a recruit: the card and the hand after it."""
    game, player = board.game, event["player"]
    verb = "takes" if event["source"] == "pool" else "draws"
    text = f"{verb} no card" if event["card"] is None else f"{verb} {game.card(event['card'])}"
    hand = f"in hand: {game.cards(board.hands[player].elements())}"
    return _turn(board, player, [text, hand])


def party(board: Board, event: Event) -> list[str]:
    """Narrate a party: cards (leader first), marker, power, the rest of the hand."""
    game, player = board.game, event["player"]
    if game.is_wild(event["leader"]):
        wild = plural(len(event["cards"]), "wild card")
        return _turn(board, player, [f"plays {wild} and wins the game at once"])
    word = game.rules.words.party.upper()
    parts = [f"{word} {game.led(event['leader'], event['cards'])}"]
    parts += [*_effects(board, event, player), *_actions(board, event, player)]
    for verb in ("kept", "discarded", "drawn"):
        if event[verb]:
            parts.append(f"{verb}: {game.cards(event[verb])}")
    if event["again"]:
        parts.append(f"another {game.rules.words.party} follows")
    return _turn(board, player, parts)


def passes(board: Board, event: Event) -> list[str]:
    """Narrate the turn of a player who passes with a full hand of wild cards."""
    return _turn(board, event["player"], ["passes: only wild cards in hand"])


def power(board: Board, event: Event) -> list[str]:
    """Narrate the actions of a custom power outside a party's steps."""
    owner = name_in_words(event["clan"] or event["power"])
    player = event["player"]
    return _detail(board, [f"{owner}: {part}" for part in _actions(board, event, player)])


def refill(board: Board, event: Event) -> list[str]:
    """Narrate a refill: the cards turned to the pool at the end of a turn."""
    cards = board.game.cards(event["cards"])
    return _detail(board, [f"to the pool from the deck: {cards}"] if cards else [])


def bruno_gets(board: Board, event: Event) -> list[str]:
    """Narrate what Bruno gets: cards that the player gives him, or the deck's top card."""
    cards, source = board.game.cards(event["cards"]), SOURCES_OF_GIFTS[event["source"]]
    return _detail(board, [f"Bruno gets {cards} from {source}"] if cards else [])


def bruno_party(board: Board, event: Event) -> list[str]:
    """Narrate a party of Bruno's, a column that fires."""
    game = board.game
    leader, word = name_in_words(event["leader"]), game.rules.words.party.upper()
    parts = [f"{word} in {event['column']} led by {leader}: {game.cards(event['cards'])}"]
    parts += _effects(board, event, BRUNO)
    if event["drawn"]:
        parts.append(f"drawn: {game.cards(event['drawn'])}")
    if event["released"] is not None:
        place = "your hand" if event["released_to"] == "hand" else "the pool"
        parts.append(f"{game.card(event['released'])} goes to {place}")
    return _turn(board, BRUNO, parts)


def dragons(board: Board, event: Event) -> list[str]:
    """A line for each dragon of an event, which the board has already counted."""
    rules = board.game.rules
    met = event.get("dragons", 0)
    met += sum(action.get("dragons", 0) for action in event.get("actions", []))
    lines = []
    for number in range(board.dragons - met + 1, board.dragons + 1):
        text = f"*** DRAGON {number} of {rules.number('dragons')} ***"
        if number == rules.ending_dragon:
            text += f" the {rules.words.age} ends at once"
        lines.append(" " * _indent(board) + text)
    return lines


def _indent(board: Board) -> int:
    """The column at which the text of a turn begins."""
    return NUMBER_WIDTH + 2 + max(map(len, board.game.names)) + 2


def _turn(board: Board, player: int, parts: list[str]) -> list[str]:
    """The lines of a turn: its number, who plays, and what happens."""
    name = board.game.names[player]
    start = f"{board.turn:>{NUMBER_WIDTH}}  {name}".ljust(_indent(board))
    return wrapped(start + "; ".join(parts), _indent(board))


def _detail(board: Board, parts: list[str]) -> list[str]:
    """The lines of what follows in a turn."""
    indent = _indent(board)
    return wrapped(" " * indent + "; ".join(parts), indent) if parts else []


def _effects(board: Board, event: Event, player: int) -> list[str]:
    """What a party brings: its marker, the leader's printed power, and the points it will score."""
    game, region = board.game, event["region"]
    parts = ["no marker"]
    if region is not None:
        parts = [f"marker in {game.rules.region(region)}, {board.markers[region][player]} there"]
    if event["largest"]:
        parts.append(f"takes the token of the largest {game.rules.words.party}")
    if event["sea"] is not None:
        parts.append(f"space {event['sea']} at sea")
    parts += [f"extra marker in {game.rules.region(color)}" for color in event["sea_regions"]]
    if event["settled"] is not None:
        parts.append(f"settles {event['settled']}")
    if event.get("token") is not None:
        parts.append(f"takes token {event['token']}")
    if event["coin"] is not None:
        coin = coin_of(event, event["leader"].partition(":")[2])
        parts.append(f"coin {coin['value']} on {game.rules.region(coin['region'])}")
    points = board.points(event)
    return [*parts, f"scores {points}"] if points else parts


def _actions(board: Board, event: Event, player: int) -> list[str]:
    """The actions of custom powers, each with its numbers; `player` is not named in them."""
    sentences = []
    for action in event.get("actions", []):
        words = [
            board.game.card(value) if ":" in str(value) else str(value)
            for key, value in action.items()
            if key not in ("action", "player", "power") and value is not None
        ]
        who = [] if action["player"] == player else [board.game.seat_names[action["player"]]]
        sentences.append(" ".join([*who, name_in_words(action["action"]), *words]))
    return sentences
