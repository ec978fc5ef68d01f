"""What the page of a game needs to know beyond its trace: the edition's names and rules."""

from __future__ import annotations

from typing import Any

from ethnos_sim.simulator.narration.board import SOURCES, Game
from ethnos_sim.simulator.narration.phrases import Phrases, spoken
from ethnos_sim.simulator.powers import Power

#: What each source of prestige is called; the clan of a power names its own.
POWER_SOURCES = {
    "sea": Power.SEA_TRACK,
    "largest": Power.LARGEST_TOKEN,
    "settlement": Power.SETTLEMENT_BOARD,
    "powers": Power.CUSTOM,
}


def game_facts(trace: dict[str, Any]) -> dict[str, Any]:
    """The facts of a trace's game, as `Names` in table.js says them."""
    game = Game.of(trace)
    rules, words = game.rules, game.rules.words
    named = {"regions": words.regions, "parties": words.parties}
    for source, power in POWER_SOURCES.items():
        named[source] = ", ".join(map(spoken, game.clans_in_play(power)))
    return {
        "colors": rules.colors,
        "regions": rules.regions,
        "ages": game.ages,
        "dragons": rules.number("dragons"),
        "lastDragon": rules.ending_dragon,
        "title": rules.title,
        "players": Phrases(game).players,
        "words": {"parties": words.parties, "age": words.age, "prestige": words.prestige},
        "sources": {source: named[source] for source in SOURCES if named[source]},
        "seaTracks": {
            clan: {
                "last": rules.number(clan, "last_space"),
                "symbols": rules.numbers(clan, "symbols"),
            }
            for clan in game.clans_in_play(Power.SEA_TRACK)
        },
        "powers": {
            clan: words.translate(game.rules.power_of(clan).description) for clan in trace["clans"]
        },
    }
