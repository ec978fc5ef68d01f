"""How a narration names players, cards and regions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from ethnos_sim.simulator.narration.board import Board, Game


def spoken(clan: str) -> str:
    """A clan's name as words: "red panda"."""
    return clan.replace("_", " ")


class Phrases:
    """Names for the things of one game."""

    def __init__(self, game: Game) -> None:
        """Work out what tells the players apart."""
        self._game = game
        names = [name.split(":")[0] for name in game.trace["strategies"]]
        apart = len(set(game.trace["strategies"])) > 1
        self.short = [f"P{number}" for number in range(len(names))]
        self.players = [
            f"{short} {name}" if apart else short
            for short, name in zip(self.short, names, strict=True)
        ]
        if game.solo:
            self.short.append("Bruno")
            self.players.append("Bruno")
        self.player_width = max(map(len, self.players))

    def region(self, color: str) -> str:
        """A region by the edition's name, with its color where the name is another word."""
        rules = self._game.rules
        name = rules.regions[rules.colors.index(color)]
        return name if name.lower() == color else f"{name} ({color})"

    def card(self, card: str) -> str:
        """A card: "blue koi"."""
        clan, color = card.split(":")
        return f"{color} {spoken(clan)}"

    def cards(self, cards: Iterable[str]) -> str:
        """Cards one by one, twins counted: "red koi, white koi ×2"."""
        counts = Counter(cards)
        return ", ".join(
            self.card(card) if count == 1 else f"{self.card(card)} ×{count}"
            for card, count in sorted(counts.items(), key=lambda item: self._place(item[0]))
        )

    def grouped(self, cards: Mapping[str, int]) -> str:
        """Cards by clan: "koi red white white, owl black"."""
        groups: dict[str, list[str]] = {}
        for card in sorted(Counter(cards).elements(), key=self._place):
            clan, color = card.split(":")
            groups.setdefault(clan, []).append(color)
        return ", ".join(f"{spoken(clan)} {' '.join(colors)}" for clan, colors in groups.items())

    def columns(self, cards: Mapping[str, int]) -> str:
        """Bruno's columns from left to right: "white 2 (koi raven), black 1 (bear)"."""
        columns: dict[str, list[str]] = {color: [] for color in self._game.rules.colors}
        for card in sorted(Counter(cards).elements(), key=self._place):
            clan, color = card.split(":")
            columns[color].append(spoken(clan))
        return ", ".join(
            f"{color} {len(clans)} ({' '.join(clans)})" for color, clans in columns.items() if clans
        )

    def filling(self, board: Board) -> str:
        """How full each of Bruno's columns is, against the cards at which it fires: "white 2/5"."""
        sizes = Counter(card.split(":")[1] for card in board.columns.elements())
        return ", ".join(
            f"{color} {sizes[color]}/{board.fires_at(color)}"
            for color in self._game.rules.colors
            if sizes[color]
        )

    def face_up(self, board: Board) -> str:
        """Who may lead Bruno's next party."""
        if len(board.face_up) == len(self._game.trace["clans"]):
            return "any, all face up again"
        return ", ".join(map(spoken, board.face_up))

    def _place(self, card: str) -> tuple[bool, int, int]:
        """Where a card stands in a list: by clan, wild cards last, then by color."""
        clan, color = card.split(":")
        place = self._game.trace["clans"].index(clan)
        return self._game.is_wild(card), place, self._game.rules.colors.index(color)

    def standing(self, board: Board, player: int, color: str) -> str:
        """A region and how a player stands there: "Reef (red): 2 there, the most"."""
        rivals = dict(zip(self.short, board.markers[color], strict=True))
        own = rivals.pop(self.short[player])
        best = max(rivals.values())
        holders = "/".join(name for name, count in rivals.items() if count == best)
        if own > best:
            how = "the most" if best else "alone"
        else:
            how = f"level with {holders}" if own == best else f"behind {best} of {holders}"
        return f"{self.region(color)}: {own} there, {how}"
