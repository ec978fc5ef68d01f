"""What a party's marker and its leader's power did, as parts of a line."""

from __future__ import annotations

from dataclasses import dataclass

from ethnos_sim.simulator.narration.board import Board, Event
from ethnos_sim.simulator.narration.lines import plural
from ethnos_sim.simulator.narration.phrases import Phrases, spoken
from ethnos_sim.simulator.powers import Power


@dataclass(frozen=True)
class Laid:
    """A party as it is laid, a player's or Bruno's; `event` is its trace event."""

    board: Board
    phrases: Phrases
    player: int
    clan: str
    color: str
    event: Event

    @property
    def power(self) -> Power:
        """The leader's power."""
        return self.board.game.rules.power_of(self.clan)

    @property
    def size(self) -> int:
        """How many cards it has, wild ones included."""
        return len(self.event["cards"])

    @property
    def bonus(self) -> int:
        """How many cards more it counts when the marker is placed."""
        return self.board.game.rules.number(self.clan, "marker_bonus")

    def marker(self) -> str:
        """Where step 1 put the marker, or why it put none. Puts it on the board."""
        board, phrases, player = self.board, self.phrases, self.player
        target = self.event["region"]
        if target is not None:
            short = self.size <= board.to_beat(player, target)
            board.place(player, target)
            marker = f"marker in {phrases.standing(board, player, target)}"
            if short and self.power is not Power.CUSTOM:
                marker += f" ({spoken(self.clan)}: counts as {self.size + self.bonus} cards)"
            return marker
        if self.power is Power.CUSTOM:
            return "no marker"
        if not board.game.rules.number(self.clan, "places_marker"):
            return f"{spoken(self.clan)}: no marker"
        if board.supply[player] <= 0:
            return "no marker is left"
        needed = board.to_beat(player, self.color) + 1 - self.bonus
        if self.size >= needed:
            return "no marker, by choice"
        return f"no marker: {phrases.region(self.color)} takes {plural(needed, 'card')}"

    def power_used(self) -> list[str]:
        """What the leader's power did, before the hand's rest is seen to."""
        told = {
            Power.LARGEST_TOKEN: self._largest,
            Power.SEA_TRACK: self._sea,
            Power.SETTLEMENT_BOARD: self._settle,
            Power.TIE_BREAK_TOKENS: self._token,
            Power.COINS: self._coin,
        }.get(self.power)
        return [] if told is None else [f"{spoken(self.clan)}: {told()}"]

    def worth(self) -> list[str]:
        """What the party itself will score; nothing for a party too small to score."""
        size, points = self.board.scored_size(self.event), self.board.points(self.event)
        larger = size != self.board.members(self.event)
        as_size = f" as {plural(size, 'card')}" if larger else ""
        return [f"scores {points}{as_size}"] if points else []

    def _largest(self) -> str:
        rules = self.board.game.rules
        if self.event["largest"]:
            on_take = rules.number(self.clan, "on_take")
            return f"takes the token, +{on_take} {rules.words.prestige} at once"
        if self.clan not in self.board.largest:
            return "does not take the token"
        holder, size = self.board.largest[self.clan]
        return f"the token stays with {self.phrases.short[holder]}, {plural(size, 'card')}"

    def _sea(self) -> str:
        board = self.board
        before, after = board.sea[self.clan][self.player], self.event["sea"]
        if after is None:
            return "does not move"
        if before == after == board.game.rules.number(self.clan, "last_space"):
            return f"already at the end of the sea track, {after}"
        text = f"sea track {before} to {after}"
        for color in self.event["sea_regions"]:
            board.place(self.player, color)
            text += f", extra marker in {self.phrases.standing(board, self.player, color)}"
        return text

    def _settle(self) -> str:
        settled = self.board.settled[self.clan][self.player]
        if self.event["settled"] is not None:
            return f"settles {self.event['settled']}, {len(settled) + 1} on the board"
        if self.color in settled:
            return f"{self.color} on the board is taken already"
        return "settles nothing"

    def _token(self) -> str:
        token = self.event["token"]
        return "takes no token" if token is None else f"takes token {token}"

    def _coin(self) -> str:
        coin = self.event["coin"]
        if coin is None:
            return "no coin is left"
        color, value = self.color, coin
        if isinstance(coin, dict):
            color, value = coin["region"], coin["value"]
        on_region = self.board.coins[color] + value
        total = f", {on_region} there" if on_region > value else ""
        return f"coin {value} on {self.phrases.region(color)}{total}"
