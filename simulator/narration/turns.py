"""The events of an age as lines: recruits, parties, dragons, Bruno's turns."""

from __future__ import annotations

from ethnos_sim.simulator.game.records import BRUNO
from ethnos_sim.simulator.narration.board import Board, Event, party_coin
from ethnos_sim.simulator.narration.game import name_in_words
from ethnos_sim.simulator.narration.lines import count_phrase, heading, wrap

NUMBER_WIDTH = 4

SOURCES_OF_GIFTS = {"pool": "the pool", "discard": "the discarded cards", "deck": "the deck"}


def narrate_age(board: Board, event: Event) -> list[str]:
    """Narrate the beginning of an age: its awards, first hands and pool."""
    game, number = board.game, event["age"]
    words, dragons = game.rules.words, game.rules.number("dragons")
    cards = count_phrase(len(event["deck"]) - dragons, "card")
    tokens = game.trace["prestige_tokens"]
    awards = [
        f"{game.rules.region(color)} {'/'.join(map(str, reversed(tokens[color][:number])))}"
        for color in game.rules.colors
    ]
    hands = [
        f"{name} {game.card_list(hand) or 'nothing'}"
        for name, hand in zip(game.seat_names, event["hands"], strict=False)
    ]
    starter = game.side_names[event["first_player"]]
    facts = [
        f"{starter} begins. The deck: {cards} and {count_phrase(dragons, 'dragon')}.",
        f"{words.regions.capitalize()} pay: {', '.join(awards)}",
        f"First hands: {'; '.join(hands)}",
        f"Pool: {game.card_list(event['pool'])}",
    ]
    if game.solo:
        facts.append(f"Bruno's columns: {game.card_list(event['columns'])}")
    return [
        "",
        heading(f"{words.age.upper()} {number} of {game.ages}", "="),
        *(line for fact in facts for line in wrap(fact)),
        "",
    ]


def narrate_recruit(board: Board, event: Event) -> list[str]:
    """Narrate a recruit: the card, and the hand afterwards."""
    game, player = board.game, event["player"]
    verb = "takes" if event["source"] == "pool" else "draws"
    text = f"{verb} {'no card' if event['card'] is None else game.card_text(event['card'])}"
    hand = f"in hand: {game.card_list(board.hands[player].elements())}"
    return _turn_lines(board, player, [text, hand])


def narrate_party(board: Board, event: Event) -> list[str]:
    """Narrate a party: cards (leader first), marker, power, the rest of the hand."""
    game, player = board.game, event["player"]
    if game.is_wild(event["leader"]):
        wild = count_phrase(len(event["cards"]), "wild card")
        return _turn_lines(board, player, [f"plays {wild} and wins the game at once"])
    word = game.rules.words.party.upper()
    phrases = [f"{word} {game.party_in_words(event['leader'], event['cards'])}"]
    phrases += [*_party_effects(board, event, player), *_power_actions(board, event, player)]
    for verb in ("kept", "discarded", "drawn"):
        if event[verb]:
            phrases.append(f"{verb}: {game.card_list(event[verb])}")
    if event["again"]:
        phrases.append(f"another {game.rules.words.party} follows")
    return _turn_lines(board, player, phrases)


def narrate_pass(board: Board, event: Event) -> list[str]:
    """Narrate the turn of a player who passes with a full hand of wild cards."""
    return _turn_lines(board, event["player"], ["passes: only wild cards in hand"])


def narrate_power(board: Board, event: Event) -> list[str]:
    """Narrate the actions of a custom power that was called outside a party."""
    owner = name_in_words(event["clan"] or event["power"])
    phrases = [f"{owner}: {phrase}" for phrase in _power_actions(board, event, event["player"])]
    return _detail_lines(board, phrases)


def narrate_refill(board: Board, event: Event) -> list[str]:
    """Narrate a refill of the pool at the end of a turn: the cards that were added."""
    cards = board.game.card_list(event["cards"])
    return _detail_lines(board, [f"to the pool from the deck: {cards}"] if cards else [])


