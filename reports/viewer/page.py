"""Make the page of a game from its trace: the table after each event, and the names on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ethnos_sim.experiments.matches.explaining import JUDGE, TurnChance
from ethnos_sim.reports.rendering.document import NOTICE
from ethnos_sim.reports.rendering.scripts import packed_data, rendered
from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.narration import Line
from ethnos_sim.simulator.narration.board import SOURCES, Board, Event
from ethnos_sim.simulator.narration.game import Game
from ethnos_sim.simulator.narration.narrate import heading_facts, told

FOLDER = Path(__file__).parent


#: The title of a page until its script reads the game that another script put into it
#: (live/sit_down.js).
UNNAMED = "Ethnos: a seat at the table"


def game_page(
    trace: dict[str, Any],
    chances: Sequence[TurnChance] = (),
    guesses: int = 0,
    seats: dict[str, Any] | None = None,
) -> str:
    """A self-contained HTML page that shows a game event by event.

    Args:
        trace: a trace object (docs/trace.md).
        chances: the turns as judged by look-ahead; without them the page has no curve.
        guesses: the number of guesses at hidden cards behind these chances.
        seats: the data with which a person takes a seat (`seat.sit_down`); None for no seat.
    """
    game = Game.of(trace)
    story = [lines for lines, _ in narrated_states(trace)]
    return rendered(
        FOLDER,
        "viewer",
        {"data": game_data(trace, chances), "live": seats},
        plays=seats is not None,
        title=_title(game),
        facts=heading_facts(game),
        story=_story(story),
        chances_note=_chances_note(guesses),
        notice=NOTICE,
    )


def empty_page() -> str:
    """A page without a game; a script adds the game and its seats (sit_down.js)."""
    return rendered(
        FOLDER,
        "viewer",
        {"data": {}, "live": {}},
        plays=True,
        title=UNNAMED,
        facts=[],
        story=[],
        chances_note="",
        notice=NOTICE,
    )


def game_data(trace: dict[str, Any], chances: Sequence[TurnChance] = ()) -> dict[str, Any]:
    """The data of a game for the page's script."""
    return {
        "events": trace["events"],
        "rules": trace["rules"],
        "tokens": trace["prestige_tokens"],
        "states": packed_data([shown for _, shown in narrated_states(trace)]),
        "names": game_facts(Game.of(trace)),
        "chances": _judged_turns(Game.of(trace), chances),
    }


def _title(game: Game) -> str:
    """The edition and who plays: "Ethnos, 2nd edition (2024): 2 × greedy, champion"."""
    players = Counter(name.partition(":")[0] for name in game.trace["strategies"])
    names = [f"{number} × {name}" if number > 1 else name for name, number in players.items()]
    against = " against Chief Bruno" if game.solo else ""
    return f"Ethnos, {game.rules.title}: {', '.join(names)}{against}"


def _story(events: Iterable[list[Line]]) -> Iterator[tuple[int, str, str]]:
    """The narration of each event: its step, the kind of its first line, and its lines."""
    for number, lines in enumerate(events):
        kind = next((line.kind for line in lines if line.text), "note")
        yield number + 1, kind, "\n".join(line.text for line in lines)


def _judged_turns(game: Game, chances: Sequence[TurnChance]) -> list[dict[str, Any]]:
    """The judged turns, as `TurnChance` in chances.js."""
    steps, rounded = turn_steps(game.trace), ("chance", "error", "cost", "cost_error")
    return [
        {
            "step": steps[judged.turn - 1],
            "turn": judged.turn,
            "player": judged.player,
            **{name: round(getattr(judged, name), 4) for name in rounded},
            "best": judged.best.in_words(game),
            "best_chance": round(judged.best.chance, 4),
        }
        for judged in chances
    ]


