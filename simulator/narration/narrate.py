"""Turn a trace object into the lines of its narration."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ethnos_sim.simulator.narration.board import Board, Event
from ethnos_sim.simulator.narration.game import Game, in_words
from ethnos_sim.simulator.narration.lines import Line, plural, wrapped
from ethnos_sim.simulator.narration.scores import Scores
from ethnos_sim.simulator.narration.turns import Turns


def narrate(trace: dict[str, Any]) -> Iterator[Line]:
    """Narrate a game: title, each age by turns with a table at its end, and the final standing.

    Args:
        trace: a trace object (docs/trace.md).
    """
    board = Board(Game.of(trace))
    tell = tellers(board)
    name, *facts = heading_facts(board.game)
    yield Line("title", name)
    for fact in facts:
        yield from wrapped("note", fact, 0)
    for event in trace["events"]:
        yield from tell[event["event"]](event)


def tellers(board: Board) -> dict[str, Callable[[Event], list[Line]]]:
    """The functions that narrate events, by kind of event. Call them in the order of the events."""
    turns, scores = Turns(board), Scores(board)
    return {
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


def heading_facts(game: Game) -> list[str]:
    """Sentences that name the game, its table, its clans and its players."""
    trace = game.trace
    rules = game.rules
    clans = ", ".join(
        f"{in_words(clan)} ({rules.words.translate(rules.power_of(clan).label)})"
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
