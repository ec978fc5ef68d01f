"""Make the page of a game, or of an empty table, with the data that its script needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ethnos_sim.reports.rendering.document import NOTICE
from ethnos_sim.reports.rendering.pages import render_page
from ethnos_sim.reports.viewer.seat_data import seat_data
from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.narration.board import SOURCES
from ethnos_sim.simulator.narration.game import Game
from ethnos_sim.simulator.narration.narrate import introduction

FOLDER = Path(__file__).parent
#: The title of an empty page until the script of the report, which opens the page, adds a table
#: (live/sit_down.js).
DEFAULT_TITLE = "Ethnos: a seat at the table"


def game_page(trace: dict[str, Any], rotations: int, answers: Sequence[str]) -> str:
    """A self-contained HTML page that shows a game turn by turn, and offers a seat at its table.

    Args:
        trace: the trace of the game (docs/trace.md).
        rotations: how many seatings of every deal were in the match of the game.
        answers: the answers of every seat (`answers_by_seat`).

    Raises:
        UnportableCode: no page can play by the rules of the game.
    """
    game = Game.from_trace(trace)
    seats = seat_data(game, rotations)
    return table_page(
        _title(game), introduction(game), game_facts(game), {**seats, "answers": answers}
    )


def empty_page() -> str:
    """A page without a table; a script adds the table and the engine (sit_down.js)."""
    return table_page(DEFAULT_TITLE, [], {}, {})


def table_page(
    title: str, facts: Sequence[str], names: dict[str, Any], play_data: dict[str, Any]
) -> str:
    """The page, with data for its scripts: `names` from `game_facts`, the rest from `seat_data`."""
    data = {"names": names, "live": play_data}
    return render_page(
        FOLDER, "viewer", data, plays_games=True, title=title, facts=facts, notice=NOTICE
    )


def _title(game: Game) -> str:
    """The edition and the strategies: "Ethnos, 2nd edition (2024): 2 × greedy, champion"."""
    players = Counter(name.partition(":")[0] for name in game.trace["strategies"])
    names = [f"{number} × {name}" if number > 1 else name for name, number in players.items()]
    against = " against Chief Bruno" if game.solo else ""
    return f"Ethnos, {game.rules.title}: {', '.join(names)}{against}"


#: Powers by source of prestige, for the sources that are named after the clans with the power.
SOURCE_POWERS = {
    "sea": Power.SEA_TRACK,
    "largest": Power.LARGEST_TOKEN,
    "settlement": Power.SETTLEMENT_BOARD,
    "powers": Power.CUSTOM,
}


def game_facts(game: Game) -> dict[str, Any]:
    """The names and numbers that describe a game's table (`Names` in words.js)."""
    rules, words = game.rules, game.rules.words
    sources = {"regions": [words.regions], "parties": [words.parties]}
    for source, power in SOURCE_POWERS.items():
        sources[source] = game.clans_with(power)
    return {
        "colors": rules.colors,
        "regions": rules.regions,
        "title": rules.title,
        "players": game.side_names,
        "words": {name: getattr(words, name) for name in ("party", "parties", "age", "prestige")},
        "sources": {source: sources[source] for source in SOURCES if sources[source]},
        "powers": {
            clan: words.translate(game.rules.power_of(clan).description) for clan in game.clans
        },
    }
