"""The effects of a party's marker, its leader's power and custom powers, as parts of a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.game.records import BRUNO
from ethnos_sim.simulator.narration.board import Board, Event
from ethnos_sim.simulator.narration.game import in_words
from ethnos_sim.simulator.narration.lines import plural


@dataclass(frozen=True)
class Laid:
    """A party that a player or Bruno lays; `event` is the party's trace event."""

    board: Board
    player: int
    clan: str
    color: str
    event: Event

    @property
    def power(self) -> Power:
        """The leader's power."""
        return self.board.game.rules.power_of(self.clan)

    @property
    def is_hooked(self) -> bool:
        """Whether a custom power, of the clan or of the table, may have a say in the party."""
        return self.power is Power.CUSTOM or bool(self.board.game.table_powers)

    @property
    def size(self) -> int:
        """How many cards the party has, wild cards included."""
        return len(self.event["cards"])

    @property
    def bonus(self) -> int:
        """How many cards more the party counts as when its marker is placed."""
        return self.board.game.rules.number(self.clan, "marker_bonus")

    def marker(self) -> str:
        """Put the marker of step 1 on the board; say where, or why no marker is placed."""
        board, player = self.board, self.player
        target = self.event["region"]
        if target is not None:
            short = self.size <= board.to_beat(player, target)
            board.place(player, target)
            marker = f"marker in {board.standing(player, target)}"
            if short and not self.is_hooked:
                marker += f" ({in_words(self.clan)}: counts as {self.size + self.bonus} cards)"
            return marker
        if self.is_hooked:
            return "no marker"
        if not board.game.rules.number(self.clan, "places_marker"):
            return f"{in_words(self.clan)}: no marker"
        if board.supply[player] <= 0:
            return "no marker is left"
        needed = board.to_beat(player, self.color) + 1 - self.bonus
        if self.size >= needed:
            return "no marker, by choice"
        return f"no marker: {board.game.region(self.color)} takes {plural(needed, 'card')}"

    def power_used(self) -> list[str]:
        """The effect of the leader's power, before the rest of the hand is discarded."""
        effect = {
            Power.LARGEST_TOKEN: self._largest,
            Power.SEA_TRACK: self._sea,
            Power.SETTLEMENT_BOARD: self._settle,
            Power.TIE_BREAK_TOKENS: self._token,
            Power.COINS: self._coin,
        }.get(self.power)
        return [] if effect is None else [f"{in_words(self.clan)}: {effect()}"]

    def worth(self) -> list[str]:
        """The points that the party itself will score; empty if it is too small to score."""
        size, points = self.board.scored_size(self.event), self.board.points(self.event)
        larger = size != self.board.members(self.event)
        as_size = f" as {plural(size, 'card')}" if larger else ""
        return [f"scores {points}{as_size}"] if points else []

    def _largest(self) -> str:
        rules = self.board.game.rules
        if self.event["largest"]:
            self.board.take_largest(self.clan, self.player, self.size)
            on_take = rules.number(self.clan, "on_take")
            return f"takes the token, +{on_take} {rules.words.prestige} at once"
        if self.clan not in self.board.largest:
            return "does not take the token"
        holder, size = self.board.largest[self.clan]
        return f"the token stays with {self.board.game.seat_names[holder]}, {plural(size, 'card')}"

    def _sea(self) -> str:
        board = self.board
        before, after = board.sea[self.clan][self.player], self.event["sea"]
        if after is None:
            return "does not move"
        if before == after == board.game.rules.number(self.clan, "last_space"):
            return f"already at the end of the sea track, {after}"
        text = sails(board, self.clan, self.player, after)
        for color in self.event["sea_regions"]:
            board.place(self.player, color)
            text += f", extra marker in {board.standing(self.player, color)}"
        return text

    def _settle(self) -> str:
        if self.event["settled"] is not None:
            return settles(self.board, self.clan, self.player, self.event["settled"])
        if self.color in self.board.settled[self.clan][self.player]:
            return f"{self.color} on the board is taken already"
        return "settles nothing"

    def _token(self) -> str:
        token = self.event["token"]
        return "takes no token" if token is None else takes_token(self.board, self.player, token)

    def _coin(self) -> str:
        coin = self.event["coin"]
        if coin is None:
            return "no coin is left"
        color, value = self.color, coin
        if isinstance(coin, dict):
            color, value = coin["region"], coin["value"]
        total = f", {self.board.coins[color] + value} there" if self.board.coins[color] else ""
        return lays_coin(self.board, color, value) + total


def sails(board: Board, clan: str, player: int, space: int) -> str:
    """Move a player's marker up a clan's sea track; return the text."""
    before, board.sea[clan][player] = board.sea[clan][player], space
    return f"sea track {before} to {space}"


