"""The events of an age as lines: recruits, parties, dragons, Bruno's turns."""

from __future__ import annotations

from itertools import groupby

from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.game.records import BRUNO
from ethnos_sim.simulator.narration.board import Board, Event
from ethnos_sim.simulator.narration.game import in_words
from ethnos_sim.simulator.narration.lines import Line, details, hanging, heading, plural, wrapped
from ethnos_sim.simulator.narration.powers import Actions, Laid

NUMBER_WIDTH = 4
ACTION_WIDTH = 22


class Turns:
    """Narrates the events of an age one by one and keeps the board up to date."""

    def __init__(self, board: Board) -> None:
        """Narrate the events of a board."""
        self._board = board
        self._game = board.game
        self._actions = Actions(board)
        self._name_width = max(map(len, board.game.names))
        self._indent = NUMBER_WIDTH + 2 + self._name_width + 2
        self._chained = False

    def age(self, event: Event) -> list[Line]:
        """Begin an age: the lines show its awards, first hands and pool."""
        board, game = self._board, self._game
        board.begin_age(event)
        words = game.rules.words
        number = event["age"]
        dragons = game.rules.number("dragons")
        starter = game.names[event["first_player"]]
        cards = plural(len(event["deck"]) - dragons, "card")
        lines = [
            Line("note", ""),
            heading(f"{words.age.upper()} {number} of {game.ages}", "="),
            Line("note", f"{starter} begins. The deck: {cards} and {plural(dragons, 'dragon')}."),
        ]
        tokens = game.trace["prestige_tokens"]
        awards = [
            f"{game.region(color)} {'/'.join(map(str, reversed(tokens[color][:number])))}"
            for color in game.rules.colors
        ]
        lines += wrapped("note", f"{words.regions.capitalize()} pay: {', '.join(awards)}", 0)
        hands = [
            f"{name} {game.grouped(hand) or 'nothing'}"
            for name, hand in zip(game.seat_names, board.hands, strict=False)
        ]
        lines += wrapped("note", f"First hands: {', '.join(hands)}", 0)
        if game.solo:
            lines += wrapped("note", f"Bruno's columns: {game.columns(board.columns)}", 0)
        return [*lines, *self._pool_lines("note", 0), Line("note", "")]

    def recruit(self, event: Event) -> list[Line]:
        """Narrate a recruit: the card, the hand after it, and dragons drawn before the card."""
        board, game = self._board, self._game
        board.recruit(event)
        player = event["player"]
        dragons = self._dragons(event, player)
        opening = self._opening(player)
        if event["card"] is None:
            return [Line("recruit", opening + "draws"), *dragons]
        verb = "takes" if event["source"] == "pool" else "draws"
        if dragons:
            met = "a dragon" if len(dragons) == 1 else f"{len(dragons)} dragons"
            verb += f" {met}, then"
        action = f"{verb} {game.card(event['card'])}"
        hand = board.hands[player]
        before_cards = f"{opening}{action:{ACTION_WIDTH}} {hand.total():2} in hand: "
        return [*hanging("recruit", before_cards, game.grouped(hand)), *dragons]

    def party(self, event: Event) -> list[Line]:
        """Narrate a party: cards (leader first), marker, power, the rest of the hand."""
        board = self._board
        player = event["player"]
        if not self._chained:
            board.turn += 1
        opening = self._opening(player, numbered=not self._chained)
        self._chained = event["again"]
        if board.game.is_wild(event["leader"]):
            board.party(event)
            wild = plural(len(event["cards"]), "wild card")
            return [Line("party", f"{opening}plays {wild} and wins the game at once")]
        clan, color = event["leader"].split(":")
        laid = Laid(board, player, clan, color, event)
        parts = [laid.marker(), *laid.power_used(), *laid.worth()]
        # The points of the party itself are part of its line.
        actions = [action for action in event.get("actions", []) if action["action"] != "scores_as"]
        for owner, done in groupby(actions, lambda action: action.get("power", laid.clan)):
            parts += self._done(owner, list(done), player)
        dragons = self._dragons_of(actions)
        board.party(event)
        parts += self._rest_of_hand(laid)
        word = self._game.rules.words.party.upper()
        cards = self._game.led(event["leader"], event["cards"])
        lines = [Line("party", f"{opening}{word} {cards}")]
        lines += details(parts, self._indent)
        lines += dragons or self._dragons(event, player)
        if event["discarded"]:
            lines += self._pool_lines("detail", self._indent)
        return lines

    def passes(self, event: Event) -> list[Line]:
        """Narrate the turn of a player who passes with a full hand of wild cards."""
        self._board.turn += 1
        return [Line("party", f"{self._opening(event['player'])}passes: only wild cards in hand")]

    def power(self, event: Event) -> list[Line]:
        """Narrate the actions of a custom power outside a party's steps."""
        player, owner = event["player"], event["clan"] or event["power"]
        parts = self._done(owner, event["actions"], player)
        parts[0] = f"{self._game.seat_names[player]}, {parts[0]}"
        lines = details(parts, self._indent)
        return lines + self._dragons_of(event["actions"])

    def _done(self, owner: str, actions: list[Event], player: int) -> list[str]:
        """The actions of a custom power for a player; the first part names its owner.

        The owner is a clan; a power of the table goes by its own name.
        """
        parts = self._actions.parts(owner, actions, player)
        return [f"{in_words(owner)}: {parts[0]}", *parts[1:]] if parts else []

    def _dragons_of(self, actions: list[Event]) -> list[Line]:
        """Lines of the dragons that came up while a custom power drew cards."""
        lines: list[Line] = []
        later = 0
        for action in reversed([drawn for drawn in actions if drawn["action"] == "draw"]):
            lines = self._dragons(action, action["player"], later) + lines
            later += action["dragons"]
        return lines

    def refill(self, event: Event) -> list[Line]:
        """Narrate a refill: the cards turned to the pool at the end of a turn."""
        self._board.refill(event)
        dragons = self._dragons(event, event["player"])
        if not event["cards"]:
            return dragons
        turned = f"to the pool from the deck: {self._game.cards(event['cards'])}"
        return [Line("detail", " " * self._indent + turned), *dragons]

    def bruno_gets(self, event: Event) -> list[Line]:
        """Narrate what Bruno gets: cards that the player gives him, or the deck's top card."""
        self._board.bruno_gets(event)
        dragons = self._dragons(event, 0)
        if not event["cards"]:
            return dragons
        source = {"pool": "the pool", "discard": "the discarded cards", "deck": "the deck"}
        text = f"Bruno gets {self._game.cards(event['cards'])} from {source[event['source']]}"
        parts = [text, f"columns: {self._board.filling()}"]
        return [*details(parts, self._indent), *dragons]

    def bruno_party(self, event: Event) -> list[Line]:
        """Narrate a party of Bruno's, a column that fires."""
        board, game = self._board, self._game
        laid = Laid(board, BRUNO, event["leader"], event["column"], event)
        parts = [laid.marker(), *laid.power_used(), *laid.worth()]
        board.bruno_party(event)
        if event["drawn"]:
            parts.append(f"{in_words(event['leader'])}: draws {game.cards(event['drawn'])}")
        parts.append(f"next leader: {board.next_leaders()}")
        if event["released"] is not None:
            takes = event["released_to"] == "hand"
            verb, place = ("takes", "into hand") if takes else ("releases", "to the pool")
            parts.append(f"{game.names[0]} {verb} {game.card(event['released'])} {place}")
        word = board.game.rules.words.party.upper()
        opening = self._opening(BRUNO, numbered=False)
        text = f"{opening}{word} of {laid.size} in {event['column']} led by {in_words(laid.clan)}: "
        lines = [Line("party", text + game.cards(event["cards"]))]
        lines += details(parts, self._indent)
        return lines + self._dragons(event, 0)

    def _opening(self, player: int, numbered: bool = True) -> str:
        """The start of a turn's line: its number and who plays."""
        number = str(self._board.turn) if numbered else ""
        name = self._game.names[player]
        return f"{number:>{NUMBER_WIDTH}}  {name:{self._name_width}}  "

    def _pool_lines(self, kind: str, indent: int) -> list[Line]:
        pool = self._board.pool
        return wrapped(kind, f"pool of {pool.total()}: {self._game.grouped(pool)}", indent)

    def _dragons(self, event: Event, player: int, later: int = 0) -> list[Line]:
        """A line for each dragon of an event.

        The board has already counted the event's dragons, and `later` dragons that came after them.
        """
        rules = self._game.rules
        dragons = rules.number("dragons")
        last = self._board.dragons - later
        lines = []
        for number in range(last - event["dragons"] + 1, last + 1):
            drawn = f"drawn by {self._game.seat_names[player]}"
            text = f"*** DRAGON {number} of {dragons}, {drawn} ***"
            if number == rules.ending_dragon:
                text += f" the {rules.words.age} ends at once"
            lines.append(Line("dragon", " " * self._indent + text))
        return lines

    def _rest_of_hand(self, laid: Laid) -> list[str]:
        """The cards that are kept, discarded or drawn after a party."""
        event = laid.event
        clan = in_words(laid.clan)
        if event["again"]:
            return [f"{clan}: another {self._game.rules.words.party} follows"]
        parts = []
        if laid.power is Power.KEEPS_CARDS and event["kept"]:
            parts.append(f"{clan}: keeps {self._game.cards(event['kept'])}")
        if event["discarded"]:
            parts.append(f"{plural(len(event['discarded']), 'card')} to the pool")
        if laid.power is Power.DRAWS_CARDS:
            parts.append(f"{clan}: draws {self._game.cards(event['drawn']) or 'nothing'}")
        return parts
