"""What custom powers did, as parts of a line; keeps the board up to date."""

from __future__ import annotations

from collections.abc import Sequence

from ethnos_sim.simulator.narration.board import Board, Event
from ethnos_sim.simulator.narration.lines import plural
from ethnos_sim.simulator.narration.phrases import Phrases
from ethnos_sim.simulator.powers import Power
from ethnos_sim.simulator.records import BRUNO


class Actions:
    """Does the actions of custom powers on a board, one after the other, and tells them.

    A method named after each action (`trace.ACTIONS`) is given it and returns what is told.
    """

    def __init__(self, board: Board, phrases: Phrases) -> None:
        self._board = board
        self._phrases = phrases
        self._clan = ""

    def parts(self, clan: str, actions: Sequence[Event], player: int) -> list[str]:
        """A clan's actions as parts of a sentence about a player, whose name is left out."""
        self._clan = clan
        told = []
        for action in actions:
            text = getattr(self, f"_{action['action']}")(action)
            other = action["player"] != player
            told.append(f"{self._phrases.short[action['player']]} {text}" if other else text)
        return told

    def _draw(self, action: Event) -> str:
        board = self._board
        solo = board.game.solo and action["player"] == BRUNO
        place = board.columns if solo else board.hands[action["player"]]
        board.draw(action["dragons"], [] if action["card"] is None else [action["card"]], place)
        if action["card"] is None:
            return "draws the last dragon"
        met = f"{plural(action['dragons'], 'dragon')}, then " if action["dragons"] else ""
        return f"draws {met}{self._phrases.card(action['card'])}"

    def _take(self, action: Event) -> str:
        self._board.take(action["player"], action["card"])
        return f"takes {self._phrases.card(action['card'])}"

    def _discard(self, action: Event) -> str:
        self._board.lose(action["player"], [action["card"]])
        self._board.pool[action["card"]] += 1
        return f"discards {self._phrases.card(action['card'])}"

    def _give(self, action: Event) -> str:
        self._board.lose(action["player"], [action["card"]])
        self._board.hands[action["to"]][action["card"]] += 1
        self._board.known[action["to"]][action["card"]] += 1
        return f"gives {self._phrases.card(action['card'])} to {self._phrases.short[action['to']]}"

    def _place(self, action: Event) -> str:
        self._board.place(action["player"], action["region"])
        standing = self._phrases.standing(self._board, action["player"], action["region"])
        return f"another marker in {standing}"

    def _move(self, action: Event) -> str:
        player, start, target = action["player"], action["region"], action["to_region"]
        self._board.markers[start][player] -= 1
        self._board.markers[target][player] += 1
        there = self._phrases.standing(self._board, player, target)
        return f"moves a marker from {self._phrases.region(start)} to {there}"

    def _remove(self, action: Event) -> str:
        self._board.markers[action["region"]][action["player"]] -= 1
        self._board.supply[action["player"]] += 1
        return f"takes a marker back from {self._phrases.region(action['region'])}"

    def _pay(self, action: Event) -> str:
        self._board.sources["powers"][action["player"]] += action["prestige"]
        self._board.paid[self._clan][action["player"]] += action["prestige"]
        return f"{action['prestige']:+} {self._board.game.rules.words.prestige}"

    def _token(self, action: Event) -> str:
        self._board.tokens[action["player"]].append(action["value"])
        return f"takes token {action['value']}"

    def _sea(self, action: Event) -> str:
        places = self._board.sea[self._clan_with(Power.SEA_TRACK)]
        before, places[action["player"]] = places[action["player"]], action["space"]
        return f"sea track {before} to {action['space']}"

    def _settle(self, action: Event) -> str:
        board = self._board.settled[self._clan_with(Power.SETTLEMENT_BOARD)][action["player"]]
        board.add(action["region"])
        self._board.supply[action["player"]] -= 1
        return f"settles {action['region']}, {len(board)} on the board"

    def _coin(self, action: Event) -> str:
        self._board.coins[action["region"]] += action["value"]
        return f"coin {action['value']} on {self._phrases.region(action['region'])}"

    def _largest(self, action: Event) -> str:
        clan = self._clan_with(Power.LARGEST_TOKEN)
        self._board.take_largest(clan, action["player"], action["size"])
        return f"takes the largest-{self._board.game.rules.words.party} token"

    def _clan_with(self, power: Power) -> str:
        """The first clan in play with a power, whose parts custom powers use."""
        return self._board.game.clans_with(power)[0]

    def _remember(self, action: Event) -> str:
        return f"notes {action['value']}" + (f" ({action['place']})" if action["place"] else "")

    def _choose(self, action: Event) -> str:
        return "declines" if action["choice"] is None else f"chooses {action['choice']}"

    def _counts_as(self, action: Event) -> str:
        return f"counts as {plural(action['size'], 'card')}"

    def _scores_as(self, action: Event) -> str:
        return f"scores as {plural(action['size'], 'card')}"
