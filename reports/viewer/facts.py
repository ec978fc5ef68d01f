"""What the page of a game needs to know beyond its trace: the edition's names and rules."""

from __future__ import annotations

from typing import Any

from ethnos_sim.simulator.narration.board import Game
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
    """The facts of a trace's game, as `Facts` in state.js and `Names` in table.js say them."""
    game = Game.of(trace)
    rules, words = game.rules, game.rules.words
    sources = {"regions": words.regions, "parties": words.parties}
    parts = {}
    for source, power in POWER_SOURCES.items():
        clans = game.clans_in_play(power)
        if clans:
            sources[source] = ", ".join(map(spoken, clans))
            parts[source] = clans[0]
    tracks = 1 + len(game.clans_in_play(Power.SEA_TRACK))
    wild = game.clans_in_play(Power.WILD)
    return {
        "colors": rules.colors,
        "regions": rules.regions,
        "ages": game.ages,
        "dragons": rules.number("dragons"),
        "lastDragon": rules.ending_dragon,
        "supply": rules.number("markers") - tracks,
        "onTake": {
            clan: rules.number(clan, "on_take") for clan in game.clans_in_play(Power.LARGEST_TOKEN)
        },
        "wild": wild,
        "unscored": [clan for clan in wild if not rules.number(clan, "scored")],
        "scoreBonus": {
            clan: rules.number(clan, "score_bonus") for clan in trace["clans"] if clan not in wild
        },
        "partyPoints": rules.numbers("party_points"),
        "parts": parts,
        "title": rules.title,
        "players": Phrases(game).players,
        "words": {"parties": words.parties, "age": words.age, "prestige": words.prestige},
        "sources": sources,
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
