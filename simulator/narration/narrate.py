"""Turn a trace object into the lines of its narration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ethnos_sim.simulator.narration import scores, turns
from ethnos_sim.simulator.narration.board import Board, Event
from ethnos_sim.simulator.narration.game import Game, name_in_words
from ethnos_sim.simulator.narration.lines import plural, wrapped

#: For each kind of event, the function that narrates it.
NARRATORS = {
    "age": turns.age,
    "recruit": turns.recruit,
    "party": turns.party,
    "pass": turns.passes,
    "refill": turns.refill,
    "power": turns.power,
    "bruno_gets": turns.bruno_gets,
    "bruno_party": turns.bruno_party,
    "age_end": scores.age_end,
    "game_end": scores.game_end,
}


def narrate(trace: dict[str, Any]) -> Iterator[str]:
    """Narrate a game: title, each age by turns with a table at its end, and the final standing.

    Args:
        trace: a trace object (docs/trace.md).
    """
    board = Board(Game.of(trace))
    name, *facts = heading_facts(board.game)
    yield name
    for fact in facts:
        yield from wrapped(fact)
    for event in trace["events"]:
        yield from narrate_event(board, event)


def narrate_event(board: Board, event: Event) -> list[str]:
    """Apply an event to the board, and narrate it in lines."""
    board.apply(event)
    return [*NARRATORS[event["event"]](board, event), *turns.dragons(board, event)]


def heading_facts(game: Game) -> list[str]:
    """Sentences that name the game, its table, its clans and its players."""
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
        f"{plural(game.players, 'player')}, {trace['mode']} mode, rules {rules.rules_id}",
        f"{rules.words.clans.capitalize()}: {clans}",
        f"Players: {names}",
    ]