def turn_steps(trace: dict[str, Any]) -> list[int]:
    """For every turn, in order, the step of its first event; steps count from 1."""
    steps, chained = [], False
    for number, event in enumerate(trace["events"]):
        if event["event"] in ("recruit", "party", "pass") and not chained:
            steps.append(number + 1)
        if event["event"] == "party":
            chained = event["again"]
    return steps


def _chances_note(guesses: int) -> str:
    return (
        f"After each turn {JUDGE} guesses the cards that the player could not see ({guesses} "
        "times), lets learned play on in every seat until the player's second turn, and values the "
        "chance to win there. Each chance uses only what the player could know. Beside the names "
        "the chances are scaled to sum to 100 %; at the end they are the result. Bands and ± are "
        "95 % intervals over the guesses. A move's cost is how much higher the chance is after the "
        "best move that look-ahead found: half of the guesses choose that move, the other half "
        "measure the difference."
    )


State = dict[str, Any]
"""A table, as `State` in state.js."""


def narrated_states(trace: dict[str, Any]) -> Iterator[tuple[list[Line], State]]:
    """The narration of each event of a trace, and the table after it."""
    board = Board(Game.of(trace))
    for event in trace["events"]:
        yield told(board, event), _table_state(board, event)


def _table_state(board: Board, event: Event) -> State:
    """A copy of the table after an event, which later events do not change."""
    colors, clans = board.game.rules.colors, board.game.trace["clans"]
    holders = {
        clan: dict(zip(("player", "size"), holder, strict=True))
        for clan, holder in board.largest.items()
    }
    return {
        "age": board.age,
        "turn": board.turn,
        "hands": [sorted(hand.elements()) for hand in board.hands],
        "known": [sorted(cards.elements()) for cards in board.known],
        "pool": sorted(board.pool.elements()),
        "deck": board.deck,
        "dragons": board.dragons,
        "columns": sorted(board.columns.elements()),
        "faceUp": list(board.face_up),
        "markers": {color: list(row) for color, row in board.markers.items()},
        "supply": list(board.supply),
        "coins": {color: board.coins[color] for color in colors},
        "sea": {clan: list(places) for clan, places in board.sea.items()},
        "tokens": [list(tokens) for tokens in board.tokens],
        "largest": {clan: holders.get(clan) for clan in clans},
        "settled": {
            clan: [sorted(boards) for boards in board.settled[clan]] for clan in board.settled
        },
        "parties": [
            [{"cards": party["cards"], "leader": party["leader"]} for party in laid]
            for laid in board.laid
        ],
        "partyPoints": board.party_points,
        "prestige": board.prestige,
        "sources": {source: list(brought) for source, brought in board.sources.items()},
        "winners": event["winners"] if event["event"] == "game_end" else None,
    }


#: By source of prestige: the power whose clans give the source its name.
POWER_SOURCES = {
    "sea": Power.SEA_TRACK,
    "largest": Power.LARGEST_TOKEN,
    "settlement": Power.SETTLEMENT_BOARD,
    "powers": Power.CUSTOM,
}


def game_facts(game: Game) -> dict[str, Any]:
    """The facts of a game, as `Names` in words.js says them."""
    rules, words = game.rules, game.rules.words
    sources = {"regions": [words.regions], "parties": [words.parties]}
    for source, power in POWER_SOURCES.items():
        sources[source] = game.clans_with(power)
    return {
        "colors": rules.colors,
        "regions": rules.regions,
        "ages": game.ages,
        "dragons": rules.number("dragons"),
        "lastDragon": rules.ending_dragon,
        "title": rules.title,
        "players": game.names,
        "words": {name: getattr(words, name) for name in ("party", "parties", "age", "prestige")},
        "sources": {source: sources[source] for source in SOURCES if sources[source]},
        "seaTracks": {
            clan: {
                "last": rules.number(clan, "last_space"),
                "symbols": rules.numbers(clan, "symbols"),
            }
            for clan in game.clans_with(Power.SEA_TRACK)
        },
        "powers": {
            clan: words.translate(game.rules.power_of(clan).description) for clan in game.clans
        },
    }
