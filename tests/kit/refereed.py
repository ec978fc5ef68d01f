"""Games that the referee passed, with result rows that agree with its counts."""

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import referee

from ethnos_sim.simulator import SIXTIETHS, GameTable, TracedGame, trace_game

Event = dict[str, Any]


@dataclass
class PlayedGame:
    """A game that the referee passed."""

    traced: TracedGame
    summary: referee.Summary

    @property
    def events(self) -> list[Event]:
        """The trace's events."""
        events: list[Event] = self.traced.trace["events"]
        return events

    @property
    def seats(self) -> np.ndarray:
        """The result rows by player (SEAT_DTYPE)."""
        return self.traced.seats

    @property
    def winners(self) -> list[int]:
        """The winners."""
        return self.summary.winners

    def of(self, kind: str, player: int | None = None) -> list[Event]:
        """The events of a kind; only those of `player` if it is given."""
        return [
            event
            for event in self.events
            if event["event"] == kind and player in (None, event.get("player"))
        ]

    def party(self, player: int, number: int) -> Event:
        """One of a player's parties, by its number in the game from 0 (-1 for the last)."""
        return self.of("party", player)[number]

    def age_end(self, age: int) -> Event:
        """The event that ends an age."""
        return self.of("age_end")[age - 1]

    def region_won(self, age: int, color: str) -> list[int]:
        """The prestige of each player for a region at the end of an age."""
        won: list[int] = self.age_end(age)["regions"][color]
        return won


def refereed(table: GameTable, *, seed: int, game: int) -> PlayedGame:
    """Play a game, as `trace_game` does, and let the referee check it."""
    return passed(table, trace_game(table, seed=seed, game=game))


def passed(table: GameTable, traced: TracedGame) -> PlayedGame:
    """Let the referee check every event and the result rows, and return the game.

    Raises:
        referee.Fault: the kernel broke a rule.
    """
    summary = referee.replay(json.loads(json.dumps(traced.trace)))
    check_rows(table, traced, summary)
    return PlayedGame(traced, summary)


def check_rows(table: GameTable, traced: TracedGame, summary: referee.Summary) -> None:
    """Assert that the kernel's result rows agree with the referee's counts."""
    seats, game = traced.seats, traced.game
    for source, by_player in summary.totals.items():
        named = "party_points" if source == "parties" else source
        assert seats[named].tolist() == by_player, (
            f"'{named}' of SEAT_DTYPE is not what the referee counts: what the kernel adds to "
            "`view.prestige` it adds to a source of `hidden.seats` as well"
        )
    assert seats["prestige"].tolist() == summary.prestige
    assert seats["markers"].tolist() == summary.markers
    assert np.flatnonzero(seats["won"]).tolist() == summary.winners
    share = SIXTIETHS // len(summary.winners)
    assert set(seats["won"][summary.winners].tolist()) == {share}
    assert game["winners"] == len(summary.winners)
    assert game["drawn"].tolist()[: len(summary.left_deck)] == summary.left_deck
    finished = len(summary.last_dragons)
    assert game["last_dragon"].tolist()[:finished] == summary.last_dragons
    assert seats["after_age"][:, :finished].T.tolist() == summary.after_age
    numbers = [None if n < 0 else table.rules.clans[n] for n in seats["gave_up"]]
    assert numbers[: table.players] == traced.trace["gave_up"]
    assert seats["gave_up_age"].tolist()[: table.players] == [
        age or 0 for age in traced.trace["gave_up_age"]
    ]
    led = sum((Counter(by_clan) for by_clan in summary.parties_led), Counter())
    for clan in table.clans:
        assert seats["led"][:, table.slots.index(clan)].sum() == led[clan]