def settles(board: Board, clan: str, player: int, color: str) -> str:
    """Put a player's marker on a clan's settlement board; return the text."""
    settled = board.settled[clan][player]
    settled.add(color)
    board.supply[player] -= 1
    return f"settles {color}, {len(settled)} on the board"


def takes_token(board: Board, player: int, value: int) -> str:
    """Give a player a tie-break token; return the text."""
    board.tokens[player].append(value)
    return f"takes token {value}"


def lays_coin(board: Board, color: str, value: int) -> str:
    """Lay a coin onto a region; return the text."""
    board.coins[color] += value
    return f"coin {value} on {board.game.region(color)}"


class Actions:
    """Carries out the actions of custom powers on a board, one by one, and narrates them.

    Each action (`trace.ACTIONS`) has a method with its name, which returns the text.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._game = board.game
        self._owner = ""

    def parts(self, owner: str, actions: Sequence[Event], player: int) -> list[str]:
        """The actions of an owner's power as parts of a sentence; `player` is not named in them."""
        self._owner = owner
        sentences = []
        for action in actions:
            text = getattr(self, f"_{action['action']}")(action)
            other = action["player"] != player
            sentences.append(f"{self._game.seat_names[action['player']]} {text}" if other else text)
        return sentences

    def _draw(self, action: Event) -> str:
        board = self._board
        solo = board.game.solo and action["player"] == BRUNO
        place = board.columns if solo else board.hands[action["player"]]
        board.draw(action["dragons"], [] if action["card"] is None else [action["card"]], place)
        if action["card"] is None:
            return "draws the last dragon"
        met = f"{plural(action['dragons'], 'dragon')}, then " if action["dragons"] else ""
        return f"draws {met}{self._game.card(action['card'])}"

    def _take(self, action: Event) -> str:
        self._board.take(action["player"], action["card"])
        return f"takes {self._game.card(action['card'])}"

    def _discard(self, action: Event) -> str:
        self._board.lose(action["player"], [action["card"]])
        self._board.pool[action["card"]] += 1
        return f"discards {self._game.card(action['card'])}"

    def _give(self, action: Event) -> str:
        self._board.lose(action["player"], [action["card"]])
        self._board.hands[action["to"]][action["card"]] += 1
        self._board.known[action["to"]][action["card"]] += 1
        return f"gives {self._game.card(action['card'])} to {self._game.seat_names[action['to']]}"

    def _place(self, action: Event) -> str:
        self._board.place(action["player"], action["region"])
        standing = self._board.standing(action["player"], action["region"])
        return f"another marker in {standing}"

    def _move(self, action: Event) -> str:
        player, start, target = action["player"], action["region"], action["to_region"]
        self._board.markers[start][player] -= 1
        self._board.markers[target][player] += 1
        standing = self._board.standing(player, target)
        return f"moves a marker from {self._game.region(start)} to {standing}"

    def _remove(self, action: Event) -> str:
        self._board.markers[action["region"]][action["player"]] -= 1
        self._board.supply[action["player"]] += 1
        return f"takes a marker back from {self._game.region(action['region'])}"

    def _pay(self, action: Event) -> str:
        self._board.sources["powers"][action["player"]] += action["prestige"]
        self._board.paid[self._owner][action["player"]] += action["prestige"]
        return f"{action['prestige']:+} {self._game.rules.words.prestige}"

    def _token(self, action: Event) -> str:
        return takes_token(self._board, action["player"], action["value"])

    def _sea(self, action: Event) -> str:
        clan = self._clan_with(Power.SEA_TRACK)
        return sails(self._board, clan, action["player"], action["space"])

    def _settle(self, action: Event) -> str:
        clan = self._clan_with(Power.SETTLEMENT_BOARD)
        return settles(self._board, clan, action["player"], action["region"])

    def _coin(self, action: Event) -> str:
        return lays_coin(self._board, action["region"], action["value"])

    def _largest(self, action: Event) -> str:
        clan = self._clan_with(Power.LARGEST_TOKEN)
        self._board.take_largest(clan, action["player"], action["size"])
        return f"takes the largest-{self._game.rules.words.party} token"

    def _clan_with(self, power: Power) -> str:
        """The first clan in play with a power; custom powers use its track, board and tokens."""
        return self._game.clans_with(power)[0]

    def _remember(self, action: Event) -> str:
        return f"notes {action['value']}" + (f" ({action['place']})" if action["place"] else "")

    def _choose(self, action: Event) -> str:
        return "declines" if action["choice"] is None else f"chooses {action['choice']}"

    def _counts_as(self, action: Event) -> str:
        return f"counts as {plural(action['size'], 'card')}"

    def _scores_as(self, action: Event) -> str:
        return f"scores as {plural(action['size'], 'card')}"