def narrate_gift_to_bruno(board: Board, event: Event) -> list[str]:
    """Narrate what Bruno gets: cards that the player gives him, or the deck's top card."""
    cards, source = board.game.card_list(event["cards"]), SOURCES_OF_GIFTS[event["source"]]
    return _detail_lines(board, [f"Bruno gets {cards} from {source}"] if cards else [])


def narrate_bruno_party(board: Board, event: Event) -> list[str]:
    """Narrate Bruno's party: its column, leader, effects, and the card that he releases."""
    game = board.game
    leader, word = name_in_words(event["leader"]), game.rules.words.party.upper()
    phrases = [f"{word} in {event['column']} led by {leader}: {game.card_list(event['cards'])}"]
    phrases += _party_effects(board, event, BRUNO)
    if event["drawn"]:
        phrases.append(f"drawn: {game.card_list(event['drawn'])}")
    if event["released"] is not None:
        place = "your hand" if event["released_to"] == "hand" else "the pool"
        phrases.append(f"{game.card_text(event['released'])} goes to {place}")
    return _turn_lines(board, BRUNO, phrases)


def dragon_lines(board: Board, event: Event) -> list[str]:
    """A line for each dragon of an event; the board must have applied the event."""
    rules = board.game.rules
    met = event.get("dragons", 0)
    met += sum(action.get("dragons", 0) for action in event.get("actions", []))
    lines = []
    for number in range(board.dragons - met + 1, board.dragons + 1):
        text = f"*** DRAGON {number} of {rules.number('dragons')} ***"
        if number == rules.ending_dragon:
            text += f" the {rules.words.age} ends at once"
        lines.append(" " * _text_column(board) + text)
    return lines


def _text_column(board: Board) -> int:
    """The column at which the text of a turn begins."""
    return NUMBER_WIDTH + 2 + max(map(len, board.game.side_names)) + 2


def _turn_lines(board: Board, player: int, phrases: list[str]) -> list[str]:
    """The lines of a turn: its number, who plays, and what happens."""
    name = board.game.side_names[player]
    start = f"{board.turn:>{NUMBER_WIDTH}}  {name}".ljust(_text_column(board))
    return wrap(start + "; ".join(phrases), _text_column(board))


def _detail_lines(board: Board, phrases: list[str]) -> list[str]:
    """The lines of a later event of the turn, indented to the column of the turn's text."""
    indent = _text_column(board)
    return wrap(" " * indent + "; ".join(phrases), indent) if phrases else []


def _party_effects(board: Board, event: Event, player: int) -> list[str]:
    """Phrases on a party's marker, its leader's printed power, and the points of the party."""
    game, region = board.game, event["region"]
    phrases = ["no marker"]
    if region is not None:
        phrases = [f"marker in {game.rules.region(region)}, {board.markers[region][player]} there"]
    if event["largest"]:
        phrases.append(f"takes the token of the largest {game.rules.words.party}")
    if event["sea"] is not None:
        phrases.append(f"space {event['sea']} at sea")
    phrases += [f"extra marker in {game.rules.region(color)}" for color in event["sea_regions"]]
    if event["settled"] is not None:
        phrases.append(f"settles {event['settled']}")
    if event.get("token") is not None:
        phrases.append(f"takes token {event['token']}")
    if event["coin"] is not None:
        coin = party_coin(event, event["leader"].partition(":")[2])
        phrases.append(f"coin {coin['value']} on {game.rules.region(coin['region'])}")
    points = board.party_points(event)
    return [*phrases, f"scores {points}"] if points else phrases


def _power_actions(board: Board, event: Event, player: int) -> list[str]:
    """Phrases on the actions of custom powers; an action of `player` omits the player's name."""
    sentences = []
    for action in event.get("actions", []):
        words = [
            board.game.card_text(value) if ":" in str(value) else str(value)
            for key, value in action.items()
            if key not in ("action", "player", "power") and value is not None
        ]
        who = [] if action["player"] == player else [board.game.seat_names[action["player"]]]
        sentences.append(" ".join([*who, name_in_words(action["action"]), *words]))
    return sentences
