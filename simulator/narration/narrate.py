"""Turn a trace object into the lines of its narration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ethnos_sim.simulator.narration import scores, turns
from ethnos_sim.simulator.narration.board import Board, Event
from ethnos_sim.simulator.narration.game import Game, name_in_words
from ethnos_sim.simulator.narration.lines import count_phrase, wrap

#: For each kind of event, the function that narrates it.
NARRATORS = {
    "age": turns.narrate_age,
    "recruit": turns.narrate_recruit,
    "party": turns.narrate_party,
    "pass": turns.narrate_pass,
    "refill": turns.narrate_refill,
    "power": turns.narrate_power,
    "bruno_gets": turns.narrate_gift_to_bruno,
    "bruno_party": turns.narrate_bruno_party,
    "age_end": scores.narrate_age_end,
    "game_end": scores.narrate_game_end,
}


def narrate(trace: dict[str, Any]) -> Iterator[str]:
    """Narrate a game: title, the turns and final table of each age, and the final standing.

    Args:
        trace: a trace object (docs/trace.md).
    """
    board = Board(Game.from_trace(trace))
    name, *facts = introduction(board.game)
    yield name
    for fact in facts:
        yield from wrap(fact)
    for event in trace["events"]:
        yield from narrate_event(board, event)


def narrate_event(board: Board, event: Event) -> list[str]:
    """Apply an event to the board; return the event's lines."""
    board.apply(event)
    return [*NARRATORS[event["event"]](board, event), *turns.dragon_lines(board, event)]


def introduction(game: Game) -> list[str]:
    """The title of a game, then sentences that name its table, clans and players."""
    trace = game.trace
    rules = game.rules
    clans = ", ".join(
        f"{name_in_words(clan)} ({rules.words.translate(rules.power_of(clan).label)})"
        for clan in game.clans
    )
    players = [name.partition(":answers=")[0] for name in trace["strategies"]]
    names = ", ".join(f"P{n} {name}" for n, name in enumerate(players))
    if game.solo:
        names += " against Chief Bruno"
    return [
        f"Ethnos, {rules.title}: game {trace['game']} of seed {trace['seed']}",
        f"{count_phrase(game.players, 'player')}, {trace['mode']} mode, rules {rules.rules_id}",
        f"{rules.words.clans.capitalize()}: {clans}",
        f"Players: {names}",
    ]
