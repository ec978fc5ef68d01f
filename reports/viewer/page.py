"""Make the page of a game, and of an empty table: the names on it, and what its script needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ethnos_sim.reports.rendering.document import NOTICE
from ethnos_sim.reports.rendering.pages import render_page
from ethnos_sim.reports.viewer.seat_data import sit_down
from ethnos_sim.simulator.game.powers import Power
from ethnos_sim.simulator.narration.board import SOURCES
from ethnos_sim.simulator.narration.game import Game
from ethnos_sim.simulator.narration.narrate import introduction

FOLDER = Path(__file__).parent


#: The title of a page until its script reads the table that another script put into it
#: (live/sit_down.js).
UNNAMED = "Ethnos: a seat at the table"


def game_page(trace: dict[str, Any], rotations: int, answers: Sequence[str]) -> str:
    """A self-contained HTML page that plays a game again to be watched, and offers a seat at it.

    Args:
        trace: the trace of the game (docs/trace.md).
        rotations: in how many seatings its match plays a deal.
        answers: each seat's answers (`answers_by_seat`).

    Raises:
        UnportableCode: no page can play by the game's rules.
    """
    game = Game.of(trace)
    seats = sit_down(game, rotations)
    return page_of(
        _title(game), introduction(game), game_facts(game), {**seats, "answers": answers}
    )


def empty_page() -> str:
    """A page without a table; a script adds the table and the engine (sit_down.js)."""
    return page_of(UNNAMED, [], {}, {})


def page_of(title: str, facts: Sequence[str], names: dict[str, Any], live: dict[str, Any]) -> str:
    """The page with the names at a table, and the engine with what it plays."""
    data = {"names": names, "live": live}
    return render_page(FOLDER, "viewer", data, plays=True, title=title, facts=facts, notice=NOTICE)


def _title(game: Game) -> str:
    """The edition and who plays: "Ethnos, 2nd edition (2024): 2 × greedy, champion"."""
    players = Counter(name.partition(":")[0] for name in game.trace["strategies"])
    names = [f"{number} × {name}" if number > 1 else name for name, number in players.items()]
    against = " against Chief Bruno" if game.solo else ""
    return f"Ethnos, {game.rules.title}: {', '.join(names)}{against}"


#: By source of prestige: the power whose clans give the source its name.
POWER_SOURCES = {
    "sea": Power.SEA_TRACK,
    "largest": Power.LARGEST_TOKEN,
    "settlement": Power.SETTLEMENT_BOARD,
    "powers": Power.CUSTOM,
}


def game_facts(game: Game) -> dict[str, Any]:
    """The names at a game's table, as `Names` in words.js says them."""
    rules, words = game.rules, game.rules.words
    sources = {"regions": [words.regions], "parties": [words.parties]}
    for source, power in POWER_SOURCES.items():
        sources[source] = game.clans_with(power)
    return {
        "colors": rules.colors,
        "regions": rules.regions,
        "title": rules.title,
        "players": game.names,
        "words": {name: getattr(words, name) for name in ("party", "parties", "age", "prestige")},
        "sources": {source: sources[source] for source in SOURCES if sources[source]},
        "powers": {
            clan: words.translate(game.rules.power_of(clan).description) for clan in game.clans
        },
    }
