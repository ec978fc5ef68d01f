"""Games that the referee passed, with result rows that agree with its counts."""

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import referee
from inside.simulator.game import MAX_AGES, MAX_SLOTS, NONE
from referee.table import SOURCES

from ethnos_sim.simulator import SIXTIETHS, GameTable, Power, TracedGame, trace_game

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


#: Columns that no event tells: how the line-up sits.
UNTOLD = {"entry", "rotation"}


def check_rows(table: GameTable, traced: TracedGame, summary: referee.Summary) -> None:
    """Assert that the kernel's result rows agree with the referee's counts, column by column."""
    expected = _seats(table, traced.trace, summary), _game(table, traced.trace, summary)
    for row, columns in zip((traced.seats, traced.game), expected, strict=True):
        for name in {*row.dtype.names} - UNTOLD:
            assert name in columns, f"'{name}' of a result row: count it from the events here"
            assert row[name].tolist() == columns[name], (
                f"'{name}' of a result row: the kernel counts otherwise than this file (prestige "
                "goes to `view.prestige` and to a source of `hidden.seats`)"
            )


def _seats(table: GameTable, trace: dict[str, Any], summary: referee.Summary) -> dict[str, Any]:
    """The columns of SEAT_DTYPE by seat, as the referee and the trace's events have them."""
    seats = range(len(summary.prestige))
    parties = [_parties(table, trace, seat) for seat in seats]
    clans = [trace["gave_up"][seat] if seat < table.players else None for seat in seats]
    ages = [trace["gave_up_age"][seat] if seat < table.players else None for seat in seats]
    columns = [Counter(party.get("column") for party in parties[seat]) for seat in seats]
    return {
        **{"party_points" if name == "parties" else name: summary.totals[name] for name in SOURCES},
        "prestige": summary.prestige,
        "after_age": [_all_ages([by[seat] for by in summary.after_age], 0) for seat in seats],
        "markers": summary.markers,
        "won": [SIXTIETHS // len(summary.winners) * (seat in summary.winners) for seat in seats],
        "parties": [len(parties[seat]) for seat in seats],
        "cards": [sum(len(party["cards"]) for party in parties[seat]) for seat in seats],
        "led": [_led(table, parties[seat]) for seat in seats],
        "columns": [[columns[seat][color] for color in table.rules.colors] for seat in seats],
        "gave_up": [NONE if clan is None else table.rules.clans.index(clan) for clan in clans],
        "gave_up_age": [age or 0 for age in ages],
    }


def _game(table: GameTable, trace: dict[str, Any], summary: referee.Summary) -> dict[str, Any]:
    """The columns of GAME_DTYPE, as the referee and the trace have them."""
    first = next(event for event in trace["events"] if event["event"] == "age")
    acts = [event for event in trace["events"] if event["event"] in ("recruit", "party", "pass")]
    return {
        "game": trace["game"],
        "deal": trace["game"] // table.rotations,
        "first_player": first["first_player"],
        "winners": len(summary.winners),
        "turns": len(acts) - sum(act.get("again", False) for act in acts),
        "decisions": len(acts),
        "drawn": _all_ages(summary.left_deck, 0),
        "last_dragon": _all_ages(summary.last_dragons, NONE),
    }


def _all_ages(numbers: list[int], unused: int) -> list[int]:
    """Numbers by age, with a filler for ages that were not played."""
    return numbers + [unused] * (MAX_AGES - len(numbers))


def _parties(table: GameTable, trace: dict[str, Any], seat: int) -> list[Event]:
    """The parties of a player, or Bruno's. A hand of wild cards that wins is none (R3)."""
    bruno = trace["players"] == 1 and seat == 1
    kind, player = ("bruno_party", None) if bruno else ("party", seat)
    return [
        event
        for event in trace["events"]
        if event["event"] == kind and event.get("player") == player
        if table.rules.power_of(_clan(event)) is not Power.WILD
    ]


def _clan(party: Event) -> str:
    """The clan of a party's leader."""
    return party["leader"].partition(":")[0]


def _led(table: GameTable, parties: list[Event]) -> list[int]:
    """How many of these parties the clan of each slot led."""
    led = Counter(map(_clan, parties))
    slots = [led[clan] * (table.slots.index(clan) == at) for at, clan in enumerate(table.slots)]
    return slots + [0] * (MAX_SLOTS - len(slots))
